/* Each class of error is returned by all processes, with a text that names its cause. Two processes. */
#include "check.h"

static DRI_group everybody;
static DRI_gdo square;

static DRI_dist explicit(DRI_gdo d, DRI_group g, int n, DRI_part_tuple t[], int class, const char *words)
{
    DRI_part p;
    DRI_dist dist = DRI_NULL;
    OK(DRI_part_create(n, t, &p));
    if (class)
        FAILS(class, words, DRI_dist_create(d, p, g, &dist));
    else
        OK(DRI_dist_create(d, p, g, &dist));
    OK(DRI_part_destroy(&p));
    return dist;
}

static void arguments(void)
{
    DRI_gdo d;
    DRI_group g;
    DRI_layout l;
    DRI_part p;
    MPI_Count sizes[] = {4, 0};
    int order[] = {1, 1};
    FAILS(DRI_ERR_ARG, "dimension 1|size 0", DRI_gdo_create(2, DRI_INT, sizes, &d));
    CHECK(d == DRI_NULL, "something was made");
    FAILS(DRI_ERR_ARG, "17 dimensions|1 to 16", DRI_gdo_create(17, DRI_INT, sizes, &d));
    FAILS(DRI_ERR_ARG, "sizes is NULL", DRI_gdo_create(1, DRI_INT, NULL, &d));
    FAILS(DRI_ERR_ARG, "gdo is NULL", DRI_gdo_create(1, DRI_INT, sizes, NULL));
    FAILS(DRI_ERR_ARG, "MPI_DATATYPE_NULL", DRI_gdo_create(1, MPI_DATATYPE_NULL, sizes, &d));
    MPI_Count huge[] = {INT64_MAX / 4, 2};
    FAILS(DRI_ERR_ARG, "dimension 0|address", DRI_gdo_create(2, DRI_DOUBLE, huge, &d));
    MPI_Datatype back;
    MPI_Type_create_resized(MPI_INT, 0, 2, &back);
    MPI_Type_commit(&back);
    FAILS(DRI_ERR_ARG, "extent of 2", DRI_gdo_create(1, back, sizes, &d));
    MPI_Type_free(&back);
    FAILS(DRI_ERR_ARG, "order[1]", DRI_layout_packed(2, order, &l));
    FAILS(DRI_ERR_ARG, "no processes", DRI_group_create(0, NULL, &g));
    DRI_part_tuple t[] = {{-1, 0, 3, 0}};
    FAILS(DRI_ERR_ARG, "dimension 0|-1", DRI_part_create(1, t, &p));
    DRI_part_rule r[] = {{.kind = 7}, {.kind = 0}};
    FAILS(DRI_ERR_ARG, "dimension 0|kind 7", DRI_part_rules(square, everybody, NULL, r, &p));
    r[0] = (DRI_part_rule){.edge = 9};
    FAILS(DRI_ERR_ARG, "dimension 0|edge 9", DRI_part_rules(square, everybody, NULL, r, &p));
    CHECK(!strcmp(DRI_error_string(12345), "not an error code of DRI") && !strcmp(DRI_error_string(DRI_SUCCESS), "success"), "texts");
}

static void handles(void)
{
    DRI_gdo none = DRI_NULL;
    DRI_part p = DRI_NULL;
    DRI_dist dist;
    DRI_xfer x = DRI_NULL;
    void *buff[] = {NULL};
    DRI_part_tuple t[] = {{0, 2 * rank, 2 * rank + 1, 0}, {0, 0, 3, 0}};
    FAILS(DRI_ERR_HANDLE, "gdo", DRI_gdo_destroy(&none));
    FAILS(DRI_ERR_HANDLE, "part", DRI_part_query(p, NULL, NULL, 0, NULL));
    FAILS(DRI_ERR_HANDLE, "of", DRI_gdo_sub((DRI_gdo)(void *)everybody, NULL, NULL, &none));
    FAILS(DRI_ERR_HANDLE, "xfer", DRI_do(NULL, x));
    FAILS(DRI_ERR_HANDLE, "xfer", DRI_xfer_destroy(&x));
    FAILS(DRI_ERR_HANDLE, "distribution", DRI_xfer_create("h", DRI_SOURCE, DRI_NULL, DRI_LAYOUT_PACKED_01, 1, buff, &x));
    FAILS(DRI_ERR_HANDLE, "xfers[0]", DRI_xfer_commit(1, &x));
    /* A bad handle on one process is an error on both. */
    OK(DRI_part_create(2, t, &p));
    FAILS(DRI_ERR_HANDLE, rank ? "rank 1|gdo" : "rank 1|gdo", DRI_dist_create(rank ? DRI_NULL : square, p, everybody, &dist));
    OK(DRI_dist_create(square, p, everybody, &dist));
    FAILS(DRI_ERR_HANDLE, "rank 0|layout", DRI_xfer_create("h", DRI_SOURCE, dist, rank ? DRI_LAYOUT_PACKED_01 : DRI_NULL, 1, buff, &x));
    OK(DRI_dist_destroy(&dist));
    OK(DRI_part_destroy(&p));
}

