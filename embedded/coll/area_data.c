/*
 * Collective operations by an area that move data. Blocks have the same number of bytes in all
 * processes, which decides whether the area is used. No state, no locks.
 */
#include "area.h"
#include "../base/errors.h"
#include "../types/types.h"

/* Copies a block into bytes, and back. An error is the call's. */
static void pack_block(struct area_call *a, struct block block, char *bytes)
{
    int64_t n = block_bytes(block);
    if (likely(block.type->device.is_contig))
        area_write(a, bytes, (char *)block.buf + block.type->device.true_lb, n);
    else
        a->error = em_copy(block.buf, block.count, block.type, bytes, n, em_byte());
}

/* Both lengths are errors: the datatypes of one collective operation must match exactly (MPI-5.0, 6.1). */
static void unpack_block(struct area_call *a, const char *bytes, int64_t n, struct block block)
{
    if (unlikely(n > block_bytes(block)))
        a->error = em_error(MPI_ERR_TRUNCATE, "a rank has sent more than this rank receives");
    else if (unlikely(n < block_bytes(block)))
        a->error = em_error(MPI_ERR_COUNT, "a rank has sent less than this rank receives");
    else if (likely(block.type->device.is_contig))
        area_read((char *)block.buf + block.type->device.true_lb, bytes, n);
    else
        a->error = em_copy(bytes, n, em_byte(), block.buf, block.count, block.type);
}

/* Copies this rank's own block, which needs no area. */
static void move_own(struct area_call *a, struct block from, struct block to)
{
    int err = em_copy(from.buf, from.count, from.type, to.buf, to.count, to.type);
    if (unlikely(err))
        a->error = em_error(err, "this rank sends more to itself than it receives");
}

static bool fits(const struct collective *c, int64_t bytes) { return bytes > 0 && bytes <= area_limit(c->comm); }

/* With a core for each of two ranks, messages move more than a line of data faster than the area. */
static bool fits_one_way(const struct collective *c, int64_t bytes) { return fits(c, bytes) && (bytes <= AREA_SMALL || !area_is_pair(c->comm)); }

/* Returns false if the data does not fit into the area. All ranks decide alike, because they pass equal amounts. */
bool em_area_bcast(const struct collective *c, const char *function, int *err)
{
    struct block block = side_block(&c->receive, 0);
    int64_t bytes = block_bytes(block);
    if (!fits_one_way(c, bytes))
        return false;
    struct area_call a = em_area_begin(c, function);
    if (c->comm->rank == c->root) {
        char *room = em_area_room(&a, bytes);
        if (room) {
            pack_block(&a, block, room);
            em_area_give_alone(&a);
        }
    } else if (em_area_wait(&a, c->root, c->root + 1)) {
        unpack_block(&a, area_data(&a, c->root), area_part_of(c->comm, c->root, a.number)->bytes, block);
    }
    return em_area_end(&a, err);
}

/* Gives this process's block. */
static bool give_block(struct area_call *a, struct block block, int waiting)
{
    char *room = em_area_room(a, block_bytes(block));
    if (!room)
        return false;
    pack_block(a, block, room);
    em_area_give(a, waiting);
    return true;
}

/* Waits for the blocks of all processes but this one. */
static bool wait_for_others(struct area_call *a)
{
    int me = a->comm->rank;
    return em_area_wait(a, 0, me) && em_area_wait(a, me + 1, a->comm->size);
}

static void take_block(struct area_call *a, const struct side *receive, int rank)
{
    unpack_block(a, area_data(a, rank), area_part_of(a->comm, rank, a->number)->bytes, side_block(receive, rank));
}

