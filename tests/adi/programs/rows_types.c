/* Rows of datatypes and of representation. */
#include <float.h>
#include <math.h>

#include "check.h"
#include "rows.h"
#include "rows_layouts.h"

enum { CONTEXT = 9, LAYOUTS = 40 };

static ADI_OF_RANK uint64_t seed = 88172645463325252ull; /* the same in all ranks */
static int64_t below(int64_t n) { return (int64_t)(random_next(&seed) % (uint64_t)n); }

/* Returns a random type of at most about 2,000 bytes; depth 0: basic. */
static MPIR_DATATYPE *random_type(int depth)
{
    int64_t lengths[5], displacements[5], at = 0, n = 1 + below(5);
    MPIR_DATATYPE *types[5], *type, *old;
    if (depth == 0)
        return layout_basic((enum basic_type)(BASIC_CHAR + below(BASICS - BASIC_CHAR)));
    switch (below(4)) {
    case 0:
        old = random_type(depth - 1);
        type = layout_contiguous(1 + below(3), old);
        break;
    case 1:
        old = random_type(depth - 1);
        type = layout_vector(n, 1 + below(3), (3 + below(3)) * old->extent, old);
        break;
    case 2:
        old = random_type(depth - 1);
        for (int i = 0; i < n; i++) {
            lengths[i] = below(4);
            displacements[i] = at;
            at += (lengths[i] + below(3)) * old->extent;
        }
        type = layout_indexed(n, lengths, displacements, old);
        break;
    default:
        for (int i = 0; i < n; i++) {
            types[i] = random_type(depth - 1);
            lengths[i] = below(3);
            displacements[i] = at;
            at += lengths[i] * types[i]->extent + below(3) * 16;
        }
        type = layout_struct(n, lengths, displacements, types);
        for (int i = 0; i < n; i++)
            layout_free(types[i]);
        CHECK(type);
        return type;
    }
    CHECK(type);
    layout_free(old);
    return type;
}

/* Fills the data of a type by unpacking a stream of values that each basic type can hold. */
static char *filled(MPIR_DATATYPE *type, int64_t count, int64_t *bytes)
{
    int64_t in = 0, out = 0;
    int err = UNTOUCHED;
    *bytes = count * type->extent + 4096;
    char *buf = calloc(1, (size_t)*bytes), *stream = calloc(1, (size_t)(count * type->xdr_size + 1));
    for (int64_t i = 0; i < count * type->xdr_size; i++)
        stream[i] = (char)(i % 4 == 0 ? 0x41 : i % 16 > 9 ? 0 : i % 4 == 1 ? 0 : 1 + i % 120); /* finite floats, short shorts */
    MPID_Unpack(stream, count * type->xdr_size, MPID_MSGFORM_XDR, &in, buf, count, type, &out, NULL, MPID_ANY_SOURCE, &err);
    EQUAL(UNTOUCHED, err);
    free(stream);
    return buf;
}

static bool same_data(MPIR_DATATYPE *type, int64_t count, const char *a, const char *b)
{
    char *left = calloc(1, (size_t)(count * type->size + 1)), *right = calloc(1, (size_t)(count * type->size + 1));
    int64_t at = 0;
    int err = UNTOUCHED;
    MPID_Pack(a, count, type, left, count * type->size, &at, NULL, 0, MPID_MSGFORM_OK, MPID_MSG_OK, &err);
    at = 0;
    MPID_Pack(b, count, type, right, count * type->size, &at, NULL, 0, MPID_MSGFORM_OK, MPID_MSG_OK, &err);
    EQUAL(UNTOUCHED, err);
    bool same = !memcmp(left, right, (size_t)(count * type->size));
    free(left);
    free(right);
    return same;
}

/* Exchanges elements with the other rank: each sends `out` and receives into a new buffer. */
static void exchange(MPIR_DATATYPE *type, int64_t count, const char *out, int64_t bytes, int mode)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED;
    char *in = calloc(1, (size_t)bytes);
    MPIR_RHANDLE receive;
    MPIR_SHANDLE send;
    MPID_Status status;
    MPID_IrecvDatatype(NULL, in, count, type, other, mode, CONTEXT, &receive, &err);
    if (mode == 2)
        meet();
    (mode == 0 ? MPID_IsendDatatype : mode == 1 ? MPID_IssendDatatype : MPID_IrsendDatatype)(NULL, out, count, type, MPID_MyWorldRank, mode, CONTEXT, other, &send, &err);
    MPID_RecvComplete(&receive, &status, &err);
    MPID_SendComplete(&send, &err);
    EQUAL(UNTOUCHED, err);
    EQUAL(count * type->size, status.count);
    CHECK(same_data(type, count, out, in));
    free(in);
}

