/* The handle of a nonblocking collective whose arrays the front keeps, after its completion. To use it is
   erroneous: natively a library may fault, follow another request or say nothing. */
#include "../../conformance/check.h"
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int *counts = calloc((size_t)size, sizeof *counts), flag, index, n, in, out;
    MPI_Datatype *types = calloc((size_t)size, sizeof *types);
    MPI_Request r, stale, other, array[2];
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int i = 0; i < size; i++)
        types[i] = MPI_INT;
    MUST(MPI_Ialltoallw(&in, counts, counts, types, &out, counts, counts, types, MPI_COMM_WORLD, &r));
    stale = r;
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(r == MPI_REQUEST_NULL);
    for (int i = 0; i < 200; i++) { /* no later request has its handle */
        MUST(MPI_Ialltoallw(&in, counts, counts, types, &out, counts, counts, types, MPI_COMM_WORLD, &other));
        CHECK(other != stale);
        r = stale;
        CHECK_CLASS(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
        CHECK_CLASS(MPI_Test(&r, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
        MUST(MPI_Wait(&other, MPI_STATUS_IGNORE));
    }
    CHECK_CLASS(MPI_Request_free(&r), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Cancel(&r), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    array[0] = MPI_REQUEST_NULL;
    array[1] = stale;
    CHECK_CLASS(MPI_Waitall(2, array, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Testall(2, array, &flag, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Waitany(2, array, &index, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Waitsome(2, array, &n, &index, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    free(counts);
    free(types);
    return check_done("stale_request");
}
