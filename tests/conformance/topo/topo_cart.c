/* Cartesian topologies: create, coordinates, ranks, shifts, subgrids, dims_create; MPI_PROC_NULL past the ends. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm line, ring, grid, row;
    int value, dims[3], periods[3], coords[3], from, to, status;

    MUST(MPI_Topo_test(MPI_COMM_WORLD, &status));
    CHECK_INT(status, MPI_UNDEFINED);

    dims[0] = size;
    periods[0] = 0;
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line));
    MUST(MPI_Topo_test(line, &status));
    CHECK_INT(status, MPI_CART);
    MUST(MPI_Cart_shift(line, 0, 1, &from, &to));
    CHECK_INT(from, rank == 0 ? MPI_PROC_NULL : rank - 1);
    CHECK_INT(to, rank == size - 1 ? MPI_PROC_NULL : rank + 1);
    MUST(MPI_Cart_shift(line, 0, -size, &from, &to));
    CHECK_INT(from, MPI_PROC_NULL);
    CHECK_INT(to, MPI_PROC_NULL);

    /* The ranks from the shift work in a message. */
    int got = -1;
    MPI_Status seen;
    MUST(MPI_Cart_shift(line, 0, 1, &from, &to));
    MUST(MPI_Sendrecv(&rank, 1, MPI_INT, to, 1, &got, 1, MPI_INT, from, 1, line, &seen));
    CHECK_INT(got, rank == 0 ? -1 : rank - 1);
    CHECK_INT(seen.MPI_SOURCE, from);

    /* The neighbors on a line: the parts of missing neighbors are unchanged. */
    int around[2] = {-1, -1}, all[2] = {10 * rank, 10 * rank + 1}, theirs[2] = {-1, -1};
    MUST(MPI_Neighbor_allgather(&rank, 1, MPI_INT, around, 1, MPI_INT, line));
    CHECK_INT(around[0], rank == 0 ? -1 : rank - 1);
    CHECK_INT(around[1], rank == size - 1 ? -1 : rank + 1);
    MUST(MPI_Neighbor_alltoall(all, 1, MPI_INT, theirs, 1, MPI_INT, line));
    CHECK_INT(theirs[0], rank == 0 ? -1 : 10 * (rank - 1) + 1);
    CHECK_INT(theirs[1], rank == size - 1 ? -1 : 10 * (rank + 1));

    periods[0] = 1;
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring));
    MUST(MPI_Cart_shift(ring, 0, 1, &from, &to));
    CHECK_INT(from, (rank + size - 1) % size);
    CHECK_INT(to, (rank + 1) % size);
    value = -1;
    coords[0] = -1;
    MUST(MPI_Cart_rank(ring, coords, &value)); /* periodic: it wraps around */
    CHECK_INT(value, size - 1);

    memset(dims, 0, sizeof dims);
    MUST(MPI_Dims_create(size, 2, dims));
    CHECK_INT(dims[0] * dims[1], size);
    CHECK_INT(dims[0], size == 1 ? 1 : 2);
    CHECK_INT(dims[1], size == 4 ? 2 : 1);
    int fixed[3] = {0, 1, 0};
    MUST(MPI_Dims_create(size, 3, fixed));
    CHECK_INT(fixed[1], 1);
    CHECK_INT(fixed[0] * fixed[2], size);

    periods[0] = 0;
    periods[1] = 1;
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid));
    MUST(MPI_Cartdim_get(grid, &value));
    CHECK_INT(value, 2);
    int back_dims[2] = {-1, -1}, back_periods[2] = {-1, -1}, back_coords[2] = {-1, -1};
    MUST(MPI_Cart_get(grid, 2, back_dims, back_periods, back_coords));
    CHECK(back_dims[0] == dims[0] && back_dims[1] == dims[1]);
    CHECK(back_periods[0] == 0 && back_periods[1] == 1);
    CHECK(back_coords[0] == rank / dims[1] && back_coords[1] == rank % dims[1]);
    for (int i = 0; i < size; i++) {
        MUST(MPI_Cart_coords(grid, i, 2, coords));
        CHECK(coords[0] == i / dims[1] && coords[1] == i % dims[1]);
        MUST(MPI_Cart_rank(grid, coords, &value));
        CHECK_INT(value, i);
    }
    int keep[2] = {0, 1};
    MUST(MPI_Cart_sub(grid, keep, &row));
    MUST(MPI_Comm_size(row, &value));
    CHECK_INT(value, dims[1]);
    MUST(MPI_Cartdim_get(row, &value));
    CHECK_INT(value, 1);
    MUST(MPI_Cart_get(row, 1, back_dims, back_periods, back_coords));
    CHECK(back_dims[0] == dims[1] && back_periods[0] == 1 && back_coords[0] == rank % dims[1]);
    MUST(MPI_Comm_free(&row));
    MUST(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &value));
    CHECK(value >= 0 && value < size);

    /* Fewer places than ranks: the remaining ranks get MPI_COMM_NULL. */
    MPI_Comm small, dup;
    dims[0] = 1;
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &small));
    CHECK((small == MPI_COMM_NULL) == (rank != 0));
    MUST(MPI_Cart_map(MPI_COMM_WORLD, 1, dims, periods, &value));
    CHECK(value == (rank == 0 ? 0 : MPI_UNDEFINED) || value == rank); /* Open MPI returns each rank's own number */
    if (small != MPI_COMM_NULL)
        MUST(MPI_Comm_free(&small));

    MUST(MPI_Comm_dup(ring, &dup)); /* the topology is copied, too */
    MUST(MPI_Topo_test(dup, &status));
    CHECK_INT(status, MPI_CART);
    MUST(MPI_Comm_set_errhandler(line, MPI_ERRORS_RETURN));
    coords[0] = size;
    CHECK(MPI_Cart_rank(line, coords, &value) != MPI_SUCCESS);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Cartdim_get(MPI_COMM_WORLD, &value), MPI_ERR_TOPOLOGY);
    dims[0] = size + 1;
    CHECK(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &small) != MPI_SUCCESS);
    int wrong[2] = {size + 1, 0};
    CHECK_CLASS(MPI_Dims_create(size, 2, wrong), MPI_ERR_DIMS);
    MUST(MPI_Comm_free(&dup));
    MUST(MPI_Comm_free(&grid));
    MUST(MPI_Comm_free(&ring));
    MUST(MPI_Comm_free(&line));
    return check_done("topo_cart");
}
