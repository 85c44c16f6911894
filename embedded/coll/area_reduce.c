/*
 * Reductions by an area. They combine operands by the tree of reduce.c, so that their results have
 * the same bits. Datatypes must be one block without gaps, because operations read the parts where
 * they are. Which ranks write where:
 *
 *   Reduce                    the root writes results into the others' parts, which only it reads
 *   Allreduce of much data,   each rank combines a segment (its block), and writes into this segment of
 *   Reduce_scatter            all parts
 *   the others                all ranks read all parts; results go to memory of the rank's own
 *
 * No state, no locks.
 */
#include "area.h"
#include "reduce.h"
#include "../base/errors.h"
#include "../types/op_kernels.h"
#include "../types/types.h"

enum { SCRATCH = 4096 }; /* bytes of results of a rank's own, one for every second operand */

/* The operands of ranks 0 to n - 1, and how they are combined. */
struct operands {
    void *at[AREA_PROCESSES];
    int n;
    int64_t count;
    struct type *type;
    struct op *op;
};

static bool is_plain(const struct type *type) { return type->device.is_contig && !type->device.true_lb && type->device.size == type->device.extent; }

/* Returns whether the operation may use the area: the same in all ranks. */
static bool is_for_area(const struct collective *c, int64_t blocks)
{
    int64_t bytes = c->receive.count * c->receive.type->device.size, limit = area_limit(c->comm);
    return bytes > 0 && bytes <= limit && bytes * blocks <= limit && is_plain(c->receive.type);
}

/* Combines operands lo to lo + n - 1. The result is in the memory of the last one. Of the others, those
 * with an odd number are overwritten. */
static void combine_operands(const struct operands *o, int lo, int n)
{
    if (n < 2)
        return;
    int left = em_left_operands(n);
    combine_operands(o, lo, left);
    combine_operands(o, lo + left, n - left);
    em_apply(o->op, o->at[lo + left - 1], o->at[lo + n - 1], o->count, o->type);
}

/* Reports whether ranks first to end - 1 have given as many bytes as this rank. */
static bool have_as_many(struct area_call *a, int first, int end, int64_t bytes)
{
    for (int rank = first; rank < end; rank++) {
        uint32_t others = area_part_of(a->comm, rank, a->number)->bytes;
        if (likely(others == bytes))
            continue;
        a->error = em_error(MPI_ERR_TRUNCATE, "rank %d gives %u bytes and this rank %lld; the counts and datatypes must agree", rank, others, (long long)bytes);
        return false;
    }
    return true;
}

/* Waits for the operands of ranks first to end - 1. */
static bool wait_for_operands(struct area_call *a, int first, int end, int64_t bytes) { return em_area_wait(a, first, end) && have_as_many(a, first, end, bytes); }

/* Gives this rank's operand. */
static bool give_operand(struct area_call *a, const struct collective *c, int64_t bytes, int waiting)
{
    char *room = em_area_room(a, bytes);
    if (!room)
        return false;
    area_write(a, room, c->send.in_place ? c->receive.buf : c->send.buf, bytes);
    em_area_give(a, waiting);
    return true;
}

/* Collects the addresses of n ranks' operands in the area, from element `first` on. They are combined in the order of
 * the ranks. */
static struct operands operands_of(const struct area_call *a, const struct collective *c, int n, int64_t first, int64_t count)
{
    struct operands o = {.n = n, .count = count, .type = c->receive.type, .op = c->op};
    for (int rank = 0; rank < n; rank++)
        o.at[rank] = area_data(a, rank) + first * o.type->device.size;
    return o;
}

/* Combines two operands. The first one is in the other rank's part, which is read ahead in pieces. */
static void combine_pair(const struct operands *o)
{
    _Alignas(64) char scratch[SCRATCH];
    int64_t size = o->type->device.size, most = SCRATCH / size;
    if (most == 0 || o->count * size <= AREA_SMALL) {
        combine_operands(o, 0, 2);
        return;
    }
    for (int64_t i = 0, n; i < o->count; i += n) {
        n = o->count - i < most ? o->count - i : most;
        area_read(scratch, (char *)o->at[0] + i * size, n * size);
        em_apply(o->op, scratch, (char *)o->at[1] + i * size, n, o->type);
    }
}

