/* What is answered before the runtime is loaded: whether MPI has begun, or ended. */
#include "parts.h"
#include "slots.h"

static int not_yet(int *flag)
{
    *flag = 0;
    return 0;
}

void *wi4go_early(unsigned slot)
{
    return slot == SLOT_MPI_Initialized || slot == SLOT_MPI_Finalized ? (void *)not_yet : NULL;
}
