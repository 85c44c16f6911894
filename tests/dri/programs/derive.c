/* Parts made from parts, and groups made from groups: they equal the ones that rules make, and compose with all objects.
 * Nothing communicates: each rank calls the functions as often as it likes. */
#include "check.h"

static DRI_group everybody;

/* The two parts must have the same blocks. */
static void same(DRI_part a, DRI_part b, const char *what)
{
    int n, m, blocks, other;
    DRI_part_tuple s[DRI_MAX_DIMS], t[DRI_MAX_DIMS];
    OK(DRI_part_query(a, &n, &blocks, 0, NULL));
    OK(DRI_part_query(b, &m, &other, 0, NULL));
    CHECK(n == m && blocks == other, "%s: %d dimensions, %d blocks, not %d, %d", what, n, blocks, m, other);
    for (int i = 0; i < blocks; i++) {
        OK(DRI_part_query(a, NULL, NULL, i, s));
        OK(DRI_part_query(b, NULL, NULL, i, t));
        for (int d = 0; d < n; d++)
            CHECK(!memcmp(&s[d], &t[d], sizeof *s), "%s: block %d, dimension %d: %d,%d..%d,%d, not %d,%d..%d,%d", what, i, d, (int)s[d].left_v,
                  (int)s[d].left_x, (int)s[d].right_x, (int)s[d].right_v, (int)t[d].left_v, (int)t[d].left_x, (int)t[d].right_x,
                  (int)t[d].right_v);
    }
}

static DRI_part rules(DRI_gdo d, DRI_group g, const int grid[], const DRI_part_rule r[])
{
    DRI_part p;
    OK(DRI_part_rules(d, g, grid, r, &p));
    return p;
}

static void drop(DRI_part p)
{
    OK(DRI_part_destroy(&p));
}

/* Moves an array of numbers from one distribution to the other, and checks the elements at the destination. The number of an
 * element is its index along the first dimension times 1000, and its index along the second one. */
static void turn(DRI_gdo d, DRI_part from, DRI_part to, const char *name)
{
    DRI_dist src, dst;
    DRI_part_tuple t[2];
    DRI_xfer x;
    void *in[] = {NULL}, *out[] = {NULL};
    OK(DRI_dist_create(d, from, everybody, &src));
    OK(DRI_dist_create(d, to, everybody, &dst));
    OK(DRI_xfer_create_clique(name, src, DRI_LAYOUT_PACKED_10, 1, in, dst, DRI_LAYOUT_PACKED_01, 1, out, &x));
    OK(DRI_dist_query(src, rank, NULL, 0, t));
    int width = t[1].right_x - t[1].left_x + 1, height;
    for (int i = t[0].left_x; i <= t[0].right_x; i++)
        for (int j = t[1].left_x; j <= t[1].right_x; j++)
            ((int *)in[0])[(i - t[0].left_x) * width + j - t[1].left_x] = 1000 * i + j;
    OK(DRI_do(name, x));
    OK(DRI_dist_query(dst, rank, NULL, 0, t));
    height = t[0].right_x - t[0].left_x + 1;
    for (int i = t[0].left_x; i <= t[0].right_x; i++)
        for (int j = t[1].left_x; j <= t[1].right_x; j++) {
            int is = ((int *)out[0])[(j - t[1].left_x) * height + i - t[0].left_x];
            CHECK(is == 1000 * i + j, "%s: (%d, %d) is %d", name, i, j, is);
        }
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&src));
    OK(DRI_dist_destroy(&dst));
}

