/* Failures of one process: locking the registry's window, and allocating memory. They are errors on all processes, and
 * the next call works. Two processes, as if on two nodes, so that names are in a window. */
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <stdbool.h>

void *__libc_calloc(size_t n, size_t size), *__libc_malloc(size_t size), *__libc_realloc(void *memory, size_t size);

static bool no_lock, no_unlock;    /* make the next call fail */
static int calls, no_memory = -1;  /* the number of allocations by libdri; the number of the one that fails, or -1 */
static bool only_calloc = true;    /* count calloc only, else malloc and realloc, too */
static void *library;              /* the address at which libdri is loaded */

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

/* Reports whether an allocation, called from an address, must fail. */
static bool is_to_fail(void *caller)
{
    Dl_info info;
    return no_memory >= 0 && dladdr(caller, &info) && info.dli_fbase == library && calls++ == no_memory;
}

void *calloc(size_t n, size_t size)
{
    return is_to_fail(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *malloc(size_t size)
{
    return !only_calloc && is_to_fail(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *realloc(void *memory, size_t size)
{
    return !only_calloc && is_to_fail(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

/* Makes libdri's n-th next allocation fail, in process 1. */
static void fail(int n)
{
    calls = 0;
    no_memory = rank == 1 ? n : -1;
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

/* Returns the class of an error, which must be the same on all processes: no memory, or success. */
static int same(int class, const char *call, int n)
{
    int lowest, highest;
    fail(-1);
    MPI_Allreduce(&class, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&class, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(lowest == highest && (class == DRI_SUCCESS || class == DRI_ERR_NOMEM), "%s, allocation %d: %d (%d to %d)", call, n, class, lowest, highest);
    return class;
}

/* Makes each allocation of process 1 fail, one after another: while a distribution is made, of parts with more
   blocks than a first message has room for, and while a transfer is made and committed. */
static void each_allocation(DRI_gdo d, DRI_group everybody)
{
    DRI_part part;
    DRI_dist dist;
    DRI_xfer x;
    void *buff[] = {NULL}, *buff2[] = {NULL};
    int n, class;
    OK(DRI_part_rules(d, everybody, NULL, &(DRI_part_rule){.kind = DRI_CYCLIC, .block = 2}, &part));
    only_calloc = false;
    for (n = 0, class = -1; class; n++) {
        fail(n);
        class = same(DRI_dist_create(d, part, everybody, &dist), "DRI_dist_create", n);
    }
    CHECK(n > 5, "only %d allocations", n);
    for (n = 0, class = -1; class; n++) {
        fail(n);
        class = same(DRI_xfer_create_clique("all", dist, DRI_LAYOUT_PACKED_0, 1, buff, dist, DRI_LAYOUT_PACKED_0, 1, buff2, &x), "DRI_xfer_create_clique", n);
    }
    CHECK(n > 20, "only %d allocations", n);
    only_calloc = true;
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&dist));
    OK(DRI_part_destroy(&part));
}

int main(int argc, char **argv)
{
    Dl_info info;
    begin(&argc, &argv);
    dladdr((void *)DRI_finalize, &info);
    library = info.dli_fbase;
    DRI_gdo d = gdo(DRI_INT, 1, 8);
    DRI_group everybody = group(0, 2);
    DRI_part_tuple t[] = {{0, 4 * rank, 4 * rank + 3, 0}};
    DRI_part part;
    DRI_dist dist;
    DRI_xfer x;
    OK(DRI_part_create(1, t, &part));
    for (int n = 0; n < 3; n++) { /* the distribution, the messages, the parts */
        fail(n);
        FAILS(DRI_ERR_NOMEM, "rank 1|no memory", DRI_dist_create(d, part, everybody, &dist));
        CHECK(dist == DRI_NULL, "something was made");
        fail(-1);
    }
    OK(DRI_dist_create(d, part, everybody, &dist));
    for (int n = 0; n < 2; n++) { /* the transfer, the messages */
        fail(n);
        CHECK(source(dist, "memory", DRI_ERR_NOMEM, "rank 1|no memory") == DRI_NULL, "something was made");
        fail(-1);
    }
    x = source(dist, "memory", 0, NULL);
    OK(DRI_xfer_destroy(&x));
    DRI_gdo wide = gdo(DRI_INT, 1, 1600);
    each_allocation(wide, everybody);
    OK(DRI_gdo_destroy(&wide));
    no_lock = rank == 0;
    source(dist, "lock", DRI_ERR_MPI, "rank 0|MPI_Win_lock");
    x = source(dist, "lock", 0, NULL);
    OK(DRI_xfer_destroy(&x));
    no_unlock = rank == 0;
    source(dist, "unlock", DRI_ERR_MPI, "rank 0|MPI_Win_unlock");
    x = source(dist, "after", 0, NULL);
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&dist));
    OK(DRI_part_destroy(&part));
    OK(DRI_group_destroy(&everybody));
    OK(DRI_gdo_destroy(&d));
    end("faults");
    return 0;
}
