/* MPI_Comm_get_name: MPI 3.1, contexts. */
static int  A_MPI_Comm_get_name(A_MPI_Comm comm, char *comm_name, int *resultlen)
{
    R_MPI_Comm r_comm = COMM_a2r(comm);
    char r_comm_name[R_MPI_MAX_OBJECT_NAME + 1];
    r_comm_name[0] = 0;
    int rc = R_MPI_Comm_get_name(r_comm, comm_name ? r_comm_name : NULL, resultlen);
    if (unlikely(rc))
        return error_r2a(rc);
    cut_string(comm_name, A_MPI_MAX_OBJECT_NAME, r_comm_name, resultlen);
    return 0;
}
