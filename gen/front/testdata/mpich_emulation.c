struct args_MPI_Allreduce_init {
    struct persistent base;
    const void *sendbuf;
    void *recvbuf;
    int count;
    A_MPI_Datatype datatype;
    A_MPI_Op op;
};
static int start_MPI_Allreduce_init(struct emulated *request)
{
    struct args_MPI_Allreduce_init *p = (struct args_MPI_Allreduce_init *)request;
    return MPI_Iallreduce(p->sendbuf, p->recvbuf, p->count, p->datatype, p->op, p->base.comm, &request->inner[0]);
}
static const struct emulated_kind kind_MPI_Allreduce_init = {.size = sizeof(struct args_MPI_Allreduce_init), .start = start_MPI_Allreduce_init, .discard = wi4go_persistent_discard};
int E_MPI_Allreduce_init(const void *sendbuf, void *recvbuf, int count, A_MPI_Datatype datatype, A_MPI_Op op, A_MPI_Comm comm, A_MPI_Info info, A_MPI_Request *request)
{
    struct args_MPI_Allreduce_init *p;
    int rc = wi4go_persistent_new((struct persistent **)&p, &kind_MPI_Allreduce_init, comm, 0);
    if (rc)
        return rc;
    p->sendbuf = sendbuf;
    p->recvbuf = recvbuf;
    p->count = count;
    p->datatype = datatype;
    wi4go_request_hold(&p->base.request, SLOT_MPI_Type_free, datatype);
    p->op = op;
    wi4go_request_hold(&p->base.request, SLOT_MPI_Op_free, op);
    *request = p->base.request.handle;
    return MPI_SUCCESS;
}
struct args_MPI_Alltoallw_init {
    struct persistent base;
    const void *sendbuf;
    const int *sendcounts;
    const int *sdispls;
    const A_MPI_Datatype *sendtypes;
    void *recvbuf;
    const int *recvcounts;
    const int *rdispls;
    const A_MPI_Datatype *recvtypes;
};
static int start_MPI_Alltoallw_init(struct emulated *request)
{
    struct args_MPI_Alltoallw_init *p = (struct args_MPI_Alltoallw_init *)request;
    return MPI_Ialltoallw(p->sendbuf, p->sendcounts, p->sdispls, p->sendtypes, p->recvbuf, p->recvcounts, p->rdispls, p->recvtypes, p->base.comm, &request->inner[0]);
}
static const struct emulated_kind kind_MPI_Alltoallw_init = {.size = sizeof(struct args_MPI_Alltoallw_init), .start = start_MPI_Alltoallw_init, .discard = wi4go_persistent_discard};
int E_MPI_Alltoallw_init(const void *sendbuf, const int *sendcounts, const int *sdispls, const A_MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts, const int *rdispls, const A_MPI_Datatype *recvtypes, A_MPI_Comm comm, A_MPI_Info info, A_MPI_Request *request)
{
    struct args_MPI_Alltoallw_init *p;
    int rc = wi4go_persistent_new((struct persistent **)&p, &kind_MPI_Alltoallw_init, comm, 0);
    if (rc)
        return rc;
    p->sendbuf = sendbuf;
    p->sendcounts = wi4go_request_copy(&p->base.request, sendcounts, (sendbuf == MPI_IN_PLACE ? 0 : wi4go_peers(comm)), sizeof *sendcounts);
    p->sdispls = wi4go_request_copy(&p->base.request, sdispls, (sendbuf == MPI_IN_PLACE ? 0 : wi4go_peers(comm)), sizeof *sdispls);
    p->sendtypes = wi4go_request_copy(&p->base.request, sendtypes, (sendbuf == MPI_IN_PLACE ? 0 : wi4go_peers(comm)), sizeof *sendtypes);
    wi4go_request_hold_types(&p->base.request, p->sendtypes, (sendbuf == MPI_IN_PLACE ? 0 : wi4go_peers(comm)));
    p->recvbuf = recvbuf;
    p->recvcounts = wi4go_request_copy(&p->base.request, recvcounts, wi4go_peers(comm), sizeof *recvcounts);
    p->rdispls = wi4go_request_copy(&p->base.request, rdispls, wi4go_peers(comm), sizeof *rdispls);
    p->recvtypes = wi4go_request_copy(&p->base.request, recvtypes, wi4go_peers(comm), sizeof *recvtypes);
    wi4go_request_hold_types(&p->base.request, p->recvtypes, wi4go_peers(comm));
    *request = p->base.request.handle;
    return MPI_SUCCESS;
}
struct args_MPI_Neighbor_allgatherv_init {
    struct persistent base;
    const void *sendbuf;
    int sendcount;
    A_MPI_Datatype sendtype;
    void *recvbuf;
    const int *recvcounts;
    const int *displs;
    A_MPI_Datatype recvtype;
};
static int start_MPI_Neighbor_allgatherv_init(struct emulated *request)
{
    struct args_MPI_Neighbor_allgatherv_init *p = (struct args_MPI_Neighbor_allgatherv_init *)request;
    return MPI_Ineighbor_allgatherv(p->sendbuf, p->sendcount, p->sendtype, p->recvbuf, p->recvcounts, p->displs, p->recvtype, p->base.comm, &request->inner[0]);
}
static const struct emulated_kind kind_MPI_Neighbor_allgatherv_init = {.size = sizeof(struct args_MPI_Neighbor_allgatherv_init), .start = start_MPI_Neighbor_allgatherv_init, .discard = wi4go_persistent_discard};
int E_MPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount, A_MPI_Datatype sendtype, void *recvbuf, const int *recvcounts, const int *displs, A_MPI_Datatype recvtype, A_MPI_Comm comm, A_MPI_Info info, A_MPI_Request *request)
{
    struct args_MPI_Neighbor_allgatherv_init *p;
    int rc = wi4go_persistent_new((struct persistent **)&p, &kind_MPI_Neighbor_allgatherv_init, comm, 1);
    if (rc)
        return rc;
    p->sendbuf = sendbuf;
    p->sendcount = sendcount;
    p->sendtype = sendtype;
    wi4go_request_hold(&p->base.request, SLOT_MPI_Type_free, sendtype);
    p->recvbuf = recvbuf;
    p->recvcounts = wi4go_request_copy(&p->base.request, recvcounts, wi4go_indegree(comm), sizeof *recvcounts);
    p->displs = wi4go_request_copy(&p->base.request, displs, wi4go_indegree(comm), sizeof *displs);
    p->recvtype = recvtype;
    wi4go_request_hold(&p->base.request, SLOT_MPI_Type_free, recvtype);
    *request = p->base.request.handle;
    return MPI_SUCCESS;
}
struct args_MPI_Scatterv_init {
    struct persistent base;
    const void *sendbuf;
    const int *sendcounts;
    const int *displs;
    A_MPI_Datatype sendtype;
    void *recvbuf;
    int recvcount;
    A_MPI_Datatype recvtype;
    int root;
};
static int start_MPI_Scatterv_init(struct emulated *request)
{
    struct args_MPI_Scatterv_init *p = (struct args_MPI_Scatterv_init *)request;
    return MPI_Iscatterv(p->sendbuf, p->sendcounts, p->displs, p->sendtype, p->recvbuf, p->recvcount, p->recvtype, p->root, p->base.comm, &request->inner[0]);
}
static const struct emulated_kind kind_MPI_Scatterv_init = {.size = sizeof(struct args_MPI_Scatterv_init), .start = start_MPI_Scatterv_init, .discard = wi4go_persistent_discard};
int E_MPI_Scatterv_init(const void *sendbuf, const int *sendcounts, const int *displs, A_MPI_Datatype sendtype, void *recvbuf, int recvcount, A_MPI_Datatype recvtype, int root, A_MPI_Comm comm, A_MPI_Info info, A_MPI_Request *request)
{
    struct args_MPI_Scatterv_init *p;
    int rc = wi4go_persistent_new((struct persistent **)&p, &kind_MPI_Scatterv_init, comm, 0);
    if (rc)
        return rc;
    p->sendbuf = sendbuf;
    p->sendcounts = wi4go_request_copy(&p->base.request, sendcounts, (wi4go_at_root(root, comm) ? wi4go_peers(comm) : 0), sizeof *sendcounts);
    p->displs = wi4go_request_copy(&p->base.request, displs, (wi4go_at_root(root, comm) ? wi4go_peers(comm) : 0), sizeof *displs);
    p->sendtype = sendtype;
    wi4go_request_hold(&p->base.request, SLOT_MPI_Type_free, sendtype);
    p->recvbuf = recvbuf;
    p->recvcount = recvcount;
    p->recvtype = recvtype;
    wi4go_request_hold(&p->base.request, SLOT_MPI_Type_free, recvtype);
    p->root = root;
    *request = p->base.request.handle;
    return MPI_SUCCESS;
}
