/* Makes parts from parts, and groups from groups. Nothing here communicates, and no data moves: the new objects are used as
 * any others. All objects are constant once they have been made, so there are no locks. The program owns the results. */
#include "internal.h"
#include <stdlib.h>
#include <string.h>

/* ---- from part to part ---- */

/* Makes a part with a cut, which it owns then, and with the rules of another part. */
static int part_like(DRI_part part, struct cut *cut, DRI_part *made)
{
    TRY(dri_part_new(cut, made));
    (*made)->by_rules = part->by_rules;
    memcpy((*made)->rules, part->rules, sizeof part->rules);
    return DRI_SUCCESS;
}

/* Copies a cut. The caller frees the copy with dri_cut_free. */
static int cut_copy(const struct cut *from, struct cut *to)
{
    TRY(dri_cut_create(to, from->n, from->count));
    memcpy(to->edge, from->edge, sizeof to->edge);
    for (int d = 0; d < from->n; d++)
        memcpy(to->ranges[d], from->ranges[d], from->count[d] * sizeof *from->ranges[d]);
    return DRI_SUCCESS;
}

/* Returns value * size / of, rounded down; the largest count instead of a larger result. The product may have more than
 * 64 bits. */
static MPI_Count proportion(MPI_Count value, MPI_Count size, MPI_Count of)
{
    __int128 product = (__int128)value * size, result = product / of - (product % of < 0);
    return result > INT64_MAX ? INT64_MAX : result < -INT64_MAX ? -INT64_MAX : (MPI_Count)result;
}

/* The sizes of a dimension before and after scaling, and the first index of each. */
struct scale {
    MPI_Count from, to, from_lo, to_lo;
};

/* Scales the ranges of a dimension, leaves out those that become empty, and returns the number of the others, which are in
 * `out` then; out may be NULL. Neighbors stay neighbors, because the index after one range scales to the same index as the
 * first one of the next range. */
static int scale_ranges(const struct scale *s, const DRI_part_tuple *ranges, int n, DRI_part_tuple *out)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        DRI_part_tuple t = ranges[i];
        if (t.left_x > t.right_x)
            continue;
        MPI_Count behind = s->to_lo + proportion(t.right_x + 1 - s->from_lo, s->to, s->from);
        t.left_x = s->to_lo + proportion(t.left_x - s->from_lo, s->to, s->from);
        t.right_x = behind - 1;
        if (t.left_x >= behind)
            continue;
        if (out)
            out[kept] = t;
        kept++;
    }
    return kept;
}

/* Scales the lengths of a rule, except its overlap. The minimum is rounded down and the maximum up, because the shares of a
 * scaled part are rounded. */
static void scale_rule(const struct scale *s, DRI_part_rule *r)
{
    MPI_Count block = proportion(r->block ? r->block : 1, s->to, s->from);
    r->min = proportion(r->min, s->to, s->from);
    r->max = -proportion(-r->max, s->to, s->from);
    r->block = block < 1 ? 1 : block;
}

/* Returns DRI_ERR_RANGE unless all indices of the cut are in a global data object. */
static int part_within(const struct cut *c, const struct dri_gdo *from)
{
    for (int d = 0; d < c->n; d++)
        for (int i = 0; i < c->count[d]; i++) {
            const DRI_part_tuple *t = &c->ranges[d][i];
            if (t->left_x <= t->right_x && (t->left_x < from->lo[d] || t->right_x > from->hi[d]))
                return dri_fail(DRI_ERR_RANGE, "DRI_part_scale: dimension %d: the part has indices %lld to %lld, but `from` has %lld to %lld: pass "
                                               "the object that the part was made for", d, (long long)t->left_x, (long long)t->right_x,
                                (long long)from->lo[d], (long long)from->hi[d]);
        }
    return DRI_SUCCESS;
}

