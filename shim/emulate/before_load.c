/* Answers the two calls that are allowed before the runtime is loaded: MPI has neither begun nor
   ended. No state, no lock. */
#include "parts.h"
#include "slots.h"

/* Returns MPI_SUCCESS and false, for MPI_Initialized and MPI_Finalized. */
static int write_false(int *flag)
{
    *flag = 0;
    return 0;
}

void *wi4go_before_load(unsigned slot)
{
    return slot == SLOT_MPI_Initialized || slot == SLOT_MPI_Finalized ? (void *)write_false : NULL;
}
