/*
 * Collective operations by the memory that the processes of a small communicator share (its area, a memory object of the device).
 * Each process owns a share of it: numbered parts, and a ring of bytes. In an operation it gives a
 * part, waits for parts of others, reads them, and marks that it is done. Blocking operations with
 * little data only: the others, and communicators without an area, use messages (move.c, reduce.c).
 *
 * Every blocking collective operation of the communicator has a number, the same in all processes,
 * whether it uses the area or not. Part i belongs to the operations with number i modulo AREA_PARTS. A
 * part and its bytes are used again when all processes are done with the operation that had them.
 *
 * A process that gives a part ends the sleep of those that wait for it. If ranks outnumber cores,
 * only the last of the expected parts does.
 *
 * Gives: struct area_part, area_share, area_call; em_area_begin and the other steps of an
 * operation.
 * Needs: coll.h.
 */
#ifndef WI4GO_EMBEDDED_AREA_H
#define WI4GO_EMBEDDED_AREA_H

#include <string.h>

#include "coll.h"

enum {
    AREA_PROCESSES = 64, /* most processes of a communicator with an area */
    AREA_HEAD = 4096,  /* bytes before the first share */
    AREA_SMALL = 48,   /* most bytes of data in a part's own line */
    AREA_RING = 65536, /* bytes of the ring in a share, for the data of larger parts */
    AREA_MOST = 32768, /* most bytes of one part */
    /* AREA_RING and AREA_MOST of two processes, while the areas of the job take less than AREA_PAIRS: a line has left both cores' own caches before it is written again. */
    AREA_PAIR_RING = 1177600,
    AREA_PAIR_MOST = AREA_PAIR_RING / 4,
    AREA_PAIRS = 8 << 20,
};

struct area_part {
    _Alignas(64) atomic_ullong number; /* number of the operation, stored with release after the data */
    uint32_t bytes, place;             /* place: in the ring, if there is more than AREA_SMALL */
    _Alignas(16) char data[AREA_SMALL];
};
struct area_share {
    struct area_part parts[AREA_PARTS];
    _Alignas(64) atomic_ullong done; /* the process has ended its operations up to this number */
    _Alignas(64) char ring[]; /* comm->area.ring bytes */
};
struct area_head {
    atomic_int waiting; /* processes that wait until others are done */
};

/* An operation of this process. */
struct area_call {
    struct comm *comm;
    const char *function; /* the name that a report of blocked ranks shows */
    int tag;        /* tag of this operation's messages, if a process uses messages */
    uint64_t number; /* number of the operation */
    bool second;    /* this is a further part of the same operation, which still reads the earlier parts */
    int error;
    int next, end;  /* range of ranks whose slots are not written yet: [next, end) */
    bool for_done;  /* a wait until others are done, not for their parts */
    uint64_t until; /* the number of the operation that they must have given, or be done with */
};

/* Begins the operation that has been counted last. */
struct area_call em_area_begin(const struct collective *c, const char *function);
/* Returns memory for the data of this process's part, aligned to 16 bytes; its bytes are at most
 * AREA_MOST. NULL: the operation has failed. */
char *em_area_room(struct area_call *a, int64_t bytes);
/* Gives the part. */
enum { TO_ALL = -1 }; /* waiting: every process waits for all parts; otherwise the one rank that does */
void em_area_give(struct area_call *a, int waiting);
/* Gives the part of the only process that gives one. */
void em_area_give_alone(struct area_call *a);
/* Waits for the parts of ranks first to end - 1. Returns whether they have come. */
bool em_area_wait(struct area_call *a, int first, int end);
/* Gives a part of at most AREA_SMALL bytes, and waits for the parts of all ranks. Returns whether they have come. */
bool em_area_exchange(struct area_call *a, const void *from, int64_t bytes);
/* Ends the operation. Returns true, and stores the result. */
bool em_area_end(struct area_call *a, int *err);

static inline struct area_share *area_share_of(const struct comm *comm, int rank)
{
    return (struct area_share *)(comm->area.memory + AREA_HEAD + (uint64_t)rank * (sizeof(struct area_share) + comm->area.ring));
}
static inline struct area_part *area_part_of(const struct comm *comm, int rank, uint64_t number)
{
    return &area_share_of(comm, rank)->parts[number % AREA_PARTS];
}
/* Returns the data of a part that has come. */
static inline char *area_data(const struct area_call *a, int rank)
{
    struct area_part *part = area_part_of(a->comm, rank, a->number);
    return part->bytes <= AREA_SMALL ? part->data : area_share_of(a->comm, rank)->ring + part->place;
}
/* Reports whether the communicator has two ranks with a core each. */
static inline bool area_is_pair(const struct comm *comm) { return comm->size == 2 && !comm->collops->few_rounds; }
/* The most bytes of a part. With a small ring, such two exchange more than a line faster by messages. With a
 * large one, one operation of 16 uses messages, by which the device notices how far apart the cores are now. */
static inline int64_t area_limit(const struct comm *comm)
{
    if (!area_is_pair(comm))
        return AREA_MOST;
    return comm->area.ring < AREA_PAIR_RING || comm->area.number % 16 == 0 ? AREA_SMALL : AREA_PAIR_MOST;
}
/* Copies at most AREA_SMALL bytes. */
static inline void area_copy_line(void *to, const void *from, int64_t bytes)
{
    if (likely(bytes == 8))
        memcpy(to, from, 8);
    else if (bytes)
        memcpy(to, from, (size_t)bytes);
}
/* Copy bytes to this process's part, and from a part of another process. */
static inline void area_write(const struct area_call *a, char *room, const void *from, int64_t bytes)
{
    if (bytes <= AREA_SMALL || (uintptr_t)room % 64)
        memcpy(room, from, (size_t)bytes);
    else
        MPID_Write_shared(room, from, bytes, a->comm->local->grank[a->comm->rank ? 0 : 1]);
}
static inline void area_read(void *to, const char *data, int64_t bytes)
{
    if (bytes <= AREA_SMALL || (uintptr_t)data % 64)
        memcpy(to, data, (size_t)bytes);
    else
        MPID_Read_shared(to, data, bytes);
}

#endif
