/* Local objects: global data objects, parts, groups, layouts, and the queries of distributions.
 *
 * An object counts its references: the program's handle and the objects that use it. It is freed with the last one. The
 * counters are atomic; everything else in an object is constant once it has been made. */
#include "internal.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool dri_is(const void *object, int magic)
{
    return object && ((const struct object *)object)->magic == magic;
}

/* Returns a new object with one reference, zeroed; NULL if memory is exhausted, after dri_fail. */
static void *object_new(size_t size, int magic)
{
    struct object *o = calloc(1, size);
    if (o) {
        o->magic = magic;
        atomic_init(&o->users, 1);
    } else
        dri_fail(DRI_ERR_NOMEM, "no memory for %zu bytes", size);
    return o;
}

/* Takes a reference, which keeps the object alive after the program has destroyed it. */
void *dri_object_use(void *object)
{
    atomic_fetch_add(&((struct object *)object)->users, 1);
    return object;
}

/* Takes a reference away, and reports whether it was the last one. */
static bool unused(void *object)
{
    struct object *o = object;
    if (atomic_fetch_sub(&o->users, 1) != 1)
        return false;
    o->magic = 0;
    return true;
}

/* ---- an element ---- */

/* Finds the runs of data among the bytes of an element; touched[i] is not 0 if byte i is data. The hash is FNV-1a. */
static int find_runs(struct element *e, const unsigned char *touched)
{
    int n = 0;
    for (MPI_Aint i = 0; i < e->extent; i++)
        n += touched[i] && (i == 0 || !touched[i - 1]);
    e->runs = calloc(n ? n : 1, sizeof *e->runs);
    if (!e->runs)
        return dri_fail(DRI_ERR_NOMEM, "no memory for the %d pieces of an element", n);
    for (MPI_Aint i = 0; i < e->extent; i++)
        if (touched[i]) {
            if (i == 0 || !touched[i - 1])
                e->runs[e->n_runs++].at = i;
            e->runs[e->n_runs - 1].length++;
        }
    e->shape = 14695981039346656037u;
    const unsigned char *bytes = (void *)e->runs;
    for (size_t i = 0; i < e->n_runs * sizeof *e->runs; i++)
        e->shape = (e->shape ^ bytes[i]) * 1099511628211u;
    e->dense = e->n_runs == 1 && e->runs[0].length == e->extent;
    return DRI_SUCCESS;
}

/* Finds out which bytes of an element are data, by packing an element of ones and unpacking it over zeros. */
static int touch(MPI_Datatype type, MPI_Aint extent, unsigned char *ones, unsigned char *touched)
{
    int room, at = 0;
    MPI(MPI_Pack_size, 1, type, MPI_COMM_SELF, &room);
    char *packed = malloc(room + 1);
    if (!packed)
        return dri_fail(DRI_ERR_NOMEM, "no memory for %d bytes", room);
    memset(ones, 0xff, extent);
    int code = MPI_Pack(ones, 1, type, packed, room, &at, MPI_COMM_SELF);
    room = at, at = 0;
    if (code == MPI_SUCCESS)
        code = MPI_Unpack(packed, room, &at, touched, 1, type, MPI_COMM_SELF);
    free(packed);
    return code == MPI_SUCCESS ? DRI_SUCCESS : dri_fail_mpi("MPI_Unpack", code);
}

