/* The second example of the paper: both ranks post a receive, send, and complete the receive. The
 * request is on the caller's stack. In the text rank 0 receives from 0, which works only if rank 1
 * calls itself 0; here it calls itself 1. */
#include <stdio.h>

#include "adi_launch.h"
#include "adi_names.h"

static int rank_main(int argc, char **argv)
{
    int err = MPI_SUCCESS, data, other, got = -1;
    MPI_Status status;
    union MPIR_HANDLE handle;
    MPI_Request request = &handle;
    MPID_Init(&argc, &argv, (void *)0, &err);
    other = 1 - MPID_MyWorldRank;
    data = 100 + MPID_MyWorldRank;
    MPID_IrecvContig((struct MPIR_COMMUNICATOR *)0, &got, sizeof got, other, 0, 0, &request->rhandle, &err);
    MPID_SendContig((struct MPIR_COMMUNICATOR *)0, &data, sizeof data, MPID_MyWorldRank, 0, 0, other, 0, &err);
    while (!MPID_RecvIcomplete(&request->rhandle, &status, &err))
        MPID_DeviceCheck(MPID_BLOCKING);
    printf("rank %d received %d from %d\n", MPID_MyWorldRank, got, status.MPI_SOURCE);
    MPID_End();
    return err;
}

int main(int argc, char **argv) { return adi_main(argc, argv, 2, rank_main); }
