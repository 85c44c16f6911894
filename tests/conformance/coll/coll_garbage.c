/* Arguments that are significant only at the root have arbitrary values elsewhere (MPI-5.0, 6.5 to 6.7, 6.9): no
   handle, no address, no count. */
#include "check.h"

static void *nowhere;
static MPI_Datatype no_type;

/* Fills n bytes with a number: if k is 0, it cannot be an address; otherwise it could be one. */
static void bytes(void *p, size_t n, int k)
{
    memset(p, k ? 0 : 0x40, n);
    if (k)
        memset(p, 0x40, 4);
}

static void rooted(int root)
{
    const int at_root = rank == root, n = at_root ? 1 : -7, mine = rank + 1;
    const MPI_Datatype type = at_root ? MPI_INT : no_type;
    int data[8], ones[8], places[8], got = -1, sum = -1;
    for (int i = 0; i < size; i++) {
        data[i] = -1;
        ones[i] = 1;
        places[i] = size - 1 - i;
    }
    void *all = at_root ? data : nowhere;
    int *counts = at_root ? ones : nowhere, *displs = at_root ? places : nowhere;
    MPI_Request requests[4];
    MUST(MPI_Gather(&mine, 1, MPI_INT, all, n, type, root, MPI_COMM_WORLD));
    for (int i = 0; at_root && i < size; i++)
        CHECK_INT(data[i], i + 1);
    MUST(MPI_Gatherv(&mine, 1, MPI_INT, all, counts, displs, type, root, MPI_COMM_WORLD));
    for (int i = 0; at_root && i < size; i++)
        CHECK_INT(data[size - 1 - i], i + 1);
    MUST(MPI_Scatter(all, n, type, &got, 1, MPI_INT, root, MPI_COMM_WORLD));
    CHECK_INT(got, size - rank);
    MUST(MPI_Scatterv(all, counts, displs, type, &got, 1, MPI_INT, root, MPI_COMM_WORLD));
    CHECK_INT(got, rank + 1);
    MUST(MPI_Reduce(&mine, at_root ? &sum : nowhere, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
    CHECK_INT(sum, at_root ? size * (size + 1) / 2 : -1);
    int gathered[8], gathered_at[8];
    MUST(MPI_Igather(&mine, 1, MPI_INT, at_root ? gathered : nowhere, n, type, root, MPI_COMM_WORLD, &requests[0]));
    MUST(MPI_Igatherv(&mine, 1, MPI_INT, at_root ? gathered_at : nowhere, counts, displs, type, root, MPI_COMM_WORLD, &requests[1]));
    MUST(MPI_Iscatter(all, n, type, &got, 1, MPI_INT, root, MPI_COMM_WORLD, &requests[2]));
    MUST(MPI_Ireduce(&mine, at_root ? &sum : nowhere, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &requests[3]));
    MUST(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    CHECK_INT(got, size - rank);
    for (int i = 0; at_root && i < size; i++) {
        CHECK_INT(gathered[i], i + 1);
        CHECK_INT(gathered_at[size - 1 - i], i + 1);
    }
}

/* The same with MPI_IN_PLACE. */
static void in_place(void)
{
    int data[8], value = rank + 1;
    for (int i = 0; i < size; i++)
        data[i] = i == rank ? rank + 1 : -1;
    MUST(MPI_Allgather(MPI_IN_PLACE, -7, no_type, data, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        CHECK_INT(data[i], i + 1);
    for (int i = 0; i < size; i++)
        data[i] = 10 * rank + i;
    MUST(MPI_Alltoall(MPI_IN_PLACE, -7, no_type, data, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        CHECK_INT(data[i], 10 * i + rank);
    MUST(MPI_Gather(rank ? &value : MPI_IN_PLACE, rank ? 1 : -7, rank ? MPI_INT : no_type, data, 1, MPI_INT, 0, MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int k = 0; k < 2; k++) {
        bytes(&nowhere, sizeof nowhere, k);
        bytes(&no_type, sizeof no_type, k);
        for (int root = 0; root < size; root++)
            rooted(root);
        in_place();
    }
    return check_done("coll_garbage");
}
