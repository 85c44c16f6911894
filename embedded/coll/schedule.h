/*
 * The inside of schedules, shared by schedule.c, schedule_memory.c and steps.c.
 *
 * A schedule is made -> (nonblocking) listed in em->schedules -> done -> unlisted, and freed with
 * its request. `first` is the first step that has not started. While it is NULL, new steps run at
 * once.
 *
 * Gives: struct schedule, step; em_run_steps, em_release_memory and the others.
 * Needs: coll.h.
 */
#ifndef WI4GO_EMBEDDED_SCHEDULE_H
#define WI4GO_EMBEDDED_SCHEDULE_H

#include "coll.h"

#define SCHEDULES (&em->schedules)
#define LOCK() MPID_THREAD_DS_LOCK(SCHEDULES, em->threads)
#define UNLOCK() MPID_THREAD_DS_UNLOCK(SCHEDULES, em->threads)

enum step_kind { STEP_SEND, STEP_RECV, STEP_COPY, STEP_REDUCE, STEP_CALL, STEP_BARRIER };

struct step {
    struct step *next;
    enum step_kind kind;
    int peer, tag, context, source; /* source: this rank, as the receiver matches it */
    struct comm *comm;
    const void *in;
    void *out;
    int64_t count, count2; /* count2: of type2, or the bytes of a send or a receive */
    struct type *type, *type2;
    struct op *op;
    int (*function)(void *argument);
    union {
        MPIR_SHANDLE send;
        MPIR_RHANDLE recv;
    } handle;
};

struct memory_block { /* memory of em_schedule_memory, in the pool or owned by a schedule */
    struct memory_block *next;
    int64_t bytes; /* without this head */
    _Alignas(64) char data[];
};

enum { SCHEDULE_STEPS = 8, SCHEDULE_BYTES = 2048 };
enum { OWNER_NONE, OWNER_RUNS, OWNER_RUNS_AGAIN };

struct schedule {
    struct schedule *next, *before; /* in em->schedules, active or free */
    struct comm *comm;              /* the operation's communicator */
    struct comm *now;               /* communicator of the following steps */
    int tag, own_tag;               /* tag of the following steps, and tag of steps with ranks of comm */
    const char *function;           /* name of the waiting function, or NULL in a nonblocking operation */
    struct request *request;        /* NULL: blocking, or not started */
    int error;                      /* the first error of a step */
    int device_error, error_peer;   /* the device's, or 0; the other rank of a failed message */
    bool stopped;                   /* after an error: no further steps */
    bool lost;                      /* the device still uses the memory of pending steps, which never end */
    atomic_bool done;
    atomic_int owner;               /* OWNER_RUNS: a thread runs the steps */
    int users;                      /* threads that visit it; protected by the lock */
    bool listed, abandoned, orphan; /* protected by the lock; an orphan's request is freed */
    struct step *first, **end;      /* recorded steps */
    struct step *pending, **pending_end; /* sends and receives in progress, in order */
    struct step *spare;             /* steps to be used again */
    int used_steps;
    int64_t used;                   /* bytes used of memory */
    struct memory_block *blocks;
    struct step steps[SCHEDULE_STEPS];
    _Alignas(64) char memory[SCHEDULE_BYTES];
};

/* ---- schedule_memory.c ---- */

/* Returns the blocks of a schedule to the pool. */
void em_release_blocks(struct schedule *s);
/* Returns the memory of a schedule whose steps have all ended. */
static inline void em_release_memory(struct schedule *s)
{
    if (unlikely(s->blocks))
        em_release_blocks(s);
}
/* Frees the blocks of the pool. */
void em_free_memory_pool(void);

/* ---- steps.c ---- */

/* Runs recorded steps as far as possible. Returns whether all have ended. Needs ownership. */
bool em_run_steps(struct schedule *s);
/* Waits until the pending steps have ended, or the job has. */
void em_finish_pending(struct schedule *s);
/* Frees the steps that were not run. */
void em_drop_steps(struct schedule *s);
/* Fills a report of the peers that the schedule waits for. */
void em_describe_schedule(const struct schedule *s, struct MPID_Blocked *why);

#endif