PUBLIC int DRI_part_scale(DRI_part part, DRI_gdo from, DRI_gdo to, DRI_part *scaled)
{
    TRY(dri_ready());
    CHECK_ARG(scaled, "DRI_part_scale: scaled is NULL: pass the address of a handle");
    *scaled = DRI_NULL;
    CHECK(part, PART);
    CHECK(from, GDO);
    CHECK(to, GDO);
    const struct cut *c = &part->cut;
    if (from->n != c->n || to->n != c->n)
        return dri_fail(DRI_ERR_DIMS, "DRI_part_scale: the part has %d dimensions, `from` %d and `to` %d: pass objects of the same number", c->n,
                        from->n, to->n);
    TRY(part_within(c, from));
    struct scale s[DRI_MAX_DIMS];
    int count[DRI_MAX_DIMS], kept[DRI_MAX_DIMS];
    for (int d = 0; d < c->n; d++) {
        s[d] = (struct scale){from->hi[d] - from->lo[d] + 1, to->hi[d] - to->lo[d] + 1, from->lo[d], to->lo[d]};
        kept[d] = scale_ranges(&s[d], c->ranges[d], c->count[d], NULL);
        count[d] = kept[d] ? kept[d] : 1;
    }
    struct cut cut;
    TRY(dri_cut_create(&cut, c->n, count));
    memcpy(cut.edge, c->edge, sizeof cut.edge);
    for (int d = 0; d < c->n; d++) {
        cut.ranges[d][0] = (DRI_part_tuple){c->ranges[d][0].left_v, s[d].to_lo, s[d].to_lo - 1, c->ranges[d][0].right_v};
        scale_ranges(&s[d], c->ranges[d], c->count[d], cut.ranges[d]);
    }
    TRY(part_like(part, &cut, scaled));
    for (int d = 0; part->by_rules && d < c->n; d++)
        scale_rule(&s[d], &(*scaled)->rules[d]);
    return DRI_SUCCESS;
}

PUBLIC int DRI_part_swap(DRI_part part, int a, int b, DRI_part *swapped)
{
    TRY(dri_ready());
    CHECK_ARG(swapped, "DRI_part_swap: swapped is NULL: pass the address of a handle");
    *swapped = DRI_NULL;
    CHECK(part, PART);
    int n = part->cut.n;
    CHECK_ARG(a >= 0 && a < n && b >= 0 && b < n, "DRI_part_swap: dimensions %d and %d, but the part has dimensions 0 to %d: pass two of these",
              a, b, n - 1);
    struct cut cut;
    TRY(cut_copy(&part->cut, &cut));
    cut.count[a] = part->cut.count[b], cut.count[b] = part->cut.count[a];
    cut.edge[a] = part->cut.edge[b], cut.edge[b] = part->cut.edge[a];
    DRI_part_tuple *ranges = cut.ranges[a];
    cut.ranges[a] = cut.ranges[b], cut.ranges[b] = ranges;
    TRY(part_like(part, &cut, swapped));
    (*swapped)->rules[a] = part->rules[b];
    (*swapped)->rules[b] = part->rules[a];
    return DRI_SUCCESS;
}

/* Returns DRI_ERR_ARG if the additions, or an overlap with its addition, are not allowed. */
static int check_widening(DRI_part part, const MPI_Count left_v[], const MPI_Count right_v[], const int edges[])
{
    for (int d = 0; d < part->cut.n; d++) {
        MPI_Count left = left_v ? left_v[d] : 0, right = right_v ? right_v[d] : 0;
        TRY(dri_overlap_check("DRI_part_widen", d, left, right));
        for (int i = 0; i < part->cut.count[d]; i++)
            TRY(dri_overlap_check("DRI_part_widen", d, part->cut.ranges[d][i].left_v + left, part->cut.ranges[d][i].right_v + right));
        if (edges)
            TRY(dri_edge_check("DRI_part_widen", d, edges[d]));
    }
    return DRI_SUCCESS;
}

PUBLIC int DRI_part_widen(DRI_part part, const MPI_Count left_v[], const MPI_Count right_v[], const int edges[], DRI_part *widened)
{
    TRY(dri_ready());
    CHECK_ARG(widened, "DRI_part_widen: widened is NULL: pass the address of a handle");
    *widened = DRI_NULL;
    CHECK(part, PART);
    TRY(check_widening(part, left_v, right_v, edges));
    struct cut cut;
    TRY(cut_copy(&part->cut, &cut));
    for (int d = 0; d < cut.n; d++) {
        cut.edge[d] = edges ? edges[d] : cut.edge[d];
        for (int i = 0; i < cut.count[d]; i++) {
            cut.ranges[d][i].left_v += left_v ? left_v[d] : 0;
            cut.ranges[d][i].right_v += right_v ? right_v[d] : 0;
        }
    }
    TRY(part_like(part, &cut, widened));
    for (int d = 0; d < part->cut.n; d++) {
        DRI_part_rule *r = &(*widened)->rules[d];
        r->left_v += left_v ? left_v[d] : 0;
        r->right_v += right_v ? right_v[d] : 0;
        r->edge = edges ? edges[d] : r->edge;
    }
    return DRI_SUCCESS;
}

