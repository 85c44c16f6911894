/*
 * How a long message goes: what a rank measures about the long messages of a pair, and what it decides by that. Nothing else
 * decides it. The sender decides how many bytes go with the header, how long the other parts are, and how it copies them
 * before the receiver has answered. The receiver decides how both ranks copy a large message. Both make huge pages.
 *
 * Locks: a sender's functions need adi_out.lock, a receiver's adi_in.lock. The structures are parts of adi_out and adi_in.
 *
 * Gives: adi_distance, adi_buffers, adi_way, adi_pace, adi_choice and the functions for them.
 * Needs: copy.h, state.h.
 */
#ifndef WI4GO_POLICY_H
#define WI4GO_POLICY_H

#include "copy.h"
#include "state.h"

/* ---- sender ---- */

/* What the sender knows about the distance to the receiver, and how it copies. */
struct adi_distance {
    bool past;       /* blocks of all but large messages are copied past the caches */
    bool large_past; /* the receiver wanted the last large message to be copied past the caches */
    unsigned messages; /* number of long messages */
    int answered;    /* answers that adi_note_distance has counted since quickest_before was set */
    int64_t quickest, quickest_before; /* time of the quickest answer in ns, since then and before */
};

/* Begins with a near receiver, until some answers have been counted. */
static inline struct adi_distance adi_first_distance(void) { return (struct adi_distance){.quickest = INT64_MAX}; }
/* Notes the time from a header without data to its answer, in ns. */
void adi_note_distance(struct adi_distance *distance, int64_t ns);
/* Returns how many bytes of a long message go with its header, at most half of them, so that both ranks copy at a time, and
 * at most `largest`. 0: none, so that the time until the answer shows the distance. Counts the message. */
int64_t adi_first_part(const struct adi_state *st, struct adi_distance *distance, int64_t bytes, int64_t largest);
/* Returns the length of the next part, at most `largest`: a short one first, so that the receiver begins early, then a
 * quarter of the message. */
int64_t adi_next_part(int64_t sent, int64_t wanted, int64_t largest);

/* ---- both ---- */

enum { ADI_PACES = 8, ADI_LARGE = 65536 }; /* messages from ADI_LARGE on are large */

/* Reports whether the copies of a message are chosen by measurement. */
static inline bool adi_is_large(const struct adi_state *st, int64_t bytes)
{
    return bytes >= ADI_LARGE || bytes >= st->config.receiver_past_min || bytes >= st->config.direct_min;
}
/* Reports whether a block is long enough to be copied past the caches, if the sender's blocks are. */
static inline bool adi_may_go_past(const struct adi_state *st, int64_t bytes) { return bytes >= st->config.sender_past_min; }

/* Chooses whether the sender copies a message past the caches before the receiver has answered. */
static inline bool adi_choose_past(const struct adi_state *st, const struct adi_distance *distance, int64_t bytes)
{
    return adi_is_large(st, bytes) ? distance->large_past : distance->past;
}

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
/* Counts a use of a buffer, perhaps NULL, by a message of so many bytes, and makes its next huge page. Returns its rims. */
struct adi_rims adi_use_buffer(struct adi_state *st, struct adi_buffers *buffers, char *start, int64_t bytes);

/* huge.c: returns the size of a huge page in bytes, or 0 if there are none here, or the administrator wants none. */
int64_t adi_huge_page(struct adi_state *st);
/* huge.c: makes the next huge page of a buffer. A failure changes nothing. */
void adi_make_huge(struct adi_buffer *buffer, int64_t size);

/* ---- receiver ---- */

/* How the two ranks copy a large message. */
enum adi_way {
    ADI_SENDER_PAST = 1,   /* the sender past the caches, else through them */
    ADI_RECEIVER_PAST = 2, /* the receiver's answer */
    ADI_MEMORY = 4,        /* from memory to memory */
    ADI_WAYS,
};

/* The measured speed of a pair's large messages of about the same length. */
struct adi_pace {
    uint32_t ns[ADI_WAYS]; /* measured nanoseconds per megabyte for each way, or 0 if not measured */
    uint32_t messages;
    unsigned char next;      /* the way of the next message */
    unsigned char last;      /* the way of the last message */
    unsigned char next_ring; /* the way of the next message that cannot go from memory to memory */
};

/* How the rest of a message is copied. */
struct adi_choice {
    enum adi_way way;
    enum adi_way in_ring; /* the way if it cannot go from memory to memory */
    bool timed;           /* the message's time counts */
    bool back;            /* from memory to memory: the receiver takes the pieces from the back */
};
/* Chooses how the rest of a message is copied, which has so many bytes. paces: ADI_PACES of them. mine, theirs: the rims of
 * the receiver's and of the sender's buffer. */
struct adi_choice adi_choose_rest(const struct adi_state *st, const struct adi_pace *paces, int64_t bytes, struct adi_rims mine, struct adi_rims theirs);
/* Chooses how the receiver copies a part of a message in a way from a ring of so many bytes. past: the sender has copied
 * it past the caches. */
enum adi_copy adi_choose_copy(enum adi_way way, bool past, uint64_t ring);
/* Notes that a part of a message has arrived: the time of a large one begins with the first one. */
static inline void adi_note_part(const struct adi_state *st, MPIR_RHANDLE *request)
{
    if (adi_is_large(st, request->device.expected) && request->device.began == 0)
        request->device.began = adi_now();
}
/* Counts a message that is about to complete if it is large, and its time if it began > 0. */
void adi_note_pace(const struct adi_state *st, struct adi_pace *paces, const MPIR_RHANDLE *request);

#endif
