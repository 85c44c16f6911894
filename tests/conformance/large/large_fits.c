/* Large-count functions (MPI-4.0) with counts that fit an int, also over a library without large counts. */
#include "check.h"

#if HAVE_LARGE_COUNTS
static long long summed;

static void sum(void *in, void *inout, MPI_Count *length, MPI_Datatype *type)
{
    CHECK(*type == MPI_INT);
    for (MPI_Count i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
    summed += *length;
}

static void point_to_point(void)
{
    const int to = (rank + 1) % size, from = (rank + size - 1) % size;
    int out[3] = {rank, rank + 1, rank + 2}, in[5] = {-1, -1, -1, -1, -1};
    MPI_Request request[2];
    MPI_Status status[2];
    MPI_Count count = -1;
    MUST(MPI_Irecv_c(in, 5, MPI_INT, from, 3, MPI_COMM_WORLD, &request[0]));
    MUST(MPI_Isend_c(out, 3, MPI_INT, to, 3, MPI_COMM_WORLD, &request[1]));
    MUST(MPI_Waitall(2, request, status));
    MUST(MPI_Get_count_c(&status[0], MPI_INT, &count));
    CHECK_INT(count, 3);
    CHECK(in[0] == from && in[2] == from + 2 && in[3] == -1);
    MUST(MPI_Get_count_c(&status[0], MPI_2INT, &count));
    CHECK_INT(count, MPI_UNDEFINED);
    MUST(MPI_Get_elements_c(&status[0], MPI_INT, &count));
    CHECK_INT(count, 3);
    MUST(MPI_Sendrecv_c(out, 2, MPI_INT, to, 4, in, 5, MPI_INT, from, 4, MPI_COMM_WORLD, &status[0]));
    CHECK_INT(in[1], from + 1);
}

static void packing(void)
{
    int value = 77, got = 0;
    char room[64];
    MPI_Count position = 0, need = -1;
    MUST(MPI_Pack_size_c(1, MPI_INT, MPI_COMM_WORLD, &need));
    CHECK(need >= (MPI_Count)sizeof value && need < (MPI_Count)sizeof room);
    MUST(MPI_Pack_c(&value, 1, MPI_INT, room, sizeof room, &position, MPI_COMM_WORLD));
    const MPI_Count packed = position;
    CHECK(packed >= (MPI_Count)sizeof value);
    position = 0;
    MUST(MPI_Unpack_c(room, packed, &position, &got, 1, MPI_INT, MPI_COMM_WORLD));
    CHECK_INT(position, packed);
    CHECK_INT(got, value);
}

static void types(void)
{
    MPI_Datatype type, same;
    MPI_Count lengths[2] = {2, 1}, displacements[2] = {0, 3}, bytes[2] = {0, 16}, size_c = -1, lb = -1, extent = -1;
    MPI_Count integers = -1, addresses = -1, large = -1, types = -1;
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE};
    int combiner = -1;
    MUST(MPI_Type_indexed_c(2, lengths, displacements, MPI_INT, &type));
    MUST(MPI_Type_commit(&type));
    MUST(MPI_Type_size_c(type, &size_c));
    CHECK_INT(size_c, 12);
    MUST(MPI_Type_get_extent_c(type, &lb, &extent));
    CHECK(lb == 0 && extent == 16);
    MUST(MPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_INDEXED);
    CHECK_INT(integers + large, 5); /* as integers if the library has no large counts */
    CHECK(addresses == 0 && types == 1);
    int values[5] = {-1, -1, -1, -1, -1};
    MPI_Count large_values[5] = {-1, -1, -1, -1, -1};
    MUST(MPI_Type_get_contents_c(type, integers, addresses, large, types, values, NULL, large_values, &same));
    CHECK(same == MPI_INT);
    for (int i = 0; i < 5; i++)
        CHECK_INT(large ? large_values[i] : values[i], ((int[]){2, 2, 1, 0, 3})[i]);
    MUST(MPI_Type_free(&type));
    MUST(MPI_Type_create_struct_c(2, lengths, bytes, parts, &type));
    MUST(MPI_Type_size_c(type, &size_c));
    CHECK_INT(size_c, 2 * sizeof(int) + sizeof(double));
    MUST(MPI_Type_free(&type));
    MPI_Count sizes[2] = {4, 6}, subsizes[2] = {2, 3}, starts[2] = {1, 2};
    MUST(MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type));
    MUST(MPI_Type_size_c(type, &size_c));
    CHECK_INT(size_c, 6 * sizeof(int));
    MUST(MPI_Type_free(&type));
}