/* A part of rows, swapped and scaled, is the part of columns. */
static void corner(void)
{
    DRI_gdo d = gdo(DRI_INT, 2, 24, 36), transposed = gdo(DRI_INT, 2, 36, 24);
    DRI_part rows = rules(d, everybody, NULL, (DRI_part_rule[]){{.kind = DRI_BLOCK}, {.kind = DRI_WHOLE}}), swapped, columns;
    DRI_part must = rules(d, everybody, NULL, (DRI_part_rule[]){{.kind = DRI_WHOLE}, {.kind = DRI_BLOCK}});
    OK(DRI_part_swap(rows, 0, 1, &swapped));
    DRI_part fits = rules(transposed, everybody, NULL, (DRI_part_rule[]){{.kind = DRI_WHOLE}, {.kind = DRI_BLOCK}});
    same(swapped, fits, "swapped");
    OK(DRI_part_scale(swapped, transposed, d, &columns));
    same(columns, must, "swapped and scaled"); /* 36 is a multiple of 24 times the number of ranks, so all shares are equal */
    turn(d, rows, columns, "corner");
    drop(rows), drop(swapped), drop(columns), drop(must), drop(fits);
    OK(DRI_gdo_destroy(&d));
    OK(DRI_gdo_destroy(&transposed));
}

/* Any scale keeps each element with one process: dist_create and a source would return an error otherwise. */
static void scales(void)
{
    static const int sizes[][2] = {{7, 13}, {13, 7}, {70, 1}, {1, 5}, {24, 36}, {1, 1}};
    DRI_gdo d = gdo(DRI_INT, 2, 17, 11);
    for (int kind = DRI_BLOCK; kind <= DRI_CYCLIC; kind++) {
        DRI_part p = rules(d, everybody, NULL, (DRI_part_rule[]){{.kind = kind, .block = 2, .left_v = 1}, {.kind = DRI_BLOCK, .right_v = 3}});
        for (int i = 0; i < 6; i++) {
            DRI_gdo to = gdo(DRI_INT, 2, sizes[i][0], sizes[i][1]);
            DRI_part scaled, again;
            DRI_dist dist;
            DRI_xfer x;
            DRI_part_tuple t[2];
            OK(DRI_part_scale(p, d, to, &scaled));
            OK(DRI_part_query(scaled, NULL, NULL, 0, t));
            CHECK(t[0].left_v == 1 && t[1].right_v == 3, "the overlap is %d, %d", (int)t[0].left_v, (int)t[1].right_v);
            OK(DRI_dist_create(to, scaled, everybody, &dist));
            char name[32];
            snprintf(name, sizeof name, "scale %d %d", kind, i);
            OK(DRI_xfer_create_clique(name, dist, DRI_LAYOUT_PACKED_01, 1, (void *[]){NULL}, dist, DRI_LAYOUT_PACKED_01, 1, (void *[]){NULL}, &x));
            OK(DRI_part_scale(scaled, to, to, &again));
            same(again, scaled, "scaled to the same size");
            OK(DRI_xfer_destroy(&x));
            OK(DRI_dist_destroy(&dist));
            OK(DRI_gdo_destroy(&to));
            drop(scaled), drop(again);
        }
        drop(p);
    }
    /* A part of an object keeps the object's indices: 10..19 scale to 105..109. */
    DRI_gdo line = gdo(DRI_INT, 1, 100), from, to;
    OK(DRI_gdo_sub(line, (MPI_Count[]){10}, (MPI_Count[]){49}, &from));
    DRI_gdo longer = gdo(DRI_INT, 1, 1000);
    OK(DRI_gdo_sub(longer, (MPI_Count[]){105}, (MPI_Count[]){124}, &to));
    DRI_part p, q;
    DRI_part_tuple t = {0, 10, 19, 0};
    OK(DRI_part_create(1, &t, &p));
    OK(DRI_part_scale(p, from, to, &q));
    OK(DRI_part_query(q, NULL, NULL, 0, &t));
    CHECK(t.left_x == 105 && t.right_x == 109, "%d to %d", (int)t.left_x, (int)t.right_x);
    drop(p), drop(q);
    OK(DRI_gdo_destroy(&line));
    OK(DRI_gdo_destroy(&longer));
    OK(DRI_gdo_destroy(&from));
    OK(DRI_gdo_destroy(&to));
    OK(DRI_gdo_destroy(&d));
}

