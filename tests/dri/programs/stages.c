/* Programs in stages: a two-dimensional Fourier transform within one group and through three groups; a source that runs
 * ahead; transposition and reduction in tiles. */
#include "check.h"
#include <complex.h>
#include <math.h>

static DRI_group everybody;

/* Transforms each line, by definition. */
static void transform(double complex *lines, int n_lines, int n)
{
    double complex out[64];
    for (int l = 0; l < n_lines; l++, lines += n) {
        for (int k = 0; k < n; k++) {
            out[k] = 0;
            for (int j = 0; j < n; j++)
                out[k] += lines[j] * cexp(-2 * M_PI * I * (j * k % n) / n);
        }
        memcpy(lines, out, n * sizeof *out);
    }
}

enum { R = 16, C = 24 };

static double complex input(int i, int j, int frame)
{
    return (i * 5 + j * 3 + frame) % 13 + I * ((i + j * j) % 7);
}

/* Computes the same on one process. */
static void expected(double complex out[C][R], int frame)
{
    static double complex rows[R][C];
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            rows[i][j] = input(i, j, frame);
    transform(&rows[0][0], R, C);
    for (int j = 0; j < C; j++)
        for (int i = 0; i < R; i++)
            out[j][i] = rows[i][j];
    transform(&out[0][0], C, R);
}

static void compare(const double complex *columns, MPI_Count first, int n, int frame, const char *what)
{
    static double complex must[C][R];
    expected(must, frame);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < R; i++)
            CHECK(cabs(columns[j * R + i] - must[first + j][i]) < 1e-9, "%s: frame %d: (%d, %d) is %g, not %g", what, frame, i, (int)first + j,
                  creal(columns[j * R + i]), creal(must[first + j][i]));
}

static void rows_of(double complex *b, DRI_part_tuple t, int frame)
{
    for (MPI_Count i = t.left_x; i <= t.right_x; i++)
        for (int j = 0; j < C; j++)
            b[(i - t.left_x) * C + j] = input(i, j, frame);
}

static void clique(void)
{
    DRI_gdo d = gdo(DRI_DOUBLE_COMPLEX, 2, R, C);
    DRI_dist rows = slices(d, everybody, 0, 0, 0), columns = slices(d, everybody, 1, 0, 0);
    DRI_part_tuple r[2], c[2];
    OK(DRI_dist_query(rows, rank, NULL, 0, r));
    OK(DRI_dist_query(columns, rank, NULL, 0, c));
    void *in[] = {NULL}, *out[] = {NULL};
    DRI_xfer x;
    OK(DRI_xfer_create_clique("fft", rows, DRI_LAYOUT_PACKED_10, 1, in, columns, DRI_LAYOUT_PACKED_01, 1, out, &x));
    for (int frame = 0; frame < 3; frame++) {
        rows_of(in[0], r[0], frame);
        transform(in[0], r[0].right_x - r[0].left_x + 1, C);
        OK(DRI_do("fft", x));
        transform(out[0], c[1].right_x - c[1].left_x + 1, R);
        compare(out[0], c[1].left_x, c[1].right_x - c[1].left_x + 1, frame, "clique");
    }
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&rows));
    OK(DRI_dist_destroy(&columns));
    OK(DRI_gdo_destroy(&d));
}

