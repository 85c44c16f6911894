/*
 * The objects to which the handles of the embedded MPI refer. A handle of the standard ABI is a pointer
 * to its object, or a number below 4096 for a predefined object (MPI-5.0, 20). Every object
 * begins with a struct object (communicators and datatypes: after the device's part), which has
 * a cookie of its kind while the object is live. Memory of objects is reused for objects of the
 * same kind only (pool.c), so the cookie of a freed handle can always be read.
 *
 * References: an object is created with one reference, which belongs to the program's handle.
 * An operation or another object that uses it takes one more. em_comm_release and the others of release.h
 * take one away, and free the object with the last one.
 *
 * Gives: struct object, comm, group, op, request, info, errhandler, keyval, attribute, topology, counts;
 * count_at, likely, unlikely.
 * Needs: mpi.h of the standard ABI, embedded/adi/adi.h.
 */
#ifndef WI4GO_EMBEDDED_OBJECTS_H
#define WI4GO_EMBEDDED_OBJECTS_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../adi/adi.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* The kinds of objects that have handles: kind, structure, name in functions such as MPI_Comm_toint, type of the handle, null
 * handle. A line gives a kind its memory (pool.c), its cookie, and its handles as integers (integers.c). */
#define EM_KINDS(kind)                                                                \
    kind(COMM, comm, Comm, MPI_Comm, MPI_COMM_NULL)                                   \
    kind(GROUP, group, Group, MPI_Group, MPI_GROUP_NULL)                              \
    kind(TYPE, type, Type, MPI_Datatype, MPI_DATATYPE_NULL)                           \
    kind(OP, op, Op, MPI_Op, MPI_OP_NULL)                                             \
    kind(REQUEST, request, Request, MPI_Request, MPI_REQUEST_NULL)                    \
    kind(MESSAGE, message, Message, MPI_Message, MPI_MESSAGE_NULL)                    \
    kind(INFO, info, Info, MPI_Info, MPI_INFO_NULL)                                   \
    kind(ERRHANDLER, errhandler, Errhandler, MPI_Errhandler, MPI_ERRHANDLER_NULL)

#define EM_KIND(KIND, structure, Name, Handle, null) KIND,
enum kind { NO_KIND, EM_KINDS(EM_KIND) KEYVAL /* has a number instead of a handle */, KINDS };

struct object {
    uint32_t cookie;       /* COOKIE(kind) while the object is live */
    bool predefined;       /* the program may not free it */
    atomic_int references; /* ignored if predefined */
    int32_t fortran;       /* index of the Fortran handle plus 1, or 0: none yet */
};
#define COOKIE(kind) (0x57a4e0u * 16 + (kind))

struct counts { /* an array of counts or displacements, of int or of 64 bits */
    const int *narrow;
    const int64_t *wide; /* used if narrow is NULL */
};
static inline int64_t count_at(struct counts counts, int64_t i)
{
    return counts.narrow ? counts.narrow[i] : counts.wide[i];
}

/* ---- attributes (attributes.c) ---- */

/* A key of attributes, with the callbacks of the program (MPI-5.0, 7.7). */
struct keyval {
    struct object head;
    int kind;          /* COMM or TYPE */
    int number;        /* the keyval that programs see */
    bool freed;        /* by the program; attributes still use it */
    void *copy, *drop; /* MPI_Comm_copy_attr_function and MPI_Comm_delete_attr_function, or those of types */
    void *extra_state;
};
struct attribute {
    struct attribute *next; /* attributes set earlier */
    struct keyval *keyval;  /* holds a reference */
    void *value;
};

/* ---- error handlers (errors.c) ---- */

enum { OF_COMM = 1, OF_FILE, OF_WINDOW };
struct errhandler {
    struct object head;
    int kind;     /* OF_COMM …, or 0 for a predefined handler of every kind */
    int action;   /* MPI_ERRORS_RETURN and the others as numbers, or 0 to call function */
    union {
        MPI_Comm_errhandler_function *of_comm;
        MPI_File_errhandler_function *of_file;
        MPI_Win_errhandler_function *of_window; /* not called: there are no windows */
    } function; /* the function for the kind */
};

/* ---- groups (group.c) ---- */

struct group {
    struct object head;
    int size, rank; /* rank: this process's, or MPI_UNDEFINED */
    int *grank;     /* ranks in the job, owned by the group */
};

/* ---- info objects (info.c) ---- */

struct info_entry {
    char *key, *value; /* owned */
};
struct info {
    struct object head;
    int entries, room;
    struct info_entry *entry; /* in the order of their creation */
};

/* ---- communicators (comm.c) ---- */

struct collops;
struct topology;

/* This process's state in the memory that a communicator's processes share (embedded/coll/area.h). */
enum { AREA_PARTS = 16 };
struct area_view {
    char *memory;            /* the memory, or NULL */
    uint64_t ring;           /* bytes of the ring of each process */
    uint64_t number;         /* number of the latest blocking operation */
    uint64_t all_done;       /* all processes have ended the operations up to this number */
    uint64_t at;             /* position in the ring of this process */
    struct {
        uint64_t number, begin; /* the operation that has used a part last, and the position of its data */
    } used[AREA_PARTS];
};