/* Fills in the description of an element. Returns DRI_ERR_ARG if the type cannot be one. */
static int describe_element(MPI_Datatype type, struct element *e)
{
    CHECK_ARG(type != MPI_DATATYPE_NULL, "DRI_gdo_create: the type is MPI_DATATYPE_NULL");
    MPI_Count size;
    MPI_Aint lb, true_lb, true_extent;
    MPI(MPI_Type_size_x, type, &size);
    MPI(MPI_Type_get_extent, type, &lb, &e->extent);
    MPI(MPI_Type_get_true_extent, type, &true_lb, &true_extent);
    CHECK_ARG(size > 0, "DRI_gdo_create: the type has no data");
    CHECK_ARG(true_lb >= 0 && true_extent <= e->extent - true_lb,
              "DRI_gdo_create: the data of the type are at %td to %td, which is outside its extent of %td bytes: resize the type",
              (ptrdiff_t)true_lb, (ptrdiff_t)(true_lb + true_extent), (ptrdiff_t)e->extent);
    CHECK_ARG(e->extent <= INT_MAX / 2, "DRI_gdo_create: an element of %td bytes is too large", (ptrdiff_t)e->extent);
    e->size = size;
    int integers, addresses, types, combiner;
    MPI(MPI_Type_get_envelope, type, &integers, &addresses, &types, &combiner);
    e->named = combiner == MPI_COMBINER_NAMED ? MPI_Type_c2f(type) : -1;
    unsigned char *memory = calloc(2, e->extent);
    if (!memory)
        return dri_fail(DRI_ERR_NOMEM, "no memory for two elements of %td bytes", (ptrdiff_t)e->extent);
    int class = touch(type, e->extent, memory, memory + e->extent);
    if (!class)
        class = find_runs(e, memory + e->extent);
    free(memory);
    return class;
}

/* ---- the global data object ---- */

/* Frees the object with its last reference. After MPI_Finalize its MPI datatype is gone already. */
void dri_gdo_drop(DRI_gdo g)
{
    if (!g || !unused(g))
        return;
    int over = 0;
    MPI_Finalized(&over);
    if (!over && g->type != MPI_DATATYPE_NULL && g->element.named < 0)
        MPI_Type_free(&g->type);
    free(g->element.runs);
    free(g);
}

/* Makes a global data object of the indices lo to hi. */
static int gdo_make(int n, MPI_Datatype type, const MPI_Count lo[], const MPI_Count hi[], DRI_gdo *gdo)
{
    DRI_gdo g = object_new(sizeof *g, MAGIC_GDO);
    if (!g)
        return DRI_ERR_NOMEM;
    g->n = n;
    g->type = MPI_DATATYPE_NULL;
    memcpy(g->lo, lo, n * sizeof *lo);
    memcpy(g->hi, hi, n * sizeof *hi);
    int class = describe_element(type, &g->element);
    if (!class && g->element.named >= 0)
        g->type = type;
    else if (!class) {
        int code = MPI_Type_dup(type, &g->type);
        if (code != MPI_SUCCESS)
            class = dri_fail_mpi("MPI_Type_dup", code);
    }
    MPI_Count bytes = g->element.extent;
    for (int d = 0; !class && d < n; d++)
        if (__builtin_mul_overflow(bytes, hi[d] - lo[d] + 1, &bytes))
            class = dri_fail(DRI_ERR_ARG, "DRI_gdo_create: with dimension %d it is larger than the address space", d);
    if (class)
        dri_gdo_drop(g);
    else
        *gdo = g;
    return class;
}

PUBLIC int DRI_gdo_create(int n, DRI_datatype type, const MPI_Count sizes[], DRI_gdo *gdo)
{
    TRY(dri_ready());
    CHECK_ARG(gdo, "DRI_gdo_create: gdo is NULL");
    *gdo = DRI_NULL;
    CHECK_ARG(n >= 1 && n <= DRI_MAX_DIMS, "DRI_gdo_create: %d dimensions, but 1 to %d are allowed", n, DRI_MAX_DIMS);
    CHECK_ARG(sizes, "DRI_gdo_create: sizes is NULL");
    MPI_Count lo[DRI_MAX_DIMS] = {0}, hi[DRI_MAX_DIMS];
    for (int d = 0; d < n; d++) {
        CHECK_ARG(sizes[d] >= 1, "DRI_gdo_create: dimension %d has size %lld, but it must be at least 1", d, (long long)sizes[d]);
        hi[d] = sizes[d] - 1;
    }
    return gdo_make(n, type, lo, hi, gdo);
}

