int checked_MPI_Alltoallw_init(const void *sendbuf, const int *sendcounts, const int *sdispls, const A_MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts, const int *rdispls, const A_MPI_Datatype *recvtypes, A_MPI_Comm comm, A_MPI_Info info, A_MPI_Request *request)
{
    if (unlikely((!sendcounts && (sendbuf == MPI_IN_PLACE ? 0 : wi4go_peers(comm)) > 0) || (!sdispls && (sendbuf == MPI_IN_PLACE ? 0 : wi4go_peers(comm)) > 0) || (!sendtypes && (sendbuf == MPI_IN_PLACE ? 0 : wi4go_peers(comm)) > 0) || (!recvcounts && wi4go_peers(comm) > 0) || (!rdispls && wi4go_peers(comm) > 0) || (!recvtypes && wi4go_peers(comm) > 0) || !request))
        return wi4go_raise(WI4GO_COMM, comm, MPI_ERR_ARG);
    return E_MPI_Alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request);
}
int checked_MPI_Comm_idup_with_info(A_MPI_Comm comm, A_MPI_Info info, A_MPI_Comm *newcomm, A_MPI_Request *request)
{
    if (unlikely(!newcomm || !request))
        return wi4go_raise(WI4GO_COMM, comm, MPI_ERR_ARG);
    return E_MPI_Comm_idup_with_info(comm, info, newcomm, request);
}
int checked_MPI_Isendrecv(const void *sendbuf, int sendcount, A_MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount, A_MPI_Datatype recvtype, int source, int recvtag, A_MPI_Comm comm, A_MPI_Request *request)
{
    if (unlikely(!request))
        return wi4go_raise(WI4GO_COMM, comm, MPI_ERR_ARG);
    return E_MPI_Isendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, request);
}
int checked_MPI_Request_get_status_all(int count, const A_MPI_Request *array_of_requests, int *flag, A_MPI_Status *array_of_statuses)
{
    if (unlikely((count > 0 && !array_of_requests) || !flag || (count > 0 && !array_of_statuses)))
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_ARG);
    return E_MPI_Request_get_status_all(count, array_of_requests, flag, array_of_statuses);
}
int checked_MPI_Scatterv_init(const void *sendbuf, const int *sendcounts, const int *displs, A_MPI_Datatype sendtype, void *recvbuf, int recvcount, A_MPI_Datatype recvtype, int root, A_MPI_Comm comm, A_MPI_Info info, A_MPI_Request *request)
{
    if (unlikely((!sendcounts && (wi4go_at_root(root, comm) ? wi4go_peers(comm) : 0) > 0) || (!displs && (wi4go_at_root(root, comm) ? wi4go_peers(comm) : 0) > 0) || !request))
        return wi4go_raise(WI4GO_COMM, comm, MPI_ERR_ARG);
    return E_MPI_Scatterv_init(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
}
