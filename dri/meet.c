/* The ends of a transfer find each other at a commit. Only the leaders of the groups know each other at first: an error of
 * one process gets to the others of its group, from its leader to the other leaders, and from these to their groups, so
 * that no process waits for another one that has failed. */
#include "internal.h"
#include <stdlib.h>
#include <string.h>

DRI_group dri_xfer_group(DRI_xfer x)
{
    return x->src.role ? x->src.dist->group : x->dst.dist->group;
}

int dri_control_tag(DRI_xfer x)
{
    return TAG_SLOT + 2 * x->slot;
}

/* Waits until all ends are ready. After a timeout, this end is not ready any more, and the commit can be repeated. */
static int wait_for_ends(DRI_xfer x, struct registered *found)
{
    TRY(dri_registry_commit(x->name, x->slot, x->registry_end, x->n_groups, found));
    struct wait w = dri_wait_begin();
    while (!found->n) {
        int class = dri_pause(&w, "the other end of transfer", x->name);
        if (class) {
            TRY(dri_registry_retreat(x->name, x->slot, x->registry_end, found));
            return found->n ? DRI_SUCCESS : class;
        }
        if (w.idle % 16 == 0)
            TRY(dri_registry_poll(x->name, x->slot, x->registry_end, found));
    }
    return DRI_SUCCESS;
}

/* Exchanges errors among the leaders of all groups. Only the leaders call it. */
static int agree_leaders(DRI_xfer x, const struct registered *found, int class)
{
    return dri_agree(found->leader, found->n, found->caller, dri_control_tag(x), class);
}

/* Exchanges the lists of processes among the leaders of all groups, and writes them one after the other. */
static int swap_lists(DRI_xfer x, const struct registered *found, int *lists)
{
    DRI_group g = dri_xfer_group(x);
    int mine = 0, tag = dri_control_tag(x);
    MPI_Request requests[2 * (DRI_MAX_PARTNERS + 1)];
    int n = 0, at = 0;
    for (int i = 0; i < found->caller; i++)
        mine += found->size[i];
    memcpy(lists + mine, g->sorted, g->n * sizeof(int));
    for (int i = 0; i < found->n; at += found->size[i++])
        if (i != found->caller) {
            MPI(MPI_Irecv, lists + at, found->size[i], MPI_INT, found->leader[i], tag, dri_world.comm, &requests[n++]);
            MPI(MPI_Isend, lists + mine, g->n, MPI_INT, found->leader[i], tag, dri_world.comm, &requests[n++]);
        }
    MPI(MPI_Waitall, n, requests, MPI_STATUSES_IGNORE);
    return DRI_SUCCESS;
}

/* Orders ranks, for qsort. */
static int order_ranks(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Sorts the ranks of all groups. Returns DRI_ERR_ROLE if a rank is in two of them. */
static int sort_ranks(DRI_xfer x, int n, int *ranks)
{
    qsort(ranks, n, sizeof *ranks, order_ranks);
    for (int i = 1; i < n; i++)
        if (ranks[i] == ranks[i - 1])
            return dri_fail(DRI_ERR_ROLE, "transfer '%s': rank %d is in two of its groups: create it as a clique", x->name, ranks[i]);
    return DRI_SUCCESS;
}

/* The part of a commit that only the leader of a group does: it meets the other leaders, also if class is an error
 * already, and appends the list of all processes. found->n is 0 after an error that the other leaders do not wait for:
 * they did not come, or they have the same error, because all have the same list. */
static int meet_leaders(DRI_xfer x, int class, struct registered *found, struct bytes *out)
{
    TRY(wait_for_ends(x, found));
    int total = 0;
    for (int i = 0; i < found->n; i++)
        total += found->size[i];
    int *lists = malloc(total * sizeof *lists);
    if (!class)
        class = lists ? dri_reserve(out, (total + 4) * sizeof(int64_t)) : dri_no_memory("the lists of processes");
    class = agree_leaders(x, found, class);
    if (!class)
        class = swap_lists(x, found, lists);
    if (!class) {
        class = sort_ranks(x, total, lists);
        if (class)
            found->n = 0;
    }
    if (!class)
        class = dri_put_number(out, total);
    if (!class)
        class = dri_put(out, lists, total * sizeof *lists);
    free(lists);
    return class;
}

/* Reads the list of all processes. */
static int read_all(struct reader *r, struct all *all)
{
    all->n = dri_get_number(r);
    all->procs = malloc(all->n * sizeof(int));
    if (!all->procs)
        return dri_no_memory("the list of processes");
    memcpy(all->procs, dri_get(r, all->n * sizeof(int)), all->n * sizeof(int));
    for (int i = 0; i < all->n; i++)
        if (all->procs[i] == dri_world.rank)
            all->me = i;
    return DRI_SUCCESS;
}

int dri_find_all(DRI_xfer x, struct all *all)
{
    DRI_group g = dri_xfer_group(x);
    if (x->src.role && x->dst.role) {
        *all = (struct all){g->n, g->me, g->sorted};
        return DRI_SUCCESS;
    }
    struct registered found = {0};
    struct bytes mine = {0};
    char *memory = NULL;
    struct reader *said = calloc(g->n, sizeof *said);
    int tag = dri_control_tag(x), class = said ? DRI_SUCCESS : dri_no_memory("the group");
    if (g->me == 0)
        class = meet_leaders(x, class, &found, &mine);
    class = dri_exchange(g->sorted, g->n, g->me, tag, class, &mine, said, &memory);
    if (!class)
        class = read_all(&said[0], all);
    class = dri_agree(g->sorted, g->n, g->me, tag, class);
    if (found.n)
        class = agree_leaders(x, &found, class);
    class = dri_agree(g->sorted, g->n, g->me, tag, class);
    free(mine.data);
    free(said);
    free(memory);
    return class;
}
