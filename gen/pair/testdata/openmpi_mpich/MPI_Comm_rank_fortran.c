static void *library_MPI_Comm_rank;
static inline __attribute__((always_inline)) int inside_MPI_Comm_rank(R_MPI_Comm r_comm, int *rank)
{
    int rc = R_MPI_Comm_rank(r_comm, rank);
    if (unlikely(rc))
        return error_r2a(rc);
    return 0;
}
HIDDEN void direct_MPI_Comm_rank(const MPI_Fint *comm, int *rank, MPI_Fint *ierror);
HIDDEN void direct_MPI_Comm_rank(const MPI_Fint *comm, int *rank, MPI_Fint *ierror)
{
    const R_MPI_Comm r_comm = COMM_f2r(*comm);
    const int rc = inside_MPI_Comm_rank(r_comm, rank);
    *ierror = rc;
}
