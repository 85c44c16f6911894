/*
 * Schedules: their life, their progress, and their requests. State: em->schedules (state.h), with
 * its lock, which also protects `users`, `listed`, `abandoned` and `orphan` of each schedule.
 */
#include "schedule.h"
#include "../base/errors.h"
#include "../base/ids.h"
#include "../base/request.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

/* Resets a schedule for the next operation of a communicator, and takes its tag. function: NULL if it is nonblocking. */
static void prepare(struct schedule *s, struct comm *comm, const char *function)
{
    s->comm = s->now = comm;
    s->tag = comm->next_tag;
    comm->next_tag = em_next_tag(comm->next_tag);
    s->own_tag = s->tag;
    s->function = function;
    s->request = NULL;
    s->error = s->device_error = 0;
    s->stopped = s->lost = false;
    atomic_store_explicit(&s->done, false, memory_order_relaxed);
    atomic_store_explicit(&s->owner, OWNER_NONE, memory_order_relaxed);
    s->users = s->used_steps = 0;
    s->listed = s->abandoned = s->orphan = false;
    s->first = s->pending = s->spare = NULL;
    s->end = &s->first;
    s->pending_end = &s->pending;
    s->used = 0;
    s->blocks = NULL;
}

struct schedule *em_schedule_blocking(struct comm *comm, const char *function)
{
    LOCK();
    struct schedule *s = SCHEDULES->free;
    if (s)
        SCHEDULES->free = s->next;
    UNLOCK();
    if (unlikely(!s) && posix_memalign((void **)&s, 64, sizeof *s)) {
        comm->next_tag = em_next_tag(comm->next_tag);
        return NULL;
    }
    prepare(s, comm, function);
    return s;
}

struct schedule *em_schedule_new(struct comm *comm) { return em_schedule_blocking(comm, NULL); }

struct comm *em_schedule_comm(struct schedule *s) { return s->now; }

struct comm *em_schedule_use(struct schedule *s, struct comm *comm)
{
    struct comm *before = s->now;
    s->now = comm;
    if (comm == s->comm) {
        s->tag = s->own_tag;
    } else {
        s->tag = comm->next_tag;
        comm->next_tag = em_next_tag(comm->next_tag);
    }
    return before;
}

/* Needs the lock. */
static void give_schedule(struct schedule *s)
{
    s->next = SCHEDULES->free;
    SCHEDULES->free = s;
}

/* Returns the error code of a schedule that has ended, and stores the text of its error. */
static int result_of(const struct schedule *s)
{
    if (likely(!s->error))
        return MPI_SUCCESS;
    if (s->device_error == MPIR_ERR_TRUNCATE)
        return em_error(MPI_ERR_TRUNCATE, "rank %d has sent more than this rank receives", s->error_peer);
    if (s->device_error)
        return em_device_error(s->device_error);
    if (s->error == MPI_ERR_COUNT)
        return em_error(MPI_ERR_COUNT, "rank %d has sent less than this rank receives: the counts and datatypes must match", s->error_peer);
    if (s->error == MPI_ERR_NO_MEM)
        return em_error(MPI_ERR_NO_MEM, "no memory for the collective operation");
    if (s->error == MPI_ERR_TRUNCATE)
        return em_error(MPI_ERR_TRUNCATE, "this rank sends more to itself than it receives");
    if (s->error == MPI_ERR_OTHER) /* the error of MPI_Comm_idup */
        return em_no_ids();
    return s->error;
}

/* Keeps a schedule whose memory the device may still use, until the device has ended. */
static void keep_lost(struct schedule *s)
{
    LOCK();
    s->next = SCHEDULES->lost;
    SCHEDULES->lost = s;
    UNLOCK();
}

int em_schedule_run(struct schedule *s, const char *function)
{
    if (unlikely(!s))
        return em_error(MPI_ERR_NO_MEM, "no memory for the collective operation");
    s->function = function;
    while (!s->lost && !em_run_steps(s))
        em_finish_pending(s);
    int err = result_of(s);
    if (unlikely(s->lost)) {
        keep_lost(s);
        return err;
    }
    em_release_memory(s);
    LOCK();
    give_schedule(s);
    UNLOCK();
    return err;
}

static void free_all(struct schedule *s)
{
    for (struct schedule *next; s; s = next) {
        next = s->next;
        em_release_memory(s);
        free(s);
    }
}

void em_schedules_end(void)
{
    free_all(SCHEDULES->free);
    free_all(SCHEDULES->lost);
    em_free_memory_pool();
    SCHEDULES->free = SCHEDULES->lost = NULL;
}

/* ---- progress ---- */

/* Runs the steps of a schedule, unless another thread does, which then runs them once more.
 * Returns whether they have all ended. */
static bool run_owned(struct schedule *s)
{
    int state = OWNER_NONE;
    if (!em->threads) {
        if (s->users > 1)
            return false; /* a step of this schedule makes progress */
        return em_run_steps(s);
    }
    while (!atomic_compare_exchange_weak_explicit(&s->owner, &state, state == OWNER_NONE ? OWNER_RUNS : OWNER_RUNS_AGAIN, memory_order_acq_rel, memory_order_acquire)) {
    }
    if (state != OWNER_NONE)
        return false;
    for (;;) {
        bool ended = em_run_steps(s);
        if (ended)
            return true; /* still owned, so no thread runs it again */
        state = OWNER_RUNS;
        if (atomic_compare_exchange_strong_explicit(&s->owner, &state, OWNER_NONE, memory_order_acq_rel, memory_order_acquire))
            return false;
        atomic_store_explicit(&s->owner, OWNER_RUNS, memory_order_release);
    }
}

