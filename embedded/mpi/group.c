/*
 * Groups (MPI-5.0, 7.3): arrays of ranks in the job. A group does not change after its creation, so there are no
 * locks.
 */
#include "comm.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/pool.h"
#include "../base/release.h"

#include <stdlib.h>
#include <string.h>

/* Returns a group with room for size ranks, which the caller fills in, or NULL without memory. An empty group has a
 * block, too, so that free() always gets one. */
struct group *em_group_new(int size)
{
    struct group *group = em_new(GROUP);
    if (!group)
        return NULL;
    group->grank = malloc((size_t)(size ? size : 1) * sizeof *group->grank);
    if (!group->grank) {
        em_delete(GROUP, group);
        return NULL;
    }
    group->size = size;
    group->rank = MPI_UNDEFINED;
    return group;
}

/* Sets group->rank from the members, or to MPI_UNDEFINED if this process is none. Called once the members are final. */
void em_group_find_self(struct group *group)
{
    group->rank = MPI_UNDEFINED;
    for (int i = 0; i < group->size && group->rank == MPI_UNDEFINED; i++)
        if (group->grank[i] == MPID_MyWorldRank)
            group->rank = i;
}

/* Returns the inverse of the group: by rank in the job, the rank in the group or MPI_UNDEFINED. Owned by the caller;
 * NULL without memory. */
int *em_group_positions(const struct group *group)
{
    int *at = malloc((size_t)MPID_MyWorldSize * sizeof *at);
    if (!at)
        return NULL;
    for (int i = 0; i < MPID_MyWorldSize; i++)
        at[i] = MPI_UNDEFINED;
    for (int i = 0; i < group->size; i++)
        at[group->grank[i]] = i;
    return at;
}

static int no_group_memory(void) { return em_error(MPI_ERR_NO_MEM, "no memory for a group"); }

/* Gives a new group to the program; an empty one becomes MPI_GROUP_EMPTY. */
static int give_group(struct group *group, MPI_Group *handle)
{
    if (!group)
        return no_group_memory();
    if (group->size == 0) {
        em_group_release(group);
        *handle = MPI_GROUP_EMPTY;
        return MPI_SUCCESS;
    }
    em_group_find_self(group);
    *handle = (MPI_Group)group;
    return MPI_SUCCESS;
}

/* The group's size is fixed at its creation, so no lock is needed. */
int em_Group_size(struct group *group, int *size)
{
    *size = group->size;
    return MPI_SUCCESS;
}

/* Writes this process's rank in the group, or MPI_UNDEFINED if it is no member. */
int em_Group_rank(struct group *group, int *rank)
{
    *rank = group->rank;
    return MPI_SUCCESS;
}

/* Checks all ranks before it writes any. MPI_PROC_NULL stays itself, and a process that group2 lacks becomes
 * MPI_UNDEFINED. */
int em_Group_translate_ranks(struct group *group1, int n, const int *ranks1, struct group *group2, int *ranks2)
{
    if (n < 0)
        return em_error(MPI_ERR_ARG, "n is %d", n);
    for (int i = 0; i < n; i++)
        if ((unsigned)ranks1[i] >= (unsigned)group1->size && ranks1[i] != MPI_PROC_NULL)
            return em_error(MPI_ERR_RANK, "ranks1[%d] is %d in a group of %d", i, ranks1[i], group1->size);
    int *at = em_group_positions(group2);
    if (!at)
        return no_group_memory();
    for (int i = 0; i < n; i++)
        ranks2[i] = ranks1[i] == MPI_PROC_NULL ? MPI_PROC_NULL : at[group1->grank[ranks1[i]]];
    free(at);
    return MPI_SUCCESS;
}

int em_compare_groups(const struct group *group1, const struct group *group2, int *result)
{
    *result = MPI_UNEQUAL;
    if (group1->size != group2->size)
        return MPI_SUCCESS;
    if (!memcmp(group1->grank, group2->grank, (size_t)group1->size * sizeof(int))) {
        *result = MPI_IDENT;
        return MPI_SUCCESS;
    }
    int *at = em_group_positions(group2);
    if (!at)
        return no_group_memory();
    bool same = true;
    for (int i = 0; i < group1->size; i++)
        same &= at[group1->grank[i]] != MPI_UNDEFINED;
    free(at);
    *result = same ? MPI_SIMILAR : MPI_UNEQUAL;
    return MPI_SUCCESS;
}

int em_Group_compare(struct group *group1, struct group *group2, int *result) { return em_compare_groups(group1, group2, result); }

/* ---- sets ---- */

/* Makes a group of the members of group1 that are in group2, or of those that are not, followed by
 * the members of group2 that are not in group1, if rest is true. */
