/*
 * Matching: posted receives and unexpected messages of a rank, of all contexts.
 *
 * Both are lists in order of arrival. Up to ADI_LINEAR_MAX entries a search walks the list. With
 * more, the entries are also in a hash table by (context, source, tag). A posted receive is in
 * the table by its own three values, wildcards included, so a message looks up at most four keys
 * and takes the receive with the lowest number. An unexpected message is in the table four times,
 * once for each combination of wildcards with which a receive may look for it.
 *
 * The table's lists are made of links inside the entries: the first entry of each key (the leader)
 * is in its bucket's chain, and the others follow it in order. So entries need no further
 * memory; if there is none for the table, searches walk the list.
 *
 * The caller holds the queues' lock.
 *
 * Gives: adi_index, adi_message, adi_entry, adi_queues, adi_post, adi_unpost, adi_find_posted, adi_add_entry,
 * adi_drop_entry, adi_find_entry.
 * Needs: adi_request.h, adi_threads.h, segment.h.
 */
#ifndef WI4GO_MATCH_H
#define WI4GO_MATCH_H

#include "adi_request.h"
#include "adi_threads.h"
#include "segment.h"

enum { ADI_LINEAR_MAX = 16 };

struct adi_index {
    struct adi_link **buckets; /* the table, owned, or NULL */
    uint32_t size;             /* number of buckets, a power of two */
    uint32_t links;
    bool used;                 /* the entries are in the table */
    struct adi_link *recent;   /* the leader of the key that was used last, or NULL */
};

/* A message that has arrived, on its way to a receive or among the unexpected ones. */
struct adi_message {
    int32_t context, source, tag;
    int32_t from;           /* the sender's rank in the job */
    int64_t len;            /* bytes of the message */
    int64_t stored;         /* bytes that are in data */
    char *data;
    uint8_t flags, msgrep;  /* flags: those of a line, see segment.h */
    bool whole;             /* all data is here; otherwise the sender's device fetches it (adi_device.accept) */
    bool late;              /* the message has waited for its receive */
    uint64_t sender;        /* the sender's request, in its memory; only if whole is false or flags has ADI_SYNC */
    uint64_t of_device[2];  /* belongs to the device; only if whole is false */
};

/* An unexpected message. It owns its data. */
struct adi_entry {
    struct adi_entry *before, *after; /* neighbors in the list; free entries use after */
    struct adi_link links[4];         /* 1: any tag, 2: any source, 3: both */
    struct adi_message message;       /* data: in small, or allocated */
    char small[48];
};

struct adi_state;

struct adi_queues {
    MPID_THREAD_DS_LOCK_DECLARE
    struct MPIR_RHANDLE *first_posted, *last_posted;
    uint32_t posted;
    uint32_t wild[4]; /* posted receives by wildcards: 1: any tag, 2: any source, 3: both */
    uint64_t number;  /* number of the next posted receive */
    struct adi_index posted_index;
    struct adi_entry *first_entry, *last_entry;
    uint32_t entries;
    int64_t unexpected;             /* bytes of the entries */
    int64_t limit, usual_limit;     /* limit of these bytes now, and without entries, see room.c */
    int64_t refused;                /* time of the last refusal of a higher limit in ns, or 0 */
    int throttled;                  /* senders that are throttled */
    struct adi_index entry_index;
    struct adi_entry *free_entries; /* kept for reuse */
    uint32_t free_count;
    void *(*allocate)(struct adi_state *, size_t); /* allocates the tables */
    void (*release)(struct adi_state *, void *, size_t);
    struct adi_state *state;
};

/* The combination of wildcards in a receive's source and tag: an index of links and wild. */
static inline int adi_wildcards(int32_t source, int32_t tag)
{
    return (tag == MPID_ANY_TAG) | (source == MPID_ANY_SOURCE) << 1;
}

/* Reports whether a receive's values match a message's. */
static inline bool adi_matches(const struct adi_link *receive, int32_t context, int32_t source, int32_t tag)
{
    return receive->context == context && (receive->source == source || receive->source == MPID_ANY_SOURCE) &&
           (receive->tag == tag || receive->tag == MPID_ANY_TAG);
}

/* Appends a receive whose link has its three values. */
void adi_post(struct adi_queues *q, struct MPIR_RHANDLE *request);
/* Takes a posted receive out. */
void adi_unpost(struct adi_queues *q, struct MPIR_RHANDLE *request);
/* Returns the receive that a message matches, the earliest posted one, or NULL. */
struct MPIR_RHANDLE *adi_find_posted(struct adi_queues *q, int32_t context, int32_t source, int32_t tag);

void adi_add_entry(struct adi_queues *q, struct adi_entry *entry);
void adi_drop_entry(struct adi_queues *q, struct adi_entry *entry);
/* Returns the earliest message that a receive matches, or NULL. This is the one place that decides
 * which message a wildcard receives. */
struct adi_entry *adi_find_entry(struct adi_queues *q, int32_t context, int32_t source, int32_t tag);

/* Frees the tables. */
void adi_free_queues(struct adi_queues *q);

#endif
