/*
 * Names of MPI for programs that use the abstract device without an MPI, as in the paper's
 * examples. Not for programs that include mpi.h.
 *
 * Gives: MPI_Status, MPI_Request, MPI_SUCCESS, MPI_ANY_SOURCE, MPI_ANY_TAG.
 * Needs: adi.h.
 */
#ifndef WI4GO_ADI_NAMES_H
#define WI4GO_ADI_NAMES_H

#include "adi.h"

typedef MPID_Status MPI_Status;
typedef union MPIR_HANDLE *MPI_Request;
#define MPI_SUCCESS MPID_SUCCESS
#define MPI_ANY_SOURCE MPID_ANY_SOURCE
#define MPI_ANY_TAG MPID_ANY_TAG

#endif
