/* The memory of unexpected messages. The state owns it. Lock: that of the queues. */
#include "internal.h"

struct adi_entry *adi_new_entry(struct adi_state *st, int64_t data_bytes)
{
    struct adi_queues *q = &st->queues;
    struct adi_entry *entry = q->free_entries;
    if (entry) {
        q->free_entries = entry->after;
        q->free_count--;
    } else if (!(entry = adi_allocate(st, sizeof *entry))) {
        return NULL;
    }
    entry->own = NULL;
    entry->len = entry->stored = data_bytes;
    entry->data = entry->small;
    if (data_bytes > (int64_t)sizeof entry->small && !(entry->data = adi_allocate(st, (size_t)data_bytes))) {
        entry->after = q->free_entries;
        q->free_entries = entry;
        q->free_count++;
        return NULL;
    }
    return entry;
}
