/* Large-count collectives with small counts, blocking, nonblocking and with a user operation (MPI-4.0, 6). */
#include "check.h"

#if HAVE_LARGE_COUNTS
enum { MAX = 64 };

static MPI_Count seen_length;

static void sum(void *in, void *inout, MPI_Count *len, MPI_Datatype *type)
{
    seen_length = *len;
    CHECK(*type == MPI_INT);
    for (MPI_Count i = 0; i < *len; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* No data is sent, so that the root may pass one address twice. Messages before and after must not be mixed up. */
static void nothing_between(void)
{
    const MPI_Comm w = MPI_COMM_WORLD;
    for (int k = 3; k >= 0; k--) {
        char out[4 * MAX], in[4];
        MPI_Count counts[MAX];
        MPI_Aint displs[MAX];
        MPI_Request request;
        const int n = k % 2 ? k : 0;
        memset(out, 'a' + k, sizeof out);
        memset(in, 0, sizeof in);
        for (int i = 0; i < size; i++) {
            counts[i] = n;
            displs[i] = i * n;
        }
        MUST(MPI_Iscatterv_c(rank ? NULL : out, counts, displs, MPI_CHAR, n ? in : out, n, MPI_CHAR, 0, w, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        if (n)
            CHECK_INT(in[n - 1], 'a' + k);
        MUST(MPI_Igatherv_c(n ? in : out, n, MPI_CHAR, out, counts, displs, MPI_CHAR, 0, w, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        if (n && rank == 0)
            CHECK_INT(out[size * n - 1], 'a' + k);
    }
}

static void run(int nonblocking)
{
    const MPI_Comm w = MPI_COMM_WORLD;
    const int root = size - 1, total = size * (size + 1) / 2;
    MPI_Request request;
    MPI_Count counts[MAX];
    MPI_Aint displs[MAX], byte_displs[MAX];
    MPI_Datatype types[MAX];
    int mine = rank + 1, value = rank == root ? 9 : -1, in[MAX], out[MAX];
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        displs[i] = i;
        byte_displs[i] = i * (MPI_Aint)sizeof(int);
        types[i] = MPI_INT;
        out[i] = 100 * rank + i;
    }
#define DO(blocking, nonblocking_name, ...)              \
    do {                                                 \
        memset(in, 0x55, sizeof in);                     \
        if (nonblocking) {                               \
            MUST(nonblocking_name(__VA_ARGS__, &request)); \
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE)); \
        } else {                                         \
            MUST(blocking(__VA_ARGS__));                 \
        }                                                \
    } while (0)
#define EACH(place, want)                            \
    do {                                             \
        for (int i = 0; i < size; i++)               \
            CHECK_INT(place, want);                  \
    } while (0)
    DO(MPI_Bcast_c, MPI_Ibcast_c, &value, 1, MPI_INT, root, w);
    CHECK_INT(value, 9);
    DO(MPI_Gather_c, MPI_Igather_c, &mine, 1, MPI_INT, in, 1, MPI_INT, root, w);
    if (rank == root)
        EACH(in[i], i + 1);
    DO(MPI_Gatherv_c, MPI_Igatherv_c, &mine, 1, MPI_INT, in, counts, displs, MPI_INT, root, w);
    if (rank == root)
        EACH(in[i], i + 1);
    DO(MPI_Scatter_c, MPI_Iscatter_c, out, 1, MPI_INT, in, 1, MPI_INT, root, w);
    CHECK_INT(in[0], 100 * root + rank);
    DO(MPI_Scatterv_c, MPI_Iscatterv_c, out, counts, displs, MPI_INT, in, 1, MPI_INT, root, w);
    CHECK_INT(in[0], 100 * root + rank);
    DO(MPI_Allgather_c, MPI_Iallgather_c, &mine, 1, MPI_INT, in, 1, MPI_INT, w);
    EACH(in[i], i + 1);
    DO(MPI_Allgatherv_c, MPI_Iallgatherv_c, &mine, 1, MPI_INT, in, counts, displs, MPI_INT, w);
    EACH(in[i], i + 1);
    DO(MPI_Alltoall_c, MPI_Ialltoall_c, out, 1, MPI_INT, in, 1, MPI_INT, w);
    EACH(in[i], 100 * i + rank);
    DO(MPI_Alltoallv_c, MPI_Ialltoallv_c, out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, w);
    EACH(in[i], 100 * i + rank);
    DO(MPI_Alltoallw_c, MPI_Ialltoallw_c, out, counts, byte_displs, types, in, counts, byte_displs, types, w);
    EACH(in[i], 100 * i + rank);
    DO(MPI_Reduce_c, MPI_Ireduce_c, &mine, in, 1, MPI_INT, MPI_SUM, root, w);
    CHECK_INT(in[0], rank == root ? total : 0x55555555);
    DO(MPI_Allreduce_c, MPI_Iallreduce_c, &mine, in, 1, MPI_INT, MPI_SUM, w);
    CHECK_INT(in[0], total);
    DO(MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c, out, in, counts, MPI_INT, MPI_MAX, w);
    CHECK_INT(in[0], 100 * (size - 1) + rank);
    DO(MPI_Reduce_scatter_block_c, MPI_Ireduce_scatter_block_c, out, in, 1, MPI_INT, MPI_MAX, w);
    CHECK_INT(in[0], 100 * (size - 1) + rank);
    DO(MPI_Scan_c, MPI_Iscan_c, &mine, in, 1, MPI_INT, MPI_SUM, w);
    CHECK_INT(in[0], (rank + 1) * (rank + 2) / 2);
    DO(MPI_Exscan_c, MPI_Iexscan_c, &mine, in, 1, MPI_INT, MPI_SUM, w);
    CHECK_INT(in[0], rank == 0 ? 0x55555555 : rank * (rank + 1) / 2);

    /* Neighbors on a ring. */
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    const MPI_Count one = 1;
    const MPI_Aint zero = 0;
    const MPI_Datatype type = MPI_INT;
    MPI_Comm graph;
    MUST(MPI_Dist_graph_create_adjacent(w, 1, &prev, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                        &graph));
    DO(MPI_Neighbor_allgather_c, MPI_Ineighbor_allgather_c, &mine, 1, MPI_INT, in, 1, MPI_INT, graph);
    CHECK_INT(in[0], prev + 1);
    DO(MPI_Neighbor_allgatherv_c, MPI_Ineighbor_allgatherv_c, &mine, 1, MPI_INT, in, &one, &zero, MPI_INT, graph);
    CHECK_INT(in[0], prev + 1);
    DO(MPI_Neighbor_alltoall_c, MPI_Ineighbor_alltoall_c, &mine, 1, MPI_INT, in, 1, MPI_INT, graph);
    CHECK_INT(in[0], prev + 1);
    DO(MPI_Neighbor_alltoallv_c, MPI_Ineighbor_alltoallv_c, &mine, &one, &zero, MPI_INT, in, &one, &zero, MPI_INT,
       graph);
    CHECK_INT(in[0], prev + 1);
    DO(MPI_Neighbor_alltoallw_c, MPI_Ineighbor_alltoallw_c, &mine, &one, &zero, &type, in, &one, &zero, &type, graph);
    CHECK_INT(in[0], prev + 1);
    MUST(MPI_Comm_free(&graph));
}

static void user_operation(void)
{
    MPI_Op op;
    int in[3] = {1, 2, 3}, inout[3] = {10, 20, 30}, mine = rank, all = -1;
    MUST(MPI_Op_create_c(sum, 1, &op));
    MUST(MPI_Reduce_local_c(in, inout, 3, MPI_INT, op));
    CHECK(inout[0] == 11 && inout[1] == 22 && inout[2] == 33);
    CHECK_INT(seen_length, 3);
    MUST(MPI_Allreduce_c(&mine, &all, 1, MPI_INT, op, MPI_COMM_WORLD));
    CHECK_INT(all, size * (size - 1) / 2);
    MUST(MPI_Op_free(&op));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    run(0);
    run(1);
    nothing_between();
    user_operation();
#endif
    return check_done("large_coll");
}
