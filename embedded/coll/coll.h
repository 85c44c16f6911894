/*
 * Collective operations of the embedded MPI. Each is a schedule: a list of steps (send, receive,
 * copy, reduce, call) that progress runs. A nonblocking operation returns its schedule as a
 * request. A blocking operation runs the same steps while they are made, and waits at each
 * barrier, so nothing is recorded.
 *
 * The functions of a communicator's table (struct collops, row A30 of docs/adi.md) make the steps.
 * A table may be replaced; all ranks of a communicator must have the same one.
 *
 * Reductions combine operands in the order of the ranks, by one tree for each number of ranks
 * (reduce.c), so results have the same bits in every form, with every algorithm and at every size.
 *
 * Locks: that of em->schedules protects the list of active schedules and the pools. A schedule
 * that is being made, or is blocking, belongs to its thread. Others are run by any thread in
 * em_schedules_progress, by one at a time.
 *
 * Gives: struct schedule, collops, collective, side; em_schedule_new, em_step_send and the other steps.
 * Needs: base/handles.h.
 */
#ifndef WI4GO_EMBEDDED_COLL_H
#define WI4GO_EMBEDDED_COLL_H

#include "../base/handles.h"

struct schedule;

/* Creates a schedule of the communicator's next collective operation. Returns NULL if memory is
 * lacking; the steps and em_schedule_start accept NULL and then return MPI_ERR_NO_MEM. */
struct schedule *em_schedule_new(struct comm *comm);
/* Creates a blocking schedule: each barrier waits, and em_schedule_run returns its result.
 * function: the name that a report of blocked ranks shows. */
struct schedule *em_schedule_blocking(struct comm *comm, const char *function);
/* Makes the following steps send to and receive from ranks of another communicator, which must exist
 * as long as the schedule's own one. Returns the communicator that was in use before. */
struct comm *em_schedule_use(struct schedule *schedule, struct comm *comm);
/* Returns memory that lives until the schedule ends, or NULL; then em_schedule_start and em_schedule_run return MPI_ERR_NO_MEM. */
void *em_schedule_memory(struct schedule *schedule, int64_t bytes);
/* Returns such memory for count elements of type, with their true extent. The result is the address to pass as a buffer. */
void *em_schedule_elements(struct schedule *schedule, int64_t count, struct type *type);

/* Steps. A step may run at once, so its data must be ready when it is made, or be written by
 * earlier steps. Steps start in their order; sends and receives then run in parallel until the
 * next em_step_barrier, which waits for all before it. The others are complete before the next
 * step starts. A datatype or an operation that a step uses is retained. */
void em_step_send(struct schedule *schedule, const void *buf, int64_t count, struct type *type, int dest);
void em_step_recv(struct schedule *schedule, void *buf, int64_t count, struct type *type, int source);
void em_step_copy(struct schedule *schedule, const void *from, int64_t scount, struct type *stype, void *to, int64_t rcount, struct type *rtype);
void em_step_reduce(struct schedule *schedule, const void *in, void *inout, int64_t count, struct type *type, struct op *op); /* inout = in op inout */
void em_step_call(struct schedule *schedule, int (*function)(void *argument), void *argument);
void em_step_barrier(struct schedule *schedule);

/* Starts the schedule and returns its request. */
int em_schedule_start(struct schedule *schedule, struct request **request);
/* Starts it, if it has not been started, and waits for its end. function: as above. */
int em_schedule_run(struct schedule *schedule, const char *function);
/* Runs the steps of operations in progress that can run. Returns whether anything happened. */
bool em_schedules_progress(void);
/* Frees the pools. */
void em_schedules_end(void);

/* ---- the arguments of a collective operation ---- */

/* The blocks that a process sends or receives, one for each peer. */
struct side {
    enum { SIDE_ONE, SIDE_EACH, SIDE_COUNTS, SIDE_TYPES } form;
    char *buf;
    bool in_place;
    int64_t count;                /* elements of the one block for all peers (SIDE_ONE), or of each block in turn (SIDE_EACH) */
    struct type *type;            /* not SIDE_TYPES */
    struct counts counts, displs; /* displacements are in extents (SIDE_COUNTS) or in bytes (SIDE_TYPES) */
    const MPI_Datatype *types;
};
struct block {
    void *buf;
    int64_t count;
    struct type *type;
};
static inline struct block side_block(const struct side *side, int i)
{
    switch (side->form) {
    case SIDE_ONE:
        return (struct block){side->buf, side->count, side->type};
    case SIDE_EACH:
        return (struct block){side->buf + i * side->count * side->type->device.extent, side->count, side->type};
    case SIDE_COUNTS:
        return (struct block){side->buf + count_at(side->displs, i) * side->type->device.extent, count_at(side->counts, i), side->type};
    default:
        return (struct block){side->buf + count_at(side->displs, i), count_at(side->counts, i), em_type_of(side->types[i])};
    }
}
static inline int64_t block_bytes(struct block part) { return part.count && part.type ? part.count * part.type->device.size : 0; }

