/*
 * Construction of communicators (MPI-5.0, 7.4.2, 7.6.2). One process of a new communicator, its
 * leader, takes the context id from the device and passes it to the others: along with the
 * communication that the function needs anyway.
 */
#include "attributes.h"
#include "comm.h"
#include "functions.h"
#include "../coll/coll.h"

#include <stdlib.h>
#include <string.h>

static int no_ids(void) { return em_error(MPI_ERR_NO_MEM, "no context id of the job is free: free communicators that the program does not use any more"); }
int em_no_communicator(void) { return em_error(MPI_ERR_NO_MEM, "no memory for a communicator"); }

int em_give_comm(struct group *local, struct group *remote, int id, struct comm *parent, MPI_Comm *handle)
{
    if (id == NO_CONTEXT)
        return no_ids();
    struct comm *comm = em_comm_new(local, remote, id);
    if (!comm) {
        MPID_Context_drop(id);
        return em_no_communicator();
    }
    em_errhandler_inherit(comm, parent);
    *handle = (MPI_Comm)comm;
    return MPI_SUCCESS;
}

int em_share(struct comm *comm, int *value)
{
    struct type *type = em_type_of(MPI_INT);
    if (!comm->inter)
        return em_Bcast(value, 1, type, 0, comm);
    bool first = em_is_first(comm);
    int err = em_Bcast(value, 1, type, !first ? 0 : comm->rank == 0 ? MPI_ROOT : MPI_PROC_NULL, comm);
    return err || !first ? err : em_Bcast(value, 1, type, 0, comm->within);
}

static bool is_leader(const struct comm *comm) { return comm->rank == 0 && (!comm->inter || em_is_first(comm)); }

/* ---- duplicates ---- */

/* Copies the attributes, the topology and the hints of a communicator to its duplicate. */
static int inherit_from(struct comm *comm, struct comm *copy, struct info *info)
{
    int err = em_attributes_copy(COMM, comm, comm->attributes, copy, &copy->attributes);
    if (!err && comm->topology && !(copy->topology = em_topology_copy(comm->topology)))
        err = em_no_communicator();
    if (!err && info)
        err = em_Comm_set_info(copy, info);
    return err;
}

int em_take_for_all(const struct comm *comm)
{
    return is_leader(comm) ? MPID_Context_take(comm->inter ? comm->size + comm->remote_size : comm->size) : NO_CONTEXT;
}

static int duplicate(struct comm *comm, struct info *info, MPI_Comm *newcomm)
{
    int id = em_take_for_all(comm);
    int err = em_share(comm, &id);
    if (!err)
        err = em_give_comm(comm->local, comm->inter ? comm->remote : NULL, id, comm, newcomm);
    if (err)
        return err;
    err = inherit_from(comm, (struct comm *)*newcomm, info);
    if (err) {
        em_comm_release((struct comm *)*newcomm);
        *newcomm = MPI_COMM_NULL;
    }
    return err;
}

int em_Comm_dup(struct comm *comm, MPI_Comm *newcomm) { return duplicate(comm, comm->info, newcomm); }
int em_Comm_dup_with_info(struct comm *comm, struct info *info, MPI_Comm *newcomm) { return duplicate(comm, info, newcomm); }

/* A nonblocking duplicate: the handle is valid at once, the communicator when the id has come. */
struct idup {
    struct comm *copy;
    int id;
};

static int finish_idup(void *argument)
{
    struct idup *idup = argument;
    struct comm *copy = idup->copy;
    if (idup->id == NO_CONTEXT)
        return no_ids();
    copy->id = idup->id;
    copy->context = (idup->id + RESERVED_CONTEXTS) * CONTEXTS;
    if (copy->within)
        copy->within->context = copy->context + CONTEXT_WITHIN - CONTEXT_COLLECTIVE;
    else
        em_area_open(copy);
    return MPI_SUCCESS;
}

/* The messages of a nonblocking duplicate. In an intercommunicator the leader sends to the other
 * group, whose rank 0 sends to the rest of the leader's group. */
static void plan_idup(struct schedule *schedule, struct comm *comm, struct idup *idup)
{
    struct type *type = em_type_of(MPI_INT);
    bool leader = is_leader(comm), relay = comm->inter && !em_is_first(comm) && comm->rank == 0;
    if (leader)
        for (int rank = comm->inter ? 0 : 1; rank < comm->remote_size; rank++)
            em_step_send(schedule, &idup->id, 1, type, rank);
    else
        em_step_recv(schedule, &idup->id, 1, type, 0);
    em_step_barrier(schedule);
    if (relay)
        for (int rank = 1; rank < comm->remote_size; rank++)
            em_step_send(schedule, &idup->id, 1, type, rank);
    em_step_call(schedule, finish_idup, idup);
}

