/*
 * Checks of the arguments of collective operations that the entry points do not make: blocks with
 * counts and datatypes of their own, MPI_IN_PLACE, operations, communicators.
 */
#include "coll.h"
#include "../base/entry.h"
#include "../types/types.h"

/* Below this address no program has memory: the least value of vm.mmap_min_addr in use. */
#define LOWEST_ADDRESS 4096

/* A buffer may be MPI_BOTTOM if the displacement is an address (MPI-4.1, 5.1.5, 8.6). */
static bool is_null_block(struct block block)
{
    return (uintptr_t)block.buf < LOWEST_ADDRESS && em_null_buffer(NULL, block.count, block.type);
}

static int check_block(const struct side *side, int i, const char *name)
{
    int64_t count = count_at(side->counts, i);
    if (count < 0)
        return em_error(MPI_ERR_COUNT, "the count of block %d of %s is %lld", i, name, (long long)count);
    struct type *type = side->form == SIDE_TYPES ? em_type_of(side->types[i]) : side->type;
    if (!type)
        return em_error(MPI_ERR_TYPE, "the datatype of block %d of %s is not a valid datatype", i, name);
    if (!type->committed)
        return em_error(MPI_ERR_TYPE, "the datatype of block %d of %s is not committed: call MPI_Type_commit", i, name);
    if (unlikely(!side->buf) && is_null_block(side_block(side, i)))
        return em_error(MPI_ERR_BUFFER, "%s is a null pointer", name);
    return MPI_SUCCESS;
}

static bool is_missing(struct counts counts) { return !counts.narrow && !counts.wide; }

static int check_side(const struct side *side, int peers, const char *name)
{
    if (unlikely(side->in_place))
        return em_error(MPI_ERR_BUFFER, "%s is MPI_IN_PLACE, which is not allowed here", name);
    if (side->form == SIDE_ONE || side->form == SIDE_EACH)
        return likely(!peers || !em_null_buffer(side->buf, side->count, side->type)) ? MPI_SUCCESS : em_error(MPI_ERR_BUFFER, "%s is a null pointer", name);
    if (peers && (is_missing(side->counts) || is_missing(side->displs) || (side->form == SIDE_TYPES && !side->types)))
        return em_error(MPI_ERR_ARG, "an array of counts, displacements or datatypes of %s is a null pointer", name);
    for (int i = 0; i < peers; i++) {
        int err = check_block(side, i, name);
        if (unlikely(err))
            return err;
    }
    return MPI_SUCCESS;
}

/* The send side, which may be MPI_IN_PLACE if the group is one. */
static int check_send_side(const struct collective *c, int peers)
{
    if (c->send.in_place && !c->comm->inter)
        return MPI_SUCCESS;
    return check_side(&c->send, peers, "sendbuf");
}

/* Reports an error if both buffers have the same block of data at the same address. */
static int check_overlap(struct block sent, struct block received)
{
    if (likely(sent.buf != received.buf) || !sent.buf || sent.type != received.type || !block_bytes(sent) || !block_bytes(received))
        return MPI_SUCCESS;
    return em_error(MPI_ERR_BUFFER, "sendbuf and recvbuf have the same data: pass MPI_IN_PLACE as one of them");
}

/* Checks this rank's own block of a gather, a scatter or an exchange. */
static int check_own_block(const struct collective *c)
{
    if (unlikely(c->comm->inter || c->send.in_place || c->receive.in_place))
        return MPI_SUCCESS;
    return check_overlap(side_block(&c->send, c->comm->rank), side_block(&c->receive, c->comm->rank));
}