static void dimensions(void)
{
    DRI_part_tuple t[] = {{0, 2 * rank, 2 * rank + 1, 0}, {0, 0, 3, 0}, {0, 0, 0, 0}};
    explicit(square, everybody, 3, t, DRI_ERR_DIMS, "2 dimensions|3");
    DRI_dist dist = explicit(square, everybody, 2, t, 0, NULL);
    void *buff[] = {NULL};
    DRI_xfer x;
    FAILS(DRI_ERR_DIMS, "layout has 3|2", DRI_xfer_create("d", DRI_SOURCE, dist, DRI_LAYOUT_PACKED_012, 1, buff, &x));
    OK(DRI_dist_destroy(&dist));
}

static void ranges(void)
{
    DRI_part_tuple t[] = {{0, 2 * rank, 2 * rank + 1, 0}, {0, 0, 3 + rank, 0}};
    explicit(square, everybody, 2, t, DRI_ERR_RANGE, "rank 1|dimension 1|index 4|0 to 3");
    t[1] = (DRI_part_tuple){0, rank ? 0 : -1, 3, 0};
    explicit(square, everybody, 2, t, DRI_ERR_RANGE, "rank 0|dimension 1|index -1");
}

static void owners(void)
{
    DRI_part_tuple t[] = {{0, 0, 3, 0}, {0, 2 * rank, 2 * rank + 2 - rank, 0}};
    explicit(square, everybody, 2, t, DRI_ERR_OWNED_TWICE, "(0, 2)|rank 0|rank 1|dimension 1|index 2");
    t[1].right_x = 2 * rank + (rank ? 1 : 0);
    DRI_dist dist = explicit(square, everybody, 2, t, 0, NULL);
    DRI_xfer x;
    void *buff[] = {NULL};
    FAILS(DRI_ERR_NOT_OWNED, "(0, 1)|2 processes", DRI_xfer_create("o", DRI_SOURCE, dist, DRI_LAYOUT_PACKED_01, 1, buff, &x));
    OK(DRI_dist_destroy(&dist));
}

static void groups(void)
{
    DRI_group g;
    int twice[] = {0, 0}, outside[] = {0, 2}, one[] = {0, 1}, other[] = {1, 0};
    FAILS(DRI_ERR_GROUP, "rank 0|twice", DRI_group_create(2, twice, &g));
    FAILS(DRI_ERR_GROUP, "rank 2|0 to 1", DRI_group_create(2, outside, &g));
    FAILS(DRI_ERR_GROUP, "group of 3", DRI_group_create(3, twice, &g));
    OK(DRI_group_create(2, rank ? other : one, &g));
    DRI_part_tuple t[] = {{0, 2 * rank, 2 * rank + 1, 0}, {0, 0, 3, 0}};
    explicit(square, g, 2, t, DRI_ERR_GROUP, "list of processes|rank 1|rank 0");
    OK(DRI_group_destroy(&g));
    g = group(0, 1);
    if (rank == 1)
        explicit(square, g, 2, t, DRI_ERR_GROUP, "rank 1|not in the group");
    OK(DRI_group_destroy(&g));
}

