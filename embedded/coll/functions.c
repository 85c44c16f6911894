/*
 * The functions of collective operations, blocking and nonblocking: each makes its arguments a
 * struct collective, and the communicator's table makes the steps. No state, no locks.
 */
#include "coll.h"
#include "functions.h"

/* request NULL: blocking. */
static int run_collective(enum collective_kind kind, const struct collective *c, MPI_Request *request, const char *function)
{
    int err = em_check_collective(kind, c);
    if (unlikely(err))
        return err; /* the call does not count: a rank may repeat it with the right arguments */
    if (!request && c->comm->area.memory) {
        collective_call *call = c->comm->collops->call[kind];
        c->comm->area.number++;
        if (call && call(c, function, &err))
            return err;
    }
    struct schedule *s = request ? em_schedule_new(c->comm) : em_schedule_blocking(c->comm, function);
    if (likely(s))
        c->comm->collops->make[kind](s, c);
    if (likely(!request))
        return em_schedule_run(s, function);
    struct request *started;
    err = em_schedule_start(s, &started);
    if (likely(!err))
        *request = (MPI_Request)started;
    return err;
}

/* ---- the arguments ---- */

/* Only the fields of a side's form are set: zeros for the others would cost more than the rest. */
static inline void set_side(struct side *side, int form, const void *buf)
{
    side->form = form;
    side->buf = (char *)(uintptr_t)buf;
    side->in_place = buf == MPI_IN_PLACE;
}

static inline void side_one(struct side *side, const void *buf, int64_t count, struct type *type)
{
    set_side(side, SIDE_ONE, buf);
    side->count = count;
    side->type = type;
}

static inline void side_each(struct side *side, const void *buf, int64_t count, struct type *type)
{
    side_one(side, buf, count, type);
    side->form = SIDE_EACH;
}

static inline void side_counts(struct side *side, const void *buf, struct counts counts, struct counts displs, struct type *type)
{
    side_one(side, buf, 0, type);
    side->form = SIDE_COUNTS;
    side->counts = counts;
    side->displs = displs;
}

static inline void side_types(struct side *side, const void *buf, struct counts counts, struct counts displs, const MPI_Datatype *types)
{
    side_counts(side, buf, counts, displs, NULL);
    side->form = SIDE_TYPES;
    side->types = types;
}

static inline struct counts addresses(const MPI_Aint *displs) { return (struct counts){.wide = (const int64_t *)displs}; }

/* The arguments of a call; send and receive are calls of the functions above. */
#define MOVED(comm_, root_, send_, receive_) (c.comm = (comm_), c.root = (root_), send_, receive_)
#define REDUCED(comm_, root_, op_, buf_, receive_) (c.comm = (comm_), c.root = (root_), c.op = (op_), set_side(&c.send, SIDE_ONE, buf_), receive_)

