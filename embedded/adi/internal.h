/*
 * The state of a rank, and the functions that the files of the device share.
 *
 * Locks (only in a rank with several threads): adi_in, adi_out, adi_queues each have one. Order:
 * adi_in, then adi_queues, then adi_out; a thread that holds one takes only later ones. A request
 * belongs to the list that it is in; a request in no list belongs to the thread that has taken it
 * out, which completes it.
 *
 * Gives: adi_state, adi_in, adi_out, adi_device, adi_self, adi_poll, adi_pause and the others.
 * Needs: adi.h, copy.h, match.h, memory.h, segment.h.
 */
#ifndef WI4GO_INTERNAL_H
#define WI4GO_INTERNAL_H

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "adi.h"
#include "copy.h"
#include "match.h"
#include "memory.h"
#include "segment.h"

#define adi_likely(x) __builtin_expect(!!(x), 1)
#define adi_unlikely(x) __builtin_expect(!!(x), 0)

enum adi_mode { ADI_STANDARD, ADI_SYNCHRONOUS, ADI_READY_MODE, ADI_BUFFERED };
enum adi_stage { /* progress of a request */
    ADI_IDLE,
    ADI_PENDING,  /* send: no line yet, in adi_out.pending */
    ADI_WAITING,  /* send: its header is with the receiver */
    ADI_PUSHING,  /* send: in adi_out.pushing */
    ADI_POSTED,   /* receive: in adi_queues */
    ADI_ARRIVING, /* receive: matched; data or the line for its answer is missing */
    ADI_ENDED,
};
enum { ADI_COMPLETE = 1, ADI_ABANDONED = 2 }; /* bits of a request's fate */

/* Bytes that a pair's sender writes and its receiver reads, as a ring. Positions only grow. */
struct adi_bytes {
    char *base;
    uint64_t size;  /* a power of two */
    uint64_t at;    /* the end of what this side has written or read */
    uint64_t freed; /* the receiver's position, as last read by the sender or published by the receiver */
};

struct adi_state;
struct adi_out;

/* A device: one way to reach a rank. */
struct adi_device {
    const char *name;
    /* Starts a send whose arguments are in the request. It completes at once, or is in one of
     * the device's lists when the call returns. */
    void (*send)(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *request);
    /* Sends without waiting for anything, or returns MPIR_ERR_MAY_BLOCK and does nothing. */
    int (*send_now)(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *request);
    /* A receive has taken a message whose data is still at the sender. */
    void (*accept)(struct adi_state *st, MPIR_RHANDLE *request, const struct adi_entry *entry);
    /* The caller waits for a send: does what can be done before the receiver answers. NULL: nothing. */
    void (*prepare)(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *request);
    /* Takes back a send that no other rank has seen. Returns whether there was one. */
    bool (*withdraw)(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *request);
};
extern const struct adi_device adi_self_device, adi_shm_device;

/* A message that both ranks copy from memory to memory: see direct.c. */
struct adi_direct {
    void *request;          /* this side's request, or NULL */
    atomic_ullong *pieces;  /* see adi_pieces_of */
    char *mine;             /* the first byte, in this rank's memory */
    uint64_t other, partner; /* the first byte in the other's memory, and the other's request */
    int64_t bytes;
    int64_t taken;          /* bytes of the pieces that this rank has taken */
    uint16_t number;        /* the message's number */
    bool back;              /* this rank takes the pieces from the back */
    bool failed;            /* one of the ranks could not copy a piece */
    bool answered;          /* receiver: the sender has copied its pieces */
};

/* The buffers of a pair's last long messages on one side, see huge.c. */
struct adi_buffers {
    struct adi_buffer {
        char *start, *next;  /* next: the next huge page */
        char *first, *after; /* range of the huge pages so far, or NULL */
        int64_t uses;
        int failures;
    } recent[4];
    unsigned oldest;
};
enum adi_reach { ADI_NOT_TRIED, ADI_REACHED, ADI_OUT_OF_REACH }; /* whether this rank can copy another rank's memory */

