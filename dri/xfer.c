/* Makes transfers. The ends with one name find each other in the registry, exchange their parts and layouts, and each
 * process makes its own plan.
 *
 * State of a transfer: registering makes it `entered`, committing `committed`; go.c then moves data. A commit that fails
 * makes it `failed`, and it can only be destroyed; after a timeout it can be repeated. Steps that can fail on one process
 * end in an exchange of errors, so all processes return the same class. */
#include "internal.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The arguments for one end. */
struct given {
    int role; /* 0: not this end */
    DRI_dist dist;
    DRI_layout layout;
    int n_buffs;
    void **buffs; /* the program's array; NULL buffers are replaced by the allocated ones */
};

/* Returns the tag for the registration of a name. */
static int name_tag(const char *name)
{
    unsigned h = 5381;
    while (*name)
        h = h * 33 + (unsigned char)*name++;
    return TAG_NAME + h % TAG_NAMES;
}

/* ---- buffers ---- */

/* Rounds a size up to whole cache lines. */
static size_t whole_lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

/* Fills in one end, and checks its arguments. */
static int take_end(struct end *e, const struct given *g)
{
    e->role = g->role;
    if (!dri_is(g->layout, MAGIC_LAYOUT))
        return dri_fail(DRI_ERR_HANDLE, "the layout is not a handle of a layout");
    if (g->n_buffs < 1 || !g->buffs)
        return dri_fail(DRI_ERR_BUFFER, "%d buffers, but at least one is needed", g->n_buffs);
    e->layout = *g->layout;
    if (g->role == DRI_SOURCE)
        TRY(dri_dist_whole(g->dist));
    TRY(dri_place_create(&e->place, g->dist->gdo, &g->dist->parts[g->dist->group->rank], g->role == DRI_DESTINATION, g->layout));
    e->bytes = e->place.elements * g->dist->gdo->element.extent;
    e->n_buffs = g->n_buffs;
    e->buffs = calloc(g->n_buffs, sizeof *e->buffs);
    e->allocated = calloc(g->n_buffs, sizeof *e->allocated);
    e->places = calloc(g->n_buffs, sizeof *e->places);
    if (!e->buffs || !e->allocated || !e->places)
        return dri_no_memory("the buffers");
    memcpy(e->buffs, g->buffs, g->n_buffs * sizeof *e->buffs);
    for (int i = 0; i < e->n_buffs; i++)
        e->n_ours += !e->buffs[i];
    for (int i = 0; i < e->n_buffs; i++)
        for (int j = 0; j < i; j++)
            if (dri_buffers_overlap(e->buffs[i], e->buffs[j], e->bytes, e->bytes))
                return dri_fail(DRI_ERR_BUFFER, "buffers %d and %d are the same memory", j, i);
    return DRI_SUCCESS;
}

/* Allocates the source's missing buffers in a segment that other processes of the node can read. If a buffer belongs to
 * both ends, the segment also contains a stage: the copy of the data that is sent. */
static int source_memory(DRI_xfer x)
{
    struct end *e = &x->src;
    bool both = false;
    for (int i = 0; i < e->n_buffs; i++)
        for (int j = 0; j < x->dst.n_buffs; j++)
            both |= dri_buffers_overlap(e->buffs[i], x->dst.buffs[j], e->bytes, x->dst.bytes);
    if (e->n_ours == 0 && !both)
        return DRI_SUCCESS;
    size_t step = whole_lines(e->bytes ? e->bytes : 1), size, buffers = LINE * ((size_t)dri_world.size + 1);
    if (__builtin_mul_overflow(step, (size_t)(e->n_ours + both), &size) || __builtin_add_overflow(size, buffers, &size))
        return dri_no_memory("the buffers");
    TRY(dri_segment_create(&x->segment, size));
    x->segment_buffers = buffers;
    x->segment_step = step;
    x->all_shared = x->segment.name[0] && (both || e->n_ours == e->n_buffs);
    char *next = x->segment.base + buffers;
    if (both) {
        x->stage = next;
        next += step;
    }
    for (int i = 0; i < e->n_buffs; i++)
        if (!e->buffs[i]) {
            e->buffs[i] = next;
            next += step;
        }
    return DRI_SUCCESS;
}

