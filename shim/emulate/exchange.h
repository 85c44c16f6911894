/*
 * Collective operations with an array of counts (MPI-5.0, 6.5, 6.6, 6.8 and 8.6) over a library
 * that has int counts and displacements. A process can check whether its own counts fit an int,
 * but not the others' counts, and all processes have to call the same function. So the function is always MPI_Alltoallw,
 * or MPI_Neighbor_alltoallw among neighbors: there every peer gets a datatype, and numbers that do
 * not fit become part of it. Peers with a count of 0 get no message, so a gather takes no more
 * messages than usual.
 *
 * The library may read the arrays of a nonblocking call until it is completed (MPI-5.0, 3.7.2 and
 * 6.12). So the arrays of a blocking call are scratch memory, freed on return, and the arrays of
 * other calls belong to an emulated request, freed with it. No lock: an exchange belongs to one
 * call or request.
 *
 * Gives: struct exchange, exchange_end and the other parts of collective operations with arrays
 * of counts.
 * Needs: large.h, large_types.h.
 */
#ifndef WI4GO_EXCHANGE_H
#define WI4GO_EXCHANGE_H
#include "large.h"
#include "large_types.h"

/* The data sent to all peers, or received from all peers. All arrays are one block of memory,
   which begins at `at`. */
struct side {
    int n;                      /* the number of peers */
    int *counts, *displs;       /* displs is in bytes */
    MPI_Aint *at;               /* in bytes, for neighbors in place of displs */
    MPI_Datatype *types;        /* one for each peer */
    char *made;                 /* 1: the datatype of this peer was made here, and is freed with the arrays */
    size_t bytes;               /* size of all arrays */
    const void *buffer;         /* the program's */
};

/* The arguments of one MPI_Alltoallw or MPI_Neighbor_alltoallw. */
struct exchange {
    struct side send, recv;
    int outlives_call;                /* 1: the arrays outlive the call, so they are no scratch memory */
};

/* Allocates the arrays for n peers, all counts 0. */
static void side_begin(const struct exchange *x, struct side *s, int n, const void *buffer)
{
    const size_t places = n > 0 ? (size_t)n : 1;
    s->n = n;
    s->buffer = buffer;
    s->bytes = places * (sizeof *s->at + sizeof *s->types + sizeof *s->counts + sizeof *s->displs + 1);
    s->at = x->outlives_call ? malloc(s->bytes) : wi4go_scratch_alloc(s->bytes);
    if (!s->at)
        wi4go_die("out of memory for the arguments of a request (%zu bytes)", s->bytes);
    s->types = (void *)(s->at + places);
    s->counts = (void *)(s->types + places);
    s->displs = s->counts + places;
    s->made = (void *)(s->displs + places);
    memset(s->at, 0, s->bytes);
    for (int i = 0; i < n; i++)
        s->types[i] = MPI_BYTE;
}

/* Frees the datatypes and arrays. */
static void side_end(const struct exchange *x, struct side *s)
{
    for (int i = 0; i < s->n; i++)
        if (s->made[i])
            MPI_Type_free(&s->types[i]);
    if (x->outlives_call)
        free(s->at);
    else if (s->at)
        wi4go_scratch_free(s->at, s->bytes);
}

/* Frees an exchange's arrays; called at the end of a scope by EXCHANGE. */
static void exchange_end(struct exchange *x)
{
    side_end(x, &x->recv);
    side_end(x, &x->send);
}
#define EXCHANGE __attribute__((cleanup(exchange_end))) struct exchange

/* ---- nonblocking and persistent ones ---- */

/* Returns an exchange that outlives the call; exchange_free frees it. */
static struct exchange *exchange_new(void)
{
    struct exchange *x = calloc(1, sizeof *x);
    if (!x)
        wi4go_die("out of memory for the arguments of a request");
    x->outlives_call = 1;
    return x;
}

/* Reports whether all counts are 0. */
static int is_empty(const struct side *s)
{
    for (int i = 0; i < s->n; i++)
        if (s->counts[i])
            return 0;
    return 1;
}

