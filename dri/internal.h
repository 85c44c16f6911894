/* What the files of libdri share. Names that begin with dri_ are not exported.
 *
 * Gives: the structures behind the handles of dri.h, and for each file what others call in it.
 * Needs: dri.h. */
#ifndef DRI_INTERNAL_H
#define DRI_INTERNAL_H
#include "dri.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PUBLIC __attribute__((visibility("default")))
#define LINE 64
#define DRI_MAX_OVERLAP (INT64_MAX / 8)

/* ---- error.c ---- */

/* Remembers the text for DRI_error_string and returns the class. */
int dri_fail(int class, const char *format, ...) __attribute__((format(printf, 2, 3)));
int dri_fail_mpi(const char *function, int code);
const char *dri_error_text(void);

/* Leaves the function with DRI_ERR_MPI if a call of MPI fails (and its error handler returns). */
#define MPI(function, ...) \
    do { \
        int mpi_code_ = function(__VA_ARGS__); \
        if (mpi_code_ != MPI_SUCCESS) \
            return dri_fail_mpi(#function, mpi_code_); \
    } while (0)
#define TRY(call) \
    do { \
        int class_ = (call); \
        if (class_ != DRI_SUCCESS) \
            return class_; \
    } while (0)

/* ---- init.c ---- */

enum { METHOD_NONE, METHOD_SELF, METHOD_SHARED, METHOD_PACKED, METHOD_TYPED, METHODS };
extern const char *const dri_method_names[METHODS];

struct world {
    bool initialized, started_mpi;
    MPI_Comm comm;
    int rank, size;
    int *node;      /* of each rank: the lowest rank of its node */
    int method;     /* DRI_METHOD */
    double timeout; /* DRI_TIMEOUT, seconds; 0: wait */
    bool crowded;   /* more processes on this node than cores */
};
extern struct world dri_world;
int dri_ready(void); /* DRI_ERR_STATE before DRI_init and after DRI_finalize */

/* A wait: dri_pause is called each time nothing moved, and ends with DRI_ERR_TIMEOUT. */
struct wait {
    unsigned idle;
    double until;
};
struct wait dri_wait_begin(void);
int dri_pause(struct wait *w, const char *for_what, const char *name);

/* ---- exchange.c: between the processes of a sorted list, over the world's communicator ---- */

enum { TAG_DIST = 1, TAG_LEADERS, TAG_PROBE, TAG_NAME, TAG_NAMES = 8192, TAG_SLOT = TAG_NAME + TAG_NAMES };

struct bytes {
    char *data;
    size_t size, room;
};
int dri_put(struct bytes *b, const void *data, size_t size);
int dri_put_number(struct bytes *b, int64_t number);
struct reader {
    const char *at;
};
int64_t dri_get_number(struct reader *r);
const void *dri_get(struct reader *r, size_t size);

/* Everybody's bytes; all[i] is what procs[i] gave, in memory that is freed with *memory. me: the caller's index. */
int dri_exchange(const int *procs, int n, int me, int tag, const struct bytes *mine, struct reader *all, char **memory);
/* The first class of error of all, with the text of its process; mine is this process's. */
int dri_agree(const int *procs, int n, int me, int tag, int mine);
/* An error as it is put at the beginning of what is exchanged, and the first one of all. */
int dri_put_error(struct bytes *b, int class);
int dri_first_error(const int *procs, int n, struct reader *all);

/* ---- objects.c ---- */

enum { MAGIC_GDO = 0x44524901, MAGIC_PART, MAGIC_GROUP, MAGIC_DIST, MAGIC_LAYOUT, MAGIC_XFER };

struct object {
    int magic;
    atomic_int users;
};
bool dri_is(const void *object, int magic);
#define CHECK(handle, kind) \
    do { \
        if (!dri_is(handle, MAGIC_##kind)) \
            return dri_fail(DRI_ERR_HANDLE, "%s: %s is no handle of that kind", __func__, #handle); \
    } while (0)
#define CHECK_ARG(condition, ...) \
    do { \
        if (!(condition)) \
            return dri_fail(DRI_ERR_ARG, __VA_ARGS__); \
    } while (0)

/* What of an element is data. */
struct element {
    MPI_Aint extent;
    int64_t size, named; /* named: a predefined type's number in Fortran, or -1 */
    uint64_t shape;      /* a hash of the runs */
    int n_runs;
    struct run {
        int64_t at, length;
    } * runs;
    bool dense; /* one run, of the whole extent */
};

struct dri_gdo {
    struct object o;
    int n;
    MPI_Count lo[DRI_MAX_DIMS], hi[DRI_MAX_DIMS];
    MPI_Datatype type;
    struct element element;
};

/* A part: ranges in each dimension, of which it is the product. */
struct cut {
    int n;
    int count[DRI_MAX_DIMS], edge[DRI_MAX_DIMS];
    DRI_part_tuple *ranges[DRI_MAX_DIMS];
};
int dri_cut_create(struct cut *c, int n, const int count[]);
void dri_cut_free(struct cut *c);
int dri_cut_blocks(const struct cut *c);
void dri_cut_block(const struct cut *c, int block, DRI_part_tuple tuples[]);

struct dri_part {
    struct object o;
    struct cut cut;
};
struct dri_group {
    struct object o;
    int n, rank;          /* rank: the caller's, or -1 */
    int *procs, *sorted;  /* as they were given, and by number */
    int me;               /* the caller's index in sorted, or -1 */
};
struct dri_layout {
    struct object o;
    int n, order[DRI_MAX_DIMS];        /* fastest first */
    MPI_Count strides[DRI_MAX_DIMS];   /* 0: packed */
};
struct dri_dist {
    struct object o;
    DRI_gdo gdo;
    DRI_group group;
    struct cut *parts; /* of each rank of the group */
};
void *dri_object_use(void *object);
void dri_gdo_drop(DRI_gdo);
void dri_group_drop(DRI_group);
void dri_dist_drop(DRI_dist);

/* ---- dist.c ---- */

int dri_cut_put(struct bytes *b, const struct cut *c);
int dri_cut_get(struct reader *r, int n, struct cut *c);
/* DRI_ERR_NOT_OWNED unless all of D belongs to somebody. */
int dri_dist_whole(DRI_dist dist);

/* ---- place.c: where the elements of a part are in a buffer ---- */

struct place {
    int n, order[DRI_MAX_DIMS];
    int count[DRI_MAX_DIMS];
    MPI_Count strides[DRI_MAX_DIMS];                                  /* 0: packed */
    MPI_Count *lo[DRI_MAX_DIMS], *length[DRI_MAX_DIMS];               /* of each range, with overlap for a destination */
    MPI_Count *before[DRI_MAX_DIMS], total[DRI_MAX_DIMS];             /* sums of lengths */
    MPI_Count span, elements;                                         /* of a block with strides; of the buffer */
};
int dri_place_create(struct place *p, const struct dri_gdo *gdo, const struct cut *cut, bool overlap,
                     const struct dri_layout *layout);
void dri_place_free(struct place *p);
/* Where the first element of a block is, and its strides, in elements. */
MPI_Count dri_place_block(const struct place *p, const int block[], MPI_Count strides[]);

/* ---- plan.c ---- */

/* A box of elements that goes from one buffer to another: for each dimension how many, and how far from each other
 * in the two. What the source has once and the destination several times has source stride 0. */
#define MOVE_DIMS (2 * DRI_MAX_DIMS)
struct move {
    int n, open; /* open: the level at which the last dimension was put on, else -1 */
    MPI_Count src, dst;
    struct dimension {
        MPI_Count length, src, dst;
    } dims[MOVE_DIMS];
};
struct moves {
    struct move *move;
    int n, room;
};
/* From the part of a source to that of a destination. */
int dri_plan(const struct dri_gdo *gdo, const struct cut *src, const struct place *from, const struct cut *dst,
             const struct place *to, struct moves *moves);
/* What of a destination's overlap is zeros. */
int dri_plan_zeros(const struct dri_gdo *gdo, const struct cut *dst, const struct place *to, struct moves *moves);
/* All elements of a part, from one buffer of this place to another. */
int dri_plan_copy(const struct place *place, struct moves *moves);
void dri_moves_free(struct moves *moves);

/* ---- kernel.c ---- */

/* A move made ready for a pair of memories: few dimensions, and the method of copying. */
struct kernel {
    int n, method;
    bool stream;
    MPI_Count src, dst;
    struct dimension dims[MOVE_DIMS];
    const struct element *element;
};
void dri_kernel_prepare(struct kernel *k, const struct move *m, const struct element *element, bool stream);
void dri_kernel_run(const struct kernel *k, char *dst, const char *src);
void dri_kernel_zero(const struct kernel *k, char *dst);
/* How many elements are one behind the other in both memories; 0 where none are. */
MPI_Count dri_kernel_line(const struct kernel *k);
/* The size of the second cache: what is written to more than half of it goes past it. */
int64_t dri_kernel_cache(void);

/* ---- memory.c: memory that other processes of the node can open ---- */

struct segment {
    char *base, name[64]; /* name: "" where nobody else can */
    size_t size;
};
int dri_segment_create(struct segment *s, size_t size);
/* False where it cannot be. */
bool dri_segment_open(struct segment *s, const char *name, size_t size);
void dri_segment_unlink(struct segment *s);
void dri_segment_free(struct segment *s);

/* ---- registry.c: names, in a window that needs nobody's attention ---- */

struct registered {
    int n;                                 /* groups, the source's first */
    int leader[DRI_MAX_PARTNERS + 1], size[DRI_MAX_PARTNERS + 1];
    int caller;                            /* which is the caller's */
};
int dri_registry_open(void);
int dri_registry_close(void);
int dri_registry_enter(const char *name, int role, int size, int *slot, int *end);
/* Says that this end is ready; found->n is 0 until all are. */
int dri_registry_commit(const char *name, int slot, int end, int partners, struct registered *found);
int dri_registry_poll(const char *name, int slot, int end, struct registered *found);
int dri_registry_retreat(const char *name, int slot, int end, struct registered *found);
/* One process has done with it; leader: the one that entered it. */
int dri_registry_leave(int slot, int end, bool leader);

/* ---- route.c, xfer.c, go.c ---- */

#define CHUNK (256 * 1024)
#define RING 2
#define TYPED_LINE 4096

struct chunk {
    int first, n; /* kernels */
    int elements;
};

/* What goes to, or comes from, one process. */
struct partner {
    int rank, method;
    int n_kernels, n_chunks;
    struct kernel *kernels;
    struct chunk *chunks;
    MPI_Datatype type;    /* typed: all of it, from the beginning of the buffer */
    MPI_Count go, done;   /* the Go that is begun next, and how many are over */
    int chunk;            /* of that Go */
    struct message {
        MPI_Request request;
        char *wire;
        MPI_Count go;
        int chunk;
    } ring[RING];
    int oldest, under_way;
    char *buffers;        /* shared: the source's, and how far apart they are */
    size_t buffer_bytes;
    int n_buffers;
    _Atomic int64_t *ready, *consumed;
    struct partner *twin; /* self: of a source, the destination's */
};

/* Makes the route to or from a partner out of a plan. */
int dri_route(struct partner *p, const struct dri_gdo *gdo, const struct moves *moves, bool sending, bool stream);
/* Which method a plan takes, where a forced one (or METHOD_NONE) is wanted and shared memory is there. */
int dri_route_method(const struct dri_gdo *gdo, const struct moves *moves, int forced, bool shared);
void dri_route_free(struct partner *p);

/* One role of this process. */
struct end {
    int role;             /* 0: not this process's */
    DRI_dist dist;
    struct dri_layout layout;
    struct place place;
    int n_buffs;
    void **buffs;
    char **allocated;     /* those that are ours and not in the segment, else NULL */
    size_t bytes;
    int n_partners;
    struct partner *partners;
    MPI_Count begun, over; /* source: released to be sent; destination: buffers given to be filled */
    MPI_Count taken;      /* destination: handed to the program */
    bool held;            /* a buffer is acquired */
};

struct dri_xfer {
    struct object o;
    char name[DRI_MAX_NAME + 1], method[64];
    int slot, registry_end, n_groups;
    bool entered, committed, failed;
    bool going;           /* between start and the end of the wait */
    struct end src, dst;
    struct segment segment; /* of a source: words, a line for itself and for each process, and the buffers */
    size_t segment_buffers; /* where they begin */
    size_t segment_step;  /* how far apart they are */
    bool all_shared;      /* all that is sent lies in it */
    char *stage;          /* where one buffer is of both ends: what is sent is copied here */
    struct kernel *stage_kernels, *zeros;
    int n_stage, n_zeros;
    struct segment *opened; /* of other processes */
    int n_opened;
};
/* Forgets the receives that wait for nothing any more; DRI_ERR_STATE if something is under way. */
int dri_go_end(DRI_xfer x);

#endif
