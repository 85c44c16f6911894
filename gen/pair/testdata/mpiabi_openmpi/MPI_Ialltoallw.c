/* MPI_Ialltoallw: MPI 3.1, collectives. */
HIDDEN __attribute__((noinline)) int PAIR(fallback_MPI_Ialltoallw)(const void *sendbuf, const int *sendcounts, const int *sdispls, const A_MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts, const int *rdispls, const A_MPI_Datatype *recvtypes, A_MPI_Comm comm, A_MPI_Request *request)
{
    struct tracked_request *kept = NULL;
    R_MPI_Comm r_comm = COMM_a2r(comm);
    const size_t n_peers = peers(r_comm);
    R_MPI_Datatype *r_sendtypes = NULL;
    if (sendtypes && sendbuf != A_MPI_IN_PLACE && sendtypes != recvtypes) {
        r_sendtypes = tracked_array(&kept, n_peers * sizeof *r_sendtypes);
        for (size_t i = 0; i < n_peers; i++) r_sendtypes[i] = DATATYPE_a2r(sendtypes[i]);
    }
    R_MPI_Datatype *r_recvtypes = NULL;
    if (recvtypes) {
        r_recvtypes = tracked_array(&kept, n_peers * sizeof *r_recvtypes);
        for (size_t i = 0; i < n_peers; i++) r_recvtypes[i] = DATATYPE_a2r(recvtypes[i]);
    }
    R_MPI_Request r_request;
    int rc = R_MPI_Ialltoallw(BUFFER_OR_IN_PLACE_a2r(sendbuf), sendcounts, sdispls, sendtypes == recvtypes ? r_recvtypes : r_sendtypes, BUFFER_OR_IN_PLACE_a2r(recvbuf), recvcounts, rdispls, r_recvtypes, r_comm, request ? &r_request : NULL);
    if (unlikely(rc)) tracked_discard(kept);
    if (unlikely(rc))
        return error_r2a(rc);
    *request = REQUEST_tracked(r_request, kept);
    return 0;
}
HIDDEN int PAIR(A_MPI_Ialltoallw)(const void *sendbuf, const int *sendcounts, const int *sdispls, const A_MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts, const int *rdispls, const A_MPI_Datatype *recvtypes, A_MPI_Comm comm, A_MPI_Request *request)
{
    struct tracked_request *kept = NULL;
    R_MPI_Comm r_comm = COMM_a2r(comm);
    const size_t n_peers = known_peers(r_comm);
    if (unlikely(n_peers > SMALL))
        return PAIR(fallback_MPI_Ialltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
    R_MPI_Datatype *r_sendtypes = NULL;
    if (sendtypes && sendbuf != A_MPI_IN_PLACE && sendtypes != recvtypes) {
        r_sendtypes = tracked_array(&kept, n_peers * sizeof *r_sendtypes);
        for (size_t i = 0; i < n_peers; i++) r_sendtypes[i] = DATATYPE_a2r(sendtypes[i]);
    }
    R_MPI_Datatype *r_recvtypes = NULL;
    if (recvtypes) {
        r_recvtypes = tracked_array(&kept, n_peers * sizeof *r_recvtypes);
        for (size_t i = 0; i < n_peers; i++) r_recvtypes[i] = DATATYPE_a2r(recvtypes[i]);
    }
    R_MPI_Request r_request;
    int rc = R_MPI_Ialltoallw(BUFFER_OR_IN_PLACE_a2r(sendbuf), sendcounts, sdispls, sendtypes == recvtypes ? r_recvtypes : r_sendtypes, BUFFER_OR_IN_PLACE_a2r(recvbuf), recvcounts, rdispls, r_recvtypes, r_comm, request ? &r_request : NULL);
    if (unlikely(rc)) tracked_discard(kept);
    if (unlikely(rc))
        return error_r2a(rc);
    *request = REQUEST_tracked(r_request, kept);
    return 0;
}
