/* Buffered sends without a buffer and with a buffer that is too small, and attaching a second buffer (MPI-3.1, 3.6). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    enum { N = 100000 };
    static int data[N];
    const int room = MPI_BSEND_OVERHEAD + 8;
    char *buffer = malloc(room);
    void *detached = NULL;
    int detached_size = -1;
    CHECK_CLASS(MPI_Bsend(data, N, MPI_INT, rank, 1, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    MUST(MPI_Buffer_attach(buffer, room));
    const int second = check_class(MPI_Buffer_attach(buffer, room)); /* the standard defines no class for this */
    CHECK(second == MPI_ERR_BUFFER || second == MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Bsend(data, N, MPI_INT, rank, 1, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    MUST(MPI_Buffer_detach(&detached, &detached_size));
    CHECK(detached == buffer);
    CHECK_INT(detached_size, room);
    free(buffer);
    return check_done("p2p_buffer_errors");
}
