/* Statuses: counts of received elements, and accessors (MPI-5.0, 3.2.5, 3.8.4, 13.3). */
#include "functions.h"
#include "../types/layout.h"

/* Returns MPI_ERR_ARG for MPI_STATUS_IGNORE, which has no fields. */
static int check_status(const MPI_Status *status)
{
    return status ? MPI_SUCCESS : em_error(MPI_ERR_ARG, "status is a null pointer (MPI_STATUS_IGNORE)");
}

int em_Get_count(const MPI_Status *status, struct type *datatype, int64_t *count)
{
    if (check_status(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    int64_t bytes = em_status_bytes(status), size = datatype->device.size;
    if (size == 0)
        *count = bytes ? MPI_UNDEFINED : 0;
    else
        *count = bytes % size ? MPI_UNDEFINED : bytes / size;
    return MPI_SUCCESS;
}

int em_Get_elements(const MPI_Status *status, struct type *datatype, int64_t *count)
{
    if (check_status(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    int64_t bytes = em_status_bytes(status), size = datatype->device.size, total[MEASURES] = {0};
    if (size == 0) {
        *count = bytes ? MPI_UNDEFINED : 0;
        return MPI_SUCCESS;
    }
    int64_t rest = em_measure(datatype->layout, NATIVE, bytes % size, total);
    *count = rest ? MPI_UNDEFINED : bytes / size * datatype->elements + total[ELEMENTS];
    return MPI_SUCCESS;
}

int em_Get_elements_x(const MPI_Status *status, struct type *datatype, MPI_Count *count) { return em_Get_elements(status, datatype, count); }

int em_Status_set_elements(MPI_Status *status, struct type *datatype, int64_t count)
{
    if (check_status(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    int64_t bytes = 0, total[MEASURES] = {0};
    bool overflow = false;
    if (count < 0)
        return em_error(MPI_ERR_COUNT, "count is %lld", (long long)count);
    if (datatype->elements) {
        em_measure(datatype->layout, ELEMENTS, count % datatype->elements, total);
        bytes = em_sum(em_times(count / datatype->elements, datatype->device.size, &overflow), total[NATIVE], &overflow);
    }
    if (overflow)
        return em_error(MPI_ERR_VALUE_TOO_LARGE, "%lld elements exceed the bytes of a status", (long long)count);
    em_status_set(status, status->MPI_SOURCE, status->MPI_TAG, bytes, em_status_cancelled(status));
    return MPI_SUCCESS;
}

int em_Status_set_elements_x(MPI_Status *status, struct type *datatype, MPI_Count count) { return em_Status_set_elements(status, datatype, count); }

int em_Status_set_cancelled(MPI_Status *status, int flag)
{
    if (check_status(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    em_status_set(status, status->MPI_SOURCE, status->MPI_TAG, em_status_bytes(status), flag != 0);
    return MPI_SUCCESS;
}

int em_Test_cancelled(const MPI_Status *status, int *flag)
{
    if (check_status(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    *flag = em_status_cancelled(status);
    return MPI_SUCCESS;
}

int em_Status_get_source(const MPI_Status *status, int *source)
{
    if (check_status(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    *source = status->MPI_SOURCE;
    return MPI_SUCCESS;
}

int em_Status_get_tag(const MPI_Status *status, int *tag)
{
    if (check_status(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    *tag = status->MPI_TAG;
    return MPI_SUCCESS;
}

int em_Status_get_error(const MPI_Status *status, int *error)
{
    if (check_status(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    *error = status->MPI_ERROR;
    return MPI_SUCCESS;
}

int em_Status_set_source(MPI_Status *status, int source)
{
    if (check_status(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    status->MPI_SOURCE = source;
    return MPI_SUCCESS;
}

int em_Status_set_tag(MPI_Status *status, int tag)
{
    if (check_status(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    status->MPI_TAG = tag;
    return MPI_SUCCESS;
}

int em_Status_set_error(MPI_Status *status, int error)
{
    if (check_status(status) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    status->MPI_ERROR = error;
    return MPI_SUCCESS;
}