/* The id and the area that each process of a communicator has to give back. */
struct ids {
    int context; /* id that this object drops when freed (contexts.h), or NO_CONTEXT */
    int area;    /* the number of its memory object (MPID_Memory_take), or NO_AREA */
};
enum { NO_CONTEXT = -1, NO_AREA = -1 };

/* Ids on which the processes of a communicator have agreed for its next duplicates (contexts.h). */
struct id_reserve {
    int next, left; /* left of them, from next on */
    int run;        /* ids of the last search, or 0 before the first search */
};

/* A communicator has four contexts of the device: context + CONTEXT_POINT for point-to-point
 * messages of the program, and one for each kind of messages of the library. */
enum {
    CONTEXT_POINT,
    CONTEXT_COLLECTIVE, /* schedules */
    CONTEXT_CREATION,   /* MPI_Comm_create_group, MPI_Intercomm_create; tags are the program's */
    CONTEXT_WITHIN,     /* schedules of comm->within, whose context is this one minus CONTEXT_COLLECTIVE */
    CONTEXTS
};
struct comm {
    struct MPIR_COMMUNICATOR device; /* np and lrank_to_grank of the group that messages go to */
    struct object head;
    int context;         /* a multiple of CONTEXTS */
    struct ids ids;
    struct id_reserve reserve;
    atomic_int next_id;  /* start of the next search for an id (contexts.h), or 0 before the first search */
    int rank, size;      /* in the local group */
    int remote_size;     /* number of ranks that messages can go to: size, if it is no intercommunicator */
    bool inter;
    struct group *local, *remote; /* each holds a reference; the same group, if it is no intercommunicator */
    struct comm *within;  /* intercommunicator: a communicator of the local group, for collective operations; owned */
    struct area_view area;
    int next_tag;         /* tag of the next collective operation, the same in all ranks */
    const struct collops *collops; /* the functions of collective operations (embedded/coll) */
    struct topology *topology;     /* owned, or NULL */
    struct attribute *attributes;
    struct errhandler *errhandler; /* holds a reference */
    struct info *info;             /* hints, owned, or NULL */
    char name[MPI_MAX_OBJECT_NAME];
};

struct topology {
    size_t bytes; /* size of this object with its arrays, which are one block of memory */
    int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
    int dims;
    int *dim, *period, *coord; /* MPI_CART: each of dims */
    int nodes, edges;
    int *index, *edge;         /* MPI_GRAPH */
    int sources, destinations; /* neighbors of this rank, in every kind of topology */
    int *source, *destination; /* their ranks, or MPI_PROC_NULL */
    bool weighted;
    int *source_weight, *destination_weight; /* MPI_DIST_GRAPH, or NULL */
};

/* ---- operations (embedded/types/op.c) ---- */

struct op {
    struct object head;
    bool commutative;
    int number; /* a predefined operation: its handle as a number; else 0 */
    MPI_User_function *function;     /* the program's function, */
    MPI_User_function_c *function_c; /* or this one */
};

/* ---- requests (request.c) ---- */

struct request;

/* The functions of a kind of request. A request is complete when `complete` returns true. */
struct request_kind {
    const char *name;
    /* Reports whether the operation has ended, without progress. */
    bool (*complete)(struct request *request);
    /* Takes the result of a complete operation: fills status (never NULL, preset with the empty
     * status) and returns the error code of the operation. A persistent request is inactive then.
     * The caller frees the others. */
    int (*finish)(struct request *request, MPI_Status *status);
    int (*start)(struct request *request);  /* starts a persistent request; NULL in all others */
    int (*cancel)(struct request *request); /* NULL: MPI_ERR_REQUEST */
    /* The program has freed an active request: complete it in the background, then free it. */
    void (*abandon)(struct request *request);
    /* Adds the peers of the request to the description of a wait. NULL: they are not known. */
    void (*blocked)(struct request *request, struct MPID_Blocked *why);
    /* Frees the memory that the request owns, but not the request. NULL if it owns none. */
    void (*destroy)(struct request *request);
    /* Like finish for MPI_Request_get_status, which leaves the request complete. NULL: finish may
     * be called several times. */
    int (*peek)(struct request *request, MPI_Status *status);
    bool is_message; /* a send or a receive, which is complete when its part of the device is */
};

struct request {
    union MPIR_HANDLE device; /* send and receive requests */
    struct object head;
    const struct request_kind *kind;
    bool persistent, active;
    uint8_t mode;         /* MODE_STANDARD …, or MODE_RECEIVE */
    int error;            /* an error of the start, reported by its completion, or MPI_SUCCESS */
    struct comm *comm;    /* holds a reference, or NULL */
    struct type *type;    /* holds a reference, or NULL */
    void *buf;            /* arguments of a persistent request or of a buffered send */
    int64_t count;
    int peer, tag;
    void *extra;          /* owned data of the kind: a schedule, or a generalized request's functions */
    struct request *next; /* in a list: free, or abandoned */
};
/* A message that a matched probe has taken (MPI-5.0, 3.8.2). */
struct message {
    struct object head;
    struct comm *comm; /* holds a reference */
    struct adi_entry *entry;
    int source, tag;
};

enum { MODE_STANDARD, MODE_SYNCHRONOUS, MODE_READY, MODE_BUFFERED, MODE_RECEIVE };

#endif
