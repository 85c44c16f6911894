/*
 * Messages of random datatypes between two ranks, and of a rank to itself: the data arrives as the
 * model says, whichever parts the device makes of a message and whichever representation it uses.
 *
 *   types_messages SEED COUNT
 */
#include "types_memory.h"

static int rank;

/* Receives what rank 0 has sent, as the same datatype or as packed bytes, and compares it. */
static void receive(const struct model *m, int count, MPI_Datatype type, int source, struct memory target, struct memory expected, bool truncated)
{
    MPI_Status status;
    int elements = -1;
    if (truncated) {
        FAILS(MPI_ERR_TRUNCATE, MPI_Recv(target.buffer, count - 1, type, source, 7, MPI_COMM_WORLD, &status));
        return;
    }
    MUST(MPI_Recv(target.buffer, count, type, source, 7, MPI_COMM_WORLD, &status));
    same_bytes("message", expected.bytes, target.bytes, target.size);
    MUST(MPI_Get_elements(&status, type, &elements));
    EQUAL(count * m->n, elements);
}

static void check_message(uint64_t *random)
{
    static struct model m;
    MPI_Datatype type = small_type(&m, 1 + (int)below(random, 3), random);
    int count = (int)below(random, 40);
    MPI_Request request;
    MUST(MPI_Type_commit(&type));
    while (count && overlaps(&m, count)) /* at most the elements that do not overlap */
        count /= 2;
    struct memory source = memory_for(&m, count), target = memory_for(&m, count), expected = memory_for(&m, count);
    char *stream = malloc((size_t)stream_size(&m, count, TO_NATIVE) + 1);
    fill(source, &m, count, random);
    model_pack(&m, count, source.buffer, stream, TO_NATIVE);
    model_unpack(&m, count, expected.buffer, stream, TO_NATIVE);
    bool truncated = count > 1 && m.n && below(random, 5) == 0;
    if (rank == 0)
        MUST(MPI_Send(source.buffer, count, type, 1, 7, MPI_COMM_WORLD));
    else
        receive(&m, count, type, 0, target, expected, truncated);
    memset(target.bytes, 0, target.size);
    MUST(MPI_Isend(source.buffer, count, type, rank, 7, MPI_COMM_WORLD, &request));
    receive(&m, count, type, rank, target, expected, false);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    free(source.bytes);
    free(target.bytes);
    free(expected.bytes);
    free(stream);
    free_unnamed(&type);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MUST(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    uint64_t random = 0x9e3779b97f4a7c15ull * (uint64_t)(argc > 1 ? atoi(argv[1]) : 1);
    int count = argc > 2 ? atoi(argv[2]) : 300;
    for (int i = 0; i < count; i++)
        check_message(&random);
    return right("types_messages");
}