/* Rank 0 has the frames, rank 1 transforms rows, the others transform columns. Each stage works on its own frame. */
static void pipeline(void)
{
    enum { FRAMES = 6 };
    if (size < 3)
        return;
    DRI_gdo d = gdo(DRI_DOUBLE_COMPLEX, 2, R, C);
    int stage = rank < 2 ? rank : 2;
    DRI_group g = stage < 2 ? group(stage, 1) : group(2, size - 2);
    DRI_dist rows = slices(d, g, 0, 0, 0), columns = slices(d, g, 1, 0, 0);
    DRI_xfer x[2];
    void *in[2] = {NULL, NULL}, *out[2] = {NULL, NULL};
    int n = 0, from = -1, to = -1;
    if (stage == 0)
        OK(DRI_xfer_register("frames", DRI_SOURCE, rows, DRI_LAYOUT_PACKED_10, 2, out, &x[to = n++]));
    if (stage == 1)
        OK(DRI_xfer_register("turned", DRI_SOURCE, rows, DRI_LAYOUT_PACKED_10, 2, out, &x[to = n++]));
    if (stage == 1)
        OK(DRI_xfer_register("frames", DRI_DESTINATION, rows, DRI_LAYOUT_PACKED_10, 2, in, &x[from = n++]));
    if (stage == 2)
        OK(DRI_xfer_register("turned", DRI_DESTINATION, columns, DRI_LAYOUT_PACKED_01, 2, in, &x[from = n++]));
    OK(DRI_xfer_commit(n, x));
    DRI_part_tuple t[2];
    OK(DRI_dist_query(stage == 2 ? columns : rows, stage == 2 ? rank - 2 : 0, NULL, 0, t));
    for (int frame = 0; frame < FRAMES; frame++) {
        void *a, *b;
        int index;
        if (stage == 0) {
            OK(DRI_acquire(x[to], DRI_SOURCE, &b, &index));
            CHECK(index == frame % 2 && b == out[index], "buffer %d", index);
            rows_of(b, t[0], frame);
            OK(DRI_release(x[to], DRI_SOURCE));
        } else if (stage == 1) {
            OK(DRI_acquire(x[from], DRI_DESTINATION, &a, &index));
            OK(DRI_acquire(x[to], DRI_SOURCE, &b, &index));
            memcpy(b, a, R * C * sizeof(double complex));
            OK(DRI_release(x[from], DRI_DESTINATION));
            transform(b, R, C);
            OK(DRI_release(x[to], DRI_SOURCE));
        } else {
            OK(DRI_acquire(x[from], DRI_DESTINATION, &a, NULL));
            transform(a, t[1].right_x - t[1].left_x + 1, R);
            compare(a, t[1].left_x, t[1].right_x - t[1].left_x + 1, frame, "pipeline");
            OK(DRI_release(x[from], DRI_DESTINATION));
        }
    }
    /* A released buffer must be taken before it can be destroyed. */
    for (int i = 0; i < n; i++) {
        int class;
        while ((class = DRI_xfer_destroy(&x[i])) == DRI_ERR_STATE)
            ;
        OK(class);
    }
    OK(DRI_dist_destroy(&rows));
    OK(DRI_dist_destroy(&columns));
    OK(DRI_group_destroy(&g));
    OK(DRI_gdo_destroy(&d));
}

