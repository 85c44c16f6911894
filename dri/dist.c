/* Makes distributions: every process of the group learns all parts and checks them. All processes get the same parts, so
 * each finds the same errors. */
#include "internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The format of dri_cut_get: for each dimension the number of ranges, the edge, and the ranges. */
int dri_cut_put(struct bytes *b, const struct cut *c)
{
    for (int d = 0; d < c->n; d++) {
        TRY(dri_put_number(b, c->count[d]));
        TRY(dri_put_number(b, c->edge[d]));
        TRY(dri_put(b, c->ranges[d], c->count[d] * sizeof *c->ranges[d]));
    }
    return DRI_SUCCESS;
}

/* Reads twice: first the numbers of ranges, which the allocation needs, then the ranges. */
int dri_cut_get(struct reader *r, int n, struct cut *c)
{
    int count[DRI_MAX_DIMS] = {0};
    struct reader first = *r;
    for (int d = 0; d < n; d++) {
        count[d] = dri_get_number(&first);
        dri_get_number(&first);
        dri_get(&first, count[d] * sizeof(DRI_part_tuple));
    }
    TRY(dri_cut_create(c, n, count));
    for (int d = 0; d < n; d++) {
        dri_get_number(r);
        c->edge[d] = dri_get_number(r);
        memcpy(c->ranges[d], dri_get(r, count[d] * sizeof(DRI_part_tuple)), count[d] * sizeof(DRI_part_tuple));
    }
    return DRI_SUCCESS;
}

/* Returns DRI_ERR_RANGE unless all indices of the cut are in D. */
static int within(const struct dri_gdo *gdo, const struct cut *c)
{
    for (int d = 0; d < c->n; d++)
        for (int i = 0; i < c->count[d]; i++) {
            const DRI_part_tuple *t = &c->ranges[d][i];
            if (t->right_x >= t->left_x && (t->left_x < gdo->lo[d] || t->right_x > gdo->hi[d]))
                return dri_fail(DRI_ERR_RANGE, "dimension %d: index %lld is not within %lld to %lld", d,
                                (long long)(t->left_x < gdo->lo[d] ? t->left_x : t->right_x), (long long)gdo->lo[d], (long long)gdo->hi[d]);
        }
    return DRI_SUCCESS;
}

/* ---- no element belongs to two processes ---- */

/* Reports whether two lists of ranges, each in ascending order, have a common index in dimension d, and stores the first. */
static bool common(const struct cut *a, const struct cut *b, int d, MPI_Count *index)
{
    for (int i = 0, j = 0; i < a->count[d] && j < b->count[d];) {
        const DRI_part_tuple *x = &a->ranges[d][i], *y = &b->ranges[d][j];
        MPI_Count lo = x->left_x > y->left_x ? x->left_x : y->left_x, hi = x->right_x < y->right_x ? x->right_x : y->right_x;
        if (lo <= hi) {
            *index = lo;
            return true;
        }
        if (x->right_x < y->right_x)
            i++;
        else
            j++;
    }
    return false;
}

/* Reports whether two cuts have a common element, and stores its indices. */
static bool overlap(const struct cut *a, const struct cut *b, MPI_Count index[])
{
    for (int d = 0; d < a->n; d++)
        if (!common(a, b, d, &index[d]))
            return false;
    return true;
}

/* The first and the last index that a rank of the group has in one dimension; lo > hi if it has none. */
struct hull {
    MPI_Count lo, hi;
    int rank;
};

