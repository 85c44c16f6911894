/* Unexpected messages: their memory, and how a receive takes one. The state owns the entries. Lock: that of the queues. */
#include "deliver.h"

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
    entry->message.stored = data_bytes;
    entry->message.data = entry->small;
    if (data_bytes > (int64_t)sizeof entry->small && !(entry->message.data = adi_allocate(st, (size_t)data_bytes))) {
        if (!adi_reuse_entry(q, entry))
            adi_release(st, entry, sizeof *entry);
        return NULL;
    }
    return entry;
}

/* The copy of adi_deliver. */
static void copy_entry(const struct adi_data *to, const struct adi_message *message, int64_t n, const void *argument)
{
    (void)argument;
    adi_copy_in(to, 0, message->data, n);
}

void adi_take_entry(struct adi_state *st, MPIR_RHANDLE *request, struct adi_entry *entry)
{
    request->device.stage = ADI_ARRIVING;
    adi_deliver(st, request, &entry->message, copy_entry, NULL);
    adi_free_entry(st, entry);
}
