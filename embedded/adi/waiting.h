/*
 * Waiting: the state of a wait, sleeping (wait.c), descriptions of waits (blocked.c) and the end of the job (over.c).
 *
 * Gives: adi_pause, adi_wait_init, adi_look_for_core, adi_why, adi_name_caller, adi_describe_wait, adi_answer_call, adi_unpause,
 * adi_job_is_over.
 * Needs: state.h.
 */
#ifndef WI4GO_WAITING_H
#define WI4GO_WAITING_H

#include "state.h"

/* ---- wait.c ---- */

/* The state of a wait between two polls. */
struct adi_pause {
    uint32_t ticket;   /* events before the condition was last examined */
    uint32_t idle;     /* polls without an event */
    int64_t begin;     /* start of the idle time in nanoseconds, or 0 if not read yet */
    int slot;          /* index in adi_block.blocked plus 1, or 0 */
    uint32_t call;     /* the last roll call that this wait has seen */
    bool progress;     /* the rank has done something since the wait was described */
    /* The arguments of MPID_Wait; NULL in other waits. */
    bool (*ready)(void *argument);
    void (*describe)(void *argument, struct MPID_Blocked *why);
    int (*awaited)(void *argument);
    void *argument;
};
/* Called after a poll without an event: spins, then sleeps until something may have changed. why: not
 * read if the pause has `describe`. Returns MPID_SUCCESS, MPIR_ERR_EXHAUSTED if an arriving message finds
 * no memory, or MPIR_ERR_PEER. */
int adi_pause(struct adi_state *st, struct adi_pause *pause, const struct MPID_Blocked *why);
void adi_wait_init(struct adi_state *st);
/* Called by a rank that has found nothing: now and then, if it shares its core although there are enough, moves it to another one. */
void adi_look_for_core(struct adi_state *st);

/* ---- blocked.c ---- */

/* Describes the wait for one message. */
struct MPID_Blocked adi_why(struct adi_state *st, struct MPIR_COMMUNICATOR *comm, const char *function, int32_t lrank, int32_t grank, int32_t tag, int32_t context);
/* Replaces the name of a function of the device by the one under which it is reported. */
void adi_name_caller(const struct adi_state *st, struct MPID_Blocked *blocked);
/* Writes the description of a wait to a slot of this rank, unless the one there is still true. */
void adi_describe_wait(struct adi_state *st, struct adi_pause *pause, const struct MPID_Blocked *why);
/* Answers the last roll call of the launcher, if the wait has been examined since this thread has seen it. Otherwise returns
 * false; then the caller must not sleep before it has examined the wait. */
bool adi_answer_call(struct adi_state *st, struct adi_pause *pause);
/* Ends a wait: gives its slot back. */
void adi_unpause(struct adi_state *st, struct adi_pause *pause);

/* ---- over.c ---- */

/* Ends this rank because the job is over. */
void adi_job_is_over(struct adi_state *st, const struct MPID_Blocked *why) __attribute__((noreturn));

#endif
