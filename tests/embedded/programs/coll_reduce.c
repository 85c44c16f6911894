/*
 * Reductions: every function, form and size gives exactly the bits of the documented tree, for
 * sums of floating-point numbers, whose order matters, and for an operation that does not commute.
 */
#include "collective.h"

static MPI_Comm comm;
static int n, me, nonblocking;
static int64_t count;

/* ---- operands ---- */

static double number(int rank, int64_t i)
{
    uint64_t h = ((uint64_t)(rank + 1) * 0x9e3779b97f4a7c15ull) ^ ((uint64_t)i * 0xbf58476d1ce4e5b9ull);
    h ^= h >> 31;
    return ((double)(int64_t)(h * 0x94d049bb133111ebull) / 1e3) * ((rank + i) % 3 ? 1.0 : 1e-9);
}
static double add(double a, double b) { return a + b; }
REFERENCE(sum, double, number, add)

/* Affine maps x -> a x + b over 64-bit integers: composition is associative, and does not commute. */
struct map {
    uint64_t a, b;
};
static struct map map_of(int rank, int64_t i) { return (struct map){(uint64_t)rank * 2 + 3, (uint64_t)i + (uint64_t)rank * 7 + 1}; }
static struct map compose(struct map f, struct map g) { return (struct map){f.a * g.a, f.b * g.a + g.b}; }
REFERENCE(composed, struct map, map_of, compose)

static void compose_maps(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    struct map *f = in, *g = inout;
    for (int i = 0; i < *len; i++)
        g[i] = compose(f[i], g[i]);
}

/* The same with a hole after each map. */
struct spaced {
    struct map map;
    uint64_t hole;
};
static void compose_spaced(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    struct spaced *f = in, *g = inout;
    for (int i = 0; i < *len; i++)
        g[i].map = compose(f[i].map, g[i].map);
}

static struct operand_kind {
    MPI_Datatype type;
    MPI_Op op;
    size_t size; /* extent */
} kinds[3];
enum { NUMBERS, MAPS, SPACED };
static int kind;

static void put(void *buf, int64_t at, int rank, int64_t i)
{
    if (kind == NUMBERS)
        ((double *)buf)[at] = number(rank, i);
    else if (kind == MAPS)
        ((struct map *)buf)[at] = map_of(rank, i);
    else
        ((struct spaced *)buf)[at] = (struct spaced){map_of(rank, i), 7};
}

/* Reports whether an element has the bits of the tree over ranks 0 to b - 1. */
static int right(const void *buf, int64_t at, int b, int64_t i)
{
    if (kind == NUMBERS) {
        double expected = sum(0, b, i);
        return !memcmp((const double *)buf + at, &expected, sizeof expected);
    }
    struct map expected = composed(0, b, i);
    return !memcmp(kind == MAPS ? (const void *)((const struct map *)buf + at) : &((const struct spaced *)buf)[at].map, &expected, sizeof expected);
}

static void *operands(void)
{
    char *buf = malloc((size_t)(count + 1) * kinds[kind].size);
    CHECK(buf);
    for (int64_t i = 0; i < count; i++)
        put(buf, i, me, i);
    return buf;
}

/* Checks elements first to first + m - 1 of the whole result, which begin at buf. */
static void check_result(const void *buf, int b, int64_t first, int64_t m)
{
    int64_t step = m > 3000 ? m / 1500 : 1;
    for (int64_t i = 0; i < m; i += step)
        CHECK(right(buf, i, b, first + i));
    if (m)
        CHECK(right(buf, m - 1, b, first + m - 1));
}

/* ---- functions ---- */

static void test_reduce(int root, int in_place)
{
    void *send = operands(), *receive = me == root ? operands() : NULL;
    BOTH(nonblocking, Reduce, Ireduce, me == root && in_place ? MPI_IN_PLACE : send, receive, (int)count, kinds[kind].type, kinds[kind].op, root, comm);
    if (me == root)
        check_result(receive, n, 0, count);
    free(send);
    free(receive);
}

