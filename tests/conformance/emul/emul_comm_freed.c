/* Communicators that the program frees before partitioned and buffered operations on them are started and completed.
   The communicator lives as long as the operation (MPI-5.0, 7.4.3). */
#include "check.h"

#if HAVE_PARTITIONED
static MPI_Comm own(void)
{
    MPI_Comm comm;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    return comm;
}

static void give_up(MPI_Comm *comm)
{
    MUST(MPI_Comm_free(comm));
    CHECK(*comm == MPI_COMM_NULL);
}

static void partitioned(void)
{
    enum { PARTS = 3 };
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    int out[PARTS], in[PARTS];
    MPI_Request r[4];
    MPI_Comm comm = own();
    for (int k = 0; k < 2; k++) { /* the second pair is never started */
        MUST(MPI_Psend_init(out, PARTS, 1, MPI_INT, next, 3 + k, comm, MPI_INFO_NULL, &r[k]));
        MUST(MPI_Precv_init(in, PARTS, 1, MPI_INT, prev, 3 + k, comm, MPI_INFO_NULL, &r[2 + k]));
    }
    MUST(MPI_Request_free(&r[1]));
    give_up(&comm);
    MUST(MPI_Request_free(&r[3]));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < PARTS; i++) {
            out[i] = 1000 * round + 10 * rank + i;
            in[i] = -1;
        }
        MUST(MPI_Start(&r[0]));
        MUST(MPI_Start(&r[2]));
        MUST(MPI_Pready_range(0, PARTS - 1, r[0]));
        MUST(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
        MUST(MPI_Wait(&r[2], MPI_STATUS_IGNORE));
        for (int i = 0; i < PARTS; i++)
            CHECK_INT(in[i], 1000 * round + 10 * prev + i);
    }
    MUST(MPI_Request_free(&r[0]));
    MUST(MPI_Request_free(&r[2]));
}

static void partitioned_while_active(void)
{
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    int out = 7 + rank, in = -1;
    MPI_Request r[2];
    MPI_Comm comm = own();
    MUST(MPI_Precv_init(&in, 1, 1, MPI_INT, prev, 5, comm, MPI_INFO_NULL, &r[0]));
    MUST(MPI_Psend_init(&out, 1, 1, MPI_INT, next, 5, comm, MPI_INFO_NULL, &r[1]));
    MUST(MPI_Startall(2, r));
    give_up(&comm);
    MUST(MPI_Pready(0, r[1]));
    MUST(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    CHECK_INT(in, 7 + prev);
    MUST(MPI_Request_free(&r[0]));
    MUST(MPI_Request_free(&r[1]));
}

static void buffered(void)
{
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    static char buffer[10000];
    void *detached;
    int out, in[3] = {-1, -1, -1}, bytes;
    MPI_Request r, receives[3];
    MPI_Comm comm = own();
    MUST(MPI_Buffer_attach(buffer, sizeof buffer));
    MUST(MPI_Bsend_init(&out, 1, MPI_INT, next, 9, comm, &r));
    for (int i = 0; i < 3; i++)
        MUST(MPI_Irecv(&in[i], 1, MPI_INT, prev, 9, comm, &receives[i]));
    give_up(&comm);
    for (int i = 0; i < 3; i++) {
        out = 100 * i + rank;
        MUST(MPI_Start(&r));
        MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    }
    MUST(MPI_Waitall(3, receives, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 3; i++)
        CHECK_INT(in[i], 100 * i + prev);
    MUST(MPI_Request_free(&r));
    MUST(MPI_Buffer_detach(&detached, &bytes));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_PARTITIONED
    partitioned();
    partitioned_while_active();
    buffered();
#endif
    return check_done("emul_comm_freed");
}
