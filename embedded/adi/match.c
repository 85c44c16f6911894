/* The lists and tables of match.h. All functions need the queues' lock. */
#include "match.h"

#include <stddef.h>
#include <string.h>

/* Returns the bucket of a key. Tags that follow each other have buckets that do so too, and different ones, up to the size of the
 * table: a million numbered receives are then found in lines that the processor has loaded. A hash of the rest decides where each
 * row of buckets begins. */
static struct adi_link **bucket_of(const struct adi_index *ix, int32_t context, int32_t source, int32_t tag)
{
    uint32_t row = (uint32_t)tag >> __builtin_ctz(ix->size);
    uint64_t h = ((uint64_t)(uint32_t)context << 32 | row) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 29 ^ (uint32_t)source) * 0xbf58476d1ce4e5b9ull;
    return &ix->buckets[((uint32_t)(h >> 32) + (uint32_t)tag) & (ix->size - 1)];
}

static bool same_key(const struct adi_link *link, int32_t context, int32_t source, int32_t tag)
{
    return link->context == context && link->source == source && link->tag == tag;
}

/* Returns the leader of a key, or NULL. */
static struct adi_link *leader_of(const struct adi_index *ix, int32_t context, int32_t source, int32_t tag)
{
    if (ix->recent && same_key(ix->recent, context, source, tag))
        return ix->recent;
    struct adi_link *link = *bucket_of(ix, context, source, tag);
    while (link && !same_key(link, context, source, tag))
        link = link->chain;
    return link;
}

static void chain(struct adi_index *ix, struct adi_link *link)
{
    struct adi_link **bucket = bucket_of(ix, link->context, link->source, link->tag);
    link->chain = *bucket;
    link->back = bucket;
    if (*bucket)
        (*bucket)->back = &link->chain;
    *bucket = link;
}

/* Gives the table a number of buckets. If memory is lacking, the old table stays. */
static void resize(struct adi_queues *q, struct adi_index *ix, uint32_t size)
{
    struct adi_link **old = ix->buckets;
    uint32_t old_size = ix->size;
    struct adi_link **buckets = q->allocate(q->state, size * sizeof *buckets);
    if (!buckets)
        return;
    memset(buckets, 0, size * sizeof *buckets);
    ix->buckets = buckets;
    ix->size = size;
    for (uint32_t i = 0; i < old_size; i++)
        for (struct adi_link *link = old[i], *next; link; link = next) {
            next = link->chain;
            chain(ix, link);
        }
    if (old)
        q->release(q->state, old, old_size * sizeof *old);
}

/* Adds a link to an index: as the last one of its key, or as the leader of a new key. The index grows if it is full. */
static void insert(struct adi_queues *q, struct adi_index *ix, struct adi_link *link)
{
    if (++ix->links > ix->size)
        resize(q, ix, ix->size * 2);
    struct adi_link *leader = leader_of(ix, link->context, link->source, link->tag);
    link->next = NULL;
    if (!leader) {
        link->prev = NULL;
        link->last = ix->recent = link;
        chain(ix, link);
        return;
    }
    ix->recent = leader;
    link->back = NULL;
    link->prev = leader->last;
    leader->last->next = link;
    leader->last = link;
}

/* Removes a link from an index. If it was the leader of its key, the next link of that key becomes the leader. */
static void index_remove(struct adi_index *ix, struct adi_link *link)
{
    ix->links--;
    struct adi_link *next = link->next;
    if (!link->back) { /* a follower; the leader is found by the key if this is the last one */
        link->prev->next = next;
        if (next)
            next->prev = link->prev;
        else
            leader_of(ix, link->context, link->source, link->tag)->last = link->prev;
        return;
    }
    if (ix->recent == link)
        ix->recent = next;
    if (next) { /* becomes the leader in the same place */
        next->chain = link->chain;
        next->back = link->back;
        next->last = link->last;
        next->prev = NULL;
        *link->back = next;
        if (next->chain)
            next->chain->back = &next->chain;
        return;
    }
    *link->back = link->chain;
    if (link->chain)
        link->chain->back = link->back;
}

/* Prepares an empty table. Returns false if memory is lacking. */
static bool begin_index(struct adi_queues *q, struct adi_index *ix)
{
    if (!ix->buckets)
        resize(q, ix, 256);
    ix->links = 0;
    ix->recent = NULL;
    return ix->used = ix->buckets != NULL;
}

/* ---- posted receives ---- */

