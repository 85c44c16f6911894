/* Buffers of communicators and sessions, automatic buffers, and flushing (MPI-4.1, 3.6). */
#include "check.h"

#if CHECK_HAVE(4, 1)
enum { N = 50000 }; /* too long for an eager send */
static int data[3 * N], in[N], next, prev;

static void receive(int tag, MPI_Comm comm)
{
    in[N - 1] = -1;
    MUST(MPI_Recv(in, N, MPI_INT, prev, tag, comm, MPI_STATUS_IGNORE));
    CHECK_INT(in[N - 1], N - 1 + 1000000 * prev);
}

static void of_comm(void)
{
    MPI_Comm comm, other;
    MPI_Request request;
    void *got = NULL;
    int packed, got_size = -1, flag;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &other));
    MUST(MPI_Comm_set_errhandler(other, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    MUST(MPI_Pack_size(N, MPI_INT, comm, &packed));
    const int room = 2 * (packed + MPI_BSEND_OVERHEAD);
    char *buffer = malloc(room);
    MUST(MPI_Comm_attach_buffer(comm, buffer, room));
    CHECK_CLASS(MPI_Bsend(data, N, MPI_INT, next, 1, other), MPI_ERR_BUFFER); /* this communicator has no buffer */
    MUST(MPI_Bsend(data, N, MPI_INT, next, 1, comm));
    MUST(MPI_Ibsend(data, N, MPI_INT, next, 2, comm, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_CLASS(MPI_Bsend(data, 3 * N, MPI_INT, next, 3, comm), MPI_ERR_BUFFER); /* too long, even if all earlier messages have left */
    MUST(MPI_Comm_iflush_buffer(comm, &request)); /* does not wait for the receiver */
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    receive(1, comm);
    receive(2, comm);
    for (flag = 0; !flag;)
        MUST(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    CHECK(request == MPI_REQUEST_NULL);
    MUST(MPI_Bsend_init(data, N, MPI_INT, next, 4, comm, &request)); /* the buffer has room again */
    for (int i = 0; i < 3; i++) {
        MUST(MPI_Start(&request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        receive(4, comm);
        MUST(MPI_Comm_flush_buffer(comm));
    }
    MUST(MPI_Request_free(&request));
    MUST(MPI_Comm_detach_buffer(comm, &got, &got_size));
    CHECK(got == buffer);
    CHECK_INT(got_size, room);
    free(buffer);

    MUST(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    for (int i = 0; i < 5; i++)
        MUST(MPI_Bsend(data, N, MPI_INT, next, 10 + i, comm));
    for (int i = 4; i >= 0; i--)
        receive(10 + i, comm);
    MUST(MPI_Comm_detach_buffer(comm, &got, &got_size));
    CHECK(got == MPI_BUFFER_AUTOMATIC);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_free(&other));
    CHECK_CLASS(MPI_Comm_attach_buffer(MPI_COMM_NULL, MPI_BUFFER_AUTOMATIC, 0), MPI_ERR_COMM);
}

static void of_process(void)
{
    MPI_Request request;
    void *got = NULL;
    int got_size = -1;
    MUST(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    MUST(MPI_Bsend(data, N, MPI_INT, next, 20, MPI_COMM_WORLD));
    MUST(MPI_Buffer_iflush(&request));
    receive(20, MPI_COMM_WORLD);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Bsend(data, 1, MPI_INT, MPI_PROC_NULL, 20, MPI_COMM_WORLD));
    MUST(MPI_Buffer_flush());
    MUST(MPI_Buffer_detach(&got, &got_size));
    CHECK(got == MPI_BUFFER_AUTOMATIC);
}

static void of_session(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Request request;
    void *got = NULL;
    int got_size = -1;
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    MUST(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    MUST(MPI_Comm_create_from_group(group, "buffers", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    MUST(MPI_Session_attach_buffer(session, MPI_BUFFER_AUTOMATIC, 0));
    MUST(MPI_Bsend(data, N, MPI_INT, next, 30, comm));
    MUST(MPI_Session_iflush_buffer(session, &request));
    receive(30, comm);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Session_flush_buffer(session));
    MUST(MPI_Session_detach_buffer(session, &got, &got_size));
    CHECK(got == MPI_BUFFER_AUTOMATIC);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Group_free(&group));
    MUST(MPI_Session_finalize(&session));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if CHECK_HAVE(4, 1)
    next = (rank + 1) % size;
    prev = (rank + size - 1) % size;
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int i = 0; i < N; i++)
        data[i] = i + 1000000 * rank;
    of_comm();
    of_process();
    of_session();
#endif
    return check_done("buffer_objects");
}