/* Allocates the missing buffers of a destination. */
static int destination_memory(struct end *e)
{
    for (int i = 0; i < e->n_buffs; i++)
        if (!e->buffs[i]) {
            void *memory = NULL;
            if (posix_memalign(&memory, e->bytes < 65536 ? LINE : 4096, whole_lines(e->bytes ? e->bytes : 1)))
                return dri_fail(DRI_ERR_NOMEM, "no memory for a buffer of %zu bytes", e->bytes);
            e->buffs[i] = e->allocated[i] = memory;
        }
    return DRI_SUCCESS;
}

/* Prepares the kernels of a plan. The caller frees *out. */
static int kernels(const struct moves *moves, const struct element *element, struct kernel **out, int *n)
{
    *out = calloc(moves->n ? moves->n : 1, sizeof **out);
    if (!*out)
        return dri_no_memory("a plan");
    for (*n = 0; *n < moves->n; (*n)++)
        dri_kernel_prepare(&(*out)[*n], &moves->move[*n], element, false);
    return DRI_SUCCESS;
}

/* Makes the kernels that copy to the stage, and the ones that zero the overlap. */
static int make_kernels(DRI_xfer x)
{
    struct moves moves = {0};
    int class = DRI_SUCCESS;
    if (x->stage) {
        class = dri_plan_copy(&x->src.place, &moves);
        if (!class)
            class = kernels(&moves, &x->src.dist->gdo->element, &x->stage_kernels, &x->n_stage);
        dri_moves_free(&moves);
    }
    if (!class && x->dst.role) {
        const struct dri_dist *dist = x->dst.dist;
        class = dri_plan_zeros(dist->gdo, &dist->parts[dist->group->rank], &x->dst.place, &moves);
        if (!class)
            class = kernels(&moves, &dist->gdo->element, &x->zeros, &x->n_zeros);
        dri_moves_free(&moves);
    }
    return class;
}

/* ---- register ---- */

/* Returns DRI_ERR_GROUP unless two groups have the same processes. */
static int same_group(DRI_group a, DRI_group b)
{
    if (a->n != b->n || memcmp(a->sorted, b->sorted, a->n * sizeof(int)))
        return dri_fail(DRI_ERR_GROUP, "the two ends of a clique have different processes");
    return DRI_SUCCESS;
}

/* Does the local part of a registration. */
static int prepare_transfer(DRI_xfer x, const struct given *src, const struct given *dst)
{
    if (src->role && dst->role)
        TRY(same_group(src->dist->group, dst->dist->group));
    if (src->role)
        TRY(take_end(&x->src, src));
    if (dst->role)
        TRY(take_end(&x->dst, dst));
    if (src->role)
        TRY(source_memory(x));
    if (dst->role)
        TRY(destination_memory(&x->dst));
    return make_kernels(x);
}

/* Makes room for the message of transfer_enter. The caller owns *mine and *all also after an error. */
static int room_to_enter(DRI_group g, struct bytes *mine, struct reader **all)
{
    *all = calloc(g->n, sizeof **all);
    if (!*all)
        return dri_no_memory("the group");
    TRY(dri_put_number(mine, 0));
    TRY(dri_put_number(mine, 0));
    mine->size = 0; /* the room stays */
    return DRI_SUCCESS;
}

/* Enters the transfer in the registry. The first process of the group does so and sends the slot to the others. If they
 * do not get it, it leaves the registry for all. */
