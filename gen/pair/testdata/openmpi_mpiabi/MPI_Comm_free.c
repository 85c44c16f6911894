/* MPI_Comm_free: MPI 3.1, contexts. */
HIDDEN int PAIR(A_MPI_Comm_free)(A_MPI_Comm *comm)
{
    R_MPI_Comm r_comm = comm ? COMM_a2r(*comm) : 0;
    int rc = R_MPI_Comm_free(comm ? &r_comm : NULL);
    if (unlikely(rc))
        return error_r2a(rc);
    *comm = COMM_after(*comm, r_comm);
    return 0;
}