/* A part of a data object shares the element type and keeps the original's indices. */
PUBLIC int DRI_gdo_sub(DRI_gdo of, const MPI_Count lo[], const MPI_Count hi[], DRI_gdo *gdo)
{
    TRY(dri_ready());
    CHECK_ARG(gdo, "DRI_gdo_sub: gdo is NULL");
    *gdo = DRI_NULL;
    CHECK(of, GDO);
    CHECK_ARG(lo && hi, "DRI_gdo_sub: lo or hi is NULL");
    for (int d = 0; d < of->n; d++)
        if (lo[d] > hi[d] || lo[d] < of->lo[d] || hi[d] > of->hi[d])
            return dri_fail(DRI_ERR_RANGE, "DRI_gdo_sub: dimension %d: %lld to %lld is not within %lld to %lld", d, (long long)lo[d],
                            (long long)hi[d], (long long)of->lo[d], (long long)of->hi[d]);
    return gdo_make(of->n, of->type, lo, hi, gdo);
}

PUBLIC int DRI_gdo_query(DRI_gdo gdo, int *n, DRI_datatype *type, MPI_Count sizes[])
{
    CHECK(gdo, GDO);
    if (n)
        *n = gdo->n;
    if (type)
        *type = gdo->type;
    for (int d = 0; sizes && d < gdo->n; d++)
        sizes[d] = gdo->hi[d] - gdo->lo[d] + 1;
    return DRI_SUCCESS;
}

PUBLIC int DRI_gdo_destroy(DRI_gdo *gdo)
{
    CHECK_ARG(gdo, "DRI_gdo_destroy: gdo is NULL");
    CHECK(*gdo, GDO);
    dri_gdo_drop(*gdo);
    *gdo = DRI_NULL;
    return DRI_SUCCESS;
}

/* ---- parts ---- */

int dri_cut_create(struct cut *c, int n, const int count[])
{
    memset(c, 0, sizeof *c);
    c->n = n;
    for (int d = 0; d < n; d++) {
        c->count[d] = count[d];
        c->ranges[d] = calloc(count[d] ? count[d] : 1, sizeof *c->ranges[d]);
        if (!c->ranges[d]) {
            dri_cut_free(c);
            return dri_fail(DRI_ERR_NOMEM, "no memory for %d ranges", count[d]);
        }
    }
    return DRI_SUCCESS;
}

void dri_cut_free(struct cut *c)
{
    for (int d = 0; d < c->n; d++)
        free(c->ranges[d]);
    memset(c, 0, sizeof *c);
}

/* Saturates at INT_MAX, because the product of the counts may exceed an int. */
int dri_cut_blocks(const struct cut *c)
{
    int64_t blocks = 1;
    for (int d = 0; d < c->n; d++)
        if (__builtin_mul_overflow(blocks, c->count[d], &blocks) || blocks > INT_MAX)
            return INT_MAX;
    return blocks;
}

/* The last dimension varies fastest. */
void dri_cut_block(const struct cut *c, int block, DRI_part_tuple tuples[])
{
    for (int d = c->n - 1; d >= 0; d--) {
        tuples[d] = c->ranges[d][block % c->count[d]];
        block /= c->count[d];
    }
}

/* Returns the number of blocks of a cut, and the ranges of one of them. */
static int cut_query(const char *function, const struct cut *c, int *n_blocks, int block, DRI_part_tuple tuples[])
{
    int blocks = dri_cut_blocks(c);
    if (n_blocks)
        *n_blocks = blocks;
    if (!tuples)
        return DRI_SUCCESS;
    CHECK_ARG(block >= 0 && block < blocks, "%s: block %d does not exist: there are %d", function, block, blocks);
    dri_cut_block(c, block, tuples);
    return DRI_SUCCESS;
}

int dri_part_new(struct cut *cut, DRI_part *part)
{
    DRI_part p = object_new(sizeof *p, MAGIC_PART);
    if (!p) {
        dri_cut_free(cut);
        return DRI_ERR_NOMEM;
    }
    p->cut = *cut;
    *part = p;
    return DRI_SUCCESS;
}

