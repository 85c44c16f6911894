/*
 * Calls the functions of a fake front through thunks and observes the calls. Prints each failure, or "thunk ok" if
 * there is none.
 */
#define _GNU_SOURCE
#include "thunk_test.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

int failures;

long PMPI_f0(long), PMPI_f1(long), PMPI_f2(long);
long PMPI_f5(), PMPI_f4(int, ...);
void *PMPI_f7();
#define TAKEN(X) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33)
#define DECLARE(n) void *PMPI_f##n();
#define ENTRY(n) PMPI_f##n,
TAKEN(DECLARE)
static void *(*const taking[])() = {TAKEN(ENTRY)}; /* [n] has the thunk for n parameters */
double PMPI_f8(long, double);

/* ---- an observer that stores the last call ---- */

static __thread struct { unsigned slot; int depth, befores, afters; long result; double number; } last;
static __thread uintptr_t enclosing;

static int note_before(struct wi4go_call *call)
{
    CHECK(flag() == (uintptr_t)call);
    last.slot = call->slot;
    last.befores++;
    enclosing = call->enclosing;
    return 1;
}

static void note_after(struct wi4go_call *call)
{
    CHECK(flag() == (uintptr_t)call);
    last.afters++;
    last.result = call->result;
    last.number = call->double_result[0];
}

static void observed(void)
{
    observe(note_before, note_after);
    memset(&last, 0, sizeof last);
}

/* ---- arguments and results ---- */

static long sent(int i) { return 0x0111111111111111L * (i + 1) + 5; }

/* Calls a function with n arguments. */
static void *with(void *(*function)(), int n)
{
#define A(i) sent(i)
    switch (n) {
    case 0: return function();
    case 1: return function(A(0));
    case 2: return function(A(0), A(1));
    case 3: return function(A(0), A(1), A(2));
    case 4: return function(A(0), A(1), A(2), A(3));
    case 5: return function(A(0), A(1), A(2), A(3), A(4));
    case 6: return function(A(0), A(1), A(2), A(3), A(4), A(5));
    case 7: return function(A(0), A(1), A(2), A(3), A(4), A(5), A(6));
    case 8: return function(A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7));
    case 9: return function(A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8));
    case 10: return function(A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9));
    case 11: return function(A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9), A(10));
    case 12: return function(A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9), A(10), A(11));
    default: return function(A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9), A(10), A(11), A(12));
    }
}

static int replace_all(struct wi4go_call *call)
{
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        *wi4go_argument(call, i) = -i;
    return 1;
}

static long arguments_after[MOST_ARGUMENTS];
static void keep_arguments(struct wi4go_call *call)
{
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        arguments_after[i] = *wi4go_argument(call, i);
}

/* Checks that all arguments of a call arrive, without an observer and with each kind of observer. */
static void arguments_of(void *(*function)(), unsigned slot, int n)
{
    for (int observers = 0; observers < 3; observers++) {
        observers == 1 ? observed() : observe(NULL, observers ? keep_arguments : NULL);
        memset(arguments_seen, 0, sizeof arguments_seen);
        CHECK(with(function, n) == arguments_seen && flag() == 0);
        for (int i = 0; i < n; i++)
            CHECK(arguments_seen[i] == sent(i) && (observers < 2 || arguments_after[i] == sent(i)));
    }
    CHECK(last.befores == 1 && last.afters == 1 && last.slot == slot && last.result == (long)arguments_seen);
}

static void arguments(void)
{
    for (int n = 0; n <= MOST_ARGUMENTS; n++) {
        reset();
        arguments_of(PMPI_f7, THIRTEEN, n);
        CHECK(first_calls == 1);
        arguments_of(taking[n], (unsigned)(TAKING + n), n);
        observe(replace_all, keep_arguments);
        with(taking[n], n);
        for (int i = 0; i < n; i++)
            CHECK(arguments_seen[i] == -i && arguments_after[i] == -i);
    }
}

static int answer(struct wi4go_call *call)
{
    call->result = 41;
    call->double_result[0] = 2.5;
    return 0;
}
static void change(struct wi4go_call *call)
{
    call->result++;
    call->double_result[0] *= 2;
}
static int replace_double(struct wi4go_call *call)
{
    call->vector[0][0] = 100;
    *wi4go_argument(call, 0) = 3;
    return 1;
}