/* Defines em_X and em_Ix. The further arguments are the parameters of both. */
#define FUNCTIONS(blocking, nonblocking, kind, arguments, ...)    \
    int em_##blocking(__VA_ARGS__)                                \
    {                                                             \
        struct collective c;                                      \
        arguments;                                                \
        return run_collective(kind, &c, NULL, "MPI_" #blocking);         \
    }                                                             \
    int em_##nonblocking(__VA_ARGS__, MPI_Request *request)       \
    {                                                             \
        struct collective c;                                      \
        arguments;                                                \
        return run_collective(kind, &c, request, "MPI_" #nonblocking);   \
    }

/* ---- data ---- */

FUNCTIONS(Barrier, Ibarrier, COLL_BARRIER, (c.comm = comm), struct comm *comm)
FUNCTIONS(Bcast, Ibcast, COLL_BCAST, MOVED(comm, root, (void)0, side_one(&c.receive, buffer, count, datatype)),
          void *buffer, int64_t count, struct type *datatype, int root, struct comm *comm)
FUNCTIONS(Gather, Igather, COLL_GATHER, MOVED(comm, root, side_one(&c.send, sendbuf, sendcount, sendtype), side_each(&c.receive, recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, int root, struct comm *comm)
FUNCTIONS(Gatherv, Igatherv, COLL_GATHER, MOVED(comm, root, side_one(&c.send, sendbuf, sendcount, sendtype), side_counts(&c.receive, recvbuf, recvcounts, displs, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, struct counts recvcounts, struct counts displs, struct type *recvtype, int root, struct comm *comm)
FUNCTIONS(Scatter, Iscatter, COLL_SCATTER, MOVED(comm, root, side_each(&c.send, sendbuf, sendcount, sendtype), side_one(&c.receive, recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, int root, struct comm *comm)
FUNCTIONS(Scatterv, Iscatterv, COLL_SCATTER, MOVED(comm, root, side_counts(&c.send, sendbuf, sendcounts, displs, sendtype), side_one(&c.receive, recvbuf, recvcount, recvtype)),
          const void *sendbuf, struct counts sendcounts, struct counts displs, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, int root, struct comm *comm)
FUNCTIONS(Allgather, Iallgather, COLL_ALLGATHER, MOVED(comm, 0, side_one(&c.send, sendbuf, sendcount, sendtype), side_each(&c.receive, recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, struct comm *comm)
FUNCTIONS(Allgatherv, Iallgatherv, COLL_ALLGATHER, MOVED(comm, 0, side_one(&c.send, sendbuf, sendcount, sendtype), side_counts(&c.receive, recvbuf, recvcounts, displs, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, struct counts recvcounts, struct counts displs, struct type *recvtype, struct comm *comm)
FUNCTIONS(Alltoall, Ialltoall, COLL_ALLTOALL, MOVED(comm, 0, side_each(&c.send, sendbuf, sendcount, sendtype), side_each(&c.receive, recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, struct comm *comm)
FUNCTIONS(Alltoallv, Ialltoallv, COLL_ALLTOALL, MOVED(comm, 0, side_counts(&c.send, sendbuf, sendcounts, sdispls, sendtype), side_counts(&c.receive, recvbuf, recvcounts, rdispls, recvtype)),
          const void *sendbuf, struct counts sendcounts, struct counts sdispls, struct type *sendtype, void *recvbuf, struct counts recvcounts, struct counts rdispls, struct type *recvtype, struct comm *comm)
FUNCTIONS(Alltoallw, Ialltoallw, COLL_ALLTOALL, MOVED(comm, 0, side_types(&c.send, sendbuf, sendcounts, sdispls, sendtypes), side_types(&c.receive, recvbuf, recvcounts, rdispls, recvtypes)),
          const void *sendbuf, struct counts sendcounts, struct counts sdispls, const MPI_Datatype *sendtypes, void *recvbuf, struct counts recvcounts, struct counts rdispls, const MPI_Datatype *recvtypes, struct comm *comm)

/* ---- reductions ---- */

FUNCTIONS(Reduce, Ireduce, COLL_REDUCE, REDUCED(comm, root, op, sendbuf, side_one(&c.receive, recvbuf, count, datatype)),
          const void *sendbuf, void *recvbuf, int64_t count, struct type *datatype, struct op *op, int root, struct comm *comm)
FUNCTIONS(Allreduce, Iallreduce, COLL_ALLREDUCE, REDUCED(comm, 0, op, sendbuf, side_one(&c.receive, recvbuf, count, datatype)),
          const void *sendbuf, void *recvbuf, int64_t count, struct type *datatype, struct op *op, struct comm *comm)
FUNCTIONS(Reduce_scatter, Ireduce_scatter, COLL_REDUCE_SCATTER, REDUCED(comm, 0, op, sendbuf, side_counts(&c.receive, recvbuf, recvcounts, recvcounts, datatype)),
          const void *sendbuf, void *recvbuf, struct counts recvcounts, struct type *datatype, struct op *op, struct comm *comm)
FUNCTIONS(Reduce_scatter_block, Ireduce_scatter_block, COLL_REDUCE_SCATTER, REDUCED(comm, 0, op, sendbuf, side_each(&c.receive, recvbuf, recvcount, datatype)),
          const void *sendbuf, void *recvbuf, int64_t recvcount, struct type *datatype, struct op *op, struct comm *comm)
FUNCTIONS(Scan, Iscan, COLL_SCAN, REDUCED(comm, 0, op, sendbuf, side_one(&c.receive, recvbuf, count, datatype)),
          const void *sendbuf, void *recvbuf, int64_t count, struct type *datatype, struct op *op, struct comm *comm)
FUNCTIONS(Exscan, Iexscan, COLL_EXSCAN, REDUCED(comm, 0, op, sendbuf, side_one(&c.receive, recvbuf, count, datatype)),
          const void *sendbuf, void *recvbuf, int64_t count, struct type *datatype, struct op *op, struct comm *comm)

/* ---- neighbors ---- */

FUNCTIONS(Neighbor_allgather, Ineighbor_allgather, COLL_NEIGHBOR, MOVED(comm, 0, side_one(&c.send, sendbuf, sendcount, sendtype), side_each(&c.receive, recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, struct comm *comm)
FUNCTIONS(Neighbor_allgatherv, Ineighbor_allgatherv, COLL_NEIGHBOR, MOVED(comm, 0, side_one(&c.send, sendbuf, sendcount, sendtype), side_counts(&c.receive, recvbuf, recvcounts, displs, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, struct counts recvcounts, struct counts displs, struct type *recvtype, struct comm *comm)
FUNCTIONS(Neighbor_alltoall, Ineighbor_alltoall, COLL_NEIGHBOR, MOVED(comm, 0, side_each(&c.send, sendbuf, sendcount, sendtype), side_each(&c.receive, recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, struct comm *comm)
FUNCTIONS(Neighbor_alltoallv, Ineighbor_alltoallv, COLL_NEIGHBOR, MOVED(comm, 0, side_counts(&c.send, sendbuf, sendcounts, sdispls, sendtype), side_counts(&c.receive, recvbuf, recvcounts, rdispls, recvtype)),
          const void *sendbuf, struct counts sendcounts, struct counts sdispls, struct type *sendtype, void *recvbuf, struct counts recvcounts, struct counts rdispls, struct type *recvtype, struct comm *comm)
FUNCTIONS(Neighbor_alltoallw, Ineighbor_alltoallw, COLL_NEIGHBOR, MOVED(comm, 0, side_types(&c.send, sendbuf, sendcounts, addresses(sdispls), sendtypes), side_types(&c.receive, recvbuf, recvcounts, addresses(rdispls), recvtypes)),
          const void *sendbuf, struct counts sendcounts, const MPI_Aint *sdispls, const MPI_Datatype *sendtypes, void *recvbuf, struct counts recvcounts, const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, struct comm *comm)
