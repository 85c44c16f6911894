/* Prints the chains of layers (chain.c) before MPI_Init, and after all layers that this runtime needs are installed. For
   that, the program starts a request of an emulated operation and creates an intercommunicator. */
#include <mpi.h>

extern void print_chains(void);

int main(int argc, char **argv)
{
    int sent = 1, got = 0;
    MPI_Request request;
    MPI_Comm none;
    if (MPI_Wtime() < 0) /* the front loads the library */
        return 1;
    print_chains();
    MPI_Init(&argc, &argv);
    MPI_Isendrecv(&sent, 1, MPI_INT, 0, 0, &got, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (!MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_SELF, 5, 0, &none)) /* the call fails: there is no rank 5 */
        return 1;
    print_chains();
    MPI_Finalize();
    return got != 1;
}
