/*
 * Calls through a thunk: the observer, and the thread's flag. The flag is the
 * address of the struct wi4go_call of the call that the thread is in, 0 outside of calls.
 * A call that never returns (an exception, longjmp, cancellation) leaves its address there:
 * a later call whose frame is not deeper, or that finds no mark in it, clears it. On an
 * alternate signal stack a call is enclosed by none of the interrupted stack.
 *
 * Gives: wi4go_thunk, wi4go_observer, wi4go_inside, wi4go_safety_net, wi4go_step_outside,
 * OUTSIDE.
 * Needs: front.h, call.h.
 */
#ifndef WI4GO_THUNK_H
#define WI4GO_THUNK_H
#include "front.h"
#include "call.h"

/* The one observer of calls that go through thunks. It may call MPI by the inner door only. */
struct wi4go_observer {
    /* Called before the function, unless NULL. It may replace arguments and the target.
       Returns whether the function is to be called; if not, it has set the result. */
    int (*before)(struct wi4go_call *call);
    /* Called after a function has returned, unless NULL. It may change the result. */
    void (*after)(struct wi4go_call *call);
};
extern struct wi4go_observer wi4go_observer HIDDEN;

/* Of this thread. */
extern __thread struct wi4go_inside {
    uintptr_t call; /* the flag */
    void *layer;    /* the observer's */
} wi4go_inside __attribute__((tls_model("initial-exec"))) HIDDEN;

/* Whether the safety net is in use: the runtime's references to MPI could not be bound to it
   (objects.c). Every slot is routed, and a call that is made inside a call goes straight to
   the runtime, which must have made it: functions of the program that the runtime calls run
   outside, with the flag 0. Set before the first call, if ever. */
extern int wi4go_safety_net HIDDEN;

/* A function of the program begins and ends: returns the flag to be restored. */
static inline uintptr_t wi4go_step_outside(void)
{
    const uintptr_t flag = wi4go_inside.call;
    wi4go_inside.call = 0;
    return flag;
}
static inline void wi4go_step_inside(uintptr_t flag) { wi4go_inside.call = flag; }
/* The value of a call of such a function, an int. */
#define OUTSIDE(call) \
    ({ \
        const uintptr_t flag_ = wi4go_step_outside(); \
        const int rc_ = call; \
        wi4go_step_inside(flag_); \
        rc_; \
    })

/* The thunk of a slot, for wi4go_route. It goes on at wi4go_inner[slot]. */
extern const char wi4go_thunks[] HIDDEN;
static inline void *wi4go_thunk(unsigned slot) { return (void *)(wi4go_thunks + WI4GO_THUNK_SIZE * slot); }
#endif
