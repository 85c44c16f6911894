static void *library_MPI_Waitall;
static __attribute__((noinline)) void unusual_MPI_Waitall(const int *count, MPI_Fint *array_of_requests, MPI_Fint *array_of_statuses, MPI_Fint *ierror)
{
    ((__typeof__(unusual_MPI_Waitall) *)library_MPI_Waitall)(count, array_of_requests, array_of_statuses, ierror);
}
static inline __attribute__((always_inline)) int inside_MPI_Waitall(struct request_arrays *x, int count, MPI_Fint *array_of_requests, A_MPI_Status *array_of_statuses)
{
    fortran_statuses_take(x, array_of_statuses);
    int rc = R_MPI_Waitall(count, x->r, x->s);
    fortran_requests_after(x, array_of_requests);
    if (unlikely(rc)) {
        statuses_failed(x, array_of_statuses, x->n, rc);
        return error_r2a(rc);
    }
    statuses_succeed(x);
    statuses_after(x, array_of_statuses, x->n);
    return 0;
}
HIDDEN void direct_MPI_Waitall(const int *count, MPI_Fint *array_of_requests, MPI_Fint *array_of_statuses, MPI_Fint *ierror);
HIDDEN void direct_MPI_Waitall(const int *count, MPI_Fint *array_of_requests, MPI_Fint *array_of_statuses, MPI_Fint *ierror)
{
    struct request_arrays arrays;
    if (unlikely(!(fortran_requests_convert(&arrays, *count, array_of_requests)))) {
        unusual_MPI_Waitall(count, array_of_requests, array_of_statuses, ierror);
        return;
    }
    const int rc = inside_MPI_Waitall(&arrays, *count, array_of_requests, (A_MPI_Status *)array_of_statuses);
    *ierror = rc;
}
