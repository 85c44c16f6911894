/* MPI_Request_get_status_all: MPI 4.1, point-to-point. */
HIDDEN FOR_SIZE int PAIR(A_MPI_Request_get_status_all)(int count, const A_MPI_Request *array_of_requests, int *flag, A_MPI_Status *array_of_statuses)
{
    ARRAYS arrays;
    struct request_arrays *const x = &arrays;
    const size_t n = requests_take(x, count, array_of_requests);
    statuses_take(x, n, array_of_statuses);
    int rc = R_MPI_Request_get_status_all(count, x->r, flag, x->s);
    if (unlikely(rc)) {
        statuses_failed(x, array_of_statuses, x->n, rc);
        return error_r2a(rc);
    }
    if (*flag) statuses_after(x, array_of_statuses, x->n);
    return 0;
}
