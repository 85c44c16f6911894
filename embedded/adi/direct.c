/*
 * Direct messages: the kernel copies the rest of a long message from the sender's memory to the receiver's.
 *
 * The receiver decides (choose_way) and answers ADI_CTS with ADI_DIRECT, its address and the message's number. The
 * message has pieces; both ranks take one after the other (adi_pieces_of) until none is left, the sender to write it
 * (process_vm_writev), the receiver to read it (process_vm_readv), so that two cores copy, or one if the other rank
 * does something else. One rank begins at the front and the other at the back, each where the other's memory has huge
 * pages (huge.c). The first pieces are long, because each call takes 1 to 2 µs, and the last ones short, so that both
 * ranks end at once. A sender that has taken pieces then writes ADI_WRITTEN. When all pieces are there, the receiver
 * answers ADI_READ, and both requests complete. If a copy fails, the receiver answers a second ADI_CTS without
 * ADI_DIRECT, and the rest of the message goes through the ring; the pair then sends no more direct messages.
 *
 * A pair has at most one direct message at a time; adi_direct describes it on both sides. The sender's
 * description may be older than the number in the segment: then it has no piece left.
 */
#define _GNU_SOURCE
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "data.h"
#include "request.h"
#include "rings.h"

enum { UNIT = 65536, LEAST = 2, MOST = 32, UNIT_BITS = 24 }; /* bytes; units of a piece; bits of a number of units */

/* ---- another rank's memory ---- */

void adi_show_token(struct adi_state *st)
{
    struct adi_shm *shm = adi_shm_of(st);
    if (syscall(SYS_getrandom, &shm->token, sizeof shm->token, 1u /* GRND_NONBLOCK */) != sizeof shm->token)
        shm->token = (uint64_t)adi_now() ^ (uint64_t)(uintptr_t)st;
    st->block->token = shm->token;
    st->block->token_at = (uint64_t)(uintptr_t)&shm->token;
    if (st->config.launcher > 0 && st->config.direct_min < INT64_MAX)
        prctl(PR_SET_PTRACER, (unsigned long)st->config.launcher, 0ul, 0ul, 0ul); /* has no effect without Yama */
}

/* Copies between this rank and another one. Returns whether all was copied. */
static bool copy_memory(const struct adi_out *out, void *mine, uint64_t other, int64_t n, bool write)
{
    pid_t pid = atomic_load_explicit(&out->block->pid, memory_order_acquire);
    struct iovec here = {mine, (size_t)n}, there = {(void *)(uintptr_t)other, (size_t)n};
    return (write ? process_vm_writev(pid, &here, 1, &there, 1, 0) : process_vm_readv(pid, &here, 1, &there, 1, 0)) == n;
}

/* Reports whether a rank's memory can be read and written, which need the same permission. Its process ID may mean
 * another process here (in a container); its random number is nowhere else. */
static bool reaches(struct adi_out *out)
{
    unsigned char reach = atomic_load_explicit(&out->reach, memory_order_relaxed); /* any thread may find it */
    if (reach == ADI_NOT_TRIED) {
        uint64_t token = 0;
        bool same = copy_memory(out, &token, out->block->token_at, sizeof token, false) && token == out->block->token;
        reach = same ? ADI_REACHED : ADI_OUT_OF_REACH;
        atomic_store_explicit(&out->reach, reach, memory_order_relaxed);
    }
    return reach == ADI_REACHED;
}

/* ---- pieces ---- */

static int64_t units_of_message(int64_t bytes) { return (bytes + UNIT - 1) / UNIT; }

/* Takes a piece: half of what is left, from LEAST to MOST units. Returns its place in the message, or -1 if none is left. */
static int64_t take_piece(const struct adi_direct *d, int64_t *length)
{
    const uint64_t mask = (1 << UNIT_BITS) - 1;
    uint64_t taken = atomic_load_explicit(d->pieces, memory_order_relaxed), then;
    int64_t all = units_of_message(d->bytes), n, at;
    do {
        int64_t front = (int64_t)(taken & mask), back = (int64_t)(taken >> UNIT_BITS & mask), left = all - front - back;
        if (taken >> 2 * UNIT_BITS != d->number || left <= 0)
            return -1;
        n = left / 2 < LEAST ? LEAST : left / 2 > MOST ? MOST : left / 2;
        n = n < left ? n : left;
        at = d->back ? all - back - n : front;
        then = taken + ((uint64_t)n << (d->back ? UNIT_BITS : 0));
        /* Relaxed: the lines order the data. */
    } while (!atomic_compare_exchange_weak_explicit(d->pieces, &taken, then, memory_order_relaxed, memory_order_relaxed));
    at *= UNIT;
    *length = at + n * UNIT < d->bytes ? n * UNIT : d->bytes - at;
    return at;
}

