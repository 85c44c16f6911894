/* One handle of the library can be several handles of the program, each of which must be freed or completed separately:
   eager sends that complete at once, and handles that a query returns. */
#include "fact.h"

enum { N = 2000 };

int main(int argc, char **argv)
{
    static MPI_Request requests[N];
    static MPI_Group groups[N];
    static MPI_Errhandler handlers[N];
    static MPI_Datatype types[N];
    static int data[N], got[N];
    MPI_Comm comm = MPI_COMM_SELF;
    MUST(MPI_Init(&argc, &argv));

    for (int i = 0; i < N; i++) {
        data[i] = i;
        MUST(MPI_Isend(&data[i], 1, MPI_INT, 0, i, comm, &requests[i]));
        CHECK(requests[i] != MPI_REQUEST_NULL);
    }
    for (int i = 0; i < N; i++)
        MUST(MPI_Recv(&got[i], 1, MPI_INT, 0, i, comm, MPI_STATUS_IGNORE));
    for (int i = 0; i < N; i++) {
        int flag = -1;
        MPI_Status status;
        if (i % 3 == 0)
            MUST(MPI_Wait(&requests[i], &status));
        else if (i % 3 == 1)
            MUST(MPI_Waitall(1, &requests[i], &status));
        else
            MUST(MPI_Request_free(&requests[i]));
        CHECK(requests[i] == MPI_REQUEST_NULL && got[i] == i);
        if (i + 1 < N) {
            CHECK(requests[i + 1] != MPI_REQUEST_NULL);
            MUST(MPI_Request_get_status(requests[i + 1], &flag, &status));
            CHECK(flag == 1);
        }
    }

    for (int i = 0; i < N; i++)
        MUST(MPI_Comm_group(MPI_COMM_WORLD, &groups[i]));
    for (int i = 0; i < N; i++) {
        int size = -1;
        MUST(MPI_Group_size(groups[i], &size));
        CHECK(size == 1);
        MUST(MPI_Group_free(&groups[i]));
        CHECK(groups[i] == MPI_GROUP_NULL);
    }

    MPI_Datatype inner, outer;
    MUST(MPI_Type_contiguous(3, MPI_INT, &inner));
    MUST(MPI_Type_contiguous(2, inner, &outer));
    for (int i = 0; i < N; i++) {
        int integers[1];
        MPI_Aint addresses[1];
        MUST(MPI_Type_get_contents(outer, 1, 0, 1, integers, addresses, &types[i]));
    }
    MUST(MPI_Type_free(&inner));
    for (int i = 0; i < N; i++) {
        int size = -1;
        MUST(MPI_Type_size(types[i], &size));
        CHECK(size == 3 * (int)sizeof(int));
        MUST(MPI_Type_free(&types[i]));
        CHECK(types[i] == MPI_DATATYPE_NULL);
    }
    MUST(MPI_Type_free(&outer));

    for (int i = 0; i < N; i++)
        MUST(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handlers[i]));
    for (int i = 0; i < N; i++) {
        CHECK(handlers[i] == MPI_ERRORS_ARE_FATAL);
        MUST(MPI_Errhandler_free(&handlers[i]));
        CHECK(handlers[i] == MPI_ERRHANDLER_NULL);
    }
    MUST(MPI_Finalize());
    return fact_done();
}