static void mismatches(void)
{
    DRI_gdo other = gdo(DRI_INT, 2, 4, rank ? 5 : 4);
    DRI_part_tuple t[] = {{0, 2 * rank, 2 * rank + 1, 0}, {0, 0, 3, 0}};
    explicit(other, everybody, 2, t, DRI_ERR_MISMATCH, "dimension 1|0 to 3|0 to 4|rank");
    OK(DRI_gdo_destroy(&other));
}

static void names(void)
{
    DRI_dist dist = slices(square, everybody, 0, 0, 0);
    char longest[DRI_MAX_NAME + 2];
    memset(longest, 'n', sizeof longest);
    longest[DRI_MAX_NAME + 1] = 0;
    void *buff[] = {NULL}, *second[] = {NULL};
    DRI_xfer x, y;
    FAILS(DRI_ERR_NAME, "255", DRI_xfer_register(longest, DRI_SOURCE, dist, DRI_LAYOUT_PACKED_01, 1, buff, &x));
    FAILS(DRI_ERR_NAME, "no", DRI_xfer_register("", DRI_SOURCE, dist, DRI_LAYOUT_PACKED_01, 1, buff, &x));
    longest[DRI_MAX_NAME] = 0;
    OK(DRI_xfer_register(longest, DRI_SOURCE, dist, DRI_LAYOUT_PACKED_01, 1, buff, &x));
    FAILS(DRI_ERR_NAME, "in use|nnn", DRI_xfer_register(longest, DRI_SOURCE, dist, DRI_LAYOUT_PACKED_01, 1, second, &y));
    CHECK(y == DRI_NULL && second[0] == NULL, "something was made");
    OK(DRI_xfer_destroy(&x));
    for (int i = 0; i < 2; i++) { /* the name is free again when it is destroyed on all processes: the other one may still use it */
        MPI_Barrier(MPI_COMM_WORLD);
        OK(DRI_xfer_register("n", DRI_SOURCE, dist, DRI_LAYOUT_PACKED_01, 1, buff, &x));
        buff[0] = NULL;
        OK(DRI_xfer_destroy(&x));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    OK(DRI_xfer_create_clique("n", dist, DRI_LAYOUT_PACKED_01, 1, buff, dist, DRI_LAYOUT_PACKED_01, 1, second, &x));
    FAILS(DRI_ERR_NAME, "in use", DRI_xfer_register("n", DRI_DESTINATION, dist, DRI_LAYOUT_PACKED_01, 1, (void *[]){NULL}, &y));
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&dist));
}

static void roles(void)
{
    DRI_dist dist = slices(square, everybody, 0, 0, 0);
    void *buff[] = {NULL}, *second[] = {NULL};
    DRI_xfer x[2];
    FAILS(DRI_ERR_ROLE, "role 3", DRI_xfer_create("r", 3, dist, DRI_LAYOUT_PACKED_01, 1, buff, &x[0]));
    OK(DRI_xfer_register("r", DRI_SOURCE, dist, DRI_LAYOUT_PACKED_01, 1, buff, &x[0]));
    OK(DRI_xfer_register("r", DRI_DESTINATION, dist, DRI_LAYOUT_PACKED_01, 1, second, &x[1]));
    FAILS(DRI_ERR_ROLE, "rank|both ends|clique", DRI_xfer_commit(2, x));
    OK(DRI_xfer_destroy(&x[0]));
    OK(DRI_xfer_destroy(&x[1]));
    OK(DRI_dist_destroy(&dist));
}

static void layouts(void)
{
    DRI_dist dist = slices(square, everybody, 0, 0, 0);
    void *buff[] = {NULL};
    MPI_Count strides[] = {3, 1};
    DRI_layout l;
    DRI_xfer x;
    OK(DRI_layout_create(2, strides, &l));
    FAILS(DRI_ERR_LAYOUT, "dimension 0|stride 3|4 elements", DRI_xfer_create("l", DRI_SOURCE, dist, l, 1, buff, &x));
    OK(DRI_layout_destroy(&l));
    strides[1] = 0;
    FAILS(DRI_ERR_LAYOUT, "dimension 1|stride 0", DRI_layout_create(2, strides, &l));
    OK(DRI_dist_destroy(&dist));
}

static void states(void)
{
    FAILS(DRI_ERR_STATE, "already initialized", DRI_init(NULL, NULL));
    FAILS(DRI_ERR_STATE, "already initialized", DRI_init_comm(MPI_COMM_WORLD));
}

