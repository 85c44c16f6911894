/* MPI_IN_PLACE in every collective that takes it, blocking, nonblocking and persistent (MPI-4.0, 6.2.1). */
#include "persistent.h"

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
    for (int way = 0; way < (HAVE_PERSISTENT_COLLECTIVES ? 3 : 2); way++) {
        const int plain = way % 2; /* coll_persistent_gather tests the persistent form of these */
#if HAVE_PERSISTENT_COLLECTIVES
#define INIT(Name, ...) MPI_##Name##_init(__VA_ARGS__, MPI_COMM_WORLD, MPI_INFO_NULL, &request)
#else
#define INIT(...) MPI_ERR_OTHER
#endif
#define DO(...) DO_AS(way, __VA_ARGS__)
#define DO_AS(how, Name, Iname, ...) \
    do { \
        if (how == 2) { \
            MUST(INIT(Name, __VA_ARGS__)); \
            MUST(MPI_Start(&request)); \
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE)); \
            MUST(MPI_Request_free(&request)); \
        } else if (how == 1) { \
            MUST(MPI_##Iname(__VA_ARGS__, MPI_COMM_WORLD, &request)); \
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE)); \
        } else { \
            MUST(MPI_##Name(__VA_ARGS__, MPI_COMM_WORLD)); \
        } \
    } while (0)
        /* Each rank contributes rank + 1 at its own place. */
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
        DO_AS(plain, Allgather, Iallgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT);
        ALL_THERE();
        SEED();
        DO(Allgatherv, Iallgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT);
        ALL_THERE();
        SEED();
        DO_AS(plain, Gather, Igather, from, 1, MPI_INT, data, 1, MPI_INT, root);
        if (is_root)
            ALL_THERE();
        SEED();
        DO(Gatherv, Igatherv, from, 1, MPI_INT, data, counts, displs, MPI_INT, root);
        if (is_root)
            ALL_THERE();

        for (int i = 0; i < size; i++)
            data[i] = 30 + i;
        value = -1;
        void *to = is_root ? MPI_IN_PLACE : (void *)&value;
        DO_AS(plain, Scatter, Iscatter, data, 1, MPI_INT, to, 1, MPI_INT, root);
        CHECK_INT(value, is_root ? -1 : 30 + rank);
        CHECK_INT(data[rank], 30 + rank);
        value = -1;
        DO(Scatterv, Iscatterv, data, counts, displs, MPI_INT, to, 1, MPI_INT, root);
        CHECK_INT(value, is_root ? -1 : 30 + rank);

        SEED();
        DO(Allreduce, Iallreduce, MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM);
        CHECK_INT(value, sum);
        SEED();
        DO(Reduce, Ireduce, is_root ? MPI_IN_PLACE : &value, is_root ? &value : NULL, 1, MPI_INT, MPI_SUM, root);
        CHECK_INT(value, is_root ? sum : rank + 1);
        SEED();
        DO(Scan, Iscan, MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM);
        CHECK_INT(value, (rank + 1) * (rank + 2) / 2);
        SEED();
        DO(Exscan, Iexscan, MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM);
        if (rank > 0)
            CHECK_INT(value, rank * (rank + 1) / 2);

        for (int i = 0; i < size; i++)
            data[i] = 10 * i + rank;
        DO(Reduce_scatter_block, Ireduce_scatter_block, MPI_IN_PLACE, data, 1, MPI_INT, MPI_MAX);
        CHECK_INT(data[0], 10 * rank + size - 1);
        for (int i = 0; i < size; i++)
            data[i] = 10 * i + rank;
        DO(Reduce_scatter, Ireduce_scatter, MPI_IN_PLACE, data, counts, MPI_INT, MPI_MAX);
        CHECK_INT(data[0], 10 * rank + size - 1);

        for (int kind = 0; kind < 3; kind++) {
            for (int i = 0; i < size; i++)
                data[i] = 100 * rank + i;
            if (kind == 0)
                DO(Alltoall, Ialltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT);
            else if (kind == 1)
                DO(Alltoallv, Ialltoallv, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT);
            else
                DO(Alltoallw, Ialltoallw, MPI_IN_PLACE, NULL, NULL, NULL, data, counts, byte_displs, types);
            for (int i = 0; i < size; i++)
                CHECK_INT(data[i], 100 * i + rank);
        }
    }
    return check_done("coll_inplace");
}