static int transfer_enter(DRI_xfer x, struct bytes *mine, struct reader *all)
{
    DRI_group g = dri_xfer_group(x);
    int role = x->src.role | x->dst.role, class = DRI_SUCCESS;
    if (g->me == 0)
        class = dri_registry_enter(x->name, role, g->n, &x->slot, &x->registry_end);
    bool entered = g->me == 0 && !class;
    char *memory = NULL;
    TRY(dri_put_number(mine, x->slot));
    TRY(dri_put_number(mine, x->registry_end));
    class = dri_exchange(g->sorted, g->n, g->me, name_tag(x->name), class, mine, all, &memory);
    if (!class) {
        x->slot = dri_get_number(&all[0]);
        x->registry_end = dri_get_number(&all[0]);
        x->entered = true;
    }
    for (int i = 0; class && entered && i < g->n; i++)
        dri_registry_leave(x->slot, x->registry_end, true);
    free(memory);
    return class;
}

/* Frees a transfer with everything that it owns. */
static void transfer_free(DRI_xfer x)
{
    for (int role = DRI_SOURCE; role <= DRI_DESTINATION; role++) {
        struct end *e = role == DRI_SOURCE ? &x->src : &x->dst;
        for (int i = 0; i < e->n_partners; i++)
            dri_route_free(&e->partners[i]);
        for (int i = 0; e->allocated && i < e->n_buffs; i++)
            free(e->allocated[i]);
        free(e->partners);
        free(e->buffs);
        free(e->allocated);
        free(e->places);
        dri_place_free(&e->place);
        dri_dist_drop(e->dist);
    }
    for (int i = 0; i < x->n_opened; i++)
        dri_segment_free(&x->opened[i]);
    free(x->opened);
    free(x->stage_kernels);
    free(x->zeros);
    dri_segment_free(&x->segment);
    x->o.magic = 0;
    free(x);
}

/* Leaves the registry, if the transfer is entered. */
static int transfer_leave(DRI_xfer x)
{
    if (!x->entered || !dri_world.initialized)
        return DRI_SUCCESS;
    x->entered = false;
    return dri_registry_leave(x->slot, x->registry_end, dri_xfer_group(x)->me == 0);
}

/* Returns DRI_ERR_NAME if the name is empty or too long. */
static int check_name(const char *function, const char *name)
{
    CHECK_ARG(name, "%s: name is NULL", function);
    if (!*name || strnlen(name, DRI_MAX_NAME + 1) > DRI_MAX_NAME)
        return dri_fail(DRI_ERR_NAME, "%s: the name has %s bytes, but 1 to %d are allowed", function, *name ? "more" : "no", DRI_MAX_NAME);
    return DRI_SUCCESS;
}

/* Makes a transfer that is not entered yet. The caller drops *made also after an error. */
static int transfer_new(const char *name, const struct given *src, const struct given *dst, DRI_xfer *made)
{
    DRI_xfer x = *made = calloc(1, sizeof *x);
    if (!x)
        return dri_no_memory("a transfer");
    x->o.magic = MAGIC_XFER;
    x->n_groups = 1;
    strcpy(x->name, name);
    if (src->role)
        x->src.dist = dri_object_use(src->dist);
    if (dst->role)
        x->dst.dist = dri_object_use(dst->dist);
    return prepare_transfer(x, src, dst);
}

/* Registers a transfer. An invalid handle of a distribution is a local error, because the group to agree with is unknown,
 * and so is an invalid name, because the tag of the messages depends on the name. Any other error is the same on all
 * processes. */
static int register_ends(const char *function, const char *name, const struct given *src, const struct given *dst, DRI_xfer *xfer)
{
    TRY(dri_ready());
    CHECK_ARG(xfer, "%s: xfer is NULL", function);
    *xfer = DRI_NULL;
    if ((src->role && !dri_is(src->dist, MAGIC_DIST)) || (dst->role && !dri_is(dst->dist, MAGIC_DIST)))
        return dri_fail(DRI_ERR_HANDLE, "%s: the distribution is not a handle of a distribution", function);
    TRY(check_name(function, name));
    DRI_xfer x;
    struct bytes mine = {0};
    struct reader *all = NULL;
    DRI_group g = src->role ? src->dist->group : dst->dist->group;
    int class = transfer_new(name, src, dst, &x);
    if (!class)
        class = room_to_enter(g, &mine, &all);
    /* When all processes are here, all have left any earlier transfer of this name. */
    class = dri_agree(g->sorted, g->n, g->me, name_tag(name), class);
    if (!class)
        class = transfer_enter(x, &mine, all);
    free(mine.data);
    free(all);
    if (!class)
        *xfer = x;
    else if (x)
        transfer_free(x);
    return class;
}

