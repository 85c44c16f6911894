/* The Data Reorganization Interface on MPI. A program describes how an array of several dimensions is divided among
 * processes before and after, and a transfer moves the data. It is planned once and done many times. Link with -ldri;
 * README.md has an example.
 *
 * All functions return DRI_SUCCESS or a class of error; DRI_error_string returns the text of an error. A collective call
 * returns the same class on all of its processes.
 *
 * Gives: DRI_gdo and the other objects, DRI_init and the operations on them.
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

typedef struct dri_gdo *DRI_gdo;       /* the global data object, D: its dimensions, their sizes, and the type of an element */
typedef struct dri_part *DRI_part;     /* the part of D that this process has */
typedef struct dri_group *DRI_group;   /* an array of processes */
typedef struct dri_dist *DRI_dist;     /* a distribution: D, the group, and the part of each process */
typedef struct dri_layout *DRI_layout; /* how a part is arranged in memory */
typedef struct dri_xfer *DRI_xfer;     /* one end of a named transfer, or both */
#define DRI_NULL ((void *)0)

/* The type of an element: any committed datatype. Holes of a structure keep their contents at the destination. */
typedef MPI_Datatype DRI_datatype;
#define DRI_SHORT MPI_SHORT
#define DRI_INT MPI_INT
#define DRI_LONG MPI_LONG
#define DRI_FLOAT MPI_FLOAT
#define DRI_DOUBLE MPI_DOUBLE
#define DRI_COMPLEX MPI_C_FLOAT_COMPLEX
#define DRI_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define DRI_BYTE MPI_BYTE

/* A range of indices: left_x to right_x inclusive (right_x = left_x-1: empty), with an overlap of left_v indices before
 * and right_v after it. The overlap of a source is ignored. */
typedef struct {
    MPI_Count left_v, left_x, right_x, right_v;
} DRI_part_tuple;

/* The roles of an end of a transfer. */
enum { DRI_SOURCE = 1, DRI_DESTINATION = 2 };

/* The classes of errors. */
enum {
    DRI_SUCCESS,
    DRI_ERR_ARG,         /* an argument is invalid */
    DRI_ERR_HANDLE,      /* a handle is not an object of the required kind */
    DRI_ERR_DIMS,        /* the objects have different numbers of dimensions */
    DRI_ERR_RANGE,       /* an index is outside of D */
    DRI_ERR_CONSTRAINT,  /* a part would be smaller or larger than allowed */
    DRI_ERR_OWNED_TWICE, /* an element belongs to two parts */
    DRI_ERR_NOT_OWNED,   /* an element of a source belongs to no process */
    DRI_ERR_GROUP,       /* the caller is not in the group, a process is in it twice, or its lists differ */
    DRI_ERR_MISMATCH,    /* the ends have different global data objects */
    DRI_ERR_NAME,        /* the name is in use, too long, or of another transfer */
    DRI_ERR_ROLE,        /* neither source nor destination, or not a role of this end */
    DRI_ERR_LAYOUT,      /* two elements would have the same position in memory */
    DRI_ERR_BUFFER,      /* a buffer is missing or used twice */
    DRI_ERR_NOMEM,       /* no memory */
    DRI_ERR_STATE,       /* not allowed in the state of the object or the library */
    DRI_ERR_TIMEOUT,     /* DRI_TIMEOUT (seconds, in the environment) has passed; the call may be repeated */
    DRI_ERR_MPI,         /* a function of MPI failed */
    DRI_ERR_LAST
};

/* Returns the text of the last error of this thread if it was of this class, else the meaning of the class. The next
 * error of the thread overwrites the text. */
const char *DRI_error_string(int error);

/* Initializes DRI over MPI_COMM_WORLD. Collective over all processes that will use DRI. If MPI is not initialized, calls
 * MPI_Init, and DRI_finalize then calls MPI_Finalize. */