/* The sender's side of a pair. */
struct adi_out {
    struct adi_line *lines;
    uint64_t at;         /* position of the next line */
    uint64_t fast_limit; /* positions before this one may be written without another check, or 0 to force the slow path */
    uint64_t limit;      /* positions before this one are free */
    uint32_t mask, line_bits;
    struct adi_block *block; /* the receiver's */
    struct adi_feedback *feedback;
    const struct adi_device *device;
    struct adi_bytes eager, chunk;
    struct { /* a part that is in the chunk bytes, but not yet announced: see adi_shm_prepare */
        const MPIR_SHANDLE *send; /* NULL: none */
        char *data;
        uint64_t at;  /* the ring's position after it */
        int64_t bytes;
    } prepared;
    struct adi_direct direct;
    struct adi_buffers *buffers;            /* see adi_history */
    atomic_uchar reach;                     /* enum adi_reach */
    MPIR_SHANDLE *pending, **pending_end;   /* sends without a line, in order */
    MPIR_SHANDLE *pushing, **pushing_end;   /* long messages that the receiver has accepted */
    MPIR_RHANDLE *answers, **answers_end;   /* receives whose answer needs a line */
    int rank;
    bool known;     /* the receiver polls the lines */
    bool throttled; /* see adi_feedback */
    bool busy;      /* one of the lists is not empty: counted in adi_state.busy */
    bool past;      /* blocks of all but large messages are copied past the caches */
    bool large_past; /* the receiver wanted the last large message to be copied past the caches */
    unsigned long_messages;
    int answered;   /* answers that note_distance has counted since quickest_before was set */
    int64_t quickest, quickest_before; /* time of the quickest answer since then, and before; see note_distance */
    MPID_THREAD_DS_LOCK_DECLARE
};

/* How the two ranks copy a large message. */
enum adi_way {
    ADI_SENDER_PAST = 1,   /* the sender past the caches, else through them */
    ADI_RECEIVER_PAST = 2, /* the receiver's answer */
    ADI_MEMORY = 4,        /* from memory to memory */
    ADI_WAYS,
};

/* The measured speed of a pair's large messages of about the same length. Protected by adi_in.lock. */
struct adi_pace {
    uint32_t ns[ADI_WAYS]; /* measured nanoseconds per megabyte for each way, or 0 if not measured */
    uint32_t messages;
    unsigned char next;      /* the way of the next message */
    unsigned char last;      /* the way of the last message */
    unsigned char next_ring; /* the way of the next message that cannot go from memory to memory */
};
enum { ADI_PACES = 8, ADI_LARGE = 65536 }; /* messages from ADI_LARGE on are large */

/* The receiving side of a pair. */
struct adi_in {
    struct adi_line *lines;
    atomic_ullong at; /* changes with the lock; other threads look at it before they take that */
    uint32_t mask, line_bits;
    uint64_t published; /* position in the feedback */
    struct adi_feedback *feedback;
    struct adi_bytes eager, chunk;
    bool throttled;     /* see room.c; protected by the queues' lock */
    bool active;        /* in adi_state.active; protected by greet's lock */
    struct adi_pace *pace;       /* ADI_PACES, see pace_of and adi_history */
    struct adi_direct direct;
    struct adi_buffers *buffers; /* see adi_history */
    int rank;
    MPID_THREAD_DS_LOCK_DECLARE
};

/* The buffers and the speed of earlier long messages of a pair. They are apart from adi_out and adi_in, so that a rank takes no memory for them
 * before it has long messages. */
struct adi_history {
    struct adi_buffers sent, received;
    struct adi_pace pace[ADI_PACES];
};

struct adi_state {
    /* Read by every call. */
    struct adi_out *out;
    uint64_t fast_short; /* messages shorter than this many bytes may take the fast path; 0 disables it */
    int rank, size;
    bool fence;   /* a fence after each line, see wait.c */
    bool threads; /* several threads of the rank call the device */
    atomic_int active_count;
    struct adi_in **active; /* senders that have begun, the ones to poll; grows only */
    struct adi_block *block;
    atomic_uint knocks;     /* adi_block.knocks when greet last read it; written with greet's lock */
    atomic_int busy;        /* connections with a list that is not empty, and direct messages that arrive */
    atomic_uint events;     /* completions and arrivals: the ticket */
    struct adi_queues queues;

