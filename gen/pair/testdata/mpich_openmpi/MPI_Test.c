/* MPI_Test: MPI 3.1, point-to-point. */
HIDDEN __attribute__((noinline)) int PAIR(fallback_MPI_Test)(A_MPI_Request *request, int *flag, A_MPI_Status *status)
{
    if (request && *request == A_MPI_REQUEST_NULL && flag) return null_completed(flag, status);
    R_MPI_Request r_request = request ? REQUEST_a2r(*request) : 0;
    R_MPI_Status r_status;
    status_unset(&r_status);
    int rc = R_MPI_Test(r_request ? &r_request : NULL, flag, &r_status);
    if (request) *request = REQUEST_after(*request, r_request);
    if (unlikely(rc)) {
        if (status != A_MPI_STATUS_IGNORE && status_is_set(&r_status)) status_r2a_special(&r_status, status);
        return error_r2a(rc);
    }
    if (*flag && status != A_MPI_STATUS_IGNORE) status_r2a_filled(&r_status, status);
    return 0;
}
#if !FAST_PATHS
HIDDEN int PAIR(A_MPI_Test)(A_MPI_Request *request, int *flag, A_MPI_Status *status)
{
    if (unlikely(!(request && REQUEST_hit_in(tables, *request))))
        return PAIR(fallback_MPI_Test)(request, flag, status);
    if (request && *request == A_MPI_REQUEST_NULL && flag) return null_completed(flag, status);
    R_MPI_Request r_request = request ? REQUEST_at_in(tables, *request) : 0;
    R_MPI_Status r_status;
    status_unset(&r_status);
    int rc = R_MPI_Test(r_request ? &r_request : NULL, flag, &r_status);
    if (request) *request = REQUEST_after(*request, r_request);
    if (unlikely(rc)) {
        if (status != A_MPI_STATUS_IGNORE && status_is_set(&r_status)) status_r2a_special(&r_status, status);
        return error_r2a(rc);
    }
    if (*flag && status != A_MPI_STATUS_IGNORE) status_r2a_filled(&r_status, status);
    return 0;
}
#endif
