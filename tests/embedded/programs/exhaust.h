/*
 * Allocations that fail: the program is linked with --wrap=malloc and its kind, and each allocation
 * of a step fails once.
 *
 * Gives: done, exhaust, left.
 * Needs: types_check.h.
 */
#ifndef WI4GO_TESTS_EXHAUST_H
#define WI4GO_TESTS_EXHAUST_H

#include "types_check.h"

#include <errno.h>

static long left = -1; /* allocations that succeed; -1: all */

static bool fails(void) { return left >= 0 && left-- == 0; }

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes) { return fails() ? NULL : __real_malloc(bytes); }
void *__wrap_calloc(size_t n, size_t bytes) { return fails() ? NULL : __real_calloc(n, bytes); }
void *__wrap_realloc(void *memory, size_t bytes) { return fails() ? NULL : __real_realloc(memory, bytes); }
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes) { return fails() ? ENOMEM : __real_posix_memalign(memory, alignment, bytes); }
char *__wrap_strdup(const char *text)
{
    char *copy = __wrap_malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

/* Counts a call that lacked memory, and allows no other error. */
static int lacking;
static bool done(int code)
{
    if (code == MPI_SUCCESS)
        return true;
    EQUAL(MPI_ERR_NO_MEM, code);
    lacking++;
    left = -1;
    return false;
}

/* Repeats a step until none of its allocations has failed. Returns how many calls lacked memory. */
static int exhaust(void (*step)(void))
{
    int failures = 0;
    for (long n = 0;; n++) {
        lacking = 0;
        left = n;
        step();
        bool finished = left >= 0; /* fewer than n allocations */
        left = -1;
        if (finished && !lacking)
            return failures;
        failures += lacking;
    }
}

#endif
