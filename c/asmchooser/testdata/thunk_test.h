/* Shared by the two files of the test of thunks: thunk.c, and throw.cc, because exceptions are C++. */
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

/* Checks that the next call, as deep as an abandoned call or less deep, is not treated as nested in it. */
void next_is_free(void);
/* Checks the same for a deeper call, whose caller has reused the stack memory of the abandoned call. */
void deeper_is_free(void);
void catches(int deeper);
#ifdef __cplusplus
}
#endif
#endif
