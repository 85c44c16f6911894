/* Plans: which elements go from one part to another. In each dimension, the ranges of both parts are cut into the pieces
 * that they have in common. The product of the pieces of all dimensions is a list of boxes, and boxes that continue each
 * other are merged. */
#include "internal.h"
#include <stdlib.h>
#include <string.h>

/* A piece of one dimension: indices of a source's range that go to indices of a destination's range. */
struct piece {
    int src_range, dst_range, step;   /* the ranges; step 1: one index for each, 0: one source index for all, -1: zeros */
    MPI_Count src, dst, length, real; /* the first index, from the beginning of each range; the number of destination
                                       * indices; the first index in D */
};
/* A list of pieces. {0} is an empty one; the owner frees it. */
struct pieces {
    struct piece *piece;
    int n, room; /* used, and allocated */
};

/* Appends a piece. */
static int add_piece(struct pieces *p, struct piece piece)
{
    if (p->n == p->room) {
        int room = p->room ? 2 * p->room : 16;
        struct piece *new = realloc(p->piece, room * sizeof *new);
        if (!new)
            return dri_fail(DRI_ERR_NOMEM, "no memory for a plan of %d pieces", room);
        p->piece = new, p->room = room;
    }
    p->piece[p->n++] = piece;
    return DRI_SUCCESS;
}

/* Cuts the ranges of a destination, with their overlap, at the edges of D, and appends pieces that still lack a source. The
 * indices of a piece are consecutive in D; overlap beyond an edge becomes pieces that take D's other end, its last
 * element, or zeros. */
static int unfold(const struct dri_gdo *gdo, const struct cut *cut, const struct place *to, int d, struct pieces *out)
{
    MPI_Count first = gdo->lo[d], last = gdo->hi[d], size = last - first + 1;
    for (int i = 0; i < to->count[d]; i++) {
        MPI_Count lo = to->lo[d][i], hi = lo + to->length[d][i] - 1;
        for (MPI_Count at = lo, next; at <= hi; at = next) {
            bool inside = at >= first && at <= last;
            struct piece p = {.dst_range = i, .dst = at - lo, .step = 1, .real = at};
            next = inside ? last + 1 : at < first ? first : INT64_MAX;
            if (!inside && cut->edge[d] == DRI_EDGE_WRAP) {
                MPI_Count within = ((at - first) % size + size) % size;
                p.real = first + within;
                next = at + size - within;
            } else if (!inside) {
                p.step = cut->edge[d] == DRI_EDGE_COPY ? 0 : -1;
                p.real = at < first ? first : last;
            }
            if (next > hi)
                next = hi + 1;
            p.length = next - at;
            TRY(add_piece(out, p));
        }
    }
    return DRI_SUCCESS;
}

/* Appends the parts of a destination's pieces that a source has. The source's ranges are in ascending order, so a binary
 * search finds the first range that matters. */
static int intersect_pieces(const struct place *from, int d, const struct pieces *wanted, struct pieces *out)
{
    const MPI_Count *lo = from->lo[d], *length = from->length[d];
    for (int i = 0; i < wanted->n; i++) {
        const struct piece *w = &wanted->piece[i];
        if (w->step < 0)
            continue;
        MPI_Count end = w->step ? w->real + w->length : w->real + 1;
        int a = 0, b = from->count[d]; /* finds the first range that ends after the beginning of the piece */
        while (a < b) {
            int middle = (a + b) / 2;
            if (lo[middle] + length[middle] <= w->real)
                a = middle + 1;
            else
                b = middle;
        }
        for (; a < from->count[d] && lo[a] < end; a++) {
            MPI_Count begin = lo[a] > w->real ? lo[a] : w->real, behind = lo[a] + length[a] < end ? lo[a] + length[a] : end;
            if (begin >= behind)
                continue;
            struct piece p = *w;
            p.src_range = a;
            p.src = begin - lo[a];
            if (w->step) {
                p.dst += begin - w->real;
                p.length = behind - begin;
            }
            TRY(add_piece(out, p));
        }
    }
    return DRI_SUCCESS;
}

/* ---- boxes ---- */

/* The product of the pieces of all dimensions, while it is being computed. */
struct product {
    int n;                                 /* dimensions */
    const struct place *from, *to;         /* from is NULL for zeros */
    struct pieces pieces[DRI_MAX_DIMS];    /* the pieces in each dimension */
    const struct piece *now[DRI_MAX_DIMS]; /* the current piece of each dimension */
    struct moves *out;                     /* the boxes so far */
};

/* Appends the box of the current pieces. */
static int add_box(struct product *p)
{
    struct moves *m = p->out;
    if (m->n == m->room) {
        int room = m->room ? 2 * m->room : 4;
        struct move *new = realloc(m->move, room * sizeof *new);
        if (!new)
            return dri_fail(DRI_ERR_NOMEM, "no memory for a plan of %d boxes", room);
        m->move = new, m->room = room;
    }
    struct move *move = &m->move[m->n++];
    int src_block[DRI_MAX_DIMS], dst_block[DRI_MAX_DIMS];
    MPI_Count src_strides[DRI_MAX_DIMS] = {0}, dst_strides[DRI_MAX_DIMS];
    for (int d = 0; d < p->n; d++) {
        src_block[d] = p->now[d]->src_range;
        dst_block[d] = p->now[d]->dst_range;
    }
    move->n = p->n;
    move->open = -1;
    move->src = p->from ? dri_place_block(p->from, src_block, src_strides) : 0;
    move->dst = dri_place_block(p->to, dst_block, dst_strides);
    for (int d = 0; d < p->n; d++) {
        const struct piece *now = p->now[d];
        move->src += now->src * src_strides[d];
        move->dst += now->dst * dst_strides[d];
        move->dims[d] = (struct dimension){now->length, now->step > 0 ? src_strides[d] : 0, dst_strides[d]};
    }
    return DRI_SUCCESS;
}