static int none(int index, int proc, void *state)
{
    CHECK(index < 2 && proc == index && !state, "member %d is rank %d", index, proc);
    return 0;
}

static void parts_from_parts(void)
{
    DRI_gdo line = gdo(DRI_INT, 1, 4), narrow = gdo(DRI_INT, 2, 1, 4);
    DRI_part p, q, made = (DRI_part)(void *)everybody, by_rules;
    DRI_part_tuple t[] = {{0, 2 * rank, 2 * rank + 1, 0}, {0, 0, 3, 0}};
    OK(DRI_part_create(2, t, &p));
    FAILS(DRI_ERR_ARG, "DRI_part_scale|scaled is NULL|address", DRI_part_scale(p, square, square, NULL));
    FAILS(DRI_ERR_HANDLE, "DRI_part_scale|part|pass", DRI_part_scale(DRI_NULL, square, square, &made));
    CHECK(made == DRI_NULL, "something was made");
    FAILS(DRI_ERR_HANDLE, "DRI_part_scale|from|pass", DRI_part_scale(p, (DRI_gdo)(void *)everybody, square, &q));
    FAILS(DRI_ERR_HANDLE, "DRI_part_scale|to|pass", DRI_part_scale(p, square, DRI_NULL, &q));
    FAILS(DRI_ERR_DIMS, "DRI_part_scale|2 dimensions|`to` 1|pass", DRI_part_scale(p, square, line, &q));
    FAILS(DRI_ERR_DIMS, "DRI_part_scale|`from` 1|pass", DRI_part_scale(p, line, square, &q));
    FAILS(DRI_ERR_RANGE, "DRI_part_scale|dimension 0|0 to 0|pass the object", DRI_part_scale(p, narrow, square, &q));
    FAILS(DRI_ERR_ARG, "DRI_part_swap|swapped is NULL", DRI_part_swap(p, 0, 1, NULL));
    FAILS(DRI_ERR_HANDLE, "DRI_part_swap|part|pass", DRI_part_swap(DRI_NULL, 0, 1, &q));
    FAILS(DRI_ERR_ARG, "DRI_part_swap|0 and 2|0 to 1|pass two", DRI_part_swap(p, 0, 2, &q));
    FAILS(DRI_ERR_ARG, "DRI_part_swap|-1 and 1", DRI_part_swap(p, -1, 1, &q));
    FAILS(DRI_ERR_ARG, "DRI_part_widen|widened is NULL", DRI_part_widen(p, NULL, NULL, NULL, NULL));
    FAILS(DRI_ERR_HANDLE, "DRI_part_widen|part|pass", DRI_part_widen(DRI_NULL, NULL, NULL, NULL, &q));
    FAILS(DRI_ERR_ARG, "DRI_part_widen|dimension 1|-1|0 to", DRI_part_widen(p, (MPI_Count[]){0, -1}, NULL, NULL, &q));
    FAILS(DRI_ERR_ARG, "DRI_part_widen|dimension 0|0 to", DRI_part_widen(p, NULL, (MPI_Count[]){INT64_MAX, 0}, NULL, &q));
    FAILS(DRI_ERR_ARG, "DRI_part_widen|dimension 1|edge 4|DRI_EDGE_", DRI_part_widen(p, NULL, NULL, (int[]){0, 4}, &q));
    OK(DRI_part_widen(p, (MPI_Count[]){INT64_MAX / 8, 0}, NULL, NULL, &q));
    FAILS(DRI_ERR_ARG, "DRI_part_widen|dimension 0|0 to", DRI_part_widen(q, (MPI_Count[]){1, 0}, NULL, NULL, &made));
    OK(DRI_part_destroy(&q));
    FAILS(DRI_ERR_ARG, "DRI_part_regrid|regridded is NULL", DRI_part_regrid(p, square, everybody, NULL, NULL));
    FAILS(DRI_ERR_STATE, "DRI_part_regrid|tuples|DRI_part_rules", DRI_part_regrid(p, square, everybody, NULL, &q));
    OK(DRI_part_rules(square, everybody, NULL, (DRI_part_rule[]){{.kind = DRI_BLOCK, .min = 2}, {.kind = DRI_WHOLE}}, &by_rules));
    FAILS(DRI_ERR_HANDLE, "DRI_part_regrid|part|pass", DRI_part_regrid(DRI_NULL, square, everybody, NULL, &q));
    FAILS(DRI_ERR_HANDLE, "DRI_part_regrid|gdo|pass", DRI_part_regrid(by_rules, DRI_NULL, everybody, NULL, &q));
    FAILS(DRI_ERR_HANDLE, "DRI_part_regrid|group|pass", DRI_part_regrid(by_rules, square, (DRI_group)(void *)square, NULL, &q));
    FAILS(DRI_ERR_DIMS, "DRI_part_regrid|2 dimensions|1|pass", DRI_part_regrid(by_rules, line, everybody, NULL, &q));
    FAILS(DRI_ERR_ARG, "DRI_part_regrid|dimension 0|-1|0 for any", DRI_part_regrid(by_rules, square, everybody, (int[]){-1, 0}, &q));
    FAILS(DRI_ERR_ARG, "DRI_part_regrid|2 processes", DRI_part_regrid(by_rules, square, everybody, (int[]){1, 1}, &q));
    FAILS(DRI_ERR_CONSTRAINT, "dimension 0|minimum is 2", DRI_part_regrid(by_rules, narrow, everybody, NULL, &q));
    DRI_group other = group(1 - rank, 1);
    FAILS(DRI_ERR_GROUP, "DRI_part_regrid|not in the group", DRI_part_regrid(by_rules, square, other, NULL, &q));
    CHECK(q == DRI_NULL, "something was made");
    OK(DRI_group_destroy(&other));
    OK(DRI_part_destroy(&p));
    OK(DRI_part_destroy(&by_rules));
    OK(DRI_gdo_destroy(&line));
    OK(DRI_gdo_destroy(&narrow));
}

