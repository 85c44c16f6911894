/* Construction of intercommunicators, and their merge (MPI-5.0, 7.6.2). All state is in the caller's variables; no locks. */
#include "comm.h"
#include "contexts.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/release.h"

#include <stdlib.h>
#include <string.h>

/* The creation of an intercommunicator. */
struct creation {
    struct comm *local_comm, *peer_comm; /* peer_comm, remote_leader: the leader's */
    int local_leader, remote_leader, tag;
};

/* Exchanges data with the other group's leader in the peer communicator. Only this group's leader calls it. */
static int exchange_between(const struct creation *c, const void *send, int64_t n, void *receive, int64_t m, struct type *type)
{
    return em_exchange(send, n, receive, m, type, c->remote_leader, c->tag, c->peer_comm, "MPI_Intercomm_create");
}

/* The leaders exchange their groups. */
static int exchange_groups(const struct creation *c, int *size, struct group **remote)
{
    struct comm *local_comm = c->local_comm;
    struct type *type = em_type_of(MPI_INT);
    int err = exchange_between(c, &local_comm->size, 1, size, 1, type);
    if (!err && !(*remote = em_group_new(*size)))
        err = em_no_communicator();
    return err ? err : exchange_between(c, local_comm->local->grank, local_comm->size, (*remote)->grank, *size, type);
}

/* Combines the ballots of both groups (a combine_function). */
static int combine_between(void *argument, struct search *s)
{
    const struct creation *c = argument;
    int err = em_Allreduce(MPI_IN_PLACE, s->ballot, s->count, s->type, s->op, c->local_comm), failed = MPI_SUCCESS;
    if (err)
        return err;
    if (c->local_comm->rank == c->local_leader) {
        void *other = malloc((size_t)(s->count * s->type->device.size));
        failed = other ? exchange_between(c, s->ballot, s->count, other, s->count, s->type) : em_no_communicator();
        if (failed)
            em_search_fail(s);
        else
            em_search_merge(s, other);
        free(other);
    }
    err = em_Bcast(s->ballot, s->count, s->type, c->local_leader, c->local_comm);
    return failed ? failed : err;
}

/* Collective over both groups. The leaders exchange sizes and members, and broadcast them to their groups. After an
 * error of a leader, its group learns of it and fails, too. */
int em_Intercomm_create(struct comm *local_comm, int local_leader, struct comm *peer_comm, int remote_leader, int tag, MPI_Comm *newintercomm)
{
    struct type *type = em_type_of(MPI_INT);
    struct creation c = {local_comm, peer_comm, local_leader, remote_leader, tag};
    struct group *remote = NULL;
    int size = -1; /* size of the other group; stays -1 if the leader has failed */
    int err = MPI_SUCCESS;
    if (local_comm->inter)
        return em_error(MPI_ERR_COMM, "local_comm is an intercommunicator");
    if ((unsigned)local_leader >= (unsigned)local_comm->size)
        return em_error(MPI_ERR_RANK, "local_leader is %d in a communicator of %d ranks", local_leader, local_comm->size);
    if (local_comm->rank == local_leader) {
        if (!peer_comm)
            err = em_error(MPI_ERR_COMM, "peer_comm is not a valid communicator");
        else if ((unsigned)remote_leader >= (unsigned)peer_comm->remote_size)
            err = em_error(MPI_ERR_RANK, "remote_leader is %d in a communicator of %d ranks", remote_leader, peer_comm->remote_size);
        else if (!peer_comm->inter && remote_leader == peer_comm->rank)
            err = em_error(MPI_ERR_RANK, "remote_leader is %d, the leader of this group, too", remote_leader);
        else
            err = exchange_groups(&c, &size, &remote);
    }
    if (err)
        size = -1;
    int shared = em_Bcast(&size, 1, type, local_leader, local_comm);
    if (err || shared) {
        em_group_release(remote);
        return err ? err : shared;
    }
    if (size < 0)
        return em_error(MPI_ERR_OTHER, "the leader of the group has failed");
    if (!remote && !(remote = em_group_new(size)))
        return em_no_communicator();
    err = em_Bcast(remote->grank, size, type, local_leader, local_comm);
    em_group_find_self(remote);
    struct search s;
    struct ids ids;
    em_search_begin(&s, NULL, (unsigned)tag, true, 0);
    if (!err)
        err = em_agree(&s, combine_between, &c, &ids);
    if (!err)
        err = em_give_comm(local_comm->local, remote, ids, local_comm, newintercomm);
    em_group_release(remote);
    return err;
}

/* Reports whether the local group comes first after a merge (MPI-5.0, 7.6.2). */
static int merge_order(struct comm *comm, int high, bool *first)
{
    int size = comm->remote_size, *highs = malloc((size_t)size * sizeof *highs);
    if (!highs)
        return em_no_communicator();
    struct type *type = em_type_of(MPI_INT);
    int mine = high != 0;
    int err = em_Allgather(&mine, 1, type, highs, 1, type, comm);
    *first = mine != highs[0] ? mine < highs[0] : em_is_first(comm);
    free(highs);
    return err;
}

/* Collective over both groups, which agree on their order first: if both pass the same high, the order is decided by
 * the library. */
int em_Intercomm_merge(struct comm *comm, int high, MPI_Comm *newintracomm)
{
    bool first = false;
    if (!comm->inter)
        return em_error(MPI_ERR_COMM, "intercomm is not a valid intercommunicator");
    struct ids ids;
    int err = merge_order(comm, high, &first);
    if (!err)
        err = em_agree_merged(comm, &ids);
    if (err)
        return err;
    const struct group *low = first ? comm->local : comm->remote, *up = first ? comm->remote : comm->local;
    struct group *group = em_group_new(comm->size + comm->remote_size);
    if (!group) {
        em_ids_drop(&ids);
        return em_no_communicator();
    }
    memcpy(group->grank, low->grank, (size_t)low->size * sizeof(int));
    memcpy(group->grank + low->size, up->grank, (size_t)up->size * sizeof(int));
    em_group_find_self(group);
    err = em_give_comm(group, NULL, ids, comm, newintracomm);
    em_group_release(group);
    return err;
}
