/*
 * The memory that the ranks of a job share.
 *
 *   head | a block for each rank | for each ordered pair: feedback, lines | for each ordered pair: eager
 *   bytes, chunk bytes | the table of the heap || the heap
 *
 * A rank maps all but the heap, in which memory objects are (heap.h). The creator (adi_segment_create) writes the
 * head, all else begins as zeros. Positions of lines
 * and bytes only grow; a ring's place is the position modulo its size, a power of two. Each
 * atomic has one writer unless its comment says otherwise.
 *
 * Gives: adi_segment, adi_block, adi_line, adi_feedback, adi_box_of, adi_pieces_of, adi_eager_of, adi_chunk_of.
 * Needs: adi_types.h, adi_launch.h.
 */
#ifndef WI4GO_SEGMENT_H
#define WI4GO_SEGMENT_H

#include <stdatomic.h>

#include "adi_launch.h"
#include "adi_types.h"

enum {
    ADI_LINE = 64,       /* a cache line */
    ADI_SHORT_MAX = 40,  /* data in a header's line */
    ADI_MORE = 60,       /* data in each further line of ADI_LINES, after its lap */
    ADI_LINES_MAX = 520, /* data of ADI_LINES at most, in nine lines */
    ADI_MAX_RANKS = 1024,
    ADI_ONE_TILE = 64,   /* most ranks whose boxes are one tile, see adi_pair */
    ADI_TILE = 32,       /* ranks of a tile in larger jobs */
    ADI_BLOCKED_WORDS = (sizeof(struct MPID_Blocked) + 7) / 8,
};

enum adi_kind { /* kind of a line */
    ADI_SHORT = 1, /* a message with its data */
    ADI_EAGER,     /* a message whose data is in the eager bytes */
    ADI_RTS,       /* the header of a longer message, request to send, with its first part in the chunk bytes */
    ADI_CTS,       /* answer to ADI_RTS: a receive has matched */
    ADI_ACK,       /* answer to a synchronous message: a receive has matched */
    ADI_CHUNK,     /* a part of a longer message is in the chunk bytes */
    ADI_LINES,     /* a message whose data continues in the following lines */
    ADI_WRITTEN,   /* the sender of a direct message has copied its pieces, see direct.c */
    ADI_READ,      /* answer to a direct message: it has arrived */
};
enum { /* flags of a line */
    ADI_SYNC = 1,     /* synchronous message */
    ADI_READY = 2,    /* message sent in ready mode */
    ADI_PAST = 4, /* non-temporal stores: used for this part (ADI_RTS, ADI_CHUNK), requested for a large message (ADI_CTS) */
    ADI_DIRECT = 8,   /* ADI_CTS: the rest of the message is copied from memory to memory, see direct.c */
    ADI_BACK = 16,    /* ADI_CTS with ADI_DIRECT: the receiver takes the pieces from the back, the sender from the front */
};

/* How much of a buffer lies before and after its huge pages, see huge.c, in units of 64 KB, at most 255. */
struct adi_rims {
    uint8_t before, after;
};

/* One line of a pair's ring. lap is the valid flag: position / lines + 1, stored last (release)
 * by the sender; the receiver reads the rest after it has seen the lap (acquire). */
struct adi_line {
    _Alignas(ADI_LINE) atomic_uint lap;
    int32_t tag, context, source;
    uint32_t len; /* bytes of ADI_SHORT, ADI_LINES and ADI_EAGER, or of ADI_RTS's first part, perhaps 0; ADI_CTS with ADI_DIRECT: the message's number; ADI_WRITTEN: 1 if a copy failed */
    uint8_t kind, flags, msgrep, given; /* given: see adi_give_line */
    union {
        char data[ADI_SHORT_MAX]; /* ADI_SHORT without ADI_SYNC, and the beginning of ADI_LINES */
        struct {
            uint64_t sender;      /* the sender's request: ADI_RTS, or ADI_SYNC */
            union {
                char sync_data[ADI_SHORT_MAX - 8]; /* ADI_SHORT with ADI_SYNC */
                struct {
                    int64_t bytes;     /* bytes of the message (ADI_RTS), of the part (ADI_CHUNK), or to send in all (ADI_CTS) */
                    union {
                        uint64_t receiver; /* ADI_CTS, ADI_CHUNK, ADI_WRITTEN: the receiver's request */
                        uint64_t from;     /* ADI_RTS: address of the message's first byte in the sender's memory, or 0 if it is not one block */
                    };
                    union {
                        uint64_t end;  /* ADI_EAGER, ADI_RTS, ADI_CHUNK: position of the ring after this data */
                        uint64_t into; /* ADI_CTS with ADI_DIRECT: address of the next byte in the receiver's memory */
                    };
                    uint32_t offset;   /* ADI_EAGER, ADI_RTS, ADI_CHUNK: place of the data in its ring */
                    struct adi_rims rims; /* ADI_RTS: of the sender's buffer */
                };
            };
        };
    };
};

/* Written by a pair's receiver, read by its sender when the sender runs out of room. Release:
 * the receiver no longer reads what lies before these positions. */
struct adi_feedback {
    _Alignas(ADI_LINE) atomic_ullong lines; /* lines consumed */
    atomic_ullong eager, chunk;             /* bytes consumed */
    atomic_uint throttle;                   /* not 0: too much is unexpected, so many KB; the sender sends headers only */
};

/* The turns of the ranks on a core: see turns.c. */
struct adi_turn {
    atomic_uint last;    /* the rank that has had the last turn */
    atomic_uint first;   /* the rank that has begun the round */
    atomic_uint count;   /* number of turns */
    atomic_uint sorting; /* 1: the ranks are being sorted */
    atomic_uint sorted;  /* count at the end of the last sort */
};