int dri_overlap_check(const char *function, int d, MPI_Count left_v, MPI_Count right_v)
{
    CHECK_ARG(left_v >= 0 && right_v >= 0 && left_v <= DRI_MAX_OVERLAP && right_v <= DRI_MAX_OVERLAP,
              "%s: dimension %d: overlap of %lld and %lld, but 0 to %lld are allowed", function, d, (long long)left_v, (long long)right_v,
              (long long)DRI_MAX_OVERLAP);
    return DRI_SUCCESS;
}

int dri_edge_check(const char *function, int d, int edge)
{
    CHECK_ARG(edge >= DRI_EDGE_TRUNCATE && edge <= DRI_EDGE_COPY, "%s: dimension %d: unknown edge %d: use one of the DRI_EDGE_ constants",
              function, d, edge);
    return DRI_SUCCESS;
}

PUBLIC int DRI_part_create(int n, const DRI_part_tuple tuples[], DRI_part *part)
{
    TRY(dri_ready());
    CHECK_ARG(part, "DRI_part_create: part is NULL");
    *part = DRI_NULL;
    CHECK_ARG(n >= 1 && n <= DRI_MAX_DIMS, "DRI_part_create: %d dimensions, but 1 to %d are allowed", n, DRI_MAX_DIMS);
    CHECK_ARG(tuples, "DRI_part_create: tuples is NULL");
    int one[DRI_MAX_DIMS];
    for (int d = 0; d < n; d++) {
        const DRI_part_tuple *t = &tuples[d];
        TRY(dri_overlap_check(__func__, d, t->left_v, t->right_v));
        CHECK_ARG(t->left_x > INT64_MIN && t->right_x >= t->left_x - 1, "DRI_part_create: dimension %d: %lld to %lld is not a range", d,
                  (long long)t->left_x, (long long)t->right_x);
        one[d] = 1;
    }
    struct cut cut;
    TRY(dri_cut_create(&cut, n, one));
    for (int d = 0; d < n; d++)
        cut.ranges[d][0] = tuples[d];
    return dri_part_new(&cut, part);
}

PUBLIC int DRI_part_query(DRI_part part, int *n, int *n_blocks, int block, DRI_part_tuple tuples[])
{
    CHECK(part, PART);
    if (n)
        *n = part->cut.n;
    return cut_query(__func__, &part->cut, n_blocks, block, tuples);
}

PUBLIC int DRI_part_destroy(DRI_part *part)
{
    CHECK_ARG(part, "DRI_part_destroy: part is NULL");
    CHECK(*part, PART);
    dri_cut_free(&(*part)->cut);
    (*part)->o.magic = 0;
    free(*part);
    *part = DRI_NULL;
    return DRI_SUCCESS;
}

/* ---- groups ---- */

