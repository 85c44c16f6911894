/* MPI_Comm_idup: MPI 3.1, contexts. */
HIDDEN FOR_SIZE int PAIR(A_MPI_Comm_idup)(A_MPI_Comm comm, A_MPI_Comm *newcomm, A_MPI_Request *request)
{
    struct tracked_request *kept = NULL;
    R_MPI_Comm r_comm = COMM_a2r(comm);
    kept = tracked_new();
    R_MPI_Request r_request;
    int rc = R_MPI_Comm_idup(r_comm, record_comm(kept, newcomm), request ? &r_request : NULL);
    if (unlikely(rc)) tracked_discard(kept);
    if (unlikely(rc))
        return error_r2a(rc);
    tracked_deliver(kept);
    *request = REQUEST_tracked(r_request, kept);
    return 0;
}
