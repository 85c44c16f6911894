/* MPI_Startall: MPI 3.1, point-to-point. */
HIDDEN int PAIR(A_MPI_Startall)(int count, A_MPI_Request *array_of_requests)
{
    ARRAYS arrays;
    struct request_arrays *const x = &arrays;
    requests_take(x, count, array_of_requests);
    int rc = R_MPI_Startall(count, x->r);
    requests_restarted(x, array_of_requests);
    if (unlikely(rc))
        return error_r2a(rc);
    return 0;
}
