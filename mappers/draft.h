/*
 * Whether the runtime has the numbers of the draft of the standard ABI.
 *
 * Gives: learn_draft.
 * Needs: pair.h.
 */
#ifndef WI4GO_DRAFT_H
#define WI4GO_DRAFT_H
#include "pair.h"

#if R_DRAFT
#define MPICH_ERRORS_ABORT 0x54000003 /* of MPICH's other ABI */

/* Whether the library numbers some constants as a draft of the standard did
   (gen/pair/draft.go). In Intel MPI 2021.18 MPI_ERRORS_RETURN and MPI_ERRORS_ABORT
   have changed places, which MPI_Errhandler_toint lets see before MPI_Init: it
   gives the handles of Intel's other ABI, and those of the standard's own in a
   library that is made to the standard (MPI-5.0, 20.3.4). */
static void learn_draft(void)
{
    runtime_is_draft = 0; /* so that this is the standard's number */
    runtime_is_draft = HAVE(MPI_Errhandler_toint) && R_MPI_Errhandler_toint((R_MPI_Errhandler)R_MPI_ERRORS_RETURN) == MPICH_ERRORS_ABORT;
}
#else
static inline void learn_draft(void) {}
#endif
#endif