/* The datatype forms of all calls, with and without conversion. */
void row_A15(void)
{
    MPIR_DATATYPE *type = layout_vector(3, 2, 12, layout_basic(BASIC_INT));
    int64_t bytes;
    char *out = filled(type, 5, &bytes);
    for (int mode = 0; mode < 3; mode++)
        exchange(type, 5, out, bytes, mode);
    char *in = calloc(1, (size_t)bytes);
    int err = UNTOUCHED;
    for (int way = 0; way < 4; way++) {
        MPID_Status status;
        if (MPID_MyWorldRank == 0) {
            MPIR_RHANDLE ready;
            if (way == 2) {
                MPID_IrecvDatatype(NULL, in, 5, type, 1, way, CONTEXT, &ready, &err);
                tell_rank(1);
                MPID_RecvComplete(&ready, &status, &err);
            } else {
                MPID_RecvDatatype(NULL, in, 5, type, 1, way, CONTEXT, &status, &err);
            }
            EQUAL(5 * 24, status.count);
            CHECK(same_data(type, 5, out, in));
            memset(in, 0, (size_t)bytes);
        } else if (way == 0) {
            MPID_SendDatatype(NULL, out, 5, type, 1, way, CONTEXT, 0, &err);
        } else if (way == 1) {
            MPID_SsendDatatype(NULL, out, 5, type, 1, way, CONTEXT, 0, &err);
        } else if (way == 2) {
            wait_for_rank(0);
            MPID_RsendDatatype(NULL, out, 5, type, 1, way, CONTEXT, 0, &err);
        } else {
            MPID_BsendDatatype(NULL, out, 5, type, 1, way, CONTEXT, 0, &err);
        }
    }
    EQUAL(UNTOUCHED, err);
    layout_free(type);
    free(out);
    free(in);
}

/* Three cases by size, each with random layouts and parts of several sizes. */
void row_A16(void)
{
    static const int64_t parts[] = {1, 3, 64, 4096}, counts[] = {1, 7, 60};
    for (int layout = 0; layout < LAYOUTS; layout++) {
        MPIR_DATATYPE *type = random_type(1 + layout % 3);
        for (int c = 0; c < 3; c++) {
            int64_t bytes, count = counts[c];
            char *out = filled(type, count, &bytes);
            for (int p = 0; p < 4; p++) {
                if (parts[p] < 64 && count * type->size > 3000)
                    continue; /* a line for each byte takes too long */
                MPID_SetPktSize(parts[p]);
                exchange(type, count, out, bytes, layout % 2);
            }
            free(out);
        }
        layout_free(type);
    }
    MPID_SetPktSize(INT64_MAX);
}

/* Values of all basic types at their limits arrive unchanged. */
void row_A18(void)
{
    const struct { enum basic_type basic; const char *values; int n; } cases[] = {
        {BASIC_SHORT, (const char *)(const short[]){0, 1, -1, 32767, -32768, 258}, 6},
        {BASIC_INT, (const char *)(const int[]){0, 1, -1, 2147483647, -2147483647 - 1, 16909060}, 6},
        {BASIC_LONG, (const char *)(const long[]){0, 1, -1, 9223372036854775807, -9223372036854775807 - 1, 72623859790382856}, 6},
        {BASIC_UNSIGNED_SHORT, (const char *)(const unsigned short[]){0, 65535, 32768}, 3},
        {BASIC_UNSIGNED, (const char *)(const unsigned[]){0, 4294967295u, 2147483648u}, 3},
        {BASIC_UNSIGNED_LONG, (const char *)(const unsigned long[]){0, 18446744073709551615ul}, 2},
        {BASIC_FLOAT, (const char *)(const float[]){0.f, -0.f, 1e-45f, 3.4e38f, INFINITY, -1.25f}, 6},
        {BASIC_DOUBLE, (const char *)(const double[]){0., -0., 5e-324, 1.7e308, -INFINITY, 1. / 3.}, 6},
        {BASIC_CHAR, "abcdef", 6},
        {BASIC_BYTE, "\0\377\1\200xy", 6},
    };
    long double wide[] = {0.L, -0.L, 1.L, -1.L / 3.L, 1.1e4932L, 3.6e-4951L, INFINITY};
    MPID_Msgrep_t msgrep;
    MPID_Msg_pack_t act;
    for (size_t i = 0; i <= sizeof cases / sizeof *cases; i++) {
        bool last = i == sizeof cases / sizeof *cases;
        MPIR_DATATYPE *type = layout_basic(last ? BASIC_LONG_DOUBLE : cases[i].basic);
        char *buf = calloc(1, 4096);
        int n = last ? 7 : cases[i].n;
        for (int k = 0; last && k < n; k++) /* without the bytes after the number */
            memcpy(buf + k * (int)sizeof *wide, &wide[k], LDBL_MANT_DIG == 64 ? 10 : sizeof *wide);
        if (!last)
            memcpy(buf, cases[i].values, (size_t)(n * type->size));
        MPID_Msg_rep(NULL, MPID_ANY_SOURCE, type, &msgrep, &act);
        EQUAL(msgrep == MPID_MSGFORM_XDR, act == MPID_MSG_XDR);
        MPID_Msg_act(NULL, MPID_ANY_SOURCE, type, MPID_MSGFORM_OK, &act);
        EQUAL(MPID_MSG_OK, act);
        for (int64_t part = 1; part < 20; part += part < 4 ? 1 : 7) {
            MPID_SetPktSize(part);
            exchange(type, n, buf, 4096, 0);
        }
        free(buf);
    }
    MPID_SetPktSize(INT64_MAX);
}

