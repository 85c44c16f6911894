/* The standard ABI has no data, no C++ bindings and no error handler that throws
   (MPI-5.0, chapter 20): nothing is exported beside MPI's functions. */
#include "front.h"

const intptr_t wi4go_throw_exceptions = -1; /* which is no handle */

void *wi4go_throwing_function(enum wi4go_object object)
{
    (void)object;
    return NULL;
}