    struct adi_in *in;
    struct adi_history *histories; /* one for each rank */
    struct adi_segment *segment;
    uint64_t segment_bytes; /* 0: the launcher owns the mapping */
    struct adi_memory *memory; /* access to the heap: own_memory, or that of all ranks if these are threads */
    struct adi_memory own_memory;
    struct MPID_Config config;
    int64_t packet;         /* MPID_SetPktSize */
    int64_t lines_max;      /* largest message of ADI_LINES, or 0 */
    bool oversubscribed, no_futex;
    bool one_instruction;   /* rep movsb is the fastest copy of long blocks here, even if another core holds the lines: see copy.c */
    int placings;           /* how often this rank was placed on a core when it began: see turns.c */
    int home;               /* the number of that core, or -1 */
    unsigned away;          /* turns on another core … */
    int64_t away_since;     /* … since this time, in ns */
    unsigned returns;       /* how often this rank was placed again after such turns */
    bool unsorted;          /* the ranks of a core are not sorted: see turns.c */
    unsigned gathered;      /* turns of this rank in the sort that runs, or 0 if it takes no part */
    unsigned out_of_turn;   /* how often this rank was */
    atomic_llong spin_ns;   /* how long a wait polls before it sleeps; see adapt in wait.c */
    atomic_llong yield_ns;  /* how long it leaves its core before it sleeps */
    bool adapts;            /* these two change */
    atomic_uint looks;      /* calls of adi_look_for_core */
    atomic_uint parted;     /* how often this rank has moved away from another rank's core */
    atomic_int abandoned;   /* sends that MPID_End must complete */
    atomic_bool stalled;    /* an unexpected message found no memory */
    atomic_llong space;     /* bytes allocated */
    atomic_ulong late;      /* sleeps that ended by their time limit although there was work: always 0 */
    atomic_ulong sleeps;
    uint64_t token;         /* see direct.c */
    atomic_llong huge_page; /* bytes of a huge page, 0 if none are used, or negative before the first query */
    FILE *trace, *debug;
    bool space_debug, debug_flag;
    struct { MPID_THREAD_DS_LOCK_DECLARE } greet; /* active, knocks */
};

/* The rank's state. Set by MPID_Init, read by every call. */
extern ADI_OF_RANK struct adi_state *adi_self;

/* ---- memory and clock (state.c) ---- */
void *adi_allocate(struct adi_state *st, size_t bytes);
void adi_release(struct adi_state *st, void *memory, size_t bytes);

/* Returns the time in nanoseconds since some event before the job. */
int64_t adi_now(void);

/* Decides which messages may take the fast path, after a setting has changed. */
void adi_set_fast_short(struct adi_state *st);
void adi_free_state(struct adi_state *st);

/* ---- requests (request.c) ---- */
/* Returns the rank in the job of a rank of a communicator, or -1 if it has none. */
static inline int adi_grank(const struct MPIR_COMMUNICATOR *comm, int lrank)
{
    if (lrank < 0 || !comm || lrank >= comm->np)
        return -1;
    return comm->lrank_to_grank ? comm->lrank_to_grank[lrank] : lrank;
}
/* Complete a request that is in no list, and free it if it is abandoned. */
void adi_complete_send(struct adi_state *st, MPIR_SHANDLE *request, int error);
void adi_end_receive(struct adi_state *st, MPIR_RHANDLE *request);
/* Counts an event, and wakes this rank's sleeping threads. */
void adi_wake_threads(struct adi_state *st);
static inline void adi_event(struct adi_state *st)
{
    if (adi_unlikely(st->threads))
        adi_wake_threads(st);
    else /* relaxed: one thread */
        atomic_store_explicit(&st->events, atomic_load_explicit(&st->events, memory_order_relaxed) + 1, memory_order_relaxed);
}
static inline void adi_complete_receive(struct adi_state *st, MPIR_RHANDLE *request)
{
    if (adi_unlikely(st->threads || st->trace || request->device.data.type || atomic_load_explicit(&request->fate, memory_order_relaxed))) {
        adi_end_receive(st, request);
        return;
    }
    request->device.stage = ADI_ENDED;
    atomic_store_explicit(&request->fate, ADI_COMPLETE, memory_order_relaxed); /* one thread */
    atomic_store_explicit(&request->is_complete, 1, memory_order_release);
    adi_event(st);
}

