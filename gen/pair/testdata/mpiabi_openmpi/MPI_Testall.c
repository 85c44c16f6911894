/* MPI_Testall: MPI 3.1, point-to-point. */
HIDDEN int PAIR(A_MPI_Testall)(int count, A_MPI_Request *array_of_requests, int *flag, A_MPI_Status *array_of_statuses)
{
    ARRAYS arrays;
    struct request_arrays *const x = &arrays;
    const size_t n = requests_take(x, count, array_of_requests);
    statuses_take(x, n, array_of_statuses);
    int rc = R_MPI_Testall(count, x->r, flag, x->s);
    if (rc || *flag) requests_after(x, array_of_requests);
    if (unlikely(rc)) {
        statuses_failed(x, array_of_statuses, x->n, rc);
        return error_r2a(rc);
    }
    if (*flag) statuses_after(x, array_of_statuses, x->n);
    return 0;
}
#if FAST_PATHS
HIDDEN int PAIR(finish_MPI_Testall)(int count, A_MPI_Request *array_of_requests, A_MPI_Status *array_of_statuses, R_MPI_Request *r, R_MPI_Status *s, int rc, int unused, int *flag)
{
    struct request_arrays arrays = {.r = r, .s = s, .n = (size_t)count}, *const x = &arrays;
    if (rc || *flag) requests_after(x, array_of_requests);
    if (unlikely(rc)) {
        statuses_failed(x, array_of_statuses, x->n, rc);
        return error_r2a(rc);
    }
    if (*flag) statuses_after(x, array_of_statuses, x->n);
    return 0;
}
#endif
