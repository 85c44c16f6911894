/*
 * Statuses (MPI-5.0, 3.2.5). Each family packs the count and the cancelled flag
 * in its own way; both can hold what the other holds.
 */
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

#if R_IS_mpiabi && !A_IS_mpiabi
/* A library of that family may have another way: see standard.h. */
static int status_words_are_mpich;
static int64_t library_count(const R_MPI_Status *s);
static int library_cancelled(const R_MPI_Status *s);
static void library_set(R_MPI_Status *s, int64_t count, int cancelled);

static inline int64_t R_status_count(const R_MPI_Status *s)
{
    return likely(status_words_are_mpich) ? mpiabi_status_count(s) : library_count(s);
}
static inline int R_status_cancelled(const R_MPI_Status *s)
{
    return likely(status_words_are_mpich) ? mpiabi_status_cancelled(s) : library_cancelled(s);
}
static inline void R_status_set(R_MPI_Status *s, int64_t count, int cancelled)
{
    if (likely(status_words_are_mpich))
        mpiabi_status_set(s, count, cancelled);
    else
        library_set(s, count, cancelled);
}
#endif

#if A_IS_openmpi
#define A_status_count openmpi_status_count
#define A_status_cancelled openmpi_status_cancelled
#define A_status_set openmpi_status_set
#elif A_IS_mpich
#define A_status_count mpich_status_count
#define A_status_cancelled mpich_status_cancelled
#define A_status_set mpich_status_set
#else
#define A_status_count mpiabi_status_count
#define A_status_cancelled mpiabi_status_cancelled
#define A_status_set mpiabi_status_set
#endif
#if R_IS_openmpi
#define R_status_count openmpi_status_count
/* Where access to a file ends, Open MPI leaves noise there. */
#define R_status_cancelled(s) (openmpi_status_cancelled(s) == 1)
#define R_status_set openmpi_status_set
#elif R_IS_mpich
#define R_status_count mpich_status_count
#define R_status_cancelled mpich_status_cancelled
#define R_status_set mpich_status_set
#endif

/*
 * The common case of a status that comes out: no special rank, not cancelled,
 * less than 4 GiB. Copies source, tag, count and the cancelled flag and returns
 * 1, or returns 0 and does nothing.
 */
#if A_IS_mpiabi || R_IS_mpiabi
#define OTHER_TAG(s) ((s)->MPI_TAG < 0) /* MPI_ANY_TAG has another value */
#else
#define OTHER_TAG(s) 0
#endif
#if A_IS_openmpi && R_IS_mpich
static inline int status_r2a_plain(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (unlikely(r->MPI_SOURCE < 0) || unlikely(r->count_hi_and_cancelled))
        return 0;
    memcpy(&a->MPI_SOURCE, &r->MPI_SOURCE, 2 * sizeof(int));
    a->count = (unsigned)r->count_lo;
    a->cancelled = 0;
    return 1;
}
#elif (A_IS_mpich || A_IS_mpiabi) && R_IS_openmpi
static inline int status_r2a_plain(const R_MPI_Status *r, A_MPI_Status *a)
{
    uint64_t count = r->count;
    if (unlikely(r->MPI_SOURCE < 0) || unlikely(OTHER_TAG(r)) || unlikely(count >> 32 | (unsigned)r->cancelled))
        return 0;
    memcpy(&a->MPI_SOURCE, &r->MPI_SOURCE, 2 * sizeof(int));
    memcpy(&a->count_lo, &count, sizeof count); /* both words: the upper is 0 */
    return 1;
}
#elif R_IS_mpiabi && !A_IS_mpiabi
static inline int status_r2a_plain(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (unlikely(r->MPI_SOURCE < 0) || unlikely(OTHER_TAG(r)) || unlikely(r->count_hi_and_cancelled) || unlikely(!status_words_are_mpich))
        return 0;
    memcpy(&a->MPI_SOURCE, &r->MPI_SOURCE, 2 * sizeof(int));
    A_status_set(a, (unsigned)r->count_lo, 0);
    return 1;
}
#elif A_IS_mpiabi && R_IS_mpich
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
