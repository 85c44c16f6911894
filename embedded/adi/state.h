/*
 * The state of a rank, its memory and its clock (state.c). Each group of fields belongs to the files that its comment names; the
 * devices keep their state apart (of_device).
 *
 * Locks (only in a rank with several threads): each device and the queues have their own. A request belongs to the list
 * that it is in; a request in no list belongs to the thread that has taken it out, which completes it.
 *
 * Gives: adi_state, adi_self, adi_allocate, adi_release, adi_now, adi_likely, adi_unlikely.
 * Needs: adi.h, device.h, match.h, memory.h.
 */
#ifndef WI4GO_STATE_H
#define WI4GO_STATE_H

#include <stdatomic.h>
#include <stdio.h>

#include "adi.h"
#include "device.h"
#include "match.h"
#include "memory.h"

#define adi_likely(x) __builtin_expect(!!(x), 1)
#define adi_unlikely(x) __builtin_expect(!!(x), 0)

struct adi_state {
    /* Read by every call. */
    uint64_t fast_short; /* messages shorter than this many bytes may take the fast path; 0 disables it */
    int rank, size;
    bool fence;   /* a fence after each line, see wait.c */
    bool threads; /* several threads of the rank call the device */
    void *of_device[ADI_DEVICES]; /* the state of each device, or NULL */
    bool (*poll)(struct adi_state *st, bool all); /* see adi_poll */
    struct adi_block *block;
    atomic_uint events;     /* completions and arrivals: the ticket */
    struct adi_queues queues;

    struct adi_peer *peers; /* the ranks of the job */
    const struct adi_device *devices[ADI_DEVICES]; /* those that reach a rank */
    int device_count;
    struct adi_segment *segment;
    uint64_t segment_bytes; /* 0: the launcher owns the mapping */
    struct adi_memory *memory; /* access to the heap: own_memory, or that of all ranks if these are threads */
    struct adi_memory own_memory;
    struct MPID_Config config;
    int64_t packet;         /* MPID_SetPktSize */
    int64_t fast_max;       /* largest message of a fast path, in bytes */
    bool one_instruction;   /* rep movsb is the fastest copy of long blocks here, even if another core holds the lines: see copy.c */
    atomic_int abandoned;   /* sends that MPID_End must complete */
    atomic_bool stalled;    /* an unexpected message found no memory */
    atomic_llong space;     /* bytes allocated */

    /* wait.c */
    bool oversubscribed, no_futex;
    bool adapts;            /* the next two change */
    atomic_llong spin_ns;   /* how long a wait polls before it sleeps; see adapt */
    atomic_llong yield_ns;  /* how long it leaves its core before it sleeps */
    atomic_uint looks;      /* calls of adi_look_for_core */
    atomic_ulong late;      /* sleeps that ended by their time limit although there was work: always 0 */
    atomic_ulong sleeps;

    /* turns.c */
    int placings;           /* how often this rank was placed on a core when it began */
    int home;               /* the number of that core, or -1 */
    unsigned away;          /* turns on another core … */
    int64_t away_since;     /* … since this time, in ns */
    unsigned returns;       /* how often this rank was placed again after such turns */
    bool unsorted;          /* the ranks of a core are not sorted */
    unsigned gathered;      /* turns of this rank in the sort that runs, or 0 if it takes no part */
    unsigned out_of_turn;   /* how often this rank was */
    atomic_uint parted;     /* how often this rank has moved away from another rank's core */

    /* debug.c */
    FILE *trace, *debug;
    bool space_debug, debug_flag;
};

/* The rank's state. Set by MPID_Init, read by every call. */
extern ADI_OF_RANK struct adi_state *adi_self;

/* Brings settings that make no sense into their range. (config.c) */
void adi_limit_settings(struct MPID_Config *config);

/* Returns the state of a rank that no device connects with others yet, or NULL if memory is lacking. */
struct adi_state *adi_make_state(const struct MPID_Config *config, struct adi_segment *segment);
/* Frees it, after the devices have left and memory objects are unmapped. */
void adi_free_state(struct adi_state *st);

/* Return memory or NULL, and free it. The bytes count in MPID_Space_used. */
void *adi_allocate(struct adi_state *st, size_t bytes);
void adi_release(struct adi_state *st, void *memory, size_t bytes);
/* Returns memory that is zero, which takes no pages before it is written and does not count, or NULL. munmap frees it. */
void *adi_zeros(size_t bytes);

/* Returns the time in nanoseconds since some event before the job. */
int64_t adi_now(void);

/* Decides which messages may take the fast path, after a setting has changed. */
void adi_set_fast_short(struct adi_state *st);

#endif