/* A collective operation. Reductions have their operand in send (or in place in receive) and
 * their result in receive; a broadcast has its buffer in receive. */
struct collective {
    struct comm *comm;
    struct side send, receive;
    struct op *op;
    int root;
};

/* ---- tags ---- */

/* The tag of the operation after one: higher ones are free for other messages. */
static inline int em_next_tag(int tag)
{
    enum { TAGS = 0x3fffffff };
    return (tag + 1) & TAGS;
}

/* ---- tables ---- */

enum collective_kind {
    COLL_BARRIER, COLL_BCAST, COLL_GATHER, COLL_SCATTER, COLL_ALLGATHER, COLL_ALLTOALL, COLL_REDUCE, COLL_ALLREDUCE,
    COLL_REDUCE_SCATTER, COLL_SCAN, COLL_EXSCAN, COLL_NEIGHBOR, COLL_KINDS
};
/* Makes the steps of an operation whose arguments have been checked. */
typedef void collective_function(struct schedule *s, const struct collective *c);
/* Runs a blocking operation whose arguments have been checked, and stores its result. Returns false if
 * the operation is not for this function, in which case all processes return false. */
typedef bool collective_call(const struct collective *c, const char *function, int *err);
struct collops {
    const char *name;
    bool few_rounds; /* fewer rounds of messages rather than less work: for more ranks than cores */
    collective_function *make[COLL_KINDS];
    collective_call *call[COLL_KINDS]; /* functions for communicators with an area (area.h), or NULL */
};
/* Over point-to-point messages (move.c): with little work, and with few rounds. em_collops_for
 * takes the second one if the ranks of the job outnumber the cores, unless em->collops is set. */
const struct collops *em_collops_for(const struct comm *comm);
extern const struct collops em_collops_work, em_collops_rounds;
extern const struct collops em_collops_inter; /* between two groups (inter.c) */
collective_function em_make_neighbor;            /* neighbor.c */
/* Take an area for a new communicator of some processes, or for MPI_COMM_WORLD. Return NO_AREA if it gets none (area.c). */
int em_area_take(int size);
int em_area_of_all(int size);
/* Maps the area of a new communicator that has ids. Returns an error code. */
int em_area_open(struct comm *comm);
/* By the memory that a communicator's processes share (area_data.c, area_reduce.c). */
collective_call em_area_barrier, em_area_bcast, em_area_gather, em_area_scatter, em_area_allgather, em_area_alltoall, em_area_reduce,
    em_area_allreduce, em_area_reduce_scatter, em_area_scan, em_area_exscan;

/* ---- parts of algorithms, for the schedule's current communicator ---- */

struct comm *em_schedule_comm(struct schedule *s);
static inline bool em_few_rounds(struct schedule *s) { return em_schedule_comm(s)->collops->few_rounds; }
static inline struct type *em_byte(void) { return &em->types[NUMBER(MPI_BYTE) - NUMBER(MPI_DATATYPE_NULL)]; }
/* Send and receive a block, unless it is empty: both sides know that. */
void em_send_block(struct schedule *s, struct block part, int dest);
void em_receive_block(struct schedule *s, struct block part, int source);
/* Copies a block to another one of this process. */
void em_move_block(struct schedule *s, struct block from, struct block to);
void em_make_bcast(struct schedule *s, void *buf, int64_t count, struct type *type, int root);
void em_make_flat_scatter(struct schedule *s, const struct side *send, struct block own, int root);
void em_make_reduce(struct schedule *s, const void *in, void *out, int64_t count, struct type *type, struct op *op, int root);

/* Returns MPI_SUCCESS, or the error of arguments that the entry points do not check (check.c). */
int em_check_collective(enum collective_kind kind, const struct collective *c);

#endif
