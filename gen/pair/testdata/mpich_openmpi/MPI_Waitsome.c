/* MPI_Waitsome: MPI 3.1, point-to-point. */
HIDDEN int PAIR(A_MPI_Waitsome)(int incount, A_MPI_Request *array_of_requests, int *outcount, int *array_of_indices, A_MPI_Status *array_of_statuses)
{
    ARRAYS arrays;
    struct request_arrays *const x = &arrays;
    const size_t n = requests_take(x, incount, array_of_requests);
    if (likely(outcount)) *outcount = 0;
    statuses_take(x, n, array_of_statuses);
    int rc = R_MPI_Waitsome(incount, x->r, outcount, array_of_indices, x->s);
    if (unlikely(rc)) {
        requests_after(x, array_of_requests);
        statuses_failed(x, array_of_statuses, statuses_set(outcount), rc);
        return error_r2a(rc);
    }
    if (*outcount <= 0) return 0; /* MPI_UNDEFINED too */
    requests_after(x, array_of_requests);
    statuses_after(x, array_of_statuses, statuses_set(outcount));
    return 0;
}
#if FAST_PATHS
HIDDEN int PAIR(finish_MPI_Waitsome)(int incount, A_MPI_Request *array_of_requests, A_MPI_Status *array_of_statuses, R_MPI_Request *r, R_MPI_Status *s, int rc, int *outcount)
{
    struct request_arrays arrays = {.r = r, .s = s, .n = (size_t)incount}, *const x = &arrays;
    if (unlikely(rc)) {
        requests_after(x, array_of_requests);
        statuses_failed(x, array_of_statuses, statuses_set(outcount), rc);
        return error_r2a(rc);
    }
    if (*outcount <= 0) return 0; /* MPI_UNDEFINED too */
    requests_after(x, array_of_requests);
    statuses_after(x, array_of_statuses, statuses_set(outcount));
    return 0;
}
#endif
