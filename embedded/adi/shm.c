/*
 * The device for messages between ranks: lines and byte rings in the segment.
 *
 *   short   sender: line with header and data
 *   lines   sender: line with header and data, and up to eight lines with the rest of the data
 *   eager   sender: data into the eager bytes, then the line
 *   long    sender: the first part into the chunk bytes, then ADI_RTS; receiver, when a receive has
 *           matched: ADI_CTS; sender: each other part into the chunk bytes, then a line ADI_CHUNK
 *   direct  a long message whose receiver has chosen this in its ADI_CTS: see direct.c
 *   synchronous short and eager messages are answered by ADI_ACK when a receive has matched
 *
 * A connection (adi_out) has three lists: sends without a line (pending), accepted long messages
 * (pushing), and receives whose answer has no line (answers). adi_push empties them as the receiver
 * frees lines and bytes. If too much is unexpected, its senders are throttled (room.c): then every message
 * is synchronous, and longer ones send only their header.
 *
 * shm_send.c is the sender's side, over lines.c, direct.c and shm_long.c; shm_receive.c is the receiver's; shm_poll.c calls
 * both. policy.c decides how a long message goes. This file starts and ends the device. State: adi_shm; only the thread
 * that calls MPID_Init or MPID_End changes its pointers.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "shm.h"

_Static_assert(sizeof(struct adi_line) == ADI_LINE, "a line is a cache line");
_Static_assert(sizeof(struct adi_feedback) == ADI_LINE, "the feedback is a cache line");

/* ---- start ---- */

static bool shm_reaches(const struct adi_state *st, int rank) { return rank != st->rank; }

/* Fills the sender's side of the pair from this rank to another one. `out` is all zeros. */
static void connect_out(struct adi_state *st, struct adi_out *out, int to)
{
    struct adi_segment *segment = st->segment;
    struct adi_feedback *box = adi_box_of(segment, st->rank, to);
    out->rank = to;
    out->block = adi_block_of(segment, to);
    out->pending_end = &out->pending;
    out->pushing_end = &out->pushing;
    out->answers_end = &out->answers;
    MPID_THREAD_DS_LOCK_INIT(out);
    out->buffers = &adi_shm_of(st)->histories[to].sent;
    out->feedback = box;
    out->lines = (struct adi_line *)(box + 1);
    out->line_bits = segment->line_bits;
    out->mask = (1u << segment->line_bits) - 1;
    out->eager = (struct adi_bytes){.base = adi_eager_of(segment, st->rank, to), .size = segment->eager_bytes};
    out->chunk = (struct adi_bytes){.base = adi_chunk_of(segment, st->rank, to), .size = segment->chunk_bytes};
    out->direct.pieces = adi_pieces_of(segment, st->rank, to);
    out->limit = out->mask + 1;
    out->distance = adi_first_distance();
}

/* Fills the receiver's side of the pair from another rank to this one. `in` is all zeros. */
static void connect_in(struct adi_state *st, struct adi_in *in, int from)
{
    struct adi_segment *segment = st->segment;
    struct adi_feedback *box = adi_box_of(segment, from, st->rank);
    in->rank = from;
    MPID_THREAD_DS_LOCK_INIT(in);
    in->buffers = &adi_shm_of(st)->histories[from].received;
    in->pace = adi_shm_of(st)->histories[from].pace;
    in->feedback = box;
    in->lines = (struct adi_line *)(box + 1);
    in->line_bits = segment->line_bits;
    in->mask = (1u << segment->line_bits) - 1;
    in->eager = (struct adi_bytes){.base = adi_eager_of(segment, from, st->rank), .size = segment->eager_bytes};
    in->chunk = (struct adi_bytes){.base = adi_chunk_of(segment, from, st->rank), .size = segment->chunk_bytes};
    in->direct.pieces = adi_pieces_of(segment, from, st->rank);
}

/* Returns the largest message of ADI_LINES: at most a quarter of a ring. 0: none. */
static int64_t largest_of_lines(const struct adi_state *st)
{
    int64_t ring = ADI_SHORT_MAX + ADI_MORE * ((1ll << st->segment->line_bits) / 4 - 1), most = st->config.lines_max;
    most = most < st->config.eager_max ? most : st->config.eager_max;
    most = most < ring ? most : ring;
    most = most < ADI_LINES_MAX ? most : ADI_LINES_MAX;
    return most > ADI_SHORT_MAX && st->config.short_max == ADI_SHORT_MAX ? most : 0;
}

