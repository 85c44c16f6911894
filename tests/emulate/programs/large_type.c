/* A datatype made with large counts is freed after, and during, a buffered send of the front's that uses datatypes. */
#include "../../conformance/check.h"
#include <mpi.h>

int main(int argc, char **argv)
{
    static char buffer[4096];
    check_init(&argc, &argv);
    int out[8] = {1, 2, 3, 4, 5, 6, 7, 8}, in[4] = {0};
    MPI_Datatype type;
    MPI_Request r;
    MUST(MPI_Buffer_attach(buffer, sizeof buffer));
    MUST(MPI_Bsend(out, 1, MPI_INT, 0, 0, MPI_COMM_SELF));
    MUST(MPI_Recv(in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    for (int i = 0; i < 2; i++) {
        MUST(MPI_Type_create_hvector_c(4, 1, 2 * sizeof(int), MPI_INT, &type));
        MUST(MPI_Type_commit(&type));
        MUST(MPI_Bsend_init(out, 1, type, 0, 1, MPI_COMM_SELF, &r));
        if (i == 0)
            MUST(MPI_Type_free(&type));
        MUST(MPI_Start(&r));
        MUST(MPI_Recv(in, 4, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
        CHECK(in[0] == 1 && in[1] == 3 && in[2] == 5 && in[3] == 7);
        MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
        MUST(MPI_Request_free(&r));
        if (i == 1)
            MUST(MPI_Type_free(&type));
    }
    int size;
    void *detached;
    MUST(MPI_Buffer_detach(&detached, &size));
    return check_done("large_type");
}