static void groups_from_groups(void)
{
    DRI_group g = everybody, two[3] = {everybody, everybody, everybody};
    FAILS(DRI_ERR_ARG, "DRI_group_subset|subset is NULL", DRI_group_subset(everybody, 1, (int[]){0}, NULL));
    FAILS(DRI_ERR_HANDLE, "DRI_group_subset|of|pass", DRI_group_subset(DRI_NULL, 1, (int[]){0}, &g));
    CHECK(g == DRI_NULL, "something was made");
    FAILS(DRI_ERR_ARG, "DRI_group_subset|no members|at least one", DRI_group_subset(everybody, 0, (int[]){0}, &g));
    FAILS(DRI_ERR_ARG, "DRI_group_subset|no members|at least one", DRI_group_subset(everybody, 1, NULL, &g));
    FAILS(DRI_ERR_GROUP, "DRI_group_subset|3 members|has 2|once", DRI_group_subset(everybody, 3, (int[]){0, 1, 0}, &g));
    FAILS(DRI_ERR_GROUP, "DRI_group_subset|members[1] is 2|0 to 1|indices", DRI_group_subset(everybody, 2, (int[]){0, 2}, &g));
    FAILS(DRI_ERR_GROUP, "DRI_group_subset|members[0] is -1|0 to 1", DRI_group_subset(everybody, 1, (int[]){-1}, &g));
    FAILS(DRI_ERR_GROUP, "DRI_group_subset|rank 1|twice|once", DRI_group_subset(everybody, 2, (int[]){1, 1}, &g));
    FAILS(DRI_ERR_ARG, "DRI_group_filter|kept is NULL", DRI_group_filter(everybody, none, NULL, NULL));
    FAILS(DRI_ERR_HANDLE, "DRI_group_filter|of|pass", DRI_group_filter(DRI_NULL, none, NULL, &g));
    FAILS(DRI_ERR_ARG, "DRI_group_filter|keep is NULL|function", DRI_group_filter(everybody, NULL, NULL, &g));
    FAILS(DRI_ERR_GROUP, "DRI_group_filter|none of the 2|at least one", DRI_group_filter(everybody, none, NULL, &g));
    FAILS(DRI_ERR_ARG, "DRI_group_split|0 groups|1 or more", DRI_group_split(everybody, 0, NULL, two));
    FAILS(DRI_ERR_ARG, "DRI_group_split|groups is NULL|2 handles", DRI_group_split(everybody, 2, NULL, NULL));
    FAILS(DRI_ERR_HANDLE, "DRI_group_split|of|pass", DRI_group_split(DRI_NULL, 2, NULL, two));
    CHECK(two[0] == DRI_NULL && two[1] == DRI_NULL, "something was made");
    FAILS(DRI_ERR_GROUP, "DRI_group_split|3 groups|2 processes|at most", DRI_group_split(everybody, 3, NULL, two));
    FAILS(DRI_ERR_ARG, "DRI_group_split|sizes[1] is 0|1 or more", DRI_group_split(everybody, 2, (int[]){2, 0}, two));
    FAILS(DRI_ERR_GROUP, "DRI_group_split|add up to 1|2 processes|equal", DRI_group_split(everybody, 1, (int[]){1}, two));
    FAILS(DRI_ERR_GROUP, "DRI_group_split|add up to 4294967294|equal", DRI_group_split(everybody, 2, (int[]){INT32_MAX, INT32_MAX}, two));
}

