/* Send-receive as one request, and duplication of a communicator with an info (MPI-5.0, 3.12 and
   7.4.2).

   A request has two inner requests, the receive first, and is over when both are. The record of
   the replacing form owns the packed data to send. No shared state, no lock. */
#include "emulate.h"
#include <limits.h>

/* Cancels a receive that has begun, because its send could not begin. Discards the request and
   returns rc. */
static int abandon(struct emulated *e, int rc)
{
    MPI_Status status;
    if (e->inner[0] != MPI_REQUEST_NULL) {
        MPI_Cancel(&e->inner[0]);
        MPI_Wait(&e->inner[0], &status);
    }
    wi4go_request_discard(e);
    return rc;
}

/* Starts the receive. If a message that is too long is already there, MPICH 3.4 returns the error
   at once. The request then continues and fails at the end, because the other side still expects
   the data to be sent. */
static int start_receive(struct emulated *e, void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm)
{
    int class = MPI_SUCCESS, rc = MPI_Irecv(buf, count, datatype, source, tag, comm, &e->inner[0]);
    if (rc)
        MPI_Error_class(rc, &class);
    if (class != MPI_ERR_TRUNCATE)
        return rc;
    e->inner[0] = MPI_REQUEST_NULL;
    e->error = rc;
    return MPI_SUCCESS;
}

static const struct emulated_kind sendrecv = {.size = sizeof(struct emulated)};

int E_MPI_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount,
                    MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
    struct emulated *e = wi4go_request_new(&sendrecv, 0);
    int rc = start_receive(e, recvbuf, recvcount, recvtype, source, recvtag, comm);
    if (rc) {
        wi4go_request_discard(e);
        return rc;
    }
    if ((rc = MPI_Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &e->inner[1])))
        return abandon(e, rc);
    *request = e->handle;
    return MPI_SUCCESS;
}

/* A send-receive that replaces its buffer: the data to send is packed first, and lives as long as
   the request. */
struct sendrecv_in_place {
    struct emulated request;
    void *packed;
};

static void replace_discard(struct emulated *e) { free(((struct sendrecv_in_place *)e)->packed); }

static const struct emulated_kind sendrecv_replace = {.size = sizeof(struct sendrecv_in_place), .discard = replace_discard};

int E_MPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm,
                            MPI_Request *request)
{
    int size = 0, used = 0, rc = MPI_SUCCESS;
    if (dest != MPI_PROC_NULL && (rc = MPI_Pack_size(count, datatype, comm, &size)))
        return rc;
    struct emulated *e = wi4go_request_new(&sendrecv_replace, 0);
    struct sendrecv_in_place *r = (struct sendrecv_in_place *)e;
    r->packed = malloc(size > 0 ? (size_t)size : 1);
    if (!r->packed) {
        wi4go_request_discard(e);
        return wi4go_raise(WI4GO_COMM, comm, MPI_ERR_NO_MEM);
    }
    if (dest != MPI_PROC_NULL)
        rc = MPI_Pack(buf, count, datatype, r->packed, size, &used, comm);
    if (!rc)
        rc = start_receive(e, buf, count, datatype, source, recvtag, comm);
    if (rc) {
        wi4go_request_discard(e);
        return rc;
    }
    if ((rc = MPI_Isend(r->packed, used, MPI_PACKED, dest, sendtag, comm, &e->inner[1])))
        return abandon(e, rc);
    *request = e->handle;
    return MPI_SUCCESS;
}

/* No library that lacks this function has hints for the info, so they are ignored. The handle
   must be a valid info all the same. */
int E_MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    int keys, rc = info == MPI_INFO_NULL ? MPI_SUCCESS : MPI_Info_get_nkeys(info, &keys);
    return rc ? rc : MPI_Comm_idup(comm, newcomm, request);
}