/* Orders ranks, for qsort. */
static int compare_ranks(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

void dri_group_drop(DRI_group g)
{
    if (!g || !unused(g))
        return;
    free(g->procs);
    free(g->sorted);
    free(g);
}

/* Fills in a group, and checks its list of processes. */
static int group_fill(const char *function, DRI_group g, int n, const int procs[])
{
    g->procs = malloc(n * sizeof(int));
    g->sorted = malloc(n * sizeof(int));
    if (!g->procs || !g->sorted)
        return dri_fail(DRI_ERR_NOMEM, "no memory for a group of %d", n);
    g->n = n;
    g->rank = g->me = -1;
    memcpy(g->procs, procs, n * sizeof(int));
    memcpy(g->sorted, procs, n * sizeof(int));
    qsort(g->sorted, n, sizeof(int), compare_ranks);
    for (int i = 0; i < n; i++) {
        if (procs[i] < 0 || procs[i] >= dri_world.size)
            return dri_fail(DRI_ERR_GROUP, "%s: rank %d does not exist: ranks are 0 to %d", function, procs[i], dri_world.size - 1);
        if (i && g->sorted[i] == g->sorted[i - 1])
            return dri_fail(DRI_ERR_GROUP, "%s: rank %d is in the list twice: list each process once", function, g->sorted[i]);
        if (procs[i] == dri_world.rank)
            g->rank = i;
        if (g->sorted[i] == dri_world.rank)
            g->me = i;
    }
    return DRI_SUCCESS;
}

int dri_group_new(const char *function, int n, const int procs[], DRI_group *group)
{
    if (n > dri_world.size)
        return dri_fail(DRI_ERR_GROUP, "%s: a group of %d, but there are %d processes", function, n, dri_world.size);
    DRI_group g = object_new(sizeof *g, MAGIC_GROUP);
    if (!g)
        return DRI_ERR_NOMEM;
    int class = group_fill(function, g, n, procs);
    if (class)
        dri_group_drop(g);
    else
        *group = g;
    return class;
}

PUBLIC int DRI_group_create(int n, const int procs[], DRI_group *group)
{
    TRY(dri_ready());
    CHECK_ARG(group, "DRI_group_create: group is NULL");
    *group = DRI_NULL;
    CHECK_ARG(n >= 1 && procs, "DRI_group_create: the list has no processes");
    return dri_group_new(__func__, n, procs, group);
}

PUBLIC int DRI_group_query(DRI_group group, int *n, int procs[])
{
    CHECK(group, GROUP);
    if (n)
        *n = group->n;
    if (procs)
        memcpy(procs, group->procs, group->n * sizeof(int));
    return DRI_SUCCESS;
}

PUBLIC int DRI_group_destroy(DRI_group *group)
{
    CHECK_ARG(group, "DRI_group_destroy: group is NULL");
    CHECK(*group, GROUP);
    dri_group_drop(*group);
    *group = DRI_NULL;
    return DRI_SUCCESS;
}

/* ---- layouts ---- */

/* Defines a predefined layout. Its handle can be destroyed, but the layout is never freed. */
#define PACKED(name, dims, ...) \
    PUBLIC struct dri_layout dri_packed_##name = {{MAGIC_LAYOUT, 1}, dims, {__VA_ARGS__}, {0}}
PACKED(0, 1, 0);
PACKED(01, 2, 0, 1);
PACKED(10, 2, 1, 0);
PACKED(012, 3, 0, 1, 2);
PACKED(021, 3, 0, 2, 1);
PACKED(102, 3, 1, 0, 2);
PACKED(120, 3, 1, 2, 0);
PACKED(201, 3, 2, 0, 1);
PACKED(210, 3, 2, 1, 0);

/* Reports whether a layout is a predefined one. */
static bool predefined(DRI_layout l)
{
    return l == DRI_LAYOUT_PACKED_0 || l == DRI_LAYOUT_PACKED_01 || l == DRI_LAYOUT_PACKED_10 || l == DRI_LAYOUT_PACKED_012 ||
           l == DRI_LAYOUT_PACKED_021 || l == DRI_LAYOUT_PACKED_102 || l == DRI_LAYOUT_PACKED_120 || l == DRI_LAYOUT_PACKED_201 ||
           l == DRI_LAYOUT_PACKED_210;
}

PUBLIC int DRI_layout_create(int n, const MPI_Count strides[], DRI_layout *layout)
{
    TRY(dri_ready());
    CHECK_ARG(layout, "DRI_layout_create: layout is NULL");
    *layout = DRI_NULL;
    CHECK_ARG(n >= 1 && n <= DRI_MAX_DIMS, "DRI_layout_create: %d dimensions, but 1 to %d are allowed", n, DRI_MAX_DIMS);
    CHECK_ARG(strides, "DRI_layout_create: strides is NULL");
    for (int d = 0; d < n; d++)
        if (strides[d] < 1)
            return dri_fail(DRI_ERR_LAYOUT, "DRI_layout_create: dimension %d has stride %lld, but it must be at least 1", d,
                            (long long)strides[d]);
    DRI_layout l = object_new(sizeof *l, MAGIC_LAYOUT);
    if (!l)
        return DRI_ERR_NOMEM;
    l->n = n;
    for (int d = 0; d < n; d++) {
        l->strides[d] = strides[d];
        int at = d;
        for (; at > 0 && strides[l->order[at - 1]] > strides[d]; at--)
            l->order[at] = l->order[at - 1];
        l->order[at] = d;
    }
    *layout = l;
    return DRI_SUCCESS;
}

/* Any permutation of the dimensions is valid. order[0] varies fastest. */
PUBLIC int DRI_layout_packed(int n, const int order[], DRI_layout *layout)
{
    TRY(dri_ready());
    CHECK_ARG(layout, "DRI_layout_packed: layout is NULL");
    *layout = DRI_NULL;
    CHECK_ARG(n >= 1 && n <= DRI_MAX_DIMS, "DRI_layout_packed: %d dimensions, but 1 to %d are allowed", n, DRI_MAX_DIMS);
    CHECK_ARG(order, "DRI_layout_packed: order is NULL");
    unsigned seen = 0;
    for (int d = 0; d < n; d++) {
        CHECK_ARG(order[d] >= 0 && order[d] < n && !(seen >> order[d] & 1), "DRI_layout_packed: order[%d] is %d, but order must contain each "
                                                                            "dimension from 0 to %d once", d, order[d], n - 1);
        seen |= 1u << order[d];
    }
    DRI_layout l = object_new(sizeof *l, MAGIC_LAYOUT);
    if (!l)
        return DRI_ERR_NOMEM;
    l->n = n;
    memcpy(l->order, order, n * sizeof(int));
    *layout = l;
    return DRI_SUCCESS;
}

PUBLIC int DRI_layout_query(DRI_layout layout, int *n, MPI_Count strides[], int order[])
{
    CHECK(layout, LAYOUT);
    if (n)
        *n = layout->n;
    if (strides)
        memcpy(strides, layout->strides, layout->n * sizeof *strides);
    if (order)
        memcpy(order, layout->order, layout->n * sizeof *order);
    return DRI_SUCCESS;
}

/* Destroying a predefined layout only clears the handle. */
PUBLIC int DRI_layout_destroy(DRI_layout *layout)
{
    CHECK_ARG(layout, "DRI_layout_destroy: layout is NULL");
    CHECK(*layout, LAYOUT);
    if (!predefined(*layout)) {
        (*layout)->o.magic = 0;
        free(*layout);
    }
    *layout = DRI_NULL;
    return DRI_SUCCESS;
}

/* ---- distributions; dist.c makes them ---- */

void dri_dist_drop(DRI_dist d)
{
    if (!d || !unused(d))
        return;
    for (int i = 0; d->parts && i < d->group->n; i++)
        dri_cut_free(&d->parts[i]);
    free(d->parts);
    dri_gdo_drop(d->gdo);
    dri_group_drop(d->group);
    free(d);
}

PUBLIC int DRI_dist_query(DRI_dist dist, int rank, int *n_blocks, int block, DRI_part_tuple tuples[])
{
    CHECK(dist, DIST);
    CHECK_ARG(rank >= 0 && rank < dist->group->n, "DRI_dist_query: rank %d does not exist: the group has %d processes", rank, dist->group->n);
    return cut_query(__func__, &dist->parts[rank], n_blocks, block, tuples);
}

PUBLIC int DRI_dist_bytes(DRI_dist dist, DRI_layout layout, MPI_Count *bytes)
{
    CHECK(dist, DIST);
    CHECK(layout, LAYOUT);
    CHECK_ARG(bytes, "DRI_dist_bytes: bytes is NULL");
    struct place place;
    TRY(dri_place_create(&place, dist->gdo, &dist->parts[dist->group->rank], true, layout));
    *bytes = place.elements * dist->gdo->element.extent;
    dri_place_free(&place);
    return DRI_SUCCESS;
}

PUBLIC int DRI_dist_destroy(DRI_dist *dist)
{
    CHECK_ARG(dist, "DRI_dist_destroy: dist is NULL");
    CHECK(*dist, DIST);
    dri_dist_drop(*dist);
    *dist = DRI_NULL;
    return DRI_SUCCESS;
}