/* Combines all operands in the rank me. */
static void combine_all(const struct operands *o, int me)
{
    if (o->n == 2 && me == 1)
        combine_pair(o);
    else
        combine_operands(o, 0, o->n);
}

/* Combines operands that all ranks read into the receive buffer. Others that would be overwritten are
 * copied. This rank's own is read where it is, unless the result overwrites it first. */
static void combine_copies(struct operands *o, const struct collective *c)
{
    _Alignas(16) char scratch[SCRATCH];
    int64_t bytes = o->count * o->type->device.size;
    int me = c->comm->rank, last = o->n - 1;
    char *next = scratch, *out = c->receive.buf;
    if (me <= last && (me == last || !c->send.in_place))
        o->at[me] = c->send.in_place ? out : c->send.buf;
    if (me != last)
        area_read(out, o->at[last], bytes);
    else if (o->at[last] != out)
        memcpy(out, o->at[last], (size_t)bytes);
    o->at[last] = out;
    for (int i = 1; i < last; i += 2, next += (bytes + 15) & ~(int64_t)15)
        o->at[i] = memcpy(next, o->at[i], (size_t)bytes);
    combine_all(o, me);
}

static bool has_scratch(int n, int64_t bytes) { return n == 2 || (n / 2) * ((bytes + 15) & ~(int64_t)15) <= SCRATCH; }

/* ---- Reduce ---- */

/* The root's own operand is where it is, unless it would be overwritten or is the result's memory. */
static void *own_operand(struct area_call *a, const struct collective *c, int64_t bytes)
{
    int me = c->comm->rank, n = c->comm->size;
    void *in = c->send.in_place ? c->receive.buf : c->send.buf, *room;
    if (me == n - 1)
        return in == c->receive.buf ? in : memcpy(c->receive.buf, in, (size_t)bytes);
    if (in != c->receive.buf && me % 2 == 0)
        return in;
    room = em_area_room(a, bytes);
    return room ? memcpy(room, in, (size_t)bytes) : NULL;
}

/* The operands are in the area except the root's own one. The last one is copied to the result, which the others are
 * combined into. */
static void reduce_at_root(struct area_call *a, const struct collective *c, int64_t bytes)
{
    int n = c->comm->size, me = c->comm->rank;
    void *own = own_operand(a, c, bytes);
    if (!own || !wait_for_operands(a, 0, me, bytes) || !wait_for_operands(a, me + 1, n, bytes))
        return;
    struct operands o = operands_of(a, c, n, 0, c->receive.count);
    o.at[me] = own;
    if (me != n - 1) {
        area_read(c->receive.buf, o.at[n - 1], bytes);
        o.at[n - 1] = c->receive.buf;
    }
    combine_all(&o, me);
}

bool em_area_reduce(const struct collective *c, const char *function, int *err)
{
    if (!is_for_area(c, 1))
        return false;
    int64_t bytes = c->receive.count * c->receive.type->device.size;
    struct area_call a = em_area_begin(c, function);
    if (c->comm->rank == c->root)
        reduce_at_root(&a, c, bytes);
    else
        give_operand(&a, c, bytes, c->root);
    return em_area_end(&a, err);
}

/* ---- results in all ranks ---- */

/* Each rank combines a segment of the operands into the last rank's part, which all then copy. */
static void allreduce_segments(struct area_call *a, const struct collective *c, int64_t bytes)
{
    int n = c->comm->size, me = c->comm->rank;
    int64_t first = c->receive.count * me / n, end = c->receive.count * (me + 1) / n;
    struct operands o = operands_of(a, c, n, first, end - first);
    const char *result = area_data(a, n - 1);
    if (end > first)
        combine_operands(&o, 0, n);
    a->number = ++c->comm->area.number;
    a->second = true;
    if (!em_area_room(a, 0))
        return;
    em_area_give(a, TO_ALL);
    if (em_area_wait(a, 0, n))
        area_read(c->receive.buf, result, bytes);
}