static void places(void)
{
    DRI_dist dist = slices(square, everybody, 0, 0, 0);
    int memory[64];
    void *in[] = {memory}, *out[] = {memory + 32}, *ours[] = {NULL};
    DRI_xfer x = DRI_NULL;
    FAILS(DRI_ERR_HANDLE, "DRI_xfer_rebase|xfer|pass", DRI_xfer_rebase(x, 0));
    FAILS(DRI_ERR_HANDLE, "DRI_xfer_rebase_end|xfer|pass", DRI_xfer_rebase_end((DRI_xfer)(void *)dist, DRI_SOURCE, 0));
    OK(DRI_xfer_create_clique("places", dist, DRI_LAYOUT_PACKED_01, 1, in, dist, DRI_LAYOUT_PACKED_01, 1, out, &x));
    FAILS(DRI_ERR_ARG, "DRI_xfer_rebase|'places'|-1 is negative|lowest", DRI_xfer_rebase(x, -1));
    FAILS(DRI_ERR_ARG, "DRI_xfer_rebase|'places'|address space|elements", DRI_xfer_rebase(x, INT64_MAX));
    FAILS(DRI_ERR_ARG, "DRI_xfer_rebase|address space", DRI_xfer_rebase(x, INT64_MAX / 5));
    FAILS(DRI_ERR_ROLE, "DRI_xfer_rebase_end|role 3|'places'|DRI_SOURCE", DRI_xfer_rebase_end(x, 3, 0));
    FAILS(DRI_ERR_BUFFER, "DRI_xfer_rebase_end|'places'|buffer 0 of the source|offsets", DRI_xfer_rebase_end(x, DRI_SOURCE, 25));
    OK(DRI_xfer_rebase_end(x, DRI_SOURCE, 24)); /* just before the destination's 8 elements */
    FAILS(DRI_ERR_BUFFER, "'places'|overlap", DRI_xfer_rebase_end(x, DRI_SOURCE, 39));
    memory[24 + 7] = 77, memory[25 + 7] = 0;
    OK(DRI_do("places", x)); /* the offset of the last call without an error */
    CHECK(memory[32 + 7] == 77, "the place is wrong: %d", memory[32 + 7]);
    OK(DRI_xfer_destroy(&x));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(DRI_xfer_create_clique("places", dist, DRI_LAYOUT_PACKED_01, 1, ours, dist, DRI_LAYOUT_PACKED_01, 1, out, &x));
    FAILS(DRI_ERR_BUFFER, "DRI_xfer_rebase|'places'|library|program's own", DRI_xfer_rebase(x, 1));
    OK(DRI_xfer_rebase(x, 0));
    OK(DRI_xfer_rebase_end(x, DRI_DESTINATION, 1));
    OK(DRI_xfer_destroy(&x));
    MPI_Barrier(MPI_COMM_WORLD);
    DRI_group own = group(rank, 1);
    DRI_dist mine = slices(square, own, 0, 0, 0);
    OK(DRI_xfer_register("one end", rank ? DRI_DESTINATION : DRI_SOURCE, mine, DRI_LAYOUT_PACKED_01, 1, in, &x));
    FAILS(DRI_ERR_ROLE, "DRI_xfer_rebase_end|'one end'", DRI_xfer_rebase_end(x, rank ? DRI_SOURCE : DRI_DESTINATION, 1));
    OK(DRI_xfer_rebase(x, 1));
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&mine));
    OK(DRI_group_destroy(&own));
    OK(DRI_dist_destroy(&dist));
}

