/* MPI_IN_PLACE in every collective that takes it, blocking and not (MPI-3.1, 5.2.1). */
#include "check.h"

enum { MAX = 64 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int counts[MAX], displs[MAX], byte_displs[MAX], data[MAX], value;
    MPI_Datatype types[MAX];
    const int root = size - 1, sum = size * (size + 1) / 2;
    MPI_Request request;
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        displs[i] = i;
        byte_displs[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
#define DO(blocking, starting) \
    do { \
        if (nonblocking) { \
            MUST(starting); \
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE)); \
        } else { \
            MUST(blocking); \
        } \
    } while (0)
        /* Each contributes rank + 1 at its own place. */
#define SEED() \
    do { \
        for (int i_ = 0; i_ < size; i_++) \
            data[i_] = i_ == rank ? rank + 1 : -1; \
        value = rank + 1; \
    } while (0)
#define ALL_THERE() \
    do { \
        for (int i_ = 0; i_ < size; i_++) \
            CHECK_INT(data[i_], i_ + 1); \
    } while (0)
        const int is_root = rank == root;
        const void *from = is_root ? MPI_IN_PLACE : (const void *)&value;
        SEED();
        DO(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT, MPI_COMM_WORLD),
           MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT, MPI_COMM_WORLD, &request));
        ALL_THERE();
        SEED();
        DO(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT, MPI_COMM_WORLD),
           MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT, MPI_COMM_WORLD, &request));
        ALL_THERE();
        SEED();
        DO(MPI_Gather(from, 1, MPI_INT, data, 1, MPI_INT, root, MPI_COMM_WORLD),
           MPI_Igather(from, 1, MPI_INT, data, 1, MPI_INT, root, MPI_COMM_WORLD, &request));
        if (is_root)
            ALL_THERE();
        SEED();
        DO(MPI_Gatherv(from, 1, MPI_INT, data, counts, displs, MPI_INT, root, MPI_COMM_WORLD),
           MPI_Igatherv(from, 1, MPI_INT, data, counts, displs, MPI_INT, root, MPI_COMM_WORLD, &request));
        if (is_root)
            ALL_THERE();

        for (int i = 0; i < size; i++)
            data[i] = 30 + i;
        value = -1;
        void *to = is_root ? MPI_IN_PLACE : (void *)&value;
        DO(MPI_Scatter(data, 1, MPI_INT, to, 1, MPI_INT, root, MPI_COMM_WORLD),
           MPI_Iscatter(data, 1, MPI_INT, to, 1, MPI_INT, root, MPI_COMM_WORLD, &request));
        CHECK_INT(value, is_root ? -1 : 30 + rank);
        CHECK_INT(data[rank], 30 + rank);
        value = -1;
        DO(MPI_Scatterv(data, counts, displs, MPI_INT, to, 1, MPI_INT, root, MPI_COMM_WORLD),
           MPI_Iscatterv(data, counts, displs, MPI_INT, to, 1, MPI_INT, root, MPI_COMM_WORLD, &request));
        CHECK_INT(value, is_root ? -1 : 30 + rank);

        SEED();
        DO(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
           MPI_Iallreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        CHECK_INT(value, sum);
        SEED();
        DO(MPI_Reduce(is_root ? MPI_IN_PLACE : &value, is_root ? &value : NULL, 1, MPI_INT, MPI_SUM, root,
                      MPI_COMM_WORLD),
           MPI_Ireduce(is_root ? MPI_IN_PLACE : &value, is_root ? &value : NULL, 1, MPI_INT, MPI_SUM, root,
                       MPI_COMM_WORLD, &request));
        CHECK_INT(value, is_root ? sum : rank + 1);
        SEED();
        DO(MPI_Scan(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
           MPI_Iscan(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        CHECK_INT(value, (rank + 1) * (rank + 2) / 2);
        SEED();
        DO(MPI_Exscan(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
           MPI_Iexscan(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        if (rank > 0)
            CHECK_INT(value, rank * (rank + 1) / 2);

        for (int i = 0; i < size; i++)
            data[i] = 10 * i + rank;
        DO(MPI_Reduce_scatter_block(MPI_IN_PLACE, data, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD),
           MPI_Ireduce_scatter_block(MPI_IN_PLACE, data, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request));
        CHECK_INT(data[0], 10 * rank + size - 1);
        for (int i = 0; i < size; i++)
            data[i] = 10 * i + rank;
        DO(MPI_Reduce_scatter(MPI_IN_PLACE, data, counts, MPI_INT, MPI_MAX, MPI_COMM_WORLD),
           MPI_Ireduce_scatter(MPI_IN_PLACE, data, counts, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request));
        CHECK_INT(data[0], 10 * rank + size - 1);

        for (int kind = 0; kind < 3; kind++) {
            for (int i = 0; i < size; i++)
                data[i] = 100 * rank + i;
            if (kind == 0)
                DO(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT, MPI_COMM_WORLD),
                   MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT, MPI_COMM_WORLD, &request));
            else if (kind == 1)
                DO(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT,
                                 MPI_COMM_WORLD),
                   MPI_Ialltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT,
                                  MPI_COMM_WORLD, &request));
            else
                DO(MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, byte_displs, types, MPI_COMM_WORLD),
                   MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, byte_displs, types, MPI_COMM_WORLD,
                                  &request));
            for (int i = 0; i < size; i++)
                CHECK_INT(data[i], 100 * i + rank);
        }
    }
    return check_done("coll_inplace");
}