/* ---- data (data.c) ---- */
/* Returns the number of bytes of count elements in the stream that act makes. */
int64_t adi_stream_bytes(const MPIR_DATATYPE *type, int64_t count, int act);
void adi_copy_out(const struct adi_data *data, int64_t at, void *dest, int64_t n);
void adi_copy_in(const struct adi_data *data, int64_t at, const void *src, int64_t n);
/* Copy the stream's bytes to and from a byte ring. copy.h describes past and how. */
void adi_copy_out_ring(const struct adi_data *data, int64_t at, char *dest, int64_t n, bool past);
void adi_copy_in_ring(const struct adi_data *data, int64_t at, char *src, int64_t n, enum adi_copy how);
/* Returns how many bytes of a stream in a representation a receive has room for. */
int64_t adi_room(MPIR_RHANDLE *request, int32_t source, int msgrep);
/* Returns the first byte of data that is one block, or NULL if it is not. */
char *adi_block_of_data(const struct adi_data *data);
int64_t adi_native_count(const struct adi_data *data, int msgrep, int64_t bytes);
/* Stores a message's envelope in a receive, and how many of its bytes fit. Returns that number. */
static inline int64_t adi_set_status(MPIR_RHANDLE *request, int32_t source, int32_t tag, int msgrep, int64_t bytes)
{
    const struct adi_data *data = &request->device.data;
    int64_t room = adi_unlikely(data->type) ? adi_room(request, source, msgrep) : data->len, fits = bytes < room ? bytes : room;
    request->s.MPI_SOURCE = source;
    request->s.MPI_TAG = tag;
    request->s.MPI_ERROR = bytes > room ? MPIR_ERR_TRUNCATE : MPID_SUCCESS;
    request->s.msgrep = msgrep;
    request->s.count = adi_unlikely(data->type) ? adi_native_count(data, msgrep, fits) : fits;
    return fits;
}

/* ---- entries.c ---- */
/* Takes an entry from the pool, or returns NULL. Needs the queues' lock. */
struct adi_entry *adi_new_entry(struct adi_state *st, int64_t data_bytes);
/* Gives an entry that is in no list back to the pool. Takes the queues' lock. */
static inline void adi_free_entry(struct adi_state *st, struct adi_entry *entry)
{
    enum { KEPT = 256 };
    struct adi_queues *q = &st->queues;
    if (entry->data != entry->small)
        adi_release(st, entry->data, (size_t)entry->stored);
    MPID_THREAD_DS_LOCK(q, st->threads);
    bool keep = q->free_count < KEPT;
    if (keep) {
        entry->after = q->free_entries;
        q->free_entries = entry;
        q->free_count++;
    }
    MPID_THREAD_DS_UNLOCK(q, st->threads);
    if (!keep)
        adi_release(st, entry, sizeof *entry);
}

/* ---- receiving (receive.c) ---- */
/* Takes a message out of the queues, and lets its sender send data again if there was too much.
 * Needs the queues' lock. */
void adi_remove_entry(struct adi_state *st, struct adi_entry *entry);
/* ---- room.c ---- */
/* Raises the limit for unexpected messages, which is exceeded, if memory is available. Returns whether it has. Needs the queues' lock. */
bool adi_find_room(struct adi_state *st);
/* Raises the limit like adi_find_room, or else throttles the sender of the latest message. Needs the queues' lock. */
void adi_limit_sender(struct adi_state *st, struct adi_in *in);
/* Lets all throttled senders send again. Needs the queues' lock. */
void adi_unlimit_senders(struct adi_state *st);

/* ---- receiving, continued ---- */
/* Fills a request that is not live yet. */
void adi_prepare_receive(MPIR_RHANDLE *request, struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id);
/* Returns the memory of an entry, as far as it counts. */
static inline int64_t adi_bytes_of_entry(const struct adi_entry *entry)
{
    return (int64_t)sizeof *entry + (entry->data != entry->small ? entry->stored : 0);
}
/* Gives a matched message to a receive: copies its data, or lets the device fetch it. */
void adi_take_entry(struct adi_state *st, MPIR_RHANDLE *request, struct adi_entry *entry);

