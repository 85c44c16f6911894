/*
 * Communicators (MPI-5.0, 7.4 to 7.6): the object, its accessors, and its end. create.c makes them.
 */
#include "comm.h"
#include "info.h"
#include "functions.h"
#include "../base/attributes.h"
#include "../base/errors.h"
#include "../base/pool.h"
#include "../base/release.h"
#include "../coll/coll.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The device needs no table for communicators whose ranks are those of the job. */
static const int *table_of(const struct group *group)
{
    for (int i = 0; i < group->size; i++)
        if (group->grank[i] != i)
            return group->grank;
    return NULL;
}

int em_no_communicator(void) { return em_error(MPI_ERR_NO_MEM, "no memory for a communicator"); }

/* Sets the ids that the members have agreed on. The communicator can be used when its area is open, too. */
void em_comm_identify(struct comm *comm, struct ids ids)
{
    comm->ids = ids;
    comm->context = (ids.context + RESERVED_CONTEXTS) * CONTEXTS;
    if (comm->within)
        comm->within->context = comm->context + CONTEXT_WITHIN - CONTEXT_COLLECTIVE;
}

/* Returns a communicator that holds references to its groups, or NULL without memory; the caller drops the ids then.
 * remote is NULL for an intracommunicator. */
struct comm *em_comm_new(struct group *local, struct group *remote, struct ids ids)
{
    static const struct ids none = {NO_CONTEXT, NO_AREA};
    struct comm *comm = em_new(COMM);
    if (!comm)
        return NULL;
    comm->ids = none; /* the caller drops them if this fails */
    comm->local = local;
    comm->remote = remote ? remote : local;
    comm->inter = remote != NULL;
    em_retain(&local->head);
    em_retain(&comm->remote->head);
    comm->rank = local->rank;
    comm->size = local->size;
    comm->remote_size = comm->remote->size;
    comm->device.np = comm->remote->size;
    comm->device.lrank_to_grank = table_of(comm->remote);
    comm->device.self = comm;
    comm->device.name = comm->name;
    MPID_CommInit(NULL, &comm->device);
    comm->errhandler = em->fatal;
    comm->collops = em_collops_for(comm);
    if (remote && !(comm->within = em_comm_new(local, NULL, none))) {
        em_comm_release(comm);
        return NULL;
    }
    em_comm_identify(comm, ids);
    return comm;
}

/* Calls the delete callbacks first; if one fails, the communicator stays. Active operations keep their references, so
 * its memory may outlive the call. */
int em_Comm_free(MPI_Comm *handle)
{
    struct comm *comm = em_comm_of(*handle);
    if (!comm)
        return em_error(MPI_ERR_COMM, "comm is not a valid communicator");
    if (comm->head.predefined)
        return em_error(MPI_ERR_COMM, "%s cannot be freed", comm->name);
    int err = em_attributes_delete(COMM, comm, &comm->attributes);
    if (err) {
        em_error_of(comm);
        return err;
    }
    *handle = MPI_COMM_NULL;
    em_comm_release(comm);
    return MPI_SUCCESS;
}

/* ---- accessors ---- */

int em_Comm_size(struct comm *comm, int *size)
{
    *size = comm->size;
    return MPI_SUCCESS;
}

int em_Comm_rank(struct comm *comm, int *rank)
{
    *rank = comm->rank;
    return MPI_SUCCESS;
}

int em_Comm_test_inter(struct comm *comm, int *flag)
{
    *flag = comm->inter;
    return MPI_SUCCESS;
}

/* An intracommunicator has no remote group, which is an error here. */
int em_Comm_remote_size(struct comm *comm, int *size)
{
    if (!comm->inter)
        return em_error(MPI_ERR_COMM, "comm is not a valid intercommunicator");
    *size = comm->remote_size;
    return MPI_SUCCESS;
}

