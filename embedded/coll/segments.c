/*
 * Reductions of large operands: each rank receives a segment of all operands and combines it. The
 * segments are exchanged in parts, so that memory is bounded and parts are combined while others
 * are on their way.
 */
#include "reduce.h"

enum {
    SEGMENT_MEMORY = 1 << 20, /* memory for the operands of a part, in bytes */
    SEGMENT_PART = 65536,     /* most bytes of a part */
};

enum target { TO_ALL, TO_ROOT, TO_SELF };

struct segments {
    const struct reduction *r;
    const int64_t *first; /* first element of each rank's segment, and the end of the last one */
    int64_t part, parts;  /* elements of a part, number of parts */
    enum target target;
    int root;
    char *out;            /* the whole result (TO_ALL, TO_ROOT), or this rank's segment (TO_SELF) */
    char *results[2];     /* TO_ROOT, not the root: results of parts, in turn */
    char *memory;         /* memory for operands */
    void **operand;
};

/* Elements of a part of a rank's segment. */
struct piece {
    int64_t at, count;
};
static struct piece piece_of(const struct segments *g, int rank, int64_t part)
{
    int64_t from = g->first[rank] + part * g->part, end = g->first[rank + 1];
    return (struct piece){from, from >= end ? 0 : end - from < g->part ? end - from : g->part};
}

static char *result_of_part(const struct segments *g, int64_t part)
{
    struct piece own = piece_of(g, g->r->me, part);
    if (g->target == TO_ROOT && g->r->me != g->root)
        return g->results[part % 2];
    return g->out + (own.at - (g->target == TO_SELF ? g->first[g->r->me] : 0)) * g->r->type->device.extent;
}

/* Sends the parts of the other ranks' segments, and receives all operands of the own one. */
static void exchange_operands(struct schedule *s, struct segments *g, int64_t part)
{
    const struct reduction *r = g->r;
    const char *in = r->in;
    int64_t extent = r->type->device.extent;
    struct piece own = piece_of(g, r->me, part);
    if (own.count)
        em_place_operands(s, r, g->operand, g->memory, in + own.at * extent, result_of_part(g, part), own.count);
    for (int k = 1; k < r->n; k++) {
        int to = (r->me + k) % r->n, from = (r->me - k + r->n) % r->n;
        struct piece other = piece_of(g, to, part);
        if (own.count)
            em_step_recv(s, g->operand[from], own.count, r->type, from);
        if (other.count)
            em_step_send(s, in + other.at * extent, other.count, r->type, to);
    }
}

/* Sends the result of a part to the ranks that need it. */
static void distribute_result(struct schedule *s, const struct segments *g, int64_t part)
{
    const struct reduction *r = g->r;
    struct piece own = piece_of(g, r->me, part);
    for (int k = 1; k < r->n && g->target != TO_SELF; k++) {
        int to = (r->me + k) % r->n, from = (r->me - k + r->n) % r->n;
        struct piece other = piece_of(g, from, part);
        if (other.count && (g->target == TO_ALL || r->me == g->root))
            em_step_recv(s, g->out + other.at * r->type->device.extent, other.count, r->type, from);
        if (own.count && (g->target == TO_ALL || to == g->root))
            em_step_send(s, result_of_part(g, part), own.count, r->type, to);
    }
}

/* Makes the steps of a reduction by segments. While a part is exchanged, the results of the part before it are distributed. */
static void run_segments(struct schedule *s, struct segments *g)
{
    const struct reduction *r = g->r;
    int64_t longest = 0, size = r->type->device.extent > 0 ? r->type->device.extent : r->type->device.size;
    for (int i = 0; i < r->n; i++)
        longest = g->first[i + 1] - g->first[i] > longest ? g->first[i + 1] - g->first[i] : longest;
    int64_t bytes = SEGMENT_MEMORY / r->n < SEGMENT_PART ? SEGMENT_MEMORY / r->n : SEGMENT_PART;
    g->part = bytes > size ? bytes / size : 1;
    g->part = g->part < longest ? g->part : longest;
    g->parts = longest ? (longest + g->part - 1) / g->part : 0;
    g->operand = em_schedule_memory(s, r->n * (int64_t)sizeof *g->operand);
    g->memory = em_schedule_elements(s, (r->n - 1) * g->part, r->type);
    if (g->target == TO_ROOT && r->me != g->root)
        for (int i = 0; i < 2; i++)
            g->results[i] = em_schedule_elements(s, g->part, r->type);
    if (!g->operand || !g->memory)
        return;
    for (int64_t part = 0; part <= g->parts; part++) {
        if (part < g->parts)
            exchange_operands(s, g, part);
        if (part)
            distribute_result(s, g, part - 1);
        em_step_barrier(s);
        if (part < g->parts)
            em_combine(s, r, g->operand, 0, r->n, piece_of(g, r->me, part).count);
    }
}

void em_reduce_segments(struct schedule *s, const struct reduction *r, void *out, int root)
{
    int64_t *first = em_schedule_memory(s, (r->n + 1) * (int64_t)sizeof *first);
    if (!first)
        return;
    for (int i = 0; i <= r->n; i++)
        first[i] = r->count / r->n * i + (i < r->count % r->n ? i : r->count % r->n);
    struct segments g = {.r = r, .first = first, .target = root < 0 ? TO_ALL : TO_ROOT, .root = root, .out = out};
    run_segments(s, &g);
}

void em_reduce_own_segment(struct schedule *s, const struct reduction *r, const int64_t *first, void *out)
{
    struct segments g = {.r = r, .first = first, .target = TO_SELF, .root = -1, .out = out};
    run_segments(s, &g);
}

const int64_t *em_first_elements(struct schedule *s, const struct side *side, int n)
{
    int64_t *first = em_schedule_memory(s, (n + 1) * (int64_t)sizeof *first);
    if (first)
        first[0] = 0;
    for (int i = 0; first && i < n; i++)
        first[i + 1] = first[i] + (side->form == SIDE_EACH ? side->count : count_at(side->counts, i));
    return first;
}
