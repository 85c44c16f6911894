/* A corner turn in C, for comparison with the same turn in Fortran (f08.f90): turn PREFIX writes each process's columns to
 * PREFIX and its rank. */
#include "check.h"

enum { ROWS = 63, COLUMNS = 40 };

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    DRI_gdo d = gdo(DRI_FLOAT, 2, ROWS, COLUMNS);
    DRI_group everybody = group(0, size);
    DRI_dist rows = slices(d, everybody, 0, 0, 0), columns = slices(d, everybody, 1, 0, 0);
    void *in[] = {NULL}, *out[] = {NULL};
    DRI_xfer x;
    DRI_part_tuple t[2];
    MPI_Count bytes;
    OK(DRI_xfer_create_clique("turn", rows, DRI_LAYOUT_PACKED_10, 1, in, columns, DRI_LAYOUT_PACKED_01, 1, out, &x));
    OK(DRI_dist_query(rows, rank, NULL, 0, t));
    for (int i = t[0].left_x; i <= t[0].right_x; i++)
        for (int j = 0; j < COLUMNS; j++)
            ((float *)in[0])[(i - t[0].left_x) * COLUMNS + j] = (float)(i * COLUMNS + j) / 7;
    OK(DRI_do("turn", x));
    OK(DRI_dist_bytes(columns, DRI_LAYOUT_PACKED_01, &bytes));
    char name[300];
    snprintf(name, sizeof name, "%s%d", argv[1], rank);
    FILE *f = fopen(name, "wb");
    CHECK(f && fwrite(out[0], 1, bytes, f) == (size_t)bytes && fclose(f) == 0, "%s cannot be written", name);
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&rows));
    OK(DRI_dist_destroy(&columns));
    OK(DRI_group_destroy(&everybody));
    OK(DRI_gdo_destroy(&d));
    end("turn");
    return 0;
}
