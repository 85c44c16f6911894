/* The peer communicator of MPI_Intercomm_create is significant only at the leader of each group (MPI-5.0, 7.6.2): elsewhere it may
   have any value. */
#include "check.h"

#ifdef OPEN_MPI
#define NO_HANDLE ((MPI_Comm)0x4a4a4a4a) /* looks like an address */
#else
#define NO_HANDLE ((MPI_Comm)7) /* MPICH aborts on numbers that look like its handles */
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (size < 3)
        return check_done("comm_inter_garbage");

    const int color = rank > 0, theirs = color ? 1 : size - 1;
    int value;
    MPI_Comm local, inter;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, color, rank, &local));
    MUST(MPI_Comm_rank(local, &value));
    MUST(MPI_Intercomm_create(local, 0, value == 0 ? MPI_COMM_WORLD : NO_HANDLE, color ? 0 : 1, 99, &inter));
    MUST(MPI_Comm_remote_size(inter, &value));
    CHECK_INT(value, theirs);
    MUST(MPI_Comm_free(&inter));
    MUST(MPI_Comm_free(&local));
    return check_done("comm_inter_garbage");
}