static void collectives(MPI_Comm comm, int n, int me)
{
    MPI_Count *counts = malloc(n * sizeof *counts);
    MPI_Aint *displs = malloc(n * sizeof *displs);
    MPI_Datatype *kinds = malloc(n * sizeof *kinds);
    int *out = malloc(n * sizeof *out), *in = malloc(n * sizeof *in);
    for (int i = 0; i < n; i++) {
        counts[i] = 1;
        displs[i] = n - 1 - i; /* in reverse order */
        kinds[i] = MPI_INT;
        out[i] = 100 * me + i;
        in[i] = -1;
    }
    MPI_Op op;
    MUST(MPI_Op_create_c(sum, 1, &op));
    summed = 0;
    int total = -1;
    MUST(MPI_Allreduce_c(&me, &total, 1, MPI_INT, op, comm));
    CHECK_INT(total, n * (n - 1) / 2);
    long long everywhere = 0; /* one process may do all the work */
    MUST(MPI_Allreduce(&summed, &everywhere, 1, MPI_LONG_LONG, MPI_SUM, comm));
    CHECK(n == 1 || everywhere > 0);
    MUST(MPI_Reduce_scatter_c(out, in, counts, MPI_INT, op, comm));
    CHECK_INT(in[0], 100 * (n * (n - 1) / 2) + n * me);
    MUST(MPI_Op_free(&op));

    /* Arrays that are not significant here may have any value. */
    const int root = n - 1;
    MUST(MPI_Gatherv_c(&me, 1, MPI_INT, in, me == root ? counts : NULL, me == root ? displs : (MPI_Aint *)8, MPI_INT, root, comm));
    for (int i = 0; i < n && me == root; i++)
        CHECK_INT(in[n - 1 - i], i);
    MUST(MPI_Scatterv_c(out, me == root ? counts : (MPI_Count *)8, me == root ? displs : NULL, MPI_INT, &total, 1, MPI_INT, root, comm));
    CHECK_INT(total, 100 * root + n - 1 - me);
    MUST(MPI_Allgatherv_c(&me, 1, MPI_INT, in, counts, displs, MPI_INT, comm));
    for (int i = 0; i < n; i++)
        CHECK_INT(in[n - 1 - i], i);
    MUST(MPI_Alltoallv_c(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, comm));
    for (int i = 0; i < n; i++)
        CHECK_INT(in[n - 1 - i], 100 * i + n - 1 - me);
    for (int i = 0; i < n; i++)
        in[i] = 100 * me + i;
    MUST(MPI_Alltoallv_c(MPI_IN_PLACE, (MPI_Count *)8, (MPI_Aint *)8, MPI_INT, in, counts, displs, MPI_INT, comm));
    for (int i = 0; i < n; i++)
        CHECK_INT(in[n - 1 - i], 100 * i + n - 1 - me);
    for (int i = 0; i < n; i++)
        displs[i] = i * (MPI_Aint)sizeof(int);
    MUST(MPI_Alltoallw_c(out, counts, displs, kinds, in, counts, displs, kinds, comm));
    for (int i = 0; i < n; i++)
        CHECK_INT(in[i], 100 * i + me);
    free(counts);
    free(displs);
    free(kinds);
    free(out);
    free(in);
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    point_to_point();
    packing();
    types();
    collectives(MPI_COMM_WORLD, size, rank);
    collectives(MPI_COMM_SELF, 1, 0);
#endif
    return check_done("large_fits");
}
