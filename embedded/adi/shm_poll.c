/*
 * Progress of the device shm: polls the senders that have begun, and writes what waits for room.
 *
 * In a rank with several threads one thread at a time drains a sender's lines; another one skips
 * this sender (or waits, before it sleeps). The list of senders grows under greet's lock; its
 * count is stored last.
 */
#include "rings.h"

/* Adds the senders that have begun since the last time. Returns whether there were any. */
static bool greet(struct adi_state *st, struct adi_shm *shm)
{
    bool any = false;
    MPID_THREAD_DS_LOCK(&shm->greet, st->threads);
    /* Sequentially consistent: the bits of all counted senders are visible. */
    atomic_store_explicit(&shm->knocks, atomic_load_explicit(&st->block->knocks, memory_order_seq_cst), memory_order_relaxed);
    int count = atomic_load_explicit(&shm->active_count, memory_order_relaxed);
    for (int word = 0; word * 64 < st->size; word++) {
        uint64_t bits = atomic_load_explicit(&st->block->knockers[word], memory_order_seq_cst);
        for (; bits; bits &= bits - 1) {
            struct adi_in *in = &shm->in[word * 64 + __builtin_ctzll(bits)];
            if (in->active)
                continue;
            in->active = any = true;
            shm->active[count++] = in;
        }
    }
    /* Release: the entry before the count. */
    atomic_store_explicit(&shm->active_count, count, memory_order_release);
    MPID_THREAD_DS_UNLOCK(&shm->greet, st->threads);
    return any;
}

/* Reports whether a sender's next line is there. Relaxed: adi_drain looks again. */
static inline bool has_line(struct adi_in *in)
{
    uint64_t at = atomic_load_explicit(&in->at, memory_order_relaxed);
    return atomic_load_explicit(&in->lines[at & in->mask].lap, memory_order_relaxed) == adi_lap(at, in->line_bits);
}

/* Drains one sender in a rank with several threads. */
static bool drain_locked(struct adi_state *st, struct adi_in *in, bool all)
{
    if (all)
        MPID_THREAD_DS_LOCK(in, st->threads);
    else if (!has_line(in) || !MPID_THREAD_DS_TRYLOCK(in, st->threads))
        return false;
    bool any = adi_drain(st, in);
    MPID_THREAD_DS_UNLOCK(in, st->threads);
    return any;
}

/* Copies a piece of a direct message that arrives from a sender, if there is one. */
static bool read_piece(struct adi_state *st, struct adi_in *in, bool all)
{
    if (all || !st->threads)
        MPID_THREAD_DS_LOCK(in, st->threads);
    else if (!MPID_THREAD_DS_TRYLOCK(in, st->threads))
        return false;
    bool any = in->direct.request && adi_read_piece(st, in);
    MPID_THREAD_DS_UNLOCK(in, st->threads);
    return any;
}

/* Writes what waits for room in all connections, and copies a piece of each direct message. Returns whether anything was done. */
static bool push_all(struct adi_state *st, struct adi_shm *shm, bool all)
{
    bool any = false;
    for (int rank = 0; rank < st->size; rank++) {
        struct adi_out *out = &shm->out[rank];
        any |= read_piece(st, &shm->in[rank], all);
        if (!(st->threads || out->busy))
            continue;
        MPID_THREAD_DS_LOCK(out, st->threads);
        if (out->busy)
            any |= adi_push(st, out);
        MPID_THREAD_DS_UNLOCK(out, st->threads);
    }
    return any;
}

bool adi_shm_poll(struct adi_state *st, bool all)
{
    struct adi_shm *shm = adi_shm_of(st);
    bool any = false;
    if (adi_unlikely(atomic_load_explicit(&st->block->knocks, memory_order_relaxed) != atomic_load_explicit(&shm->knocks, memory_order_relaxed)))
        any |= greet(st, shm);
    int count = atomic_load_explicit(&shm->active_count, memory_order_acquire);
    for (int i = 0; i < count; i++) {
        struct adi_in *in = shm->active[i];
        if (adi_unlikely(st->threads)) {
            any |= drain_locked(st, in, all);
            continue;
        }
        if (has_line(in))
            any |= adi_drain(st, in);
    }
    if (adi_unlikely(atomic_load_explicit(&shm->busy, memory_order_relaxed)))
        any |= push_all(st, shm, all);
    return any;
}
