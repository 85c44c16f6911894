/* Makes parts by rules: finds a grid of processes, and computes the ranges of this process. */
#include "internal.h"
#include <stdlib.h>
#include <string.h>

/* How a dimension is divided. */
struct division {
    int kind, processes;   /* DRI_WHOLE, DRI_BLOCK or DRI_CYCLIC; the number of processes */
    MPI_Count size, block; /* the number of indices; the size of a cyclic block */
};

/* Returns the number of indices that a process gets, by its index in the dimension of the grid. The blocks of DRI_BLOCK
 * differ by one element at most, and the larger ones come first. */
static MPI_Count owned(const struct division *v, int index)
{
    if (v->kind != DRI_CYCLIC)
        return v->size / v->processes + (index < v->size % v->processes);
    MPI_Count round = v->block * v->processes, rest = v->size % round - index * v->block;
    return v->size / round * v->block + (rest < 0 ? 0 : rest > v->block ? v->block : rest);
}

/* Returns DRI_ERR_CONSTRAINT if a process would get fewer or more indices than the rule allows. */
static int constraint(int d, const DRI_part_rule *rule, const struct division *v)
{
    for (int i = 0; i < v->processes; i++) {
        MPI_Count has = owned(v, i);
        if (rule->min && has < rule->min)
            return dri_fail(DRI_ERR_CONSTRAINT, "dimension %d: place %d of %d would have %lld of %lld indices, but the minimum is %lld", d, i,
                            v->processes, (long long)has, (long long)v->size, (long long)rule->min);
        if (rule->max && has > rule->max)
            return dri_fail(DRI_ERR_CONSTRAINT, "dimension %d: place %d of %d would have %lld of %lld indices, but the maximum is %lld", d, i,
                            v->processes, (long long)has, (long long)v->size, (long long)rule->max);
        if (v->kind != DRI_CYCLIC && i == 0 && v->size % v->processes)
            i = v->size % v->processes - 1; /* the other larger blocks are the same: go on with the first smaller one */
        else if (v->kind != DRI_CYCLIC)
            break;
    }
    return DRI_SUCCESS;
}

/* The search for a grid of processes. */
struct search {
    const char *function; /* the public function, for texts */
    int n, best[DRI_MAX_DIMS], grid[DRI_MAX_DIMS]; /* dimensions; the best grid so far; the current one, with 0 for any
                                                    * number in the dimensions that are not chosen yet */
    struct division divisions[DRI_MAX_DIMS];       /* without the number of processes */
    const DRI_part_rule *rules;
    double cost; /* cost of the best grid, negative until one is found */
    int class;   /* the error of the last grid that broke a constraint */
};

/* Chooses, for the dimensions from d on, the grid with the smallest cost among all grids that the rules allow. `processes`
 * is the number of processes that are left, and `cost` the cost so far. The cost grows with the surface of the parts. */
static void search(struct search *s, int d, int processes, double cost)
{
    if (d == s->n) {
        if (processes == 1 && (s->cost < 0 || cost < s->cost)) {
            s->cost = cost;
            memcpy(s->best, s->grid, sizeof s->best);
        }
        return;
    }
    int wanted = s->grid[d];
    for (int p = 1; p <= processes; p++) {
        if (processes % p || (wanted && p != wanted) || (s->rules[d].kind == DRI_WHOLE && p != 1))
            continue;
        struct division division = s->divisions[d];
        division.processes = p;
        int class = constraint(d, &s->rules[d], &division);
        if (class) {
            s->class = class;
            continue;
        }
        s->grid[d] = p;
        search(s, d + 1, processes / p, cost + (double)p / division.size);
    }
    s->grid[d] = wanted;
}

/* Checks the arguments, and fills in the divisions and the required grid. */
static int check_rules(DRI_gdo gdo, const int grid[], const DRI_part_rule rules[], struct search *s)
{
    for (int d = 0; d < gdo->n; d++) {
        const DRI_part_rule *r = &rules[d];
        CHECK_ARG(r->kind >= DRI_WHOLE && r->kind <= DRI_CYCLIC, "%s: dimension %d: unknown kind %d: use DRI_WHOLE, DRI_BLOCK or DRI_CYCLIC", s->function, d, r->kind);
        TRY(dri_edge_check(s->function, d, r->edge));
        CHECK_ARG(r->min >= 0 && r->max >= 0 && r->block >= 0, "%s: dimension %d: min, max or block is negative", s->function, d);
        CHECK_ARG(!r->max || r->min <= r->max, "%s: dimension %d: the minimum is %lld, the maximum %lld", s->function, d,
                  (long long)r->min, (long long)r->max);
        TRY(dri_overlap_check(s->function, d, r->left_v, r->right_v));
        CHECK_ARG(!grid || grid[d] >= 0, "%s: dimension %d: the grid has %d processes: use 0 for any number", s->function, d, grid[d]);
        MPI_Count size = gdo->hi[d] - gdo->lo[d] + 1, block = r->block ? r->block : 1, round;
        CHECK_ARG(!__builtin_mul_overflow(size, (MPI_Count)dri_world.size, &round), "%s: dimension %d: a size of %lld is too large",
                  s->function, d, (long long)size);
        s->divisions[d] = (struct division){r->kind, 1, size, block < size ? block : size};
        s->grid[d] = grid ? grid[d] : 0;
    }
    return DRI_SUCCESS;
}

