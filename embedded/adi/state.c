/*
 * The variables of the library, its memory and its clock. The pointer adi_self and its mirrors MPID_MyWorldRank and
 * MPID_MyWorldSize are the only variables. Only the thread that calls MPID_Init or MPID_End changes them.
 */
#include <time.h>

#include "internal.h"

ADI_OF_RANK struct adi_state *adi_self;
ADI_OF_RANK int MPID_MyWorldRank;
ADI_OF_RANK int MPID_MyWorldSize;

/* ---- memory ---- */

void *adi_allocate(struct adi_state *st, size_t bytes)
{
    void *memory = st->config.allocate(bytes);
    if (memory)
        atomic_fetch_add_explicit(&st->space, (long long)bytes, memory_order_relaxed);
    return memory;
}

void adi_release(struct adi_state *st, void *memory, size_t bytes)
{
    if (memory)
        atomic_fetch_sub_explicit(&st->space, (long long)bytes, memory_order_relaxed);
    st->config.release(memory);
}

int64_t MPID_Space_used(void) { return atomic_load_explicit(&adi_self->space, memory_order_relaxed); }

/* ---- the fast path ---- */

void adi_set_fast_short(struct adi_state *st)
{
    uint64_t most = (uint64_t)(st->lines_max > st->config.short_max ? st->lines_max : st->config.short_max);
    st->fast_short = st->trace || st->debug_flag ? 0 : most + 1;
}

/* ---- the clock ---- */

int64_t adi_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