/* Stores the addresses of allocated buffers in the program's array, unless class is an error. Returns class. */
static int hand_out(int class, const struct given *g, DRI_xfer *xfer)
{
    if (!class && g->role)
        memcpy(g->buffs, g->role == DRI_SOURCE ? (*xfer)->src.buffs : (*xfer)->dst.buffs, g->n_buffs * sizeof *g->buffs);
    return class;
}

/* Returns DRI_ERR_ROLE unless the role is one end. */
static int check_role(const char *function, int role, DRI_xfer *xfer)
{
    if (role == DRI_SOURCE || role == DRI_DESTINATION)
        return DRI_SUCCESS;
    if (xfer)
        *xfer = DRI_NULL;
    TRY(dri_ready());
    return dri_fail(DRI_ERR_ROLE, "%s: role %d is neither DRI_SOURCE nor DRI_DESTINATION", function, role);
}

/* Enters this end in the registry only. DRI_xfer_commit connects it, so several transfers may be registered in any
 * order first. */
PUBLIC int DRI_xfer_register(const char *name, int role, DRI_dist dist, DRI_layout layout, int n_buffs, void *buffs[], DRI_xfer *xfer)
{
    struct given given = {role, dist, layout, n_buffs, buffs}, none = {0};
    TRY(check_role(__func__, role, xfer));
    int class = register_ends(__func__, name, role == DRI_SOURCE ? &given : &none, role == DRI_SOURCE ? &none : &given, xfer);
    return hand_out(class, &given, xfer);
}

/* Must precede the commit, because the commit waits for exactly this number of partners. */
PUBLIC int DRI_xfer_partners(DRI_xfer xfer, int n)
{
    TRY(dri_ready());
    CHECK(xfer, XFER);
    if (xfer->src.role != DRI_SOURCE || xfer->dst.role)
        return dri_fail(DRI_ERR_ROLE, "DRI_xfer_partners: transfer '%s' is not a source in this process: call it at the source",
                        xfer->name);
    if (xfer->committed)
        return dri_fail(DRI_ERR_STATE, "DRI_xfer_partners: transfer '%s' is already committed: call it before DRI_xfer_commit", xfer->name);
    CHECK_ARG(n >= 1 && n <= DRI_MAX_PARTNERS, "DRI_xfer_partners: %d partners, but 1 to %d are allowed", n, DRI_MAX_PARTNERS);
    xfer->n_groups = n;
    return DRI_SUCCESS;
}

/* ---- commit: each process sends its description to all ---- */

/* The description of a process. */
struct peer {
    int role, method, n_buffs; /* roles, combined by |; the method that DRI_METHOD forces there; the source's buffers */
    bool all_shared, opened;   /* as in struct dri_xfer; opened: it could open all segments of its node */
    char segment[64];          /* the name of its segment */
    size_t segment_size, segment_buffers, segment_step; /* as in struct dri_xfer */
    struct dri_layout layout[2]; /* layouts of the source and of the destination */
    struct cut cut[2];           /* the same for the part; owned */
};

/* Appends D. */
static int put_gdo(struct bytes *b, const struct dri_gdo *g)
{
    TRY(dri_put_number(b, g->n));
    TRY(dri_put(b, g->lo, sizeof g->lo));
    TRY(dri_put(b, g->hi, sizeof g->hi));
    TRY(dri_put_number(b, g->element.named));
    TRY(dri_put_number(b, g->element.size));
    TRY(dri_put_number(b, g->element.extent));
    return dri_put_number(b, g->element.shape);
}

