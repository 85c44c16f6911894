/* Buffers of the smallest size, and the library's own buffers (MPI-4.1, 3.6). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    void *detached = NULL;
    int detached_size = -1, in = -1;

    /* Room for one message, in different buffers of the same size. */
    enum { N = 20 };
    for (int i = 0; i < N; i++) {
        const int room = MPI_BSEND_OVERHEAD + 8 + (int)sizeof(int) * i;
        char *buffer = malloc(room);
        MUST(MPI_Buffer_attach(buffer, room));
        MUST(MPI_Bsend(&i, 1, MPI_INT, next, i, MPI_COMM_WORLD));
        MUST(MPI_Recv(&in, 1, MPI_INT, prev, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_INT(in, i);
        MUST(MPI_Buffer_detach(&detached, &detached_size));
        CHECK(detached == buffer);
        CHECK_INT(detached_size, room);
        free(buffer);
    }

#ifdef MPI_BUFFER_AUTOMATIC
    /* A library before MPI 4.1 refuses it. */
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    const int rc = MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
    if (rc) {
        CHECK_INT(check_class(rc), MPI_ERR_BUFFER);
    } else {
        static int data[100000];
        for (int i = 0; i < 3; i++) {
            data[0] = i;
            MUST(MPI_Bsend(data, 100000, MPI_INT, rank, i, MPI_COMM_WORLD));
        }
        static int got[100000];
        for (int i = 2; i >= 0; i--) {
            MUST(MPI_Recv(got, 100000, MPI_INT, rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_INT(got[0], i);
        }
        MUST(MPI_Buffer_detach(&detached, &detached_size));
        CHECK(detached == MPI_BUFFER_AUTOMATIC);
    }
#endif
    return check_done("p2p_buffer_automatic");
}