static void results(void)
{
    reset();
    observed();
    CHECK(PMPI_f8(3, 1.5) == 4.5 && last.number == 4.5 && first_calls == 1);
    observe(answer, note_after);
    CHECK(PMPI_f8(3, 1.5) == 2.5);
    CHECK(PMPI_f2(3) == 41 && calls[2] == 0);
    CHECK(PMPI_f7() == (void *)41);
    CHECK(PMPI_f5(1) == 41);
    CHECK(last.afters == 1 && flag() == 0);
    observe(NULL, change);
    CHECK(PMPI_f8(3, 1.5) == 9);
    CHECK(PMPI_f2(3) == 2 * 3 + 2 + 1 && calls[2] == 1);
    CHECK((int)PMPI_f5(1) == -76);
    observe(replace_double, NULL);
    CHECK(PMPI_f8(7, 1.5) == 300);
    observed();
    CHECK(PMPI_f4(9, 1.0, 0.5, 1.5) == 3 && last.slot == VARIADIC && last.result == 3);
    CHECK(PMPI_f4(9, 1.0, 0.5, 1.5) == 3 && flag() == 0);
}

/* ---- nested calls, and calls that never return ---- */

static long nested(void *unused)
{
    (void)unused;
    const uintptr_t outer = flag();
    const long rc = PMPI_f1(4);
    CHECK(outer && enclosing == outer && flag() == outer);
    return rc;
}
static long nested_twice(void *unused)
{
    (void)unused;
    const uintptr_t outer = flag();
    CHECK(PMPI_f9(nested, NULL) == 10 && flag() == outer);
    return 1;
}

/* Without an observer, the flag is the address of a call whose mark is set, also after nested calls. */
static long marked(void *unused)
{
    (void)unused;
    const uintptr_t outer = flag();
    CHECK(outer && ((struct wi4go_call *)outer)->mark == outer);
    CHECK(PMPI_f1(4) == 9 && flag() == outer);
    CHECK(with(taking[MOST_ARGUMENTS], MOST_ARGUMENTS) == arguments_seen && flag() == outer);
    return 1;
}

static jmp_buf place;
static long jumps(void *unused) { (void)unused; longjmp(place, 1); }

void next_is_free(void)
{
    enclosing = 1;
    CHECK(PMPI_f1(0) == 1 && enclosing == 0 && flag() == 0);
}

__attribute__((noinline)) void deeper_is_free(void)
{
    volatile char memory[4096];
    memset((void *)memory, 1, sizeof memory);
    next_is_free();
}

__attribute__((noinline)) static void returns_by_jump(bool deeper)
{
    if (!setjmp(place)) {
        PMPI_f9(jumps, NULL);
        CHECK(false);
    }
    CHECK(flag() != 0);
    deeper ? deeper_is_free() : next_is_free();
}

static void depth(void)
{
    reset();
    observe(NULL, NULL);
    CHECK(PMPI_f9(marked, NULL) == 2 && flag() == 0);
    observed();
    CHECK(PMPI_f9(nested, NULL) == 10 && flag() == 0);
    CHECK(PMPI_f9(nested_twice, NULL) == 2 && flag() == 0);
    for (int deeper = 0; deeper < 2; deeper++) {
#ifdef CXX
        catches(deeper);
#endif
        returns_by_jump(deeper);
    }
    CHECK(last.befores > last.afters);
}

/* ---- alternate signal stacks, coroutines ---- */

static sigjmp_buf out_of_handler;
static bool leave_handler;
static long leaves(void *unused) { (void)unused; siglongjmp(out_of_handler, 1); }
static void on_signal(int number)
{
    (void)number;
    const uintptr_t outer = flag();
    enclosing = 1;
    CHECK(PMPI_f1(4) == 9 && enclosing == 0 && flag() == outer);
    CHECK(PMPI_f9(nested, NULL) == 10 && flag() == outer);
    if (leave_handler)
        PMPI_f9(leaves, NULL);
}
static long raises(void *unused)
{
    (void)unused;
    const uintptr_t outer = flag();
    raise(SIGUSR1);
    CHECK(flag() == outer);
    return nested(NULL);
}

