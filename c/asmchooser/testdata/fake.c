/*
 * A front without MPI. The functions in its tables count their calls. The functions that the chooser calls at a first
 * call, or for an absent function, destroy every argument register, as any C function may.
 */
#include "fake.h"
#include "front.h"
#include "thunk.h"
#include "trampoline.h"
#include <string.h>
#include <unwind.h>

unsigned calls[SLOTS];
struct wide wide_seen;
unsigned first_calls, inner_first_calls, missing_slot, unwound;
long missing_arguments[12];
void *expected_caller;
long arguments_seen[MOST_ARGUMENTS];
const struct wi4go_family wi4go_family = {.n_functions = SLOTS};

/* ---- the functions in the tables ---- */

#define COUNT(n) \
    static long count_##n(long x) { calls[n]++; return 2 * x + n; }
FUNCTIONS(COUNT)

#define ENTRY(n) count_##n,
static long (*const functions[SLOTS])(long) = {FUNCTIONS(ENTRY)};

static struct big wide(WIDE_PARAMETERS)
{
    wide_seen = (struct wide){{a, b, c, d, e, f, g, h, i, j, k, l}, {p, q, r, s, t, u, v, w}};
    return (struct big){{a + l, b, c, d, e}};
}

static long thirteen(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, long m)
{
    const long seen[] = {a, b, c, d, e, f, g, h, i, j, k, l, m};
    memcpy(arguments_seen, seen, sizeof seen);
    return (long)&arguments_seen;
}

static double multiply(long n, double x) { return (double)n * x; }

static long calling(long (*function)(void *), void *argument) { return function(argument) + 1; }

/* On x86-64, al holds the number of vector arguments of a variadic call. */
long variadic(int level, ...);
#if defined(__x86_64__)
__asm__(".text\n.type variadic, @function\nvariadic: movzbl %al, %eax\nret\n"
        ".size variadic, .-variadic");
#else
long variadic(int level, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, level);
    double sum = __builtin_va_arg(arguments, double) + __builtin_va_arg(arguments, double) + __builtin_va_arg(arguments, double);
    __builtin_va_end(arguments);
    return (long)sum;
}
#endif

/* ---- the functions that the chooser calls ---- */

static void destroy_argument_registers(void)
{
#if defined(__x86_64__)
    __asm__ volatile("mov $-1, %%rax\nmov %%rax, %%rdi\nmov %%rax, %%rsi\nmov %%rax, %%rdx\nmov %%rax, %%rcx\n"
                     "mov %%rax, %%r8\nmov %%rax, %%r9\nmov %%rax, %%r10\nmov %%rax, %%r11\n"
                     "movq %%rax, %%xmm0\nmovq %%rax, %%xmm1\nmovq %%rax, %%xmm2\nmovq %%rax, %%xmm3\n"
                     "movq %%rax, %%xmm4\nmovq %%rax, %%xmm5\nmovq %%rax, %%xmm6\nmovq %%rax, %%xmm7\n" ::
                         : "rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11",
                           "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");
#else
    __asm__ volatile("mov x0, #-1\nmov x1, x0\nmov x2, x0\nmov x3, x0\nmov x4, x0\nmov x5, x0\nmov x6, x0\nmov x7, x0\n"
                     "mov x8, x0\nmov x16, x0\nmov x17, x0\n"
                     "dup v0.2d, x0\ndup v1.2d, x0\ndup v2.2d, x0\ndup v3.2d, x0\n"
                     "dup v4.2d, x0\ndup v5.2d, x0\ndup v6.2d, x0\ndup v7.2d, x0\n" ::
                         : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x16", "x17",
                           "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7");
#endif
}

static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *found)
{
    if (_Unwind_FindEnclosingFunction((void *)_Unwind_GetIP(context)) == expected_caller)
        *(int *)found = 1;
    return _URC_NO_REASON;
}

void look_for_caller(void)
{
    int found = 0;
    _Unwind_Backtrace(frame, &found);
    unwound += (unsigned)found;
}

static int routed; /* every slot is routed through its thunk */

static void load(void)
{
    for (unsigned i = 0; i < SLOTS; i++)
        wi4go_inner[i] = (void *)functions[i];
    wi4go_inner[WIDE] = (void *)wide;
    wi4go_inner[VARIADIC] = (void *)variadic;
    wi4go_inner[ABSENT] = wi4go_missing_entries[ABSENT];
    wi4go_inner[THIRTEEN] = (void *)thirteen;
    for (unsigned n = 0; n <= MOST_ARGUMENTS; n++)
        wi4go_inner[TAKING + n] = (void *)thirteen;
    wi4go_inner[DOUBLE] = (void *)multiply;
    wi4go_inner[CALLING] = (void *)calling;
    for (unsigned i = 0; i < SLOTS; i++)
        wi4go_A[i] = routed ? wi4go_thunk(i) : wi4go_inner[i];
}

__attribute__((used, visibility("hidden"))) void *wi4go_first_call(unsigned slot);
void *wi4go_first_call(unsigned slot)
{
    first_calls++;
    look_for_caller();
    load();
    destroy_argument_registers();
    return wi4go_A[slot];
}

__attribute__((used, visibility("hidden"))) void *wi4go_inner_first_call(unsigned slot);
void *wi4go_inner_first_call(unsigned slot)
{
    inner_first_calls++;
    look_for_caller();
    load();
    wi4go_A[slot] = NULL; /* whatever function is on top of the slot */
    destroy_argument_registers();
    return wi4go_inner[slot];
}

void *inner(unsigned slot) { return wi4go_inner[slot]; }

__attribute__((used, visibility("hidden"))) int wi4go_missing(unsigned slot, const long *arguments);
int wi4go_missing(unsigned slot, const long *arguments)
{
    missing_slot = slot;
    memcpy(missing_arguments, arguments, sizeof missing_arguments);
    look_for_caller();
    destroy_argument_registers();
    return -77;
}

/* ---- the functions that the harness calls ---- */

static void *initial[SLOTS], *initial_inner[SLOTS];

__attribute__((constructor)) static void remember(void)
{
    memcpy(initial, wi4go_A, sizeof initial);
    memcpy(initial_inner, wi4go_inner, sizeof initial_inner);
}

void reset(void)
{
    memcpy(wi4go_A, initial, sizeof initial);
    memcpy(wi4go_inner, initial_inner, sizeof initial_inner);
    first_calls = inner_first_calls = unwound = 0;
    memset(calls, 0, sizeof calls);
    memset(&wide_seen, 0, sizeof wide_seen);
}

void *trampoline(int kind, void *function, void *handler) { return wi4go_trampoline(kind, function, handler); }
unsigned trampolines_per_pool(void) { return WI4GO_POOL / 16; }

void route_all(void)
{
    reset();
    routed = 1;
}

void observe(int (*before)(struct wi4go_call *), void (*after)(struct wi4go_call *))
{
    wi4go_observer.before = before;
    wi4go_observer.after = after;
}

unsigned long flag(void) { return wi4go_inside; }
