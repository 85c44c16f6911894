/* What the two halves of the test of thunks share: exceptions are C++. */
#ifndef THUNK_TEST_H
#define THUNK_TEST_H
#include "call.h"
#include "fake.h"
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
extern int failures;
#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED), fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

typedef long function(void *);
long PMPI_f9(function *, void *);

/* The next call, as deep as an abandoned one, or less deep, has no call around it. */
void next_is_free(void);
/* Nor has a deeper one, whose caller has used the memory of the abandoned one. */
void deeper_is_free(void);
void catches(int deeper);
#ifdef __cplusplus
}
#endif
#endif
