/* The first example of the paper: a message without an MPI, and without a communicator. The text
 * lacks one argument of MPID_SendContig, the representation. */
#include <stdio.h>

#include "adi_launch.h"
#include "adi_names.h"

static int rank_main(int argc, char **argv)
{
    int err = MPI_SUCCESS, data = 0;
    MPI_Status status;
    MPID_Init(&argc, &argv, (void *)0, &err);
    if (MPID_MyWorldRank == 0) {
        data = 4711;
        MPID_SendContig((struct MPIR_COMMUNICATOR *)0, &data, sizeof data, 0, 0, 0, 1, 0, &err);
    } else {
        MPID_RecvContig((struct MPIR_COMMUNICATOR *)0, &data, sizeof data, 0, 0, 0, &status, &err);
        printf("received %d from %d\n", data, status.MPI_SOURCE);
    }
    MPID_End();
    return err;
}

int main(int argc, char **argv) { return adi_main(argc, argv, 2, rank_main); }
