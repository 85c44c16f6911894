/* MPI_Comm_idup: MPI 3.1, contexts. */
HIDDEN FOR_SIZE int PAIR(A_MPI_Comm_idup)(A_MPI_Comm comm, A_MPI_Comm *newcomm, A_MPI_Request *request)
{
    struct record *kept = NULL;
    R_MPI_Comm r_comm = COMM_a2r(comm);
    kept = record_new();
    R_MPI_Request r_request;
    int rc = R_MPI_Comm_idup(r_comm, record_comm(kept, newcomm), request ? &r_request : NULL);
    if (unlikely(rc)) record_discard(kept);
    if (unlikely(rc))
        return error_r2a(rc);
    record_deliver(kept);
    *request = REQUEST_with_record(r_request, kept);
    return 0;
}
