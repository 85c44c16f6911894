/* The steps of schedules: how they are made, started and finished. No state, no locks. */
#include "area.h"
#include "schedule.h"
#include "../base/pool.h"
#include "../base/request.h"
#include "../types/types.h"

#include <string.h>

static void fail(struct schedule *s, int error)
{
    if (!s->error)
        s->error = error;
}

static void fail_in_device(struct schedule *s, int error, int peer)
{
    if (s->error)
        return;
    s->error = MPI_ERR_OTHER;
    s->device_error = error;
    s->error_peer = peer;
}

/* A message is shorter than its receive (MPI-5.0, 6.1: the amounts must be equal). */
static void fail_short(struct schedule *s, int peer)
{
    if (s->error)
        return;
    s->error = MPI_ERR_COUNT;
    s->error_peer = peer;
}

/* ---- memory of steps ---- */

static struct step *take_step(struct schedule *s)
{
    struct step *step = s->spare;
    if (step) {
        s->spare = step->next;
        return step;
    }
    if (s->used_steps < SCHEDULE_STEPS)
        return &s->steps[s->used_steps++];
    return em_schedule_memory(s, sizeof *step);
}

static void give_step(struct schedule *s, struct step *step)
{
    step->next = s->spare;
    s->spare = step;
}

static void retain_step(struct step *step)
{
    if (step->type)
        em_retain(&step->type->head);
    if (step->type2)
        em_retain(&step->type2->head);
    if (step->op)
        em_retain(&step->op->head);
}

static void release_step(struct step *step)
{
    em_type_release(step->type);
    em_type_release(step->type2);
    em_op_release(step->op);
}

/* ---- sends and receives ---- */

/* Starts a send or a receive. Bytes in one block are passed to the device without their datatype. */
static void start_transfer(struct schedule *s, struct step *step)
{
    int err = MPID_SUCCESS;
    struct type *type = step->type;
    struct MPIR_COMMUNICATOR *device = &step->comm->device;
    int64_t bytes = step->count ? step->count * type->device.size : 0;
    char *block = bytes ? (char *)step->out + type->device.true_lb : NULL;
    step->count2 = bytes;
    if (step->kind == STEP_SEND) {
        int to = device->lrank_to_grank ? device->lrank_to_grank[step->peer] : step->peer;
        if (likely(!bytes || type->device.is_contig))
            MPID_IsendContig(device, block, bytes, step->source, step->tag, step->context, to, MPID_MSGFORM_OK, &step->handle.send, &err);
        else
            MPID_IsendDatatype(device, step->out, step->count, &type->device, step->source, step->tag, step->context, to, &step->handle.send, &err);
    } else if (likely(!bytes || type->device.is_contig)) {
        MPID_IrecvContig(device, block, bytes, step->peer, step->tag, step->context, &step->handle.recv, &err);
    } else {
        MPID_IrecvDatatype(device, step->out, step->count, &type->device, step->peer, step->tag, step->context, &step->handle.recv, &err);
    }
    if (unlikely(err)) {
        fail_in_device(s, err, step->peer);
        give_step(s, step);
        return;
    }
    step->next = NULL;
    *s->pending_end = step;
    s->pending_end = &step->next;
}

/* Takes the results of the transfers that have ended, in order. Returns whether all have. */
static bool retire_steps(struct schedule *s)
{
    struct step *step;
    while ((step = s->pending)) {
        int err = MPID_SUCCESS;
        if (step->kind == STEP_SEND) {
            if (!atomic_load_explicit(&step->handle.send.is_complete, memory_order_acquire))
                return false;
            MPID_SendComplete(&step->handle.send, &err);
        } else {
            if (!atomic_load_explicit(&step->handle.recv.is_complete, memory_order_acquire))
                return false;
            bool whole = step->handle.recv.s.count == step->count2;
            MPID_RecvComplete(&step->handle.recv, NULL, &err);
            if (unlikely(!whole && !err))
                fail_short(s, step->peer);
        }
        if (unlikely(err))
            fail_in_device(s, err, step->peer);
        s->pending = step->next;
        give_step(s, step);
    }
    s->pending_end = &s->pending;
    return true;
}

