/* What the fake front offers to the harness. */
#ifndef FAKE_H
#define FAKE_H
#include "functions.h"

enum { SLOTS = 700 };
typedef double pair __attribute__((vector_size(16)));
struct big { long word[5]; };

#define WIDE_PARAMETERS long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, \
	pair p, pair q, pair r, pair s, pair t, pair u, pair v, pair w

struct wide { long integer[12]; pair vector[8]; };

extern struct counters { unsigned a[SLOTS], r[SLOTS]; } counters;
extern struct wide wide_seen;         /* what the function of WIDE got */
extern unsigned first_calls, missing_slot, wide_by_runtime;
extern long missing_arguments[12];
extern unsigned wide_level;           /* level() in it */
extern void *program_calls_from;      /* the function whose calls are the program's, whatever wi4go_in_w says */
extern unsigned inside_calls;         /* how often it was asked who calls */
extern void *expected_caller;         /* an unwinder must find this function … */
extern unsigned unwound;              /* … and how often it did */

void set_inside(int inside);          /* sets wi4go_in_w of this thread */
unsigned level(void);                 /* this thread's, in_w and 10 times in_program */
void reset(void);                     /* back to the state before the first call */
long oracle(int slot, long argument); /* the chooser in C */
void look_for_caller(void);
void *trampoline(int kind, void *function, void *handler);
unsigned trampolines_per_pool(void);
#endif
