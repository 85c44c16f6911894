/* MPI_Recv: MPI 3.1, point-to-point. */
HIDDEN AFTER_FAST_PATH int PAIR(A_MPI_Recv)(void *buf, int count, A_MPI_Datatype datatype, int source, int tag, A_MPI_Comm comm, A_MPI_Status *status)
{
    R_MPI_Datatype r_datatype = DATATYPE_a2r(datatype);
    R_MPI_Comm r_comm = COMM_a2r(comm);
    R_MPI_Status r_status;
    status_unset(&r_status);
    int rc = R_MPI_Recv(buf, count, r_datatype, RANK_a2r(source), TAG_a2r(tag), r_comm, &r_status);
    if (unlikely(rc)) {
        if (status != A_MPI_STATUS_IGNORE && status_is_set(&r_status)) status_r2a_special(&r_status, status);
        return error_r2a(rc);
    }
    if (status != A_MPI_STATUS_IGNORE) status_r2a(&r_status, status);
    return 0;
}
