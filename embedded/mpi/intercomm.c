/* Construction of intercommunicators, and their merge (MPI-5.0, 7.6.2). */
#include "comm.h"
#include "functions.h"

#include <stdlib.h>
#include <string.h>

/* The first message that the leaders of two groups exchange. The ranks of the group in the job follow it. */
struct offer {
    int id, size;
};

/* The leaders exchange their groups; the one with the lower rank in the job takes the id. */
static int exchange_offers(struct comm *local_comm, struct comm *peer_comm, int remote_leader, int tag, struct offer *offer, struct group **remote)
{
    struct type *type = em_type_of(MPI_INT);
    struct offer mine = {NO_CONTEXT, local_comm->size};
    int peer = peer_comm->device.lrank_to_grank ? peer_comm->device.lrank_to_grank[remote_leader] : remote_leader;
    bool first = MPID_MyWorldRank < peer;
    const char *function = "MPI_Intercomm_create";
    int err = em_send(&mine, 2, type, remote_leader, tag, peer_comm, CONTEXT_CREATION, function);
    if (!err)
        err = em_recv(offer, 2, type, remote_leader, tag, peer_comm, CONTEXT_CREATION, NULL, function);
    if (err)
        return err;
    *remote = em_group_new(offer->size);
    if (!*remote)
        return em_no_communicator();
    err = em_exchange(local_comm->local->grank, local_comm->size, (*remote)->grank, offer->size, type, remote_leader, tag, peer_comm, function);
    if (!err && first) {
        offer->id = MPID_Context_take(local_comm->size + offer->size);
        err = em_send(&offer->id, 1, type, remote_leader, tag, peer_comm, CONTEXT_CREATION, function);
    } else if (!err) {
        err = em_recv(&offer->id, 1, type, remote_leader, tag, peer_comm, CONTEXT_CREATION, NULL, function);
    }
    return err;
}

int em_Intercomm_create(struct comm *local_comm, int local_leader, struct comm *peer_comm, int remote_leader, int tag, MPI_Comm *newintercomm)
{
    struct type *type = em_type_of(MPI_INT);
    struct offer offer = {NO_CONTEXT, -1};
    struct group *remote = NULL;
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
            err = exchange_offers(local_comm, peer_comm, remote_leader, tag, &offer, &remote);
    }
    int shared = em_Bcast(&offer, 2, type, local_leader, local_comm); /* also reports an error of the leader */
    if (err || shared)
        return err ? err : shared;
    if (offer.size < 0)
        return em_error(MPI_ERR_OTHER, "the leader of the group has failed");
    if (!remote && !(remote = em_group_new(offer.size)))
        return em_no_communicator();
    err = em_Bcast(remote->grank, offer.size, type, local_leader, local_comm);
    em_group_find_self(remote);
    if (!err)
        err = em_give_comm(local_comm->local, remote, offer.id, local_comm, newintercomm);
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

int em_Intercomm_merge(struct comm *comm, int high, MPI_Comm *newintracomm)
{
    bool first = false;
    if (!comm->inter)
        return em_error(MPI_ERR_COMM, "intercomm is not a valid intercommunicator");
    int err = merge_order(comm, high, &first);
    int id = em_take_for_all(comm);
    if (!err)
        err = em_share(comm, &id);
    if (err)
        return err;
    const struct group *low = first ? comm->local : comm->remote, *up = first ? comm->remote : comm->local;
    struct group *group = em_group_new(comm->size + comm->remote_size);
    if (!group)
        return em_no_communicator();
    memcpy(group->grank, low->grank, (size_t)low->size * sizeof(int));
    memcpy(group->grank + low->size, up->grank, (size_t)up->size * sizeof(int));
    em_group_find_self(group);
    err = em_give_comm(group, NULL, id, comm, newintracomm);
    em_group_release(group);
    return err;
}
