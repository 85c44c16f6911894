/*
 * Reductions of large counts (MPI-5.0, 6.9 to 6.11) over a library with int counts. They work
 * element by element, so they need no datatype in place of many elements: they are made piece by
 * piece, with the program's operation and datatype.
 *
 * A blocking reduction waits for each piece. A nonblocking or persistent one starts all pieces at
 * once: the last one is the record's inner request, and the record owns the others (struct
 * pieces). When all are over, the result is copied to its place if it was reduced elsewhere. No
 * lock: a request belongs to one thread at a time.
 *
 * Gives: struct pieces, via_int_MPI_Reduce_scatter_c and its kind.
 * Needs: large.h, large_types.h, exchange.h.
 */
#ifndef WI4GO_REDUCE_H
#define WI4GO_REDUCE_H
#include "large.h"
#include "large_types.h"
#include "exchange.h"

/* A piece of a reduction, of at most wi4go_max_count elements. */
struct piece {
    MPI_Count at;               /* the index of its first element */
    int n;                      /* its number of elements */
    MPI_Aint bytes;             /* its distance from the beginning of the buffer */
};

/* Moves on to the next piece of count elements. Reports whether there is one. */
static int next_piece(struct piece *p, MPI_Count count, MPI_Aint extent)
{
    p->at += p->n;
    const MPI_Count left = count - p->at;
    p->n = (int)(left < wi4go_max_count ? left : wi4go_max_count);
    p->bytes = p->at * extent;
    return left > 0;
}
/* The address of a piece in a buffer, which may be MPI_IN_PLACE. */
#define PIECE_OF(buffer, p) ((buffer) == MPI_IN_PLACE ? (void *)(buffer) : (char *)(buffer) + (p).bytes)

/* Allocates memory for count elements. Returns the address to use as a buffer, or NULL when
   memory is exhausted. The caller frees *memory. */
static void *result_memory(MPI_Count count, MPI_Datatype datatype, MPI_Aint extent, void **memory)
{
    MPI_Aint lb = 0, span = 0;
    MPI_Type_get_true_extent(datatype, &lb, &span);
    span += count > 1 ? (count - 1) * extent : 0;
    *memory = malloc(span > 0 ? (size_t)span : 1);
    return *memory ? (char *)*memory - lb : NULL;
}

/* Adds up the counts of n processes. counts may be NULL: then each count is `same`. Writes the
   sum to *total, and the sum of the counts before process me to *before. Returns 0, or an error
   class. */
static int sum_counts(const MPI_Count *counts, MPI_Count same, int n, int me, MPI_Count *before, MPI_Count *total)
{
    *total = 0;
    for (int i = 0; i < n; i++) {
        const MPI_Count count = counts ? counts[i] : same;
        if (i == me)
            *before = *total;
        if (count < 0 || __builtin_add_overflow(*total, count, total))
            return MPI_ERR_COUNT;
    }
    return 0;
}

/* ---- nonblocking and persistent ones: all pieces are under way at once ---- */

/* The pieces of a nonblocking reduction. */
struct pieces {
    int n;                      /* the number of requests in begun; the last piece is the record's inner request */
    char *from;                 /* the data to copy when all is over, or NULL */
    void *to;                   /* the destination of this copy */
    MPI_Count count;            /* its number of elements */
    MPI_Datatype datatype;
    void *memory;               /* allocated memory that contains `from`; owned */
    MPI_Request begun[];
};

/* Reports whether all pieces except the last are over, and stores their first error. */
int wi4go_pieces_ready(struct emulated *e)
{
    struct pieces *p = ((struct persistent *)e)->pieces;
    int flag = 0;
    if (!p)
        return 1;
    if (p->n) {
        int rc = MPI_Testall(p->n, p->begun, &flag, MPI_STATUSES_IGNORE);
        if (rc && !e->error)
            e->error = rc;
        if (rc || flag)
            p->n = 0;
    }
    return !p->n;
}

/* Copies the result to its place. Returns an error code. */
static int copy_result(const struct pieces *p)
{
    return p && p->from ? copy_elements(p->from, p->count, p->datatype, p->to, p->count, p->datatype) : MPI_SUCCESS;
}