/* ---- shm.c ---- */
/* Writes the messages and answers in the lists of a connection, as far as there is room. Returns whether anything was written. */
bool adi_push(struct adi_state *st, struct adi_out *out);
/* Reports whether the copies of a message are chosen by measurement. */
static inline bool adi_is_large(const struct adi_state *st, int64_t bytes)
{
    return bytes >= ADI_LARGE || bytes >= st->config.receiver_past_min || bytes >= st->config.direct_min;
}
/* Sends the answer of a receive, now or when there is a line. The receive completes with its last byte. */
void adi_answer(struct adi_state *st, int to, MPIR_RHANDLE *request);
/* Handles the answer to a long message: its parts may be sent. */
void adi_begin_pushing(struct adi_state *st, struct adi_out *out, const struct adi_line *answer);
void adi_set_fast_limit(struct adi_state *st, struct adi_out *out);
/* ---- shm_receive.c ---- */
/* The device's accept: answers a long message. */
void adi_shm_accept(struct adi_state *st, MPIR_RHANDLE *request, const struct adi_entry *entry);
/* Handles the lines that a sender has written, at most a ring of them. Returns whether there were any. */
bool adi_drain(struct adi_state *st, struct adi_in *in);
void adi_publish_feedback(struct adi_state *st, struct adi_in *in);

/* ---- pace.c: these need adi_in.lock ---- */
/* Returns the entry for large messages of this length. There is one for each power of two, from ADI_LARGE on. */
struct adi_pace *adi_pace_of(struct adi_in *in, int64_t bytes);
/* Reports whether the next message of this length counts for the choice of its way: in a row of messages that try
 * another way and in the row after it. Otherwise only long ones count, because reading the clock twice takes several
 * percent of a short one's time. */
bool adi_is_examined(const struct adi_pace *pace, int64_t bytes);
/* Counts a large message that is about to complete, and its time if it began > 0. */
void adi_note_pace(struct adi_state *st, struct adi_in *in, const MPIR_RHANDLE *request);

/* ---- huge.c ---- */
/* Counts a use of a buffer, perhaps NULL, by a message of so many bytes, and makes its next huge page. Returns its rims. */
struct adi_rims adi_use_buffer(struct adi_state *st, struct adi_buffers *buffers, char *start, int64_t bytes);

/* ---- direct.c ---- */
/* Writes this rank's token where others find it, and allows them to copy from and to its memory. */
void adi_show_token(struct adi_state *st);
/* Begins to receive the rest of a message whose first byte is at an address of its sender. back: this rank takes the
 * pieces from the back. Returns false if the message cannot be copied from there. Needs adi_in.lock. */
bool adi_receive_direct(struct adi_state *st, struct adi_in *in, MPIR_RHANDLE *request, uint64_t from, bool back);
/* Copies a piece, or ends the message. Returns whether anything was done. Needs adi_in.lock. */
bool adi_read_piece(struct adi_state *st, struct adi_in *in);
/* Handles ADI_WRITTEN. Needs adi_in.lock. */
void adi_handle_written(struct adi_state *st, struct adi_in *in, const struct adi_line *line);
/* The sender's side: begins, copies a piece, forgets the message (these three need adi_out.lock), and handles ADI_READ. */
void adi_send_direct(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *request, const struct adi_line *answer);
bool adi_write_piece(struct adi_state *st, struct adi_out *out);
void adi_end_direct(struct adi_state *st, struct adi_out *out, const MPIR_SHANDLE *request);
void adi_handle_read(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *request);

/* ---- self.c ---- */
/* Sends a short message to this rank, which has one thread. Returns false if it has to go the usual way. */
bool adi_send_own_fast(struct adi_state *st, const char *buf, int64_t len, int source, int tag, int context, int msgrep, int flags);

/* ---- progress.c ---- */
/* One round of progress. all: wait for locks that another thread holds. Returns whether anything happened. */
bool adi_poll(struct adi_state *st, bool all);

