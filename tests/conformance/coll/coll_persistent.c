/* Persistent collectives (all except the ones in coll_persistent_gather), each started several times (MPI-4.0, 6.13 and
   8.8). */
#include "persistent.h"

#if HAVE_PERSISTENT_COLLECTIVES

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

#define INIT(call)                 \
    do {                           \
        MPI_Request request;       \
        int code_ = call;          \
        keep(code_, #call, request); \
    } while (0)

static void all(void)
{
    const int root = size - 1, sum = size * (size + 1) / 2;
    int counts[MAX], displs[MAX], byte_displs[MAX];
    MPI_Datatype types[MAX];
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        displs[i] = i;
        byte_displs[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    int bcast, mine, gatherv[MAX], sequence[MAX], allgatherv[MAX], out[MAX], alltoall[MAX],
        alltoallv[MAX], alltoallw[MAX], scatterv, reduce, allreduce, reduce_scatter, reduce_scatter_block, scan,
        exscan;
    const MPI_Comm w = MPI_COMM_WORLD;
    const MPI_Info no = MPI_INFO_NULL;
    INIT(MPI_Barrier_init(w, no, &request));
    INIT(MPI_Bcast_init(&bcast, 1, MPI_INT, root, w, no, &request));
    INIT(MPI_Gatherv_init(&mine, 1, MPI_INT, gatherv, counts, displs, MPI_INT, root, w, no, &request));
    INIT(MPI_Scatterv_init(sequence, counts, displs, MPI_INT, &scatterv, 1, MPI_INT, root, w, no, &request));
    INIT(MPI_Allgatherv_init(&mine, 1, MPI_INT, allgatherv, counts, displs, MPI_INT, w, no, &request));
    INIT(MPI_Alltoall_init(out, 1, MPI_INT, alltoall, 1, MPI_INT, w, no, &request));
    INIT(MPI_Alltoallv_init(out, counts, displs, MPI_INT, alltoallv, counts, displs, MPI_INT, w, no, &request));
    INIT(MPI_Alltoallw_init(out, counts, byte_displs, types, alltoallw, counts, byte_displs, types, w, no, &request));
    INIT(MPI_Reduce_init(&mine, &reduce, 1, MPI_INT, MPI_SUM, root, w, no, &request));
    INIT(MPI_Allreduce_init(&mine, &allreduce, 1, MPI_INT, MPI_MAX, w, no, &request));
    INIT(MPI_Reduce_scatter_init(out, &reduce_scatter, counts, MPI_INT, MPI_SUM, w, no, &request));
    INIT(MPI_Reduce_scatter_block_init(out, &reduce_scatter_block, 1, MPI_INT, MPI_SUM, w, no, &request));
    INIT(MPI_Scan_init(&mine, &scan, 1, MPI_INT, MPI_SUM, w, no, &request));
    INIT(MPI_Exscan_init(&mine, &exscan, 1, MPI_INT, MPI_SUM, w, no, &request));
    CHECK_INT(number, 14);

    MPI_Request before[32];
    memcpy(before, started, sizeof before);
    for (int round = 0; round < 4; round++) {
        bcast = rank == root ? 71 + round : -1;
        mine = rank + 1 + 100 * round;
        scatterv = reduce = allreduce = reduce_scatter = reduce_scatter_block = scan = exscan = -1;
        for (int i = 0; i < size; i++) {
            sequence[i] = 40 + i + round;
            out[i] = 1000 * round + 100 * rank + i;
            gatherv[i] = allgatherv[i] = alltoall[i] = alltoallv[i] = alltoallw[i] = -1;
        }
        if (round % 2)
            MUST(MPI_Startall(number, started));
        else
            for (int i = 0; i < number; i++)
                MUST(MPI_Start(&started[i]));
        if (round < 2)
            MUST(MPI_Waitall(number, started, MPI_STATUSES_IGNORE));
        else
            for (int i = 0; i < number; i++)
                MUST(MPI_Wait(&started[i], MPI_STATUS_IGNORE));
        CHECK(memcmp(before, started, number * sizeof *before) == 0);

        CHECK_INT(bcast, 71 + round);
        CHECK_INT(scatterv, 40 + rank + round);
        for (int i = 0; i < size; i++) {
            if (rank == root)
                CHECK_INT(gatherv[i], i + 1 + 100 * round);
            CHECK_INT(allgatherv[i], i + 1 + 100 * round);
            CHECK_INT(alltoall[i], 1000 * round + 100 * i + rank);
            CHECK_INT(alltoallv[i], 1000 * round + 100 * i + rank);
            CHECK_INT(alltoallw[i], 1000 * round + 100 * i + rank);
        }
        CHECK_INT(reduce, rank == root ? sum + 100 * round * size : -1);
        CHECK_INT(allreduce, size + 100 * round);
        CHECK_INT(reduce_scatter, 1000 * round * size + 100 * size * (size - 1) / 2 + rank * size);
        CHECK_INT(reduce_scatter_block, reduce_scatter);
        CHECK_INT(scan, (rank + 1) * (rank + 2) / 2 + 100 * round * (rank + 1));
        CHECK_INT(exscan, rank == 0 ? -1 : rank * (rank + 1) / 2 + 100 * round * rank);
    }
    for (int i = 0; i < number; i++) {
        MUST(MPI_Request_free(&started[i]));
        CHECK(started[i] == MPI_REQUEST_NULL);
    }
}

static void neighbours(void)
{
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size, one = 1, zero = 0;
    const MPI_Aint start = 0;
    const MPI_Datatype type = MPI_INT;
    MPI_Comm graph;
    const MPI_Info no = MPI_INFO_NULL;
    int mine = -1, in[5];
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &prev, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &graph));
    number = 0;
    INIT(MPI_Neighbor_allgather_init(&mine, 1, MPI_INT, &in[0], 1, MPI_INT, graph, no, &request));
    INIT(MPI_Neighbor_allgatherv_init(&mine, 1, MPI_INT, &in[1], &one, &zero, MPI_INT, graph, no, &request));
    INIT(MPI_Neighbor_alltoall_init(&mine, 1, MPI_INT, &in[2], 1, MPI_INT, graph, no, &request));
    INIT(MPI_Neighbor_alltoallv_init(&mine, &one, &zero, MPI_INT, &in[3], &one, &zero, MPI_INT, graph, no, &request));
    INIT(MPI_Neighbor_alltoallw_init(&mine, &one, &start, &type, &in[4], &one, &start, &type, graph, no, &request));
    CHECK_INT(number, 5);
    for (int round = 0; round < 3; round++) {
        mine = 10 * round + rank;
        memset(in, 0x55, sizeof in);
        MUST(MPI_Startall(number, started));
        MUST(MPI_Waitall(number, started, MPI_STATUSES_IGNORE));
        for (int i = 0; i < 5; i++)
            CHECK_INT(in[i], 10 * round + prev);
    }
    for (int i = 0; i < number; i++)
        MUST(MPI_Request_free(&started[i]));
    MUST(MPI_Comm_free(&graph));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_PERSISTENT_COLLECTIVES
    all();
    neighbours();
#endif
    return check_done("coll_persistent");
}
