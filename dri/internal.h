/* The declarations that the files of libdri share. Names that begin with dri_ are not exported.
 *
 * Functions that return int return DRI_SUCCESS or a class of error, and have then called dri_fail, unless their comment
 * has something else.
 *
 * Gives: the structures that the handles of dri.h point to, and for each file the functions that others call in it.
 * Needs: dri.h. */
#ifndef DRI_INTERNAL_H
#define DRI_INTERNAL_H
#include "dri.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Marks an exported function or variable. */
#define PUBLIC __attribute__((visibility("default")))
/* The size of a cache line, in bytes. */
#define LINE 64
/* The largest overlap of a range, in indices, so that sums of indices and overlaps cannot overflow. */
#define DRI_MAX_OVERLAP (INT64_MAX / 8)

/* ---- error.c ---- */

/* Keeps the text for DRI_error_string, for this thread, and returns the class. */
int dri_fail(int class, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Keeps a text for an MPI function that returned this code. Returns DRI_ERR_NOMEM if MPI lacked memory, else DRI_ERR_MPI. */
int dri_fail_mpi(const char *function, int code);
/* Keeps a text for a failed allocation. Returns DRI_ERR_NOMEM. */
int dri_no_memory(const char *what);
/* Returns the text of the last error of this thread. The next error overwrites it. */
const char *dri_error_text(void);

/* Calls a function of MPI. If it fails (and its error handler returns), the caller returns its class. */
#define MPI(function, ...) \
    do { \
        int mpi_code_ = function(__VA_ARGS__); \
        if (mpi_code_ != MPI_SUCCESS) \
            return dri_fail_mpi(#function, mpi_code_); \
    } while (0)
/* Calls a function of libdri. If it fails, the caller returns the class of error. */
#define TRY(call) \
    do { \
        int class_ = (call); \
        if (class_ != DRI_SUCCESS) \
            return class_; \
    } while (0)

/* ---- init.c ---- */

/* How data get from one process to another; README.md describes the methods. METHOD_NONE: not chosen. */
enum { METHOD_NONE, METHOD_SELF, METHOD_SHARED, METHOD_PACKED, METHOD_TYPED, METHODS };
extern const char *const dri_method_names[METHODS];

/* The state of the library. DRI_init_comm fills it and DRI_finalize clears it; between them it is constant. */
struct world {
    bool initialized, started_mpi; /* started_mpi: DRI_init has called MPI_Init, so DRI_finalize calls MPI_Finalize */
    MPI_Comm comm;                 /* a duplicate of the program's communicator */
    int rank, size;                /* this process's rank in comm, and the size of comm */
    int *node;                     /* by rank: the lowest rank on the same node */
    int method;                    /* the method that DRI_METHOD forces, or METHOD_NONE */
    double timeout;                /* DRI_TIMEOUT in seconds, or 0 to wait forever */
    bool names_in_window;          /* DRI_NAMES requires a window for the names of transfers */
    bool crowded;                  /* this node has more processes than cores */
};
extern struct world dri_world;
/* Returns DRI_ERR_STATE before DRI_init and after DRI_finalize, else DRI_SUCCESS. */
int dri_ready(void);

/* A wait in a polling loop. */
struct wait {
    unsigned idle; /* turns without progress */
    double until;  /* the deadline, in seconds of CLOCK_MONOTONIC, or 0 */
};
/* Returns a wait that ends when DRI_TIMEOUT has passed. */
struct wait dri_wait_begin(void);
/* Must be called for each turn of the loop that made no progress. Returns DRI_ERR_TIMEOUT after the deadline; for_what
 * and name are for its text. */
int dri_pause(struct wait *w, const char *for_what, const char *name);

/* ---- exchange.c: collective communication among the processes of a sorted list, over the world's communicator ---- */

/* Tags of the world's communicator. TAG_NAME + n: the registration of names with hash n. TAG_SLOT + 2s: the commit of the
 * transfer in slot s of the registry; one more: its data. */
enum { TAG_DIST = 1, TAG_LEADERS, TAG_PROBE, TAG_NAME, TAG_NAMES = 8192, TAG_SLOT = TAG_NAME + TAG_NAMES };

/* A growing message, whose items are padded to 8 bytes. {0} is an empty one. The owner frees data. */
struct bytes {
    char *data;
    size_t size, room; /* used, and allocated */
};
/* Append size bytes, or a number. */
int dri_put(struct bytes *b, const void *data, size_t size);
int dri_put_number(struct bytes *b, int64_t number);
/* Makes room for size bytes in all. */
int dri_reserve(struct bytes *b, size_t size);
/* A position in such a message. Items must be read as they were put; nothing is checked. */
struct reader {
    const char *at; /* the next item */
};
/* Return the next item: a number, or the address of size bytes within the message. */
int64_t dri_get_number(struct reader *r);
const void *dri_get(struct reader *r, size_t size);

/* Sends `mine` to all processes of the list, and sets all[i] to read the message of procs[i]. me is the caller's index.
 * The messages are in *memory, which the caller frees, also after an error.
 * class is an error of this process, or DRI_SUCCESS; with an error, `mine` and `all` are not used. If a process passes an
 * error, or has no memory for messages of the size of its own, all processes return the error of the lowest class with
 * its text. If memory is exhausted later, some processes return an error and others do not, but all return. */
int dri_exchange(const int *procs, int n, int me, int tag, int class, const struct bytes *mine, struct reader *all, char **memory);
/* Returns the same class on all processes of the list: the lowest class of error that one of them passes as `mine`, with
 * the text of that process; DRI_SUCCESS if there is none. Needs no memory. */
int dri_agree(const int *procs, int n, int me, int tag, int mine);

/* ---- objects.c ---- */

enum { MAGIC_GDO = 0x44524901, MAGIC_PART, MAGIC_GROUP, MAGIC_DIST, MAGIC_LAYOUT, MAGIC_XFER };

/* The first member of every object that a handle points to. */
struct object {
    int magic;        /* the kind of object; 0 when it has been destroyed */
    atomic_int users; /* references: the program's handle, and the objects that use this one */
};
/* Reports whether a handle is an object of this kind. */
bool dri_is(const void *object, int magic);
/* CHECK makes the caller return DRI_ERR_HANDLE unless the handle is of this kind, and CHECK_ARG makes it return DRI_ERR_ARG
 * unless the condition is true. */
#define CHECK(handle, kind) \
    do { \
        if (!dri_is(handle, MAGIC_##kind)) \
            return dri_fail(DRI_ERR_HANDLE, "%s: %s is not a handle of the right kind, or is destroyed: pass a handle from a create " \
                                            "function", __func__, #handle); \
    } while (0)
#define CHECK_ARG(condition, ...) \
    do { \
        if (!(condition)) \
            return dri_fail(DRI_ERR_ARG, __VA_ARGS__); \
    } while (0)

/* The memory of one element: its bytes of data, and holes between them. */
struct element {
    MPI_Aint extent;     /* in bytes */
    int64_t size, named; /* size: bytes of data; named: a predefined type's number in Fortran, or -1 */
    uint64_t shape;      /* a hash of the runs */
    int n_runs;
    struct run {
        int64_t at, length; /* in bytes; at: from the beginning of the element */
    } * runs;            /* adjacent bytes of data, in order; owned */
    bool dense;          /* one run, of the whole extent */
};

/* A global data object. */
struct dri_gdo {
    struct object o;
    int n;                                        /* dimensions */
    MPI_Count lo[DRI_MAX_DIMS], hi[DRI_MAX_DIMS]; /* the first and the last index of each */
    MPI_Datatype type;                            /* predefined, or a duplicate that this object frees */
    struct element element;
};

/* The ranges of a part. The part consists of blocks, one for each choice of a range in every dimension. */
struct cut {
    int n;                                       /* dimensions */
    int count[DRI_MAX_DIMS], edge[DRI_MAX_DIMS]; /* for each dimension, the number of ranges, and DRI_EDGE_… */
    DRI_part_tuple *ranges[DRI_MAX_DIMS];        /* in ascending order; owned */
};
/* Makes a cut with count[d] ranges of zeros in dimension d. The caller frees it with dri_cut_free. */
int dri_cut_create(struct cut *c, int n, const int count[]);
void dri_cut_free(struct cut *c);
/* Returns the number of blocks, at most INT_MAX. */
int dri_cut_blocks(const struct cut *c);
/* Writes the range of each dimension in a block. The last dimension is the fastest in the numbers of blocks. */
void dri_cut_block(const struct cut *c, int block, DRI_part_tuple tuples[]);

/* The part of this process. */
struct dri_part {
    struct object o;
    struct cut cut;
    bool by_rules;                     /* made by DRI_part_rules, or from such a part */
    DRI_part_rule rules[DRI_MAX_DIMS]; /* the rules, if by_rules */
};
/* Makes a part with a cut, which it owns then; it has no rules. The caller destroys it with DRI_part_destroy. After an error
 * the cut is freed. */
int dri_part_new(struct cut *cut, DRI_part *part);
/* Makes a group of n processes, given by their ranks in the world. function is the caller's name, for texts. */
int dri_group_new(const char *function, int n, const int procs[], DRI_group *group);
/* Returns DRI_ERR_ARG, with a text that names the function, unless the overlap of dimension d may be as large as this. */
int dri_overlap_check(const char *function, int d, MPI_Count left_v, MPI_Count right_v);
/* Returns DRI_ERR_ARG, with a text that names the function, unless edge is DRI_EDGE_…. */
int dri_edge_check(const char *function, int d, int edge);
/* A group of processes, by their rank in the world's communicator. */
struct dri_group {
    struct object o;
    int n, rank;          /* the number of processes; the caller's index in procs, or -1 */
    int *procs, *sorted;  /* as the program has given them, and by number; owned */
    int me;               /* the caller's index in sorted, or -1 */
};
/* A layout in memory. */
struct dri_layout {
    struct object o;
    int n, order[DRI_MAX_DIMS];        /* order: the dimensions, the fastest first */
    MPI_Count strides[DRI_MAX_DIMS];   /* by dimension, in elements; all 0: packed */
};
/* A distribution. It holds references to gdo and group, and owns the parts. */
struct dri_dist {
    struct object o;
    DRI_gdo gdo;
    DRI_group group;
    struct cut *parts; /* by rank in the group */
};
/* Adds a reference and returns the object. The drop functions take one away and free the object with the last; they
 * accept NULL. */
void *dri_object_use(void *object);
void dri_gdo_drop(DRI_gdo);
void dri_group_drop(DRI_group);
void dri_dist_drop(DRI_dist);

/* ---- dist.c ---- */

/* Append a cut to a message, and read one of n dimensions, which the caller frees with dri_cut_free. */
int dri_cut_put(struct bytes *b, const struct cut *c);
int dri_cut_get(struct reader *r, int n, struct cut *c);
/* Returns DRI_ERR_NOT_OWNED unless every element of D belongs to a process. */
int dri_dist_whole(DRI_dist dist);

/* ---- place.c: the positions of a part's elements in a buffer ---- */

/* How a part lies in a buffer. Lengths and strides are in elements. */
struct place {
    int n, order[DRI_MAX_DIMS];                           /* dimensions; the fastest first */
    int count[DRI_MAX_DIMS];                              /* ranges of each dimension */
    MPI_Count strides[DRI_MAX_DIMS];                      /* all 0: packed */
    MPI_Count *lo[DRI_MAX_DIMS], *length[DRI_MAX_DIMS];   /* bounds of each range, with overlap for a destination; lo is owned, the
                                                           * other arrays are in its block */
    MPI_Count *before[DRI_MAX_DIMS], total[DRI_MAX_DIMS]; /* the lengths of the ranges before each one, and of all */
    MPI_Count span, elements;                             /* the elements that a block with strides extends over; the size
                                                           * of the buffer */
};
/* Computes the place of a part, with its overlap if `overlap`. The caller frees it with dri_place_free. Returns
 * DRI_ERR_LAYOUT if the strides would give two elements one position. */
int dri_place_create(struct place *p, const struct dri_gdo *gdo, const struct cut *cut, bool overlap,
                     const struct dri_layout *layout);
void dri_place_free(struct place *p);
/* Returns the position of the first element of a block, which is given by a range of each dimension, and writes the
 * strides of the block. Both are in elements. */
MPI_Count dri_place_block(const struct place *p, const int block[], MPI_Count strides[]);

/* ---- plan.c ---- */

/* A box of elements that is copied from one buffer to another: for each dimension a length, and the stride in both
 * buffers. The source stride is 0 if the source has an element once and the destination several times. */
#define MOVE_DIMS (2 * DRI_MAX_DIMS)
struct move {
    int n, open;        /* the number of dims; while boxes are merged: the level at which the last one was added, else -1 */
    MPI_Count src, dst; /* the first element in each buffer, in elements */
    struct dimension {
        MPI_Count length, src, dst; /* the number of elements; strides in elements */
    } dims[MOVE_DIMS];
};
/* A list of boxes. {0} is an empty one; the owner frees it with dri_moves_free. */
struct moves {
    struct move *move;
    int n, room; /* used, and allocated */
};
/* Each plan function appends boxes to moves. dri_plan copies everything that the destination's part takes from the
 * source's part. */
int dri_plan(const struct dri_gdo *gdo, const struct cut *src, const struct place *from, const struct cut *dst,
             const struct place *to, struct moves *moves);
/* Plans the part of the destination's overlap that must be filled with zeros. */
int dri_plan_zeros(const struct dri_gdo *gdo, const struct cut *dst, const struct place *to, struct moves *moves);
/* Plans the copy of all elements of a part between two buffers of the same place. */
int dri_plan_copy(const struct place *place, struct moves *moves);
void dri_moves_free(struct moves *moves);

/* ---- kernel.c ---- */

/* A move prepared for a pair of memories: with as few dimensions as possible, and a method of copying. */
struct kernel {
    int n, method;      /* the number of dims, at least 2; COPY_… of kernel.c */
    bool stream;        /* stores bypass the cache */
    MPI_Count src, dst; /* as in struct move */
    struct dimension dims[MOVE_DIMS]; /* the slowest first */
    const struct element *element;    /* not owned */
};
/* Prepares a move. stream allows stores that bypass the cache. */
void dri_kernel_prepare(struct kernel *k, const struct move *m, const struct element *element, bool stream);
/* Copies the box. dst and src are the beginnings of the two buffers. */
void dri_kernel_run(const struct kernel *k, char *dst, const char *src);
/* Sets the data of the box in dst to zero; holes of elements stay as they are. */
void dri_kernel_zero(const struct kernel *k, char *dst);
/* Returns the number of elements that are adjacent in both memories, or 0 if none are. */
MPI_Count dri_kernel_line(const struct kernel *k);
/* Returns the size of the second-level cache in bytes. If a buffer is larger than half of it, stores bypass the cache. */
int64_t dri_kernel_cache(void);

/* ---- memory.c: memory that other processes of the node can open ---- */

/* A mapped block of memory. {0} is none. */
struct segment {
    char *base, name[64]; /* the address, and the shared memory object's name, or "" if no other process can open it */
    size_t size;          /* in bytes */
};
/* Makes a shared segment, or a private one if shared memory is not available. The caller frees it with
 * dri_segment_free. */
int dri_segment_create(struct segment *s, size_t size);
/* Maps another process's segment, and reports whether that succeeds. */
bool dri_segment_open(struct segment *s, const char *name, size_t size);
/* Removes the name; mappings of the segment stay. */
void dri_segment_unlink(struct segment *s);
/* Removes the name and unmaps the segment. */
void dri_segment_free(struct segment *s);

/* Reports whether two buffers overlap; false if one is NULL or empty. */
bool dri_buffers_overlap(const char *a, const char *b, size_t bytes_a, size_t bytes_b);

/* ---- registry.c: the names of transfers, in memory that each process reads and writes by itself ---- */

/* The groups of a complete transfer. */
struct registered {
    int n;                                                        /* groups, the source's first, or 0 until complete */
    int leader[DRI_MAX_PARTNERS + 1], size[DRI_MAX_PARTNERS + 1]; /* for each group, the rank that entered it and the number of processes */
    int caller;                                                   /* the index of the caller's group */
};
/* Open and close the registry; collective over the world. */
int dri_registry_open(void);
int dri_registry_close(void);
/* Enters an end of a transfer, for a group of this size, and stores its slot and its number in the slot. The leader of
 * the group calls this and the three functions below. */
int dri_registry_enter(const char *name, int role, int size, int *slot, int *end);
/* Marks this end as ready; `partners` counts for a source. found->n is 0 until all ends are ready. */
int dri_registry_commit(const char *name, int slot, int end, int partners, struct registered *found);
/* Reads again if all ends are ready. */
int dri_registry_poll(const char *name, int slot, int end, struct registered *found);
/* Marks this end as not ready, unless all ends are ready. */
int dri_registry_retreat(const char *name, int slot, int end, struct registered *found);
/* Must be called once by each process of the group, when it has finished with the transfer. leader: the caller entered
 * the end. */
int dri_registry_leave(int slot, int end, bool leader);

/* ---- route.c, and the structures of a transfer ---- */

#define CHUNK (256 * 1024) /* the most bytes of a packed message */
#define RING 2             /* the most messages under way to or from a partner */
#define TYPED_LINE 4096    /* the least bytes that are adjacent on both sides, for METHOD_TYPED to be chosen */

/* A message of a packed Go. */
struct chunk {
    int first, n; /* the kernels that pack or unpack it */
    int elements; /* in the message */
};

/* The route to or from one process. A Go is one transfer of the data; Gos are numbered from 0. */
struct partner {
    int rank, method;     /* method: METHOD_… */
    int n_kernels, n_chunks;
    struct kernel *kernels; /* owned; packed: to or from the message; self, shared: from buffer to buffer */
    struct chunk *chunks; /* owned; typed: one */
    MPI_Datatype type;    /* typed: all elements, relative to the beginning of the buffer */
    MPI_Count go, done;   /* the Go of the next message to begin; the number of finished Gos */
    int chunk;            /* the next chunk to begin in that Go */
    struct message {
        MPI_Request request;
        char *wire;       /* packed: the message's memory; owned */
        MPI_Count go;
        int chunk;
    } ring[RING];
    int oldest, under_way; /* the first message under way in the ring, and the number of such messages */
    char *buffers;        /* shared: the source's first buffer */
    size_t buffer_bytes;  /* shared: the distance of two buffers */
    int n_buffers;        /* shared: how many */
    _Atomic int64_t *ready, *consumed; /* shared: how many Gos the source has begun, and the destination has copied */
    struct partner *twin; /* self: of a source, the destination's */
};

/* Fills in the route to or from a partner for a plan. stream allows stores that bypass the cache. */
int dri_route(struct partner *p, const struct dri_gdo *gdo, const struct moves *moves, bool sending, bool stream);
/* Returns the method for a plan. forced is the method that DRI_METHOD requires, or METHOD_NONE; shared: shared memory is
 * available. */
int dri_route_method(const struct dri_gdo *gdo, const struct moves *moves, int forced, bool shared);
void dri_route_free(struct partner *p);

/* One end of a transfer in this process. */
struct end {
    int role;             /* 0: this process does not have this end */
    DRI_dist dist;        /* a reference */
    struct dri_layout layout;
    struct place place;
    int n_buffs;
    void **buffs;         /* the array is owned, the buffers are not */
    char **allocated;     /* by buffer: the buffer if it is owned and not in the segment, else NULL */
    char **places;        /* by buffer: the address that the last Go with it uses or used; the array is owned */
    MPI_Count offset;     /* of the next Gos, in bytes from the beginning of each buffer (DRI_xfer_rebase) */
    int n_ours;           /* the number of buffers that the library has allocated */
    size_t bytes;         /* size of a buffer */
    int n_partners;
    struct partner *partners;
    MPI_Count begun, over; /* Gos: a source's buffers released for sending, a destination's buffers offered for
                            * filling; and how many of these are finished */
    MPI_Count taken;      /* Gos that a destination has handed to the program */
    bool held;            /* the program has acquired a buffer */
};

/* A transfer. */
struct dri_xfer {
    struct object o;
    DRI_xfer next; /* while DRI_xfer_commit runs: the transfer that it commits after this one, or NULL */
    char name[DRI_MAX_NAME + 1], method[64]; /* method: the text for DRI_xfer_query */
    int slot, registry_end, n_groups; /* the range of the registry, and the number of partners of a source */
    bool entered, committed, failed;  /* in the registry; ready for Gos; cannot be committed any more */
    bool going;           /* between DRI_start and the end of DRI_wait */
    struct end src, dst;
    struct segment segment; /* memory of a source: a cache line with `ready`, one with `consumed` for each process, the buffers */
    size_t segment_buffers; /* the offset of the first buffer */
    size_t segment_step;  /* the distance of two buffers */
    bool all_shared;      /* every buffer that is sent is in the segment, and others can open it */
    char *stage;          /* if a buffer belongs to both ends: the copy of the source's data that is sent; else NULL */
    struct kernel *stage_kernels, *zeros; /* copy a buffer to the stage; zero the destination's overlap */
    int n_stage, n_zeros;
    struct segment *opened; /* by process of the transfer: its segment */
    int n_opened;
};

/* ---- meet.c: the ends of a transfer find each other ---- */

/* The processes of all ends. */
struct all {
    int n, me, *procs; /* their number; the caller's index; their ranks in ascending order, owned unless the transfer is a
                        * clique */
};
/* Returns the group of this end; both ends of a clique have the same processes. */
DRI_group dri_xfer_group(DRI_xfer x);
/* Returns the tag for the messages of a commit. */
int dri_control_tag(DRI_xfer x);
/* Waits until all ends of the transfer are ready, and finds their processes. All processes get the same error, but an end
 * that waits too long is alone with DRI_ERR_TIMEOUT. The caller frees all->procs, also after an error. */
int dri_find_all(DRI_xfer x, struct all *all);

/* ---- go.c ---- */

/* Cancels the receives that no message will match; returns DRI_ERR_STATE if a Go is under way. */
int dri_go_end(DRI_xfer x);

#endif
