// The frame of the programs in C++: runs a test for each object of a pool of SIGNATURE, COUNT times.
//
// Gives: fail, run.
// Needs: the macros SIGNATURE and COUNT, the C++ bindings.
#ifndef POOL_H
#define POOL_H

#include "dtpools.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

static char where[256]; // the layout of the current test

// Prints a failure with the current layout, and ends the job.
static inline void fail(const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printf("%s × %d, %s: %s\n", SIGNATURE, COUNT, where, text);
    fflush(stdout);
    MPI::COMM_WORLD.Abort(1);
}

// Runs the test for each object, whose elements have the values 3, 4, …. Returns the exit code.
static inline int run(int argc, char **argv, void (*test)(DTP_t pool, int index, const DTP_obj_t *object))
{
    DTP_signature_t *signature;
    DTP_t pool;
    char text[256] = "";
    MPI::Init(argc, argv);
    if (DTP_signature_parse(SIGNATURE, &signature, text, sizeof text) != DTP_SUCCESS ||
        DTP_pool_create_signature(signature, COUNT, &pool) != DTP_SUCCESS)
        fail("the pool cannot be created: %s", text);
    free(signature);
    for (int i = 0; i < pool->DTP_num_objs; i++) {
        DTP_obj_describe(pool, i, where, sizeof where);
        int rc = DTP_obj_create(pool, i, 3, 1, DTP_pool_elements(pool));
        if (rc != DTP_SUCCESS)
            fail("%s", DTP_error_string(rc));
        test(pool, i, &pool->DTP_obj_array[i]);
        DTP_obj_free(pool, i);
    }
    DTP_pool_free(pool);
    MPI::Finalize();
    return 0;
}

#endif