/* Makes the two buffers differ if one of them is not used. Open MPI's nonblocking operations take
   two equal addresses for MPI_IN_PLACE, even if nothing is sent or nothing received, and then
   count their messages differently from the other processes. */
static const struct exchange *separate_buffers(struct exchange *x)
{
    static char nowhere;
    if (x->send.buffer == x->recv.buffer && is_empty(&x->send))
        x->send.buffer = &nowhere;
    else if (x->send.buffer == x->recv.buffer && is_empty(&x->recv))
        x->recv.buffer = &nowhere;
    return x;
}

static void exchange_free(struct persistent *r)
{
    if (r->exchange)
        exchange_end(r->exchange);
    free(r->exchange);
    r->exchange = NULL;
}

static void exchange_discard(struct emulated *e)
{
    exchange_free((struct persistent *)e);
    if (e->persistent)
        wi4go_persistent_discard(e);
}

static const struct emulated_kind exchange_kind = {.size = sizeof(struct persistent), .discard = exchange_discard};

/* Returns the result of a nonblocking call whose start returned rc, and stores the request. If
   the start failed, frees the parts that have begun. */
static int finish_start(struct persistent *r, int rc, MPI_Request *request)
{
    *request = r->request.handle;
    if (!rc)
        return 0;
    if (r->request.inner[0] == MPI_REQUEST_NULL)
        wi4go_request_discard(&r->request);
    else
        MPI_Request_free(request);
    *request = MPI_REQUEST_NULL;
    return rc;
}

/* Sets the count, displacement in bytes and datatype of peer i. Returns 0, or an error class. If
   the process is alone, Open MPI takes bytes for elements, so in this case too the displacement
   becomes part of the datatype. */
static int side_set(struct side *s, int i, MPI_Count count, MPI_Aint at, MPI_Datatype type)
{
    if (!count)
        return 0;
    struct large x = large(count, type, 1);
    if (!x.wrong && (!FITS(at) || (s->n == 1 && at))) {
        MPI_Datatype placed;
        if (MPI_Type_create_hindexed(1, &x.count, &at, x.type, &placed)) {
            x.wrong = MPI_ERR_TYPE;
        } else {
            large_free(&x);
            x = (struct large){1, 1, placed, MPI_Type_commit(&placed) ? MPI_ERR_TYPE : 0};
            at = 0;
        }
    }
    s->counts[i] = x.count;
    s->displs[i] = (int)at;
    s->types[i] = x.type;
    s->made[i] = (char)x.made;
    return x.wrong;
}

/* Does the same for neighbors, whose displacements are wide enough. */
static int side_set_wide(struct side *s, int i, MPI_Count count, MPI_Aint at, MPI_Datatype type)
{
    s->at[i] = at;
    return side_set(s, i, count, 0, type);
}
typedef int set_function(struct side *, int, MPI_Count, MPI_Aint, MPI_Datatype);

/* Sets all peers; displacements are in elements. Peer `but` is left out, if its part is in place;
   -1 leaves out none. Returns 0, or an error class. */
static int side_set_all(struct side *s, set_function *set, const MPI_Count *counts, const MPI_Aint *displs, MPI_Datatype type, int but)
{
    MPI_Aint extent, at;
    int wrong = s->n > 0 && (!counts || !displs) ? MPI_ERR_ARG : out_of_range(0, type, &extent);
    for (int i = 0; i < s->n && !wrong; i++)
        if (i != but)
            wrong = __builtin_mul_overflow(displs[i], extent, &at) ? MPI_ERR_ARG : set(s, i, counts[i], at, type);
    return wrong;
}

/* Sets the same elements for all peers except `but`. Returns 0, or an error class. */
static int side_set_same(struct side *s, MPI_Count count, MPI_Aint at, MPI_Datatype type, int but)
{
    int wrong = 0, first = but == 0;
    for (int i = first; i < s->n && !wrong; i++) {
        if (i == first) {
            wrong = side_set(s, i, count, at, type);
        } else if (i != but) {
            s->counts[i] = s->counts[first];
            s->displs[i] = s->displs[first];
            s->types[i] = s->types[first];
        }
    }
    return wrong;
}

