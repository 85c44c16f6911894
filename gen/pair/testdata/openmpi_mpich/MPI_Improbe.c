/* MPI_Improbe: MPI 3.1, point-to-point. */
HIDDEN int PAIR(A_MPI_Improbe)(int source, int tag, A_MPI_Comm comm, int *flag, A_MPI_Message *message, A_MPI_Status *status)
{
    R_MPI_Comm r_comm = COMM_a2r(comm);
    R_MPI_Message r_message = NO_HANDLE(R_MPI_Message);
    R_MPI_Status r_status;
    status_unset(&r_status);
    int rc = R_MPI_Improbe(RANK_a2r(source), tag, r_comm, flag, message ? &r_message : NULL, &r_status);
    if (unlikely(rc)) {
        if (message && r_message == R_MPI_MESSAGE_NULL) *message = MESSAGE_r2a(r_message);
        if (status != A_MPI_STATUS_IGNORE && status_is_set(&r_status)) status_r2a_special(&r_status, status);
        return error_r2a(rc);
    }
    if (message && *flag) *message = MESSAGE_r2a(r_message);
    if (*flag && status != A_MPI_STATUS_IGNORE) status_r2a(&r_status, status);
    return 0;
}