/* Writes the `count` ranges that a process gets, by its index in the dimension of the grid. lo is the first index of D. */
static void fill_ranges(const struct division *v, const DRI_part_rule *r, MPI_Count lo, int index, int count, DRI_part_tuple *ranges)
{
    if (v->kind == DRI_CYCLIC) {
        for (int i = 0; i < count; i++) {
            MPI_Count first = (i * (MPI_Count)v->processes + index) * v->block;
            MPI_Count length = v->size - first < v->block ? v->size - first : v->block;
            ranges[i] = (DRI_part_tuple){r->left_v, lo + first, lo + first + length - 1, r->right_v};
        }
        return;
    }
    MPI_Count each = v->size / v->processes, larger = v->size % v->processes;
    MPI_Count first = index * each + (index < larger ? index : larger);
    ranges[0] = (DRI_part_tuple){r->left_v, lo + first, lo + first + owned(v, index) - 1, r->right_v};
}

/* Makes the part that the grid with the lowest cost gives this process. */
static int part_of_grid(const struct search *s, DRI_gdo gdo, DRI_group group, DRI_part *part)
{
    struct division divisions[DRI_MAX_DIMS];
    int index[DRI_MAX_DIMS], count[DRI_MAX_DIMS], rank = group->rank;
    for (int d = gdo->n - 1; d >= 0; d--) {
        struct division *v = &divisions[d];
        *v = s->divisions[d];
        v->processes = s->best[d];
        index[d] = rank % s->best[d];
        rank /= s->best[d];
        count[d] = 1;
        if (v->kind == DRI_CYCLIC && owned(v, index[d])) {
            MPI_Count blocks = (owned(v, index[d]) + v->block - 1) / v->block;
            CHECK_ARG(blocks < 1 << 28, "%s: dimension %d: %lld blocks are too many: use larger blocks", s->function, d, (long long)blocks);
            count[d] = blocks;
        }
    }
    struct cut cut;
    TRY(dri_cut_create(&cut, gdo->n, count));
    for (int d = 0; d < gdo->n; d++) {
        const DRI_part_rule *r = &s->rules[d];
        cut.edge[d] = r->edge;
        /* A process that gets no block of a cyclic dimension has one empty range, as with the other kinds. */
        if (divisions[d].kind == DRI_CYCLIC && !owned(&divisions[d], index[d]))
            cut.ranges[d][0] = (DRI_part_tuple){r->left_v, gdo->lo[d], gdo->lo[d] - 1, r->right_v};
        else
            fill_ranges(&divisions[d], r, gdo->lo[d], index[d], count[d], cut.ranges[d]);
    }
    TRY(dri_part_new(&cut, part));
    (*part)->by_rules = true;
    memcpy((*part)->rules, s->rules, gdo->n * sizeof *s->rules);
    return DRI_SUCCESS;
}

/* Makes a part by rules, for the public function of this name, which has checked the part's address and the rules'. */
static int part_by_rules(const char *function, DRI_gdo gdo, DRI_group group, const int grid[], const DRI_part_rule rules[], DRI_part *part)
{
    if (group->rank < 0)
        return dri_fail(DRI_ERR_GROUP, "%s: rank %d calls, but is not in the group", function, dri_world.rank);
    struct search s = {.function = function, .n = gdo->n, .rules = rules, .cost = -1};
    TRY(check_rules(gdo, grid, rules, &s));
    search(&s, 0, group->n, 0);
    if (s.cost < 0)
        return s.class ? s.class : dri_fail(DRI_ERR_ARG, "%s: no grid of %d processes satisfies the rules without cutting whole dimensions",
                                            function, group->n);
    return part_of_grid(&s, gdo, group, part);
}

PUBLIC int DRI_part_rules(DRI_gdo gdo, DRI_group group, const int grid[], const DRI_part_rule rules[], DRI_part *part)
{
    TRY(dri_ready());
    CHECK_ARG(part, "DRI_part_rules: part is NULL");
    *part = DRI_NULL;
    CHECK(gdo, GDO);
    CHECK(group, GROUP);
    CHECK_ARG(rules, "DRI_part_rules: rules is NULL");
    return part_by_rules(__func__, gdo, group, grid, rules, part);
}

/* Applies the rules that the part keeps again. A part of tuples keeps none, so its grid is unknown. */
PUBLIC int DRI_part_regrid(DRI_part part, DRI_gdo gdo, DRI_group group, const int grid[], DRI_part *regridded)
{
    TRY(dri_ready());
    CHECK_ARG(regridded, "DRI_part_regrid: regridded is NULL");
    *regridded = DRI_NULL;
    CHECK(part, PART);
    CHECK(gdo, GDO);
    CHECK(group, GROUP);
    if (!part->by_rules)
        return dri_fail(DRI_ERR_STATE, "DRI_part_regrid: the part is made of tuples, which have no grid: make it with DRI_part_rules");
    if (part->cut.n != gdo->n)
        return dri_fail(DRI_ERR_DIMS, "DRI_part_regrid: the part has %d dimensions, the global data object %d: pass objects of the same number",
                        part->cut.n, gdo->n);
    return part_by_rules(__func__, gdo, group, grid, part->rules, regridded);
}

PUBLIC int DRI_part_default(DRI_gdo gdo, DRI_group group, DRI_part *part)
{
    DRI_part_rule rules[DRI_MAX_DIMS] = {{.kind = DRI_BLOCK}};
    return DRI_part_rules(gdo, group, NULL, rules, part);
}
