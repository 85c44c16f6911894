/* Partitioned communication among other requests: several with one tag whose partitions become ready in different
   orders, sides with different numbers of partitions, and every completion function (MPI-4.0, 4). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_PARTITIONED
    enum { N = 3, PARTS = 4, EACH = 6 };
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    int out[N][PARTS * EACH], in[N][PARTS * EACH], plain = -1, flag, number, index[2 * N + 1];
    MPI_Request r[2 * N + 1], before[2 * N];
    MPI_Status status;
    for (int k = 0; k < N; k++) { /* the other side has half as many partitions, twice as large */
        MUST(MPI_Psend_init(out[k], PARTS, EACH, MPI_INT, next, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &r[k]));
        MUST(MPI_Precv_init(in[k], PARTS / 2, 2 * EACH, MPI_INT, prev, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &r[N + k]));
    }
    memcpy(before, r, sizeof before);
    for (int round = 0; round < 4; round++) {
        r[2 * N] = MPI_REQUEST_NULL;
        MUST(MPI_Irecv(&plain, 1, MPI_INT, prev, 7, MPI_COMM_WORLD, &r[2 * N])); /* the same tag, but not partitioned */
        MUST(MPI_Startall(2 * N, r));
        for (int k = N - 1; k >= 0; k--) {
            for (int i = 0; i < PARTS * EACH; i++)
                out[k][i] = 10000 * round + 1000 * rank + 100 * k + i;
            if (round > 0) {
                MUST(MPI_Testall(2 * N + 1, r, &flag, MPI_STATUSES_IGNORE));
                CHECK_INT(flag, 0);
            }
            MUST(MPI_Pready_range(1, PARTS - 1, r[k]));
            MUST(MPI_Pready(0, r[k]));
        }
        MUST(MPI_Send(&round, 1, MPI_INT, next, 7, MPI_COMM_WORLD));
        switch (round) {
        case 0:
            MUST(MPI_Waitall(2 * N + 1, r, MPI_STATUSES_IGNORE));
            break;
        case 1:
            for (int left = 2 * N + 1; left > 0; left -= number) {
                MUST(MPI_Waitsome(2 * N + 1, r, &number, index, MPI_STATUSES_IGNORE));
                CHECK(number > 0);
            }
            break;
        case 2:
            for (int left = 2 * N + 1; left > 0; left--) {
                MUST(MPI_Waitany(2 * N + 1, r, &number, &status));
                CHECK(number != MPI_UNDEFINED);
                CHECK(number < N || (status.MPI_TAG == 7 && status.MPI_SOURCE == prev));
            }
            break;
        default:
            for (flag = 0; !flag;)
                MUST(MPI_Testall(2 * N + 1, r, &flag, MPI_STATUSES_IGNORE));
        }
        CHECK_INT(plain, round);
        CHECK(r[2 * N] == MPI_REQUEST_NULL && memcmp(before, r, sizeof before) == 0);
        for (int k = 0; k < N; k++)
            for (int i = 0; i < PARTS * EACH; i++)
                CHECK_INT(in[k][i], 10000 * round + 1000 * prev + 100 * k + i);
        MUST(MPI_Barrier(MPI_COMM_WORLD));
    }
    for (int k = 0; k < 2 * N; k++)
        MUST(MPI_Request_free(&r[k]));
#endif
    return check_done("part_many");
}
