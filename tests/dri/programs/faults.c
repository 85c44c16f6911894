/* Failures of one process: allocating memory, and locking the registry's window if the MPI library has windows. They are
 * errors on all processes, and the next call works. Two processes, as if on two nodes. */
#define _GNU_SOURCE
#include "lacking.h"

static bool no_lock, no_unlock;    /* make the next call fail */

int MPI_Win_lock(int type, int target, int assert, MPI_Win win)
{
    if (no_lock)
        return no_lock = false, MPI_ERR_RMA_SYNC;
    return PMPI_Win_lock(type, target, assert, win);
}

int MPI_Win_unlock(int target, MPI_Win win)
{
    int rc = PMPI_Win_unlock(target, win);
    if (no_unlock)
        return no_unlock = false, MPI_ERR_RMA_SYNC;
    return rc;
}

static DRI_xfer source(DRI_dist dist, const char *name, int class, const char *words)
{
    void *buff[] = {NULL};
    DRI_xfer x = DRI_NULL;
    if (class)
        FAILS(class, words, DRI_xfer_register(name, DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 1, buff, &x));
    else
        OK(DRI_xfer_register(name, DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 1, buff, &x));
    return x;
}

/* Makes each allocation of process 1 fail, one after another: while a distribution is made, of parts with more
   blocks than a first message has room for, and while a transfer is made and committed. */
static void each_allocation(DRI_gdo d, DRI_group everybody)
{
    DRI_part part;
    DRI_dist dist;
    DRI_xfer x;
    void *buff[] = {NULL}, *buff2[] = {NULL};
    bool again = true;
    int n;
    OK(DRI_part_rules(d, everybody, NULL, &(DRI_part_rule){.kind = DRI_CYCLIC, .block = 2}, &part));
    only_calloc = false;
    for (n = 0; again; n++) {
        fail(1, n);
        again = lacked(DRI_dist_create(d, part, everybody, &dist), "DRI_dist_create", n);
    }
    CHECK(n > 5, "only %d allocations", n);
    for (n = 0, again = true; again; n++) {
        fail(1, n);
        int class = DRI_xfer_create_clique("all", dist, DRI_LAYOUT_PACKED_0, 1, buff, dist, DRI_LAYOUT_PACKED_0, 1, buff2, &x);
        again = lacked(class, "DRI_xfer_create_clique", n);
        if (!class)
            OK(DRI_xfer_destroy(&x));
        buff[0] = buff2[0] = NULL;
    }
    CHECK(n > 20, "only %d allocations", n);
    only_calloc = true;
    OK(DRI_dist_destroy(&dist));
    OK(DRI_part_destroy(&part));
}

int main(int argc, char **argv)
{
    begin_lacking(&argc, &argv);
    only_calloc = true;
    DRI_gdo d = gdo(DRI_INT, 1, 8);
    DRI_group everybody = group(0, 2);
    DRI_part_tuple t[] = {{0, 4 * rank, 4 * rank + 3, 0}};
    DRI_part part;
    DRI_dist dist;
    DRI_xfer x;
    OK(DRI_part_create(1, t, &part));
    for (int n = 0; n < 3; n++) { /* the distribution, the messages, the parts */
        fail(1, n);
        FAILS(DRI_ERR_NOMEM, "rank 1|no memory", DRI_dist_create(d, part, everybody, &dist));
        CHECK(dist == DRI_NULL, "something was made");
        fail(1, -1);
    }
    OK(DRI_dist_create(d, part, everybody, &dist));
    for (int n = 0; n < 2; n++) { /* the transfer, the messages */
        fail(1, n);
        CHECK(source(dist, "memory", DRI_ERR_NOMEM, "rank 1|no memory") == DRI_NULL, "something was made");
        fail(1, -1);
    }
    x = source(dist, "memory", 0, NULL);
    OK(DRI_xfer_destroy(&x));
    DRI_gdo wide = gdo(DRI_INT, 1, 1600);
    each_allocation(wide, everybody);
    OK(DRI_gdo_destroy(&wide));
    if (has_windows()) {
        no_lock = rank == 0;
        source(dist, "lock", DRI_ERR_MPI, "rank 0|MPI_Win_lock");
        x = source(dist, "lock", 0, NULL);
        OK(DRI_xfer_destroy(&x));
        no_unlock = rank == 0;
        source(dist, "unlock", DRI_ERR_MPI, "rank 0|MPI_Win_unlock");
    }
    x = source(dist, "after", 0, NULL);
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&dist));
    OK(DRI_part_destroy(&part));
    OK(DRI_group_destroy(&everybody));
    OK(DRI_gdo_destroy(&d));
    end("faults");
    return 0;
}
