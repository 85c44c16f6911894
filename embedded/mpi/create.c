/*
 * Construction of communicators (MPI-5.0, 7.4.2, 7.6.2). The members of a new communicator agree on its ids (contexts.h): those
 * of a whole communicator by reductions, and those of a group by messages.
 */
#include "contexts.h"
#include "messages.h"
#include "topology.h"
#include "functions.h"
#include "../base/attributes.h"
#include "../base/errors.h"
#include "../base/release.h"
#include "../coll/coll.h"

#include <stdlib.h>
#include <string.h>

/* Writes a handle to a new communicator with the ids. It inherits the error handler of parent. Drops the ids after an
 * error. */
int em_give_comm(struct group *local, struct group *remote, struct ids ids, struct comm *parent, MPI_Comm *handle)
{
    struct comm *comm = em_comm_new(local, remote, ids);
    if (!comm) {
        em_ids_drop(&ids);
        return em_no_communicator();
    }
    int err = em_area_open(comm);
    if (err) {
        em_comm_release(comm);
        return err;
    }
    em_errhandler_inherit(comm, parent);
    *handle = (MPI_Comm)comm;
    return MPI_SUCCESS;
}

/* ---- agreement of all processes of a communicator ---- */

/* Combines the ballots of all processes of a communicator (a combine_function). */
static int combine_whole(void *argument, struct search *s)
{
    struct comm *comm = argument;
    if (!comm->inter)
        return em_Allreduce(MPI_IN_PLACE, s->ballot, s->count, s->type, s->op, comm);
    void *others = malloc((size_t)(s->count * s->type->device.size));
    if (!others)
        return em_no_communicator();
    int err = em_Allreduce(s->ballot, others, s->count, s->type, s->op, comm); /* the other group's */
    if (!err)
        err = em_Allreduce(MPI_IN_PLACE, s->ballot, s->count, s->type, s->op, comm->within);
    if (!err)
        em_search_merge(s, others);
    free(others);
    return err;
}

static bool is_leader(const struct comm *comm) { return comm->rank == 0 && (!comm->inter || em_is_first(comm)); }

/* Begins the search for ids of a communicator of all processes of comm. */
static void search_for_all(struct search *s, struct comm *comm, bool merged)
{
    int size = comm->size + (merged ? comm->remote_size : 0);
    em_search_begin(s, comm, 0, true, is_leader(comm) && (merged || !comm->inter) ? size : 0);
}

/* Agrees on the ids of an intercommunicator's merge, whose members are the processes of both groups. */
int em_agree_merged(struct comm *comm, struct ids *ids)
{
    struct search s;
    search_for_all(&s, comm, true);
    return em_agree(&s, combine_whole, comm, ids);
}

/* Takes an id of the reserve, and the area that rank 0 has taken. */
static int take_reserved(struct comm *comm, struct ids *ids)
{
    *ids = (struct ids){em_reserve_take(comm), NO_AREA};
    if (comm->inter) /* lacks an area */
        return MPI_SUCCESS;
    if (is_leader(comm))
        ids->area = em_area_take(comm->size);
    int err = em_Bcast(&ids->area, 1, em_type_of(MPI_INT), 0, comm);
    if (err)
        em_ids_drop(ids);
    return err;
}

/* Takes ids for a duplicate of comm, and fills the reserve if it is empty. */
static int take_for_duplicate(struct comm *comm, struct ids *ids)
{
    struct search s;
    if (!comm->inter && comm->size == 1)
        return em_ids_take_own(ids);
    if (comm->reserve.left)
        return take_reserved(comm, ids);
    search_for_all(&s, comm, false);
    s.run = em_reserve_run(comm);
    int err = em_agree(&s, combine_whole, comm, ids);
    if (!err)
        em_reserve_fill(comm, s.ids.context, s.run);
    return err;
}

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

