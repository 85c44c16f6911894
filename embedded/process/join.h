/*
 * The launcher of the job: jobs that another one has started on this host, and the end of wi4go's.
 *
 * Gives: em_follow_launcher, em_join, em_launcher_over, em_watch_begin, em_watch_end.
 * Needs: embedded/adi/adi.h, launched.h.
 */
#ifndef WI4GO_EMBEDDED_JOIN_H
#define WI4GO_EMBEDDED_JOIN_H

#include "../adi/adi.h"
#include "launched.h"

/* If wi4go's launcher has started this process: the process ends when the launcher does. */
void em_follow_launcher(void);

/* Fills rank and fd of the settings if another launcher has started this process as one of several
 * ranks. It returns when all ranks have called it. Otherwise the settings stay. Returns an error of
 * MPI. */
int em_join(struct MPID_Config *config);

/* Returns the error that the launcher has ended before this rank was ready. */
int em_launcher_over(const struct em_place *place);

/* Watch the other ranks of such a job, and its launcher: if a rank ends without em_watch_end, or the
 * launcher ends, the job ends. Begin takes over the connections: of rank 0 one to each rank, at its
 * number, of another rank one to rank 0, at 0, or -1. fd: of the segment, which it maps. Returns
 * an error of MPI. */
int em_watch_begin(const struct em_place *place, int *connections, int fd);
/* Returns when this rank may leave; rank 0 stays until all ranks have called it. */
void em_watch_end(void);

#endif