/* Writes a handle with its own reference to the communicator's group. */
int em_Comm_group(struct comm *comm, MPI_Group *group)
{
    em_retain(&comm->local->head);
    *group = em_group_handle(comm->local);
    return MPI_SUCCESS;
}

/* Writes a handle with its own reference to the remote group. */
int em_Comm_remote_group(struct comm *comm, MPI_Group *group)
{
    if (!comm->inter)
        return em_error(MPI_ERR_COMM, "comm is not a valid intercommunicator");
    em_retain(&comm->remote->head);
    *group = em_group_handle(comm->remote);
    return MPI_SUCCESS;
}

/* Writes MPI_IDENT for one handle only. Equal groups give MPI_CONGRUENT, equal members in another order MPI_SIMILAR. */
int em_Comm_compare(struct comm *comm1, struct comm *comm2, int *result)
{
    int local, remote;
    *result = MPI_IDENT;
    if (comm1 == comm2)
        return MPI_SUCCESS;
    *result = MPI_UNEQUAL;
    if (comm1->inter != comm2->inter)
        return MPI_SUCCESS;
    int err = em_compare_groups(comm1->local, comm2->local, &local);
    if (!err)
        err = em_compare_groups(comm1->remote, comm2->remote, &remote);
    if (err)
        return err;
    if (local == MPI_UNEQUAL || remote == MPI_UNEQUAL)
        return MPI_SUCCESS;
    *result = local == MPI_IDENT && remote == MPI_IDENT ? MPI_CONGRUENT : MPI_SIMILAR;
    return MPI_SUCCESS;
}

/* Cuts a name that is too long. The lock protects names, because another thread may read one meanwhile. Rank 0 also names the area. */
int em_Comm_set_name(struct comm *comm, const char *name)
{
    MPID_THREAD_DS_LOCK(&em->properties, em->threads);
    snprintf(comm->name, sizeof comm->name, "%s", name);
    if (comm->rank == 0 && comm->area.memory) {
        char purpose[MPI_MAX_OBJECT_NAME + 16];
        snprintf(purpose, sizeof purpose, "area of %s", comm->name);
        MPID_Memory_name(comm->ids.area, purpose);
    }
    MPID_THREAD_DS_UNLOCK(&em->properties, em->threads);
    return MPI_SUCCESS;
}

/* Copies the name under the lock. resultlen does not count the final zero. */
int em_Comm_get_name(struct comm *comm, char *name, int *resultlen)
{
    MPID_THREAD_DS_LOCK(&em->properties, em->threads);
    *resultlen = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", comm->name);
    MPID_THREAD_DS_UNLOCK(&em->properties, em->threads);
    return MPI_SUCCESS;
}

/* Unknown hints are ignored, so MPI_Comm_get_info does not return them (MPI-5.0, 7.4.4). */
int em_Comm_set_info(struct comm *comm, struct info *info)
{
    MPI_Info copy = NULL;
    int err = info ? em_info_hints(info, &copy) : MPI_SUCCESS;
    if (err)
        return err;
    em_info_release(comm->info);
    comm->info = (struct info *)copy;
    return MPI_SUCCESS;
}

/* Writes a new info object, which the caller frees. It is empty if no hints were set. */
int em_Comm_get_info(struct comm *comm, MPI_Info *info)
{
    return comm->info ? em_Info_dup(comm->info, info) : em_Info_create(info);
}

/* ---- processes that are not spawned (MPI-5.0, 11.8.2, 11.10.4) ---- */

/* No process of this MPI is spawned, so there is never a parent. */
int em_Comm_get_parent(MPI_Comm *parent)
{
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* Messages that are still sent keep the communicator alive. */
int em_Comm_disconnect(MPI_Comm *handle)
{
    struct comm *comm = em_comm_of(*handle);
    if (!comm)
        return em_error(MPI_ERR_COMM, "comm is not a valid communicator");
    int err = em_Barrier(comm);
    return err ? err : em_Comm_free(handle);
}
