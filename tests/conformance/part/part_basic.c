/* Partitioned communication around a ring (MPI-4.0, 4). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_PARTITIONED
    enum { PARTS = 8, EACH = 5 };
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    int out[PARTS * EACH], in[PARTS * EACH];
    MPI_Request send, receive, before[2];
    MUST(MPI_Psend_init(out, PARTS, EACH, MPI_INT, next, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
    MUST(MPI_Precv_init(in, PARTS, EACH, MPI_INT, prev, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &receive));
    before[0] = send;
    before[1] = receive;
    for (int round = 0; round < 4; round++) {
        memset(in, 0x55, sizeof in);
        MUST(MPI_Start(&receive));
        MUST(MPI_Start(&send));
        for (int p = 0; p < PARTS; p++)
            for (int i = 0; i < EACH; i++)
                out[p * EACH + i] = 1000 * round + 100 * rank + p * EACH + i;
        if (round == 0) {
            for (int p = PARTS - 1; p >= 0; p--)
                MUST(MPI_Pready(p, send));
        } else if (round == 1) {
            MUST(MPI_Pready_range(0, 2, send));
            MUST(MPI_Pready_range(3, PARTS - 1, send));
        } else {
            int even[] = {0, 2, 4, 6}, odd[] = {7, 5, 3, 1};
            MUST(MPI_Pready_list(4, even, send));
            MUST(MPI_Pready_list(4, odd, send));
        }
        if (round % 2)
            for (int p = 0; p < PARTS; p++)
                for (int flag = 0; !flag;)
                    MUST(MPI_Parrived(receive, p, &flag));
        MUST(MPI_Wait(&send, MPI_STATUS_IGNORE));
        MUST(MPI_Wait(&receive, MPI_STATUS_IGNORE));
        CHECK(send == before[0] && receive == before[1]);
        for (int i = 0; i < PARTS * EACH; i++)
            CHECK_INT(in[i], 1000 * round + 100 * prev + i);
    }
    MUST(MPI_Request_free(&send));
    MUST(MPI_Request_free(&receive));
    CHECK(send == MPI_REQUEST_NULL && receive == MPI_REQUEST_NULL);
#endif
    return check_done("part_basic");
}