/* Returns the error class if an array for n peers is a null pointer, else 0. */
static int side_missing(int n, const MPI_Count *counts, const MPI_Aint *displs, const MPI_Datatype *types)
{
    return n > 0 && (!counts || !displs || !types) ? MPI_ERR_ARG : 0;
}

/* Reports whether a root is invalid for a communicator with n peers. */
static int is_invalid_root(int root, MPI_Comm comm, int n)
{
    if (root == MPI_ROOT || root == MPI_PROC_NULL)
        return !is_inter(comm);
    return root < 0 || root >= n;
}

/* ---- each function's arguments as an exchange; these return 0 or an error class ---- */

static int exchange_gatherv(struct exchange *x, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, const void *recvbuf,
                            const MPI_Count *recvcounts, const MPI_Aint *displs, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    const int n = (int)wi4go_peers(comm), receives = wi4go_at_root(root, comm), in_place = receives && sendbuf == MPI_IN_PLACE;
    int wrong = 0;
    side_begin(x, &x->send, n, in_place ? NULL : sendbuf);
    side_begin(x, &x->recv, n, recvbuf);
    if (is_invalid_root(root, comm, n))
        return MPI_ERR_ROOT;
    if (root >= 0 && !in_place)
        wrong = side_set(&x->send, root, sendcount, 0, sendtype);
    return !wrong && receives ? side_set_all(&x->recv, side_set, recvcounts, displs, recvtype, in_place ? root : -1) : wrong;
}

static int exchange_scatterv(struct exchange *x, const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *displs, MPI_Datatype sendtype,
                             const void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    const int n = (int)wi4go_peers(comm), sends = wi4go_at_root(root, comm), in_place = sends && recvbuf == MPI_IN_PLACE;
    int wrong = 0;
    side_begin(x, &x->send, n, sendbuf);
    side_begin(x, &x->recv, n, in_place ? NULL : recvbuf);
    if (is_invalid_root(root, comm, n))
        return MPI_ERR_ROOT;
    if (root >= 0 && !in_place)
        wrong = side_set(&x->recv, root, recvcount, 0, recvtype);
    return !wrong && sends ? side_set_all(&x->send, side_set, sendcounts, displs, sendtype, in_place ? root : -1) : wrong;
}

/* The distance in bytes of the two addresses of one buffer. It must not make a special address,
   such as MPI_IN_PLACE, of MPI_BOTTOM. */
enum { ASIDE = 8 };

static int exchange_allgatherv(struct exchange *x, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, const void *recvbuf,
                               const MPI_Count *recvcounts, const MPI_Aint *displs, MPI_Datatype recvtype, MPI_Comm comm)
{
    const int n = (int)wi4go_peers(comm), in_place = sendbuf == MPI_IN_PLACE, me = in_place ? own_rank(comm) : -1;
    MPI_Aint extent, at = 0;
    side_begin(x, &x->send, n, in_place ? (const char *)recvbuf + ASIDE : sendbuf);
    side_begin(x, &x->recv, n, recvbuf);
    if (in_place) {
        if (!recvcounts || !displs)
            return MPI_ERR_ARG;
        /* The data to send are in the receive buffer. A library may refuse one address for both,
           so the send buffer begins elsewhere in that memory. It is not MPI_BOTTOM, because
           libraries detect the memory of a device by the address of the buffer. */
        int wrong = out_of_range(0, recvtype, &extent);
        if (!wrong && __builtin_mul_overflow(displs[me], extent, &at))
            wrong = MPI_ERR_ARG;
        if (wrong)
            return wrong;
        at -= ASIDE;
        sendcount = recvcounts[me];
        sendtype = recvtype;
    }
    int wrong = side_set_same(&x->send, sendcount, at, sendtype, me);
    return wrong ? wrong : side_set_all(&x->recv, side_set, recvcounts, displs, recvtype, me);
}

