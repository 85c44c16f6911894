/* Routes: how the boxes of a plan get from one process to another. Both sides compute the same route from the same plan,
 * so they agree on the messages without communicating. */
#include "internal.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- the contents and the order of a message ---- */

/* Returns how many elements of a dimension are in a message. */
static MPI_Count on_wire(const struct dimension *d)
{
    return d->src ? d->length : 1; /* an element that the destination has several times is sent once */
}

/* Returns the number of adjacent elements in a line on one side. */
static MPI_Count line(const struct move *m, bool source)
{
    for (int i = 0; i < m->n; i++)
        if ((source ? m->dims[i].src : m->dims[i].dst) == 1 && m->dims[i].length > 1)
            return m->dims[i].length;
    return 1;
}

/* Puts the dimensions into the order of the message, the slowest first: the order of the side with longer lines. That
 * side copies whole lines, and the other one transposes. */
static void order(struct move *m)
{
    bool source = line(m, true) >= line(m, false);
    struct dimension sorted[MOVE_DIMS];
    for (int i = 0; i < m->n; i++) {
        MPI_Count stride = source ? m->dims[i].src : m->dims[i].dst;
        int at = i;
        for (; at > 0 && stride > (source ? sorted[at - 1].src : sorted[at - 1].dst); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = m->dims[i];
    }
    memcpy(m->dims, sorted, m->n * sizeof *sorted);
}

/* ---- packed: pieces of at most CHUNK bytes ---- */

/* The kernels and chunks of a partner while they are being made. */
struct splitter {
    struct partner *p;
    const struct dri_gdo *gdo;
    bool sending, stream;          /* as for dri_route */
    MPI_Count limit;               /* the most elements of a message */
    int kernels_room, chunks_room; /* allocated */
};

/* Makes room for one more item in the array that `array` points to. */
static int grow(void *array, int n, int *room, size_t size)
{
    if (n < *room)
        return DRI_SUCCESS;
    int more = *room ? 2 * *room : 4;
    void *new = realloc(*(void **)array, more * size);
    if (!new)
        return dri_fail(DRI_ERR_NOMEM, "no memory for %d pieces of a message", more);
    *(void **)array = new;
    *room = more;
    return DRI_SUCCESS;
}

/* Appends a kernel for a box that fits into a message, and begins a new chunk if the current one is too full for it. */
static int emit(struct splitter *s, const struct move *m, MPI_Count elements)
{
    struct partner *p = s->p;
    struct chunk *c = p->n_chunks ? &p->chunks[p->n_chunks - 1] : NULL;
    if (!c || c->elements + elements > s->limit) {
        TRY(grow(&p->chunks, p->n_chunks, &s->chunks_room, sizeof *c));
        c = &p->chunks[p->n_chunks++];
        *c = (struct chunk){p->n_kernels, 0, 0};
    }
    struct move packed = *m;
    MPI_Count stride = 1;
    for (int i = m->n - 1; i >= 0; i--) {
        struct dimension *d = &packed.dims[i];
        MPI_Count length = on_wire(d);
        if (s->sending)
            *d = (struct dimension){length, d->src, stride};
        else
            *d = (struct dimension){d->length, d->src ? stride : 0, d->dst};
        stride *= length;
    }
    if (s->sending)
        packed.dst = c->elements;
    else
        packed.src = c->elements;
    TRY(grow(&p->kernels, p->n_kernels, &s->kernels_room, sizeof *p->kernels));
    dri_kernel_prepare(&p->kernels[p->n_kernels++], &packed, &s->gdo->element, s->stream && !s->sending);
    c->n++;
    c->elements += elements;
    return DRI_SUCCESS;
}

/* Cuts a box along its slowest dimension until the pieces fit into a message. */
static int cut(struct splitter *s, const struct move *m)
{
    MPI_Count elements = 1;
    int slowest = -1;
    for (int i = 0; i < m->n; i++) {
        elements *= on_wire(&m->dims[i]);
        if (slowest < 0 && on_wire(&m->dims[i]) > 1)
            slowest = i;
    }
    if (elements <= s->limit || slowest < 0)
        return emit(s, m, elements);
    const struct dimension *d = &m->dims[slowest];
    MPI_Count inner = elements / d->length, step = inner < s->limit ? s->limit / inner : 1;
    for (MPI_Count at = 0; at < d->length; at += step) {
        struct move part = *m;
        part.dims[slowest].length = d->length - at < step ? d->length - at : step;
        part.src += at * d->src;
        part.dst += at * d->dst;
        TRY(cut(s, &part));
    }
    return DRI_SUCCESS;
}

/* Makes the kernels and chunks of a packed route, and the memory of its messages. */
static int make_packed_route(struct partner *p, const struct dri_gdo *gdo, const struct moves *moves, bool sending, bool stream)
{
    MPI_Count limit = CHUNK / gdo->element.extent;
    struct splitter s = {.p = p, .gdo = gdo, .sending = sending, .stream = stream, .limit = limit ? limit : 1};
    for (int i = 0; i < moves->n; i++) {
        struct move m = moves->move[i];
        order(&m);
        TRY(cut(&s, &m));
    }
    int most = 0;
    for (int i = 0; i < p->n_chunks; i++)
        most = p->chunks[i].elements > most ? p->chunks[i].elements : most;
    for (int i = 0; i < RING; i++) {
        void *wire;
        if (posix_memalign(&wire, LINE, most * gdo->element.extent + 1))
            return dri_fail(DRI_ERR_NOMEM, "no memory for a message of %d elements", most);
        memset(wire, 0, most * gdo->element.extent);
        p->ring[i].wire = wire;
    }
    return DRI_SUCCESS;
}

/* ---- typed: one datatype for all boxes ---- */

/* Makes the datatype of a box on this side, in the order of the message. After an error there is nothing to free. */
static int box_type(const struct dri_gdo *gdo, const struct move *m, bool sending, MPI_Datatype *type)
{
    MPI(MPI_Type_dup, gdo->type, type);
    for (int i = m->n - 1; i >= 0; i--) {
        MPI_Count stride = sending ? m->dims[i].src : m->dims[i].dst;
        MPI_Datatype inner = *type;
        int code = MPI_Type_create_hvector((int)m->dims[i].length, 1, stride * gdo->element.extent, inner, type);
        MPI_Type_free(&inner);
        if (code != MPI_SUCCESS)
            return dri_fail_mpi("MPI_Type_create_hvector", code);
    }
    return DRI_SUCCESS;
}

/* Makes the datatype of all boxes. After an error there is nothing to free. */
static int joined_type(int n, const int ones[], const MPI_Aint at[], const MPI_Datatype types[], MPI_Datatype *type)
{
    MPI_Datatype made;
    MPI(MPI_Type_create_struct, n, ones, at, types, &made);
    int code = MPI_Type_commit(&made);
    if (code != MPI_SUCCESS) {
        MPI_Type_free(&made);
        return dri_fail_mpi("MPI_Type_commit", code);
    }
    *type = made;
    return DRI_SUCCESS;
}

/* Makes the datatype of a typed route: a struct of all boxes. */
static int make_typed_route(struct partner *p, const struct dri_gdo *gdo, const struct moves *moves, bool sending)
{
    int n = moves->n, *ones = malloc(n * sizeof *ones), made = 0, class = DRI_SUCCESS;
    MPI_Datatype *types = malloc(n * sizeof *types);
    MPI_Aint *at = malloc(n * sizeof *at);
    p->chunks = calloc(1, sizeof *p->chunks);
    p->n_chunks = 1;
    if (!ones || !types || !at || !p->chunks)
        class = dri_fail(DRI_ERR_NOMEM, "no memory for %d datatypes", n);
    while (!class && made < n) {
        struct move m = moves->move[made];
        order(&m);
        ones[made] = 1;
        at[made] = (sending ? m.src : m.dst) * gdo->element.extent;
        class = box_type(gdo, &m, sending, &types[made]);
        made += !class;
    }
    if (!class)
        class = joined_type(n, ones, at, types, &p->type);
    for (int i = 0; types && i < made; i++)
        MPI_Type_free(&types[i]);
    free(ones);
    free(types);
    free(at);
    return class;
}

/* ---- directly from buffer to buffer ---- */

/* Makes the kernels of a route from buffer to buffer. */
static int direct(struct partner *p, const struct dri_gdo *gdo, const struct moves *moves, bool stream)
{
    p->kernels = malloc(moves->n * sizeof *p->kernels);
    if (!p->kernels)
        return dri_fail(DRI_ERR_NOMEM, "no memory for a plan of %d boxes", moves->n);
    for (int i = 0; i < moves->n; i++)
        dri_kernel_prepare(&p->kernels[p->n_kernels++], &moves->move[i], &gdo->element, stream);
    return DRI_SUCCESS;
}

/* Reports whether the box has each element of the source once: its dimensions are nested, because each stride exceeds the
 * span of the dimensions with smaller strides. */
static bool nested(const struct move *m)
{
    for (int i = 0; i < m->n; i++)
        for (int j = 0; j < i; j++) {
            const struct dimension *inner = &m->dims[i], *outer = &m->dims[j];
            if (inner->src > outer->src)
                inner = &m->dims[j], outer = &m->dims[i];
            if (outer->length > 1 && (inner->length - 1) * inner->src >= outer->src)
                return false;
        }
    return true;
}

/* METHOD_TYPED is not possible with a datatype that has an element twice: Intel MPI treats a vector of vectors whose
 * strides are the element's extent as contiguous memory. */
int dri_route_method(const struct dri_gdo *gdo, const struct moves *moves, int forced, bool shared)
{
    bool types = moves->n < INT_MAX, lines = true;
    for (int i = 0; i < moves->n; i++) {
        const struct move *m = &moves->move[i];
        for (int j = 0; j < m->n; j++)
            types &= m->dims[j].src > 0 && m->dims[j].length <= INT_MAX;
        struct kernel k;
        dri_kernel_prepare(&k, m, &gdo->element, false);
        types &= nested(m);
        lines &= dri_kernel_line(&k) * gdo->element.extent >= TYPED_LINE;
    }
    if (shared && (forced == METHOD_NONE || forced == METHOD_SHARED))
        return METHOD_SHARED;
    return types && (forced == METHOD_TYPED || (forced == METHOD_NONE && lines)) ? METHOD_TYPED : METHOD_PACKED;
}

int dri_route(struct partner *p, const struct dri_gdo *gdo, const struct moves *moves, bool sending, bool stream)
{
    switch (p->method) {
    case METHOD_PACKED: return make_packed_route(p, gdo, moves, sending, stream);
    case METHOD_TYPED: return make_typed_route(p, gdo, moves, sending);
    }
    return sending ? DRI_SUCCESS : direct(p, gdo, moves, stream);
}

void dri_route_free(struct partner *p)
{
    int over = 0;
    MPI_Finalized(&over);
    if (!over && p->type != MPI_DATATYPE_NULL)
        MPI_Type_free(&p->type);
    for (int i = 0; i < RING; i++)
        free(p->ring[i].wire);
    free(p->kernels);
    free(p->chunks);
}