/* Before DRI_init and after DRI_finalize. */
static void not_ready(void)
{
    DRI_part p;
    DRI_group g;
    FAILS(DRI_ERR_STATE, "DRI_init", DRI_part_scale(DRI_NULL, DRI_NULL, DRI_NULL, &p));
    FAILS(DRI_ERR_STATE, "DRI_init", DRI_part_swap(DRI_NULL, 0, 0, &p));
    FAILS(DRI_ERR_STATE, "DRI_init", DRI_part_widen(DRI_NULL, NULL, NULL, NULL, &p));
    FAILS(DRI_ERR_STATE, "DRI_init", DRI_part_regrid(DRI_NULL, DRI_NULL, DRI_NULL, NULL, &p));
    FAILS(DRI_ERR_STATE, "DRI_init", DRI_group_subset(DRI_NULL, 0, NULL, &g));
    FAILS(DRI_ERR_STATE, "DRI_init", DRI_group_filter(DRI_NULL, NULL, NULL, &g));
    FAILS(DRI_ERR_STATE, "DRI_init", DRI_group_split(DRI_NULL, 0, NULL, &g));
    FAILS(DRI_ERR_STATE, "DRI_init", DRI_xfer_rebase(DRI_NULL, 0));
    FAILS(DRI_ERR_STATE, "DRI_init", DRI_xfer_rebase_end(DRI_NULL, DRI_SOURCE, 0));
}

/* A variable of the environment with an unknown value is an error of DRI_init, which can be called again. */
static void variables(int *argc, char ***argv)
{
    static const struct {
        const char *name, *value, *words;
    } wrong[] = {{"DRI_NAMES", "paper", "DRI_NAMES=paper|memory or window"},
                 {"DRI_METHOD", "self", "DRI_METHOD=self|shared, packed or typed"},
                 {"DRI_TIMEOUT", "-1", "DRI_TIMEOUT=-1|seconds"},
                 {"DRI_RANKS_PER_NODE", "0", "DRI_RANKS_PER_NODE=0|number of processes"}};
    MPI_Init(argc, argv);
    for (int i = 0; i < 4; i++) {
        setenv(wrong[i].name, wrong[i].value, 1);
        FAILS(DRI_ERR_ARG, wrong[i].words, DRI_init(argc, argv));
        unsetenv(wrong[i].name);
    }
}

static void of_mpi(void)
{
    MPI_Datatype type;
    DRI_gdo d;
    MPI_Count one = 1;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(2, MPI_INT, &type); /* not committed */
    FAILS(DRI_ERR_MPI, "MPI_", DRI_gdo_create(1, type, &one, &d));
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    DRI_gdo d;
    MPI_Count one = 1;
    int flag = 1;
    FAILS(DRI_ERR_STATE, "DRI_init", DRI_gdo_create(1, DRI_INT, &one, &d));
    FAILS(DRI_ERR_STATE, "MPI is not initialized", DRI_init_comm(MPI_COMM_WORLD));
    OK(DRI_initialized(&flag));
    CHECK(!flag, "initialized too early");
    not_ready();
    variables(&argc, &argv);
    begin(&argc, &argv);
    OK(DRI_initialized(&flag));
    CHECK(flag, "not initialized");
    everybody = group(0, 2);
    square = gdo(DRI_INT, 2, 4, 4);
    arguments();
    handles();
    dimensions();
    ranges();
    owners();
    groups();
    mismatches();
    names();
    roles();
    layouts();
    states();
    parts_from_parts();
    groups_from_groups();
    places();
    of_mpi();
    OK(DRI_gdo_destroy(&square));
    OK(DRI_group_destroy(&everybody));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(DRI_finalize());
    FAILS(DRI_ERR_STATE, "DRI_init", DRI_finalize());
    not_ready();
    MPI_Finalize();
    if (rank == 0)
        printf("errors: right\n");
    return 0;
}