static int duplicate(struct comm *comm, struct info *info, MPI_Comm *newcomm)
{
    struct ids ids;
    int err = take_for_duplicate(comm, &ids);
    if (!err)
        err = em_give_comm(comm->local, comm->inter ? comm->remote : NULL, ids, comm, newcomm);
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

/* A nonblocking duplicate: the handle is valid at once, the communicator when its ids are known. */
struct idup {
    struct schedule *schedule;
    struct comm *comm, *copy;
    struct search search;
    void *ballots; /* intercommunicator: rank 0's memory for the other group's ballots */
};

static int begin_round(struct idup *idup);

/* Ends the search. If the processes agreed, gives the ids to the copy, which is usable from then on. */
static int finish_idup(struct idup *idup, int err, int decision)
{
    err = em_search_end(&idup->search, err, decision);
    if (!err) {
        em_comm_identify(idup->copy, idup->search.ids);
        err = em_area_open(idup->copy);
    }
    return decision == SEARCH_FULL ? MPI_ERR_OTHER : err;
}

/* A step of the schedule: decides the round, and appends the steps of another one if the processes did not agree. */
static int end_round(void *argument)
{
    struct idup *idup = argument;
    int decision = em_search_decide(&idup->search);
    return decision == SEARCH_AGAIN ? begin_round(idup) : finish_idup(idup, MPI_SUCCESS, decision);
}

/* Combines the ballots that have come from the other group, and the result of this group, which its rank 0 sends. */
static int merge_ballots(void *argument)
{
    struct idup *idup = argument;
    struct search *s = &idup->search;
    int64_t bytes = s->count * s->type->device.size;
    char *ballot = idup->ballots;
    memcpy(s->ballot, ballot, (size_t)bytes);
    for (int rank = 1; rank < idup->comm->remote_size; rank++)
        em_search_merge(s, ballot + rank * bytes);
    return MPI_SUCCESS;
}

/* A step of the schedule: combines the ballot with the other group's. */
static int merge_groups(void *argument)
{
    struct idup *idup = argument;
    em_search_merge(&idup->search, idup->ballots);
    return MPI_SUCCESS;
}

/* The messages of a round in an intercommunicator: each rank 0 collects the ballots of the other group. The two exchange what they
 * have, and each sends the combination to the other group. */
static void plan_inter_round(struct schedule *schedule, struct comm *comm, struct idup *idup)
{
    struct search *s = &idup->search;
    int64_t bytes = s->count * s->type->device.size;
    int n = comm->remote_size;
    em_step_send(schedule, s->ballot, s->count, s->type, 0);
    if (comm->rank == 0) {
        idup->ballots = em_schedule_memory(schedule, n * bytes);
        for (int rank = 0; rank < n && idup->ballots; rank++)
            em_step_recv(schedule, (char *)idup->ballots + rank * bytes, s->count, s->type, rank);
        em_step_barrier(schedule);
        em_step_call(schedule, merge_ballots, idup);
        em_step_send(schedule, s->ballot, s->count, s->type, 0);
        em_step_recv(schedule, idup->ballots, s->count, s->type, 0);
        em_step_barrier(schedule);
        em_step_call(schedule, merge_groups, idup);
        for (int rank = 1; rank < n; rank++)
            em_step_send(schedule, s->ballot, s->count, s->type, rank);
    } else {
        em_step_barrier(schedule); /* the ballot is sent before it is overwritten */
        em_step_recv(schedule, s->ballot, s->count, s->type, 0);
    }
}

/* Adds the steps of a round. */
static int begin_round(struct idup *idup)
{
    struct search *s = &idup->search;
    struct schedule *schedule = idup->schedule;
    int err = em_search_ballot(s);
    if (err)
        return finish_idup(idup, err, SEARCH_AGAIN);
    if (idup->comm->inter) {
        plan_inter_round(schedule, idup->comm, idup);
    } else {
        em_make_reduce(schedule, s->ballot, idup->comm->rank == 0 ? s->ballot : NULL, s->count, s->type, s->op, 0);
        em_step_barrier(schedule);
        em_make_bcast(schedule, s->ballot, s->count, s->type, 0);
    }
    em_step_barrier(schedule);
    em_step_call(schedule, end_round, idup);
    return MPI_SUCCESS;
}

/* Makes the copy without ids at once and agrees on them in a schedule, because the call must not wait for other
 * processes. */
int em_Comm_idup(struct comm *comm, MPI_Comm *newcomm, MPI_Request *handle)
{
    static const struct ids none = {NO_CONTEXT, NO_AREA};
    struct schedule *schedule = em_schedule_new(comm);
    struct idup *idup = em_schedule_memory(schedule, sizeof *idup);
    struct comm *copy = idup ? em_comm_new(comm->local, comm->inter ? comm->remote : NULL, none) : NULL;
    if (!copy)
        return em_schedule_start(NULL, NULL);
    em_errhandler_inherit(copy, comm);
    int err = inherit_from(comm, copy, comm->info);
    if (err) {
        em_comm_release(copy);
        return err;
    }
    *idup = (struct idup){.schedule = schedule, .comm = comm, .copy = copy};
    if (!comm->inter && comm->size == 1) {
        struct ids ids;
        if (!(err = em_ids_take_own(&ids)))
            em_comm_identify(copy, ids);
    } else {
        search_for_all(&idup->search, comm, false);
        err = begin_round(idup);
    }
    struct request *request;
    if (err || (err = em_schedule_start(schedule, &request))) {
        em_comm_release(copy);
        return err;
    }
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
    int size, *member;               /* size and members of the local group */
    int remote_size, *remote_member; /* size and members of the remote group */
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

/* An agreement in which each part of a communicator has its own leader: the votes of all processes, first of the local group. */
struct parts {
    struct comm *comm;
    int leader; /* index of the leader's vote in this process's part, or -1 */
    int *votes; /* VOTES of each process */
};

/* Combines the ballots of all processes. Only the leader's vote for an area counts (a combine_function). */
static int combine_parts(void *argument, struct search *s)
{
    struct parts *parts = argument;
    struct comm *comm = parts->comm;
    int *votes = parts->votes, processes = comm->size + (comm->inter ? comm->remote_size : 0);
    if (s->ballot != s->vote)
        return combine_whole(comm, s);
    int err = gather_all(comm, s->vote, VOTES, votes, votes + VOTES * comm->size);
    for (int i = 0; i < processes && !err; i++)
        em_search_merge(s, &votes[VOTES * i]);
    if (parts->leader >= 0)
        s->vote[VOTE_AREA] = votes[VOTES * parts->leader + VOTE_AREA];
    return err;
}

/* Agrees on the ids of the part that this process is in, if it is a member of one. All parts get the same context id. */
static int agree_on_parts(struct comm *comm, const struct members *part, bool member, bool full, struct ids *ids)
{
    bool first = !comm->inter || em_is_first(comm);
    struct parts parts = {comm, -1, malloc((size_t)(comm->size + comm->remote_size) * VOTES * sizeof(int))};
    struct search s;
    if (!parts.votes)
        return em_no_communicator();
    if (member)
        parts.leader = first ? part->member[0] : comm->size + part->remote_member[0];
    em_search_begin(&s, comm, 1, member, member && !comm->inter && parts.leader == comm->rank ? part->size : 0);
    s.full = full;
    int err = em_agree(&s, combine_parts, &parts, ids);
    free(parts.votes);
    return err;
}

/* Makes the communicator of the part that this process is in. A part without members in one of the groups becomes no
 * communicator. The call fails in all processes if no id is free. */
static int create_parts(struct comm *comm, const struct members *part, MPI_Comm *newcomm)
{
    bool exists = part->size > 0 && (!comm->inter || part->remote_size > 0), alone = exists && part->size + part->remote_size == 1;
    struct ids ids, own = {NO_CONTEXT, NO_AREA};
    *newcomm = MPI_COMM_NULL;
    bool full = alone && em_ids_take_own(&own) != MPI_SUCCESS;
    int err = agree_on_parts(comm, part, exists && !alone, full, &ids);
    if (err)
        em_ids_drop(&own);
    if (alone)
        ids = own;
    if (!err && exists) {
        struct group *local = subgroup(comm->local, part->size, part->member);
        struct group *remote = comm->inter ? subgroup(comm->remote, part->remote_size, part->remote_member) : NULL;
        if (local && (remote || !comm->inter)) {
            err = em_give_comm(local, remote, ids, comm, newcomm);
        } else {
            em_ids_drop(&ids);
            err = em_no_communicator();
        }
        em_group_release(local);
        em_group_release(remote);
    }
    return err;
}

struct color {
    int color, key, rank;
};

/* Orders by key, and equal keys by the rank in the old communicator (MPI-5.0, 7.4.2), so that qsort's result is
 * unique. */
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

/* Collective. Each process gathers all colors and keys and selects its own part without further messages, then the
 * part agrees on ids. */
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

/* All ranks share one host, so MPI_COMM_TYPE_SHARED is the whole communicator. Other split types give MPI_COMM_NULL or
 * an error. */
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

/* Collective over comm. For an intercommunicator each side passes the group of its own members. */
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

/* The messages among the processes of a group, which is part of a communicator. */
struct among {
    struct comm *comm;
    struct group *group;
    const int *position; /* rank in comm by rank in the job */
    int tag;
};

static int send_among(const struct among *a, const struct search *s, int to)
{
    return em_send(s->ballot, s->count, s->type, a->position[a->group->grank[to]], a->tag, a->comm, CONTEXT_CREATION, "MPI_Comm_create_group");
}

static int receive_among(const struct among *a, const struct search *s, void *ballot, int from)
{
    return em_recv(ballot, s->count, s->type, a->position[a->group->grank[from]], a->tag, a->comm, CONTEXT_CREATION, NULL, "MPI_Comm_create_group");
}

/* Combines the ballots of the processes of a group along a binomial tree (a combine_function). */
static int combine_group(void *argument, struct search *s)
{
    const struct among *a = argument;
    int rank = a->group->rank, size = a->group->size, err = MPI_SUCCESS, step;
    void *other = malloc((size_t)(s->count * s->type->device.size));
    if (!other)
        return em_no_communicator();
    for (step = 1; !(rank & step) && step < size && !err; step *= 2)
        if (rank + step < size && !(err = receive_among(a, s, other, rank + step)))
            em_search_merge(s, other);
    if (rank && !err && !(err = send_among(a, s, rank - step)))
        err = receive_among(a, s, s->ballot, rank - step);
    for (step /= 2; step && !err; step /= 2)
        if (rank + step < size)
            err = send_among(a, s, rank + step);
    free(other);
    return err;
}

/* Collective over group only: the other processes of comm take no part, so the agreement uses messages with the tag. */
int em_Comm_create_group(struct comm *comm, struct group *group, int tag, MPI_Comm *newcomm)
{
    int *position = em_group_positions(comm->local);
    int err = position ? MPI_SUCCESS : em_no_communicator();
    struct ids ids;
    *newcomm = MPI_COMM_NULL;
    for (int i = 0; i < group->size && !err; i++)
        if (position[group->grank[i]] == MPI_UNDEFINED)
            err = em_error(MPI_ERR_GROUP, "rank %d of the group is not in the communicator", i);
    if (!err && group->rank != MPI_UNDEFINED) {
        if (group->size == 1) {
            err = em_ids_take_own(&ids);
        } else {
            struct among among = {comm, group, position, tag};
            struct search s;
            em_search_begin(&s, comm, 2u + (unsigned)tag, true, group->rank == 0 ? group->size : 0);
            err = em_agree(&s, combine_group, &among, &ids);
        }
        if (!err)
            err = em_give_comm(group, NULL, ids, comm, newcomm);
    }
    free(position);
    return err;
}
