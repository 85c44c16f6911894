/* A persistent collective whose datatype, operation and communicator the program frees before it is started (MPI-4.0,
   2.5.1 and 7.4.3). */
#include "persistent.h"

#if HAVE_PERSISTENT_COLLECTIVES
static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < 2 * *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void freed_arguments(void)
{
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Request r;
    MPI_Comm comm;
    int mine[2] = {rank, 1}, total[2] = {-1, -1};
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
    MUST(MPI_Type_commit(&pair));
    MUST(MPI_Op_create(add, 1, &op));
    MUST(MPI_Allreduce_init(mine, total, 1, pair, op, comm, MPI_INFO_NULL, &r));
    MUST(MPI_Type_free(&pair));
    MUST(MPI_Op_free(&op));
    MUST(MPI_Comm_free(&comm));
    CHECK(pair == MPI_DATATYPE_NULL && op == MPI_OP_NULL && comm == MPI_COMM_NULL);
    for (int i = 0; i < 3; i++) {
        MUST(MPI_Start(&r));
        MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_INT(total[0], size * (size - 1) / 2);
        CHECK_INT(total[1], size);
    }
    MUST(MPI_Request_free(&r));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_PERSISTENT_COLLECTIVES
    freed_arguments();
#endif
    return check_done("coll_persistent_freed");
}
