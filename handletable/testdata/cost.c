/* cost WHAT N: runs an operation N times, to be counted or timed from outside. */
#include "handletable.h"
#include <stdlib.h>
#include <string.h>

static struct handletable table;
static struct ht_magazine magazine;
static void *volatile result;

static void *object(long i)
{
    return (void *)(0x555500001000 + (i & 63) * 256);
}

int main(int argc, char **argv)
{
    const char *what = argc == 3 ? argv[1] : "";
    long n = argc == 3 ? atol(argv[2]) : 0;
    ht_init(&table, 0x8c000000, 16);
    volatile uint32_t handle = ht_insert(&table, object(64));
    if (!strcmp(what, "loop"))
        for (long i = 0; i < n; i++)
            result = object(i);
    else if (!strcmp(what, "read"))
        for (long i = 0; i < n; i++)
            result = (void *)(uintptr_t)handle;
    else if (!strcmp(what, "lookup"))
        for (long i = 0; i < n; i++)
            result = ht_lookup(&table, handle);
    else if (!strcmp(what, "insert+release"))
        for (long i = 0; i < n; i++)
            ht_release(&table, ht_insert(&table, object(i)));
    else if (!strcmp(what, "reference"))
        for (long i = 0; i < n; i++)
            handle = ht_insert(&table, object(64));
    else if (!strcmp(what, "request"))
        for (long i = 0; i < n; i++)
            ht_release_unshared(&table, &magazine, ht_insert_unshared(&table, &magazine, object(i)));
    else
        return 2;
    return 0;
}
