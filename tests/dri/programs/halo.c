/* Overlap: a filter in one dimension and a stencil in two, with every kind of edge and overlaps from zero to more than
 * a part. */
#include "check.h"
#include <math.h>

static DRI_group everybody;

/* Returns the element of D at an index, according to the edge. */
static double at(int n, int i, int edge, double (*value)(int))
{
    if (i >= 0 && i < n)
        return value(i);
    if (edge == DRI_EDGE_WRAP)
        return value((i % n + n) % n);
    if (edge == DRI_EDGE_COPY)
        return value(i < 0 ? 0 : n - 1);
    return 0; /* outside a truncating edge the filter adds nothing */
}

static double value(int i)
{
    return i * i % 17 + 0.5;
}

static void filter(int overlap, int edge)
{
    enum { N = 23 };
    DRI_gdo d = gdo(DRI_DOUBLE, 1, N);
    DRI_dist from = slices(d, everybody, 0, 0, 0), to = slices(d, everybody, 0, overlap, edge);
    DRI_part_tuple t;
    OK(DRI_dist_query(to, rank, NULL, 0, &t));
    void *in[] = {NULL}, *out[] = {NULL};
    DRI_xfer x;
    char name[32];
    snprintf(name, sizeof name, "filter %d %d", overlap, edge);
    OK(DRI_xfer_create_clique(name, from, DRI_LAYOUT_PACKED_0, 1, in, to, DRI_LAYOUT_PACKED_0, 1, out, &x));
    int owned = t.right_x - t.left_x + 1;
    for (int i = 0; i < owned; i++)
        ((double *)in[0])[i] = value(t.left_x + i);
    MPI_Count bytes;
    OK(DRI_dist_bytes(to, DRI_LAYOUT_PACKED_0, &bytes));
    int lo = t.left_x - overlap, hi = t.right_x + overlap;
    if (edge == DRI_EDGE_TRUNCATE) {
        lo = lo < 0 ? 0 : lo;
        hi = hi >= N ? N - 1 : hi;
    }
    CHECK(bytes == (hi - lo + 1) * 8, "%s: %d bytes", name, (int)bytes);
    memset(out[0], 0xee, bytes);
    OK(DRI_do(name, x));
    const double *b = out[0];
    for (int i = t.left_x; i <= t.right_x; i++) {
        double sum = 0, expected = 0;
        for (int k = -overlap; k <= overlap; k++) {
            expected += (k + overlap + 1) * at(N, i + k, edge, value);
            if (i + k >= lo && i + k <= hi)
                sum += (k + overlap + 1) * b[i + k - lo];
        }
        CHECK(sum == expected, "%s: output %d is %g, not %g", name, i, sum, expected);
    }
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&from));
    OK(DRI_dist_destroy(&to));
    OK(DRI_gdo_destroy(&d));
}

/* Jacobi's iteration on a torus, on the array with its halo. Between the two transfers, the halo must not overwrite the
 * owned elements in the middle of the array. */
static void stencil(void)
{
    enum { N = 12, STEPS = 4 };
    static double whole[2][N][N];
    DRI_gdo d = gdo(DRI_DOUBLE, 2, N, N);
    DRI_part_rule rules[2] = {{DRI_BLOCK, 0, 0, 0, 1, 1, DRI_EDGE_WRAP}, {DRI_BLOCK, 0, 0, 0, 1, 1, DRI_EDGE_WRAP}};
    DRI_part p;
    DRI_dist dist;
    OK(DRI_part_rules(d, everybody, NULL, rules, &p));
    OK(DRI_dist_create(d, p, everybody, &dist));
    DRI_part_tuple t[2];
    OK(DRI_dist_query(dist, rank, NULL, 0, t));
    int rows = t[0].right_x - t[0].left_x + 1, columns = t[1].right_x - t[1].left_x + 1, wide = columns + 2;
    double *field = malloc((rows + 2) * wide * sizeof *field), *next = malloc((rows + 2) * wide * sizeof *field);
    MPI_Count strides[2] = {wide, 1};
    DRI_layout layout;
    OK(DRI_layout_create(2, strides, &layout));
    /* The same array at both ends: the source is its owned middle. */
    void *in[] = {field + wide + 1}, *out[] = {field};
    DRI_xfer x;
    OK(DRI_xfer_create_clique("stencil", dist, layout, 1, in, dist, layout, 1, out, &x));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            whole[0][i][j] = (i * 7 + j * 3) % 11;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            field[(i + 1) * wide + j + 1] = whole[0][t[0].left_x + i][t[1].left_x + j];
    for (int step = 0; step < STEPS; step++) {
        double (*from)[N] = whole[step % 2], (*to)[N] = whole[1 - step % 2];
        OK(DRI_do("stencil", x));
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j <= columns; j++) {
                const double *c = field + i * wide + j;
                next[i * wide + j] = (c[-wide] + c[wide] + c[-1] + c[1]) / 4;
            }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                to[i][j] = (from[(i + N - 1) % N][j] + from[(i + 1) % N][j] + from[i][(j + N - 1) % N] + from[i][(j + 1) % N]) / 4;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                double is = next[(i + 1) * wide + j + 1], must = to[t[0].left_x + i][t[1].left_x + j];
                CHECK(is == must, "step %d: (%d, %d) is %g, not %g", step, i, j, is, must);
                field[(i + 1) * wide + j + 1] = is;
            }
    }
    OK(DRI_xfer_destroy(&x));
    OK(DRI_layout_destroy(&layout));
    OK(DRI_dist_destroy(&dist));
    OK(DRI_part_destroy(&p));
    OK(DRI_gdo_destroy(&d));
    free(field);
    free(next);
}

int main(int argc, char **argv)
{
    static const int overlaps[] = {0, 1, 2, 9, 30};
    begin(&argc, &argv);
    everybody = group(0, size);
    for (int i = 0; i < 5; i++)
        for (int edge = DRI_EDGE_TRUNCATE; edge <= DRI_EDGE_COPY; edge++)
            filter(overlaps[i], edge);
    stencil();
    OK(DRI_group_destroy(&everybody));
    end("halo");
    return 0;
}
