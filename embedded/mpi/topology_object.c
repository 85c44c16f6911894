/* The memory of topologies, which never change after their creation. No locks. */
#include "topology.h"
#include "../base/errors.h"

#include <stdlib.h>
#include <string.h>

/* One block holds the object and its arrays, so that free() suffices and a copy is one memcpy. */
struct topology *em_topology_new(int kind, int64_t ints, int **place)
{
    size_t bytes = sizeof(struct topology) + (size_t)ints * sizeof(int);
    struct topology *t = calloc(1, bytes);
    if (!t)
        return NULL;
    t->bytes = bytes;
    t->kind = kind;
    *place = (int *)(t + 1);
    return t;
}

/* Returns a copy, or NULL without memory. The arrays lie in the object's block, so their addresses move with it. */
struct topology *em_topology_copy(const struct topology *t)
{
    struct topology *copy = malloc(t->bytes);
    if (!copy)
        return NULL;
    memcpy(copy, t, t->bytes);
    int **arrays[] = {&copy->dim, &copy->period, &copy->coord, &copy->index, &copy->edge, &copy->source, &copy->destination, &copy->source_weight, &copy->destination_weight};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (*arrays[i])
            *arrays[i] = (int *)((char *)copy + ((char *)*arrays[i] - (const char *)t));
    return copy;
}

int em_no_topology(void) { return em_error(MPI_ERR_NO_MEM, "no memory for the topology"); }
