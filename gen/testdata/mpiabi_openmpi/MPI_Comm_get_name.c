/* MPI_Comm_get_name: MPI 3.1, contexts. */
static int  A_MPI_Comm_get_name(A_MPI_Comm comm, char *comm_name, int *resultlen)
{
    R_MPI_Comm r_comm = COMM_a2r(comm);
    int rc = R_MPI_Comm_get_name(r_comm, comm_name, resultlen);
    if (unlikely(rc))
        return error_r2a(rc);
    return 0;
}