int wi4go_pieces_complete(struct emulated *e) { return copy_result(((struct persistent *)e)->pieces); }

static void pieces_free(struct pieces *p)
{
    if (p)
        free(p->memory);
    free(p);
}

void wi4go_pieces_discard(struct emulated *e)
{
    struct persistent *p = (struct persistent *)e;
    pieces_free(p->pieces);
    if (e->persistent)
        wi4go_persistent_discard(e);
}

/* Returns space for the largest number of pieces that n counts with this sum can have. */
static struct pieces *pieces_new(int n, MPI_Count total)
{
    struct pieces *p = calloc(1, sizeof *p + (size_t)(total / wi4go_max_count + n) * sizeof *p->begun);
    if (!p)
        wi4go_die("out of memory for the pieces of a reduction");
    return p;
}

/* Returns the place for the next piece's request, and moves the previous one to begun. */
static MPI_Request *next_request(struct persistent *r)
{
    if (r->request.inner[0] != MPI_REQUEST_NULL)
        r->pieces->begun[r->pieces->n++] = r->request.inner[0];
    r->request.inner[0] = MPI_REQUEST_NULL;
    return &r->request.inner[0];
}

static const struct emulated_kind reduction = {
    .size = sizeof(struct persistent), .ready = wi4go_pieces_ready, .complete = wi4go_pieces_complete, .discard = wi4go_pieces_discard,
};

/* Returns the record of a nonblocking reduction. It holds the datatype, which the final copy
   needs and the program may free. */
static struct persistent *reduction_new(MPI_Datatype datatype)
{
    struct persistent *r = (struct persistent *)wi4go_request_new(&reduction, 0);
    wi4go_request_hold(&r->request, SLOT_MPI_Type_free, datatype);
    return r;
}

/* ---- scattered ones ---- */

/* Reduces count elements at a root, or everywhere if root is negative. With a record, starts the
   pieces; without one, waits for each. */
static int reduce_part(struct persistent *r, const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Aint extent, MPI_Op op, int root, MPI_Comm comm)
{
    struct piece piece = {0, 0, 0};
    int rc = 0;
    while (!rc && next_piece(&piece, count, extent)) {
        const void *from = PIECE_OF(sendbuf, piece);
        void *to = PIECE_OF(recvbuf, piece);
        if (root < 0)
            rc = r ? MPI_Iallreduce(from, to, piece.n, datatype, op, comm, next_request(r)) : MPI_Allreduce(from, to, piece.n, datatype, op, comm);
        else
            rc = r ? MPI_Ireduce(from, to, piece.n, datatype, op, root, comm, next_request(r)) : MPI_Reduce(from, to, piece.n, datatype, op, root, comm);
    }
    return rc;
}

/* Reduces the part of each process at that process. In place, the result goes to other memory
   first and then to the beginning of the buffer, because the rest of the buffer must stay
   unchanged. On an intercommunicator, whose groups have different parts, everything is reduced
   everywhere, into memory of `total` elements. Without a record all is done on return. */
static int reduce_scatter(struct persistent *r, const void *sendbuf, void *recvbuf, const MPI_Count *counts, MPI_Count same,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const int n = (int)wi4go_members(comm), me = own_rank(comm), inter = is_inter(comm), in_place = sendbuf == MPI_IN_PLACE;
    MPI_Count before = 0, total = 0;
    MPI_Aint extent = 0;
    int rc = 0, wrong = sum_counts(counts, same, n, me, &before, &total);
    if (!wrong)
        wrong = out_of_range(total, datatype, &extent);
    if (wrong)
        return wi4go_raise(WI4GO_COMM, comm, wrong);
    struct pieces *p = pieces_new(n, total);
    if (r)
        r->pieces = p;
    p->count = counts ? counts[me] : same;
    p->datatype = datatype;
    p->to = recvbuf;
    char *room = NULL;
    if (inter || (in_place && before)) {
        room = result_memory(inter ? total : p->count, datatype, extent, &p->memory);
        if (!room)
            rc = wi4go_raise(WI4GO_COMM, comm, MPI_ERR_NO_MEM);
    }
    if (!rc && inter) {
        rc = reduce_part(r, sendbuf, room, total, datatype, extent, op, -1, comm);
        p->from = p->count ? room + before * extent : NULL;
    } else if (!rc) {
        /* One reduction for each process, with that process as its root. */
        const char *from = in_place ? recvbuf : sendbuf;
        for (int i = 0; i < n && !rc; i++) {
            const MPI_Count count = counts ? counts[i] : same;
            if (in_place && i == me && !before)
                rc = reduce_part(r, MPI_IN_PLACE, recvbuf, count, datatype, extent, op, i, comm);
            else
                rc = reduce_part(r, from, room ? room : recvbuf, count, datatype, extent, op, i, comm);
            from += count * extent;
        }
        p->from = p->count ? room : NULL;
    }
    if (r)
        return rc;
    if (!rc)
        rc = copy_result(p);
    pieces_free(p);
    return rc;
}

