/*
 * The accessors of statuses (MPI-5.0, 3.2.5, 3.8.4, 13.3). types/elements.c counts basic elements.
 * A status belongs to the caller. No state, no locks.
 */
#include "status.h"
#include "datatype.h"
#include "errors.h"
#include "functions.h"

int em_status_check(const MPI_Status *status)
{
    return status ? MPI_SUCCESS : em_error(MPI_ERR_ARG, "status is a null pointer (MPI_STATUS_IGNORE)");
}

int em_Get_count(const MPI_Status *status, struct type *datatype, int64_t *count)
{
    if (em_status_check(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    int64_t bytes = em_status_bytes(status), size = datatype->device.size;
    if (size == 0)
        *count = bytes ? MPI_UNDEFINED : 0;
    else
        *count = bytes % size ? MPI_UNDEFINED : bytes / size;
    return MPI_SUCCESS;
}

int em_Status_set_cancelled(MPI_Status *status, int flag)
{
    if (em_status_check(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    em_status_set(status, status->MPI_SOURCE, status->MPI_TAG, em_status_bytes(status), flag != 0);
    return MPI_SUCCESS;
}

int em_Test_cancelled(const MPI_Status *status, int *flag)
{
    if (em_status_check(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    *flag = em_status_cancelled(status);
    return MPI_SUCCESS;
}

int em_Status_get_source(const MPI_Status *status, int *source)
{
    if (em_status_check(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    *source = status->MPI_SOURCE;
    return MPI_SUCCESS;
}

int em_Status_get_tag(const MPI_Status *status, int *tag)
{
    if (em_status_check(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    *tag = status->MPI_TAG;
    return MPI_SUCCESS;
}

int em_Status_get_error(const MPI_Status *status, int *error)
{
    if (em_status_check(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    *error = status->MPI_ERROR;
    return MPI_SUCCESS;
}

int em_Status_set_source(MPI_Status *status, int source)
{
    if (em_status_check(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    status->MPI_SOURCE = source;
    return MPI_SUCCESS;
}

int em_Status_set_tag(MPI_Status *status, int tag)
{
    if (em_status_check(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    status->MPI_TAG = tag;
    return MPI_SUCCESS;
}

int em_Status_set_error(MPI_Status *status, int error)
{
    if (em_status_check(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    status->MPI_ERROR = error;
    return MPI_SUCCESS;
}
