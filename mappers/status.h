/*
 * Conversion of statuses (MPI-5.0, 3.2.5) in both directions.
 *
 * A runtime's status passes through these states: status_unset marks it before the call; the
 * call sets it, or not; status_is_set reports which; and one of the status_r2a functions copies
 * it to the program's. Statuses belong to the caller, and nothing here is shared between
 * threads except status_words_are_mpich, which is set when MPI is initialized.
 *
 * Gives: A_status_count, A_status_set and the like, also R_status_count; status_r2a and its
 * kinds, status_a2r, status_unset, status_is_set, null_completed, NO_STATUS.
 * Needs: pair.h, layout.h, errors.h.
 */
#ifndef WI4GO_STATUS_H
#define WI4GO_STATUS_H
#include "pair.h"
#include "layout.h"
#include "errors.h"

#if R_OPAQUE_STATUS && !SAME_FAMILY
/*
 * The standard leaves five words of a status to the library (MPI-5.0, 20.3.5). MPICH and Intel
 * MPI use the first two as in their other ABI. When MPI has been initialized, status_probe.h tests
 * whether this library does the same. If it does not, the functions of the library read and
 * write the words each time.
 */
#define status_words_are_mpich PAIR(status_words_are_mpich)
SHARED int status_words_are_mpich;

/* Returns the count in bytes, by the library's function. */
#define library_count PAIR(library_count)
int64_t library_count(const R_MPI_Status *s) HIDDEN __attribute__((cold, noinline));
/* Reports whether the operation was cancelled, by the library's function. */
#define library_cancelled PAIR(library_cancelled)
int library_cancelled(const R_MPI_Status *s) HIDDEN __attribute__((cold, noinline));
/* Writes the count in bytes and the cancelled flag, by the library's functions. */
#define library_set PAIR(library_set)
void library_set(R_MPI_Status *s, int64_t count, int cancelled) HIDDEN __attribute__((cold, noinline));
#if DEFINES_SHARED
int64_t library_count(const R_MPI_Status *s)
{
    MPI_Count count = 0;
    R_MPI_Get_elements_x(s, (R_MPI_Datatype)R_MPI_BYTE, &count);
    return count;
}

int library_cancelled(const R_MPI_Status *s)
{
    int flag = 0;
    R_MPI_Test_cancelled(s, &flag);
    return flag;
}

void library_set(R_MPI_Status *s, int64_t count, int cancelled)
{
    R_MPI_Status_set_elements_x(s, (R_MPI_Datatype)R_MPI_BYTE, count);
    R_MPI_Status_set_cancelled(s, cancelled);
}
#endif

static inline int64_t R_status_count(const R_MPI_Status *s)
{
    return likely(status_words_are_mpich) ? R_encoding_count(s) : library_count(s);
}
static inline int R_status_cancelled(const R_MPI_Status *s)
{
    return likely(status_words_are_mpich) ? R_encoding_cancelled(s) : library_cancelled(s);
}
static inline void R_status_set(R_MPI_Status *s, int64_t count, int cancelled)
{
    if (likely(status_words_are_mpich))
        R_encoding_set(s, count, cancelled);
    else
        library_set(s, count, cancelled);
}
#endif

/* A_status_count and R_status_count return the count in bytes, A_status_cancelled and
   R_status_cancelled the cancelled flag, and A_status_set and R_status_set write both. */
#define A_status_count A_encoding_count
#define A_status_cancelled A_encoding_cancelled
#define A_status_set A_encoding_set
#if R_STATUS_SPLIT
#define R_status_count R_encoding_count
/* After an access to a file, Open MPI leaves an undefined value in the flag, so only 1 counts. */
#define R_status_cancelled(s) (R_encoding_cancelled(s) == 1)
#define R_status_set R_encoding_set
#elif !R_OPAQUE_STATUS
#define R_status_count R_encoding_count
#define R_status_cancelled R_encoding_cancelled
#define R_status_set R_encoding_set
#endif

