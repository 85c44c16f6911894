/* MPI_Comm_dup: MPI 3.1, contexts. */
HIDDEN __attribute__((noinline)) int PAIR(fallback_MPI_Comm_dup)(A_MPI_Comm comm, A_MPI_Comm *newcomm)
{
    R_MPI_Comm r_comm = COMM_a2r(comm);
    R_MPI_Comm r_newcomm = NO_HANDLE(R_MPI_Comm);
    int rc = R_MPI_Comm_dup(r_comm, newcomm ? &r_newcomm : NULL);
    if (unlikely(rc)) {
        if (newcomm && r_newcomm == R_MPI_COMM_NULL) *newcomm = COMM_r2a(r_newcomm);
        return error_r2a(rc);
    }
    if (newcomm) *newcomm = COMM_r2a(r_newcomm);
    return 0;
}
#if !FAST_PATHS
HIDDEN int PAIR(A_MPI_Comm_dup)(A_MPI_Comm comm, A_MPI_Comm *newcomm)
{
    const char *tables = tables_address();
    if (unlikely(!(COMM_hit_in(tables, comm))))
        return PAIR(fallback_MPI_Comm_dup)(comm, newcomm);
    R_MPI_Comm r_comm = COMM_at_in(tables, comm);
    R_MPI_Comm r_newcomm = NO_HANDLE(R_MPI_Comm);
    int rc = R_MPI_Comm_dup(r_comm, newcomm ? &r_newcomm : NULL);
    if (unlikely(rc)) {
        if (newcomm && r_newcomm == R_MPI_COMM_NULL) *newcomm = COMM_r2a(r_newcomm);
        return error_r2a(rc);
    }
    if (newcomm) *newcomm = COMM_r2a(r_newcomm);
    return 0;
}
#endif