/* With two buffers at a destination that acquires them, a source can be two Gos ahead, and no more. */
static void ahead(void)
{
    DRI_gdo d = gdo(DRI_INT, 1, 10);
    for (int ours = 0; ours < 2 && size > 1 && rank < 2; ours++) {
        DRI_group own = group(rank, 1);
        DRI_dist dist = slices(d, own, 0, 0, 0);
        int mine[3][10] = {{0}}, done, index, *b;
        void *buffs[3] = {ours ? NULL : mine[0], ours ? NULL : mine[1], ours ? NULL : mine[2]};
        DRI_xfer x;
        OK(DRI_xfer_create(ours ? "ahead, ours" : "ahead", rank ? DRI_DESTINATION : DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, rank ? 2 : 3, buffs, &x));
        if (rank == 0) {
            for (int go = 0; go < 3; go++) {
                OK(DRI_acquire(x, DRI_SOURCE, (void **)&b, &index));
                FAILS(DRI_ERR_STATE, "ahead", DRI_acquire(x, DRI_SOURCE, (void **)&b, &index));
                FAILS(DRI_ERR_STATE, "ahead", DRI_start(x));
                CHECK(index == go, "buffer %d, not %d", index, go);
                for (int i = 0; i < 10; i++)
                    b[i] = 100 * go + i;
                OK(DRI_release(x, DRI_SOURCE));
                FAILS(DRI_ERR_STATE, "ahead", DRI_release(x, DRI_SOURCE));
            }
            MPI_Send(&index, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            OK(DRI_acquire(x, DRI_SOURCE, (void **)&b, &index));
            CHECK(index == 0, "buffer %d, not 0", index);
            for (int i = 0; i < 10; i++)
                b[i] = 300 + i;
            OK(DRI_release(x, DRI_SOURCE));
            OK(DRI_acquire(x, DRI_SOURCE, (void **)&b, &index)); /* waits until Go 1 is complete */
        } else {
            MPI_Recv(&index, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int go = 0; go < 4; go++) {
                OK(DRI_acquire(x, DRI_DESTINATION, (void **)&b, &index));
                CHECK(index == go % 2, "buffer %d, not %d", index, go % 2);
                for (int k = 0; k < 100; k++) { /* whatever else progresses in the meantime */
                    FAILS(DRI_ERR_STATE, "ahead", DRI_test(x, &done));
                    for (int i = 0; i < 10; i++)
                        CHECK(b[i] == 100 * go + i, "Go %d: element %d is %d", go, i, b[i]);
                }
                OK(DRI_release(x, DRI_DESTINATION));
            }
        }
        int class;
        while ((class = DRI_xfer_destroy(&x)) == DRI_ERR_STATE)
            ;
        OK(class);
        OK(DRI_dist_destroy(&dist));
        OK(DRI_group_destroy(&own));
    }
    OK(DRI_gdo_destroy(&d));
}

/* 17k x 96k, scaled down: each tile of columns is transposed into one of two buffers and reduced from there, so memory
 * for two tiles is enough. */
static void tiles(void)
{
    enum { ROWS = 17 * 4, COLUMNS = 96 * 4, TILES = 8, TILE = COLUMNS / TILES };
    DRI_gdo d = gdo(DRI_FLOAT, 2, ROWS, COLUMNS);
    DRI_dist rows = slices(d, everybody, 0, 0, 0);
    DRI_part_tuple r[2], t[2];
    OK(DRI_dist_query(rows, rank, NULL, 0, r));
    int first = r[0].left_x, own = r[0].right_x - first + 1;
    float *array = malloc((own * COLUMNS + 1) * sizeof *array), *memory = malloc(2 * ROWS * (TILE / size + 1) * sizeof(float));
    for (int i = 0; i < own; i++)
        for (int j = 0; j < COLUMNS; j++)
            array[i * COLUMNS + j] = (first + i) * 1000 + j;
    DRI_layout whole_rows;
    MPI_Count strides[] = {COLUMNS, 1};
    OK(DRI_layout_create(2, strides, &whole_rows));
    for (int tile = 0; tile < TILES; tile++) {
        MPI_Count lo[] = {0, tile * TILE}, hi[] = {ROWS - 1, (tile + 1) * TILE - 1}, bytes;
        DRI_gdo part;
        OK(DRI_gdo_sub(d, lo, hi, &part));
        DRI_dist from = slices(part, everybody, 0, 0, 0), to = slices(part, everybody, 1, 0, 0);
        OK(DRI_dist_query(to, rank, NULL, 0, t));
        OK(DRI_dist_bytes(to, DRI_LAYOUT_PACKED_01, &bytes));
        CHECK(bytes <= ROWS * (TILE / size + 1) * (int)sizeof(float), "a tile takes %d bytes", (int)bytes);
        void *src[] = {array + tile * TILE}, *dst[] = {memory + tile % 2 * ROWS * (TILE / size + 1)};
        DRI_xfer x;
        char name[32];
        snprintf(name, sizeof name, "tile %d", tile);
        OK(DRI_xfer_create_clique(name, from, whole_rows, 1, src, to, DRI_LAYOUT_PACKED_01, 1, dst, &x));
        OK(DRI_do(name, x));
        for (MPI_Count j = t[1].left_x; j <= t[1].right_x; j++) {
            double sum = 0;
            for (int i = 0; i < ROWS; i++)
                sum += ((float *)dst[0])[(j - t[1].left_x) * ROWS + i];
            CHECK(sum == 1000.0 * ROWS * (ROWS - 1) / 2 + (double)j * ROWS, "column %d has sum %g", (int)j, sum);
        }
        OK(DRI_xfer_destroy(&x));
        OK(DRI_dist_destroy(&from));
        OK(DRI_dist_destroy(&to));
        OK(DRI_gdo_destroy(&part));
    }
    OK(DRI_layout_destroy(&whole_rows));
    OK(DRI_dist_destroy(&rows));
    OK(DRI_gdo_destroy(&d));
    free(array);
    free(memory);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    everybody = group(0, size);
    clique();
    pipeline();
    ahead();
    tiles();
    OK(DRI_group_destroy(&everybody));
    end("stages");
    return 0;
}
