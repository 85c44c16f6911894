/*
 * Constants and types of the abstract device interface, except requests (adi_request.h).
 * Numbers of error classes and wildcards are those of the MPI standard ABI, so that an MPI above
 * the device converts nothing.
 *
 * Gives: MPID_SUCCESS, MPID_ANY_SOURCE, MPID_ANY_TAG, MPIR_ERR_TRUNCATE and other codes;
 * MPID_Status, MPIR_COMMUNICATOR, MPIR_DATATYPE, MPID_Blocked.
 * Needs: nothing.
 */
#ifndef WI4GO_ADI_TYPES_H
#define WI4GO_ADI_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With ADI_RANK_THREADS ranks are threads of one process, and each has its own variables. A
 * thread that a rank starts must belong to the rank: adi_launch.h replaces pthread_create. */
#ifdef ADI_RANK_THREADS
#define ADI_OF_RANK _Thread_local
#else
#define ADI_OF_RANK
#endif

/* A layer above that is compiled with ADI_HETEROGENEOUS sends all data with a datatype, so that the device can convert it: the
 * macro of the paper's text. On one host this is needed only for tests, with ADI_MSGREP=xdr. */
#ifdef ADI_HETEROGENEOUS
#define MPID_HAS_HETEROGENEOUS 1
#endif

enum {
    MPID_ANY_SOURCE = -1,
    MPID_ANY_TAG = -2,
    MPID_TAG_UB = 0x7fffffff,
    MPID_MAX_CONTEXT_ID = 0x7fffffff,
    MPID_STDOUT = 1,          /* every rank may write */
    MPID_STDIN = 0,           /* the rank that reads, or MPID_NO_RANK */
    MPID_WTIME_IS_GLOBAL = 1, /* the ranks of one host have one clock */
    MPID_HOST = -3,           /* no rank is the host: MPI_PROC_NULL */
    MPID_REQUEST_CANCELLED = -1,
    MPID_MAX_VERSION_NAME = 64,
    MPID_MAX_BLOCKED = 4,     /* threads of a rank whose waits are described */
    MPID_MAX_PEERS = 4,       /* peers, and unexpected messages, in a description */
};

enum { /* error codes */
    MPID_SUCCESS = 0,
    MPIR_ERR_BUFFER = 1,    /* a NULL buffer with bytes */
    MPIR_ERR_COUNT = 2,     /* a negative length */
    MPIR_ERR_TYPE = 3,
    MPIR_ERR_TAG = 4,
    MPIR_ERR_RANK = 6,
    MPIR_ERR_REQUEST = 7,   /* a request that is not live */
    MPIR_ERR_ARG = 13,
    MPIR_ERR_TRUNCATE = 15,
    MPIR_ERR_OTHER = 16,
    MPIR_ERR_INTERN = 17,
    MPIR_ERR_EXHAUSTED = 39, /* no memory: class MPI_ERR_NO_MEM */
    MPIR_ERR_PEER = 58,      /* a rank has died: class MPI_ERR_PROC_ABORTED */
    MPIR_ERR_MAY_BLOCK = 16385, /* BsendContig would have to wait */
    MPIR_ERR_NOT_READY = 16386, /* ready send without a posted receive, in checking mode */
    MPIR_ERR_CANCELLED = 16387, /* errval of a cancelled send */
};

typedef enum { MPID_NOTBLOCKING = 0, MPID_BLOCKING = 1 } MPID_BLOCKING_TYPE;
/* Representation of a message's bytes, in the envelope. */
typedef enum { MPID_MSGFORM_OK = 0, MPID_MSGFORM_XDR = 1 } MPID_Msgrep_t;
/* The work of packing and unpacking: copying, or conversion to and from XDR. */
typedef enum { MPID_MSG_OK = 0, MPID_MSG_XDR = 1 } MPID_Msg_pack_t;

/* The result of a receive or a probe; size and first fields as MPI_Status of the standard ABI. */
typedef struct MPID_Status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int msgrep;    /* MPID_Msgrep_t of the envelope */
    int64_t count; /* bytes in this host's representation, or MPID_REQUEST_CANCELLED */
    int64_t reserved;
} MPID_Status;

/* The device's part of a communicator; the layer above begins its own with it. */
struct MPIR_COMMUNICATOR {
    int np;                    /* number of ranks */
    const int *lrank_to_grank; /* rank in the job of each, or NULL for the same numbers */
    void *self;                /* handle of the layer above */
    const char *name;          /* for reports, or NULL; owned by the layer above */
    bool is_known;             /* the device's: between MPID_CommInit and MPID_CommFree */
    int msgrep;                /* the device's: MPID_Msgrep_t of messages with datatypes, if is_known */
};