/* The state of a rank that other ranks and observers read and write. */
struct adi_block {
    /* 1: a thread of the rank sleeps or is about to. Set by the rank (see wait.c), set to 0 by the
     * rank that wakes it. Read by every sender after each line. */
    _Alignas(ADI_LINE) atomic_uint asleep;
    atomic_uint bell; /* the futex; any rank adds 1 before it wakes the sleepers */
    atomic_llong rung_at; /* when a rank last did, by adi_now */
    /* Number of senders that have begun to use their ring to this rank, and their bits. Any rank
     * sets its bit first and adds 1 then (both sequentially consistent). */
    _Alignas(ADI_LINE) atomic_uint knocks;
    _Alignas(ADI_LINE) atomic_ullong knockers[ADI_MAX_RANKS / 64];
    _Alignas(ADI_LINE) atomic_int pid; /* 0: not started */
    atomic_int ended;                  /* 1: MPID_End was called */
    uint64_t token, token_at;          /* a random number, and its address in the rank's memory: see direct.c. Written before pid */
    atomic_int core;                   /* the rank's core plus 1, negative after the rank has left it, or 0 if not known, see turns.c */
    struct adi_turn turn;              /* turn of the cores whose number modulo the number of ranks is this rank's */
    /* The waits of the rank's threads. version: odd while the words change. thread: the kernel's number of the
     * thread that has taken the slot (compare and swap), or 0 if it is free. answer: see adi_segment.call. */
    struct {
        _Alignas(ADI_LINE) atomic_uint version;
        atomic_uint thread;
        atomic_ullong answer;
        atomic_ullong words[ADI_BLOCKED_WORDS];
    } blocked[MPID_MAX_BLOCKED];
};

struct adi_segment {
    uint64_t magic, bytes;            /* bytes: without the heap, which follows */
    uint32_t ranks, cores;            /* cores that the launcher may use */
    uint32_t fence;                   /* 1: membarrier does not work here, see wait.c */
    uint32_t line_bits;               /* lines of a ring: 1 << line_bits */
    uint32_t tile, tiles;             /* see adi_pair */
    uint64_t eager_bytes, chunk_bytes; /* bytes for each pair of ranks */
    uint64_t blocks, boxes, box_stride, bytes_at, bytes_stride; /* offsets and distances */
    uint64_t heap, heap_bytes;        /* offset of the heap's table; bytes of the heap, or 0 without one */
    /* Written once by the launcher or by the rank that aborts, with the word `over` last. */
    _Alignas(ADI_LINE) atomic_uint over; /* 0: the job runs; else an ADI_OVER_ of adi_launch.h */
    atomic_int over_rank, over_code;     /* the rank that has ended plus 1; its exit code or the signal */
    atomic_uint no_futex;                /* 1: a rank cannot call futex, so no rank may wait for its call */
    /* The number of the launcher's last roll call. A thread that waits answers with the number in the high and
     * the version of its description in the low 32 bits, after it has found no work. See blocked.c. */
    atomic_uint call;
    atomic_uint told[4];                 /* hashes of messages about the end of the job that a rank has printed, or 0, see adi_segment_tell */
};

#define ADI_MAGIC 0x3169646134677769ull

/* Number of a pair's box. The boxes of `tile` receivers and `tile` senders are adjacent, first the boxes of one receiver: so a rank that
 * talks to all others uses few pages of page tables, as a receiver and as a sender. */
static inline uint64_t adi_pair(const struct adi_segment *s, int from, int to)
{
    uint64_t n = s->tile, sender = (uint64_t)from, receiver = (uint64_t)to;
    return ((receiver / n * s->tiles + sender / n) * n + receiver % n) * n + sender % n;
}
static inline struct adi_block *adi_block_of(struct adi_segment *s, int rank)
{
    return (struct adi_block *)((char *)s + s->blocks) + rank;
}
/* The box of a pair: its feedback line, its lines, and the line of its direct messages. */
static inline struct adi_feedback *adi_box_of(struct adi_segment *s, int from, int to)
{
    return (struct adi_feedback *)((char *)s + s->boxes + adi_pair(s, from, to) * s->box_stride);
}
/* The pieces of a pair's direct messages: the number of the message in 16 bits, how many units are taken from its
 * back in the next 24, and from its front in the lowest 24. Set by the receiver for each message; both ranks add to it
 * (compare and swap). */
static inline atomic_ullong *adi_pieces_of(struct adi_segment *s, int from, int to)
{
    struct adi_line *lines = (struct adi_line *)(adi_box_of(s, from, to) + 1);
    return (atomic_ullong *)&lines[1u << s->line_bits];
}
static inline char *adi_eager_of(struct adi_segment *s, int from, int to)
{
    return (char *)s + s->bytes_at + adi_pair(s, from, to) * s->bytes_stride;
}
static inline char *adi_chunk_of(struct adi_segment *s, int from, int to)
{
    return adi_eager_of(s, from, to) + s->eager_bytes;
}

/* Fills the head of a segment for a number of ranks. limit: most bytes before the heap's table, or 0 for the usual boxes.
 * Returns the size that is needed, or 0 if the smallest boxes do not fit. */
uint64_t adi_segment_layout(struct adi_segment *head, int ranks, uint64_t limit);
/* Reports whether a descriptor is of a file system's file, and not of a memfd. */
bool adi_segment_is_file(int fd);
/* Returns a new descriptor for the heap of a segment that is in no file, owned by the caller, or -1 with errno. */
int adi_segment_heap(const struct adi_segment *segment);

#endif