/* Orders hulls by their first index, then by rank, for qsort. */
static int by_lo(const void *a, const void *b)
{
    const struct hull *x = a, *y = b;
    return x->lo != y->lo ? (x->lo > y->lo) - (x->lo < y->lo) : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Writes the hulls of all parts in dimension d, in order, and the number of different first indices. */
static void find_hulls(const struct dri_dist *dist, int d, struct hull *hulls, int *beginnings)
{
    int n = dist->group->n;
    for (int i = 0; i < n; i++) {
        const struct cut *c = &dist->parts[i];
        hulls[i] = (struct hull){INT64_MAX, INT64_MIN, i};
        for (int j = 0; j < c->count[d]; j++)
            if (c->ranges[d][j].left_x <= c->ranges[d][j].right_x) {
                hulls[i].lo = hulls[i].lo < c->ranges[d][j].left_x ? hulls[i].lo : c->ranges[d][j].left_x;
                hulls[i].hi = hulls[i].hi > c->ranges[d][j].right_x ? hulls[i].hi : c->ranges[d][j].right_x;
            }
    }
    qsort(hulls, n, sizeof *hulls, by_lo);
    *beginnings = 0;
    for (int i = 0; i < n; i++)
        *beginnings += i == 0 || hulls[i].lo != hulls[i - 1].lo;
}

/* Returns DRI_ERR_OWNED_TWICE if an element belongs to two parts. Comparing all pairs of parts would be slow, so this sweeps
 * along the dimension that is divided most, and compares only parts with overlapping hulls there. */
static int owned_once(const struct dri_dist *dist)
{
    int n = dist->group->n, best = 0, most = 0, beginnings;
    struct hull *hulls = malloc(n * sizeof *hulls);
    if (!hulls)
        return dri_fail(DRI_ERR_NOMEM, "no memory for %d parts", n);
    for (int d = 0; d < dist->gdo->n; d++) {
        find_hulls(dist, d, hulls, &beginnings);
        if (beginnings > most)
            most = beginnings, best = d;
    }
    find_hulls(dist, best, hulls, &beginnings);
    int class = DRI_SUCCESS;
    for (int i = 0; !class && i < n; i++)
        for (int j = i + 1; !class && j < n && hulls[j].lo <= hulls[i].hi; j++) {
            MPI_Count index[DRI_MAX_DIMS];
            int a = hulls[i].rank, b = hulls[j].rank;
            if (!overlap(&dist->parts[a], &dist->parts[b], index))
                continue;
            char text[24 * DRI_MAX_DIMS] = "";
            for (int d = 0, at = 0; d < dist->gdo->n; d++)
                at += snprintf(text + at, sizeof text - at, "%s%lld", d ? ", " : "", (long long)index[d]);
            class = dri_fail(DRI_ERR_OWNED_TWICE, "element (%s) belongs to rank %d and to rank %d, whose ranges of dimension %d meet at index %lld",
                             text, dist->group->procs[a < b ? a : b], dist->group->procs[a < b ? b : a], best, (long long)index[best]);
        }
    free(hulls);
    return class;
}

/* ---- every element belongs to a process ---- */

/* Returns the number of elements that a cut has in the dimensions from `from` on. */
static MPI_Count volume(const struct cut *c, int from)
{
    MPI_Count v = 1;
    for (int d = from; d < c->n; d++) {
        MPI_Count sum = 0;
        for (int i = 0; i < c->count[d]; i++)
            sum += c->ranges[d][i].right_x - c->ranges[d][i].left_x + 1;
        v *= sum;
    }
    return v;
}

/* Reports whether a cut contains the index in dimension d. */
static bool has(const struct cut *c, int d, MPI_Count index)
{
    for (int i = 0; i < c->count[d]; i++)
        if (c->ranges[d][i].left_x <= index && index <= c->ranges[d][i].right_x)
            return true;
    return false;
}

/* Reports whether the n parts in the list leave a gap in the dimensions from d on, and stores the indices of the first
 * missing element. No element belongs to two parts, so there is no gap if the volumes of the parts add up to the whole.
 * Otherwise the gap is searched: along dimension d, at each index that changes the set of parts, in the remaining
 * dimensions. */
static bool gap(const struct dri_dist *dist, int d, const int *list, int n, MPI_Count index[])
{
    const struct dri_gdo *gdo = dist->gdo;
    if (d == gdo->n)
        return n == 0;
    MPI_Count wanted = 1, there = 0;
    for (int e = d; e < gdo->n; e++)
        wanted *= gdo->hi[e] - gdo->lo[e] + 1;
    for (int i = 0; i < n; i++)
        there += volume(&dist->parts[list[i]], d);
    if (wanted == there)
        return false;
    int *inner = malloc((n + 1) * sizeof *inner);
    bool found = false;
    for (MPI_Count at = gdo->lo[d], next; inner && !found && at <= gdo->hi[d]; at = next) {
        int m = 0;
        next = gdo->hi[d] + 1; /* the next index that changes the set of parts */
        for (int i = 0; i < n; i++) {
            const struct cut *c = &dist->parts[list[i]];
            if (has(c, d, at))
                inner[m++] = list[i];
            for (int j = 0; j < c->count[d]; j++) {
                MPI_Count lo = c->ranges[d][j].left_x, behind = c->ranges[d][j].right_x + 1;
                if (lo > at && lo < next && lo < behind)
                    next = lo;
                if (behind > at && behind < next)
                    next = behind;
            }
        }
        index[d] = at;
        found = gap(dist, d + 1, inner, m, index);
    }
    free(inner);
    return found;
}

int dri_dist_whole(DRI_dist dist)
{
    int n = dist->group->n;
    MPI_Count index[DRI_MAX_DIMS];
    memcpy(index, dist->gdo->lo, sizeof index);
    int *all = malloc(n * sizeof *all);
    if (!all)
        return dri_fail(DRI_ERR_NOMEM, "no memory for %d parts", n);
    for (int i = 0; i < n; i++)
        all[i] = i;
    bool missing = gap(dist, 0, all, n, index);
    free(all);
    if (!missing)
        return DRI_SUCCESS;
    char text[24 * DRI_MAX_DIMS] = "";
    for (int d = 0, at = 0; d < dist->gdo->n; d++)
        at += snprintf(text + at, sizeof text - at, "%s%lld", d ? ", " : "", (long long)index[d]);
    return dri_fail(DRI_ERR_NOT_OWNED, "element (%s) of the source belongs to none of the %d processes", text, n);
}

/* ---- the exchange of parts ---- */

/* Appends everything that the other processes check or need: the group, D, and the part. */
static int put_part(struct bytes *b, const struct dri_gdo *gdo, const struct cut *c, const struct dri_group *g)
{
    TRY(dri_put_number(b, g->n));
    TRY(dri_put(b, g->procs, g->n * sizeof(int)));
    TRY(dri_put_number(b, gdo->n));
    TRY(dri_put(b, gdo->lo, sizeof gdo->lo));
    TRY(dri_put(b, gdo->hi, sizeof gdo->hi));
    TRY(dri_put_number(b, gdo->element.named));
    TRY(dri_put_number(b, gdo->element.size));
    TRY(dri_put_number(b, gdo->element.shape));
    return dri_cut_put(b, c);
}

/* Reads the message of one process, by its index in the sorted list, checks that its group and D are the same as here, and
 * stores its part. */
static int read_part(struct dri_dist *dist, int sorted, struct reader *r)
{
    const struct dri_group *g = dist->group;
    const struct dri_gdo *gdo = dist->gdo;
    int rank = g->sorted[sorted], n = dri_get_number(r);
    const int *procs = dri_get(r, n * sizeof(int));
    if (n != g->n || memcmp(procs, g->procs, n * sizeof(int)))
        return dri_fail(DRI_ERR_GROUP, "rank %d has a different list of processes than rank %d", rank, g->sorted[0]);
    n = dri_get_number(r);
    if (n != gdo->n)
        return dri_fail(DRI_ERR_DIMS, "rank %d has %d dimensions, rank %d has %d", rank, n, dri_world.rank, gdo->n);
    const MPI_Count *lo = dri_get(r, sizeof gdo->lo), *hi = dri_get(r, sizeof gdo->hi);
    for (int d = 0; d < n; d++)
        if (lo[d] != gdo->lo[d] || hi[d] != gdo->hi[d])
            return dri_fail(DRI_ERR_MISMATCH, "dimension %d: rank %d has indices %lld to %lld, rank %d has %lld to %lld", d, rank,
                            (long long)lo[d], (long long)hi[d], dri_world.rank, (long long)gdo->lo[d], (long long)gdo->hi[d]);
    int64_t named = dri_get_number(r), size = dri_get_number(r);
    uint64_t shape = dri_get_number(r);
    if (named != gdo->element.named || size != gdo->element.size || shape != gdo->element.shape)
        return dri_fail(DRI_ERR_MISMATCH, "rank %d has a different type of element than rank %d", rank, dri_world.rank);
    int at = 0;
    while (g->procs[at] != rank)
        at++;
    return dri_cut_get(r, gdo->n, &dist->parts[at]);
}

/* Returns an error that this process alone can detect; the others learn it in the exchange. */
static int local_checks(DRI_gdo gdo, DRI_part part)
{
    if (!dri_is(gdo, MAGIC_GDO))
        return dri_fail(DRI_ERR_HANDLE, "DRI_dist_create: gdo is not a handle of a global data object");
    if (!dri_is(part, MAGIC_PART))
        return dri_fail(DRI_ERR_HANDLE, "DRI_dist_create: part is not a handle of a partition");
    if (gdo->n != part->cut.n)
        return dri_fail(DRI_ERR_DIMS, "DRI_dist_create: the global data object has %d dimensions, the part %d", gdo->n, part->cut.n);
    return within(gdo, &part->cut);
}

/* Does the local part of a creation: makes the distribution, without parts, the message for the others, and the readers
 * of their messages. The caller owns them also after an error. */
static int prepare_dist(DRI_gdo gdo, DRI_part part, DRI_group group, DRI_dist *made, struct bytes *mine, struct reader **all)
{
    TRY(local_checks(gdo, part));
    DRI_dist d = *made = calloc(1, sizeof *d);
    if (!d)
        return dri_fail(DRI_ERR_NOMEM, "no memory for a distribution");
    d->o.magic = MAGIC_DIST;
    atomic_init(&d->o.users, 1);
    d->group = dri_object_use(group);
    d->gdo = dri_object_use(gdo);
    *all = calloc(group->n, sizeof **all);
    d->parts = calloc(group->n, sizeof *d->parts);
    if (!*all || !d->parts)
        return dri_fail(DRI_ERR_NOMEM, "no memory for %d parts", group->n);
    return put_part(mine, gdo, &part->cut, group);
}

/* Exchanges the parts and checks them. local is the error of prepare_dist. Returns the same class on all processes, unless
 * MPI fails. */
static int collect(const struct dri_group *g, int local, DRI_dist d, const struct bytes *mine, struct reader *all)
{
    char *memory;
    int class = dri_exchange(g->sorted, g->n, g->me, TAG_DIST, local, mine, all, &memory);
    for (int i = 0; !class && i < g->n; i++)
        class = read_part(d, i, &all[i]);
    if (!class)
        class = owned_once(d);
    free(memory);
    return dri_agree(g->sorted, g->n, g->me, TAG_DIST, class);
}

/* All processes of the group exchange their parts, and all of them return the lowest error class of any. */
PUBLIC int DRI_dist_create(DRI_gdo gdo, DRI_part part, DRI_group group, DRI_dist *dist)
{
    TRY(dri_ready());
    CHECK_ARG(dist, "DRI_dist_create: dist is NULL");
    *dist = DRI_NULL;
    CHECK(group, GROUP); /* an error of this process alone: the processes to agree with are unknown */
    if (group->rank < 0)
        return dri_fail(DRI_ERR_GROUP, "DRI_dist_create: rank %d calls, but is not in the group", dri_world.rank);
    DRI_dist d = NULL;
    struct bytes mine = {0};
    struct reader *all = NULL;
    int local = prepare_dist(gdo, part, group, &d, &mine, &all), class = collect(group, local, d, &mine, all);
    free(mine.data);
    free(all);
    if (class)
        dri_dist_drop(d);
    else
        *dist = d;
    return class;
}