/* ---- wait.c ---- */
/* The state of a wait between two polls. */
struct adi_pause {
    uint32_t ticket;   /* events before the condition was last examined */
    uint32_t idle;     /* polls without an event */
    int64_t begin;     /* start of the idle time in nanoseconds, or 0 if not read yet */
    int slot;          /* index in adi_block.blocked plus 1, or 0 */
    uint32_t call;     /* the last roll call that this wait has seen */
    bool progress;     /* the rank has done something since the wait was described */
    /* The arguments of MPID_Wait; NULL in other waits. */
    bool (*ready)(void *argument);
    void (*describe)(void *argument, struct MPID_Blocked *why);
    int (*awaited)(void *argument);
    void *argument;
};
/* Called after a poll without an event: spins, then sleeps until something may have changed. why: not
 * read if the pause has `describe`. Returns MPID_SUCCESS, MPIR_ERR_EXHAUSTED if an arriving message finds
 * no memory, or MPIR_ERR_PEER. */
int adi_pause(struct adi_state *st, struct adi_pause *pause, const struct MPID_Blocked *why);
void adi_wait_init(struct adi_state *st);
/* Called by a rank that has found nothing: now and then, if it shares its core although there are enough, moves it to another one. */
void adi_look_for_core(struct adi_state *st);

/* ---- wake.c ---- */
/* Wakes a rank that sleeps. */
void adi_wake(struct adi_block *block);
long adi_futex(atomic_uint *word, int operation, uint32_t value, const struct timespec *limit);

/* ---- blocked.c ---- */
/* Describes the wait for one message. */
struct MPID_Blocked adi_why(struct adi_state *st, struct MPIR_COMMUNICATOR *comm, const char *function, int32_t lrank, int32_t grank, int32_t tag, int32_t context);
/* Replaces the name of a function of the device by the one under which it is reported. */
void adi_name_caller(const struct adi_state *st, struct MPID_Blocked *blocked);
/* Writes the description of a wait to a slot of this rank, unless the one there is still true. */
void adi_describe_wait(struct adi_state *st, struct adi_pause *pause, const struct MPID_Blocked *why);
/* Answers the last roll call of the launcher, if the wait has been examined since this thread has seen it. Otherwise returns
 * false; then the caller must not sleep before it has examined the wait. */
bool adi_answer_call(struct adi_state *st, struct adi_pause *pause);
/* Ends a wait: gives its slot back. */
void adi_unpause(struct adi_state *st, struct adi_pause *pause);

/* ---- over.c ---- */
/* Ends this rank because the job is over. */
void adi_job_is_over(struct adi_state *st, const struct MPID_Blocked *why) __attribute__((noreturn));

/* ---- turns.c ---- */
/* Leaves the core to another rank, unless the rank that this one waits for (awaited, or -1 if not known) runs on another
 * core and does something for it soon. */
void adi_yield(struct adi_state *st, struct adi_pause *pause, int awaited);
/* Reports whether the ranks of a core can be sorted. */
bool adi_can_sort(const struct adi_state *st);
/* Places this rank on one of the cores, if ranks outnumber cores and it has just begun. */
void adi_place(struct adi_state *st);
/* Moves this rank to a core of its own if another rank is on the same core. Nothing keeps it there. Returns false if no core is free. */
bool adi_part(struct adi_state *st);
/* Publishes the core that this rank runs on, and returns it, or -1. */
int adi_show_core(struct adi_state *st);
/* Note that this rank sleeps, and that it runs again. */
void adi_leave_core(struct adi_state *st);
void adi_have_core(struct adi_state *st);

/* ---- debug.c ---- */
void adi_trace(struct adi_state *st, const char *what, int32_t peer, int32_t context, int32_t source, int32_t tag, int64_t bytes);
void adi_end_debug(struct adi_state *st);
void adi_debug(struct adi_state *st, const char *what, int rank, const struct adi_line *line);

/* ---- rings ---- */

/* The lap that makes the line of a position valid. */
static inline uint32_t adi_lap(uint64_t position, uint32_t line_bits) { return (uint32_t)(position >> line_bits) + 1; }