/* Appends an end, if this process has it. */
static int put_end(struct bytes *b, const struct end *e)
{
    if (!e->role)
        return DRI_SUCCESS;
    TRY(put_gdo(b, e->dist->gdo));
    TRY(dri_put(b, e->layout.order, sizeof e->layout.order));
    TRY(dri_put(b, e->layout.strides, sizeof e->layout.strides));
    return dri_cut_put(b, &e->dist->parts[e->dist->group->rank]);
}

/* Appends the description of this process. */
static int put_self(struct bytes *b, DRI_xfer x)
{
    TRY(dri_put_number(b, x->src.role | x->dst.role));
    TRY(dri_put_number(b, dri_world.method));
    TRY(dri_put_number(b, x->stage ? 1 : x->src.n_buffs));
    TRY(dri_put_number(b, x->all_shared));
    TRY(dri_put(b, x->segment.name, sizeof x->segment.name));
    TRY(dri_put_number(b, x->segment.size));
    TRY(dri_put_number(b, x->segment_buffers));
    TRY(dri_put_number(b, x->segment_step));
    TRY(put_end(b, &x->src));
    return put_end(b, &x->dst);
}

/* Reads D from a message, and returns DRI_ERR_MISMATCH unless it is the same as here. */
static int same_gdo(const char *name, int rank, struct reader *r, const struct dri_gdo *g)
{
    int n = dri_get_number(r);
    const MPI_Count *lo = dri_get(r, sizeof g->lo), *hi = dri_get(r, sizeof g->hi);
    int64_t named = dri_get_number(r), size = dri_get_number(r), extent = dri_get_number(r);
    uint64_t shape = dri_get_number(r);
    if (n != g->n)
        return dri_fail(DRI_ERR_MISMATCH, "transfer '%s': rank %d has %d dimensions, rank %d has %d", name, rank, n, dri_world.rank, g->n);
    for (int d = 0; d < n; d++)
        if (lo[d] != g->lo[d] || hi[d] != g->hi[d])
            return dri_fail(DRI_ERR_MISMATCH, "transfer '%s': dimension %d: rank %d has indices %lld to %lld, rank %d has %lld to %lld", name,
                            d, rank, (long long)lo[d], (long long)hi[d], dri_world.rank, (long long)g->lo[d], (long long)g->hi[d]);
    if (named != g->element.named || size != g->element.size || extent != g->element.extent || shape != g->element.shape)
        return dri_fail(DRI_ERR_MISMATCH, "transfer '%s': rank %d has a different type of element than rank %d", name, rank, dri_world.rank);
    return DRI_SUCCESS;
}

/* Reads the description of a process. */
static int read_peer(DRI_xfer x, int rank, struct reader *r, struct peer *p)
{
    const struct dri_gdo *g = x->src.role ? x->src.dist->gdo : x->dst.dist->gdo;
    p->role = dri_get_number(r);
    p->method = dri_get_number(r);
    p->n_buffs = dri_get_number(r);
    p->all_shared = dri_get_number(r);
    memcpy(p->segment, dri_get(r, sizeof p->segment), sizeof p->segment);
    p->segment_size = dri_get_number(r);
    p->segment_buffers = dri_get_number(r);
    p->segment_step = dri_get_number(r);
    for (int i = 0; i < 2; i++)
        if (p->role & (i ? DRI_DESTINATION : DRI_SOURCE)) {
            TRY(same_gdo(x->name, rank, r, g));
            p->layout[i].n = g->n;
            memcpy(p->layout[i].order, dri_get(r, sizeof p->layout[i].order), sizeof p->layout[i].order);
            memcpy(p->layout[i].strides, dri_get(r, sizeof p->layout[i].strides), sizeof p->layout[i].strides);
            TRY(dri_cut_get(r, g->n, &p->cut[i]));
        }
    return DRI_SUCCESS;
}

