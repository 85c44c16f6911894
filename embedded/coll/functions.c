/*
 * The functions of collective operations, blocking and nonblocking: each makes its arguments a
 * struct collective, and the communicator's table makes the steps. No state, no locks.
 */
#include "coll.h"
#include "functions.h"

/* request NULL: blocking. */
static int collect(enum collective_kind kind, const struct collective *c, MPI_Request *request, const char *function)
{
    int err = em_check_collective(kind, c);
    struct schedule *s = request ? em_schedule_new(c->comm) : em_schedule_blocking(c->comm, function);
    if (likely(s && !err))
        c->comm->collops->make[kind](s, c);
    if (likely(!request) || unlikely(err)) { /* after an error the schedule has no steps, and the next tag is the same in all ranks */
        int result = em_schedule_run(s, function);
        return unlikely(err) ? em_check_collective(kind, c) : result;
    }
    struct request *started;
    err = em_schedule_start(s, &started);
    if (likely(!err))
        *request = (MPI_Request)started;
    return err;
}

/* ---- the arguments ---- */

static inline struct side one(const void *buf, int64_t count, struct type *type)
{
    return (struct side){.form = SIDE_ONE, .buf = (char *)(uintptr_t)buf, .in_place = buf == MPI_IN_PLACE, .count = count, .type = type};
}

static inline struct side each(const void *buf, int64_t count, struct type *type)
{
    return (struct side){.form = SIDE_EACH, .buf = (char *)(uintptr_t)buf, .in_place = buf == MPI_IN_PLACE, .count = count, .type = type};
}

static inline struct side several(const void *buf, struct counts counts, struct counts displs, struct type *type)
{
    return (struct side){.form = SIDE_COUNTS, .buf = (char *)(uintptr_t)buf, .in_place = buf == MPI_IN_PLACE, .counts = counts, .displs = displs, .type = type};
}

static inline struct side mixed(const void *buf, struct counts counts, struct counts displs, const MPI_Datatype *types)
{
    return (struct side){.form = SIDE_TYPES, .buf = (char *)(uintptr_t)buf, .in_place = buf == MPI_IN_PLACE, .counts = counts, .displs = displs, .types = types};
}

static inline struct counts addresses(const MPI_Aint *displs) { return (struct counts){.wide = (const int64_t *)displs}; }

static inline struct side nothing(void) { return (struct side){.form = SIDE_ONE}; }

static inline struct collective moved(struct comm *comm, int root, struct side send, struct side receive)
{
    return (struct collective){.comm = comm, .send = send, .receive = receive, .root = root};
}

static inline struct collective reduced(struct comm *comm, int root, struct op *op, const void *sendbuf, struct side receive)
{
    return (struct collective){.comm = comm, .send = one(sendbuf, 0, NULL), .receive = receive, .op = op, .root = root};
}

