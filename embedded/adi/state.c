/*
 * The variables of the library, its memory and its clock. The pointer adi_self and its mirrors MPID_MyWorldRank and
 * MPID_MyWorldSize are the only variables. Only the thread that calls MPID_Init or MPID_End changes them.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "segment.h"
#include "state.h"

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

void *adi_zeros(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* ---- the state ---- */

static const int64_t usual_unexpected = 4 << 20; /* see room.c */

static size_t bytes_of_state(int size) { return sizeof(struct adi_state) + (size_t)size * sizeof(struct adi_peer); }

/* The state and its table of peers are one block. */
struct adi_state *adi_make_state(const struct MPID_Config *config, struct adi_segment *segment)
{
    size_t bytes = bytes_of_state((int)segment->ranks);
    struct adi_state *st = config->allocate(bytes);
    if (!st)
        return NULL;
    memset(st, 0, bytes);
    st->peers = (struct adi_peer *)(st + 1);
    st->config = *config;
    st->segment = segment;
    st->rank = config->rank < 0 ? 0 : config->rank;
    st->size = (int)segment->ranks;
    st->packet = INT64_MAX;
    st->fast_max = config->short_max;
    st->threads = config->threads && ADI_LOCKS;
    st->block = adi_block_of(segment, st->rank);
    st->queues.allocate = adi_allocate;
    st->queues.release = adi_release;
    st->queues.state = st;
    st->queues.limit = st->queues.usual_limit = config->unexpected_max > 0 ? config->unexpected_max : usual_unexpected;
    MPID_THREAD_DS_LOCK_INIT(&st->queues);
    atomic_init(&st->space, (long long)bytes);
    return st;
}

void adi_free_state(struct adi_state *st)
{
    struct adi_queues *q = &st->queues;
    for (struct adi_entry *entry = q->first_entry, *next; entry; entry = next) {
        next = entry->after;
        if (entry->message.data != entry->small)
            adi_release(st, entry->message.data, (size_t)entry->message.stored);
        adi_release(st, entry, sizeof *entry);
    }
    for (struct adi_entry *entry = q->free_entries, *next; entry; entry = next) {
        next = entry->after;
        adi_release(st, entry, sizeof *entry);
    }
    adi_free_queues(q);
    if (st->segment_bytes)
        munmap(st->segment, st->segment_bytes);
    st->config.release(st);
}

/* ---- the fast path ---- */

void adi_set_fast_short(struct adi_state *st)
{
    st->fast_short = st->trace || st->debug_flag ? 0 : (uint64_t)st->fast_max + 1;
}

/* ---- the clock ---- */

int64_t adi_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
