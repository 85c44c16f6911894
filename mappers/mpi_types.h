/*
 * Types of MPI that have a size in memory whatever the pair: those that are the
 * same in all families, and the MPI_Status of each family (MPI-5.0, 3.2.5), which
 * packs the count and the cancelled flag in its own way; all can hold what the
 * others hold.
 *
 * Gives: MPI_Aint, MPI_Count, MPI_Fint, MPI_Offset; for each family a struct
 * openmpi_status, its struct openmpi_f08_status, and openmpi_status_count, _cancelled
 * and _set.
 */
#ifndef WI4GO_MPI_TYPES_H
#define WI4GO_MPI_TYPES_H
#include <stddef.h>
#include <stdint.h>

typedef int MPI_Fint;
typedef int64_t MPI_Aint, MPI_Count, MPI_Offset;

struct openmpi_status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int cancelled;
    size_t count;                       /* bytes */
};
struct openmpi_f08_status { struct openmpi_status c; };

struct mpich_status {
    int count_lo, count_hi_and_cancelled; /* bytes: 63 bits, and the flag in bit 0 of the second word */
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
};
struct mpich_f08_status { struct mpich_status c; };

static inline int64_t openmpi_status_count(const struct openmpi_status *s) { return (int64_t)s->count; }
static inline int openmpi_status_cancelled(const struct openmpi_status *s) { return s->cancelled; }
static inline void openmpi_status_set(struct openmpi_status *s, int64_t count, int cancelled)
{
    s->count = (size_t)count;
    s->cancelled = cancelled != 0;
}

static inline int64_t mpich_status_count(const struct mpich_status *s)
{
    return (int64_t)((uint64_t)(unsigned)s->count_hi_and_cancelled >> 1 << 32 | (unsigned)s->count_lo);
}
static inline int mpich_status_cancelled(const struct mpich_status *s) { return s->count_hi_and_cancelled & 1; }
static inline void mpich_status_set(struct mpich_status *s, int64_t count, int cancelled)
{
    s->count_lo = (int)count;
    s->count_hi_and_cancelled = (int)((uint64_t)count >> 32 << 1) | (cancelled != 0);
}

/* The standard leaves five words to the library (MPI-5.0, 20.3.5): for programs
   of that family ours is the way of MPICH, in the first two. */
struct mpiabi_status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int count_lo, count_hi_and_cancelled, unused[3];
};
struct mpiabi_f08_status { struct mpiabi_status c; };

static inline int64_t mpiabi_status_count(const struct mpiabi_status *s)
{
    return (int64_t)((uint64_t)(unsigned)s->count_hi_and_cancelled >> 1 << 32 | (unsigned)s->count_lo);
}
static inline int mpiabi_status_cancelled(const struct mpiabi_status *s) { return s->count_hi_and_cancelled & 1; }
static inline void mpiabi_status_set(struct mpiabi_status *s, int64_t count, int cancelled)
{
    s->count_lo = (int)count;
    s->count_hi_and_cancelled = (int)((uint64_t)count >> 32 << 1) | (cancelled != 0);
}
#endif
