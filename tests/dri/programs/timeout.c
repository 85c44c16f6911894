/* A partner does not arrive and DRI_TIMEOUT is set: the call fails, and the partner may still arrive later. Two
   processes. */
#include "check.h"

int main(int argc, char **argv)
{
    setenv("DRI_TIMEOUT", "0.2", 1);
    begin(&argc, &argv);
    DRI_gdo d = gdo(DRI_INT, 1, 6);
    DRI_group own = group(rank, 1);
    DRI_dist dist = slices(d, own, 0, 0, 0);
    void *buff[] = {NULL};
    int word = 0, class;
    DRI_xfer x;
    if (rank == 0) {
        FAILS(DRI_ERR_TIMEOUT, "'late'|0.2 seconds|DRI_TIMEOUT", DRI_xfer_create("late", DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 1, buff, &x));
        CHECK(x == DRI_NULL && buff[0] == NULL, "something was made");
        OK(DRI_xfer_register("late", DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 1, buff, &x));
        FAILS(DRI_ERR_TIMEOUT, "'late'", DRI_xfer_commit(1, &x));
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        OK(DRI_xfer_register("late", DRI_DESTINATION, dist, DRI_LAYOUT_PACKED_0, 1, buff, &x));
    }
    /* However slow the machine is, both arrive in the end. */
    while ((class = DRI_xfer_commit(1, &x)) == DRI_ERR_TIMEOUT)
        ;
    OK(class);
    for (int i = 0; i < 6; i++)
        ((int *)buff[0])[i] = rank ? 0 : i + 1;
    if (rank == 0) {
        FAILS(DRI_ERR_TIMEOUT, "'late'", DRI_do("late", x));
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        FAILS(DRI_ERR_STATE, "running", DRI_do("late", x));
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        OK(DRI_start(x));
    }
    while ((class = DRI_wait(x)) == DRI_ERR_TIMEOUT)
        ;
    OK(class);
    CHECK(((int *)buff[0])[5] == 6, "element 5 is %d", ((int *)buff[0])[5]);
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&dist));
    OK(DRI_group_destroy(&own));
    OK(DRI_gdo_destroy(&d));
    end("timeout");
    return 0;
}
