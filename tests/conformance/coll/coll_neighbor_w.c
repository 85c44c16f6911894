/* Neighborhood collectives with arrays on periodic and open grids, and on a graph. */
#include "neighbor.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int sources[MAX], index[MAX], edges[MAX * MAX], n = 0;
    MPI_Comm comm;

    /* Periodic and open grids. */
    for (int dims = 1; dims <= 3; dims++)
        for (int closed = 0; closed < 2; closed++) {
            int sizes[3] = {0}, periods[3] = {closed, closed, closed};
            if (size == 2 && closed) /* both neighbors are the same process: the libraries differ in the order of the parts */
                periods[0] = periods[1] = periods[2] = 0;
            MUST(MPI_Dims_create(size, dims, sizes));
            MUST(MPI_Cart_create(MPI_COMM_WORLD, dims, sizes, periods, 0, &comm));
            for (int i = 0; i < dims; i++)
                MUST(MPI_Cart_shift(comm, i, 1, &sources[2 * i], &sources[2 * i + 1]));
            exchange(closed ? "closed grid" : "open grid", comm, 2 * dims, sources, 2 * dims);
            MUST(MPI_Comm_free(&comm));
        }

    /* A star: the first rank is a neighbor of all others. */
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < size; k++)
            if ((i == 0) != (k == 0))
                edges[n++] = k;
        index[i] = n;
    }
    MUST(MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm));
    n = 0;
    for (int k = 0; k < size; k++)
        if ((rank == 0) != (k == 0))
            sources[n++] = k;
    exchange("graph", comm, n, sources, n);
    MUST(MPI_Comm_free(&comm));
    return check_done("coll_neighbor_w");
}