int DRI_init(int *argc, char ***argv);
/* Initializes DRI over a communicator, which is duplicated. Processes are named by their rank in it. MPI must be initialized. */
int DRI_init_comm(MPI_Comm comm);
/* Stores in *flag whether DRI is initialized. */
int DRI_initialized(int *flag);
/* Ends DRI; collective over the same processes. */
int DRI_finalize(void);

/* Makes a global data object of n dimensions, each of sizes[d] >= 1 elements, with indices from 0. Local. */
int DRI_gdo_create(int n, DRI_datatype type, const MPI_Count sizes[], DRI_gdo *gdo);
/* Makes a global data object of the elements lo[d] to hi[d] inclusive of another one. They keep their indices. Local. */
int DRI_gdo_sub(DRI_gdo of, const MPI_Count lo[], const MPI_Count hi[], DRI_gdo *gdo);
/* Makes the part of this process, of one range in each dimension. Overlap beyond the edges of D is cut off. Local. */
int DRI_part_create(int n, const DRI_part_tuple tuples[], DRI_part *part);
/* Makes a group of n processes, given by their ranks in the communicator, in the order of the group. Local. */
int DRI_group_create(int n, const int procs[], DRI_group *group);
/* Makes a distribution. Collective over the group: each process learns the parts of all, and checks that no element
 * belongs to two of them. */
int DRI_dist_create(DRI_gdo gdo, DRI_part part, DRI_group group, DRI_dist *dist);
/* Makes a layout with strides: strides[d] is the distance, in elements, of two neighbors in dimension d. If a part has
 * several blocks (a cyclic part), each takes as much room as the largest. Local. */
int DRI_layout_create(int n, const MPI_Count strides[], DRI_layout *layout);
/* Makes a layout without gaps: neighbors in dimension order[0] are adjacent, and order[n-1] is the slowest dimension.
 * Several blocks follow each other in the order of their indices. Local. */
int DRI_layout_packed(int n, const int order[], DRI_layout *layout);
/* Predefined packed layouts: the digits are the order. */
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

/* How a dimension is divided: not at all, in one block for each process, or in blocks dealt out in turn. */
enum { DRI_WHOLE, DRI_BLOCK, DRI_CYCLIC };
/* How overlap beyond the edge of D is filled: not at all (the buffer has no room for it), from D's other end, with zeros,
 * or with D's last element. */
enum { DRI_EDGE_TRUNCATE, DRI_EDGE_WRAP, DRI_EDGE_ZERO, DRI_EDGE_COPY };
/* The rule for one dimension. Lengths are in elements. */
typedef struct {
    int kind;                                   /* DRI_WHOLE, DRI_BLOCK or DRI_CYCLIC */
    MPI_Count min, max, block, left_v, right_v; /* the limits of a process's share (0: none); the size of a cyclic block
                                                 * (0: 1); the overlap on either side */
    int edge;                                   /* DRI_EDGE_… */
} DRI_part_rule;
/* Makes the part of this process by rules, one for each dimension. The group is a grid of processes, whose last dimension
 * is the fastest in the order of the group; dimension d is divided among grid[d] of them (0: any number; grid NULL: any
 * in all dimensions). Returns DRI_ERR_CONSTRAINT if no grid meets the limits. Local. */
int DRI_part_rules(DRI_gdo gdo, DRI_group group, const int grid[], const DRI_part_rule rules[], DRI_part *part);
/* Makes the part of this process with dimension 0 in blocks and the others whole. Local. */
int DRI_part_default(DRI_gdo gdo, DRI_group group, DRI_part *part);

/* The next four functions make the part of this process from another part, which stays as it is; the program owns both.
 * They are local, move no data, and can be combined in any order. All of them return DRI_ERR_ARG if an address is NULL and
 * DRI_ERR_HANDLE if a handle is invalid; the new handle is DRI_NULL after an error.
 *
 * DRI_part_scale scales a part of `from` to the global data object `to`: in a dimension of n indices in `from` and m in `to`,
 * the i-th index becomes the floor(i*m/n)-th. So an element that belonged to one process belongs to one process again, and
 * what was covered stays covered. Overlap keeps its number of elements. Ranges without an index in `to` disappear. If the
 * part has rules, their min, max and block are scaled in the same way (max is rounded up, a block is at least 1). Returns
 * DRI_ERR_DIMS if the numbers of dimensions differ, and DRI_ERR_RANGE if the part is not within `from`. */
