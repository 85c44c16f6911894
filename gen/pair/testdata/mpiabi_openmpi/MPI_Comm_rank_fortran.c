static void *library_MPI_Comm_rank;
static __attribute__((noinline)) void unusual_MPI_Comm_rank(const MPI_Fint *comm, int *rank, MPI_Fint *ierror)
{
    ((__typeof__(unusual_MPI_Comm_rank) *)library_MPI_Comm_rank)(comm, rank, ierror);
    COMM_cache_enter(*comm);
}
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
    if (unlikely(!(r_comm))) {
        unusual_MPI_Comm_rank(comm, rank, ierror);
        return;
    }
    const int rc = inside_MPI_Comm_rank(r_comm, rank);
    *ierror = rc;
}
