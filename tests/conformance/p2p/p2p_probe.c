/* Probe, matched probe, and receives of matched messages (MPI-3.1, 3.8). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    int data[4] = {rank, 10 + rank, 20 + rank, 30 + rank}, in[4] = {0}, count = -1, flag = -1;
    MPI_Request request, receive;
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;

    /* No message has arrived. */
    MUST(MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK_INT(flag, 0);
    flag = -1;
    MUST(MPI_Improbe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE));
    CHECK_INT(flag, 0);

    /* Probe, then receive. */
    MUST(MPI_Isend(data, 4, MPI_INT, next, 41, MPI_COMM_WORLD, &request));
    MUST(MPI_Probe(MPI_ANY_SOURCE, 41, MPI_COMM_WORLD, &status));
    CHECK_INT(status.MPI_SOURCE, prev);
    CHECK_INT(status.MPI_TAG, 41);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 4);
    MUST(MPI_Recv(in, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_INT(in[3], 30 + prev);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));

    MUST(MPI_Isend(data, 3, MPI_INT, next, 42, MPI_COMM_WORLD, &request));
    for (flag = 0; !flag;)
        MUST(MPI_Iprobe(prev, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
    CHECK_INT(flag, 1);
    CHECK_INT(status.MPI_TAG, 42);
    MUST(MPI_Recv(in, 4, MPI_INT, prev, 42, MPI_COMM_WORLD, &status));
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 3);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));

    /* A matched message is removed: no other receive finds it. */
    MUST(MPI_Isend(data, 2, MPI_INT, next, 43, MPI_COMM_WORLD, &request));
    MUST(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status));
    CHECK(message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC);
    CHECK_INT(status.MPI_SOURCE, prev);
    CHECK_INT(status.MPI_TAG, 43);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 2);
    MUST(MPI_Iprobe(prev, 43, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK_INT(flag, 0);
    MPI_Fint f = MPI_Message_c2f(message);
    CHECK(MPI_Message_f2c(f) == message);
    memset(in, 0, sizeof in);
    status.MPI_ERROR = 4711;
    MUST(MPI_Mrecv(in, 4, MPI_INT, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL);
    CHECK_INT(in[0], prev);
    CHECK_INT(in[1], 10 + prev);
    CHECK_INT(in[2], 0);
    CHECK_INT(status.MPI_SOURCE, prev);
    CHECK_INT(status.MPI_TAG, 43);
    CHECK_INT(status.MPI_ERROR, 4711);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 2);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));

    MUST(MPI_Isend(data, 1, MPI_INT, next, 44, MPI_COMM_WORLD, &request));
    for (flag = 0; !flag;)
        MUST(MPI_Improbe(prev, 44, MPI_COMM_WORLD, &flag, &message, &status));
    CHECK(message != MPI_MESSAGE_NULL);
    CHECK_INT(status.MPI_TAG, 44);
    MUST(MPI_Imrecv(in, 4, MPI_INT, &message, &receive));
    CHECK(message == MPI_MESSAGE_NULL);
    CHECK(receive != MPI_REQUEST_NULL);
    MUST(MPI_Wait(&receive, &status));
    CHECK(receive == MPI_REQUEST_NULL);
    CHECK_INT(in[0], prev);
    CHECK_INT(status.MPI_SOURCE, prev);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 1);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));

    /* Two messages are received out of order, with statuses ignored. */
    MPI_Request sends[2];
    MPI_Message messages[2];
    int first = 1000 + rank, second = 2000 + rank, a = 0, b = 0;
    MUST(MPI_Isend(&first, 1, MPI_INT, next, 45, MPI_COMM_WORLD, &sends[0]));
    MUST(MPI_Isend(&second, 1, MPI_INT, next, 45, MPI_COMM_WORLD, &sends[1]));
    MUST(MPI_Mprobe(prev, 45, MPI_COMM_WORLD, &messages[0], MPI_STATUS_IGNORE));
    MUST(MPI_Mprobe(prev, 45, MPI_COMM_WORLD, &messages[1], MPI_STATUS_IGNORE));
    CHECK(messages[0] != messages[1]);
    MUST(MPI_Mrecv(&b, 1, MPI_INT, &messages[1], MPI_STATUS_IGNORE));
    MUST(MPI_Mrecv(&a, 1, MPI_INT, &messages[0], MPI_STATUS_IGNORE));
    CHECK_INT(a, 1000 + prev);
    CHECK_INT(b, 2000 + prev);
    MUST(MPI_Waitall(2, sends, MPI_STATUSES_IGNORE));

    /* The message from MPI_PROC_NULL. */
    MUST(MPI_Mprobe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status));
    CHECK(message == MPI_MESSAGE_NO_PROC);
    CHECK_INT(status.MPI_SOURCE, MPI_PROC_NULL);
    CHECK_INT(status.MPI_TAG, MPI_ANY_TAG);
    MUST(MPI_Mrecv(in, 1, MPI_INT, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL);
    CHECK_INT(status.MPI_SOURCE, MPI_PROC_NULL);
    MUST(MPI_Improbe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status));
    CHECK_INT(flag, 1);
    CHECK(message == MPI_MESSAGE_NO_PROC);
    MUST(MPI_Imrecv(in, 1, MPI_INT, &message, &receive));
    CHECK(message == MPI_MESSAGE_NULL);
    memset(&status, 0x55, sizeof status);
    MUST(MPI_Wait(&receive, &status));
    CHECK_INT(status.MPI_SOURCE, MPI_PROC_NULL);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 0);
    return check_done("p2p_probe");
}