int DRI_part_scale(DRI_part part, DRI_gdo from, DRI_gdo to, DRI_part *scaled);
/* Exchanges the ranges, overlap and edges of dimensions a and b, numbered from 0. The result is a part of the transposed
 * object, in which the two sizes are exchanged too; DRI_part_scale makes it one of the original object. Returns DRI_ERR_ARG if
 * there is no such dimension. */
int DRI_part_swap(DRI_part part, int a, int b, DRI_part *swapped);
/* Adds left_v[d] and right_v[d] elements to the overlap of dimension d, and sets its edge to edges[d] (DRI_EDGE_…). NULL
 * leaves the overlap or the edges as they are. Returns DRI_ERR_ARG if a number is negative or a sum too large, and for an
 * unknown edge. */
int DRI_part_widen(DRI_part part, const MPI_Count left_v[], const MPI_Count right_v[], const int edges[], DRI_part *widened);
/* Makes a part of `gdo` for this process of `group`, by the rules of another part and for another grid (see DRI_part_rules,
 * also for its errors). Returns DRI_ERR_STATE if the part was made of tuples, which have no rules, and DRI_ERR_DIMS if the
 * numbers of dimensions differ. */
int DRI_part_regrid(DRI_part part, DRI_gdo gdo, DRI_group group, const int grid[], DRI_part *regridded);

/* The next three functions make groups from another group, which stays as it is; the program owns all of them. The caller
 * may be outside of any of them. They are local, and return DRI_ERR_ARG if an address is NULL and DRI_ERR_HANDLE if `of` is
 * not a group; new handles are DRI_NULL after an error.
 *
 * DRI_group_subset makes a group of n processes, given by their indices in the group, in the order of the new group. Returns
 * DRI_ERR_ARG if n < 1, and DRI_ERR_GROUP if there is no such index or one is in the list twice. */
int DRI_group_subset(DRI_group of, int n, const int members[], DRI_group *subset);
/* Makes a group of the processes for which keep does not return 0, in the order of the group. keep is called once for each
 * process, with its index in the group, its rank in the communicator, and `state`. Returns DRI_ERR_GROUP if none is left. */
int DRI_group_filter(DRI_group of, int (*keep)(int index, int proc, void *state), void *state, DRI_group *kept);
/* Splits a group into n consecutive groups of sizes[i] processes, such as the stages of a pipeline. sizes NULL: as equal as
 * possible, the larger ones first. Stores them in groups[0..n-1]. Returns DRI_ERR_ARG if n or a size is less than 1, and
 * DRI_ERR_GROUP if the sizes do not add up to the group's, or n is larger. */
int DRI_group_split(DRI_group of, int n, const int sizes[], DRI_group groups[]);

/* Makes one end of a transfer, and waits for the other end. Collective over the group of dist. The processes of the other
 * end pass the same name, of at most DRI_MAX_NAME bytes. buffs[0..n_buffs-1] are used in turn. If buffs[i] is NULL, the
 * library allocates the buffer, which is faster for a source, and stores its address there; it is freed with the
 * transfer. */
int DRI_xfer_create(const char *name, int role, DRI_dist dist, DRI_layout layout, int n_buffs, void *buffs[], DRI_xfer *xfer);
/* Makes a transfer with both ends in the same processes. A buffer may belong to both ends. */
int DRI_xfer_create_clique(const char *name, DRI_dist src, DRI_layout src_layout, int n_src, void *src_buffs[], DRI_dist dst,
                           DRI_layout dst_layout, int n_dst, void *dst_buffs[], DRI_xfer *xfer);
