/*
 * Calls through a thunk: the observer, and the thread's flag. The flag is the address of the
 * struct wi4go_call of the call that the thread is in, 0 outside of calls. A call that never
 * returns (an exception, longjmp, cancellation) leaves its address in the flag. A later call
 * clears it if its own frame is not deeper, or if it finds no mark at that address. A call on an
 * alternate signal stack is not enclosed by any call on the interrupted stack.
 *
 * Gives: wi4go_thunk, wi4go_observer, wi4go_inside, wi4go_safety_net, wi4go_step_outside,
 * OUTSIDE.
 * Needs: front.h, call.h.
 */
#ifndef WI4GO_THUNK_H
#define WI4GO_THUNK_H
#include "front.h"
#include "call.h"

/* The single observer of calls that go through thunks. It may call MPI through INNER only. A call
   that began before the observer was set is not observed. */
struct wi4go_observer {
    /* Called before the function, unless NULL. It may replace arguments and the target. Returns
       true if the function must be called; if it returns false, it has set the result. */
    int (*before)(struct wi4go_call *call);
    /* Called after a function has returned, unless NULL. It may change the result. */
    void (*after)(struct wi4go_call *call);
};
extern struct wi4go_observer wi4go_observer HIDDEN;

/* The thread's flag; see above. It is defined in c/asmchooser/chooser.h, and thunks test it. */
extern __thread uintptr_t wi4go_inside __attribute__((tls_model("initial-exec"))) HIDDEN;

/* 1 if the safety net is in use, because the runtime's references to MPI could not be bound to
   its own functions (rebind.c). Then every slot is routed through its thunk, and a call inside
   another call goes straight to the runtime, because the runtime must have made it. Functions of
   the program that the runtime calls run with the flag 0, as outside of calls. Set before the
   first call, if ever. */
extern int wi4go_safety_net HIDDEN;

/* Called around a function of the program that the runtime calls. wi4go_step_outside clears the
   flag and returns the old value, which wi4go_step_inside restores. */
static inline uintptr_t wi4go_step_outside(void)
{
    const uintptr_t flag = wi4go_inside;
    wi4go_inside = 0;
    return flag;
}
static inline void wi4go_step_inside(uintptr_t flag) { wi4go_inside = flag; }
/* Evaluates a call of such a function with the flag cleared, and returns its int result. */
#define OUTSIDE(call) \
    ({ \
        const uintptr_t flag_ = wi4go_step_outside(); \
        const int rc_ = call; \
        wi4go_step_inside(flag_); \
        rc_; \
    })

/* Returns the thunk of a slot, an entry for wi4go_route. The thunk continues at
   wi4go_inner[slot]. */
extern const char wi4go_thunks[] HIDDEN;
static inline void *wi4go_thunk(unsigned slot) { return (void *)(wi4go_thunks + WI4GO_THUNK_SIZE * slot); }
#endif
