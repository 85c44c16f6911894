/* The copies of copy.h. On x86-64 the loops exist twice, with registers of 16 and of 32 bytes. */
#include "copy.h"
#include "state.h"

#include <string.h>

#if defined __x86_64__ && !defined __SANITIZE_THREAD__ /* which does not see these accesses */

#include <cpuid.h>
#include <immintrin.h>

enum { LINE = 64, AHEAD = 512, LATER = 2048 };
enum { FIRST_FAMILY = 26, LEAST = 8192 }; /* where one instruction copies fastest: AMD's processors from this family on, from this many bytes on */

/* Only family 26 was measured: a message of 64 KB takes 1.3 µs, and 1.8 µs by loops. Later families are assumed to be alike. */
void adi_copy_init(struct adi_state *st)
{
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    __builtin_cpu_init();
    if (__builtin_cpu_is("amd") && __get_cpuid(1, &eax, &ebx, &ecx, &edx))
        st->one_instruction = (eax >> 8 & 15) + (eax >> 20 & 255) >= FIRST_FAMILY;
}

/* Copies n bytes by one instruction, or returns false if loops are better. */
static bool copy_by_processor(char *dest, const char *src, int64_t n)
{
    if (!adi_self->one_instruction || n < LEAST)
        return false;
    __asm__ volatile("rep movsb" : "+D"(dest), "+S"(src), "+c"(n) : : "memory");
    return true;
}

/* Loads and stores of a line that begins at dest or src, whose other side may begin anywhere. */
#define LINE_BY_16(load, store)                                                                                                                        \
    __m128i a = load((const __m128i *)(src + i)), b = load((const __m128i *)(src + i + 16)), c = load((const __m128i *)(src + i + 32)), d = load((const __m128i *)(src + i + 48)); \
    store((__m128i *)(dest + i), a), store((__m128i *)(dest + i + 16), b), store((__m128i *)(dest + i + 32), c), store((__m128i *)(dest + i + 48), d)
#define LINE_BY_32(load, store)                                                              \
    __m256i a = load((const __m256i *)(src + i)), b = load((const __m256i *)(src + i + 32)); \
    store((__m256i *)(dest + i), a), store((__m256i *)(dest + i + 32), b)

#define LOOPS(suffix, target, line)                                             \
    target static void to_ring_##suffix(char *dest, const char *src, int64_t n) \
    {                                                                           \
        for (int64_t i = 0; i < n; i += LINE) {                                 \
            line##_TO_RING;                                                     \
        }                                                                       \
    }                                                                           \
    target static void from_ring_##suffix(char *dest, const char *src, int64_t n) \
    {                                                                           \
        for (int64_t i = 0; i < n; i += LINE) {                                 \
            _mm_prefetch(src + i + AHEAD, _MM_HINT_T0);                         \
            line##_FROM_RING;                                                   \
        }                                                                       \
    }                                                                           \
    target static void give_##suffix(char *dest, char *src, int64_t n)          \
    {                                                                           \
        for (int64_t i = 0; i < n; i += LINE) {                                 \
            _mm_prefetch(src + i + AHEAD, _MM_HINT_T0);                         \
            if (i >= LATER)                                                     \
                *(volatile char *)(src + i - LATER) = 0;                        \
            line##_FROM_RING;                                                   \
        }                                                                       \
    }                                                                           \
    target static void past_##suffix(char *dest, const char *src, int64_t n)    \
    {                                                                           \
        for (int64_t i = 0; i < n; i += LINE) {                                 \
            _mm_prefetch(src + i + AHEAD, _MM_HINT_T0);                         \
            line##_PAST;                                                        \
        }                                                                       \
        _mm_sfence();                                                           \
    }
#define LINE_BY_16_TO_RING LINE_BY_16(_mm_loadu_si128, _mm_store_si128)
#define LINE_BY_16_FROM_RING LINE_BY_16(_mm_load_si128, _mm_storeu_si128)
#define LINE_BY_16_PAST LINE_BY_16(_mm_loadu_si128, _mm_stream_si128)
#define LINE_BY_32_TO_RING LINE_BY_32(_mm256_loadu_si256, _mm256_store_si256)
#define LINE_BY_32_FROM_RING LINE_BY_32(_mm256_load_si256, _mm256_storeu_si256)
#define LINE_BY_32_PAST LINE_BY_32(_mm256_loadu_si256, _mm256_stream_si256)
LOOPS(16, , LINE_BY_16)
LOOPS(32, __attribute__((target("avx2"))), LINE_BY_32)

void adi_copy_to_ring(char *dest, const char *src, int64_t n, int past)
{
    int64_t lines = n / LINE * LINE;
    if (copy_by_processor(dest, src, n))
        return;
    if (past)
        past_16(dest, src, lines);
    else if (__builtin_cpu_supports("avx2"))
        to_ring_32(dest, src, lines);
    else
        to_ring_16(dest, src, lines);
    memcpy(dest + lines, src + lines, (size_t)(n - lines));
}

/* Copies past the caches from the first line of dest on. */
static void copy_past(char *dest, const char *src, int64_t n)
{
    int64_t before = -(uintptr_t)dest % LINE;
    if (before > n)
        before = n;
    memcpy(dest, src, (size_t)before);
    dest += before, src += before, n -= before;
    int64_t lines = n / LINE * LINE;
    if (__builtin_cpu_supports("avx2"))
        past_32(dest, src, lines);
    else
        past_16(dest, src, lines);
    memcpy(dest + lines, src + lines, (size_t)(n - lines));
}

void adi_copy_from_ring(char *dest, char *src, int64_t n, enum adi_copy how)
{
    if (how == ADI_COPY_PAST) {
        copy_past(dest, src, n);
        return;
    }
    if (copy_by_processor(dest, src, n))
        return;
    int64_t lines = n / LINE * LINE;
    bool avx2 = __builtin_cpu_supports("avx2");
    if (how == ADI_COPY_GIVE)
        (avx2 ? give_32 : give_16)(dest, src, lines);
    else
        (avx2 ? from_ring_32 : from_ring_16)(dest, src, lines);
    memcpy(dest + lines, src + lines, (size_t)(n - lines));
}

#else

void adi_copy_init(struct adi_state *st) { (void)st; }

void adi_copy_to_ring(char *dest, const char *src, int64_t n, int past)
{
    (void)past;
    memcpy(dest, src, (size_t)n);
}

void adi_copy_from_ring(char *dest, char *src, int64_t n, enum adi_copy how)
{
    (void)how;
    memcpy(dest, src, (size_t)n);
}

#endif
