/*
 * The launcher of the job: jobs that another one has started on this host, and the end of wi4go's.
 *
 * Gives: em_follow_launcher, em_join, em_watch_begin, em_watch_end.
 * Needs: embedded/adi/adi.h.
 */
#ifndef WI4GO_EMBEDDED_JOIN_H
#define WI4GO_EMBEDDED_JOIN_H

#include "../adi/adi.h"

/* If wi4go's launcher has started this process: the process ends when the launcher does. */
void em_follow_launcher(void);

/* Fills rank and fd of the settings if another launcher has started this process as one of several
 * ranks. It returns when all ranks have called it. Otherwise the settings stay. Returns an error of
 * MPI. */
int em_join(struct MPID_Config *config);

/* Watch the other ranks of such a job: if one ends without em_watch_end, the job ends. Begin takes
 * over the connections: of rank 0 one to each rank, at its number, of another rank one to rank 0, at
 * 0; -1: none. fd: of the segment, which it maps. Returns an error of MPI. */
int em_watch_begin(int rank, int size, int *connections, int fd);
/* Returns when this rank may leave; rank 0 stays until all ranks have called it. */
void em_watch_end(void);

#endif