int em_Comm_idup(struct comm *comm, MPI_Comm *newcomm, MPI_Request *handle)
{
    struct schedule *schedule = em_schedule_new(comm);
    struct idup *idup = em_schedule_memory(schedule, sizeof *idup);
    struct comm *copy = idup ? em_comm_new(comm->local, comm->inter ? comm->remote : NULL, NO_CONTEXT) : NULL;
    if (!copy)
        return em_schedule_start(NULL, NULL);
    em_errhandler_inherit(copy, comm);
    int err = inherit_from(comm, copy, comm->info);
    if (err) {
        em_comm_release(copy);
        return err;
    }
    idup->copy = copy;
    idup->id = em_take_for_all(comm);
    plan_idup(schedule, comm, idup);
    struct request *request;
    err = em_schedule_start(schedule, &request);
    if (err)
        return err;
    *newcomm = (MPI_Comm)copy;
    *handle = (MPI_Request)request;
    return MPI_SUCCESS;
}

/* ---- parts of a communicator ---- */

/* Gathers an integer of each process of the local group, and of the remote one if there is one:
 * n of each process. */
static int gather_all(struct comm *comm, const int *mine, int n, int *local, int *remote)
{
    struct type *type = em_type_of(MPI_INT);
    int err = em_Allgather(mine, n, type, local, n, type, comm->inter ? comm->within : comm);
    return err || !comm->inter ? err : em_Allgather(mine, n, type, remote, n, type, comm);
}

/* The part of a communicator that a process is in: its members in both groups, in order, by rank
 * in comm. */
struct members {
    int size, *member;               /* of the local group */
    int remote_size, *remote_member; /* of the remote group */
};

/* Makes the group of some ranks of a group. */
static struct group *subgroup(const struct group *of, int n, const int *member)
{
    struct group *group = em_group_new(n);
    if (!group)
        return NULL;
    for (int i = 0; i < n; i++)
        group->grank[i] = of->grank[member[i]];
    em_group_find_self(group);
    return group;
}

static bool lacks_ids(const int *ids, int n)
{
    for (int i = 0; i < n; i++)
        if (ids[i] == NO_FREE_CONTEXT)
            return true;
    return false;
}

/* The leader of each part takes an id, all processes exchange these, and each takes that of its
 * leader. A part without members in one of the groups becomes no communicator. The call fails in
 * all processes if a part gets no id. */
static int create_parts(struct comm *comm, const struct members *part, MPI_Comm *newcomm)
{
    bool exists = part->size > 0 && (!comm->inter || part->remote_size > 0);
    bool first = !comm->inter || em_is_first(comm);
    int id = NO_CONTEXT, processes = comm->size + (comm->inter ? comm->remote_size : 0), err;
    *newcomm = MPI_COMM_NULL;
    int *ids = malloc((size_t)processes * sizeof *ids);
    if (!ids)
        return em_no_communicator();
    if (exists && first && part->member[0] == comm->rank && (id = MPID_Context_take(part->size + part->remote_size)) == NO_CONTEXT)
        id = NO_FREE_CONTEXT;
    err = gather_all(comm, &id, 1, ids, ids + comm->size);
    if (!err && lacks_ids(ids, processes)) {
        for (int i = 0; id >= 0 && i < part->size + part->remote_size; i++)
            MPID_Context_drop(id); /* the share of each member */
        err = no_ids();
    }
    if (!err && exists) {
        struct group *local = subgroup(comm->local, part->size, part->member);
        struct group *remote = comm->inter ? subgroup(comm->remote, part->remote_size, part->remote_member) : NULL;
        id = first ? ids[part->member[0]] : ids[comm->size + part->remote_member[0]];
        if (local && (remote || !comm->inter))
            err = em_give_comm(local, remote, id, comm, newcomm);
        else
            err = em_no_communicator();
        em_group_release(local);
        em_group_release(remote);
    }
    free(ids);
    return err;
}

struct color {
    int color, key, rank;
};

static int compare_keys(const void *a, const void *b)
{
    const struct color *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rank - y->rank;
}

/* Selects the processes of a color in the order of their keys. Returns their number. */
static int select_color(const int *pairs, int n, int color, struct color *chosen, int *member)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (pairs[2 * i] == color)
            chosen[count++] = (struct color){color, pairs[2 * i + 1], i};
    qsort(chosen, (size_t)count, sizeof *chosen, compare_keys);
    for (int i = 0; i < count; i++)
        member[i] = chosen[i].rank;
    return count;
}

