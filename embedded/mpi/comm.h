/*
 * Parts of communicators that the files of this chapter share.
 *
 * Gives: em_comm_new, em_comm_identify, em_give_comm, em_agree_merged, em_is_first, em_group_new and the
 * other helpers of groups, em_exchange.
 * Needs: base/handles.h.
 */
#ifndef WI4GO_EMBEDDED_COMM_H
#define WI4GO_EMBEDDED_COMM_H

#include "../base/handles.h"

enum { RESERVED_CONTEXTS = 2 }; /* the first ids, for MPI_COMM_WORLD and MPI_COMM_SELF */

/* Returns a group of some size whose array of ranks the caller fills, or NULL. */
struct group *em_group_new(int size);
/* Sets the rank of this process in a group. */
void em_group_find_self(struct group *group);
/* Returns an array with the position of each rank of the job in a group, or MPI_UNDEFINED; the caller
 * frees it. NULL: memory is lacking. */
int *em_group_positions(const struct group *group);
/* MPI_Group_compare. */
int em_compare_groups(const struct group *group1, const struct group *group2, int *result);

/* Returns a communicator with one reference, which owns its ids, or NULL. It retains the
 * groups. remote: of an intercommunicator, or NULL. */
struct comm *em_comm_new(struct group *local, struct group *remote, struct ids ids);
/* Gives a communicator without ids its ids. */
void em_comm_identify(struct comm *comm, struct ids ids);
/* Makes the communicator of ids, which it owns or drops, and stores its handle. */
int em_give_comm(struct group *local, struct group *remote, struct ids ids, struct comm *parent, MPI_Comm *handle);
/* Returns MPI_ERR_NO_MEM. */
int em_no_communicator(void);

/* Stores the predefined attributes (MPI-5.0, 9.1.2) of every communicator. */
void em_attributes_begin(void);

/* Reports whether this process's group comes first in an intercommunicator: both groups agree. */
static inline bool em_is_first(const struct comm *comm) { return comm->local->grank[0] < comm->remote->grank[0]; }
/* Agrees on ids for a communicator of all processes of both groups of an intercommunicator. */
int em_agree_merged(struct comm *comm, struct ids *ids);
/* Sends n elements to a rank and receives m from it, in the context of creations. */
int em_exchange(const void *sendbuf, int64_t n, void *recvbuf, int64_t m, struct type *type, int peer, int tag, struct comm *comm, const char *function);

#endif
