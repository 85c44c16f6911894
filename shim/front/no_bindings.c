/* The exports of a family without C++ bindings and without symbols of its own: no error handler
   throws, and no function is served except MPI's. */
#include "front.h"

const intptr_t wi4go_throw_exceptions = -1; /* no handle has this value */

void *wi4go_throwing_function(enum wi4go_object object)
{
    (void)object;
    return NULL;
}

int wi4go_is_cxx_intercept(void *function)
{
    (void)function;
    return 0;
}
