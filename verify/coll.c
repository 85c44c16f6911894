/* Tests of collectives. The data of every rank have different values. */
#include "verify.h"

/* Makes a nonblocking call and waits for it. */
#define DONE(call, request)                                                                               \
    do {                                                                                                  \
        MUST(call);                                                                                       \
        MUST(MPI_Wait(request, MPI_STATUS_IGNORE));                                                       \
    } while (0)

/* Returns the root of a case. */
static int root_of(const place *p) { return p->number % size; }

/* Checks a row: object i holds the values that `from` returns for rank i. Each object is
   copied into the receive object to be checked. */
static void check_row(const place *p, const row *in, int (*from)(const place *, int))
{
    for (int i = 0; i < size; i++) {
        memcpy(p->to->DTP_obj_array[p->r].DTP_obj_buf, slice(in, i), p->to->DTP_obj_array[p->r].DTP_obj_bufsize);
        check(p->to, p->r, from(p, i), 1, p->elements, "the data of a rank");
    }
}

/* Makes a row of send buffers: object i holds the values that `to` returns for rank i.
   Returns an object of the pool with the values for the last rank, or NULL if that
   fails. */
static const DTP_obj_t *fill_row(const place *p, row *out, int (*to)(const place *, int))
{
    const DTP_obj_t *o = object(p->from, p->s, 0, 0);
    if (!o || !row_of(o, out))
        return NULL;
    for (int i = 0; i < size; i++) {
        DTP_obj_free(p->from, p->s);
        if (!(o = object(p->from, p->s, to(p, i), p->elements))) {
            row_free(out);
            return NULL;
        }
        memcpy(slice(out, i), o->DTP_obj_buf, o->DTP_obj_bufsize);
    }
    return o;
}

/* Return the first value that this rank sends to rank i, and rank i to this one, in an
   all-to-all. */
static int to_rank(const place *p, int i) { return value(p, rank) + 3 * i; }
static int from_rank(const place *p, int i) { return value(p, i) + 3 * rank; }
/* Returns the first value that the root sends to rank i, or that rank i sends to the root. */
static int from_root(const place *p, int i) { return value(p, i); }

/* The root sends one layout, and the other ranks receive another. */
void coll_bcast(const place *p, int variant)
{
    int root = root_of(p);
    MPI_Request request = MPI_REQUEST_NULL;
    DTP_obj_t *o = rank == root ? object(p->from, p->s, value(p, root), p->elements) : object(p->to, p->r, 0, 0);
    if (!o)
        return;
    if (variant == BCAST)
        MUST(MPI_Bcast(BUFFER(o), root, MPI_COMM_WORLD));
    else
        DONE(MPI_Ibcast(BUFFER(o), root, MPI_COMM_WORLD, &request), &request);
    if (rank == root)
        check(p->from, p->s, value(p, root), 1, p->elements, "the root's buffer");
    else
        check(p->to, p->r, value(p, root), 1, p->elements, "the buffer");
}

/* Broadcasts from one rank of the lower half to all ranks of the upper half. */
void coll_bcast_inter(const place *p, int unused)
{
    MPI_Comm half, both;
    int upper = rank >= size / 2, local;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half));
    MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 5, &both));
    MUST(MPI_Comm_rank(half, &local));
    DTP_obj_t *o = upper ? object(p->to, p->r, 0, 0) : object(p->from, p->s, value(p, 0), p->elements);
    if (!o)
        return;
    MUST(MPI_Bcast(BUFFER(o), upper ? 0 : local == 0 ? MPI_ROOT : MPI_PROC_NULL, both));
    if (upper)
        check(p->to, p->r, value(p, 0), 1, p->elements, "the buffer");
    MUST(MPI_Comm_free(&both));
    MUST(MPI_Comm_free(&half));
}

/* Fills in counts of 1, and displacements of one object each. */
static void ones(int *counts, int *places)
{
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = i;
    }
}

