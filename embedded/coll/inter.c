/*
 * Collective operations between two groups. Where data of a whole group is needed, the group's
 * rank 0 sends and receives it, and works with its group over comm->within.
 */
#include "reduce.h"

/* Every process must hear of every process of the other group, so empty messages in both directions suffice. */
static void make_inter_barrier(struct schedule *s, const struct collective *c)
{
    for (int i = 0; i < c->comm->remote_size; i++) {
        em_step_recv(s, NULL, 0, em_byte(), i);
        em_step_send(s, NULL, 0, em_byte(), i);
    }
}

/* The root sends once, to rank 0 of the other group, which broadcasts within its group. */
static void make_inter_bcast(struct schedule *s, const struct collective *c)
{
    const struct side *b = &c->receive;
    if (c->root == MPI_PROC_NULL || !block_bytes(side_block(b, 0)))
        return;
    if (c->root == MPI_ROOT) {
        em_step_send(s, b->buf, b->count, b->type, 0);
        return;
    }
    if (c->comm->rank == 0) {
        em_step_recv(s, b->buf, b->count, b->type, c->root);
        em_step_barrier(s);
    }
    em_schedule_use(s, c->comm->within);
    em_make_bcast(s, b->buf, b->count, b->type, 0);
}

/* The root is MPI_ROOT in its own group, and the rest of that group takes no part. */
static void make_inter_gather(struct schedule *s, const struct collective *c)
{
    if (c->root >= 0)
        em_send_block(s, side_block(&c->send, 0), c->root);
    for (int i = 0; c->root == MPI_ROOT && i < c->comm->remote_size; i++)
        em_receive_block(s, side_block(&c->receive, i), i);
}

static void make_inter_scatter(struct schedule *s, const struct collective *c)
{
    if (c->root >= 0)
        em_receive_block(s, side_block(&c->receive, 0), c->root);
    for (int i = 0; c->root == MPI_ROOT && i < c->comm->remote_size; i++)
        em_send_block(s, side_block(&c->send, i), i);
}

/* Each process begins with another peer, so that not all send to rank 0 first. */
static void make_inter_exchange(struct schedule *s, const struct collective *c)
{
    int n = c->comm->remote_size;
    for (int k = 0; k < n; k++) {
        int peer = (c->comm->rank + k) % n;
        em_receive_block(s, side_block(&c->receive, peer), peer);
        em_send_block(s, side_block(&c->send, peer), peer);
    }
}

/* Combines the operands of the local group in its rank 0, and leaves the messages of the
 * following steps to the other group. Returns the result there, else NULL. */
static void *reduce_within(struct schedule *s, const struct collective *c, int64_t count)
{
    struct type *type = c->receive.type;
    void *result = c->comm->rank == 0 ? em_schedule_elements(s, count, type) : NULL;
    em_schedule_use(s, c->comm->within);
    em_make_reduce(s, c->send.buf, result, count, type, c->op, 0);
    em_step_barrier(s);
    em_schedule_use(s, c->comm);
    return result;
}

/* The other group reduces within itself, and its rank 0 sends the result to the root. */
static void make_inter_reduce(struct schedule *s, const struct collective *c)
{
    const struct side *r = &c->receive;
    if (c->root == MPI_PROC_NULL || !block_bytes(side_block(r, 0)))
        return;
    if (c->root == MPI_ROOT) {
        em_step_recv(s, r->buf, r->count, r->type, 0);
        return;
    }
    void *result = reduce_within(s, c, r->count);
    if (c->comm->rank == 0)
        em_step_send(s, result, r->count, r->type, c->root);
}

/* Both groups reduce within themselves, their ranks 0 exchange the results, and each broadcasts the other group's. */
static void make_inter_allreduce(struct schedule *s, const struct collective *c)
{
    const struct side *r = &c->receive;
    if (!block_bytes(side_block(r, 0)))
        return;
    void *result = reduce_within(s, c, r->count);
    if (c->comm->rank == 0) {
        em_step_recv(s, r->buf, r->count, r->type, 0);
        em_step_send(s, result, r->count, r->type, 0);
        em_step_barrier(s);
    }
    em_schedule_use(s, c->comm->within);
    em_make_bcast(s, r->buf, r->count, r->type, 0);
}

/* The result of the other group's operands is scattered in this one. */
static void make_inter_reduce_scatter(struct schedule *s, const struct collective *c)
{
    int me = c->comm->rank;
    struct type *type = c->receive.type;
    const int64_t *first = em_first_elements(s, &c->receive, c->comm->size);
    if (!first)
        return;
    int64_t count = first[c->comm->size], own = first[me + 1] - first[me];
    if (!count || !type->device.size)
        return;
    void *result = reduce_within(s, c, count), *others = NULL;
    if (me == 0) {
        others = em_schedule_elements(s, count, type);
        em_step_recv(s, others, count, type, 0);
        em_step_send(s, result, count, type, 0);
        em_step_barrier(s);
    }
    em_schedule_use(s, c->comm->within);
    struct side all = {.form = SIDE_COUNTS, .buf = others, .type = type, .counts = c->receive.counts, .displs = {.wide = first}};
    if (c->receive.form == SIDE_EACH)
        all = (struct side){.form = SIDE_EACH, .buf = others, .type = type, .count = c->receive.count};
    em_make_flat_scatter(s, &all, (struct block){c->receive.buf, own, type}, 0);
}

const struct collops em_collops_inter = {
    .name = "two groups",
    .make = {
        [COLL_BARRIER] = make_inter_barrier,
        [COLL_BCAST] = make_inter_bcast,
        [COLL_GATHER] = make_inter_gather,
        [COLL_SCATTER] = make_inter_scatter,
        [COLL_ALLGATHER] = make_inter_exchange,
        [COLL_ALLTOALL] = make_inter_exchange,
        [COLL_REDUCE] = make_inter_reduce,
        [COLL_ALLREDUCE] = make_inter_allreduce,
        [COLL_REDUCE_SCATTER] = make_inter_reduce_scatter,
    },
};