void adi_post(struct adi_queues *q, struct MPIR_RHANDLE *request)
{
    struct adi_link *link = &request->device.link;
    link->number = q->number++;
    request->device.after = NULL;
    request->device.before = q->last_posted;
    *(q->last_posted ? &q->last_posted->device.after : &q->first_posted) = request;
    q->last_posted = request;
    q->wild[adi_wildcards(link->source, link->tag)]++;
    if (q->posted_index.used)
        insert(q, &q->posted_index, link);
    else if (q->posted >= ADI_LINEAR_MAX && begin_index(q, &q->posted_index))
        for (struct MPIR_RHANDLE *r = q->first_posted; r; r = r->device.after)
            insert(q, &q->posted_index, &r->device.link);
    q->posted++;
}

void adi_unpost(struct adi_queues *q, struct MPIR_RHANDLE *request)
{
    struct MPIR_RHANDLE *before = request->device.before, *after = request->device.after;
    *(before ? &before->device.after : &q->first_posted) = after;
    *(after ? &after->device.before : &q->last_posted) = before;
    q->wild[adi_wildcards(request->device.link.source, request->device.link.tag)]--;
    if (q->posted_index.used)
        index_remove(&q->posted_index, &request->device.link);
    if (--q->posted == 0)
        q->posted_index.used = false;
}

struct MPIR_RHANDLE *adi_find_posted(struct adi_queues *q, int32_t context, int32_t source, int32_t tag)
{
    for (struct MPIR_RHANDLE *r = q->first_posted; r; r = r->device.after) {
        if (adi_matches(&r->device.link, context, source, tag))
            return r;
        if (q->posted_index.used)
            break; /* the table finds the others */
    }
    if (!q->posted_index.used)
        return NULL;
    struct adi_link *best = NULL;
    for (int wildcards = 0; wildcards < 4; wildcards++) {
        if (!q->wild[wildcards])
            continue;
        struct adi_link *link = leader_of(&q->posted_index, context, wildcards & 2 ? MPID_ANY_SOURCE : source, wildcards & 1 ? MPID_ANY_TAG : tag);
        if (link && (!best || link->number < best->number))
            best = link;
    }
    return best ? (struct MPIR_RHANDLE *)((char *)best - offsetof(struct MPIR_RHANDLE, device.link)) : NULL;
}

/* ---- unexpected messages ---- */

static void index_entry(struct adi_queues *q, struct adi_entry *entry)
{
    for (int wildcards = 0; wildcards < 4; wildcards++) {
        struct adi_link *link = &entry->links[wildcards];
        link->context = entry->message.context;
        link->source = wildcards & 2 ? MPID_ANY_SOURCE : entry->message.source;
        link->tag = wildcards & 1 ? MPID_ANY_TAG : entry->message.tag;
        insert(q, &q->entry_index, link);
    }
}

void adi_add_entry(struct adi_queues *q, struct adi_entry *entry)
{
    entry->after = NULL;
    entry->before = q->last_entry;
    *(q->last_entry ? &q->last_entry->after : &q->first_entry) = entry;
    q->last_entry = entry;
    if (q->entry_index.used)
        index_entry(q, entry);
    else if (q->entries >= ADI_LINEAR_MAX && begin_index(q, &q->entry_index))
        for (struct adi_entry *e = q->first_entry; e; e = e->after)
            index_entry(q, e);
    q->entries++;
}

void adi_drop_entry(struct adi_queues *q, struct adi_entry *entry)
{
    *(entry->before ? &entry->before->after : &q->first_entry) = entry->after;
    *(entry->after ? &entry->after->before : &q->last_entry) = entry->before;
    q->entries--;
    if (!q->entry_index.used)
        return;
    for (int wildcards = 0; wildcards < 4; wildcards++)
        index_remove(&q->entry_index, &entry->links[wildcards]);
    if (!q->entries) {
        q->entry_index.used = false;
        q->limit = q->usual_limit;
    }
}

struct adi_entry *adi_find_entry(struct adi_queues *q, int32_t context, int32_t source, int32_t tag)
{
    if (!q->entry_index.used) {
        struct adi_link receive = {.context = context, .source = source, .tag = tag};
        struct adi_entry *e = q->first_entry;
        while (e && !adi_matches(&receive, e->message.context, e->message.source, e->message.tag))
            e = e->after;
        return e;
    }
    struct adi_link *link = leader_of(&q->entry_index, context, source, tag);
    if (!link)
        return NULL;
    struct adi_link *first = link - adi_wildcards(source, tag);
    return (struct adi_entry *)((char *)first - offsetof(struct adi_entry, links));
}

void adi_free_queues(struct adi_queues *q)
{
    struct adi_index *both[] = {&q->posted_index, &q->entry_index};
    for (int i = 0; i < 2; i++)
        if (both[i]->buckets) {
            q->release(q->state, both[i]->buckets, both[i]->size * sizeof *both[i]->buckets);
            both[i]->buckets = NULL;
        }
}
