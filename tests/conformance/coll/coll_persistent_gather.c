/* Persistent gather, scatter and allgather, with int and with large counts (MPI-4.0, 6.13). */
#include "persistent.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_PERSISTENT_COLLECTIVES
    enum { MAX = 64 };
    const int root = size - 1;
    int mine, scatter, sequence[MAX], gather[MAX], allgather[MAX];
    MPI_Request requests[3], before[3];
    for (int large = 0; large < 1 + HAVE_LARGE_COUNTS; large++) {
        if (!large) {
            MUST(MPI_Gather_init(&mine, 1, MPI_INT, gather, 1, MPI_INT, root, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &requests[0]));
            MUST(MPI_Scatter_init(sequence, 1, MPI_INT, &scatter, 1, MPI_INT, root, MPI_COMM_WORLD, MPI_INFO_NULL,
                                  &requests[1]));
            MUST(MPI_Allgather_init(&mine, 1, MPI_INT, allgather, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                                    &requests[2]));
        }
#if HAVE_LARGE_COUNTS
        else {
            MUST(MPI_Gather_init_c(&mine, 1, MPI_INT, gather, 1, MPI_INT, root, MPI_COMM_WORLD, MPI_INFO_NULL,
                                   &requests[0]));
            MUST(MPI_Scatter_init_c(sequence, 1, MPI_INT, &scatter, 1, MPI_INT, root, MPI_COMM_WORLD, MPI_INFO_NULL,
                                    &requests[1]));
            MUST(MPI_Allgather_init_c(&mine, 1, MPI_INT, allgather, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                                      &requests[2]));
        }
#endif
        memcpy(before, requests, sizeof before);
        for (int round = 0; round < 4; round++) {
            mine = rank + 1 + 100 * round;
            scatter = -1;
            for (int i = 0; i < size; i++) {
                sequence[i] = 40 + i + round;
                gather[i] = allgather[i] = -1;
            }
            MUST(MPI_Startall(3, requests));
            MUST(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
            CHECK(memcmp(before, requests, sizeof before) == 0);
            CHECK_INT(scatter, 40 + rank + round);
            for (int i = 0; i < size; i++) {
                if (rank == root)
                    CHECK_INT(gather[i], i + 1 + 100 * round);
                CHECK_INT(allgather[i], i + 1 + 100 * round);
            }
        }
        for (int i = 0; i < 3; i++)
            MUST(MPI_Request_free(&requests[i]));
    }
#endif
    return check_done("coll_persistent_gather");
}