/*
 * status_r2a_plain converts a common status of the runtime: its source is not a special rank, it
 * is not cancelled, and its count is less than 4 GiB. It copies source, tag, count and cancelled
 * flag and returns 1. For any other status it returns 0 and writes nothing.
 */
/* OTHER_TAG reports whether the tag of a runtime's status may differ on the program's side. */
#if A_MPI_ANY_TAG != R_MPI_ANY_TAG
#define OTHER_TAG(s) ((s)->MPI_TAG < 0)
#else
#define OTHER_TAG(s) 0
#endif
#if A_STATUS_SPLIT && R_STATUS_LEADING
static inline int status_r2a_plain(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (unlikely(r->MPI_SOURCE < 0) || unlikely(r->count_hi_and_cancelled))
        return 0;
    memcpy(&a->MPI_SOURCE, &r->MPI_SOURCE, 2 * sizeof(int));
    a->count = (unsigned)r->count_lo;
    a->cancelled = 0;
    return 1;
}
#elif !A_STATUS_SPLIT && R_STATUS_SPLIT
static inline int status_r2a_plain(const R_MPI_Status *r, A_MPI_Status *a)
{
    uint64_t count = r->count;
    if (unlikely(r->MPI_SOURCE < 0) || unlikely(OTHER_TAG(r)) || unlikely(count >> 32 | (unsigned)r->cancelled))
        return 0;
    memcpy(&a->MPI_SOURCE, &r->MPI_SOURCE, 2 * sizeof(int));
    memcpy(&a->count_lo, &count, sizeof count); /* both words: the upper is 0 */
    return 1;
}
#elif R_OPAQUE_STATUS && !SAME_FAMILY
static inline int status_r2a_plain(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (unlikely(r->MPI_SOURCE < 0) || unlikely(OTHER_TAG(r)) || unlikely(r->count_hi_and_cancelled) || unlikely(!status_words_are_mpich))
        return 0;
    memcpy(&a->MPI_SOURCE, &r->MPI_SOURCE, 2 * sizeof(int));
    A_status_set(a, (unsigned)r->count_lo, 0);
    return 1;
}
#elif A_STATUS_TRAILING && R_STATUS_LEADING
static inline int status_r2a_plain(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (unlikely(r->MPI_SOURCE < 0) || unlikely(OTHER_TAG(r)))
        return 0;
    memcpy(&a->MPI_SOURCE, &r->MPI_SOURCE, 2 * sizeof(int));
    memcpy(&a->count_lo, &r->count_lo, 2 * sizeof(int));
    return 1;
}
#else
static inline int status_r2a_plain(const R_MPI_Status *r, A_MPI_Status *a) { (void)r, (void)a; return 0; }
#endif

/* ---- conversion ---- */

/* The field that marks a status as not set, by the value SOURCE_UNSET, which no call leaves
   there. It shows whether a call that failed has set the status. It is MPI_TAG if that is next
   to the count, otherwise MPI_SOURCE. */
#if R_STATUS_TRAILING
#define UNSET MPI_TAG
#else
#define UNSET MPI_SOURCE
#endif
/* Marks a status as not set. */
static inline void status_unset(R_MPI_Status *s)
{
#if !R_STATUS_SPLIT
    R_encoding_set(s, 0, 0); /* for a send, the runtime writes nothing but the cancelled flag */
#endif
    s->UNSET = (int)SOURCE_UNSET;
}
/* Marks the status of an access to a file as not set, with a count of 0, because Open MPI's ROMIO
   does not write the status if this rank accesses no bytes. */
static inline void status_unset_empty(R_MPI_Status *s)
{
#if R_STATUS_SPLIT
    R_encoding_set(s, 0, 0);
#endif
    status_unset(s);
}
/* Reports whether a call has set the status. */
static inline int status_is_set(const R_MPI_Status *s) { return s->UNSET != (int)SOURCE_UNSET; }