/* Exchanges the descriptions. Returns an error of this process only; open_segments then sends it to all. */
static int read_peers(DRI_xfer x, const struct all *all, struct peer *peers)
{
    struct bytes mine = {0};
    char *memory = NULL;
    struct reader *said = calloc(all->n, sizeof *said);
    int class = said && peers ? put_self(&mine, x) : dri_no_memory("the processes");
    class = dri_exchange(all->procs, all->n, all->me, dri_control_tag(x), class, &mine, said, &memory);
    for (int i = 0; !class && i < all->n; i++)
        class = read_peer(x, all->procs[i], &said[i], &peers[i]);
    free(mine.data);
    free(said);
    free(memory);
    return class;
}

/* Opens the segments of the sources on this node, unless class is an error already, and exchanges errors and results with
 * all. */
static int open_segments(DRI_xfer x, const struct all *all, struct peer *peers, int class)
{
    bool could = true;
    x->opened = calloc(all->n, sizeof *x->opened);
    if (x->opened)
        x->n_opened = all->n;
    else if (!class)
        class = dri_no_memory("the processes");
    for (int i = 0; !class && x->dst.role && i < all->n; i++)
        if (peers[i].all_shared && i != all->me && dri_world.node[all->procs[i]] == dri_world.node[dri_world.rank])
            could &= dri_segment_open(&x->opened[i], peers[i].segment, peers[i].segment_size);
    struct bytes mine = {0};
    char *memory = NULL;
    struct reader *said = calloc(all->n, sizeof *said);
    if (!class)
        class = dri_put_number(&mine, could);
    if (!class && !said)
        class = dri_no_memory("the processes");
    class = dri_exchange(all->procs, all->n, all->me, dri_control_tag(x), class, &mine, said, &memory);
    for (int i = 0; !class && i < all->n; i++)
        peers[i].opened = dri_get_number(&said[i]);
    dri_segment_unlink(&x->segment);
    free(mine.data);
    free(said);
    free(memory);
    return class;
}

/* ---- commit: the plan ---- */

/* Fills in the addresses of a shared route, in the segment of the source. */
static void share(struct partner *p, const struct segment *s, const struct peer *source, int destination)
{
    p->ready = (void *)s->base;
    p->consumed = (void *)(s->base + LINE * ((size_t)destination + 1));
    p->buffers = s->base + source->segment_buffers;
    p->buffer_bytes = source->segment_step;
    p->n_buffers = source->n_buffs;
}

/* Plans the data that go from one process of the list to another, and makes the route if there are any. One of the two is
 * this process, with the end e. */
static int connect(DRI_xfer x, const struct all *all, struct peer *peers, int from, int to, struct end *e)
{
    bool sending = e == &x->src;
    const struct peer *src = &peers[from], *dst = &peers[to];
    const struct dri_gdo *gdo = e->dist->gdo;
    struct place place;
    struct moves moves = {0};
    TRY(dri_place_create(&place, gdo, &peers[sending ? to : from].cut[sending], sending, &peers[sending ? to : from].layout[sending]));
    int class = dri_plan(gdo, &src->cut[0], sending ? &e->place : &place, &dst->cut[1], sending ? &place : &e->place, &moves);
    if (!class && moves.n) {
        struct partner *p = &e->partners[e->n_partners++];
        p->type = MPI_DATATYPE_NULL;
        p->rank = all->procs[sending ? to : from];
        bool shared = src->all_shared && dst->opened && dri_world.node[all->procs[from]] == dri_world.node[all->procs[to]];
        p->method = from == to ? METHOD_SELF : dri_route_method(gdo, &moves, src->method, shared);
        if (p->method == METHOD_SHARED)
            share(p, sending ? &x->segment : &x->opened[from], src, all->procs[to]);
        class = dri_route(p, gdo, &moves, sending, (int64_t)x->dst.bytes > dri_kernel_cache() / 2);
    }
    dri_moves_free(&moves);
    dri_place_free(&place);
    return class;
}

/* Makes the routes to all partners. Each process begins with the next one in the list, so that not all of them begin with
 * the same partner. */