/* Orders all accesses before it against all accesses after it. */
static inline void adi_full_fence(void)
{
#pragma GCC diagnostic push
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wtsan" /* ThreadSanitizer does not need it: it runs threads in steps */
#endif
    atomic_thread_fence(memory_order_seq_cst);
#pragma GCC diagnostic pop
}

/* Reports whether a rank sleeps, after something has been stored for it. See wait.c for the order of
 * the two accesses: without `fence` the sleeper's membarrier supplies it. */
static inline bool adi_sleeps(const struct adi_state *st, struct adi_block *block)
{
    if (adi_unlikely(st->fence))
        adi_full_fence();
    else
        atomic_signal_fence(memory_order_seq_cst); /* keeps the compiler's order */
    return atomic_load_explicit(&block->asleep, memory_order_relaxed);
}

/* Stores to a line that carries nothing, so that it leaves the other rank's cache: a line that only
 * one cache has is faster to get than one that both have. */
static inline void adi_give_line(struct adi_line *line) { *(volatile uint8_t *)&line->given = 0; }

/* Takes the lines of the next message, which is likely to be as long as this one, from the
 * receiver's cache while the receiver is busy. Only a store does that: a line that both caches
 * have is not fetched by a prefetch. */
static inline void adi_own_lines(const struct adi_out *out, uint32_t more)
{
    for (uint64_t at = out->at; at <= out->at + more && at < out->limit; at++)
        adi_give_line(&out->lines[at & out->mask]);
}

/* Makes a written line visible with the lines that follow it, and wakes the receiver if it sleeps. */
static inline void adi_publish(struct adi_state *st, struct adi_out *out, struct adi_line *line, uint32_t more)
{
    /* Release: the rest of the line, and the bytes that it announces, come before. */
    atomic_store_explicit(&line->lap, adi_lap(out->at, out->line_bits), memory_order_release);
    bool sleeps = adi_sleeps(st, out->block);
    out->at += 1 + more;
    adi_own_lines(out, more);
    if (adi_unlikely(sleeps))
        adi_wake(out->block);
}

/* Returns the number of lines after the first one of a message of ADI_LINES. */
static inline uint32_t adi_more_lines(uint64_t len) { return (uint32_t)((len - ADI_SHORT_MAX + ADI_MORE - 1) / ADI_MORE); }

/* Writes the data of a message of ADI_LINES, which has more than 40 bytes, to the next lines. The
 * further lines have their laps too, so that no stale one is ever taken for a header; they are
 * visible when the first line is (adi_publish). */
static inline void adi_put_lines(struct adi_out *out, const char *src, uint64_t len)
{
    struct adi_line *line = &out->lines[out->at & out->mask];
    __builtin_memcpy(line->data, src, ADI_SHORT_MAX);
    src += ADI_SHORT_MAX;
    len -= ADI_SHORT_MAX;
    for (uint64_t at = out->at + 1; len > 0; at++) {
        line = &out->lines[at & out->mask];
        atomic_store_explicit(&line->lap, adi_lap(at, out->line_bits), memory_order_relaxed);
        if (len < ADI_MORE) {
            __builtin_memcpy((char *)line + sizeof line->lap, src, len);
            break;
        }
        adi_copy_more((char *)line + sizeof line->lap, src);
        src += ADI_MORE;
        len -= ADI_MORE;
    }
}

/* Copies the first n bytes of a message of ADI_LINES whose first line is the next one. */
static inline void adi_get_lines(struct adi_in *in, char *dest, uint64_t n)
{
    uint64_t head = n < ADI_SHORT_MAX ? n : ADI_SHORT_MAX;
    __builtin_memcpy(dest, in->lines[in->at & in->mask].data, head);
    for (uint64_t at = in->at + 1; n > head; at++) {
        struct adi_line *line = &in->lines[at & in->mask];
        dest += head;
        n -= head;
        head = n < ADI_MORE ? n : ADI_MORE;
        if (head == ADI_MORE)
            adi_copy_more(dest, (char *)line + sizeof line->lap);
        else
            __builtin_memcpy(dest, (char *)line + sizeof line->lap, head);

    }
}

#endif