/* Takes a piece and copies it. Returns false if none is left. */
static bool copy_piece(struct adi_out *out, struct adi_direct *d, bool write)
{
    int64_t n, at = take_piece(d, &n);
    if (at < 0)
        return false;
    d->taken += n;
    /* After a failure the other pieces are only taken: the whole message is sent again. */
    if (!d->failed && !(reaches(out) && copy_memory(out, d->mine + at, d->other + (uint64_t)at, n, write)))
        d->failed = true;
    return true;
}

/* ---- the receiver ---- */

bool adi_receive_direct(struct adi_state *st, struct adi_in *in, MPIR_RHANDLE *r, uint64_t from, bool back)
{
    char *block = adi_block_of_data(&r->device.data);
    struct adi_direct *d = &in->direct;
    if (!from || !block || d->request || units_of_message(r->device.expected) >> UNIT_BITS || !reaches(adi_out_of(st, in->rank)))
        return false;
    *d = (struct adi_direct){
        .request = r,
        .pieces = d->pieces,
        .mine = block + r->device.received,
        .other = from + (uint64_t)r->device.received,
        .bytes = r->device.expected - r->device.received,
        .number = (uint16_t)(d->number + 1),
        .back = back,
    };
    atomic_store_explicit(d->pieces, (uint64_t)d->number << 2 * UNIT_BITS, memory_order_relaxed); /* before the answer's line */
    atomic_fetch_add_explicit(&adi_shm_of(st)->busy, 1, memory_order_relaxed);
    r->device.began = adi_now();
    return true;
}

/* Answers a message a second time. Its first answer may still wait for a line; then it is replaced. */
static void answer_again(struct adi_state *st, struct adi_out *out, MPIR_RHANDLE *r, enum adi_kind answer, enum adi_way way)
{
    MPID_THREAD_DS_LOCK(out, st->threads);
    r->device.answer = answer;
    r->device.way = way;
    const MPIR_RHANDLE *waiting = out->answers;
    while (waiting && waiting != r)
        waiting = waiting->device.next;
    MPID_THREAD_DS_UNLOCK(out, st->threads);
    if (!waiting)
        adi_shm_answer(st, r);
}

bool adi_read_piece(struct adi_state *st, struct adi_in *in)
{
    struct adi_direct *d = &in->direct;
    struct adi_out *out = adi_out_of(st, in->rank);
    if (copy_piece(out, d, false))
        return true;
    if (!d->answered && d->taken < d->bytes)
        return false; /* the sender copies the others */
    MPIR_RHANDLE *r = d->request;
    d->request = NULL;
    atomic_fetch_sub_explicit(&adi_shm_of(st)->busy, 1, memory_order_relaxed);
    if (d->failed) {
        atomic_store_explicit(&out->reach, ADI_OUT_OF_REACH, memory_order_relaxed);
        r->device.began = 0;
        answer_again(st, out, r, ADI_CTS, 0);
    } else {
        adi_note_pace(st, in->pace, r);
        answer_again(st, out, r, ADI_READ, ADI_MEMORY);
    }
    return true;
}

void adi_handle_written(struct adi_state *st, struct adi_in *in, const struct adi_line *line)
{
    in->direct.answered = true;
    in->direct.failed |= line->len != 0;
    adi_read_piece(st, in);
}

/* ---- the sender ---- */

void adi_send_direct(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *s, const struct adi_line *answer)
{
    out->direct = (struct adi_direct){
        .request = s,
        .pieces = out->direct.pieces,
        .mine = adi_block_of_data(&s->device.data) + s->device.sent,
        .other = answer->into,
        .partner = answer->receiver,
        .bytes = s->device.wanted - s->device.sent,
        .number = (uint16_t)answer->len,
        .back = !(answer->flags & ADI_BACK),
    };
    adi_set_busy(st, out);
}

bool adi_write_piece(struct adi_state *st, struct adi_out *out)
{
    struct adi_direct *d = &out->direct;
    if (copy_piece(out, d, true))
        return true;
    if (d->taken) {
        if (!adi_line_is_free(st, out))
            return false;
        struct adi_line *line = adi_next_line(out);
        line->receiver = d->partner;
        line->bytes = d->taken;
        line->len = d->failed;
        line->flags = 0;
        adi_put_line(st, out, line, ADI_WRITTEN);
    }
    d->request = NULL;
    return true;
}

/* Forgets a message of which the receiver has taken all pieces. */
void adi_end_direct(struct adi_state *st, struct adi_out *out, const MPIR_SHANDLE *s)
{
    if (out->direct.request == s)
        out->direct.request = NULL;
    adi_set_busy(st, out);
}

void adi_handle_read(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *s)
{
    MPID_THREAD_DS_LOCK(out, st->threads);
    adi_end_direct(st, out, s);
    MPID_THREAD_DS_UNLOCK(out, st->threads);
    adi_complete_send(st, s, MPID_SUCCESS);
}