bool em_area_gather(const struct collective *c, const char *function, int *err)
{
    int me = c->comm->rank;
    struct block own = me == c->root ? side_block(&c->receive, 0) : side_block(&c->send, 0);
    if (c->receive.form != SIDE_EACH || !fits_one_way(c, block_bytes(own)))
        return false;
    struct area_call a = em_area_begin(c, function);
    if (me != c->root) {
        give_block(&a, own, c->root);
        return em_area_end(&a, err);
    }
    if (!c->send.in_place)
        move_own(&a, side_block(&c->send, 0), side_block(&c->receive, me));
    if (wait_for_others(&a))
        for (int rank = 0; rank < c->comm->size; rank++)
            if (rank != me)
                take_block(&a, &c->receive, rank);
    return em_area_end(&a, err);
}

/* Gives all blocks of a side in one part. */
static bool give_blocks(struct area_call *a, const struct side *side, int64_t bytes, int n)
{
    char *room = em_area_room(a, bytes * n);
    for (int rank = 0; room && rank < n; rank++)
        pack_block(a, side_block(side, rank), room + bytes * rank);
    return room != NULL;
}

/* Reads this rank's piece of a part that contains one piece for each rank. */
static void take_own(struct area_call *a, int from, int64_t bytes, struct block block)
{
    const struct area_part *part = area_part_of(a->comm, from, a->number);
    unpack_block(a, area_data(a, from) + part->bytes / (unsigned)a->comm->size * (unsigned)a->comm->rank, bytes, block);
}

/* The root gives one part with all blocks. The limit counts all of them, so every rank decides alike. */
bool em_area_scatter(const struct collective *c, const char *function, int *err)
{
    int n = c->comm->size, me = c->comm->rank;
    struct block own = me == c->root ? side_block(&c->send, me) : side_block(&c->receive, 0);
    int64_t bytes = block_bytes(own);
    if (c->send.form != SIDE_EACH || !fits(c, bytes) || !fits_one_way(c, bytes * n))
        return false;
    struct area_call a = em_area_begin(c, function);
    if (me != c->root) {
        if (em_area_wait(&a, c->root, c->root + 1))
            take_own(&a, c->root, area_part_of(c->comm, c->root, a.number)->bytes / (unsigned)n, own);
        return em_area_end(&a, err);
    }
    if (give_blocks(&a, &c->send, bytes, n))
        em_area_give_alone(&a);
    if (!c->receive.in_place)
        move_own(&a, own, side_block(&c->receive, 0));
    return em_area_end(&a, err);
}

bool em_area_allgather(const struct collective *c, const char *function, int *err)
{
    int me = c->comm->rank;
    struct block own = side_block(&c->receive, me);
    if (c->receive.form != SIDE_EACH || !fits(c, block_bytes(own)))
        return false;
    struct area_call a = em_area_begin(c, function);
    if (!c->send.in_place)
        move_own(&a, side_block(&c->send, 0), own);
    if (give_block(&a, own, TO_ALL) && wait_for_others(&a))
        for (int rank = 0; rank < c->comm->size; rank++)
            if (rank != me)
                take_block(&a, &c->receive, rank);
    return em_area_end(&a, err);
}

/* Each rank gives one part with a block for every rank, and reads one block of every part. */
bool em_area_alltoall(const struct collective *c, const char *function, int *err)
{
    int n = c->comm->size, me = c->comm->rank;
    int64_t bytes = block_bytes(side_block(&c->receive, me));
    if (c->receive.form != SIDE_EACH || !fits(c, bytes) || !fits(c, bytes * n))
        return false;
    struct area_call a = em_area_begin(c, function);
    if (give_blocks(&a, c->send.in_place ? &c->receive : &c->send, bytes, n))
        em_area_give(&a, TO_ALL);
    if (!c->send.in_place)
        move_own(&a, side_block(&c->send, me), side_block(&c->receive, me));
    if (wait_for_others(&a))
        for (int rank = 0; rank < n; rank++)
            if (rank != me)
                take_own(&a, rank, area_part_of(c->comm, rank, a.number)->bytes / (unsigned)n, side_block(&c->receive, rank));
    return em_area_end(&a, err);
}
