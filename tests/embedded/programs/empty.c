/* Types without data: a call needs no buffer for them, whatever their extent is. Also with a count of 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

#define CHECK(call)                                                                                     \
    do {                                                                                                \
        int code_ = (call), length_;                                                                    \
        char text_[MPI_MAX_ERROR_STRING];                                                               \
        if (code_) {                                                                                    \
            MPI_Error_string(code_, text_, &length_);                                                   \
            fprintf(stderr, "rank %d: line %d: %s: %s\n", rank, __LINE__, #call, text_);                \
            MPI_Abort(MPI_COMM_WORLD, 9);                                                               \
        }                                                                                               \
    } while (0)

static MPI_Datatype make(int kind)
{
    MPI_Datatype none, type = MPI_DATATYPE_NULL;
    int zero = 0;
    MPI_Aint displacement = 8;
    MPI_Type_contiguous(0, MPI_INT, &none);
    switch (kind) {
    case 0:
        MPI_Type_create_resized(none, 0, 16, &type);
        break;
    case 1:
        MPI_Type_create_resized(none, -8, 24, &type);
        break;
    case 2:
        MPI_Type_create_struct(1, &zero, &displacement, (MPI_Datatype[]){MPI_DOUBLE}, &none);
        MPI_Type_create_resized(none, 0, 8, &type);
        break;
    case 3:
        MPI_Type_vector(3, 0, 5, MPI_INT, &none);
        MPI_Type_create_resized(none, 4, 4, &type);
        break;
    default:
        MPI_Type_create_hindexed(1, &zero, &displacement, MPI_CHAR, &type);
    }
    MPI_Type_commit(&type);
    return type;
}

static void calls(int n, MPI_Datatype type)
{
    void *nothing = MPI_BOTTOM;
    int next = (rank + 1) % size, before = (rank + size - 1) % size, position = 0, bytes, *counts = calloc((size_t)size, sizeof *counts);
    int *zeros = calloc((size_t)size, sizeof *zeros);
    char room[8];
    MPI_Datatype *types = malloc((size_t)size * sizeof *types);
    MPI_Request requests[2];
    MPI_Message message;
    MPI_Aint at = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = n;
        types[i] = type;
    }
    MPI_Comm world = MPI_COMM_WORLD;
    CHECK(MPI_Sendrecv(nothing, n, type, next, 1, nothing, n, type, before, 1, world, MPI_STATUS_IGNORE));
    CHECK(MPI_Sendrecv_replace(nothing, n, type, next, 1, before, 1, world, MPI_STATUS_IGNORE));
    CHECK(MPI_Irecv(nothing, n, type, before, 2, world, &requests[0]));
    CHECK(MPI_Isend(nothing, n, type, next, 2, world, &requests[1]));
    CHECK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(MPI_Recv_init(nothing, n, type, before, 3, world, &requests[0]));
    CHECK(MPI_Ssend_init(nothing, n, type, next, 3, world, &requests[1]));
    CHECK(MPI_Startall(2, requests));
    CHECK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(MPI_Request_free(&requests[0]));
    CHECK(MPI_Request_free(&requests[1]));
    CHECK(MPI_Irecv(nothing, n, type, before, 4, world, &requests[0]));
    CHECK(MPI_Rsend(nothing, n, type, MPI_PROC_NULL, 4, world));
    CHECK(MPI_Issend(nothing, n, type, next, 4, world, &requests[1]));
    CHECK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(MPI_Bsend(nothing, n, type, next, 5, world));
    CHECK(MPI_Recv(nothing, n, type, before, 5, world, MPI_STATUS_IGNORE));
    CHECK(MPI_Send(nothing, n, type, next, 6, world));
    CHECK(MPI_Mprobe(before, 6, world, &message, MPI_STATUS_IGNORE));
    CHECK(MPI_Mrecv(nothing, n, type, &message, MPI_STATUS_IGNORE));
    CHECK(MPI_Bcast(nothing, n, type, 0, world));
    CHECK(MPI_Gather(nothing, n, type, nothing, n, type, 0, world));
    CHECK(MPI_Scatter(nothing, n, type, nothing, n, type, 0, world));
    CHECK(MPI_Allgather(nothing, n, type, nothing, n, type, world));
    CHECK(MPI_Alltoall(nothing, n, type, nothing, n, type, world));
    CHECK(MPI_Gatherv(nothing, n, type, nothing, counts, zeros, type, 0, world));
    CHECK(MPI_Scatterv(nothing, counts, zeros, type, nothing, n, type, 0, world));
    CHECK(MPI_Allgatherv(nothing, n, type, nothing, counts, zeros, type, world));
    CHECK(MPI_Alltoallv(nothing, counts, zeros, type, nothing, counts, zeros, type, world));
    CHECK(MPI_Alltoallw(nothing, counts, zeros, types, nothing, counts, zeros, types, world));
    CHECK(MPI_Ibcast(nothing, n, type, 0, world, &requests[0]));
    CHECK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    CHECK(MPI_Ialltoall(nothing, n, type, nothing, n, type, world, &requests[0]));
    CHECK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    CHECK(MPI_Pack_size(n, type, world, &bytes));
    CHECK(MPI_Pack(nothing, n, type, room, sizeof room, &position, world));
    CHECK(MPI_Pack(nothing, n, type, nothing, 0, &position, world));
    CHECK(MPI_Unpack(room, sizeof room, &position, nothing, n, type, world));
    CHECK(MPI_Pack_external("external32", nothing, n, type, room, sizeof room, &at));
    CHECK(MPI_Unpack_external("external32", room, sizeof room, &at, nothing, n, type));
    free(counts);
    free(zeros);
    free(types);
}

static void sum(void *in, void *inout, int *n, MPI_Datatype *type) { (void)in, (void)inout, (void)n, (void)type; }

int main(int argc, char **argv)
{
    char buffer[4096], *attached = buffer;
    int length;
    MPI_Op op;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Op_create(sum, 1, &op);
    for (int kind = 0; kind < 5; kind++) {
        MPI_Datatype type = make(kind);
        for (int n = 0; n < 1000; n = n * 3 + 1) {
            calls(n, type);
            CHECK(MPI_Reduce(MPI_BOTTOM, MPI_BOTTOM, n, type, op, 0, MPI_COMM_WORLD));
            CHECK(MPI_Allreduce(MPI_BOTTOM, MPI_BOTTOM, n, type, op, MPI_COMM_WORLD));
            CHECK(MPI_Scan(MPI_BOTTOM, MPI_BOTTOM, n, type, op, MPI_COMM_WORLD));
            CHECK(MPI_Exscan(MPI_BOTTOM, MPI_BOTTOM, n, type, op, MPI_COMM_WORLD));
            CHECK(MPI_Reduce_scatter_block(MPI_BOTTOM, MPI_BOTTOM, n, type, op, MPI_COMM_WORLD));
            CHECK(MPI_Iallreduce(MPI_BOTTOM, MPI_BOTTOM, n, type, op, MPI_COMM_WORLD, &request));
            CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK(MPI_Reduce_local(MPI_BOTTOM, MPI_BOTTOM, n, type, op));
        }
        MPI_Type_free(&type);
    }
    calls(0, MPI_INT);
    if (MPI_Send(MPI_BOTTOM, 1, MPI_INT, rank, 0, MPI_COMM_WORLD) == MPI_SUCCESS)
        fprintf(stderr, "data at a null pointer is accepted\n");
    MPI_Op_free(&op);
    MPI_Buffer_detach(&attached, &length);
    MPI_Finalize();
    printf("right\n");
    return 0;
}