void em_describe_schedule(const struct schedule *s, struct MPID_Blocked *why)
{
    memset(why, 0, sizeof *why);
    strncpy(why->function, s->function ? s->function : "collective", sizeof why->function - 1);
    for (const struct step *step = s->pending; step; step = step->next) {
        bool send = step->kind == STEP_SEND;
        if (atomic_load_explicit(send ? &step->handle.send.is_complete : &step->handle.recv.is_complete, memory_order_acquire))
            continue;
        if (why->requests++ >= MPID_MAX_PEERS)
            continue;
        const int *granks = step->comm->device.lrank_to_grank;
        if (!*why->object)
            em_describe_comm(why, step->comm);
        int i = why->peers++;
        why->peer[i].lrank = send ? -1 : step->peer;
        why->peer[i].grank = granks ? granks[step->peer] : step->peer;
        why->peer[i].tag = step->tag;
        why->peer[i].context = step->context;
    }
}

/* Reports whether the peer of the first pending receive has taken part in this operation by the area: its
 * amount of data differs, so its message will not come. */
static bool used_area(void *argument)
{
    const struct schedule *s = argument;
    const struct step *step = s->pending;
    if (!s->comm->area.memory || !step || step->kind != STEP_RECV || step->comm != s->comm)
        return false;
    /* Acquire: a message that the process has sent before is visible. */
    return atomic_load_explicit(&area_part_of(s->comm, step->peer, s->comm->area.number)->number, memory_order_acquire) == s->comm->area.number;
}

static void describe_schedule(void *argument, struct MPID_Blocked *why) { em_describe_schedule(argument, why); }

static int partner_of_schedule(void *argument)
{
    const struct schedule *s = argument;
    return s->pending ? MPID_Partner((const union MPIR_HANDLE *)&s->pending->handle) : -1;
}

/* Ends a schedule whose pending steps never end; the device keeps their memory. */
static void lose(struct schedule *s, int error)
{
    s->error = error;
    s->stopped = s->lost = true;
    em_drop_steps(s);
}

void em_finish_pending(struct schedule *s)
{
    int idle = 0;
    enum { POLLS = 4 }; /* then the device polls, and sleeps */
    for (;;) {
        uint32_t ticket = MPID_Ticket(); /* before the look: another thread may complete a step */
        if (retire_steps(s))
            return;
        em_progress();
        if (++idle < POLLS || MPID_Ticket() != ticket)
            continue;
        int err = MPID_Wait(ticket, used_area, describe_schedule, partner_of_schedule, s);
        if (unlikely(err)) {
            s->device_error = err;
            lose(s, MPI_ERR_OTHER);
            return;
        }
        if (unlikely(used_area(s))) {
            s->error_peer = s->pending->peer;
            lose(s, MPI_ERR_COUNT);
            return;
        }
    }
}

/* ---- local steps ---- */

static void run_copy(struct schedule *s, const void *from, int64_t scount, struct type *stype, void *to, int64_t rcount, struct type *rtype)
{
    if (!scount || (from == to && stype == rtype))
        return;
    int err = em_copy(from, scount, stype, to, rcount, rtype);
    if (unlikely(err))
        fail(s, err);
}

static void run_local(struct schedule *s, const struct step *step)
{
    int err;
    switch (step->kind) {
    case STEP_COPY:
        run_copy(s, step->in, step->count, step->type, step->out, step->count2, step->type2);
        break;
    case STEP_REDUCE:
        em_apply(step->op, step->in, step->out, step->count, step->type);
        break;
    default:
        err = step->function(step->out);
        if (unlikely(err))
            fail(s, err);
    }
}