/* Each rank sends an object; the root receives a row. */
void coll_gather(const place *p, int variant)
{
    int root = root_of(p), counts[size], places[size];
    MPI_Request request = MPI_REQUEST_NULL;
    row in;
    DTP_obj_t *o = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!o || !r || !row_of(r, &in))
        return;
    ones(counts, places);
    if (variant == GATHER)
        MUST(MPI_Gather(BUFFER(o), in.memory, 1, in.type, root, MPI_COMM_WORLD));
    else if (variant == IGATHER)
        DONE(MPI_Igather(BUFFER(o), in.memory, 1, in.type, root, MPI_COMM_WORLD, &request), &request);
    else
        MUST(MPI_Gatherv(BUFFER(o), in.memory, counts, places, in.type, root, MPI_COMM_WORLD));
    if (rank == root)
        check_row(p, &in, from_root);
    row_free(&in);
}

/* The root sends a row; each rank receives an object. */
void coll_scatter(const place *p, int variant)
{
    int root = root_of(p), counts[size], places[size];
    MPI_Request request = MPI_REQUEST_NULL;
    row out;
    DTP_obj_t *r = object(p->to, p->r, 0, 0);
    if (!r || !fill_row(p, &out, from_root))
        return;
    ones(counts, places);
    if (variant == SCATTER)
        MUST(MPI_Scatter(out.memory, 1, out.type, BUFFER(r), root, MPI_COMM_WORLD));
    else if (variant == ISCATTER)
        DONE(MPI_Iscatter(out.memory, 1, out.type, BUFFER(r), root, MPI_COMM_WORLD, &request), &request);
    else
        MUST(MPI_Scatterv(out.memory, counts, places, out.type, BUFFER(r), root, MPI_COMM_WORLD));
    check(p->to, p->r, value(p, rank), 1, p->elements, "the buffer received");
    row_free(&out);
}

/* Each rank sends an object; each rank receives a row. */
void coll_allgather(const place *p, int variant)
{
    int counts[size], places[size];
    MPI_Request request = MPI_REQUEST_NULL;
    row in;
    DTP_obj_t *o = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!o || !r || !row_of(r, &in))
        return;
    ones(counts, places);
    if (variant == ALLGATHER)
        MUST(MPI_Allgather(BUFFER(o), in.memory, 1, in.type, MPI_COMM_WORLD));
    else if (variant == IALLGATHER)
        DONE(MPI_Iallgather(BUFFER(o), in.memory, 1, in.type, MPI_COMM_WORLD, &request), &request);
    else
        MUST(MPI_Allgatherv(BUFFER(o), in.memory, counts, places, in.type, MPI_COMM_WORLD));
    check_row(p, &in, from_root);
    row_free(&in);
}

/* Each rank sends a row and receives a row. */
void coll_alltoall(const place *p, int variant)
{
    int counts[size], places[size], out_bytes[size], in_bytes[size];
    MPI_Datatype out_types[size], in_types[size];
    MPI_Request request = MPI_REQUEST_NULL;
    row out, in;
    DTP_obj_t *r = object(p->to, p->r, 0, 0);
    if (!r || !fill_row(p, &out, to_rank))
        return;
    if (!row_of(r, &in)) {
        row_free(&out);
        return;
    }
    ones(counts, places);
    for (int i = 0; i < size; i++) {
        out_types[i] = out.type;
        in_types[i] = in.type;
        out_bytes[i] = i * (int)out.distance;
        in_bytes[i] = i * (int)in.distance;
    }
/* The arguments of the w collectives. */
#define W out.memory, counts, out_bytes, out_types, in.memory, counts, in_bytes, in_types
    switch (variant) {
    case ALLTOALL: MUST(MPI_Alltoall(out.memory, 1, out.type, in.memory, 1, in.type, MPI_COMM_WORLD)); break;
    case IALLTOALL: DONE(MPI_Ialltoall(out.memory, 1, out.type, in.memory, 1, in.type, MPI_COMM_WORLD, &request), &request); break;
    case ALLTOALLV:
        MUST(MPI_Alltoallv(out.memory, counts, places, out.type, in.memory, counts, places, in.type, MPI_COMM_WORLD));
        break;
    case ALLTOALLW: MUST(MPI_Alltoallw(W, MPI_COMM_WORLD)); break;
    default: DONE(MPI_Ialltoallw(W, MPI_COMM_WORLD, &request), &request);
    }
    check_row(p, &in, from_rank);
    row_free(&out);
    row_free(&in);
}