static int check_gather(const struct collective *c)
{
    int err = MPI_SUCCESS;
    bool root = em_at_root(c->comm, c->root);
    if (c->root == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (root)
        err = check_side(&c->receive, c->comm->remote_size, "recvbuf");
    if (!err && em_at_leaf(c->comm, c->root))
        err = root ? check_send_side(c, 1) : check_side(&c->send, 1, "sendbuf");
    return root && !err ? check_own_block(c) : err;
}

static int check_scatter(const struct collective *c)
{
    int err = MPI_SUCCESS;
    bool root = em_at_root(c->comm, c->root);
    if (c->root == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (root)
        err = check_side(&c->send, c->comm->remote_size, "sendbuf");
    if (!err && em_at_leaf(c->comm, c->root) && !(root && c->receive.in_place))
        err = check_side(&c->receive, 1, "recvbuf");
    return root && !err ? check_own_block(c) : err;
}

static int check_exchange(const struct collective *c, int sends)
{
    int err = check_send_side(c, sends);
    if (likely(!err))
        err = check_side(&c->receive, c->comm->remote_size, "recvbuf");
    return unlikely(err) ? err : check_own_block(c);
}

static int check_operand(const struct collective *c, int64_t count, bool in_place)
{
    if (c->send.in_place)
        return in_place && !c->comm->inter ? MPI_SUCCESS : em_error(MPI_ERR_BUFFER, "sendbuf is MPI_IN_PLACE, which is not allowed here");
    return likely(!em_null_buffer(c->send.buf, count, c->receive.type)) ? MPI_SUCCESS : em_error(MPI_ERR_BUFFER, "sendbuf is a null pointer");
}

/* Reports an error if operand and result are the same buffer. */
static int check_result(const struct collective *c)
{
    if (c->comm->inter || c->send.in_place)
        return MPI_SUCCESS;
    return check_overlap((struct block){c->send.buf, c->receive.count, c->receive.type}, side_block(&c->receive, 0));
}

/* operand, result: this rank has an operand, gets a result. */
static int check_reduction(const struct collective *c, bool operand, bool result)
{
    int err = em_op_check(c->op, c->receive.type);
    if (likely(!err) && (result || c->receive.in_place))
        err = check_side(&c->receive, 1, "recvbuf");
    if (likely(!err) && operand)
        err = check_operand(c, c->receive.count, result);
    return unlikely(err) || !operand || !result ? err : check_result(c);
}

static int check_reduce(const struct collective *c)
{
    if (c->root == MPI_PROC_NULL)
        return MPI_SUCCESS;
    return check_reduction(c, em_at_leaf(c->comm, c->root), em_at_root(c->comm, c->root));
}

/* Reduce_scatter has one count for each rank, of which this rank's block is received. */
static int check_reduce_scatter(const struct collective *c)
{
    if (c->receive.form != SIDE_COUNTS)
        return check_reduction(c, true, true);
    struct collective own = *c;
    int64_t all = 0;
    if (is_missing(c->receive.counts))
        return em_error(MPI_ERR_ARG, "recvcounts is a null pointer");
    for (int i = 0; i < c->comm->size; i++) {
        int64_t count = count_at(c->receive.counts, i);
        if (count < 0)
            return em_error(MPI_ERR_COUNT, "the count of rank %d is %lld", i, (long long)count);
        all += count;
    }
    own.receive.form = SIDE_ONE;
    own.receive.count = count_at(c->receive.counts, c->comm->rank);
    int err = check_reduction(&own, false, true);
    if (likely(!err))
        err = check_operand(c, all, true);
    return unlikely(err) ? err : check_result(&own);
}

static int check_scan(const struct collective *c, bool result)
{
    if (c->comm->inter)
        return em_error(MPI_ERR_COMM, "comm is an intercommunicator");
    int err = check_reduction(c, false, result);
    if (likely(!err))
        err = check_operand(c, c->receive.count, true);
    return unlikely(err) ? err : check_result(c);
}

static int check_neighbor(const struct collective *c)
{
    const struct topology *t = c->comm->topology;
    if (!t)
        return em_error(MPI_ERR_TOPOLOGY, "comm has no topology");
    int err = check_side(&c->send, t->destinations, "sendbuf");
    return unlikely(err) ? err : check_side(&c->receive, t->sources, "recvbuf");
}

int em_check_collective(enum collective_kind kind, const struct collective *c)
{
    switch (kind) {
    case COLL_BARRIER:
        return MPI_SUCCESS;
    case COLL_BCAST:
        return c->root == MPI_PROC_NULL ? MPI_SUCCESS : check_side(&c->receive, 1, "buffer");
    case COLL_GATHER:
        return check_gather(c);
    case COLL_SCATTER:
        return check_scatter(c);
    case COLL_ALLGATHER:
        return check_exchange(c, 1);
    case COLL_ALLTOALL:
        return check_exchange(c, c->comm->remote_size);
    case COLL_REDUCE:
        return check_reduce(c);
    case COLL_ALLREDUCE:
        return check_reduction(c, true, true);
    case COLL_REDUCE_SCATTER:
        return check_reduce_scatter(c);
    case COLL_SCAN:
        return check_scan(c, true);
    case COLL_EXSCAN:
        return check_scan(c, c->comm->rank != 0);
    default:
        return check_neighbor(c);
    }
}
