/*
 * Calls the stubs of a fake front and checks the arguments that arrived. Prints each failure, or "chooser ok" if there
 * is none.
 */
#include "fake.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

#define DECLARE(n) long MPI_f##n(long), PMPI_f##n(long);
FUNCTIONS(DECLARE)
#define WEAK_ENTRY(n) MPI_f##n,
#define STRONG_ENTRY(n) PMPI_f##n,
static long (*const weak[SLOTS])(long) = {FUNCTIONS(WEAK_ENTRY)};
static long (*const strong[SLOTS])(long) = {FUNCTIONS(STRONG_ENTRY)};

typedef struct big wide_function(WIDE_PARAMETERS);
typedef long variadic_function(int, ...);

static int special(int slot)
{
    return (slot >= WIDE && slot <= CALLING) || (slot >= TAKING && slot <= TAKING + MOST_ARGUMENTS);
}

/* ---- a function in the program, as a profiling tool defines it ---- */

static unsigned profiled;

long MPI_f6(long x)
{
    profiled++;
    return PMPI_f6(x);
}

/* ---- every register, at a first call and later ---- */

__attribute__((noinline)) static void call_wide(wide_function *f)
{
    struct wide sent;
    expected_caller = (void *)call_wide;
    for (int i = 0; i < 12; i++)
        sent.integer[i] = 0x0111111111111111L * (i + 1) + 7;
    for (int i = 0; i < 8; i++)
        sent.vector[i] = (pair){i + 0.25, -i - 0.5};
    const long *n = sent.integer;
    const pair *v = sent.vector;
    struct big result = f(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11],
                          v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
    CHECK(!memcmp(&sent, &wide_seen, sizeof sent));
    CHECK(result.word[0] == n[0] + n[11] && result.word[4] == n[4]);
}

static void first_call(void)
{
    reset();
    call_wide((wide_function *)weak[WIDE]);
    CHECK(first_calls == 1);
    CHECK(unwound == 1);
    call_wide((wide_function *)strong[WIDE]);
    CHECK(first_calls == 1);

    reset();
    CHECK(((variadic_function *)weak[VARIADIC])(9, 1.0, 0.5, 1.5) == 3);
    CHECK(first_calls == 1);
    CHECK(((variadic_function *)strong[VARIADIC])(9, 1.0, 0.5, 1.5) == 3);
    CHECK(first_calls == 1);
    for (int slot = 0; slot < SLOTS; slot++) {
        if (special(slot))
            continue;
        reset();
        CHECK(strong[slot](5) == 10 + slot);
        CHECK(first_calls == 1 && calls[slot] == 1);
    }
}

/* ---- the inner door, which bypasses the entries of the first table ---- */

static void inner_door(void)
{
    for (int slot = 0; slot < SLOTS; slot++) {
        reset();
        CHECK((inner((unsigned)slot) != NULL) == slot % 2);
        if (special(slot) || slot % 2 == 0)
            continue;
        CHECK(((long (*)(long))inner((unsigned)slot))(5) == 10 + slot);
        CHECK(((long (*)(long))inner((unsigned)slot))(6) == 12 + slot);
        CHECK(first_calls == 0 && inner_first_calls == 1 && calls[slot] == 2);
    }
    reset();
    call_wide((wide_function *)inner(WIDE));
    CHECK(first_calls == 0 && inner_first_calls == 1 && unwound == 1);
}

/* ---- the function that receives a call ---- */

/* Calls slot s s%5 times. Exactly these calls must arrive, and no others. */
static void exact_counts(void)
{
    unsigned expected[SLOTS] = {0};
    reset();
    for (int slot = 0; slot < SLOTS; slot++) {
        if (special(slot))
            continue;
        for (int i = 0; i < slot % 5; i++, expected[slot]++)
            CHECK((i & 1 ? weak : strong)[slot](i) == 2 * i + slot);
    }
    CHECK(!memcmp(expected, calls, sizeof expected));
    profiled = 0;
    CHECK(weak[PROFILED](4) == 8 + PROFILED && profiled == 1 && calls[PROFILED] == 1);
    CHECK(strong[PROFILED](4) == 8 + PROFILED && profiled == 1 && calls[PROFILED] == 2);
}

/* ---- a function that the runtime lacks ---- */

__attribute__((noinline)) static void absent(void)
{
    typedef int twelve(long, long, long, long, long, long, long, long, long, long, long, long);
    expected_caller = (void *)absent;
    reset();
    for (int i = 1; i < 3; i++) {
        memset(missing_arguments, 0, sizeof missing_arguments);
        missing_slot = 0;
        CHECK(((twelve *)weak[ABSENT])(100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111) == -77);
        CHECK(missing_slot == ABSENT);
        for (int k = 0; k < 12; k++)
            CHECK(missing_arguments[k] == 100 + k);
        CHECK(first_calls == 1 && unwound == (unsigned)(1 + i));
    }
}

/* ---- trampolines ---- */

struct record { void *handler; int kind; void *function; }; /* struct wi4go_callback */
typedef long callback(long, long, long, long);
static long got[4];
static struct record got_record;

static long handler(long a, long b, long c, long d, long unused, const struct record *record)
{
    (void)unused;
    got[0] = a, got[1] = b, got[2] = c, got[3] = d;
    got_record = *record;
    return a + b + c + d;
}

static long unwinding_handler(long a, long b, long c, long d, long unused, const struct record *record)
{
    look_for_caller();
    return handler(a, b, c, d, unused, record);
}

/* Makes more trampolines than two pools hold, and then one for a third handler. */
__attribute__((noinline)) static void trampolines(void)
{
    unsigned n = 2 * trampolines_per_pool() + 3;
    callback **address = malloc(n * sizeof *address);
    for (unsigned i = 0; i < n; i++) {
        address[i] = (callback *)trampoline((int)(i & 3), (void *)(4096L + 16 * (i / 4)), (void *)handler);
        CHECK(address[i] != NULL);
    }
    for (unsigned i = 0; i < n; i++) {
        CHECK(address[i](i, 2, 3, 4) == (long)i + 9);
        CHECK(got[0] == i && got[1] == 2 && got[2] == 3 && got[3] == 4);
        CHECK(got_record.kind == (int)(i & 3) && got_record.function == (void *)(4096L + 16 * (i / 4)));
        CHECK(address[i] == (callback *)trampoline((int)(i & 3), (void *)(4096L + 16 * (i / 4)), (void *)handler));
        CHECK(i == 0 || address[i] != address[i - 1]);
    }
    reset();
    expected_caller = (void *)trampolines;
    callback *unwinding = (callback *)trampoline(0, (void *)4096, (void *)unwinding_handler);
    CHECK(unwinding != address[0] && unwinding(1, 2, 3, 4) == 10);
    CHECK(unwound == 1);
    free(address);
}

static void nothing_writable_and_executable(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    CHECK(maps != NULL);
    while (maps && fgets(line, sizeof line, maps)) {
        const char *mode = strchr(line, ' ');
        CHECK(mode && !(mode[2] == 'w' && mode[3] == 'x'));
    }
    if (maps)
        fclose(maps);
}

int main(void)
{
    first_call();
    inner_door();
    exact_counts();
    absent();
    route_all(); /* the same through thunks */
    first_call();
    exact_counts();
    absent();
    trampolines();
    nothing_writable_and_executable();
    if (!failures)
        printf("chooser ok, %d slots, %u trampolines a pool\n", SLOTS, trampolines_per_pool());
    return failures != 0;
}
