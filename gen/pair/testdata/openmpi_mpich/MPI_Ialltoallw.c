/* MPI_Ialltoallw: MPI 3.1, collectives. */
HIDDEN FOR_SIZE int PAIR(A_MPI_Ialltoallw)(const void *sendbuf, const int *sendcounts, const int *sdispls, const A_MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts, const int *rdispls, const A_MPI_Datatype *recvtypes, A_MPI_Comm comm, A_MPI_Request *request)
{
    struct tracked_request *kept = NULL;
    size_t n_sendtypes = sendtypes && sendbuf != A_MPI_IN_PLACE ? peers(COMM_a2r(comm)) : 0;
    R_MPI_Datatype *r_sendtypes = tracked_array(&kept, n_sendtypes * sizeof *r_sendtypes);
    for (size_t i = 0; i < n_sendtypes; i++) r_sendtypes[i] = DATATYPE_a2r(sendtypes[i]);
    size_t n_recvtypes = recvtypes ? peers(COMM_a2r(comm)) : 0;
    R_MPI_Datatype *r_recvtypes = tracked_array(&kept, n_recvtypes * sizeof *r_recvtypes);
    for (size_t i = 0; i < n_recvtypes; i++) r_recvtypes[i] = DATATYPE_a2r(recvtypes[i]);
    R_MPI_Comm r_comm = COMM_a2r(comm);
    R_MPI_Request r_request;
    int rc = R_MPI_Ialltoallw(BUFFER_OR_IN_PLACE_a2r(sendbuf), sendcounts, sdispls, sendtypes ? (sendtypes == recvtypes ? r_recvtypes : r_sendtypes) : NULL, BUFFER_OR_IN_PLACE_a2r(recvbuf), recvcounts, rdispls, recvtypes ? r_recvtypes : NULL, r_comm, request ? &r_request : NULL);
    if (unlikely(rc)) tracked_discard(kept);
    if (unlikely(rc))
        return error_r2a(rc);
    *request = REQUEST_tracked(r_request, kept);
    return 0;
}
