/* Uses the handle of a nonblocking collective whose arrays the front keeps, after its completion. This is erroneous:
   natively a library may crash, use another request, or report nothing. The front keeps the arrays of operations that
   are incomplete when the call returns, so rank 0 starts before the others and tests its own request. */
#include "../../conformance/check.h"
#include <mpi.h>
#include <stdlib.h>

static int *counts, *displs, *in, *out;
static MPI_Datatype *types;

static int begin(MPI_Request *request)
{
    return MPI_Ialltoallw(in, counts, displs, types, out, counts, displs, types, MPI_COMM_WORLD, request);
}

/* Lets the other ranks start the operation, and completes it. */
static int complete(MPI_Request *request)
{
    for (int to = 1; to < size; to++)
        MUST(MPI_Send(NULL, 0, MPI_INT, to, 1, MPI_COMM_WORLD));
    return MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void follow(int times)
{
    MPI_Request request;
    for (int i = 0; i < times; i++) {
        MUST(MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        MUST(begin(&request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
}

/* Uses so many arrays of datatypes that the front keeps those of the later operations with their request: the first
   ones it keeps forever (mappers/interned_types.h), and the request is then the runtime's own. */
static void use_up_interned_arrays(void)
{
    enum { MORE_THAN_KEPT = 100 };
    for (int k = 0; k < MORE_THAN_KEPT; k++) {
        MPI_Datatype type;
        MUST(MPI_Type_contiguous(k + 2, MPI_INT, &type));
        MUST(MPI_Type_commit(&type));
        for (int i = 0; i < size; i++)
            types[i] = type;
        MUST(MPI_Alltoallw(in, counts, displs, types, out, counts, displs, types, MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int flag, index, n;
    counts = calloc((size_t)size, sizeof *counts);
    displs = calloc((size_t)size, sizeof *displs);
    in = calloc((size_t)size, sizeof *in);
    out = calloc((size_t)size, sizeof *out);
    types = calloc((size_t)size, sizeof *types);
    MPI_Request r, stale, other, array[2];
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    use_up_interned_arrays();
    for (int i = 0; i < size; i++) {
        types[i] = MPI_INT;
        counts[i] = 1;
        displs[i] = i * (int)sizeof(int);
    }
    if (rank) {
        follow(201);
        return check_done("stale_request");
    }
    MUST(begin(&r));
    stale = r;
    MUST(complete(&r));
    CHECK(r == MPI_REQUEST_NULL);
    for (int i = 0; i < 200; i++) { /* no later request has its handle */
        MUST(begin(&other));
        CHECK(other != stale);
        r = stale;
        CHECK_CLASS(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
        CHECK_CLASS(MPI_Test(&r, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
        MUST(complete(&other));
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
    free(displs);
    free(in);
    free(out);
    free(types);
    return check_done("stale_request");
}
