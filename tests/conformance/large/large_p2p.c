/* Large-count point-to-point functions with small counts (MPI-4.0, 3; every `_c` function of the chapter). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    int out[4] = {rank, rank + 1, rank + 2, rank + 3}, in[6] = {0};
    MPI_Count count = -1, bound = -1, detached_size = -1;
    MPI_Request request, send;
    MPI_Status status;
    MPI_Message message;

    MUST(MPI_Pack_size_c(4, MPI_INT, MPI_COMM_WORLD, &bound));
    CHECK(bound >= 16);
    const MPI_Count room = 8 * (bound + MPI_BSEND_OVERHEAD);
    void *buffer = malloc(room), *detached = NULL;
    MUST(MPI_Buffer_attach_c(buffer, room));

    /* Every send mode with every kind of receive. */
    for (int mode = 0; mode < 16; mode++) {
        memset(in, 0x55, sizeof in);
        send = MPI_REQUEST_NULL;
        if (mode < 12) {
            if (mode >= 8)
                MUST(MPI_Recv_init_c(in, 6, MPI_INT, prev, mode, MPI_COMM_WORLD, &request));
            if (mode >= 8)
                MUST(MPI_Start(&request));
            else
                MUST(MPI_Irecv_c(in, 6, MPI_INT, prev, mode, MPI_COMM_WORLD, &request));
            MUST(MPI_Barrier(MPI_COMM_WORLD));
        }
        switch (mode) {
        case 0: MUST(MPI_Send_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD)); break;
        case 1: MUST(MPI_Ssend_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD)); break;
        case 2: MUST(MPI_Rsend_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD)); break;
        case 3: MUST(MPI_Bsend_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD)); break;
        case 4: MUST(MPI_Isend_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD, &send)); break;
        case 5: MUST(MPI_Issend_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD, &send)); break;
        case 6: MUST(MPI_Irsend_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD, &send)); break;
        case 7: MUST(MPI_Ibsend_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD, &send)); break;
        case 8: MUST(MPI_Send_init_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD, &send)); break;
        case 9: MUST(MPI_Ssend_init_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD, &send)); break;
        case 10: MUST(MPI_Rsend_init_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD, &send)); break;
        case 11: MUST(MPI_Bsend_init_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD, &send)); break;
        default: MUST(MPI_Isend_c(out, 4, MPI_INT, next, mode, MPI_COMM_WORLD, &send)); break;
        }
        if (mode >= 8 && mode < 12)
            MUST(MPI_Start(&send));
        if (mode < 12) {
            MUST(MPI_Wait(&request, &status));
        } else if (mode == 12) {
            MUST(MPI_Recv_c(in, 6, MPI_INT, prev, mode, MPI_COMM_WORLD, &status));
        } else if (mode == 13) {
            MUST(MPI_Mprobe(prev, mode, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
            MUST(MPI_Mrecv_c(in, 6, MPI_INT, &message, &status));
        } else {
            MUST(MPI_Mprobe(prev, mode, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
            MUST(MPI_Imrecv_c(in, 6, MPI_INT, &message, &request));
            CHECK(message == MPI_MESSAGE_NULL);
            MUST(MPI_Wait(&request, &status));
        }
        MUST(MPI_Wait(&send, MPI_STATUS_IGNORE));
        CHECK_INT(in[0], prev);
        CHECK_INT(in[3], prev + 3);
        CHECK_INT(in[4], 0x55555555);
        CHECK_INT(status.MPI_SOURCE, prev);
        CHECK_INT(status.MPI_TAG, mode);
        MUST(MPI_Get_count_c(&status, MPI_INT, &count));
        CHECK_INT(count, 4);
        MUST(MPI_Get_elements_c(&status, MPI_INT, &count));
        CHECK_INT(count, 4);
        if (mode >= 8 && mode < 12) {
            MUST(MPI_Request_free(&send));
            MUST(MPI_Request_free(&request));
        }
        MUST(MPI_Barrier(MPI_COMM_WORLD));
    }
    MUST(MPI_Buffer_detach_c(&detached, &detached_size));
    CHECK(detached == buffer);
    CHECK_INT(detached_size, room);
    free(buffer);

    memset(in, 0, sizeof in);
    MUST(MPI_Sendrecv_c(out, 4, MPI_INT, next, 1, in, 6, MPI_INT, prev, 1, MPI_COMM_WORLD, &status));
    CHECK_INT(in[3], prev + 3);
    memcpy(in, out, sizeof out);
    MUST(MPI_Sendrecv_replace_c(in, 4, MPI_INT, next, 2, prev, 2, MPI_COMM_WORLD, &status));
    CHECK_INT(in[3], prev + 3);
    memset(in, 0, sizeof in);
    MUST(MPI_Isendrecv_c(out, 4, MPI_INT, next, 3, in, 6, MPI_INT, prev, 3, MPI_COMM_WORLD, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in[2], prev + 2);
    memcpy(in, out, sizeof out);
    MUST(MPI_Isendrecv_replace_c(in, 4, MPI_INT, next, 4, prev, 4, MPI_COMM_WORLD, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in[2], prev + 2);
#endif
    return check_done("large_p2p");
}
