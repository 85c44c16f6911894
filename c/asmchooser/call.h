/*
 * A thunk around a call. The entry of slot i is wi4go_thunks + WI4GO_THUNK_SIZE * i. A thunk has a
 * struct wi4go_call on its stack. It sets the thread's flag, wi4go_inside, to the address of this
 * structure while the call runs; the flag is 0 outside of calls.
 *
 * If the flag is 0 and there is no observer, the thunk only sets the structure's mark and calls
 * wi4go_inner[slot]. Otherwise it saves the arguments in the structure and calls
 * wi4go_thunk_before. It then calls the function that this returns, with the arguments that are
 * in the structure by then, and wi4go_thunk_after. It returns the structure's result. If
 * wi4go_thunk_before returns NULL, the thunk returns the result at once.
 *
 * A slot's number of parameters selects its thunk: one for each number of words on the caller's
 * stack. These words are copied. A slot with parameters of floating-point types, or with an unknown
 * number (CALL_ANY), always saves every register and copies CALL_STACK_WORDS words. No return
 * address changes, so shadow stacks stay valid.
 *
 * Gives: struct wi4go_call, wi4go_argument; for assembly the offsets in it; CALL_ANY.
 */
#ifndef WI4GO_CALL_H
#define WI4GO_CALL_H

#define WI4GO_THUNK_SIZE 16

/* Offsets in struct wi4go_call, for assembly, and the number of stack words that a thunk copies. */
#define CALL_RESULT 0
#define CALL_MARK 8
#define CALL_DOUBLE 16
#define CALL_STACK 64
#define CALL_SAVED 128
#define CALL_STACK_WORDS 8

/* The number of parameters of a slot whose function is variadic, has a parameter of a floating-point
   type, or is not in the tables. */
#define CALL_ANY 255

#ifndef __ASSEMBLER__
#include <stddef.h>
#include <stdint.h>

/* A call that goes through a thunk. It lives on the thunk's stack until the call returns. In a
   call that began without an observer, outside of other calls, only `mark` is set. In a call of
   a slot whose number of parameters is known, `vector` is not set. */
struct wi4go_call {
    long result;                  /* the integer or pointer result; an int is in the low half */
    uintptr_t mark;               /* the address of this structure while the call runs, else 0 */
    double double_result[2];      /* [0]: the floating-point result; [1] fills the register */
    uintptr_t enclosing;          /* the enclosing call on the same stack, or 0 */
    uintptr_t former;             /* the thread's flag before this call */
    void *target;                 /* the function to call */
    void *state;                  /* owned by the observer, from `before` to `after` */
    long stack[CALL_STACK_WORDS]; /* the arguments on the stack */
    /* The layout in which the architecture's save_arguments stores registers, up to the caller's
       stack arguments. */
#if defined(__x86_64__)
    long integer[6], vectors;     /* al: the number of vector registers in a variadic call */
    unsigned slot, unused;
    double vector[8][2];
    void *frame, *caller;
#elif defined(__aarch64__)
    void *frame, *caller;
    long integer[8], indirect;    /* x8: the address of an indirect result */
    unsigned slot, unused;
    double vector[8][2];
    long padding[2];
#endif
};

/* The number of integer arguments that are passed in registers. */
enum { WI4GO_REGISTERS = sizeof(((struct wi4go_call *)0)->integer) / sizeof(long) };

/* Returns the address of the i-th integer or pointer argument, to read or to replace it. */
static inline long *wi4go_argument(struct wi4go_call *call, int i)
{
    return i < WI4GO_REGISTERS ? &call->integer[i] : &call->stack[i - WI4GO_REGISTERS];
}
#endif
#endif