/* A wider part equals one with wider rules, in which halos are exchanged. */
static void widths(void)
{
    DRI_gdo d = gdo(DRI_INT, 1, 20);
    DRI_part p = rules(d, everybody, NULL, &(DRI_part_rule){.kind = DRI_BLOCK, .left_v = 1}), wide;
    DRI_part must = rules(d, everybody, NULL, &(DRI_part_rule){.kind = DRI_BLOCK, .left_v = 3, .right_v = 1, .edge = DRI_EDGE_WRAP});
    OK(DRI_part_widen(p, (MPI_Count[]){2}, (MPI_Count[]){1}, (int[]){DRI_EDGE_WRAP}, &wide));
    same(wide, must, "wide");
    DRI_dist from, to;
    DRI_part_tuple t;
    DRI_xfer x;
    void *in[] = {NULL}, *out[] = {NULL};
    OK(DRI_dist_create(d, p, everybody, &from));
    OK(DRI_dist_create(d, wide, everybody, &to));
    OK(DRI_xfer_create_clique("halo", from, DRI_LAYOUT_PACKED_0, 1, in, to, DRI_LAYOUT_PACKED_0, 1, out, &x));
    OK(DRI_dist_query(from, rank, NULL, 0, &t));
    for (int i = t.left_x; i <= t.right_x; i++)
        ((int *)in[0])[i - t.left_x] = i;
    OK(DRI_do(NULL, x));
    for (int i = t.left_x - 3; i <= t.right_x + 1; i++) {
        int is = ((int *)out[0])[i - t.left_x + 3];
        CHECK(is == (i + 20) % 20, "index %d is %d", i, is);
    }
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&from));
    OK(DRI_dist_destroy(&to));
    drop(wide);
    OK(DRI_part_widen(p, NULL, NULL, NULL, &wide)); /* nothing is added */
    same(wide, p, "as wide");
    drop(p), drop(wide), drop(must);
    OK(DRI_gdo_destroy(&d));
}

/* Another grid, for another group and object too, and after the other functions. */
static void grids(void)
{
    DRI_gdo d = gdo(DRI_INT, 2, 16, 24), other = gdo(DRI_INT, 2, 32, 12);
    DRI_part_rule r[] = {{.kind = DRI_BLOCK, .max = 24}, {.kind = DRI_CYCLIC, .block = 3}};
    const int down[] = {0, 1}, across[] = {1, 0};
    DRI_part p = rules(d, everybody, down, r), must = rules(d, everybody, across, r), q;
    OK(DRI_part_regrid(p, d, everybody, across, &q));
    same(q, must, "another grid");
    drop(q), drop(must);
    OK(DRI_part_scale(p, d, other, &q));
    DRI_part_rule scaled[] = {{.kind = DRI_BLOCK, .max = 48}, {.kind = DRI_CYCLIC, .block = 1}};
    DRI_part both;
    OK(DRI_part_regrid(q, other, everybody, across, &both));
    must = rules(other, everybody, across, scaled);
    same(both, must, "scaled, another grid");
    drop(both), drop(must), drop(q);
    DRI_part_rule swapped[] = {r[1], r[0]};
    swapped[0].left_v = 2;
    OK(DRI_part_swap(p, 0, 1, &q));
    OK(DRI_part_widen(q, (MPI_Count[]){2, 0}, NULL, NULL, &both));
    drop(q);
    OK(DRI_part_regrid(both, d, everybody, NULL, &q));
    must = rules(d, everybody, NULL, swapped);
    same(q, must, "swapped, widened, any grid");
    drop(both), drop(must), drop(q);
    DRI_group own = group(rank, 1);
    OK(DRI_part_regrid(p, d, own, NULL, &q));
    must = rules(d, own, NULL, r);
    same(q, must, "another group");
    drop(q), drop(must), drop(p);
    OK(DRI_group_destroy(&own));
    OK(DRI_gdo_destroy(&d));
    OK(DRI_gdo_destroy(&other));
}

static int odd(int index, int proc, void *state)
{
    CHECK(proc == size - 1 - index, "member %d is rank %d", index, proc);
    ++*(int *)state;
    return proc % 2;
}

static void members(DRI_group g, int n, const int must[], const char *what)
{
    int is, procs[64];
    OK(DRI_group_query(g, &is, procs));
    CHECK(is == n && !memcmp(procs, must, n * sizeof *must), "%s: %d processes, the first is %d", what, is, procs[0]);
    OK(DRI_group_destroy(&g));
}