static int combine(struct group *group1, struct group *group2, bool common, bool others, bool rest, MPI_Group *newgroup)
{
    struct group *group = em_group_new(group1->size + group2->size);
    int *in1 = em_group_positions(group1), *in2 = em_group_positions(group2);
    int n = 0;
    if (group && in1 && in2) {
        for (int i = 0; i < group1->size; i++)
            if (in2[group1->grank[i]] != MPI_UNDEFINED ? common : others)
                group->grank[n++] = group1->grank[i];
        for (int i = 0; i < group2->size && rest; i++)
            if (in1[group2->grank[i]] == MPI_UNDEFINED)
                group->grank[n++] = group2->grank[i];
        group->size = n;
    }
    bool complete = group && in1 && in2;
    free(in1);
    free(in2);
    if (complete)
        return give_group(group, newgroup);
    em_group_release(group);
    return no_group_memory();
}

int em_Group_union(struct group *group1, struct group *group2, MPI_Group *newgroup) { return combine(group1, group2, true, true, true, newgroup); }
int em_Group_intersection(struct group *group1, struct group *group2, MPI_Group *newgroup) { return combine(group1, group2, true, false, false, newgroup); }
int em_Group_difference(struct group *group1, struct group *group2, MPI_Group *newgroup) { return combine(group1, group2, false, true, false, newgroup); }

/* ---- selections ---- */

/* Adds a rank to a selection. marks holds a byte for each rank of the group. */
static int select_rank(const struct group *group, char *marks, int rank)
{
    if ((unsigned)rank >= (unsigned)group->size)
        return em_error(MPI_ERR_RANK, "rank %d in a group of %d", rank, group->size);
    if (marks[rank])
        return em_error(MPI_ERR_RANK, "rank %d is given twice", rank);
    marks[rank] = 1;
    return MPI_SUCCESS;
}

/* Makes the group of the selected ranks in the order of order (n of them), or of all ranks without
 * a mark if order is NULL. */
static int give_selection(struct group *group, const char *marks, int n, const int *order, MPI_Group *newgroup)
{
    struct group *selected = em_group_new(group->size);
    if (!selected)
        return no_group_memory();
    selected->size = 0;
    for (int i = 0; i < n && order; i++)
        selected->grank[selected->size++] = group->grank[order[i]];
    for (int i = 0; i < group->size && !order; i++)
        if (!marks[i])
            selected->grank[selected->size++] = group->grank[i];
    return give_group(selected, newgroup);
}

/* Selects n ranks. include: makes a group of these, else of the others. */
static int select_ranks(struct group *group, int n, const int *ranks, bool include, MPI_Group *newgroup)
{
    if (n < 0)
        return em_error(MPI_ERR_ARG, "n is %d", n);
    char *marks = calloc((size_t)group->size + 1, 1);
    int err = marks ? MPI_SUCCESS : no_group_memory();
    for (int i = 0; i < n && !err; i++)
        err = select_rank(group, marks, ranks[i]);
    static const int none[1];
    if (!err)
        err = give_selection(group, marks, n, include ? (n ? ranks : none) : NULL, newgroup);
    free(marks);
    return err;
}

int em_Group_incl(struct group *group, int n, const int *ranks, MPI_Group *newgroup) { return select_ranks(group, n, ranks, true, newgroup); }
int em_Group_excl(struct group *group, int n, const int *ranks, MPI_Group *newgroup) { return select_ranks(group, n, ranks, false, newgroup); }

/* Returns the ranks of n ranges as an array, and their number, or an error code. */
static int expand_ranges(struct group *group, int n, int ranges[][3], int **ranks, int *number)
{
    *number = 0;
    *ranks = malloc(((size_t)group->size + 1) * sizeof **ranks);
    if (!*ranks)
        return no_group_memory();
    for (int i = 0; i < n; i++) {
        int first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
        if (!stride)
            return em_error(MPI_ERR_ARG, "the stride of range %d is 0", i);
        for (int64_t rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) {
            if (*number == group->size)
                return em_error(MPI_ERR_RANK, "range %d: there are more ranks than in the group, %d", i, group->size);
            if (rank < 0 || rank >= group->size)
                return em_error(MPI_ERR_RANK, "range %d: rank %lld in a group of %d", i, (long long)rank, group->size);
            (*ranks)[(*number)++] = (int)rank;
        }
    }
    return MPI_SUCCESS;
}

static int select_ranges(struct group *group, int n, int ranges[][3], bool include, MPI_Group *newgroup)
{
    int *ranks = NULL, number;
    if (n < 0)
        return em_error(MPI_ERR_ARG, "n is %d", n);
    int err = expand_ranges(group, n, ranges, &ranks, &number);
    if (!err)
        err = select_ranks(group, number, ranks, include, newgroup);
    free(ranks);
    return err;
}

int em_Group_range_incl(struct group *group, int n, int ranges[][3], MPI_Group *newgroup) { return select_ranges(group, n, ranges, true, newgroup); }
int em_Group_range_excl(struct group *group, int n, int ranges[][3], MPI_Group *newgroup) { return select_ranges(group, n, ranges, false, newgroup); }

/* Drops the handle's reference. A communicator of the group keeps its own. */
int em_Group_free(MPI_Group *handle)
{
    struct group *group = em_group_of(*handle);
    if (!group)
        return em_error(MPI_ERR_GROUP, "group is not a valid group");
    em_group_release(group); /* MPI_GROUP_EMPTY may be freed (MPI-5.0, 7.3.1) */
    *handle = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
