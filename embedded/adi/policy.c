/*
 * The policy of long messages: see policy.h. State: adi_distance, adi_buffers and adi_pace, each a part of the pair that it is
 * about. Locks: those of the pair.
 */
#include "policy.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- sender ---- */

/* Through the caches is faster if the two cores share one, else past them; which is the case may change while the job runs,
 * because a virtual machine moves its cores. (choose_way decides for large messages.) Only headers without data count,
 * because a copy on the same core delays the line. The quickest of the last answers decides. */
void adi_note_distance(struct adi_distance *d, int64_t ns)
{
    enum { FAR_NS = 300, ANSWERS = 4 };
    if (ns < d->quickest)
        d->quickest = ns;
    if (++d->answered >= ANSWERS) {
        d->quickest_before = d->quickest;
        d->quickest = ns;
        d->answered = 0;
    }
    d->past = d->quickest > FAR_NS && d->quickest_before > FAR_NS;
}

int64_t adi_first_part(const struct adi_state *st, struct adi_distance *d, int64_t bytes, int64_t largest)
{
    enum { MEASURED = 16 }; /* one message of so many goes without a first part */
    return d->messages++ % MEASURED == 0 ? 0 : least(least(st->config.first_max, largest), bytes / 2);
}

int64_t adi_next_part(int64_t sent, int64_t wanted, int64_t largest)
{
    enum { FIRST_CHUNK = 2048, SMALLEST_CHUNK = 4096 };
    int64_t quarter = wanted / 4, n = sent == 0 ? FIRST_CHUNK : quarter > SMALLEST_CHUNK ? quarter : SMALLEST_CHUNK;
    return least(n, least(wanted - sent, largest));
}

/* ---- huge pages ---- */

/* Returns the notes about a buffer. A new buffer replaces the oldest one. */
static struct adi_buffer *find_buffer(struct adi_buffers *buffers, char *start, int64_t size)
{
    enum { RECENT = sizeof buffers->recent / sizeof *buffers->recent };
    for (int i = 0; i < RECENT; i++)
        if (buffers->recent[i].start == start)
            return &buffers->recent[i];
    struct adi_buffer *buffer = &buffers->recent[buffers->oldest++ % RECENT];
    *buffer = (struct adi_buffer){.start = start, .next = start - (uintptr_t)start % (uintptr_t)size};
    return buffer;
}

static uint8_t units_of(int64_t bytes)
{
    enum { UNIT = 65536 };
    return (uint8_t)(bytes <= 0 ? 0 : bytes >= 255 * UNIT ? 255 : bytes / UNIT);
}

struct adi_rims adi_use_buffer(struct adi_state *st, struct adi_buffers *buffers, char *start, int64_t bytes)
{
    int64_t size = start && bytes >= st->config.direct_min && st->config.huge_uses > 0 ? adi_huge_page(st) : 0;
    if (!size)
        return (struct adi_rims){0};
    struct adi_buffer *buffer = find_buffer(buffers, start, size);
    if (buffer->next < start + bytes && ++buffer->uses >= st->config.huge_uses)
        adi_make_huge(buffer, size);
    if (!buffer->first)
        return (struct adi_rims){0};
    return (struct adi_rims){units_of(buffer->first - start), units_of(start + bytes - buffer->after)};
}

/* ---- receiver ---- */

/* Returns the place in adi_in.pace of large messages of this length. There is one for each power of two. */
static int place_of(int64_t bytes)
{
    int place = 0;
    for (bytes /= 2; bytes >= ADI_LARGE && place < ADI_PACES - 1; bytes /= 2)
        place++;
    return place;
}

enum { ROW = 4, FIRST_TRIES = ROW * ADI_WAYS, TRIED = 128, SELDOM = 8 }; /* see choose_way */

/* Reports whether the next message of this length counts for the choice of its way: in a row of messages that try
 * another way and in the row after it. Otherwise only long ones count, because reading the clock twice takes several
 * percent of a short one's time. */
static bool is_examined(const struct adi_pace *pace, int64_t bytes)
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

void adi_note_pace(const struct adi_state *st, struct adi_pace *paces, const MPIR_RHANDLE *r)
{
    if (!adi_is_large(st, r->device.expected))
        return;
    struct adi_pace *pace = &paces[place_of(r->device.expected)];
    if (r->device.began > 0)
        note_time(pace, r);
    pace->messages++;
    if (is_examined(pace, r->device.expected))
        choose_way(st, pace, r->device.expected);
}

struct adi_choice adi_choose_rest(const struct adi_state *st, const struct adi_pace *paces, int64_t bytes, struct adi_rims mine, struct adi_rims theirs)
{
    const struct adi_pace *pace = &paces[place_of(bytes)];
    bool always = st->config.direct_min < ADI_LARGE && bytes >= st->config.direct_min;
    return (struct adi_choice){
        .way = always ? ADI_MEMORY : pace->next,
        .in_ring = pace->next_ring,
        .timed = is_examined(pace, bytes),
        /* The receiver reads the sender's memory, and the sender writes the receiver's: small pages take longer. */
        .back = theirs.before + mine.after > theirs.after + mine.before,
    };
}

/* The lines of a long ring have left this core's own caches before they are written again, so they need not be given back. */
enum adi_copy adi_choose_copy(enum adi_way way, bool past, uint64_t ring)
{
    enum { LONG_RING = 1 << 20 };
    if (way & ADI_RECEIVER_PAST)
        return ADI_COPY_PAST;
    return past || ring >= LONG_RING ? ADI_COPY_PLAIN : ADI_COPY_GIVE;
}
