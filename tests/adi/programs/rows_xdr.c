/* Conversions to and from XDR. No state. */
#include "rows_xdr.h"

#include <float.h>
#include <string.h>

static const struct {
    unsigned char size, xdr;
    bool is_signed;
} basics[BASICS] = {
    [BASIC_BYTE] = {1, 1, false},
    [BASIC_CHAR] = {1, 1, false},
    [BASIC_SHORT] = {sizeof(short), 4, true},
    [BASIC_INT] = {sizeof(int), 4, true},
    [BASIC_LONG] = {sizeof(long), 8, true},
    [BASIC_FLOAT] = {sizeof(float), 4, false},
    [BASIC_DOUBLE] = {sizeof(double), 8, false},
    [BASIC_LONG_DOUBLE] = {sizeof(long double), 16, false},
    [BASIC_UNSIGNED_SHORT] = {sizeof(short), 4, false},
    [BASIC_UNSIGNED] = {sizeof(int), 4, false},
    [BASIC_UNSIGNED_LONG] = {sizeof(long), 8, false},
};

int basic_size(enum basic_type basic) { return basics[basic].size; }

int xdr_size(enum basic_type basic) { return basics[basic].xdr; }

/* Writes the lowest n bytes of a number, the highest of them first. */
static void put_big(unsigned char *xdr, uint64_t value, int n)
{
    for (int i = n; i-- > 0; value >>= 8)
        xdr[i] = (unsigned char)value;
}

static uint64_t get_big(const unsigned char *xdr, int n)
{
    uint64_t value = 0;
    for (int i = 0; i < n; i++)
        value = value << 8 | xdr[i];
    return value;
}

#if LDBL_MANT_DIG == 64
/* The x87 format: 64 bits of mantissa with an explicit first bit, then sign and exponent. XDR has
 * 112 bits of mantissa without the first bit: the lowest 49 of them are 0 here. */
static void long_double_to_xdr(const void *element, unsigned char *xdr)
{
    uint64_t mantissa;
    uint16_t head;
    memcpy(&mantissa, element, 8);
    memcpy(&head, (const char *)element + 8, 2);
    uint64_t fraction = mantissa << 1; /* 63 bits, at the top */
    put_big(xdr, head, 2);
    put_big(xdr + 2, fraction >> 16, 6);
    put_big(xdr + 8, (fraction & 0xffff) << 48, 8);
}

static void long_double_from_xdr(const unsigned char *xdr, void *element)
{
    uint16_t head = (uint16_t)get_big(xdr, 2);
    uint64_t fraction = get_big(xdr + 2, 6) << 16 | get_big(xdr + 8, 8) >> 48;
    uint64_t mantissa = fraction >> 1 | (head & 0x7fff ? 1ull << 63 : 0);
    memset(element, 0, sizeof(long double));
    memcpy(element, &mantissa, 8);
    memcpy((char *)element + 8, &head, 2);
}
#else
/* long double is the quadruple format already, in this host's order of bytes. */
static void long_double_to_xdr(const void *element, unsigned char *xdr)
{
    uint64_t half[2];
    memcpy(half, element, sizeof half);
    int high = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    put_big(xdr, half[high], 8);
    put_big(xdr + 8, half[!high], 8);
}

static void long_double_from_xdr(const unsigned char *xdr, void *element)
{
    int high = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    uint64_t half[2];
    half[high] = get_big(xdr, 8);
    half[!high] = get_big(xdr + 8, 8);
    memcpy(element, half, sizeof half);
}
#endif

void to_xdr(enum basic_type basic, const void *element, unsigned char *xdr)
{
    int16_t two;
    int32_t four;
    int64_t eight;
    switch (basics[basic].size) {
    case 1:
        xdr[0] = *(const unsigned char *)element;
        break;
    case 2:
        memcpy(&two, element, 2);
        put_big(xdr, basics[basic].is_signed ? (uint64_t)(int64_t)two : (uint64_t)(uint16_t)two, 4);
        break;
    case 4: /* a long of 4 bytes becomes 8 */
        memcpy(&four, element, 4);
        put_big(xdr, basics[basic].is_signed ? (uint64_t)(int64_t)four : (uint64_t)(uint32_t)four, basics[basic].xdr);
        break;
    case 8:
        memcpy(&eight, element, 8);
        put_big(xdr, (uint64_t)eight, 8);
        break;
    default:
        long_double_to_xdr(element, xdr);
    }
}

void from_xdr(enum basic_type basic, const unsigned char *xdr, void *element)
{
    uint64_t value = basics[basic].xdr <= 8 ? get_big(xdr, basics[basic].xdr) : 0;
    uint16_t two = (uint16_t)value;
    uint32_t four = (uint32_t)value;
    switch (basics[basic].size) {
    case 1:
        *(unsigned char *)element = xdr[0];
        break;
    case 2:
        memcpy(element, &two, 2);
        break;
    case 4:
        memcpy(element, &four, 4);
        break;
    case 8:
        memcpy(element, &value, 8);
        break;
    default:
        long_double_from_xdr(xdr, element);
    }
}
