/*
 * The fields of a status: the words of MPICH. These are the low 32 bits of the number of bytes, then the high bits and, as
 * bit 0 of the second word, whether the operation was cancelled.
 *
 * Gives: em_status_set, em_status_empty, em_status_bytes, em_status_cancelled,
 * em_status_check.
 * Needs: mpi.h of the standard ABI.
 */
#ifndef WI4GO_EMBEDDED_STATUS_H
#define WI4GO_EMBEDDED_STATUS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns MPI_ERR_ARG for MPI_STATUS_IGNORE, which lacks fields. */
int em_status_check(const MPI_Status *status);
static inline void em_status_set(MPI_Status *status, int source, int tag, int64_t bytes, bool cancelled)
{
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    status->MPI_internal[0] = (int)(uint32_t)bytes;
    status->MPI_internal[1] = (int)((uint32_t)(bytes >> 32) << 1 | cancelled);
}
static inline int64_t em_status_bytes(const MPI_Status *status)
{
    return (int64_t)((uint64_t)((uint32_t)status->MPI_internal[1] >> 1) << 32 | (uint32_t)status->MPI_internal[0]);
}
static inline bool em_status_cancelled(const MPI_Status *status) { return status->MPI_internal[1] & 1; }
static inline void em_status_empty(MPI_Status *status)
{
    em_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    status->MPI_ERROR = MPI_SUCCESS;
}

#endif