static void alternate_stack(void *memory)
{
    stack_t stack = {0};
    struct sigaction action = {0};
    stack.ss_sp = memory;
    stack.ss_size = 1 << 16;
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK;
    CHECK(!sigaltstack(&stack, NULL) && !sigaction(SIGUSR1, &action, NULL));
    observed();
    leave_handler = false;
    CHECK(PMPI_f9(raises, NULL) == 10 && flag() == 0);
    leave_handler = true;
    if (!sigsetjmp(out_of_handler, 1))
        PMPI_f9(raises, NULL);
    next_is_free();
    deeper_is_free();
    CHECK(PMPI_f9(nested, NULL) == 10 && flag() == 0);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
}

static void *alternate_stack_in_thread(void *memory)
{
    alternate_stack(memory);
    return NULL;
}

/* Runs on a stack above the thread's, and on a stack below it. */
static void alternate_stacks(void)
{
    void *const low = mmap((void *)0x10000000, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    alternate_stack(low);
    pthread_t thread;
    pthread_attr_t attributes;
    char *const both = (char *)mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, both, 1 << 20);
    CHECK(!pthread_create(&thread, &attributes, alternate_stack_in_thread, both + (1 << 20)));
    pthread_join(thread, NULL);
}

static ucontext_t main_context, coroutine;
static long switches(void *unused) { (void)unused; return swapcontext(&coroutine, &main_context); }
static void in_coroutine(void) { PMPI_f9(switches, NULL); }

/* Abandons a coroutine, which is never resumed, and unmaps its stack. */
static void abandoned_coroutine(void)
{
    void *const stack = mmap((void *)0x20000000, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    observed();
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = 1 << 16;
    coroutine.uc_link = &main_context;
    makecontext(&coroutine, in_coroutine, 0);
    swapcontext(&main_context, &coroutine);
    CHECK(flag() != 0);
    munmap(stack, 1 << 16);
    next_is_free();
    deeper_is_free();
}

/* ---- threads, fork ---- */

enum { THREADS = 8, CALLS = 20000 };
static void *many_calls(void *unused)
{
    (void)unused;
    memset(&last, 0, sizeof last);
    for (int i = 0; i < CALLS; i++) {
        CHECK(PMPI_f0(i) == 2 * i);
        if (i % 1000 == 0)
            CHECK(PMPI_f9(nested, NULL) == 10);
    }
    CHECK(last.befores == CALLS + 2 * CALLS / 1000 && last.befores == last.afters && flag() == 0);
    return NULL;
}

static long waits(void *unused) { (void)unused; return pause(); }
static void *cancelled(void *unused)
{
    (void)unused;
    PMPI_f9(waits, NULL);
    return NULL;
}
static long ends(void *unused) { (void)unused; pthread_exit((void *)7); }
static void *exits(void *unused)
{
    (void)unused;
    PMPI_f9(ends, NULL);
    return NULL;
}

static void threads(void)
{
    pthread_t thread[THREADS];
    void *result;
    reset();
    observed();
    PMPI_f0(0);
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&thread[i], NULL, many_calls, NULL));
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    CHECK(!pthread_create(&thread[0], NULL, cancelled, NULL) && !pthread_cancel(thread[0]));
    CHECK(!pthread_join(thread[0], &result) && result == PTHREAD_CANCELED);
    CHECK(!pthread_create(&thread[0], NULL, exits, NULL) && !pthread_join(thread[0], &result) && result == (void *)7);
    next_is_free();
}

static long forks(void *unused)
{
    (void)unused;
    const pid_t child = fork();
    if (!child) {
        nested(NULL);
        return 5;
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 6;
}

static void fork_in_call(void)
{
    const pid_t parent = getpid();
    observed();
    const long rc = PMPI_f9(forks, NULL);
    next_is_free();
    if (getpid() != parent)
        _exit(rc != 6 || failures);
    CHECK(rc == 7);
}

int main(void)
{
    route_all();
    arguments();
    results();
    depth();
    alternate_stacks();
    abandoned_coroutine();
    threads();
    fork_in_call();
    if (!failures)
        printf("thunk ok\n");
    return failures != 0;
}