static int plan(DRI_xfer x, const struct all *all, struct peer *peers)
{
    for (int role = DRI_SOURCE; role <= DRI_DESTINATION; role++) {
        struct end *e = role == DRI_SOURCE ? &x->src : &x->dst;
        if (!e->role)
            continue;
        e->partners = calloc(all->n, sizeof *e->partners);
        if (!e->partners)
            return dri_no_memory("the partners");
        for (int i = 1; i <= all->n; i++) {
            int other = role == DRI_SOURCE ? (all->me + i) % all->n : (all->me + all->n - i) % all->n;
            if (peers[other].role & (role == DRI_SOURCE ? DRI_DESTINATION : DRI_SOURCE))
                TRY(connect(x, all, peers, role == DRI_SOURCE ? all->me : other, role == DRI_SOURCE ? other : all->me, e));
        }
    }
    for (int i = 0; i < x->src.n_partners; i++)
        for (int j = 0; j < x->dst.n_partners; j++)
            if (x->src.partners[i].method == METHOD_SELF && x->dst.partners[j].method == METHOD_SELF)
                x->src.partners[i].twin = &x->dst.partners[j];
    return DRI_SUCCESS;
}

/* Writes the names of all methods that this process uses. */
static void name_methods(DRI_xfer x)
{
    bool used[METHODS] = {false};
    for (int i = 0; i < x->src.n_partners; i++)
        used[x->src.partners[i].method] = true;
    for (int i = 0; i < x->dst.n_partners; i++)
        used[x->dst.partners[i].method] = true;
    for (int i = 0; i < METHODS; i++)
        if (used[i]) {
            if (x->method[0])
                strcat(x->method, "+");
            strcat(x->method, dri_method_names[i]);
        }
    if (!x->method[0])
        strcpy(x->method, dri_method_names[METHOD_NONE]);
}

/* Commits one transfer. */
static int commit(DRI_xfer x)
{
    struct all all = {0};
    struct peer *peers = NULL;
    int class = dri_find_all(x, &all);
    if (!class) {
        peers = calloc(all.n, sizeof *peers);
        class = open_segments(x, &all, peers, read_peers(x, &all, peers));
        if (!class)
            class = plan(x, &all, peers);
        class = dri_agree(all.procs, all.n, all.me, dri_control_tag(x), class);
    }
    for (int i = 0; peers && i < all.n; i++) {
        dri_cut_free(&peers[i].cut[0]);
        dri_cut_free(&peers[i].cut[1]);
    }
    free(peers);
    if (all.procs != dri_xfer_group(x)->sorted)
        free(all.procs);
    if (class == DRI_SUCCESS) {
        name_methods(x);
        x->committed = true;
    }
    x->failed = class != DRI_SUCCESS && class != DRI_ERR_TIMEOUT;
    return class;
}

/* Lists the transfers in the order of their names. It needs no memory, because the other processes would wait for a process
 * that has none. */
static int list_by_name(int n, DRI_xfer xfers[], DRI_xfer *first)
{
    *first = NULL;
    for (int i = 0; i < n; i++) {
        DRI_xfer *at = first;
        int order = 1;
        while (*at && (order = strcmp((*at)->name, xfers[i]->name)) < 0)
            at = &(*at)->next;
        if (order == 0)
            return dri_fail(DRI_ERR_ROLE, "DRI_xfer_commit: rank %d has both ends of transfer '%s': create it as a clique", dri_world.rank,
                            xfers[i]->name);
        xfers[i]->next = *at;
        *at = xfers[i];
    }
    return DRI_SUCCESS;
}

/* Commits in the order of names, so that all processes have the same order, whatever order they were given in. */
PUBLIC int DRI_xfer_commit(int n, DRI_xfer xfers[])
{
    TRY(dri_ready());
    CHECK_ARG(n >= 0 && (n == 0 || xfers), "DRI_xfer_commit: %d transfers", n);
    for (int i = 0; i < n; i++) {
        if (!dri_is(xfers[i], MAGIC_XFER))
            return dri_fail(DRI_ERR_HANDLE, "DRI_xfer_commit: xfers[%d] is not a handle of a transfer", i);
        if (xfers[i]->failed)
            return dri_fail(DRI_ERR_STATE, "DRI_xfer_commit: transfer '%s' failed in an earlier commit: destroy it", xfers[i]->name);
    }
    DRI_xfer first;
    TRY(list_by_name(n, xfers, &first));
    for (DRI_xfer x = first; x; x = x->next)
        if (!x->committed)
            TRY(commit(x));
    return DRI_SUCCESS;
}