/* All but MPI_ERROR, which a call that completes one operation leaves alone, unless
   the status is empty (MPI-5.0, 3.7.3). That of a cancelled receive is not, though
   Open MPI gives it the source and tag of an empty one. Static, though several units have it:
   the compiler then knows which registers it leaves alone. */
static __attribute__((noinline, unused)) void status_r2a_special(const R_MPI_Status *r, A_MPI_Status *a)
{
    a->MPI_SOURCE = (int)RANK_r2a(r->MPI_SOURCE);
    a->MPI_TAG = (int)TAG_r2a(r->MPI_TAG);
    A_status_set(a, R_status_count(r), R_status_cancelled(r));
    if (a->MPI_SOURCE == A_MPI_ANY_SOURCE && a->MPI_TAG == A_MPI_ANY_TAG && !A_status_cancelled(a))
        a->MPI_ERROR = A_MPI_SUCCESS;
}

/* Converts the status of a send, if the runtime sets that to MPI_PROC_NULL and MPI_ANY_TAG. Returns
   1, or returns 0 and writes nothing. */
static inline int status_r2a_of_send(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (!R_SENDS_SAY_PROC_NULL || r->MPI_SOURCE != R_MPI_PROC_NULL || r->MPI_TAG != R_MPI_ANY_TAG ||
        unlikely(R_status_cancelled(r)))
        return 0;
    a->MPI_SOURCE = A_MPI_PROC_NULL;
    a->MPI_TAG = A_MPI_ANY_TAG;
    A_status_set(a, R_status_count(r), 0);
    return 1;
}

/* Converts a status that the runtime has set, except MPI_ERROR. */
static inline void status_r2a(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (unlikely(!status_r2a_plain(r, a)) && !status_r2a_of_send(r, a))
        status_r2a_special(r, a);
}

/* Does the same for a call after which the runtime may have set only the count, such as an access
   to a file. */
static inline void status_r2a_filled(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (likely(status_is_set(r)))
        status_r2a(r, a);
    else
        A_status_set(a, R_status_count(r), R_status_cancelled(r));
}

/* Converts a whole status, with MPI_ERROR. */
static inline void status_r2a_all(const R_MPI_Status *r, A_MPI_Status *a)
{
    status_r2a_filled(r, a);
    a->MPI_ERROR = error_r2a(r->MPI_ERROR);
}

/* Writes the results of completing a null request (MPI-5.0, 3.7.3) without a call of the runtime:
   a true flag and the empty status. flag is NULL if the call has none. Returns 0. */
static inline int null_completed(int *flag, A_MPI_Status *status)
{
    if (flag)
        *flag = 1;
    if (status != A_MPI_STATUS_IGNORE) {
        status->MPI_SOURCE = A_MPI_ANY_SOURCE;
        status->MPI_TAG = A_MPI_ANY_TAG;
        status->MPI_ERROR = A_MPI_SUCCESS;
        A_status_set(status, 0, 0);
    }
    return 0;
}

/* Reports whether an argument is not a status although the call needs one. The runtime then gets
   a null pointer and refuses it. */
#define NO_STATUS(a) unlikely((uintptr_t)(a) <= (uintptr_t)A_MPI_STATUS_IGNORE)

/* Converts only the fields that queries of a status read: the count and the cancelled flag. */
static inline void status_a2r_count(const A_MPI_Status *a, R_MPI_Status *r)
{
    R_status_set(r, A_status_count(a), A_status_cancelled(a));
}

/* Converts a whole status of the program. */
static inline void status_a2r(const A_MPI_Status *a, R_MPI_Status *r)
{
#if R_STATUS_TRAILING
    memset(r, 0, sizeof *r); /* the status may have words that nothing below writes */
#endif
    r->MPI_SOURCE = (int)RANK_a2r(a->MPI_SOURCE);
    r->MPI_TAG = (int)TAG_a2r(a->MPI_TAG);
    r->MPI_ERROR = error_a2r(a->MPI_ERROR);
    status_a2r_count(a, r);
}
#endif