/* Reports whether all counts fit an int. */
static int all_fit(const MPI_Count *counts, MPI_Comm comm)
{
    const int64_t n = wi4go_members(comm);
    for (int64_t i = 0; i < n; i++)
        if (!FITS(counts[i]))
            return 0;
    return 1;
}

int via_int_MPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count *recvcounts, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (unlikely(!recvcounts))
        return wi4go_raise(WI4GO_COMM, comm, MPI_ERR_ARG);
    if (unlikely(!all_fit(recvcounts, comm)))
        return reduce_scatter(NULL, sendbuf, recvbuf, recvcounts, 0, datatype, op, comm);
    NARROWED(recvcounts, wi4go_members(comm));
    return MPI_Reduce_scatter(sendbuf, recvbuf, narrow_recvcounts.array, datatype, op, comm);
}

int via_int_MPI_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (unlikely(!FITS(recvcount)))
        return reduce_scatter(NULL, sendbuf, recvbuf, NULL, recvcount, datatype, op, comm);
    return MPI_Reduce_scatter_block(sendbuf, recvbuf, (int)recvcount, datatype, op, comm);
}

/* The library may read the counts until the request is over, so the record keeps them. */
static int begin_MPI_Ireduce_scatter_c(struct persistent *r, const void *sendbuf, void *recvbuf, const MPI_Count *recvcounts,
                                       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const int64_t n = wi4go_members(comm);
    if (unlikely(!recvcounts))
        return wi4go_raise(WI4GO_COMM, comm, MPI_ERR_ARG);
    if (unlikely(!all_fit(recvcounts, comm)))
        return reduce_scatter(r, sendbuf, recvbuf, recvcounts, 0, datatype, op, comm);
    if (!r->counts) {
        NARROWED(recvcounts, n);
        r->counts = wi4go_request_copy(&r->request, narrow_recvcounts.array, n, sizeof *r->counts);
    }
    return MPI_Ireduce_scatter(sendbuf, recvbuf, r->counts, datatype, op, comm, &r->request.inner[0]);
}

static int begin_MPI_Ireduce_scatter_block_c(struct persistent *r, const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (likely(FITS(recvcount)))
        return MPI_Ireduce_scatter_block(sendbuf, recvbuf, (int)recvcount, datatype, op, comm, &r->request.inner[0]);
    return reduce_scatter(r, sendbuf, recvbuf, NULL, recvcount, datatype, op, comm);
}

int via_int_MPI_Ireduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count *recvcounts, MPI_Datatype datatype, MPI_Op op,
                                   MPI_Comm comm, MPI_Request *request)
{
    struct persistent *r = reduction_new(datatype);
    return finish_start(r, begin_MPI_Ireduce_scatter_c(r, sendbuf, recvbuf, recvcounts, datatype, op, comm), request);
}

int via_int_MPI_Ireduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                                         MPI_Comm comm, MPI_Request *request)
{
    if (likely(FITS(recvcount)))
        return MPI_Ireduce_scatter_block(sendbuf, recvbuf, (int)recvcount, datatype, op, comm, request);
    struct persistent *r = reduction_new(datatype);
    return finish_start(r, begin_MPI_Ireduce_scatter_block_c(r, sendbuf, recvbuf, recvcount, datatype, op, comm), request);
}
#endif
