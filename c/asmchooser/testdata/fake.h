/* What the fake front offers to the harness. */
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
extern struct wide wide_seen;         /* what the function of WIDE got */
extern unsigned first_calls, inner_first_calls, missing_slot;
extern long missing_arguments[12];
extern void *expected_caller;         /* an unwinder must find this function … */
extern unsigned unwound;              /* … and how often it did */

void reset(void);                     /* back to the state before the first call */
void look_for_caller(void);
void *inner(unsigned slot);           /* what the inner door leads to */
void *trampoline(int kind, void *function, void *handler);
unsigned trampolines_per_pool(void);

/* Thunks. */
struct wi4go_call;
enum { MOST_ARGUMENTS = 13 };
extern long arguments_seen[MOST_ARGUMENTS]; /* what the function of THIRTEEN got */
void route_all(void);
void observe(int (*before)(struct wi4go_call *), void (*after)(struct wi4go_call *));
unsigned long flag(void);             /* of this thread */
#ifdef __cplusplus
}
#endif
#endif
