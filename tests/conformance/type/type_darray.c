/* Distributed arrays: each rank's part, and all parts together (MPI-3.1, 4.1.4). */
#include "check.h"

enum { ROWS = 6, COLUMNS = 8, TOTAL = ROWS * COLUMNS };

/* Checks that every element belongs to exactly one rank. Returns the number of this rank's elements. */
static int partition(int order, const int *distributions, const int *arguments, const int *grid, int *owned)
{
    const int sizes[2] = {ROWS, COLUMNS};
    int whole[TOTAL], mine[TOTAL], owners[TOTAL], all[TOTAL], bytes = -1, count = -1;
    MPI_Datatype type;
    MPI_Aint lb = -1, extent = -1;
    MPI_Status status;
    MUST(MPI_Type_create_darray(size, rank, 2, sizes, distributions, arguments, grid, order, MPI_INT, &type));
    MUST(MPI_Type_commit(&type));
    MUST(MPI_Type_get_extent(type, &lb, &extent));
    CHECK_INT(lb, 0);
    CHECK_INT(extent, TOTAL * (int)sizeof(int));
    MUST(MPI_Type_size(type, &bytes));
    for (int i = 0; i < TOTAL; i++) {
        whole[i] = i;
        owners[i] = 0;
    }
    MUST(MPI_Sendrecv(whole, 1, type, rank, 1, mine, TOTAL, MPI_INT, rank, 1, MPI_COMM_WORLD, &status));
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count * (int)sizeof(int), bytes);
    for (int i = 0; i < count; i++) {
        CHECK(mine[i] >= 0 && mine[i] < TOTAL);
        owners[mine[i]]++;
        owned[i] = mine[i];
    }
    MUST(MPI_Allreduce(owners, all, TOTAL, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < TOTAL; i++)
        CHECK_INT(all[i], 1);
    MUST(MPI_Type_free(&type));
    return count;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int owned[TOTAL], count;
    const int by_columns[2] = {1, size}, by_rows[2] = {size, 1};
    const int defaults[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};

    /* Blocks of columns: a rank's first element is the first of its columns. */
    count = partition(MPI_ORDER_C, (int[]){MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK}, defaults, by_columns, owned);
    const int block = (COLUMNS + size - 1) / size;
    CHECK_INT(count, ROWS * block);
    CHECK_INT(owned[0], rank * block);
    CHECK_INT(owned[block], rank * block + COLUMNS);

    /* Columns distributed one by one. */
    count = partition(MPI_ORDER_C, (int[]){MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC}, defaults, by_columns, owned);
    CHECK_INT(owned[0], rank);
    CHECK_INT(owned[1], size == COLUMNS ? rank + COLUMNS : rank + size);

    /* Rows distributed one by one, in C and in Fortran order. */
    partition(MPI_ORDER_C, (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}, defaults, by_rows, owned);
    CHECK_INT(owned[0], rank * COLUMNS);
    CHECK_INT(owned[1], rank * COLUMNS + 1);
    partition(MPI_ORDER_FORTRAN, (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}, defaults, by_rows, owned);
    CHECK_INT(owned[0], rank);

    /* Given block sizes, in both orders. */
    partition(MPI_ORDER_C, (int[]){MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC},
              (int[]){MPI_DISTRIBUTE_DFLT_DARG, 2}, by_columns, owned);
    CHECK_INT(owned[0], 2 * rank);
    CHECK_INT(owned[1], 2 * rank + 1);
    partition(MPI_ORDER_C, (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE}, (int[]){ROWS, MPI_DISTRIBUTE_DFLT_DARG},
              by_rows, owned);
    if (size == 4)
        partition(MPI_ORDER_C, (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, defaults, (int[]){2, 2}, owned);
    return check_done("type_darray");
}