/* Defines em_X and em_Ix. The further arguments are the parameters of both. */
#define FUNCTIONS(blocking, nonblocking, kind, arguments, ...)    \
    int em_##blocking(__VA_ARGS__)                                \
    {                                                             \
        struct collective c = arguments;                          \
        return collect(kind, &c, NULL, "MPI_" #blocking);         \
    }                                                             \
    int em_##nonblocking(__VA_ARGS__, MPI_Request *request)       \
    {                                                             \
        struct collective c = arguments;                          \
        return collect(kind, &c, request, "MPI_" #nonblocking);   \
    }

/* ---- data ---- */

FUNCTIONS(Barrier, Ibarrier, COLL_BARRIER, moved(comm, 0, nothing(), nothing()), struct comm *comm)
FUNCTIONS(Bcast, Ibcast, COLL_BCAST, moved(comm, root, nothing(), one(buffer, count, datatype)),
          void *buffer, int64_t count, struct type *datatype, int root, struct comm *comm)
FUNCTIONS(Gather, Igather, COLL_GATHER, moved(comm, root, one(sendbuf, sendcount, sendtype), each(recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, int root, struct comm *comm)
FUNCTIONS(Gatherv, Igatherv, COLL_GATHER, moved(comm, root, one(sendbuf, sendcount, sendtype), several(recvbuf, recvcounts, displs, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, struct counts recvcounts, struct counts displs, struct type *recvtype, int root, struct comm *comm)
FUNCTIONS(Scatter, Iscatter, COLL_SCATTER, moved(comm, root, each(sendbuf, sendcount, sendtype), one(recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, int root, struct comm *comm)
FUNCTIONS(Scatterv, Iscatterv, COLL_SCATTER, moved(comm, root, several(sendbuf, sendcounts, displs, sendtype), one(recvbuf, recvcount, recvtype)),
          const void *sendbuf, struct counts sendcounts, struct counts displs, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, int root, struct comm *comm)
FUNCTIONS(Allgather, Iallgather, COLL_ALLGATHER, moved(comm, 0, one(sendbuf, sendcount, sendtype), each(recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, struct comm *comm)
FUNCTIONS(Allgatherv, Iallgatherv, COLL_ALLGATHER, moved(comm, 0, one(sendbuf, sendcount, sendtype), several(recvbuf, recvcounts, displs, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, struct counts recvcounts, struct counts displs, struct type *recvtype, struct comm *comm)
FUNCTIONS(Alltoall, Ialltoall, COLL_ALLTOALL, moved(comm, 0, each(sendbuf, sendcount, sendtype), each(recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, struct comm *comm)
FUNCTIONS(Alltoallv, Ialltoallv, COLL_ALLTOALL, moved(comm, 0, several(sendbuf, sendcounts, sdispls, sendtype), several(recvbuf, recvcounts, rdispls, recvtype)),
          const void *sendbuf, struct counts sendcounts, struct counts sdispls, struct type *sendtype, void *recvbuf, struct counts recvcounts, struct counts rdispls, struct type *recvtype, struct comm *comm)
FUNCTIONS(Alltoallw, Ialltoallw, COLL_ALLTOALL, moved(comm, 0, mixed(sendbuf, sendcounts, sdispls, sendtypes), mixed(recvbuf, recvcounts, rdispls, recvtypes)),
          const void *sendbuf, struct counts sendcounts, struct counts sdispls, const MPI_Datatype *sendtypes, void *recvbuf, struct counts recvcounts, struct counts rdispls, const MPI_Datatype *recvtypes, struct comm *comm)

/* ---- reductions ---- */

FUNCTIONS(Reduce, Ireduce, COLL_REDUCE, reduced(comm, root, op, sendbuf, one(recvbuf, count, datatype)),
          const void *sendbuf, void *recvbuf, int64_t count, struct type *datatype, struct op *op, int root, struct comm *comm)
FUNCTIONS(Allreduce, Iallreduce, COLL_ALLREDUCE, reduced(comm, 0, op, sendbuf, one(recvbuf, count, datatype)),
          const void *sendbuf, void *recvbuf, int64_t count, struct type *datatype, struct op *op, struct comm *comm)
FUNCTIONS(Reduce_scatter, Ireduce_scatter, COLL_REDUCE_SCATTER, reduced(comm, 0, op, sendbuf, several(recvbuf, recvcounts, recvcounts, datatype)),
          const void *sendbuf, void *recvbuf, struct counts recvcounts, struct type *datatype, struct op *op, struct comm *comm)
FUNCTIONS(Reduce_scatter_block, Ireduce_scatter_block, COLL_REDUCE_SCATTER, reduced(comm, 0, op, sendbuf, each(recvbuf, recvcount, datatype)),
          const void *sendbuf, void *recvbuf, int64_t recvcount, struct type *datatype, struct op *op, struct comm *comm)
FUNCTIONS(Scan, Iscan, COLL_SCAN, reduced(comm, 0, op, sendbuf, one(recvbuf, count, datatype)),
          const void *sendbuf, void *recvbuf, int64_t count, struct type *datatype, struct op *op, struct comm *comm)
FUNCTIONS(Exscan, Iexscan, COLL_EXSCAN, reduced(comm, 0, op, sendbuf, one(recvbuf, count, datatype)),
          const void *sendbuf, void *recvbuf, int64_t count, struct type *datatype, struct op *op, struct comm *comm)

/* ---- neighbors ---- */

FUNCTIONS(Neighbor_allgather, Ineighbor_allgather, COLL_NEIGHBOR, moved(comm, 0, one(sendbuf, sendcount, sendtype), each(recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, struct comm *comm)
FUNCTIONS(Neighbor_allgatherv, Ineighbor_allgatherv, COLL_NEIGHBOR, moved(comm, 0, one(sendbuf, sendcount, sendtype), several(recvbuf, recvcounts, displs, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, struct counts recvcounts, struct counts displs, struct type *recvtype, struct comm *comm)
FUNCTIONS(Neighbor_alltoall, Ineighbor_alltoall, COLL_NEIGHBOR, moved(comm, 0, each(sendbuf, sendcount, sendtype), each(recvbuf, recvcount, recvtype)),
          const void *sendbuf, int64_t sendcount, struct type *sendtype, void *recvbuf, int64_t recvcount, struct type *recvtype, struct comm *comm)
FUNCTIONS(Neighbor_alltoallv, Ineighbor_alltoallv, COLL_NEIGHBOR, moved(comm, 0, several(sendbuf, sendcounts, sdispls, sendtype), several(recvbuf, recvcounts, rdispls, recvtype)),
          const void *sendbuf, struct counts sendcounts, struct counts sdispls, struct type *sendtype, void *recvbuf, struct counts recvcounts, struct counts rdispls, struct type *recvtype, struct comm *comm)
FUNCTIONS(Neighbor_alltoallw, Ineighbor_alltoallw, COLL_NEIGHBOR, moved(comm, 0, mixed(sendbuf, sendcounts, addresses(sdispls), sendtypes), mixed(recvbuf, recvcounts, addresses(rdispls), recvtypes)),
          const void *sendbuf, struct counts sendcounts, const MPI_Aint *sdispls, const MPI_Datatype *sendtypes, void *recvbuf, struct counts recvcounts, const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, struct comm *comm)