/* Reports whether b continues a, so that both can be one box: b is the next index of the dimension that was added to a at
 * this level, or a has none yet, and b becomes the second index of a new dimension. */
static bool continues(const struct move *a, const struct move *b, int level)
{
    int n = a->n - (a->open == level);
    if (b->n != n || (a->n == n && n == MOVE_DIMS) || memcmp(a->dims, b->dims, n * sizeof *a->dims))
        return false;
    if (a->open != level)
        return b->src >= a->src && b->dst >= a->dst;
    const struct dimension *last = &a->dims[n];
    return b->src == a->src + last->length * last->src && b->dst == a->dst + last->length * last->dst;
}

/* Merges b into a. continues must have returned true. */
static void put_behind(struct move *a, const struct move *b, int level)
{
    if (a->open == level) {
        a->dims[a->n - 1].length++;
        return;
    }
    a->dims[a->n++] = (struct dimension){2, b->src - a->src, b->dst - a->dst};
    a->open = level;
}

/* Appends the boxes of all pieces of the dimensions from d on. If the boxes of a piece are the boxes of the previous piece,
 * only moved, they are merged into those as another dimension. So a cyclic part has few boxes. */
static int multiply(struct product *p, int d)
{
    if (d == p->n)
        return add_box(p);
    int before = -1, first = p->out->n;
    for (int i = 0; i < p->pieces[d].n; i++) {
        p->now[d] = &p->pieces[d].piece[i];
        int begin = p->out->n;
        TRY(multiply(p, d + 1));
        int n = p->out->n - begin;
        struct move *m = p->out->move;
        bool same = before >= 0 && begin - before == n && n > 0;
        for (int j = 0; same && j < n; j++)
            same = continues(&m[before + j], &m[begin + j], d);
        if (same) {
            for (int j = 0; j < n; j++)
                put_behind(&m[before + j], &m[begin + j], d);
            p->out->n = begin;
        } else
            before = begin;
    }
    for (int i = first; i < p->out->n; i++)
        p->out->move[i].open = -1;
    return DRI_SUCCESS;
}

/* Frees the pieces of n dimensions. */
static void free_dimensions(struct pieces pieces[], int n)
{
    for (int d = 0; d < n; d++)
        free(pieces[d].piece);
}

int dri_plan(const struct dri_gdo *gdo, const struct cut *src, const struct place *from, const struct cut *dst, const struct place *to,
             struct moves *moves)
{
    struct product p = {.n = gdo->n, .from = from, .to = to, .out = moves};
    int class = DRI_SUCCESS;
    for (int d = 0; !class && d < gdo->n; d++) {
        struct pieces wanted = {0};
        class = unfold(gdo, dst, to, d, &wanted);
        if (!class)
            class = intersect_pieces(from, d, &wanted, &p.pieces[d]);
        free(wanted.piece);
    }
    if (!class)
        class = multiply(&p, 0);
    free_dimensions(p.pieces, gdo->n);
    return class;
}

/* Appends the pieces that are zeros, or the ones that are not. */
static int select_pieces(const struct pieces *all, bool zeros, struct pieces *out)
{
    for (int i = 0; i < all->n; i++)
        if ((all->piece[i].step < 0) == zeros)
            TRY(add_piece(out, all->piece[i]));
    return DRI_SUCCESS;
}

/* An element is zero if its index is beyond an edge in at least one dimension. To plan each element once, the boxes of
 * dimension d have data in the dimensions before d, zeros in d, and anything in the dimensions after it. */
int dri_plan_zeros(const struct dri_gdo *gdo, const struct cut *dst, const struct place *to, struct moves *moves)
{
    struct pieces all[DRI_MAX_DIMS] = {{0}}, data[DRI_MAX_DIMS] = {{0}}, zeros[DRI_MAX_DIMS] = {{0}};
    int class = DRI_SUCCESS;
    for (int d = 0; !class && d < gdo->n; d++) {
        class = unfold(gdo, dst, to, d, &all[d]);
        if (!class)
            class = select_pieces(&all[d], false, &data[d]);
        if (!class)
            class = select_pieces(&all[d], true, &zeros[d]);
    }
    for (int d = 0; !class && d < gdo->n; d++) {
        struct product p = {.n = gdo->n, .to = to, .out = moves};
        for (int e = 0; e < gdo->n; e++)
            p.pieces[e] = e < d ? data[e] : e == d ? zeros[e] : all[e];
        class = multiply(&p, 0);
    }
    free_dimensions(all, gdo->n);
    free_dimensions(data, gdo->n);
    free_dimensions(zeros, gdo->n);
    return class;
}

int dri_plan_copy(const struct place *place, struct moves *moves)
{
    struct product p = {.n = place->n, .from = place, .to = place, .out = moves};
    int class = DRI_SUCCESS;
    for (int d = 0; !class && d < place->n; d++)
        for (int i = 0; !class && i < place->count[d]; i++)
            if (place->length[d][i] > 0)
                class = add_piece(&p.pieces[d], (struct piece){i, i, 1, 0, 0, place->length[d][i], 0});
    if (!class)
        class = multiply(&p, 0);
    free_dimensions(p.pieces, place->n);
    return class;
}

void dri_moves_free(struct moves *moves)
{
    free(moves->move);
    *moves = (struct moves){0};
}
