/* MPI_Ialltoallw: MPI 3.1, collectives. */
HIDDEN int PAIR(A_MPI_Ialltoallw)(const void *sendbuf, const int *sendcounts, const int *sdispls, const A_MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts, const int *rdispls, const A_MPI_Datatype *recvtypes, A_MPI_Comm comm, A_MPI_Request *request)
{
    struct tracked_request *kept = NULL;
    R_MPI_Comm r_comm = COMM_a2r(comm);
    const size_t n_peers = peers(r_comm);
    const struct interned_types *const interned_arrays = intern_types(r_comm, INTERNED_PEERS, sendbuf == A_MPI_IN_PLACE ? NULL : sendtypes, n_peers, recvtypes, n_peers);
    R_MPI_Datatype *r_sendtypes = NULL;
    if (sendtypes && sendbuf != A_MPI_IN_PLACE && sendtypes != recvtypes && !interned_arrays) {
        r_sendtypes = tracked_array(&kept, n_peers * sizeof *r_sendtypes);
        for (size_t i = 0; i < n_peers; i++) r_sendtypes[i] = DATATYPE_a2r(sendtypes[i]);
    }
    R_MPI_Datatype *r_recvtypes = NULL;
    if (recvtypes && !interned_arrays) {
        r_recvtypes = tracked_array(&kept, n_peers * sizeof *r_recvtypes);
        for (size_t i = 0; i < n_peers; i++) r_recvtypes[i] = DATATYPE_a2r(recvtypes[i]);
    }
    R_MPI_Request r_request;
    int rc = R_MPI_Ialltoallw(BUFFER_OR_IN_PLACE_a2r(sendbuf), sendcounts, sdispls, interned_arrays ? interned_arrays->send : sendtypes == recvtypes ? r_recvtypes : r_sendtypes, BUFFER_OR_IN_PLACE_a2r(recvbuf), recvcounts, rdispls, interned_arrays ? interned_arrays->recv : r_recvtypes, r_comm, request ? &r_request : NULL);
    if (unlikely(rc)) tracked_discard(kept);
    if (unlikely(rc))
        return error_r2a(rc);
    *request = kept ? REQUEST_tracked(r_request, kept) : REQUEST_r2a(r_request);
    return 0;
}
