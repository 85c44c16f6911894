/* Draws the picture of a corner turn in dri/README.md: for each element its owner and its position in the owner's buffer,
 * before and after. Four processes. */
#include "check.h"

enum { ROWS = 4, COLUMNS = 8, N = ROWS * COLUMNS };

/* Notes this process's elements, which are numbers from 0 to N-1, gathers the notes of all, and draws line i of them. */
static void gather(const int *elements, int n, int owner_and_position[N])
{
    int mine[N];
    memset(mine, -1, sizeof mine);
    for (int i = 0; i < n; i++)
        mine[elements[i]] = 100 * rank + i;
    MPI_Allreduce(mine, owner_and_position, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int before[N], after[N];
    begin(&argc, &argv);
    DRI_gdo d = gdo(DRI_INT, 2, ROWS, COLUMNS);
    DRI_group everybody = group(0, size);
    DRI_dist rows = slices(d, everybody, 0, 0, 0), columns = slices(d, everybody, 1, 0, 0);
    void *in[] = {NULL}, *out[] = {NULL};
    DRI_xfer x;
    OK(DRI_xfer_create_clique("picture", rows, DRI_LAYOUT_PACKED_10, 1, in, columns, DRI_LAYOUT_PACKED_01, 1, out, &x));
    for (int i = 0; i < N / size; i++)
        ((int *)in[0])[i] = rank * N / size + i;
    OK(DRI_do("picture", x));
    gather(in[0], N / size, before);
    gather(out[0], N / size, after);
    if (rank == 0)
        printf("%-36s%s\n", "before: rows", "after: columns");
    for (int i = 0; rank == 0 && i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++)
            printf("%d.%d ", before[i * COLUMNS + j] / 100, before[i * COLUMNS + j] % 100);
        printf("   ");
        for (int j = 0; j < COLUMNS; j++)
            printf(" %d.%d", after[i * COLUMNS + j] / 100, after[i * COLUMNS + j] % 100);
        printf("\n");
    }
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&rows));
    OK(DRI_dist_destroy(&columns));
    OK(DRI_group_destroy(&everybody));
    OK(DRI_gdo_destroy(&d));
    return DRI_finalize();
}