/* ---- create, query, destroy ---- */

/* Commits a new transfer, and destroys it if that fails. Keeps the text of the error. Returns the class. */
static int commit_new(int class, DRI_xfer *xfer)
{
    if (!class) {
        class = commit(*xfer);
        if (class) {
            char text[512];
            strncpy(text, dri_error_text(), sizeof text - 1);
            text[sizeof text - 1] = 0;
            transfer_leave(*xfer);
            transfer_free(*xfer);
            *xfer = DRI_NULL;
            dri_fail(class, "%s", text);
        }
    }
    return class;
}

/* Registers and commits in one call, and releases what it has made after an error. */
PUBLIC int DRI_xfer_create(const char *name, int role, DRI_dist dist, DRI_layout layout, int n_buffs, void *buffs[], DRI_xfer *xfer)
{
    struct given given = {role, dist, layout, n_buffs, buffs}, none = {0};
    TRY(check_role(__func__, role, xfer));
    int class = register_ends(__func__, name, role == DRI_SOURCE ? &given : &none, role == DRI_SOURCE ? &none : &given, xfer);
    return hand_out(commit_new(class, xfer), &given, xfer);
}

PUBLIC int DRI_xfer_create_clique(const char *name, DRI_dist src, DRI_layout src_layout, int n_src, void *src_buffs[], DRI_dist dst,
                                  DRI_layout dst_layout, int n_dst, void *dst_buffs[], DRI_xfer *xfer)
{
    struct given from = {DRI_SOURCE, src, src_layout, n_src, src_buffs}, to = {DRI_DESTINATION, dst, dst_layout, n_dst, dst_buffs};
    int class = commit_new(register_ends(__func__, name, &from, &to, xfer), xfer);
    return hand_out(hand_out(class, &from, xfer), &to, xfer);
}

/* For a transfer with both ends, *role selects the end; otherwise it is written. Any pointer may be NULL. */
PUBLIC int DRI_xfer_query(DRI_xfer xfer, int *role, int *n_buffs, int *next, MPI_Count *bytes, const char **method)
{
    CHECK(xfer, XFER);
    bool both = xfer->src.role && xfer->dst.role;
    if (both && role && *role != DRI_SOURCE && *role != DRI_DESTINATION)
        return dri_fail(DRI_ERR_ROLE, "DRI_xfer_query: transfer '%s' is a clique: give the role of one end", xfer->name);
    const struct end *e = both ? (role && *role == DRI_DESTINATION ? &xfer->dst : &xfer->src) : xfer->src.role ? &xfer->src : &xfer->dst;
    if (role)
        *role = e->role;
    if (n_buffs)
        *n_buffs = e->n_buffs;
    if (next)
        *next = (e->role == DRI_SOURCE ? e->begun : e->taken) % e->n_buffs;
    if (bytes)
        *bytes = e->bytes;
    if (method)
        *method = xfer->method;
    return DRI_SUCCESS;
}

/* Fails while a Go is running. An error of leaving the registry is returned after the memory is freed. */
PUBLIC int DRI_xfer_destroy(DRI_xfer *xfer)
{
    CHECK_ARG(xfer, "DRI_xfer_destroy: xfer is NULL");
    if (!dri_is(*xfer, MAGIC_XFER))
        return dri_fail(DRI_ERR_HANDLE, "DRI_xfer_destroy: *xfer is not a handle of a transfer");
    if (dri_world.initialized && (*xfer)->committed)
        TRY(dri_go_end(*xfer));
    int class = transfer_leave(*xfer);
    transfer_free(*xfer);
    *xfer = DRI_NULL;
    return class;
}