/* Two operands that fit into lines. */
static void allreduce_pair(struct area_call *a, const struct collective *c, int64_t bytes)
{
    char *out = c->receive.buf;
    if (!em_area_exchange(a, c->send.in_place ? out : c->send.buf, bytes) || !have_as_many(a, 0, 2, bytes))
        return;
    area_copy_line(out, area_part_of(c->comm, 1, a->number)->data, bytes);
    em_apply(c->op, area_part_of(c->comm, 0, a->number)->data, out, c->receive.count, c->receive.type);
}

/* Operands that fit into lines, combined level by level: the same tree as in combine_operands. */
static void allreduce_lines(struct area_call *a, const struct collective *c, int64_t bytes)
{
    struct {
        _Alignas(16) char data[AREA_SMALL];
    } operands[AREA_PROCESSES];
    int n = c->comm->size;
    if (!em_area_exchange(a, c->send.in_place ? c->receive.buf : c->send.buf, bytes) || !have_as_many(a, 0, n, bytes))
        return;
    for (int rank = 0; rank < n; rank++)
        area_copy_line(operands[rank].data, area_part_of(c->comm, rank, a->number)->data, bytes);
    em_kernel_function *kernel = em_kernel_of(c->op, c->receive.type);
    for (int left = 1; left < n; left *= 2)
        for (int first = 0; first + left < n; first += 2 * left) {
            int end = first + 2 * left < n ? first + 2 * left : n;
            const char *in = operands[first + left - 1].data;
            char *inout = operands[end - 1].data;
            if (likely(kernel))
                kernel(in, inout, c->receive.count);
            else
                em_apply(c->op, in, inout, c->receive.count, c->receive.type);
        }
    area_copy_line(c->receive.buf, operands[n - 1].data, bytes);
}

bool em_area_allreduce(const struct collective *c, const char *function, int *err)
{
    if (!is_for_area(c, 1))
        return false;
    int n = c->comm->size;
    int64_t bytes = c->receive.count * c->receive.type->device.size;
    struct area_call a = em_area_begin(c, function);
    if (bytes <= AREA_SMALL) {
        (n == 2 ? allreduce_pair : allreduce_lines)(&a, c, bytes);
        return em_area_end(&a, err);
    }
    if (give_operand(&a, c, bytes, TO_ALL) && wait_for_operands(&a, 0, n, bytes)) {
        if (has_scratch(n, bytes)) {
            struct operands o = operands_of(&a, c, n, 0, c->receive.count);
            combine_copies(&o, c);
        } else {
            allreduce_segments(&a, c, bytes);
        }
    }
    return em_area_end(&a, err);
}

/* Each rank combines only the elements that it keeps, straight from the others' parts. */
bool em_area_reduce_scatter(const struct collective *c, const char *function, int *err)
{
    int n = c->comm->size;
    if (c->receive.form != SIDE_EACH || !is_for_area(c, n))
        return false;
    int64_t bytes = c->receive.count * c->receive.type->device.size;
    struct area_call a = em_area_begin(c, function);
    if (give_operand(&a, c, bytes * n, TO_ALL) && wait_for_operands(&a, 0, n, bytes * n)) {
        struct operands o = operands_of(&a, c, n, c->receive.count * c->comm->rank, c->receive.count);
        combine_operands(&o, 0, n);
        memcpy(c->receive.buf, o.at[n - 1], (size_t)bytes);
    }
    return em_area_end(&a, err);
}

/* ---- Scan, Exscan: of the operands of ranks 0 to n - 1 ---- */

static bool scan(const struct collective *c, int n, const char *function, int *err)
{
    int64_t bytes = c->receive.count * c->receive.type->device.size;
    if (!is_for_area(c, 1) || !has_scratch(c->comm->size, bytes))
        return false;
    struct area_call a = em_area_begin(c, function);
    if (give_operand(&a, c, bytes, TO_ALL) && wait_for_operands(&a, 0, c->comm->size, bytes) && n) {
        struct operands o = operands_of(&a, c, n, 0, c->receive.count);
        combine_copies(&o, c);
    }
    return em_area_end(&a, err);
}

bool em_area_scan(const struct collective *c, const char *function, int *err) { return scan(c, c->comm->rank + 1, function, err); }
bool em_area_exscan(const struct collective *c, const char *function, int *err) { return scan(c, c->comm->rank, function, err); }