static void test_allreduce(int in_place)
{
    void *send = operands(), *receive = operands();
    BOTH(nonblocking, Allreduce, Iallreduce, in_place ? MPI_IN_PLACE : send, receive, (int)count, kinds[kind].type, kinds[kind].op, comm);
    check_result(receive, n, 0, count);
    free(send);
    free(receive);
}

static void test_scans(int in_place)
{
    void *send = operands(), *receive = operands();
    BOTH(nonblocking, Scan, Iscan, in_place ? MPI_IN_PLACE : send, receive, (int)count, kinds[kind].type, kinds[kind].op, comm);
    check_result(receive, me + 1, 0, count);
    free(receive);
    receive = operands();
    BOTH(nonblocking, Exscan, Iexscan, in_place ? MPI_IN_PLACE : send, receive, (int)count, kinds[kind].type, kinds[kind].op, comm);
    if (me)
        check_result(receive, me, 0, count);
    free(send);
    free(receive);
}

static void test_reduce_scatter(int in_place, int block)
{
    int *counts = malloc((size_t)n * sizeof *counts);
    int64_t all = count, first = 0, left = count;
    for (int i = 0; i < n; i++) {
        counts[i] = block ? (int)(count / n) : i == n - 1 ? (int)left : (int)(i % 3 == 1 ? 0 : left / 2);
        left -= counts[i];
        if (i < me)
            first += counts[i];
    }
    count = block ? count / n * n : count;
    void *send = operands(), *receive = operands();
    if (block)
        BOTH(nonblocking, Reduce_scatter_block, Ireduce_scatter_block, in_place ? MPI_IN_PLACE : send, receive, counts[0], kinds[kind].type, kinds[kind].op, comm);
    else
        BOTH(nonblocking, Reduce_scatter, Ireduce_scatter, in_place ? MPI_IN_PLACE : send, receive, counts, kinds[kind].type, kinds[kind].op, comm);
    check_result(receive, n, first, counts[me]);
    count = all;
    free(counts);
    free(send);
    free(receive);
}

static void test_all(void)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        for (int root = 0; root < n; root += n > 6 || count > 1000 ? (n + 1) / 2 : 1)
            test_reduce(root, in_place);
        test_allreduce(in_place);
        test_scans(in_place);
        test_reduce_scatter(in_place, 0);
        test_reduce_scatter(in_place, 1);
    }
}

static void make_kinds(void)
{
    kinds[NUMBERS] = (struct operand_kind){MPI_DOUBLE, MPI_SUM, sizeof(double)};
    kinds[MAPS].size = sizeof(struct map);
    MPI_Type_contiguous(2, MPI_UINT64_T, &kinds[MAPS].type);
    MPI_Op_create(compose_maps, 0, &kinds[MAPS].op);
    kinds[SPACED].size = sizeof(struct spaced);
    MPI_Type_create_resized(kinds[MAPS].type, 0, sizeof(struct spaced), &kinds[SPACED].type);
    MPI_Op_create(compose_spaced, 0, &kinds[SPACED].op);
    MPI_Type_commit(&kinds[MAPS].type);
    MPI_Type_commit(&kinds[SPACED].type);
}

int main(int argc, char **argv)
{
    static const int64_t sizes[] = {0, 1, 2, 7, 100, 1000, 3000, 9000, 50000, 131072};
    begin(&argc, &argv);
    int64_t largest = argc > 1 && atoll(argv[1]) ? atoll(argv[1]) : 131072;
    make_kinds();
    MPI_Comm orders[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &orders[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &orders[1]);
    for (int i = 0; i < 2; i++) {
        comm = orders[i];
        MPI_Comm_size(comm, &n);
        MPI_Comm_rank(comm, &me);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes && sizes[s] <= (i ? 100 : largest); s++)
            for (kind = 0; kind < 3; kind++)
                for (nonblocking = 0; nonblocking < 2; nonblocking++) {
                    count = sizes[s];
                    test_all();
                }
        MPI_Comm_free(&orders[i]);
    }
    for (int i = 1; i < 3; i++) {
        MPI_Type_free(&kinds[i].type);
        MPI_Op_free(&kinds[i].op);
    }
    return end();
}