/* ---- datatypes ---- */

/* The device's view of a datatype: a stream of bytes that can be copied from any byte to any
 * other. With MPID_MSG_XDR the stream is in XDR, and its length is count * xdr_size. */
typedef struct MPIR_DATATYPE MPIR_DATATYPE;
struct MPID_Type_ops {
    /* Copy bytes at to at + n of the stream of count elements at buf to dest. */
    void (*pack)(const MPIR_DATATYPE *type, const void *buf, int64_t count, MPID_Msg_pack_t act, int64_t at, void *dest, int64_t n);
    /* Copy n bytes from src to the stream's bytes from at on. */
    void (*unpack)(const MPIR_DATATYPE *type, void *buf, int64_t count, MPID_Msg_pack_t act, int64_t at, const void *src, int64_t n);
    /* Returns the size in this host's representation of the first n bytes of an XDR stream. */
    int64_t (*native)(const MPIR_DATATYPE *type, int64_t n);
    /* An operation that outlives its call has begun or ended. NULL if the caller does not count them. */
    void (*retain)(MPIR_DATATYPE *type);
    void (*release)(MPIR_DATATYPE *type);
};
struct MPIR_DATATYPE {
    const struct MPID_Type_ops *ops;
    int64_t size;     /* bytes of data of one element */
    int64_t xdr_size; /* the same in XDR */
    int64_t extent;   /* distance of elements, in bytes */
    int64_t true_lb;  /* position of the first byte of data */
    bool is_contig;   /* any number of elements is one block from true_lb on */
    bool is_absolute; /* displacements are addresses: a NULL buffer is valid */
    void *self;       /* handle of the layer above */
};

/* ---- waits ---- */

/* How other threads of the rank may end a wait. */
enum MPID_Threads {
    MPID_OTHERS_CALL = 1,     /* they may call MPI */
    MPID_OTHERS_COMPLETE = 2, /* they, or a handler of a signal, complete a request of the wait */
};

/* The kinds of peers that a thread waits for. A report has a line `MPI_Recv waits for rank 1 (tag 3) on MPI_COMM_WORLD`: the texts of
 * a kind are those before the peers and before the name of the object. tagged: the tag is the program's, and follows the peer. shared:
 * the peer may have come since, because it does not wake each rank. The launcher's table is generated from this one
 * (internal/embedded/layout).
 *
 *   kind, text before the peers, text before the object, tagged, shared */
#define MPID_WAITS(wait)                                                                       \
    wait(MPID_WAIT_MESSAGE, "waits for", "on", 1, 0) /* a message of the program */            \
    wait(MPID_WAIT_LIBRARY, "waits for", "on", 0, 0) /* a message of the layer above itself */ \
    wait(MPID_WAIT_SHARED, "waits for", "on", 0, 1)  /* data in memory that the ranks share */

#define MPID_WAIT_NUMBER(kind, peers, object, tagged, shared) kind,
enum MPID_Wait_kind { MPID_WAITS(MPID_WAIT_NUMBER) MPID_WAIT_KINDS };

/* Describes the wait of a sleeping thread. */
struct MPID_Blocked {
    char function[40]; /* name of the function that waits */
    int32_t requests;  /* number of requests or messages it waits for; may exceed peers */
    int32_t peers;     /* number of entries of peer, at most MPID_MAX_PEERS */
    struct {
        int32_t lrank;   /* sender to match, MPID_ANY_SOURCE, or -1 in a send */
        int32_t grank;   /* rank in the job, or -1 if it is not known */
        int32_t tag;     /* or MPID_ANY_TAG */
        int32_t context;
        int32_t kind;    /* enum MPID_Wait_kind. The device decides by the context whether a message is the program's */
    } peer[MPID_MAX_PEERS];
    int64_t since; /* CLOCK_MONOTONIC, in nanoseconds */
    char object[32];   /* name of the communicator, window or file, or empty */
    int32_t thread;    /* the kernel's number of the thread that waits */
    int32_t near_total; /* unexpected messages in the context of the first peer; may exceed nears */
    int32_t nears;     /* number of entries of near, at most MPID_MAX_PEERS */
    int32_t threads;   /* bits: enum MPID_Threads */
    struct MPID_Near {
        int32_t lrank, tag; /* sender and tag of an unexpected message, as it is matched */
    } near[MPID_MAX_PEERS]; /* the earliest messages first: the thread may mean to receive one of them */
    int32_t full;      /* the rank in the job of a peer that takes no further messages, see room.c */
    uint32_t full_kb;  /* kilobytes of unexpected messages there, or 0 without such a peer */
};

#endif