/* Packing: positions, lack of room, packed data and typed data in both directions. */
void row_A19(void)
{
    int other = !MPID_MyWorldRank;
    for (int layout = 0; layout < LAYOUTS; layout++) {
        MPIR_DATATYPE *type = random_type(1 + layout % 3);
        MPID_Msgrep_t rep;
        MPID_Msg_pack_t act;
        int64_t bytes, size, total = 0, at = 0, from = 0, to = 0;
        char *out = filled(type, 6, &bytes), *in = calloc(1, (size_t)bytes);
        int err = UNTOUCHED;
        MPID_Msg_rep(NULL, other, type, &rep, &act);
        MPID_Pack_size(6, type, act, &total);
        MPID_Pack_size(1, type, act, &size);
        char *packed = calloc(1, (size_t)total + 8);
        for (int i = 0; i < 6; i++) /* one after the other */
            MPID_Pack(out + i * type->extent, 1, type, packed, total, &at, NULL, other, rep, act, &err);
        CHECK(at <= total);
        EQUAL(UNTOUCHED, err);
        int64_t before = at;
        if (size > 0) {
            MPID_Pack(out, 1, type, packed, at + size - 1, &at, NULL, other, rep, act, &err);
            EQUAL(MPIR_ERR_TRUNCATE, err);
            EQUAL(before, at);
            err = UNTOUCHED;
            MPID_Unpack(packed, size - 1, rep, &from, in, 1, type, &to, NULL, other, &err);
            EQUAL(MPIR_ERR_TRUNCATE, err);
            EQUAL(0, from);
            EQUAL(0, to);
        }
        err = UNTOUCHED;
        for (int i = 0; i < 6; i++)
            MPID_Unpack(packed, at, rep, &from, in, 1, type, &to, NULL, other, &err);
        EQUAL(at, from);
        EQUAL(6 * type->extent, to);
        EQUAL(UNTOUCHED, err);
        CHECK(same_data(type, 6, out, in));
        /* Sent as packed bytes with their representation, received as elements. */
        memset(in, 0, (size_t)bytes);
        MPIR_SHANDLE send;
        MPIR_RHANDLE receive;
        MPID_IrecvDatatype(NULL, in, 6, type, other, 1, CONTEXT, &receive, &err);
        MPID_IsendContig(NULL, packed, at, MPID_MyWorldRank, 1, CONTEXT, other, rep, &send, &err);
        MPID_RecvComplete(&receive, NULL, &err);
        MPID_SendComplete(&send, &err);
        CHECK(same_data(type, 6, out, in));
        /* Sent as elements, received as packed bytes. */
        char *raw = calloc(1, (size_t)total + 8);
        MPID_Status status;
        MPID_IrecvContig(NULL, raw, total, other, 2, CONTEXT, &receive, &err);
        MPID_IsendDatatype(NULL, out, 6, type, MPID_MyWorldRank, 2, CONTEXT, other, &send, &err);
        MPID_RecvComplete(&receive, &status, &err);
        MPID_SendComplete(&send, &err);
        EQUAL(total, status.count);
        EQUAL(rep, status.msgrep);
        CHECK(!memcmp(raw, packed, (size_t)total));
        EQUAL(UNTOUCHED, err);
        free(out);
        free(in);
        free(packed);
        free(raw);
        layout_free(type);
    }
}
