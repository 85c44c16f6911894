/*
 * Detects a runtime that uses the numbers of a draft of the standard ABI.
 *
 * Gives: detect_draft.
 * Needs: pair.h.
 */
#ifndef WI4GO_ABI_DRAFT_H
#define WI4GO_ABI_DRAFT_H
#include "pair.h"

#if R_DRAFT
#define MPICH_ERRORS_ABORT 0x54000003 /* MPI_ERRORS_ABORT in MPICH's other ABI */

/* Sets runtime_is_draft: 1 if the library numbers some constants as a draft of the standard ABI
   did (gen/pair/draft.go). In Intel MPI 2021.18 the numbers of MPI_ERRORS_RETURN and
   MPI_ERRORS_ABORT are exchanged. MPI_Errhandler_toint shows this before MPI_Init: Intel's
   returns the handle of its other ABI, and a library made to the standard returns the
   standard's number (MPI-5.0, 20.3.4). */
static void detect_draft(void)
{
    runtime_is_draft = 0; /* so that R_MPI_ERRORS_RETURN below is the standard's number */
    runtime_is_draft = HAVE(MPI_Errhandler_toint) && R_MPI_Errhandler_toint((R_MPI_Errhandler)R_MPI_ERRORS_RETURN) == MPICH_ERRORS_ABORT;
}
#else
static inline void detect_draft(void) {}
#endif
#endif
