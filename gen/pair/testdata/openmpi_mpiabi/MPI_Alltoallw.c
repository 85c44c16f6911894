/* MPI_Alltoallw: MPI 3.1, collectives. */
HIDDEN int PAIR(A_MPI_Alltoallw)(const void *sendbuf, const int *sendcounts, const int *sdispls, const A_MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts, const int *rdispls, const A_MPI_Datatype *recvtypes, A_MPI_Comm comm)
{
    R_MPI_Comm r_comm = COMM_a2r(comm);
    const size_t n_peers = peers(r_comm);
    const struct interned_types *const interned_arrays = intern_types(r_comm, INTERNED_PEERS, sendbuf == A_MPI_IN_PLACE ? NULL : sendtypes, n_peers, recvtypes, n_peers);
    R_MPI_Datatype *r_sendtypes = NULL, small_sendtypes[SMALL];
    if (sendtypes && sendbuf != A_MPI_IN_PLACE && sendtypes != recvtypes && !interned_arrays) {
        r_sendtypes = likely(n_peers <= SMALL) ? small_sendtypes : wi4go_scratch_alloc(n_peers * sizeof *r_sendtypes);
        for (size_t i = 0; i < n_peers; i++) r_sendtypes[i] = DATATYPE_a2r(sendtypes[i]);
    }
    R_MPI_Datatype *r_recvtypes = NULL, small_recvtypes[SMALL];
    if (recvtypes && !interned_arrays) {
        r_recvtypes = likely(n_peers <= SMALL) ? small_recvtypes : wi4go_scratch_alloc(n_peers * sizeof *r_recvtypes);
        for (size_t i = 0; i < n_peers; i++) r_recvtypes[i] = DATATYPE_a2r(recvtypes[i]);
    }
    int rc = R_MPI_Alltoallw(BUFFER_OR_IN_PLACE_a2r(sendbuf), sendcounts, sdispls, interned_arrays ? interned_arrays->send : sendtypes == recvtypes ? r_recvtypes : r_sendtypes, BUFFER_OR_IN_PLACE_a2r(recvbuf), recvcounts, rdispls, interned_arrays ? interned_arrays->recv : r_recvtypes, r_comm);
    if (unlikely(r_recvtypes && r_recvtypes != small_recvtypes)) wi4go_scratch_free(r_recvtypes, n_peers * sizeof *r_recvtypes);
    if (unlikely(r_sendtypes && r_sendtypes != small_sendtypes)) wi4go_scratch_free(r_sendtypes, n_peers * sizeof *r_sendtypes);
    if (unlikely(rc))
        return error_r2a(rc);
    return 0;
}
