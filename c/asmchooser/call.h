/*
 * A thunk around a call: the entry of slot i is wi4go_thunks + WI4GO_THUNK_SIZE * i. It
 * saves the arguments in a struct wi4go_call on its stack, calls wi4go_thunk_before, then
 * the function that this returns, with the arguments as they are in the structure, then
 * wi4go_thunk_after, and returns the structure's result. Arguments on the stack are copied
 * (no return address changes: shadow stacks hold); the registers are saved whole, so that
 * a variadic function can be called.
 *
 * Gives: struct wi4go_call, wi4go_argument; for assembly the offsets in it.
 */
#ifndef WI4GO_CALL_H
#define WI4GO_CALL_H

#define WI4GO_THUNK_SIZE 16

/* Offsets in struct wi4go_call. */
#define CALL_RESULT 0
#define CALL_DOUBLE 16
#define CALL_STACK 64
#define CALL_SAVED 128
#define CALL_STACK_WORDS 8

#ifndef __ASSEMBLER__
#include <stddef.h>
#include <stdint.h>

struct wi4go_call {
    long result;                  /* an integer or a pointer; an int is in the low half */
    uintptr_t mark;               /* the address of this structure while the call runs, else 0 */
    double double_result[2];      /* the first is a double; the second fills the register */
    uintptr_t enclosing;          /* the call of the same stack in which this one is made, 0: none */
    uintptr_t former;             /* the thread's flag before this call */
    void *target;                 /* the function to call */
    void *state;                  /* the layer's, from `before` to `after` */
    long stack[CALL_STACK_WORDS]; /* the arguments behind those in registers */
    /* As save_arguments of the architecture leaves it, up to the caller's arguments. */
#if defined(__x86_64__)
    long integer[6], vectors;     /* al: how many vector registers a variadic call has */
    unsigned slot, unused;
    double vector[8][2];
    void *frame, *caller;
#elif defined(__aarch64__)
    void *frame, *caller;
    long integer[8], indirect;    /* x8 */
    unsigned slot, unused;
    double vector[8][2];
    long padding[2];
#endif
};

enum { WI4GO_REGISTERS = sizeof(((struct wi4go_call *)0)->integer) / sizeof(long) };

/* The argument at this position, of integers and pointers, to be read and replaced. */
static inline long *wi4go_argument(struct wi4go_call *call, int i)
{
    return i < WI4GO_REGISTERS ? &call->integer[i] : &call->stack[i - WI4GO_REGISTERS];
}
#endif
#endif
