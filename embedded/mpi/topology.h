/*
 * Parts of topologies that the files of this chapter share.
 *
 * Gives: em_topology_new, em_topology_copy, em_topology_comm, em_no_topology, em_check_topology.
 * Needs: comm.h.
 */
#ifndef WI4GO_EMBEDDED_TOPOLOGY_H
#define WI4GO_EMBEDDED_TOPOLOGY_H

#include "comm.h"

/* Returns an empty topology with room for `ints` integers in its arrays, or NULL without memory. free() frees it. */
struct topology *em_topology_new(int kind, int64_t ints, int **place);
/* Returns a copy, or NULL if memory is lacking. */
struct topology *em_topology_copy(const struct topology *topology);
/* Makes a communicator of the processes of comm with a color, in the order of key, and gives it the
 * topology, which is freed if there is an error or this process gets no communicator. */
int em_topology_comm(struct comm *comm, int color, int key, struct topology *topology, MPI_Comm *newcomm);
/* Returns MPI_ERR_NO_MEM. */
int em_no_topology(void);
/* Returns MPI_SUCCESS, or an error if the communicator lacks a topology of the kind. */
int em_check_topology(const struct comm *comm, int kind);

#endif
