/* MPI_Send: MPI 3.1, point-to-point. */
HIDDEN AFTER_FAST_PATH int PAIR(A_MPI_Send)(const void *buf, int count, A_MPI_Datatype datatype, int dest, int tag, A_MPI_Comm comm)
{
    R_MPI_Datatype r_datatype = DATATYPE_a2r(datatype);
    R_MPI_Comm r_comm = COMM_a2r(comm);
    int rc = R_MPI_Send(buf, count, r_datatype, RANK_a2r(dest), TAG_a2r(tag), r_comm);
    if (unlikely(rc))
        return error_r2a(rc);
    return 0;
}
