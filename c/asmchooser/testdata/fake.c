/*
 * A front without MPI: the tables' functions count their calls, and what the
 * chooser calls at a first call or for an absent function destroys every
 * argument register, as any C function may.
 */
#include "fake.h"
#include "front.h"
#include "trampoline.h"
#include <string.h>
#include <unwind.h>

__thread struct wi4go_level wi4go_level __attribute__((tls_model("initial-exec")));

struct counters counters;
struct wide wide_seen;
unsigned first_calls, missing_slot, wide_by_runtime, unwound, wide_level, inside_calls;
void *program_calls_from;
long missing_arguments[12];
void *expected_caller;

/* ---- what stands in the tables ---- */

#define COUNT(n) \
    static long a_##n(long x) { counters.a[n]++; return 2 * x + n; } \
    static long r_##n(long x) { counters.r[n]++; return 3 * x + n; }
FUNCTIONS(COUNT)

#define A_ENTRY(n) a_##n,
#define R_ENTRY(n) r_##n,
static long (*const a_functions[SLOTS])(long) = {FUNCTIONS(A_ENTRY)};
static long (*const r_functions[SLOTS])(long) = {FUNCTIONS(R_ENTRY)};

static struct big wide(WIDE_PARAMETERS)
{
    wide_level = level();
    wide_seen = (struct wide){{a, b, c, d, e, f, g, h, i, j, k, l}, {p, q, r, s, t, u, v, w}};
    return (struct big){{a + l, b, c, d, e}};
}
static struct big a_wide(WIDE_PARAMETERS)
{
    wide_by_runtime = 0;
    return wide(a, b, c, d, e, f, g, h, i, j, k, l, p, q, r, s, t, u, v, w);
}
static struct big r_wide(WIDE_PARAMETERS)
{
    wide_by_runtime = 1;
    return wide(a, b, c, d, e, f, g, h, i, j, k, l, p, q, r, s, t, u, v, w);
}

/* On x86-64 a variadic call has the number of vector arguments in al, and every
   translation finds the place of wi4go_in_w in r11: here, 1000 more without. */
long variadic(int level, ...);
#if defined(__x86_64__)
__asm__(".text\n.type variadic, @function\nvariadic: movzbl %al, %eax\n"
        "cmpq wi4go_in_w@gottpoff(%rip), %r11\nje 1f\naddl $1000, %eax\n1: ret\n.size variadic, .-variadic");
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

/* ---- what the chooser calls ---- */

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

static void load(void)
{
    for (int i = 0; i < SLOTS; i++) {
        wi4go_A[i] = (void *)a_functions[i];
        wi4go_R[i] = (void *)r_functions[i];
    }
    wi4go_A[WIDE] = (void *)a_wide;
    wi4go_R[WIDE] = (void *)r_wide;
    wi4go_A[VARIADIC] = wi4go_R[VARIADIC] = (void *)variadic;
    wi4go_A[ABSENT] = wi4go_R[ABSENT] = wi4go_missing_entries[ABSENT];
}

__attribute__((used, visibility("hidden"))) void *wi4go_first_call(unsigned slot);
void *wi4go_first_call(unsigned slot)
{
    first_calls++;
    look_for_caller();
    load();
    destroy_argument_registers();
    return wi4go_in_w ? wi4go_R[slot] : wi4go_A[slot];
}

__attribute__((used, visibility("hidden"))) int wi4go_missing(unsigned slot, const long *arguments);
int wi4go_missing(unsigned slot, const long *arguments)
{
    missing_slot = slot;
    memcpy(missing_arguments, arguments, sizeof missing_arguments);
    look_for_caller();
    destroy_argument_registers();
    return -77;
}

__attribute__((used, visibility("hidden"))) int wi4go_inside(const void *caller, struct wi4go_level *before);
int wi4go_inside(const void *caller, struct wi4go_level *before)
{
    int nested = _Unwind_FindEnclosingFunction((void *)caller) == program_calls_from;
    inside_calls++;
    *before = wi4go_level;
    if (nested) {
        wi4go_level = (struct wi4go_level){0, wi4go_level.in_program + 1};
        look_for_caller();
    }
    destroy_argument_registers();
    return nested;
}

/* ---- what the harness calls ---- */

static void *initial_a[SLOTS], *initial_r[SLOTS];

__attribute__((constructor)) static void remember(void)
{
    memcpy(initial_a, wi4go_A, sizeof initial_a);
    memcpy(initial_r, wi4go_R, sizeof initial_r);
}

void reset(void)
{
    memcpy(wi4go_A, initial_a, sizeof initial_a);
    memcpy(wi4go_R, initial_r, sizeof initial_r);
    first_calls = unwound = 0;
    memset(&counters, 0, sizeof counters);
    memset(&wide_seen, 0, sizeof wide_seen);
}

void set_inside(int inside) { wi4go_in_w = inside; }
unsigned level(void) { return (unsigned)(wi4go_in_w + 10 * wi4go_level.in_program); }

long oracle(int slot, long argument)
{
    return (wi4go_in_w ? r_functions[slot] : a_functions[slot])(argument);
}

void *trampoline(int kind, void *function, void *handler) { return wi4go_trampoline(kind, function, handler); }
unsigned trampolines_per_pool(void) { return WI4GO_POOL / 16; }