/* The group of all in reverse order, and groups of it. */
static void groups(void)
{
    int procs[64], all[64], n = 0, calls = 0;
    for (int i = 0; i < size; i++)
        procs[i] = size - 1 - i, all[i] = i;
    DRI_group reverse, g, parts[64];
    OK(DRI_group_subset(everybody, size, procs, &reverse));
    OK(DRI_group_subset(reverse, size, procs, &g));
    members(g, size, all, "reversed twice");
    OK(DRI_group_subset(reverse, 1, (int[]){0}, &g));
    members(g, 1, (int[]){size - 1}, "the last one");
    for (int i = 0; i < size; i++)
        if (procs[i] % 2)
            all[n++] = procs[i];
    if (n) {
        OK(DRI_group_filter(reverse, odd, &calls, &g));
        members(g, n, all, "odd ones");
        CHECK(calls == size, "%d calls", calls);
    }
    OK(DRI_group_split(reverse, size, NULL, parts));
    for (int i = 0; i < size; i++)
        members(parts[i], 1, &procs[i], "one each");
    if (size == 4) {
        OK(DRI_group_split(reverse, 3, NULL, parts));
        members(parts[0], 2, procs, "the larger one");
        members(parts[1], 1, procs + 2, "the next one");
        members(parts[2], 1, procs + 3, "the last one");
        OK(DRI_group_split(reverse, 2, (int[]){1, 3}, parts));
        members(parts[0], 1, procs, "a small one");
        members(parts[1], 3, procs + 1, "a large one");
    }
    OK(DRI_group_destroy(&reverse));
}

/* The halves of the group are the stages of a pipeline: the first one has rows, the second one columns. */
static void stages(void)
{
    if (size < 2)
        return;
    enum { N = 12 };
    DRI_gdo d = gdo(DRI_INT, 2, N, N);
    DRI_group half[2];
    OK(DRI_group_split(everybody, 2, NULL, half));
    int stage = rank >= (size + 1) / 2, n, place = rank - stage * ((size + 1) / 2);
    DRI_part rows = rules(d, half[stage], NULL, (DRI_part_rule[]){{.kind = DRI_BLOCK}, {.kind = DRI_WHOLE}}), columns;
    OK(DRI_part_swap(rows, 0, 1, &columns));
    DRI_dist dist;
    DRI_xfer x;
    void *buff[] = {NULL};
    DRI_part_tuple t[2];
    OK(DRI_dist_create(d, stage ? columns : rows, half[stage], &dist));
    OK(DRI_xfer_create("stages", stage ? DRI_DESTINATION : DRI_SOURCE, dist, stage ? DRI_LAYOUT_PACKED_01 : DRI_LAYOUT_PACKED_10, 1, buff, &x));
    OK(DRI_dist_query(dist, place, NULL, 0, t));
    const DRI_part_tuple *own = &t[stage];
    n = own->right_x - own->left_x + 1;
    for (int i = 0; i < n * N; i++)
        ((int *)buff[0])[i] = stage ? -1 : (own->left_x + i / N) * 1000 + i % N;
    OK(DRI_do("stages", x));
    for (int i = 0; stage && i < n * N; i++) {
        int is = ((int *)buff[0])[i], must = i % N * 1000 + own->left_x + i / N;
        CHECK(is == must, "element %d is %d, not %d", i, is, must);
    }
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&dist));
    drop(rows), drop(columns);
    OK(DRI_group_destroy(&half[0]));
    OK(DRI_group_destroy(&half[1]));
    OK(DRI_gdo_destroy(&d));
}

/* Rank 0 makes everything while the others wait for its message: nothing communicates. */
static void local(void)
{
    int word = 0;
    if (rank == 0)
        groups();
    if (rank == 0)
        grids();
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    everybody = group(0, size);
    local();
    groups();
    grids();
    corner();
    scales();
    widths();
    stages();
    OK(DRI_group_destroy(&everybody));
    end("derive");
    return 0;
}
