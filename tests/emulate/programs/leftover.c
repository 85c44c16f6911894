/* Leaves two communicators and a datatype on rank 1, and one of each on rank 0, or nothing with an argument. Objects
   that are freed, second handles, and predefined objects do not count as left. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm first, second, self = MPI_COMM_SELF;
    MPI_Datatype type;
    MPI_Group group;
    MPI_Request request;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_dup(first, &second);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Comm_group(second, &group);
    MPI_Group_free(&group);
    MPI_Comm_get_errhandler(self, &handler); /* predefined: it need not be freed */
    MPI_Irecv(&rank, 0, MPI_INT, 0, 0, self, &request);
    MPI_Send(&rank, 0, MPI_INT, 0, 0, self);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0 || argc > 1)
        MPI_Comm_free(&first);
    if (argc > 1) {
        MPI_Comm_free(&second);
        MPI_Type_free(&type);
    }
    MPI_Finalize();
    return 0;
}
