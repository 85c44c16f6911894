/*
 * The measured speed of large messages, by which the receiver chooses how both ranks copy the next one. State: adi_in.pace.
 * Lock: adi_in.lock.
 */
#include "internal.h"

struct adi_pace *adi_pace_of(struct adi_in *in, int64_t bytes)
{
    int i = 0;
    for (bytes /= 2; bytes >= ADI_LARGE && i < ADI_PACES - 1; bytes /= 2)
        i++;
    return &in->pace[i];
}

enum { ROW = 4, FIRST_TRIES = ROW * ADI_WAYS, TRIED = 128, SELDOM = 8 }; /* see choose_way */

bool adi_is_examined(const struct adi_pace *pace, int64_t bytes)
{
    enum { LONG = 256 << 10 };
    return bytes >= LONG || pace->messages < 2 * FIRST_TRIES || pace->messages % TRIED < 2 * ROW;
}

/* Decides how the next message of this length is copied. From memory to memory is faster for the longest ones, above all
 * in huge pages, because there is one copy instead of two. Past the caches is faster by up to twice if they do
 * not hold the memory of both ranks, or if the two cores share none; through them is faster by up to four
 * times otherwise. Which is the case depends on the length, on the program, and on what else uses the
 * memory, and may change. So each way is tried for a few messages in a row, because the first ones touch new memory and
 * each way leaves other memory in the caches, then the fastest so far is taken, and now and then another one is
 * tried, a way that took twice as long an eighth as often. */
static void choose_way(const struct adi_state *st, struct adi_pace *pace, int64_t bytes)
{
    unsigned allowed = (bytes >= st->config.sender_past_min ? ADI_SENDER_PAST : 0) | (bytes >= st->config.receiver_past_min ? ADI_RECEIVER_PAST : 0) |
                       (bytes >= st->config.direct_min ? ADI_MEMORY : 0);
    unsigned n = pace->messages, next = 0;
    for (unsigned way = 0; way < ADI_MEMORY; way++)
        if ((way & ~allowed) == 0 && pace->ns[way] < pace->ns[next])
            next = way;
    pace->next_ring = (unsigned char)next;
    if (allowed & ADI_MEMORY && pace->ns[ADI_MEMORY] && pace->ns[ADI_MEMORY] < pace->ns[next])
        next = ADI_MEMORY;
    if (n < FIRST_TRIES)
        next = n / ROW & allowed;
    else if (n % TRIED < ROW) {
        unsigned way = n / TRIED % ADI_WAYS & allowed;
        bool slow = pace->ns[way] / 2 > pace->ns[next];
        if (!slow || n / TRIED / ADI_WAYS % SELDOM == 0)
            next = way;
    }
    pace->next = (unsigned char)next;
}

/* Notes the time of a message. The first one of a way does not count. A slow message may have waited for its sender or
 * lost its core, so it counts a quarter, and not more than twice the time so far. */
static void note_time(struct adi_pace *pace, const MPIR_RHANDLE *r)
{
    bool repeated = pace->last == r->device.way;
    pace->last = r->device.way;
    int64_t time = (adi_now() - r->device.began) * (1 << 20) / (r->device.expected + 1) + 1, before = pace->ns[r->device.way];
    if (before > 0 && time > before)
        time = before + ((time < 2 * before ? time : 2 * before) - before) / 4;
    if (repeated)
        pace->ns[r->device.way] = time < UINT32_MAX ? (uint32_t)time : UINT32_MAX;
}

void adi_note_pace(struct adi_state *st, struct adi_in *in, const MPIR_RHANDLE *r)
{
    struct adi_pace *pace = adi_pace_of(in, r->device.expected);
    if (r->device.began > 0)
        note_time(pace, r);
    pace->messages++;
    if (adi_is_examined(pace, r->device.expected))
        choose_way(st, pace, r->device.expected);
}
