/* The C part of thunks; see thunk.h. All state belongs to one thread, so there is no lock. The
   assembly calls it for a call inside another call, and for an observed call. */
#define _GNU_SOURCE
#include "thunk.h"
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert(offsetof(struct wi4go_call, mark) == CALL_MARK && offsetof(struct wi4go_call, double_result) == CALL_DOUBLE &&
                   offsetof(struct wi4go_call, stack) == CALL_STACK && sizeof(((struct wi4go_call *)0)->stack) == CALL_SAVED - CALL_STACK,
               "the assembly has these offsets");
_Static_assert(sizeof(struct wi4go_observer) == 16, "the assembly tests both pointers of the observer");

struct wi4go_observer wi4go_observer;
int wi4go_safety_net;

/* ---- the flag ---- */

/* Reports whether an address lies on a signal stack. */
static int is_on(const stack_t *stack, uintptr_t address)
{
    return address - (uintptr_t)stack->ss_sp < stack->ss_size;
}

/* Reports whether the page of an address is mapped. */
static int is_mapped(uintptr_t address)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;
    return !mincore((void *)(address & -page), 1, &resident);
}

/* Reports whether the call at this address is still running. Its memory may be unmapped, if it
   was on the stack of a coroutine that has ended. */
static int is_running(uintptr_t address)
{
    const uintptr_t mark = address + offsetof(struct wi4go_call, mark);
    return is_mapped(mark) && *(const uintptr_t *)mark == address;
}

/* Sets the call that encloses this one, and the flag to restore after it. */
static void find_enclosing(struct wi4go_call *call, uintptr_t flag)
{
    const uintptr_t here = (uintptr_t)call;
    stack_t alternate;
    call->enclosing = call->former = 0;
    if (likely(!flag))
        return;
    if (!sigaltstack(NULL, &alternate) && !(alternate.ss_flags & SS_DISABLE) && is_on(&alternate, here) != is_on(&alternate, flag))
        call->former = is_on(&alternate, here) ? flag : 0; /* a handler interrupts the flag's call; or that call was in a handler that has been left */
    else if (flag >= here + sizeof *call && is_running(flag)) /* frames of running calls do not overlap */
        call->enclosing = call->former = flag;
}

/* ---- from the thunk ---- */

/* Copies the arguments on the caller's stack. The caller may be the first function of its stack,
   with nothing above its arguments. So if their number is not known (n is CALL_STACK_WORDS), only
   words in mapped pages are copied. */
static void copy_stack(struct wi4go_call *call, int n)
{
    const long *const given = (const long *)(call + 1);
    for (int i = 0; i < n && (n < CALL_STACK_WORDS || is_mapped((uintptr_t)&given[i])); i++)
        call->stack[i] = given[i];
}

/* Called by the thunk before the function, with the number of words that the function's arguments
   occupy on the stack. Returns the function to call, or NULL if the observer has set the result. */
__attribute__((used)) HIDDEN void *wi4go_thunk_before(struct wi4go_call *call, int words);
void *wi4go_thunk_before(struct wi4go_call *call, int words)
{
    find_enclosing(call, wi4go_inside);
    call->target = __atomic_load_n(&wi4go_inner[call->slot], __ATOMIC_ACQUIRE);
    copy_stack(call, words);
    if (unlikely(wi4go_safety_net) && call->enclosing && wi4go_R[call->slot] != wi4go_missing_entries[call->slot]) {
        call->mark = 0;
        return wi4go_R[call->slot];
    }
    call->mark = wi4go_inside = (uintptr_t)call;
    if (!wi4go_observer.before || wi4go_observer.before(call))
        return call->target;
    wi4go_inside = call->former;
    call->mark = 0;
    return NULL;
}

/* Called by the thunk after the function: calls the observer and restores the flag. */
__attribute__((used)) HIDDEN void wi4go_thunk_after(struct wi4go_call *call);
void wi4go_thunk_after(struct wi4go_call *call)
{
    if (call->mark && wi4go_observer.after)
        wi4go_observer.after(call);
    wi4go_inside = call->former;
    call->mark = 0;
}
