/* The calls of the layer above that make progress, and wait for an event. It takes the locks that adi_poll takes. */
#include "progress.h"
#include "waiting.h"

int MPID_DeviceCheck(MPID_BLOCKING_TYPE blocking)
{
    struct adi_state *st = adi_self;
    struct adi_pause pause = {0};
    int error = MPID_SUCCESS;
    if (adi_poll(st, false))
        return 1;
    if (!blocking || st->threads)
        return 0;
    struct MPID_Blocked why = adi_why(st, NULL, "MPID_DeviceCheck", MPID_ANY_SOURCE, -1, MPID_ANY_TAG, -1);
    pause.ticket = atomic_load_explicit(&st->events, memory_order_relaxed); /* one thread */
    /* The pause itself makes progress, so the events are examined, too. */
    while (!error && !adi_poll(st, false) && atomic_load_explicit(&st->events, memory_order_relaxed) == pause.ticket)
        error = adi_pause(st, &pause, &why);
    adi_unpause(st, &pause);
    if (error == MPIR_ERR_PEER)
        adi_job_is_over(st, &why);
    return 1;
}

uint32_t MPID_Ticket(void) { return atomic_load_explicit(&adi_self->events, memory_order_acquire); }

/* Waits for an event after the ticket, or until pause->ready returns true. */
static int wait_on(struct adi_state *st, struct adi_pause *pause, const struct MPID_Blocked *why)
{
    int error = MPID_SUCCESS;
    /* Acquire: what the completing thread has written is visible. */
    while (!error && !(pause->ready && pause->ready(pause->argument)) && atomic_load_explicit(&st->events, memory_order_acquire) == pause->ticket) {
        if (adi_poll(st, false))
            pause->idle = 0;
        else
            error = adi_pause(st, pause, why);
    }
    adi_unpause(st, pause);
    return error;
}

int MPID_Wait(uint32_t ticket, bool (*ready)(void *argument), void (*describe)(void *argument, struct MPID_Blocked *why), int (*awaited)(void *argument), void *argument)
{
    struct adi_pause pause = {.ticket = ticket, .ready = ready, .describe = describe, .awaited = awaited, .argument = argument};
    return wait_on(adi_self, &pause, NULL);
}

int MPID_Sleep(uint32_t ticket, const struct MPID_Blocked *why)
{
    struct adi_state *st = adi_self;
    struct adi_pause pause = {.ticket = ticket};
    struct MPID_Blocked unknown;
    if (!why) {
        unknown = adi_why(st, NULL, "MPID_Sleep", MPID_ANY_SOURCE, -1, MPID_ANY_TAG, -1);
        why = &unknown;
    }
    return wait_on(st, &pause, why);
}
