/* A reduction between two groups. The root has nothing to send and passes a null pointer (MPI-5.0, 6.9.1: the send
   buffer is significant only in the other group). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (size == 1)
        return check_done("coll_intercomm_null"); /* two groups need two processes */
    MPI_Comm half, inter;
    MPI_Request request;
    const int low = rank < size / 2;
    int local = -1;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half));
    MUST(MPI_Comm_rank(half, &local));
    MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? size / 2 : 0, 12, &inter));
    MUST(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN));
    for (int at_low = 0; at_low < 2; at_low++) {
        const int mine = low == at_low, others = at_low ? size - size / 2 : size / 2;
        const int root = mine ? (local ? MPI_PROC_NULL : MPI_ROOT) : 0;
        int values[] = {1, 2}, sums[] = {-1, -1};
        const void *from = mine ? NULL : values;
        void *to = root == MPI_ROOT ? sums : NULL;
        CHECK_INT(MPI_Reduce(from, to, 2, MPI_INT, MPI_SUM, root, inter), MPI_SUCCESS);
        CHECK_INT(sums[1], root == MPI_ROOT ? 2 * others : -1);
        sums[1] = -1;
        request = MPI_REQUEST_NULL;
        CHECK_INT(MPI_Ireduce(from, to, 2, MPI_INT, MPI_SUM, root, inter, &request), MPI_SUCCESS);
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_INT(sums[1], root == MPI_ROOT ? 2 * others : -1);
    }
    MUST(MPI_Comm_free(&inter));
    MUST(MPI_Comm_free(&half));
    return check_done("coll_intercomm_null");
}