/* DRI_xfer_create in two steps. DRI_xfer_register does not wait for the other end; DRI_xfer_commit does. Committing
 * several transfers in one call cannot deadlock, whatever their order. Before the commit, a source may set the number of
 * groups that it sends to by DRI_xfer_partners (default: 1). */
int DRI_xfer_register(const char *name, int role, DRI_dist dist, DRI_layout layout, int n_buffs, void *buffs[], DRI_xfer *xfer);
int DRI_xfer_partners(DRI_xfer xfer, int n);
int DRI_xfer_commit(int n, DRI_xfer xfers[]);

/* Moves the data once, with the next buffer. At a source it returns when the buffer may be written again, at a
 * destination when the buffer is complete. name is the transfer's name or NULL. */
int DRI_do(const char *name, DRI_xfer xfer);
/* DRI_do in steps. The program must not touch the buffer between DRI_start and the end of DRI_wait, or a DRI_test that
 * stores 1 in *done. */
int DRI_start(DRI_xfer xfer);
int DRI_test(DRI_xfer xfer, int *done);
int DRI_wait(DRI_xfer xfer);
/* Move data buffer by buffer. A source acquires a buffer to fill it, and releases it to be sent. A destination acquires
 * the next filled buffer, and releases it to be filled again. So a source can be ahead by the number of buffers. */
int DRI_acquire(DRI_xfer xfer, int role, void **buf, int *index);
int DRI_release(DRI_xfer xfer, int role);

/* Lets the next Gos of this process's ends use other places: `offset` elements after the beginning of each buffer, until the
 * next call. One plan so serves all frames of a long buffer. The memory up to the last frame's end must belong to the program,
 * which no function checks. For both ends of a clique, or for the end with a role. Local; the other processes need not know.
 * The offset may change at any time, and a Go keeps the one that was set when it began: by DRI_do, by DRI_start, at a source by
 * DRI_acquire, and at a destination by the first DRI_acquire, for all of its buffers, and then by each DRI_release, for the Go
 * that is n_buffs later. DRI_acquire stores the address with the offset.
 *
 * Returns DRI_ERR_HANDLE for an invalid handle, DRI_ERR_ARG if the offset is negative or beyond the address space,
 * DRI_ERR_BUFFER if the library has allocated a buffer of the end (it has no room for an offset; 0 is allowed) or if a buffer
 * would overlap one of the other end and did not at the creation, and DRI_ERR_ROLE if this process does not have the end. The
 * offset stays as it was after an error. */
int DRI_xfer_rebase(DRI_xfer xfer, MPI_Count offset);
int DRI_xfer_rebase_end(DRI_xfer xfer, int role, MPI_Count offset);

/* Return the properties of an object. Any output argument may be NULL. */
int DRI_gdo_query(DRI_gdo gdo, int *n, DRI_datatype *type, MPI_Count sizes[]);
int DRI_part_query(DRI_part part, int *n, int *n_blocks, int block, DRI_part_tuple tuples[]);
int DRI_group_query(DRI_group group, int *n, int procs[]);
int DRI_layout_query(DRI_layout layout, int *n, MPI_Count strides[], int order[]); /* a packed layout has strides 0 */
/* Returns a block of the part of a rank of the group. */
int DRI_dist_query(DRI_dist dist, int rank, int *n_blocks, int block, DRI_part_tuple tuples[]);
/* Stores the size of this process's buffer with overlap, as a destination needs it. */
int DRI_dist_bytes(DRI_dist dist, DRI_layout layout, MPI_Count *bytes);
/* Returns the properties of one end. If the process has both, *role selects the end. *next is the index of the buffer that
 * is used next. *method names the methods that move data from and to this process ("self", "shared", "packed", "typed",
 * several joined by +, or "none"); the string lives as long as the transfer. */
int DRI_xfer_query(DRI_xfer xfer, int *role, int *n_buffs, int *next, MPI_Count *bytes, const char **method);

/* Destroy an object and set the handle to DRI_NULL. An object that another one uses lives on until that one is destroyed.
 * A transfer that is under way is not destroyed (DRI_ERR_STATE). Local. */
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