/* A ring: the neighbors of each rank are the previous and the next one. */
void coll_neighbor(const place *p, int variant)
{
    int dims = size, periodic = 1, before = (rank + size - 1) % size, next = (rank + 1) % size;
    int two[2] = {1, 1};
    MPI_Comm ring;
    row in;
    DTP_obj_t *o = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (size < 2) /* a row has an object for each rank, and here two are needed */
        return;
    if (!o || !r || !row_of(r, &in))
        return;
    MPI_Aint at[2] = {0, 0}, into[2] = {0, (MPI_Aint)in.distance};
    MPI_Datatype sent[2] = {o->DTP_obj_type, o->DTP_obj_type}, received[2] = {in.type, in.type};
    int counts[2] = {o->DTP_obj_count, o->DTP_obj_count};
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periodic, 0, &ring));
    if (variant == NEIGHBOR_ALLGATHER)
        MUST(MPI_Neighbor_allgather(BUFFER(o), in.memory, 1, in.type, ring));
    else
        MUST(MPI_Neighbor_alltoallw(o->DTP_obj_buf, counts, at, sent, in.memory, two, into, received, ring));
    for (int i = 0; i < 2; i++) {
        memcpy(r->DTP_obj_buf, slice(&in, i), r->DTP_obj_bufsize);
        check(p->to, p->r, value(p, i == 0 ? before : next), 1, p->elements, i == 0 ? "the data from the rank before" : "the data from the rank after");
    }
    MUST(MPI_Comm_free(&ring));
    row_free(&in);
}

/* ---- reductions ---- */

/* Returns the first value that a rank contributes to a sum. It is negative on low ranks,
   so that a sum in a wrong type is noticed: the same bits have a different sum in
   another type, and the bits of a negative int are not a number as a float. */
static int summand(const place *p, int of) { return value(p, of) - 300; }

/* Returns the sum of the first elements of ranks from to to-1. The following elements
   are larger by the number of ranks each. */
static int sum(const place *p, int from, int to)
{
    int all = 0;
    for (int i = from; i < to; i++)
        all += summand(p, i);
    return all;
}

/* All reductions with MPI_SUM, of one basic type. */
void coll_reduce(const place *p, int variant)
{
    int root = root_of(p), n = p->elements, from = 0, to = size, has = 1;
    MPI_Request request = MPI_REQUEST_NULL;
    DTP_obj_t *o = object(p->from, 0, summand(p, rank), n), *r = object(p->to, 0, 0, 0);
    if (!o || !r)
        return;
    void *out = o->DTP_obj_buf, *in = r->DTP_obj_buf;
#define REDUCED out, in, n, p->basic, MPI_SUM
    if (variant == ALLREDUCE) {
        MUST(MPI_Allreduce(REDUCED, MPI_COMM_WORLD));
    } else if (variant == IALLREDUCE) {
        DONE(MPI_Iallreduce(REDUCED, MPI_COMM_WORLD, &request), &request);
    } else if (variant == REDUCE) {
        MUST(MPI_Reduce(REDUCED, root, MPI_COMM_WORLD));
        has = rank == root;
    } else if (variant == IREDUCE) {
        DONE(MPI_Ireduce(REDUCED, root, MPI_COMM_WORLD, &request), &request);
        has = rank == root;
    } else if (variant == SCAN) {
        MUST(MPI_Scan(REDUCED, MPI_COMM_WORLD));
        to = rank + 1;
    } else if (variant == EXSCAN) {
        MUST(MPI_Exscan(REDUCED, MPI_COMM_WORLD));
        to = rank;
        has = rank > 0;
    } else if (variant == REDUCE_LOCAL) {
        memcpy(in, out, o->DTP_obj_bufsize);
        MUST(MPI_Reduce_local(REDUCED));
        check(p->to, 0, 2 * summand(p, rank), 2, n, "the sum");
        return;
    } else {
        /* Either all elements go to one rank … */
        int counts[size];
        for (int i = 0; i < size; i++)
            counts[i] = i == root ? n : 0;
        has = rank == root;
        if (variant == REDUCE_SCATTER) {
            MUST(MPI_Reduce_scatter(out, in, counts, p->basic, MPI_SUM, MPI_COMM_WORLD));
        } else {
            /* … or each rank gets a block of the same length. */
            DTP_t pool;
            MPI_Datatype basic = p->basic;
            MUST(DTP_pool_create(basic, n * size, &pool));
            DTP_obj_t *all = object(pool, 0, summand(p, rank), n * size);
            if (all)
                MUST(MPI_Reduce_scatter_block(all->DTP_obj_buf, in, n, basic, MPI_SUM, MPI_COMM_WORLD));
            DTP_pool_free(pool);
            check(p->to, 0, sum(p, 0, size) + size * n * rank, size, n, "the sum");
            return;
        }
    }
    if (has)
        check(p->to, 0, sum(p, from, to), to - from, n, "the sum");
}

