/* The Data Reorganization Interface on MPI: how an array of several dimensions is cut over processes before and
 * after, and a transfer that moves it. Planned once, done many times. Link with -ldri; README.md says more.
 *
 * All functions return DRI_SUCCESS or a class of error; DRI_error_string tells what was wrong. A call that is
 * collective returns the same class on all of its processes.
 *
 * Gives: DRI_gdo and the other objects, DRI_init and what is done with them.
 * Needs: mpi.h. */
#ifndef DRI_H
#define DRI_H
#include <mpi.h>
#ifdef __cplusplus
extern "C" {
#endif

#define DRI_MAX_DIMS 16
#define DRI_MAX_NAME 255
#define DRI_MAX_PARTNERS 64

typedef struct dri_gdo *DRI_gdo;       /* the global data object D: dimensions, sizes, type of an element */
typedef struct dri_part *DRI_part;     /* what of D this process has */
typedef struct dri_group *DRI_group;   /* an array of processes */
typedef struct dri_dist *DRI_dist;     /* these three together, known to all of the group */
typedef struct dri_layout *DRI_layout; /* how a part lies in memory */
typedef struct dri_xfer *DRI_xfer;     /* one end of a named transfer, or both */
#define DRI_NULL ((void *)0)

/* Any committed datatype is an element; a record may have holes, which stay as they are where it arrives. */
typedef MPI_Datatype DRI_datatype;
#define DRI_SHORT MPI_SHORT
#define DRI_INT MPI_INT
#define DRI_LONG MPI_LONG
#define DRI_FLOAT MPI_FLOAT
#define DRI_DOUBLE MPI_DOUBLE
#define DRI_COMPLEX MPI_C_FLOAT_COMPLEX
#define DRI_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define DRI_BYTE MPI_BYTE

/* A range of indices, left_x to right_x inclusive (right_x = left_x-1: none), and how many more are wanted on
 * either side. A source's overlap does not count. */
typedef struct {
    MPI_Count left_v, left_x, right_x, right_v;
} DRI_part_tuple;

enum { DRI_SOURCE = 1, DRI_DESTINATION = 2 };

enum {
    DRI_SUCCESS,
    DRI_ERR_ARG,         /* an argument is nonsense */
    DRI_ERR_HANDLE,      /* no such object */
    DRI_ERR_DIMS,        /* numbers of dimensions differ */
    DRI_ERR_RANGE,       /* an index is outside of D */
    DRI_ERR_CONSTRAINT,  /* a part would be smaller or larger than allowed */
    DRI_ERR_OWNED_TWICE, /* an element belongs to two parts */
    DRI_ERR_NOT_OWNED,   /* an element of a source belongs to nobody */
    DRI_ERR_GROUP,       /* the caller is not in it, a process is twice in it, or lists differ */
    DRI_ERR_MISMATCH,    /* the ends have different D */
    DRI_ERR_NAME,        /* in use, too long, or another transfer's */
    DRI_ERR_ROLE,        /* neither source nor destination, or not this end's */
    DRI_ERR_LAYOUT,      /* two elements would have one place */
    DRI_ERR_BUFFER,      /* a buffer is missing or used twice */
    DRI_ERR_NOMEM,       /* no memory */
    DRI_ERR_STATE,       /* not now: the object or the library is in another state */
    DRI_ERR_TIMEOUT,     /* DRI_TIMEOUT (seconds, in the environment) passed: the call may be made again */
    DRI_ERR_MPI,         /* a function of MPI failed */
    DRI_ERR_LAST
};

/* The text of the last error of this thread if it was of this class, else what the class means. */
const char *DRI_error_string(int error);

/* Begin and end, collective over all processes that will use DRI. DRI_init starts MPI if need be (and DRI_finalize
 * then ends it) and takes MPI_COMM_WORLD; processes are named by their rank in the communicator. */
int DRI_init(int *argc, char ***argv);
int DRI_init_comm(MPI_Comm comm);
int DRI_initialized(int *flag);
int DRI_finalize(void);

/* n dimensions, each of sizes[d] >= 1 elements, with indices from 0. Local. */
int DRI_gdo_create(int n, DRI_datatype type, const MPI_Count sizes[], DRI_gdo *gdo);
/* The elements lo[d] to hi[d] inclusive of another D, by the indices they have there. Local. */
int DRI_gdo_sub(DRI_gdo of, const MPI_Count lo[], const MPI_Count hi[], DRI_gdo *gdo);
/* One tuple a dimension: the part of this process. At the edges of D the overlap is cut off. Local. */
int DRI_part_create(int n, const DRI_part_tuple tuples[], DRI_part *part);
/* Ranks in the communicator, in the order of the set. Local. */
int DRI_group_create(int n, const int procs[], DRI_group *group);
/* Collective over the group: everybody's part is known, and belongs to nobody else. */
int DRI_dist_create(DRI_gdo gdo, DRI_part part, DRI_group group, DRI_dist *dist);
/* Distances, in elements, between neighbours of each dimension. Several blocks (of a cyclic part) are as far from
 * each other as the largest is long. Local. */
int DRI_layout_create(int n, const MPI_Count strides[], DRI_layout *layout);
/* Without gaps; neighbours of dimension order[0] are next to each other, order[n-1] is the slowest. Several blocks
 * follow each other in the order of their indices. Local. */
int DRI_layout_packed(int n, const int order[], DRI_layout *layout);
extern struct dri_layout dri_packed_0, dri_packed_01, dri_packed_10, dri_packed_012, dri_packed_021, dri_packed_102,
    dri_packed_120, dri_packed_201, dri_packed_210;
#define DRI_LAYOUT_PACKED_0 (&dri_packed_0)
#define DRI_LAYOUT_PACKED_01 (&dri_packed_01)
#define DRI_LAYOUT_PACKED_10 (&dri_packed_10)
#define DRI_LAYOUT_PACKED_012 (&dri_packed_012)
#define DRI_LAYOUT_PACKED_021 (&dri_packed_021)
#define DRI_LAYOUT_PACKED_102 (&dri_packed_102)
#define DRI_LAYOUT_PACKED_120 (&dri_packed_120)
#define DRI_LAYOUT_PACKED_201 (&dri_packed_201)
#define DRI_LAYOUT_PACKED_210 (&dri_packed_210)

/* Partitions by rules: how each dimension is cut over grid[d] processes (0: any; grid NULL: all any). The last
 * dimension of the grid is the fastest in the order of the group. min and max (0: none) limit what one process has
 * of the dimension; block is a cyclic block's size (0: 1). Local. */
enum { DRI_WHOLE, DRI_BLOCK, DRI_CYCLIC };
/* What overlap beyond the edge of D gets: nothing (there is no room for it), D's other end, zeros, D's last element. */
enum { DRI_EDGE_TRUNCATE, DRI_EDGE_WRAP, DRI_EDGE_ZERO, DRI_EDGE_COPY };
typedef struct {
    int kind;
    MPI_Count min, max, block, left_v, right_v;
    int edge;
} DRI_part_rule;
int DRI_part_rules(DRI_gdo gdo, DRI_group group, const int grid[], const DRI_part_rule rules[], DRI_part *part);
/* Dimension 0 in blocks, the others whole. */
int DRI_part_default(DRI_gdo gdo, DRI_group group, DRI_part *part);

/* One end of a transfer; collective over the group of dist. The other end's processes give the same name, at most
 * DRI_MAX_NAME bytes. buffs[0..n_buffs-1] are used in turn; where one is NULL, memory is allocated, which is the
 * fast way for a source, and its address is put there. It waits for the other end. */
int DRI_xfer_create(const char *name, int role, DRI_dist dist, DRI_layout layout, int n_buffs, void *buffs[], DRI_xfer *xfer);
/* Both ends in the same processes. A buffer may be one of both. */
int DRI_xfer_create_clique(const char *name, DRI_dist src, DRI_layout src_layout, int n_src, void *src_buffs[], DRI_dist dst,
                           DRI_layout dst_layout, int n_dst, void *dst_buffs[], DRI_xfer *xfer);
/* The same in two steps, of which the first does not wait. To commit several at once deadlocks in no order. A
 * source says before to how many groups it sends (1 if it does not). */
int DRI_xfer_register(const char *name, int role, DRI_dist dist, DRI_layout layout, int n_buffs, void *buffs[], DRI_xfer *xfer);
int DRI_xfer_partners(DRI_xfer xfer, int n);
int DRI_xfer_commit(int n, DRI_xfer xfers[]);

/* Moves the data, once, with the next buffer: a source returns when its buffer may be written again, a destination
 * when all that it wants is there. name is the transfer's or NULL. */
int DRI_do(const char *name, DRI_xfer xfer);
/* The same in steps. Between them the buffers are the transfer's. */
int DRI_start(DRI_xfer xfer);
int DRI_test(DRI_xfer xfer, int *done);
int DRI_wait(DRI_xfer xfer);
/* Buffer by buffer: a source acquires one to fill and releases it to be sent; a destination acquires the next one
 * that was filled and releases it to be filled again. So a source may be ahead by the buffers there are. */
int DRI_acquire(DRI_xfer xfer, int role, void **buf, int *index);
int DRI_release(DRI_xfer xfer, int role);

/* What the creator was given, and what followed. Any out argument may be NULL. */
int DRI_gdo_query(DRI_gdo gdo, int *n, DRI_datatype *type, MPI_Count sizes[]);
int DRI_part_query(DRI_part part, int *n, int *n_blocks, int block, DRI_part_tuple tuples[]);
int DRI_group_query(DRI_group group, int *n, int procs[]);
int DRI_layout_query(DRI_layout layout, int *n, MPI_Count strides[], int order[]); /* strides of a packed one: 0 */
/* The part of a rank of the group. */
int DRI_dist_query(DRI_dist dist, int rank, int *n_blocks, int block, DRI_part_tuple tuples[]);
/* The size of this process's buffer with overlap, as a destination needs it. */
int DRI_dist_bytes(DRI_dist dist, DRI_layout layout, MPI_Count *bytes);
/* Of a clique, the end that *role asks about. next is the buffer that is used next; method names how the data
 * go from and to this process ("self", "shared", "packed", "typed", several joined by +, "none"), and lives as long
 * as the transfer. */
int DRI_xfer_query(DRI_xfer xfer, int *role, int *n_buffs, int *next, MPI_Count *bytes, const char **method);

/* Local; the handle becomes DRI_NULL, and what another object uses lives on with it. A transfer that is under way
 * is not destroyed. */
int DRI_gdo_destroy(DRI_gdo *gdo);
int DRI_part_destroy(DRI_part *part);
int DRI_group_destroy(DRI_group *group);
int DRI_dist_destroy(DRI_dist *dist);
int DRI_layout_destroy(DRI_layout *layout);
int DRI_xfer_destroy(DRI_xfer *xfer);

#ifdef __cplusplus
}
#endif
#endif
