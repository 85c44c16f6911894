/*
 * MPI types whose layout does not depend on the pair: the types that are the same in all
 * families, and an MPI_Status for each encoding (MPI-5.0, 3.2.5). The encodings differ in how
 * the count and the cancelled flag are packed; each can represent every status. A trait selects
 * the encoding of a family (abi).
 *
 * Gives: MPI_Aint, MPI_Count, MPI_Fint, MPI_Offset; for each encoding a struct
 * status_split, its struct status_split_f08, and status_split_count, _cancelled
 * and _set.
 */
#ifndef WI4GO_MPI_TYPES_H
#define WI4GO_MPI_TYPES_H
#include <stddef.h>
#include <stdint.h>

typedef int MPI_Fint;
typedef int64_t MPI_Aint, MPI_Count, MPI_Offset;

/* Open MPI's encoding: count and flag have fields of their own. */
struct status_split {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int cancelled;
    size_t count;                       /* in bytes */
};
struct status_split_f08 { struct status_split c; };

/* MPICH's encoding: the count comes before the source. */
struct status_leading {
    int count_lo, count_hi_and_cancelled; /* 63 bits of the count in bytes; the flag is bit 0 of the second word */
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
};
struct status_leading_f08 { struct status_leading c; };

/* For each encoding E: status_E_count returns the count in bytes, status_E_cancelled returns the
   cancelled flag, and status_E_set writes both. */
static inline int64_t status_split_count(const struct status_split *s) { return (int64_t)s->count; }
static inline int status_split_cancelled(const struct status_split *s) { return s->cancelled; }
static inline void status_split_set(struct status_split *s, int64_t count, int cancelled)
{
    s->count = (size_t)count;
    s->cancelled = cancelled != 0;
}

static inline int64_t status_leading_count(const struct status_leading *s)
{
    return (int64_t)((uint64_t)(unsigned)s->count_hi_and_cancelled >> 1 << 32 | (unsigned)s->count_lo);
}
static inline int status_leading_cancelled(const struct status_leading *s) { return s->count_hi_and_cancelled & 1; }
static inline void status_leading_set(struct status_leading *s, int64_t count, int cancelled)
{
    s->count_lo = (int)count;
    s->count_hi_and_cancelled = (int)((uint64_t)count >> 32 << 1) | (cancelled != 0);
}

/* The standard ABI's encoding. The standard leaves five words to the library (MPI-5.0, 20.3.5).
   The front uses the first two of them as MPICH does. */
struct status_trailing {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int count_lo, count_hi_and_cancelled, unused[3];
};
struct status_trailing_f08 { struct status_trailing c; };

static inline int64_t status_trailing_count(const struct status_trailing *s)
{
    return (int64_t)((uint64_t)(unsigned)s->count_hi_and_cancelled >> 1 << 32 | (unsigned)s->count_lo);
}
static inline int status_trailing_cancelled(const struct status_trailing *s) { return s->count_hi_and_cancelled & 1; }
static inline void status_trailing_set(struct status_trailing *s, int64_t count, int cancelled)
{
    s->count_lo = (int)count;
    s->count_hi_and_cancelled = (int)((uint64_t)count >> 32 << 1) | (cancelled != 0);
}
#endif
