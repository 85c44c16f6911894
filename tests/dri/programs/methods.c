/* The methods chosen for transfers that differ in their buffers and lines, with each setting. */
#include "check.h"

static void show(const char *what, DRI_dist from, DRI_layout in_order, DRI_dist to, DRI_layout out_order, int bytes)
{
    void *src[] = {bytes ? malloc(bytes) : NULL}, *dst[] = {bytes ? malloc(bytes) : NULL};
    DRI_xfer x;
    const char *method;
    OK(DRI_xfer_create_clique(what, from, in_order, 1, src, to, out_order, 1, dst, &x));
    OK(DRI_xfer_query(x, NULL, NULL, NULL, NULL, &method));
    if (rank == 0)
        printf("%s: %s\n", what, method);
    OK(DRI_do(what, x));
    OK(DRI_xfer_destroy(&x));
    if (bytes) {
        free(src[0]);
        free(dst[0]);
    }
}

/* Overlapping windows whose numbers show their places: an element goes to the same process twice. */
static void show_windows(void)
{
    enum { N = 64 };
    const char *what = "in windows", *method;
    char all[N], numbers[3 * N];
    void *src[] = {all}, *dst[] = {numbers};
    DRI_gdo d = gdo(MPI_CHAR, 1, N);
    DRI_group g = group(0, size);
    DRI_dist blocks = slices(d, g, 0, 0, 0), windows;
    DRI_part p;
    DRI_xfer x;
    OK(DRI_part_rules(d, g, NULL, &(DRI_part_rule){DRI_CYCLIC, 0, 0, 1, 1, 1, DRI_EDGE_WRAP}, &p));
    OK(DRI_dist_create(d, p, g, &windows));
    for (int i = 0; i < N / size; i++)
        all[i] = rank * N / size + i;
    OK(DRI_xfer_create_clique(what, blocks, DRI_LAYOUT_PACKED_0, 1, src, windows, DRI_LAYOUT_PACKED_0, 1, dst, &x));
    OK(DRI_xfer_query(x, NULL, NULL, NULL, NULL, &method));
    OK(DRI_do(what, x));
    for (int i = 0; i < 3 * N / size; i++) {
        int place = i / 3 * size + rank + i % 3 - 1;
        CHECK(numbers[i] == (place + N) % N, "%s: at %d is %d, not %d", what, i, numbers[i], (place + N) % N);
    }
    if (rank == 0)
        printf("%s: %s\n", what, method);
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&blocks));
    OK(DRI_dist_destroy(&windows));
    OK(DRI_part_destroy(&p));
    OK(DRI_group_destroy(&g));
    OK(DRI_gdo_destroy(&d));
}

static void all(const struct setting *s)
{
    enum { N = 1024 };
    DRI_gdo d = gdo(DRI_DOUBLE, 2, N, 2 * N);
    DRI_group g = group(0, size);
    DRI_dist rows = slices(d, g, 0, 0, 0), columns = slices(d, g, 1, 0, 0);
    int bytes = N * 2 * N * 8 / size;
    if (rank == 0)
        printf("%s\n", s->name);
    show("ours", rows, DRI_LAYOUT_PACKED_10, columns, DRI_LAYOUT_PACKED_01, 0);
    show("the program's, turned", rows, DRI_LAYOUT_PACKED_10, columns, DRI_LAYOUT_PACKED_01, bytes);
    show("the program's, in lines", rows, DRI_LAYOUT_PACKED_10, columns, DRI_LAYOUT_PACKED_10, bytes);
    show("in its place", rows, DRI_LAYOUT_PACKED_10, rows, DRI_LAYOUT_PACKED_10, bytes);
    show_windows();
    OK(DRI_dist_destroy(&rows));
    OK(DRI_dist_destroy(&columns));
    OK(DRI_group_destroy(&g));
    OK(DRI_gdo_destroy(&d));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    with_each_setting(all);
    MPI_Finalize();
    if (rank == 0)
        printf("methods: right\n");
    return 0;
}
