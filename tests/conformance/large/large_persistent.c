/* Large-count persistent collectives (MPI-4.0, 6.13, 8.8). */
#include "check.h"

#if HAVE_LARGE_COUNTS
enum { MAX = 64 };

static MPI_Request started[32];
static int number;

static void keep(int code, const char *name, MPI_Request request)
{
    if (code != MPI_SUCCESS)
        check_fail(__FILE__, __LINE__, "%s returned %d", name, code);
    else
        started[number++] = request;
}

#define INIT(name, ...)                                   \
    do {                                                  \
        MPI_Request request = MPI_REQUEST_NULL;           \
        int code = name(__VA_ARGS__, MPI_INFO_NULL, &request); \
        keep(code, #name, request);                       \
    } while (0)

static void all(void)
{
    const MPI_Comm w = MPI_COMM_WORLD;
    const int root = size - 1, next = (rank + 1) % size, prev = (rank + size - 1) % size;
    const MPI_Count one = 1;
    const MPI_Aint zero = 0;
    const MPI_Datatype type = MPI_INT;
    MPI_Count counts[MAX];
    MPI_Aint displs[MAX], byte_displs[MAX];
    MPI_Datatype types[MAX];
    MPI_Comm graph;
    int bcast, mine, gatherv[MAX], out[MAX], scatterv, allgatherv[MAX], alltoall[MAX], alltoallv[MAX], alltoallw[MAX],
        reduce, allreduce, reduce_scatter, block, scan, exscan, near[5];
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        displs[i] = i;
        byte_displs[i] = i * (MPI_Aint)sizeof(int);
        types[i] = MPI_INT;
    }
    MUST(MPI_Dist_graph_create_adjacent(w, 1, &prev, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                        &graph));
    INIT(MPI_Bcast_init_c, &bcast, 1, MPI_INT, root, w);
    INIT(MPI_Gatherv_init_c, &mine, 1, MPI_INT, gatherv, counts, displs, MPI_INT, root, w);
    INIT(MPI_Scatterv_init_c, out, counts, displs, MPI_INT, &scatterv, 1, MPI_INT, root, w);
    INIT(MPI_Allgatherv_init_c, &mine, 1, MPI_INT, allgatherv, counts, displs, MPI_INT, w);
    INIT(MPI_Alltoall_init_c, out, 1, MPI_INT, alltoall, 1, MPI_INT, w);
    INIT(MPI_Alltoallv_init_c, out, counts, displs, MPI_INT, alltoallv, counts, displs, MPI_INT, w);
    INIT(MPI_Alltoallw_init_c, out, counts, byte_displs, types, alltoallw, counts, byte_displs, types, w);
    INIT(MPI_Reduce_init_c, &mine, &reduce, 1, MPI_INT, MPI_SUM, root, w);
    INIT(MPI_Allreduce_init_c, &mine, &allreduce, 1, MPI_INT, MPI_MAX, w);
    INIT(MPI_Reduce_scatter_init_c, out, &reduce_scatter, counts, MPI_INT, MPI_MAX, w);
    INIT(MPI_Reduce_scatter_block_init_c, out, &block, 1, MPI_INT, MPI_MAX, w);
    INIT(MPI_Scan_init_c, &mine, &scan, 1, MPI_INT, MPI_SUM, w);
    INIT(MPI_Exscan_init_c, &mine, &exscan, 1, MPI_INT, MPI_SUM, w);
    INIT(MPI_Neighbor_allgather_init_c, &mine, 1, MPI_INT, &near[0], 1, MPI_INT, graph);
    INIT(MPI_Neighbor_allgatherv_init_c, &mine, 1, MPI_INT, &near[1], &one, &zero, MPI_INT, graph);
    INIT(MPI_Neighbor_alltoall_init_c, &mine, 1, MPI_INT, &near[2], 1, MPI_INT, graph);
    INIT(MPI_Neighbor_alltoallv_init_c, &mine, &one, &zero, MPI_INT, &near[3], &one, &zero, MPI_INT, graph);
    INIT(MPI_Neighbor_alltoallw_init_c, &mine, &one, &zero, &type, &near[4], &one, &zero, &type, graph);
    CHECK_INT(number, 18);

    for (int round = 0; round < 3; round++) {
        const int base = 1000 * round;
        bcast = rank == root ? base + 7 : -1;
        mine = base + rank;
        scatterv = reduce = allreduce = reduce_scatter = block = scan = exscan = -1;
        memset(near, 0x55, sizeof near);
        for (int i = 0; i < size; i++) {
            out[i] = base + 100 * rank + i;
            gatherv[i] = allgatherv[i] = alltoall[i] = alltoallv[i] = alltoallw[i] = -1;
        }
        MUST(MPI_Startall(number, started));
        MUST(MPI_Waitall(number, started, MPI_STATUSES_IGNORE));
        CHECK_INT(bcast, base + 7);
        CHECK_INT(scatterv, base + 100 * root + rank);
        for (int i = 0; i < size; i++) {
            CHECK_INT(gatherv[i], rank == root ? base + i : -1);
            CHECK_INT(allgatherv[i], base + i);
            CHECK_INT(alltoall[i], base + 100 * i + rank);
            CHECK_INT(alltoallv[i], base + 100 * i + rank);
            CHECK_INT(alltoallw[i], base + 100 * i + rank);
        }
        CHECK_INT(reduce, rank == root ? size * base + size * (size - 1) / 2 : -1);
        CHECK_INT(allreduce, base + size - 1);
        CHECK_INT(reduce_scatter, base + 100 * (size - 1) + rank);
        CHECK_INT(block, base + 100 * (size - 1) + rank);
        CHECK_INT(scan, (rank + 1) * base + rank * (rank + 1) / 2);
        CHECK_INT(exscan, rank == 0 ? -1 : rank * base + rank * (rank - 1) / 2);
        for (int i = 0; i < 5; i++)
            CHECK_INT(near[i], base + prev);
    }
    for (int i = 0; i < number; i++) {
        MUST(MPI_Request_free(&started[i]));
        CHECK(started[i] == MPI_REQUEST_NULL);
    }
    MUST(MPI_Comm_free(&graph));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    all();
#endif
    return check_done("large_persistent");
}