int em_Comm_split(struct comm *comm, int color, int key, MPI_Comm *newcomm)
{
    if (color < 0 && color != MPI_UNDEFINED)
        return em_error(MPI_ERR_ARG, "color is %d", color);
    size_t n = (size_t)(comm->size + comm->remote_size);
    int mine[2] = {color, key};
    int *pairs = malloc(n * 3 * sizeof *pairs), *member = pairs + 2 * n;
    struct color *chosen = malloc(n * sizeof *chosen);
    int err = pairs && chosen ? gather_all(comm, mine, 2, pairs, pairs + 2 * comm->size) : em_no_communicator();
    if (!err) {
        struct members part = {0, member, 0, member + comm->size};
        if (color != MPI_UNDEFINED) {
            part.size = select_color(pairs, comm->size, color, chosen, part.member);
            if (comm->inter)
                part.remote_size = select_color(pairs + 2 * comm->size, comm->remote_size, color, chosen, part.remote_member);
        }
        err = create_parts(comm, &part, newcomm);
    }
    free(pairs);
    free(chosen);
    return err;
}

int em_Comm_split_type(struct comm *comm, int split_type, int key, struct info *info, MPI_Comm *newcomm)
{
    switch (split_type) {
    case MPI_COMM_TYPE_SHARED: /* all ranks are on one host */
        return em_Comm_split(comm, 0, key, newcomm);
    case MPI_COMM_TYPE_HW_GUIDED:
    case MPI_COMM_TYPE_HW_UNGUIDED:
    case MPI_COMM_TYPE_RESOURCE_GUIDED: /* no such parts are known */
    case MPI_UNDEFINED:
        return em_Comm_split(comm, MPI_UNDEFINED, key, newcomm);
    }
    return em_error(MPI_ERR_ARG, "split_type is %d", split_type);
}

int em_Comm_create(struct comm *comm, struct group *group, MPI_Comm *newcomm)
{
    int *position = em_group_positions(comm->local), *member = malloc((size_t)(comm->size + comm->remote_size + 1) * sizeof *member);
    int *keys = malloc((size_t)(comm->size + comm->remote_size) * sizeof *keys);
    struct members part = {0, member, 0, member + comm->size};
    int err = position && member && keys ? MPI_SUCCESS : em_no_communicator();
    for (int i = 0; i < group->size && !err; i++) {
        int rank = position[group->grank[i]];
        if (rank == MPI_UNDEFINED)
            err = em_error(MPI_ERR_GROUP, "rank %d of the group is not in the communicator", i);
        else if (group->rank != MPI_UNDEFINED)
            part.member[part.size++] = rank;
    }
    if (!err && comm->inter) { /* the other group's selection: each of its processes sends its position */
        int mine = group->rank;
        err = gather_all(comm, &mine, 1, keys, keys + comm->size);
        for (int i = 0; i < comm->remote_size && !err; i++)
            if (keys[comm->size + i] != MPI_UNDEFINED) {
                part.remote_member[keys[comm->size + i]] = i;
                part.remote_size++;
            }
    }
    if (!err)
        err = create_parts(comm, &part, newcomm);
    free(position);
    free(member);
    free(keys);
    return err;
}

int em_Comm_create_group(struct comm *comm, struct group *group, int tag, MPI_Comm *newcomm)
{
    struct type *type = em_type_of(MPI_INT);
    int *position = em_group_positions(comm->local);
    int id = NO_CONTEXT, err = position ? MPI_SUCCESS : em_no_communicator();
    *newcomm = MPI_COMM_NULL;
    for (int i = 0; i < group->size && !err; i++)
        if (position[group->grank[i]] == MPI_UNDEFINED)
            err = em_error(MPI_ERR_GROUP, "rank %d of the group is not in the communicator", i);
    if (!err && group->rank != MPI_UNDEFINED) {
        if (group->rank == 0)
            id = MPID_Context_take(group->size);
        for (int i = 1; i < group->size && !group->rank && !err; i++)
            err = em_send(&id, 1, type, position[group->grank[i]], tag, comm, CONTEXT_CREATION, "MPI_Comm_create_group");
        if (group->rank > 0)
            err = em_recv(&id, 1, type, position[group->grank[0]], tag, comm, CONTEXT_CREATION, NULL, "MPI_Comm_create_group");
        if (!err)
            err = em_give_comm(group, NULL, id, comm, newcomm);
    }
    free(position);
    return err;
}
