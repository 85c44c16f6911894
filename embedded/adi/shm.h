/*
 * The device shm: its state, and the functions that its files share. See shm.c for the protocols.
 *
 * Locks (only in a rank with several threads): adi_in, adi_out and the rank's queues each have one. Order: adi_in, then the
 * queues, then adi_out; a thread that holds one takes only later ones. The functions of the sender's side need
 * adi_out.lock, and the functions of the receiver's side need adi_in.lock, unless their comment names another one.
 *
 * Gives: adi_bytes, adi_direct, adi_out, adi_in, adi_history, adi_shm, and the device's functions.
 * Needs: device.h, policy.h, segment.h.
 */
#ifndef WI4GO_SHM_H
#define WI4GO_SHM_H

#include "device.h"
#include "policy.h"
#include "segment.h"

/* ---- state ---- */

/* Bytes that a pair's sender writes and its receiver reads, as a ring. Positions only grow. */
struct adi_bytes {
    char *base;
    uint64_t size;  /* a power of two */
    uint64_t at;    /* the end of what this side has written or read */
    uint64_t freed; /* the receiver's position, as last read by the sender or published by the receiver */
};

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
    bool busy;      /* one of the lists is not empty: counted in adi_shm.busy */
    struct adi_distance distance;
    MPID_THREAD_DS_LOCK_DECLARE
};

/* The receiving side of a pair. */
struct adi_in {
    struct adi_line *lines;
    atomic_ullong at; /* changes with the lock; other threads look at it before they take that */
    uint32_t mask, line_bits;
    uint64_t published; /* position in the feedback */
    struct adi_feedback *feedback;
    struct adi_bytes eager, chunk;
    bool active;        /* in adi_shm.active; protected by greet's lock */
    struct adi_pace *pace;       /* ADI_PACES, one for each power of two from ADI_LARGE on, see adi_history */
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

/* The state of the device. */
struct adi_shm {
    atomic_int active_count;
    struct adi_in **active;    /* senders that have begun, the ones to poll; grows only */
    atomic_uint knocks;        /* adi_block.knocks when greet last read it; written with greet's lock */
    atomic_int busy;           /* connections with a list that is not empty, and direct messages that arrive */
    struct adi_in *in;         /* one for each rank */
    struct adi_history *histories; /* one for each rank */
    int64_t lines_max;         /* largest message of ADI_LINES, or 0 */
    uint64_t token;            /* see direct.c */
    atomic_llong huge_page;    /* bytes of a huge page, 0 if none are used, or negative before the first query */
    struct { MPID_THREAD_DS_LOCK_DECLARE } greet; /* active, knocks */
    struct adi_out out[];      /* one for each rank; without a pointer, which would cost short messages a load */
};
static inline struct adi_shm *adi_shm_of(const struct adi_state *st) { return st->of_device[ADI_SHM]; }
static inline struct adi_out *adi_out_of(const struct adi_state *st, int rank) { return &adi_shm_of(st)->out[rank]; }
static inline struct adi_in *adi_in_of(const struct adi_state *st, int rank) { return &adi_shm_of(st)->in[rank]; }

/* ---- lines.c: sender ---- */

/* Reads how many lines the receiver has freed. Returns whether the next lines are free. */
bool adi_look_for_lines(struct adi_state *st, struct adi_out *out, uint32_t lines);
/* Reports whether the next lines are free. */
static inline bool adi_lines_are_free(struct adi_state *st, struct adi_out *out, uint32_t lines)
{
    return adi_likely(out->at + lines <= out->limit) || adi_look_for_lines(st, out, lines);
}
static inline bool adi_line_is_free(struct adi_state *st, struct adi_out *out) { return adi_lines_are_free(st, out, 1); }
/* Returns the next line. adi_put_line of rings.h makes it visible. */
static inline struct adi_line *adi_next_line(struct adi_out *out) { return &out->lines[out->at & out->mask]; }
/* Stores the place of data in a line. */
static inline void adi_put_data(struct adi_line *line, const struct adi_bytes *ring, const char *data, int64_t n)
{
    line->bytes = n;
    line->end = ring->at;
    line->offset = (uint32_t)(data - ring->base);
}
/* Returns n free bytes in one block, or NULL. n is at most half of the ring. */
char *adi_ring_reserve(struct adi_bytes *ring, atomic_ullong *position, uint64_t n);
/* Copies a block to a ring, past the caches if `past` is true and it is long enough for that. */
void adi_copy_block(struct adi_state *st, const struct adi_data *data, int64_t at, char *dest, int64_t n, bool past);
void adi_append_send(MPIR_SHANDLE ***end, MPIR_SHANDLE *s);
/* Marks a connection whose lists must be examined by adi_shm_poll. */
void adi_set_busy(struct adi_state *st, struct adi_out *out);
/* Allows the fast path as many lines as are known to be free, or none if a message must be examined. */
void adi_set_fast_limit(struct adi_out *out);
/* Makes the receiver poll this rank's lines. Sequentially consistent: a rank that sees the count
 * sees the bit. */
void adi_knock(struct adi_state *st, struct adi_out *out);
/* Writes a receive's answer. Returns whether the receive then is complete. */
bool adi_place_answer(struct adi_state *st, struct adi_out *out, MPIR_RHANDLE *r);
/* The device's answer. Takes adi_out.lock. */
void adi_shm_answer(struct adi_state *st, MPIR_RHANDLE *r);
/* Prints a line. */
void adi_debug_line(struct adi_state *st, const char *what, int rank, const struct adi_line *line);

/* ---- shm_long.c: sender ---- */

/* Copies the first part of a long message. Returns its length; 0 if this message may only send its header. */
int64_t adi_put_first_part(struct adi_state *st, struct adi_out *out, const MPIR_SHANDLE *s, struct adi_line *line);
/* Writes the next part of the first message in adi_out.pushing. Returns false if there is no room. */
bool adi_push_part(struct adi_state *st, struct adi_out *out);
/* Handles the answer to a long message: its parts may be sent. Takes the lock. */
void adi_begin_pushing(struct adi_state *st, struct adi_out *out, const struct adi_line *answer);
/* The device's prepare. Takes the lock. It copies the part that follows the first one while the
 * receiver looks for a receive. The part takes no place in the ring before it is announced, so that
 * another message may be announced first, which then overwrites it. */
void adi_shm_prepare(struct adi_state *st, MPIR_SHANDLE *s);

/* ---- shm_send.c: the device's functions, which take the lock ---- */

void adi_shm_send(struct adi_state *st, MPIR_SHANDLE *s);
int adi_shm_send_now(struct adi_state *st, MPIR_SHANDLE *s);
bool adi_shm_withdraw(struct adi_state *st, MPIR_SHANDLE *s);
/* Writes the messages and answers in the lists of a connection, as far as there is room. Returns whether anything was written.
 * Needs the lock. */
bool adi_push(struct adi_state *st, struct adi_out *out);

/* ---- shm_receive.c: receiver ---- */

/* The device's accept. Takes the lock if the message is late. */
void adi_shm_accept(struct adi_state *st, MPIR_RHANDLE *request, const struct adi_message *message);
/* Handles the lines that a sender has written, at most a ring of them. Returns whether there were any. */
bool adi_drain(struct adi_state *st, struct adi_in *in);
/* Publishes how much this rank has read. */
void adi_publish_feedback(struct adi_state *st, struct adi_in *in);

/* ---- shm_poll.c ---- */

/* The device's poll. Takes the locks. */
bool adi_shm_poll(struct adi_state *st, bool all);

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

#endif
