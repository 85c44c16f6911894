/* MPI_Testany: MPI 3.1, point-to-point. */
HIDDEN int PAIR(A_MPI_Testany)(int count, A_MPI_Request *array_of_requests, int *indx, int *flag, A_MPI_Status *status)
{
    ARRAYS arrays;
    struct request_arrays *const x = &arrays;
    requests_take(x, count, array_of_requests);
    if (likely(indx)) *indx = R_MPI_UNDEFINED;
    R_MPI_Status r_status;
    status_unset(&r_status);
    int rc = R_MPI_Testany(count, x->r, indx, flag, status == A_MPI_STATUS_IGNORE ? R_MPI_STATUS_IGNORE : &r_status);
    if (unlikely(rc)) {
        requests_after(x, array_of_requests);
        if (status != A_MPI_STATUS_IGNORE && status_is_set(&r_status)) status_r2a_special(&r_status, status);
        return error_r2a(rc);
    }
    if (*flag) request_after(x, array_of_requests, indx);
    if (*flag && status != A_MPI_STATUS_IGNORE && status_is_set(&r_status)) status_r2a(&r_status, status);
    return 0;
}
#if FAST_PATHS
HIDDEN int PAIR(finish_MPI_Testany)(int count, A_MPI_Request *array_of_requests, A_MPI_Status *status, R_MPI_Request *r, R_MPI_Status *s, int rc, int *indx, int *flag)
{
    struct request_arrays arrays = {.r = r, .s = s, .n = (size_t)count}, *const x = &arrays;
    if (unlikely(rc)) {
        requests_after(x, array_of_requests);
        if (status != A_MPI_STATUS_IGNORE && status_is_set(s)) status_r2a_special(s, status);
        return error_r2a(rc);
    }
    if (*flag) request_after(x, array_of_requests, indx);
    if (*flag && status != A_MPI_STATUS_IGNORE && status_is_set(s)) status_r2a(s, status);
    return 0;
}
#endif