/* Needs the lock. */
static void unlist(struct schedule *s)
{
    *(s->before ? &s->before->next : &SCHEDULES->active) = s->next;
    *(s->next ? &s->next->before : &SCHEDULES->last) = s->before;
    s->listed = false;
    atomic_fetch_sub_explicit(&SCHEDULES->running, 1, memory_order_relaxed);
    if (s->orphan)
        give_schedule(s);
}

/* Runs a schedule of the list. Needs the lock, and gives it away meanwhile. Returns the next one. */
static struct schedule *visit(struct schedule *s)
{
    struct request *abandoned = NULL;
    s->users++;
    UNLOCK();
    bool ended = !atomic_load_explicit(&s->done, memory_order_acquire) && run_owned(s);
    if (ended)
        em_release_memory(s);
    LOCK();
    if (ended) {
        abandoned = s->abandoned ? s->request : NULL;
        /* Release: the results come before. From here on the request's owner may free it. */
        atomic_store_explicit(&s->done, true, memory_order_release);
    }
    if (unlikely(ended && em->threads) || unlikely(abandoned)) {
        UNLOCK();
        if (abandoned)
            em_request_free(abandoned);
        MPID_Event();
        LOCK();
    }
    struct schedule *next = s->next;
    if (!--s->users && atomic_load_explicit(&s->done, memory_order_relaxed))
        unlist(s);
    return next;
}

bool em_schedules_progress(void)
{
    if (likely(!atomic_load_explicit(&SCHEDULES->running, memory_order_relaxed)))
        return false;
    /* Each step that has ended since the last round has raised an event. */
    uint32_t ticket = MPID_Ticket();
    if (atomic_exchange_explicit(&SCHEDULES->seen, ticket, memory_order_relaxed) == ticket)
        return false;
    LOCK();
    for (struct schedule *s = SCHEDULES->active; s;)
        s = visit(s);
    UNLOCK();
    return true;
}

/* ---- requests ---- */

static bool schedule_complete(struct request *request)
{
    struct schedule *s = request->extra;
    return atomic_load_explicit(&s->done, memory_order_acquire);
}

static int schedule_finish(struct request *request, MPI_Status *status)
{
    (void)status; /* remains empty */
    return result_of(request->extra);
}

static void schedule_abandon(struct request *request)
{
    struct schedule *s = request->extra;
    LOCK();
    bool done = atomic_load_explicit(&s->done, memory_order_acquire);
    s->abandoned = true;
    UNLOCK();
    if (done)
        em_request_free(request);
}

/* Another thread may run the schedule, so its steps are not examined then. */
static void schedule_blocked(struct request *request, struct MPID_Blocked *why)
{
    struct schedule *s = request->extra;
    int none = OWNER_NONE;
    if (!atomic_compare_exchange_strong_explicit(&s->owner, &none, OWNER_RUNS, memory_order_acq_rel, memory_order_relaxed))
        return;
    struct MPID_Blocked pending;
    em_describe_schedule(s, &pending);
    if (pending.requests)
        why->requests += pending.requests - 1; /* instead of this one */
    if (!*why->object)
        memcpy(why->object, pending.object, sizeof why->object);
    else if (pending.peers && why->peers && pending.peer[0].context / CONTEXTS != why->peer[0].context / CONTEXTS)
        strcpy(why->object, "several communicators");
    for (int i = 0; i < pending.peers && why->peers < MPID_MAX_PEERS; i++)
        why->peer[why->peers++] = pending.peer[i];
    if (atomic_exchange_explicit(&s->owner, OWNER_NONE, memory_order_acq_rel) == OWNER_RUNS_AGAIN)
        MPID_Event(); /* the next round runs it */
}

static void schedule_destroy(struct request *request)
{
    struct schedule *s = request->extra;
    request->extra = NULL;
    LOCK();
    s->orphan = true;
    if (!s->listed)
        give_schedule(s);
    UNLOCK();
}

static const struct request_kind schedule_kind = {
    .name = "collective",
    .complete = schedule_complete,
    .finish = schedule_finish,
    .abandon = schedule_abandon,
    .blocked = schedule_blocked,
    .destroy = schedule_destroy,
};

/* Adds a schedule to the list, and runs it again: an event may have come before. */
static void list_schedule(struct schedule *s)
{
    LOCK();
    s->next = NULL;
    s->before = SCHEDULES->last;
    *(s->before ? &s->before->next : &SCHEDULES->active) = s;
    SCHEDULES->last = s;
    s->listed = true;
    atomic_fetch_add_explicit(&SCHEDULES->running, 1, memory_order_relaxed);
    if (em->threads)
        visit(s);
    UNLOCK();
}

int em_schedule_start(struct schedule *s, struct request **request)
{
    if (unlikely(!s))
        return em_error(MPI_ERR_NO_MEM, "no memory for the collective operation");
    struct request *new = em_request_new(&schedule_kind, s->comm, NULL);
    if (unlikely(!new)) { /* the other ranks need the messages */
        em_schedule_run(s, "collective");
        return em_error(MPI_ERR_NO_MEM, "no memory for the request");
    }
    new->extra = s;
    s->request = new;
    *request = new;
    if (em_run_steps(s)) {
        em_release_memory(s);
        atomic_store_explicit(&s->done, true, memory_order_release);
    } else {
        list_schedule(s);
    }
    return MPI_SUCCESS;
}
