/*
 * Requests of the abstract device interface. The caller allocates a request, the device uses it
 * until the operation is finished. Only the fields before `device` belong to the interface.
 *
 * State: cookie is MPIR_COOKIE while the request is live, from the call that starts the
 * operation to the call that finishes it. is_complete may be read at any time in any thread; its
 * value 1 makes the other fields of the interface valid. The device never touches a request
 * after it has set is_complete, unless the request is abandoned.
 *
 * Gives: MPIR_SHANDLE, MPIR_RHANDLE, MPIR_PSHANDLE, MPIR_PRHANDLE, MPIR_HANDLE, MPIR_COOKIE.
 * Needs: adi_types.h.
 */
#ifndef WI4GO_ADI_REQUEST_H
#define WI4GO_ADI_REQUEST_H

#include "adi_types.h"

#define MPIR_COOKIE 0x57a4c0deu

typedef enum { MPIR_SEND = 1, MPIR_RECV, MPIR_PERSISTENT_SEND, MPIR_PERSISTENT_RECV } MPIR_OPTYPE;

#define MPIR_COMMON_FIELDS                                                    \
    uint32_t cookie;                /* MPIR_COOKIE while the request is live */ \
    int32_t handle_type;            /* MPIR_OPTYPE */                         \
    _Atomic(int32_t) is_complete;   /* 1: the operation has ended */          \
    _Atomic(int32_t) fate;          /* the device's: complete, abandoned */   \
    struct MPIR_COMMUNICATOR *comm; /* or NULL */                             \
    void *self;                     /* handle of the layer above; the device leaves it alone */

/* A place in a list of a matching queue. The device's. */
struct adi_link {
    struct adi_link *chain, **back;        /* other keys of the same bucket; back is NULL in a follower */
    struct adi_link *next, *prev, *last;   /* messages of the same key; only the first one sets last */
    uint64_t number;                       /* order of arrival */
    int32_t context, source, tag;
};

/* The data of a message in the user's memory. The device's. */
struct adi_data {
    char *buf;
    int64_t len;         /* bytes of the stream: of the message (send), that fit (receive) */
    int64_t count;       /* elements of type */
    MPIR_DATATYPE *type; /* NULL: bytes */
    int32_t act;         /* MPID_Msg_pack_t */
};

typedef struct MPIR_SHANDLE {
    MPIR_COMMON_FIELDS
    int errval; /* result of the send, MPID_SUCCESS if there was no error */
    struct {
        int32_t context, source, tag, dest;
        uint8_t mode, stage, msgrep;
        bool past;                 /* parts of a long message are copied past the caches */
        struct adi_data data;
        int64_t sent, wanted;      /* bytes of a long message: sent, to be sent */
        int64_t asked;             /* time of its header, in nanoseconds */
        uint64_t partner;          /* the receiver's request */
        struct MPIR_SHANDLE *next; /* in a list of the connection */
    } device;
} MPIR_SHANDLE;

typedef struct MPIR_RHANDLE {
    MPIR_COMMON_FIELDS
    MPID_Status s;
    struct {
        struct adi_link link;
        struct MPIR_RHANDLE *before, *after; /* posted receives in order */
        struct MPIR_RHANDLE *next;           /* answers that wait for a free line */
        struct adi_data data;
        int64_t received, expected;
        int64_t began;    /* time of the first part of a large message, in nanoseconds, 0 before that part, or -1 if its time does not count */
        uint64_t partner; /* the sender's request */
        int32_t from;     /* the sender's rank in the job, or -1 */
        uint8_t stage, answer, msgrep;
        uint8_t way;      /* how a large message is copied: enum adi_way */
    } device;
} MPIR_RHANDLE;

/* Persistent requests belong to the layer above, which starts their first field with the
 * nonblocking functions. The arguments stay here, so that a start loses no wildcard. */
typedef struct MPIR_PSHANDLE {
    MPIR_SHANDLE shandle;
    int32_t perm_mode, perm_source, perm_tag, perm_context, perm_dest;
    void *perm_buf;
    int64_t perm_count;
    MPIR_DATATYPE *perm_type;
    bool active;
} MPIR_PSHANDLE;
typedef struct MPIR_PRHANDLE {
    MPIR_RHANDLE rhandle;
    int32_t perm_source, perm_tag, perm_context;
    void *perm_buf;
    int64_t perm_count;
    MPIR_DATATYPE *perm_type;
    bool active;
} MPIR_PRHANDLE;

union MPIR_HANDLE {
    struct {
        MPIR_COMMON_FIELDS
    } common;
    MPIR_SHANDLE shandle;
    MPIR_RHANDLE rhandle;
    MPIR_PSHANDLE pshandle;
    MPIR_PRHANDLE prhandle;
};

#endif
