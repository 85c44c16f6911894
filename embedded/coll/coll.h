/*
 * Collective operations of the embedded MPI. Each is a schedule: a list of steps (send, receive,
 * reduce, copy) that progress runs. A blocking operation starts its schedule and waits; a
 * nonblocking one returns it as a request; so both are the same code. The table of functions of a
 * communicator (COLLOPS, row A30 of docs/adi.md) may be replaced.
 *
 * Reductions combine operands in the order of the ranks, by one tree for each number of ranks
 * (docs/embedded.md), so that results have the same bits in every form and at every size.
 *
 * Gives: struct schedule, collops; em_schedule_new, em_step_send and the other steps.
 * Needs: mpi/core.h.
 */
#ifndef WI4GO_EMBEDDED_COLL_H
#define WI4GO_EMBEDDED_COLL_H

#include "../mpi/core.h"

struct schedule;

/* Creates a schedule of the communicator's next collective operation. Returns NULL if memory is
 * lacking; the steps and em_schedule_start accept NULL and then return MPI_ERR_NO_MEM. */
struct schedule *em_schedule_new(struct comm *comm);
/* Memory that lives until the schedule ends; NULL if there is none: the start reports it. */
void *em_schedule_memory(struct schedule *schedule, int64_t bytes);
/* Steps. They run in parallel until the next em_step_barrier, which waits for all before it. A
 * datatype, an operation or a communicator that a step uses is retained. */
void em_step_send(struct schedule *schedule, const void *buf, int64_t count, struct type *type, int dest);
void em_step_recv(struct schedule *schedule, void *buf, int64_t count, struct type *type, int source);
void em_step_copy(struct schedule *schedule, const void *from, int64_t scount, struct type *stype, void *to, int64_t rcount, struct type *rtype);
void em_step_reduce(struct schedule *schedule, const void *in, void *inout, int64_t count, struct type *type, struct op *op); /* inout = in op inout */
void em_step_call(struct schedule *schedule, int (*function)(void *argument), void *argument);
void em_step_barrier(struct schedule *schedule);
/* Starts the schedule and returns its request. */
int em_schedule_start(struct schedule *schedule, struct request **request);
/* Starts it and waits for its end. */
int em_schedule_run(struct schedule *schedule, const char *function);
/* Runs all steps of active schedules that can run. Called by em_progress. */
bool em_schedules_progress(void);

#endif
