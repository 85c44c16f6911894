/* Creates and destroys objects of all kinds: life COUNT LOST. A tenth as many transfers are executed. Memory does not
   grow, except for the bytes that the MPI library itself leaks in each transfer. */
#include "check.h"
#include <sys/resource.h>
#include <unistd.h>

static long resident(void)
{
    long pages = 0, all;
    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f && fscanf(f, "%ld %ld", &all, &pages) == 2, "no /proc/self/statm");
    fclose(f);
    return pages * sysconf(_SC_PAGESIZE) / 1024;
}

static void once(DRI_group own, int i)
{
    DRI_gdo d = gdo(DRI_INT, 2, 8, 8), sub;
    MPI_Count lo[] = {0, 2}, hi[] = {7, 5}, strides[] = {1, 9};
    OK(DRI_gdo_sub(d, lo, hi, &sub));
    DRI_layout a, b;
    int order[] = {1, 0};
    OK(DRI_layout_packed(2, order, &a));
    OK(DRI_layout_create(2, strides, &b));
    DRI_dist dist = slices(d, own, 0, 0, 0);
    if (i % 10 == 0) {
        void *in[] = {NULL}, *out[] = {NULL};
        DRI_xfer x;
        char name[32];
        snprintf(name, sizeof name, "life %d", rank);
        OK(DRI_xfer_create_clique(name, dist, a, 1, in, dist, b, 1, out, &x));
        ((int *)in[0])[1] = i;
        OK(DRI_do(name, x));
        CHECK(((int *)out[0])[9] == i, "element (0, 1) is %d", ((int *)out[0])[9]);
        OK(DRI_xfer_destroy(&x));
    }
    OK(DRI_dist_destroy(&dist));
    OK(DRI_layout_destroy(&a));
    OK(DRI_layout_destroy(&b));
    OK(DRI_gdo_destroy(&sub));
    OK(DRI_gdo_destroy(&d));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int count = argc > 1 ? atoi(argv[1]) : 20000;
    DRI_group own = group(rank, 1);
    for (int i = 0; i < count / 4; i++)
        once(own, i);
    long lost = argc > 2 ? atol(argv[2]) * (count / 10) / 1024 : 0, before = resident();
    for (int i = 0; i < count; i++)
        once(own, i);
    long grown = resident() - before;
    CHECK(grown < 512 + lost, "memory has grown by %ld KB, %ld of them the MPI library's", grown, lost);
    OK(DRI_group_destroy(&own));
    end("life");
    return 0;
}