/* ---- from group to group ---- */

PUBLIC int DRI_group_subset(DRI_group of, int n, const int members[], DRI_group *subset)
{
    TRY(dri_ready());
    CHECK_ARG(subset, "DRI_group_subset: subset is NULL: pass the address of a handle");
    *subset = DRI_NULL;
    CHECK(of, GROUP);
    CHECK_ARG(n >= 1 && members, "DRI_group_subset: the list has no members: list at least one");
    if (n > of->n)
        return dri_fail(DRI_ERR_GROUP, "DRI_group_subset: %d members, but the group has %d: list each once", n, of->n);
    int *procs = malloc(n * sizeof *procs), class = procs ? DRI_SUCCESS : dri_no_memory("the members");
    for (int i = 0; !class && i < n; i++)
        if (members[i] >= 0 && members[i] < of->n)
            procs[i] = of->procs[members[i]];
        else
            class = dri_fail(DRI_ERR_GROUP, "DRI_group_subset: members[%d] is %d, but the group has members 0 to %d: pass indices in the group, "
                                            "not ranks", i, members[i], of->n - 1);
    if (!class)
        class = dri_group_new(__func__, n, procs, subset);
    free(procs);
    return class;
}

/* The program's function may call any function of DRI that is local. */
PUBLIC int DRI_group_filter(DRI_group of, int (*keep)(int index, int proc, void *state), void *state, DRI_group *kept)
{
    TRY(dri_ready());
    CHECK_ARG(kept, "DRI_group_filter: kept is NULL: pass the address of a handle");
    *kept = DRI_NULL;
    CHECK(of, GROUP);
    CHECK_ARG(keep, "DRI_group_filter: keep is NULL: pass a function");
    int n = 0, *procs = malloc(of->n * sizeof *procs);
    if (!procs)
        return dri_no_memory("the members");
    for (int i = 0; i < of->n; i++)
        if (keep(i, of->procs[i], state))
            procs[n++] = of->procs[i];
    int class = n ? dri_group_new(__func__, n, procs, kept)
                  : dri_fail(DRI_ERR_GROUP, "DRI_group_filter: the predicate keeps none of the %d processes: a group needs at least one", of->n);
    free(procs);
    return class;
}

/* Returns an error unless the sizes are those of n groups that together are the group. */
static int check_sizes(DRI_group of, int n, const int sizes[])
{
    long long sum = 0;
    for (int i = 0; sizes && i < n; i++) {
        CHECK_ARG(sizes[i] >= 1, "DRI_group_split: sizes[%d] is %d, but a group needs at least one process: pass 1 or more", i, sizes[i]);
        sum += sizes[i];
    }
    if (sizes && sum != of->n)
        return dri_fail(DRI_ERR_GROUP, "DRI_group_split: the sizes add up to %lld, but the group has %d processes: make them equal", sum, of->n);
    return DRI_SUCCESS;
}

PUBLIC int DRI_group_split(DRI_group of, int n, const int sizes[], DRI_group groups[])
{
    TRY(dri_ready());
    CHECK_ARG(n >= 1, "DRI_group_split: %d groups: pass 1 or more", n);
    CHECK_ARG(groups, "DRI_group_split: groups is NULL: pass an array of %d handles", n);
    for (int i = 0; i < n; i++)
        groups[i] = DRI_NULL;
    CHECK(of, GROUP);
    if (n > of->n)
        return dri_fail(DRI_ERR_GROUP, "DRI_group_split: %d groups, but the group has %d processes: pass at most as many", n, of->n);
    TRY(check_sizes(of, n, sizes));
    int class = DRI_SUCCESS;
    for (int i = 0, at = 0, size; !class && i < n; i++, at += size) {
        size = sizes ? sizes[i] : of->n / n + (i < of->n % n);
        class = dri_group_new(__func__, size, of->procs + at, &groups[i]);
    }
    for (int i = 0; class && i < n; i++) {
        dri_group_drop(groups[i]);
        groups[i] = DRI_NULL;
    }
    return class;
}