/* Pair types: the greatest and the least value, each with its index. Other types that
   have an order: the greatest and the least value. */
void coll_maxloc(const place *p, int unused)
{
    int pair = has_pair(p->type), n = p->elements < 32 ? p->elements : 32;
    if (!pair && (strstr(p->type, "COMPLEX") || strcmp(p->type, "MPI_BYTE") == 0 || strcmp(p->type, "MPI_CHAR") == 0 || strcmp(p->type, "MPI_WCHAR") == 0))
        return;
    /* At most 32 elements, so that the values fit into a signed char. */
    DTP_obj_t *o = object(p->from, 0, 5 + rank, n), *r = object(p->to, 0, 0, 0);
    if (!o || !r)
        return;
    MUST(MPI_Allreduce(o->DTP_obj_buf, r->DTP_obj_buf, n, p->basic, pair ? MPI_MAXLOC : MPI_MAX, MPI_COMM_WORLD));
    check(p->to, 0, 5 + size - 1, 1, n, "the greatest");
    MUST(MPI_Allreduce(o->DTP_obj_buf, r->DTP_obj_buf, n, p->basic, pair ? MPI_MINLOC : MPI_MIN, MPI_COMM_WORLD));
    check(p->to, 0, 5, 1, n, "the least");
}

/* The arguments of the last call of take_left, and the size of its operands. */
static MPI_Datatype seen;
static int seen_count;
static size_t seen_bytes;

/* A user-defined operation on any type, whose result is the left operand. */
static void take_left(void *in, void *inout, int *count, MPI_Datatype *type)
{
    seen = *type;
    seen_count = *count;
    memcpy(inout, in, seen_bytes);
}

/* The operation must receive the datatype and the count of the call. */
void coll_user_op(const place *p, int unused)
{
    MPI_Op op;
    int commutes = -1;
    DTP_obj_t *o = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!o || !r)
        return;
    MUST(MPI_Op_create(take_left, 0, &op));
    MUST(MPI_Op_commutative(op, &commutes));
    EXPECT("MPI_Op_commutative", commutes, 0);
    seen = MPI_DATATYPE_NULL;
    seen_bytes = o->DTP_obj_bufsize;
    MUST(MPI_Reduce_local(o->DTP_obj_buf, r->DTP_obj_buf, o->DTP_obj_count, o->DTP_obj_type, op));
    EXPECT("the type that the operation gets is the call's", seen == o->DTP_obj_type, 1);
    EXPECT("the count that the operation gets", seen_count, o->DTP_obj_count);
    check(p->to, p->r, value(p, rank), 1, p->elements, "the result");
    MUST(MPI_Op_free(&op));
    EXPECT("the operation that is freed is MPI_OP_NULL", op == MPI_OP_NULL, 1);
}