static int exchange_alltoallv(struct exchange *x, const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *sdispls, MPI_Datatype sendtype,
                              const void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *rdispls, MPI_Datatype recvtype, MPI_Comm comm)
{
    const int n = (int)wi4go_peers(comm);
    side_begin(x, &x->send, n, sendbuf);
    side_begin(x, &x->recv, n, recvbuf);
    int wrong = sendbuf == MPI_IN_PLACE ? 0 : side_set_all(&x->send, side_set, sendcounts, sdispls, sendtype, -1);
    return wrong ? wrong : side_set_all(&x->recv, side_set, recvcounts, rdispls, recvtype, -1);
}

static int exchange_alltoallw(struct exchange *x, const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *sdispls, const MPI_Datatype *sendtypes,
                              const void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm)
{
    const int n = (int)wi4go_peers(comm);
    int wrong = sendbuf == MPI_IN_PLACE ? 0 : side_missing(n, sendcounts, sdispls, sendtypes);
    if (!wrong)
        wrong = side_missing(n, recvcounts, rdispls, recvtypes);
    side_begin(x, &x->send, n, sendbuf);
    side_begin(x, &x->recv, n, recvbuf);
    for (int i = 0; i < n && !wrong; i++) {
        if (sendbuf != MPI_IN_PLACE)
            wrong = side_set(&x->send, i, sendcounts[i], sdispls[i], sendtypes[i]);
        if (!wrong)
            wrong = side_set(&x->recv, i, recvcounts[i], rdispls[i], recvtypes[i]);
    }
    return wrong;
}

/* Allocates the arrays for all neighbors. Returns an error class if there is no topology. */
static int neighbor_begin(struct exchange *x, const void *sendbuf, const void *recvbuf, MPI_Comm comm)
{
    int kind = MPI_UNDEFINED;
    MPI_Topo_test(comm, &kind);
    side_begin(x, &x->send, (int)wi4go_outdegree(comm), sendbuf);
    side_begin(x, &x->recv, (int)wi4go_indegree(comm), recvbuf);
    return kind == MPI_UNDEFINED ? MPI_ERR_TOPOLOGY : 0;
}

static int exchange_neighbor_allgatherv(struct exchange *x, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, const void *recvbuf,
                                        const MPI_Count *recvcounts, const MPI_Aint *displs, MPI_Datatype recvtype, MPI_Comm comm)
{
    int wrong = neighbor_begin(x, sendbuf, recvbuf, comm);
    if (!wrong)
        wrong = side_set_same(&x->send, sendcount, 0, sendtype, -1);
    return wrong ? wrong : side_set_all(&x->recv, side_set_wide, recvcounts, displs, recvtype, -1);
}

static int exchange_neighbor_alltoallv(struct exchange *x, const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *sdispls,
                                       MPI_Datatype sendtype, const void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *rdispls,
                                       MPI_Datatype recvtype, MPI_Comm comm)
{
    int wrong = neighbor_begin(x, sendbuf, recvbuf, comm);
    if (!wrong)
        wrong = side_set_all(&x->send, side_set_wide, sendcounts, sdispls, sendtype, -1);
    return wrong ? wrong : side_set_all(&x->recv, side_set_wide, recvcounts, rdispls, recvtype, -1);
}

static int exchange_neighbor_alltoallw(struct exchange *x, const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *sdispls,
                                       const MPI_Datatype *sendtypes, const void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *rdispls,
                                       const MPI_Datatype *recvtypes, MPI_Comm comm)
{
    int wrong = neighbor_begin(x, sendbuf, recvbuf, comm);
    if (!wrong)
        wrong = side_missing(x->send.n, sendcounts, sdispls, sendtypes);
    if (!wrong)
        wrong = side_missing(x->recv.n, recvcounts, rdispls, recvtypes);
    for (int i = 0; i < x->send.n && !wrong; i++)
        wrong = side_set_wide(&x->send, i, sendcounts[i], sdispls[i], sendtypes[i]);
    for (int i = 0; i < x->recv.n && !wrong; i++)
        wrong = side_set_wide(&x->recv, i, recvcounts[i], rdispls[i], recvtypes[i]);
    return wrong;
}
#endif