static size_t bytes_of_histories(int size) { return (size_t)size * sizeof(struct adi_history); }
static size_t bytes_of_shm(int size) { return sizeof(struct adi_shm) + (size_t)size * (sizeof(struct adi_out) + sizeof(struct adi_in) + sizeof(struct adi_in *)); }

/* Allocates the state with its tables in one block. */
static bool shm_start(struct adi_state *st)
{
    struct adi_history *histories = adi_zeros(bytes_of_histories(st->size));
    struct adi_shm *shm = histories ? adi_allocate(st, bytes_of_shm(st->size)) : NULL;
    if (!shm) {
        if (histories)
            munmap(histories, bytes_of_histories(st->size));
        return false;
    }
    memset(shm, 0, bytes_of_shm(st->size));
    st->of_device[ADI_SHM] = shm;
    shm->in = (struct adi_in *)(shm->out + st->size);
    shm->active = (struct adi_in **)(shm->in + st->size);
    shm->histories = histories;
    shm->lines_max = largest_of_lines(st);
    atomic_init(&shm->huge_page, -1);
    MPID_THREAD_DS_LOCK_INIT(&shm->greet);
    for (int rank = 0; rank < st->size; rank++)
        if (st->peers[rank].device == &adi_shm_device) {
            connect_out(st, &shm->out[rank], rank);
            connect_in(st, &shm->in[rank], rank);
        }
    if (shm->lines_max > st->fast_max)
        st->fast_max = shm->lines_max;
    adi_show_token(st);
    return true;
}

/* ---- end ---- */

/* Counts a rank if it has not ended and a list for it is not empty, or if it may still need an answer to finish a send that this
 * rank has abandoned. */
static bool shm_owes(const struct adi_state *st)
{
    bool abandoned = atomic_load_explicit(&st->abandoned, memory_order_relaxed) > 0;
    for (int rank = 0; rank < st->size; rank++) {
        const struct adi_out *out = adi_out_of(st, rank);
        if ((out->busy || (abandoned && out->known)) && !atomic_load_explicit(&out->block->ended, memory_order_acquire))
            return true;
    }
    return false;
}

static void shm_leave(struct adi_state *st)
{
    struct adi_shm *shm = adi_shm_of(st);
    munmap(shm->histories, bytes_of_histories(st->size));
    adi_release(st, shm, bytes_of_shm(st->size));
    st->of_device[ADI_SHM] = NULL;
}

/* ---- room and distance ---- */

/* Publishes the positions of all senders. */
static bool shm_publish(struct adi_state *st)
{
    struct adi_shm *shm = adi_shm_of(st);
    bool any = false;
    int count = atomic_load_explicit(&shm->active_count, memory_order_acquire);
    for (int i = 0; i < count; i++) {
        struct adi_in *in = shm->active[i];
        MPID_THREAD_DS_LOCK(in, st->threads);
        if (in->published != in->at) {
            adi_publish_feedback(st, in);
            any = true;
        }
        MPID_THREAD_DS_UNLOCK(in, st->threads);
    }
    return any;
}

/* Relaxed: a hint, which the sender reads before each message. */
static void shm_throttle(struct adi_state *st, int from, unsigned kilobytes)
{
    atomic_store_explicit(&adi_in_of(st, from)->feedback->throttle, kilobytes, memory_order_relaxed);
}

static unsigned shm_full(const struct adi_state *st, int to)
{
    const struct adi_out *out = adi_out_of(st, to);
    return out->throttled ? atomic_load_explicit(&out->feedback->throttle, memory_order_relaxed) : 0;
}

static bool shm_is_far(const struct adi_state *st, int to) { return adi_out_of(st, to)->distance.past; }

const struct adi_device adi_shm_device = {
    .name = "shm",
    .number = ADI_SHM,
    .reaches = shm_reaches,
    .start = shm_start,
    .owes = shm_owes,
    .leave = shm_leave,
    .send = adi_shm_send,
    .send_now = adi_shm_send_now,
    .prepare = adi_shm_prepare,
    .withdraw = adi_shm_withdraw,
    .accept = adi_shm_accept,
    .answer = adi_shm_answer,
    .poll = adi_shm_poll,
    .publish = shm_publish,
    .throttle = shm_throttle,
    .full = shm_full,
    .is_far = shm_is_far,
};
