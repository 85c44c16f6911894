/*
 * Broadcasts within one group, by point-to-point messages. If ranks outnumber cores, the root sends to all others,
 * because each round costs every rank a turn on a core. No state, no locks.
 */
#include "coll.h"

enum {
    FLAT_RANKS = 64,         /* ranks up to which a root sends to all others, if ranks outnumber cores */
    FLAT_BYTES = 262144,     /* the largest message that it sends so */
    PIPELINE_BYTES = 131072, /* smallest broadcast that passes through the ranks in parts */
    PIPELINE_PART = 65536,
};

/* Each rank passes parts on to the next one while it receives the following part. */
static void pass_along(struct schedule *s, char *bytes, int64_t size, int root)
{
    int n = em_schedule_comm(s)->size, me = em_schedule_comm(s)->rank;
    int place = (me - root + n) % n, before = (me - 1 + n) % n, after = (me + 1) % n;
    int64_t at = 0, sent = 0;
    while (at < size || sent < size) {
        int64_t part = at < size ? (size - at < PIPELINE_PART ? size - at : PIPELINE_PART) : 0;
        if (place && part)
            em_step_recv(s, bytes + at, part, em_byte(), before);
        if (place < n - 1 && sent < at)
            em_step_send(s, bytes + sent, at - sent, em_byte(), after);
        sent = at;
        at += part;
        if (place)
            em_step_barrier(s);
        if (place == n - 1 && at == size)
            break;
    }
}

static void bcast_in_parts(struct schedule *s, void *buf, int64_t count, struct type *type, int root)
{
    int64_t size = count * type->device.size;
    if (type->device.is_contig) {
        pass_along(s, (char *)buf + type->device.true_lb, size, root);
        return;
    }
    bool at_root = em_schedule_comm(s)->rank == root;
    char *bytes = em_schedule_memory(s, size);
    if (at_root)
        em_step_copy(s, buf, count, type, bytes, size, em_byte());
    pass_along(s, bytes, size, root);
    if (!at_root)
        em_step_copy(s, bytes, size, em_byte(), buf, count, type);
}

/* A binomial tree: each rank receives from the rank without its lowest bit, relative to the root. */
static void bcast_by_tree(struct schedule *s, void *buf, int64_t count, struct type *type, int root)
{
    int n = em_schedule_comm(s)->size, me = em_schedule_comm(s)->rank;
    int place = (me - root + n) % n, bit = 1;
    while (bit < n && !(place & bit))
        bit <<= 1;
    if (place) {
        em_step_recv(s, buf, count, type, (place - bit + root) % n);
        em_step_barrier(s);
    }
    for (bit >>= 1; bit; bit >>= 1)
        if (place + bit < n)
            em_step_send(s, buf, count, type, (place + bit + root) % n);
}

void em_make_bcast(struct schedule *s, void *buf, int64_t count, struct type *type, int root)
{
    int n = em_schedule_comm(s)->size, me = em_schedule_comm(s)->rank;
    int64_t bytes = count ? count * type->device.size : 0;
    if (n == 1 || !bytes)
        return;
    bool crowded = em_few_rounds(s);
    if (n > 2 && bytes >= PIPELINE_BYTES && !crowded) {
        bcast_in_parts(s, buf, count, type, root);
    } else if (n > 3 && (!crowded || n > FLAT_RANKS || bytes > FLAT_BYTES)) {
        bcast_by_tree(s, buf, count, type, root);
    } else if (me != root) {
        em_step_recv(s, buf, count, type, root);
    } else {
        for (int i = 1; i < n; i++)
            em_step_send(s, buf, count, type, (root + i) % n);
    }
}
