/* The number of basic elements in a status (MPI-5.0, 5.1.11, 13.3). No state, no locks. */
#include "layout.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/status.h"

int em_Get_elements(const MPI_Status *status, struct type *datatype, int64_t *count)
{
    if (em_status_check(status) != MPI_SUCCESS)
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
    if (em_status_check(status) != MPI_SUCCESS)
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
