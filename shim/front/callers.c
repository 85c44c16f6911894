/*
 * Who calls a function of MPI while the thread is inside of a call already: the
 * runtime, whose arguments are its own, or the program, whose handler of a
 * signal, allocator or wrapper of pwrite runs in there. The return address says
 * it: what lies in the runtime's objects is the runtime's, all else the program's,
 * so also libc, to which a handler that ends in a tail jump returns.
 */
#include "front.h"

/* From the chooser. Returns 0 where the call is the runtime's; else the level for
   when it is over is in before. */
__attribute__((used)) int wi4go_inside(const void *caller, struct wi4go_level *before);
int wi4go_inside(const void *caller, struct wi4go_level *before)
{
    /* The runtime's tail jumps return to the front, which called it (with
       -static-mpi that is the program, and cannot be told from it). Under
       INSIDE_NESTED the front's own C runs, for the program. */
    if (wi4go_in_w == INSIDE_RUNTIME && !wi4go_embedded_core && wi4go_is_here((uintptr_t)caller))
        return 0;
    if (!wi4go_runtime_library || wi4go_objects_hold(caller))
        return 0;
    *before = wi4go_level;
    wi4go_level = (struct wi4go_level){INSIDE_NESTED, INSIDE_NESTED};
    return 1;
}