bool em_run_steps(struct schedule *s)
{
    for (;;) {
        bool ended = retire_steps(s);
        struct step *step = s->first;
        if (!step)
            return ended;
        if (step->kind == STEP_BARRIER && !ended)
            return false;
        s->first = step->next;
        if (!s->first)
            s->end = &s->first;
        if (step->kind == STEP_SEND || step->kind == STEP_RECV) {
            struct type *type = step->type;
            start_transfer(s, step); /* the device retains the datatype if it needs it */
            em_type_release(type);
            continue;
        }
        if (step->kind != STEP_BARRIER) {
            run_local(s, step);
            release_step(step);
        }
        give_step(s, step);
    }
}

void em_drop_steps(struct schedule *s)
{
    for (struct step *step = s->first; step; step = step->next)
        if (step->kind != STEP_BARRIER)
            release_step(step);
    s->first = NULL;
    s->end = &s->first;
}

/* ---- making steps ---- */

static void record(struct schedule *s, const struct step *model)
{
    struct step *step = take_step(s);
    if (!step)
        return;
    memcpy(step, model, offsetof(struct step, handle));
    step->next = NULL;
    retain_step(step);
    *s->end = step;
    s->end = &step->next;
}

/* Makes the step of a send or a receive, and starts it if no earlier step is left. If memory is lacking, the schedule has an error. */
static void make_transfer(struct schedule *s, enum step_kind kind, void *buf, int64_t count, struct type *type, int peer)
{
    struct step *step = take_step(s);
    if (unlikely(!step))
        return;
    step->kind = kind;
    step->peer = peer;
    step->tag = s->tag;
    step->context = s->now->context + CONTEXT_COLLECTIVE;
    step->source = s->now->rank;
    step->comm = s->now;
    step->in = NULL;
    step->out = buf;
    step->count = count;
    step->type = type;
    step->type2 = NULL;
    step->op = NULL;
    if (likely(!s->first)) {
        start_transfer(s, step);
        return;
    }
    step->next = NULL;
    em_retain(&type->head);
    *s->end = step;
    s->end = &step->next;
}

void em_step_send(struct schedule *s, const void *buf, int64_t count, struct type *type, int dest)
{
    if (s && !s->stopped && dest != MPI_PROC_NULL)
        make_transfer(s, STEP_SEND, (void *)(uintptr_t)buf, count, type, dest);
}

void em_step_recv(struct schedule *s, void *buf, int64_t count, struct type *type, int source)
{
    if (s && !s->stopped && source != MPI_PROC_NULL)
        make_transfer(s, STEP_RECV, buf, count, type, source);
}

void em_step_copy(struct schedule *s, const void *from, int64_t scount, struct type *stype, void *to, int64_t rcount, struct type *rtype)
{
    if (!s || s->stopped)
        return;
    if (likely(!s->first)) {
        run_copy(s, from, scount, stype, to, rcount, rtype);
        return;
    }
    struct step model = {.kind = STEP_COPY, .in = from, .count = scount, .type = stype, .out = to, .count2 = rcount, .type2 = rtype};
    record(s, &model);
}

void em_step_reduce(struct schedule *s, const void *in, void *inout, int64_t count, struct type *type, struct op *op)
{
    if (!s || s->stopped || !count)
        return;
    if (likely(!s->first)) {
        em_apply(op, in, inout, count, type);
        return;
    }
    struct step model = {.kind = STEP_REDUCE, .in = in, .out = inout, .count = count, .type = type, .op = op};
    record(s, &model);
}

void em_step_call(struct schedule *s, int (*function)(void *argument), void *argument)
{
    if (!s || s->stopped)
        return;
    struct step model = {.kind = STEP_CALL, .function = function, .out = argument};
    if (s->first)
        record(s, &model);
    else
        run_local(s, &model);
}

void em_step_barrier(struct schedule *s)
{
    if (!s || s->stopped || (!s->first && retire_steps(s)))
        return;
    if (s->function && !s->first) {
        em_finish_pending(s);
        return;
    }
    struct step model = {.kind = STEP_BARRIER};
    record(s, &model);
}
