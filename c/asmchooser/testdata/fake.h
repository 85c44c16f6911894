/* The functions and variables of the fake front for the harness. */
#ifndef FAKE_H
#define FAKE_H
#include "functions.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { SLOTS = 700 };
typedef double pair __attribute__((vector_size(16)));
struct big { long word[5]; };

#define WIDE_PARAMETERS long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, \
	pair p, pair q, pair r, pair s, pair t, pair u, pair v, pair w

struct wide { long integer[12]; pair vector[8]; };

extern unsigned calls[SLOTS];
extern struct wide wide_seen;         /* the arguments that the function of WIDE received */
extern unsigned first_calls, inner_first_calls, missing_slot;
extern long missing_arguments[12];
extern void *expected_caller;         /* an unwinder must find this function … */
extern unsigned unwound;              /* … and this counts how often it did */

void reset(void);                     /* restores the state before the first call */
void look_for_caller(void);
void *inner(unsigned slot);           /* the function that the slot's entry in the inner door leads to */
void *trampoline(int kind, void *function, void *handler);
unsigned trampolines_per_pool(void);

/* The functions and variables for thunks. */
struct wi4go_call;
enum { MOST_ARGUMENTS = 13 };
extern long arguments_seen[MOST_ARGUMENTS]; /* the arguments that the function of THIRTEEN received */
void route_all(void);
void observe(int (*before)(struct wi4go_call *), void (*after)(struct wi4go_call *));
unsigned long flag(void);             /* the calling thread's flag */
#ifdef __cplusplus
}
#endif
#endif
