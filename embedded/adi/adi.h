/*
 * The second-generation abstract device interface: message passing between the ranks of one
 * host, as a library of its own (Gropp and Lusk, "The Second-Generation ADI for the MPICH
 * Implementation of MPI"). It needs the C library only, and no MPI. docs/adi.md contains the table
 * of functions and pictures of the protocols.
 *
 * Ranks: each rank has one state, made by MPID_Init and freed by MPID_End. A rank is a process,
 * or with ADI_RANK_THREADS a thread. Errors: every `int *err` is untouched on success. Lengths
 * and counts are 64 bits wide.
 *
 * Gives: MPID_Init, MPID_SendContig, MPID_RecvContig and the rest of the interface;
 * MPIR_SHANDLE, MPIR_RHANDLE, MPID_Status, MPIR_DATATYPE, MPID_Config, MPID_Blocked.
 * Needs: adi_types.h, adi_request.h.
 */
#ifndef WI4GO_ADI_H
#define WI4GO_ADI_H

#include "adi_types.h"
#include "adi_request.h"

/* ---- the rank ---- */

extern ADI_OF_RANK int MPID_MyWorldRank; /* the rank, 0 to MPID_MyWorldSize - 1 */
extern ADI_OF_RANK int MPID_MyWorldSize; /* the number of ranks of the job */

#ifdef ADI_RANK_THREADS
/* The state of the layer above in this rank, or NULL. The device leaves it alone; a thread that a
 * rank creates inherits it. Ranks that are processes need no pointer. */
extern ADI_OF_RANK void *MPID_Above;
#endif

/* Settings of a rank. MPID_Config_init fills all fields with defaults and then with the
 * variables of the environment whose names are in the comments. */
struct MPID_Config {
    int rank;               /* ADI_RANK, or -1 for a job of one rank without a launcher */
    int fd;                 /* ADI_FD: the descriptor of the job's segment, or -1. MPID_Init moves it to a higher number. */
    int launcher;           /* ADI_LAUNCHER: the launcher's process ID, or 0: not known. Its descendants may copy from and to the rank's memory where Yama allows only ancestors */
    void *segment;          /* the mapped segment, if ranks are threads, else NULL; owned by the launcher */
    void *memory;           /* its struct adi_memory, if ranks are threads, else NULL; owned by the launcher */
    bool threads;           /* ADI_THREADS=1: several threads of the rank call the device at a time */
    bool check;             /* ADI_CHECK=1: report ready sends without a posted receive */
    bool fence;             /* ADI_FENCE=1: this rank uses a fence as a sender, even if membarrier works */
    bool no_futex;          /* ADI_FUTEX=0: waiting ranks take naps instead of a futex */
    int spin_us;            /* ADI_SPIN_US: how long a wait polls before it sleeps. -1 means 20, or 200 after a sleep that was too long. If ranks outnumber cores, the wait leaves the core after each poll, for 500 */
    int64_t short_max;      /* ADI_SHORT: largest message in its header's line, in bytes, at most 40 */
    int64_t lines_max;      /* ADI_LINES: largest message in following lines, in bytes, at most 520, or 0 */
    int64_t eager_max;      /* ADI_EAGER: largest message that is sent without the receiver's consent, in bytes */
    int64_t first_max;      /* ADI_FIRST: most bytes of a longer message that go with its header, or 0 */
    int64_t chunk;          /* ADI_CHUNK: largest part of a longer message, in bytes */
    int64_t sender_past_min;   /* ADI_SENDER_PAST: smallest block that a sender may copy past the caches, in bytes */
    int64_t receiver_past_min; /* ADI_RECEIVER_PAST: smallest message that its receiver may copy past the caches, in bytes */
    int64_t direct_min;     /* ADI_DIRECT: smallest message that may be copied from memory to memory, in bytes */
    int64_t huge_uses;      /* ADI_HUGE: messages of this length from or to a buffer after which its memory becomes huge pages, or 0 for never */
    int64_t unexpected_max; /* ADI_UNEXPECTED: memory for unexpected messages, in bytes, or 0 to let room.c decide */
    MPID_Msgrep_t msgrep;   /* ADI_MSGREP=xdr: representation of messages with datatypes */
    const char *tracefile;  /* ADI_TRACE: file of MPID_Set_tracefile, or NULL */
    void *(*allocate)(size_t bytes);                   /* memory of the device; returns NULL if there is none */
    void (*release)(void *);                           /* frees memory of allocate; NULL does nothing */
    void (*request_free)(union MPIR_HANDLE *request);  /* frees a request that the caller has abandoned */
    int contexts;           /* contexts of a communicator, of which the first is for messages of the program, or 0 if all are */
    const char *(*caller_of)(const char *function);    /* returns the name under which a waiting function of the device is reported, or NULL to report its own name */
};
void MPID_Config_init(struct MPID_Config *config);

/* Starts the rank. config: a struct MPID_Config, or NULL for the environment's settings. Error: MPIR_ERR_ARG if the descriptor is not a
 * job's, MPIR_ERR_OTHER if another program was the rank, MPIR_ERR_EXHAUSTED with errno if memory is lacking, and then MPIR_ERR_CANCELLED in
 * all ranks of the job but the first. */
void MPID_Init(int *argc, char ***argv, void *config, int *err);
/* Completes abandoned sends, and frees the rank's state. Posted receives are dropped. */
void MPID_End(void);
/* Makes a process that the rank has forked independent of the job: only packing and MPID_Abort, which then ends this process alone, may
 * be called. */
void MPID_Leave(void);
/* Writes a message (string, or NULL for a default one) to stderr and ends the job with an exit code.
 * facility names the caller, or is NULL. */
void MPID_Abort(struct MPIR_COMMUNICATOR *comm, int code, const char *facility, const char *string) __attribute__((noreturn));
void MPID_Wtime(double *seconds);
void MPID_Wtick(double *seconds);
void MPID_Node_name(char *name, int len);
void MPID_Version_name(char *name); /* name: of at least MPID_MAX_VERSION_NAME bytes */

/* Reports whether a call would read or write data at a null pointer. Only data needs a buffer: count elements of a type of size 0 have
 * none, and an absolute type has addresses of its own. type NULL: count bytes. */
static inline bool MPID_Lacks_buffer(const void *buf, int64_t count, const MPIR_DATATYPE *type)
{
    return !buf && count > 0 && (!type || (type->size && !type->is_absolute));
}

/* ---- communicators ---- */

/* The layer above calls these for each communicator that it creates, after it has set its own fields, and before it frees one.
 * The device gives newcomm the representation of messages that oldcomm has, or the job's if oldcomm is NULL. Without these
 * calls, and for a null communicator, it uses the job's. */
void MPID_CommInit(const struct MPIR_COMMUNICATOR *oldcomm, struct MPIR_COMMUNICATOR *newcomm);
void MPID_CommFree(struct MPIR_COMMUNICATOR *comm);

/* ---- sends ----
 * comm: may be NULL. src_lrank: the sender's rank as the receiver matches it. dest_grank: the
 * receiver's rank in the job. msgrep: representation of the bytes, passed to the receiver.
 * Ssend: complete only when a receive has matched. Rsend: the receive must be posted. Bsend:
 * delivers at once or sets MPIR_ERR_MAY_BLOCK and sends nothing. */

void MPID_SendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, int *err);
void MPID_SsendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, int *err);
void MPID_RsendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, int *err);
void MPID_BsendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, int *err);
void MPID_IsendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, MPIR_SHANDLE *request, int *err);
void MPID_IssendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, MPIR_SHANDLE *request, int *err);
void MPID_IrsendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, MPIR_SHANDLE *request, int *err);

void MPID_SendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, int *err);
void MPID_SsendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, int *err);
void MPID_RsendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, int *err);
void MPID_BsendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, int *err);
void MPID_IsendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, MPIR_SHANDLE *request, int *err);
void MPID_IssendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, MPIR_SHANDLE *request, int *err);
void MPID_IrsendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, MPIR_SHANDLE *request, int *err);

/* ---- receives and probes ----
 * src_lrank, tag: may be MPID_ANY_SOURCE, MPID_ANY_TAG. status: may be NULL. A message that is
 * longer than the buffer sets MPIR_ERR_TRUNCATE; its rest is lost. */

void MPID_RecvContig(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t maxlen, int src_lrank, int tag, int context_id, MPID_Status *status, int *err);
void MPID_IrecvContig(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t maxlen, int src_lrank, int tag, int context_id, MPIR_RHANDLE *request, int *err);
void MPID_RecvDatatype(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, MPID_Status *status, int *err);
void MPID_IrecvDatatype(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, MPIR_RHANDLE *request, int *err);
void MPID_Probe(struct MPIR_COMMUNICATOR *comm, int tag, int context_id, int src_lrank, int *err, MPID_Status *status);
void MPID_Iprobe(struct MPIR_COMMUNICATOR *comm, int tag, int context_id, int src_lrank, int *flag, int *err, MPID_Status *status);

/* A send of this rank to itself and the receive that takes it, at once: for programs that exchange
 * messages with all neighbors, of which they may be one. Returns 1 if the message has been received.
 * Otherwise it does nothing and returns 0: the two do not match each other, or are not valid, or an
 * earlier receive or message comes first, or the rank has several threads. Then use MPID_IrecvContig
 * and MPID_SendContig. */
int MPID_SendrecvOwn(const void *buf, int64_t len, int source, int tag, void *recv_buf, int64_t maxlen, int recv_source, int recv_tag, int context_id, MPID_Status *status, int *err);

/* ---- completion ----
 * Icomplete: makes progress, returns whether the request is complete, and if so finishes it,
 * with its error in *err. Complete: waits for this request, then the same. A finished request
 * is no longer live and may be reused; this is also true if *err is set. */

int MPID_SendIcomplete(MPIR_SHANDLE *request, int *err);
int MPID_RecvIcomplete(MPIR_RHANDLE *request, MPID_Status *status, int *err);
void MPID_SendComplete(MPIR_SHANDLE *request, int *err);
void MPID_RecvComplete(MPIR_RHANDLE *request, MPID_Status *status, int *err);
void MPID_WaitForCompleteSend(MPIR_SHANDLE *request); /* waits for is_complete, does not finish */
void MPID_WaitForCompleteRecv(MPIR_RHANDLE *request);

/* Makes progress. MPID_BLOCKING: waits until a request of this rank completes or a message
 * arrives; in a rank with several threads it returns without waiting, because another thread may
 * already have completed the caller's request: use MPID_Sleep there. Returns whether anything
 * happened. */
int MPID_DeviceCheck(MPID_BLOCKING_TYPE blocking);

/* Waiting for a set of requests without a missed wake-up: take a ticket, look at every
 * is_complete, and if none is set, sleep. MPID_Sleep makes progress and returns when a request
 * has completed since the ticket, in whichever thread. why: published in the segment while the
 * rank sleeps, or NULL. Returns MPIR_ERR_PEER if a rank of the job has died, MPIR_ERR_EXHAUSTED if
 * an arriving message finds no memory, else MPID_SUCCESS. If a rank has aborted the job, the process
 * ends. */
uint32_t MPID_Ticket(void);
int MPID_Sleep(uint32_t ticket, const struct MPID_Blocked *why);

/* After these the device owns the request: it completes the transfer, and then calls
 * request_free of the settings. The request must come from the matching allocator. */
void MPID_SendFree(MPIR_SHANDLE *request, int *err);
void MPID_RecvFree(MPIR_RHANDLE *request, int *err);
void MPID_Request_free(union MPIR_HANDLE *request, int *err);

/* Cancel an operation. A receive is cancelled if no message has matched it: it becomes complete,
 * and the count in its status is MPID_REQUEST_CANCELLED. Anything else remains as it is; this is
 * no error. A cancelled send has MPIR_ERR_CANCELLED as its errval. */
void MPID_SendCancel(MPIR_SHANDLE *request, int *err);
void MPID_RecvCancel(MPIR_RHANDLE *request, int *err);

/* ---- representation ---- */

/* The sender chooses representation and action for a partner (or MPID_ANY_SOURCE); the receiver
 * finds the action for the representation in the envelope. */
void MPID_Msg_rep(struct MPIR_COMMUNICATOR *comm, int partner, MPIR_DATATYPE *type, MPID_Msgrep_t *msgrep, MPID_Msg_pack_t *msgact);
void MPID_Msg_act(struct MPIR_COMMUNICATOR *comm, int partner, MPIR_DATATYPE *type, MPID_Msgrep_t msgrep, MPID_Msg_pack_t *msgact);

/* Append count elements to dest, which has maxcount bytes, at *position. Error:
 * MPIR_ERR_TRUNCATE, and nothing is packed. */
void MPID_Pack(const void *src, int64_t count, MPIR_DATATYPE *type, void *dest, int64_t maxcount, int64_t *position, struct MPIR_COMMUNICATOR *comm, int partner, MPID_Msgrep_t msgrep, MPID_Msg_pack_t msgact, int *err);
/* Take count elements from src, which has maxcount bytes, at *in_position, and write them
 * *out_position bytes after dest. Error: MPIR_ERR_TRUNCATE, and nothing is unpacked. */
void MPID_Unpack(const void *src, int64_t maxcount, MPID_Msgrep_t msgrep, int64_t *in_position, void *dest, int64_t count, MPIR_DATATYPE *type, int64_t *out_position, struct MPIR_COMMUNICATOR *comm, int partner, int *err);
void MPID_Pack_size(int64_t count, MPIR_DATATYPE *type, MPID_Msg_pack_t msgact, int64_t *size);

/* ---- settings while the rank runs, and debugging ---- */

/* Limits eager messages and the parts of longer ones, in bytes, at least 1. */
void MPID_SetPktSize(int64_t bytes);
/* Writes a line for each message that is sent or received. `%d` in name: the rank. NULL: none. */
void MPID_Set_tracefile(const char *name);
/* The file of MPID_SetDebugFlag. NULL: stderr. `%d` in name: the rank. */
void MPID_SetDebugFile(const char *name);
/* Writes a line for each protocol event. */
void MPID_SetDebugFlag(int flag);
/* MPID_End writes how much memory of the device is in use. */
void MPID_SetSpaceDebugFlag(int flag);
/* Returns how often the rank has slept or napped, and stores how many sleeps ended by their time
 * limit although there was work: 0, unless a wake-up was lost. */
int64_t MPID_Sleeps(int64_t *late);
/* Bytes that the device has allocated and not freed. */
int64_t MPID_Space_used(void);

/* ---- for an MPI above ---- */

/* Takes the message that a receive with these arguments would match out of the queues, and stores
 * its envelope, or returns NULL. The caller passes the message to MPID_Imrecv once. */
struct adi_entry *MPID_Improbe(struct MPIR_COMMUNICATOR *comm, int tag, int context_id, int src_lrank, MPID_Status *status);
/* Starts to receive such a message. type NULL: count bytes. */
void MPID_Imrecv(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, struct adi_entry *message, MPIR_RHANDLE *request);

/* Memory objects: memory that several ranks share, taken while they run, each with a number in the job.
 *
 * MPID_Memory_take takes an object of some bytes for a number of users, and returns its number, or -1 with *err. The caller sends the number
 * to the other users. All pages are reserved. name: its purpose, for reports, at most 55 bytes. optional: the ranks can do without it. Then
 * it is only taken while all optional objects together need at most a 64th of the memory and 256 MB, and its pages are kept for its next
 * use. A new object is all zeros; an optional one may be as earlier users of as many bytes have left it.
 * Error: MPIR_ERR_EXHAUSTED, MPIR_ERR_ARG if the program has closed the descriptor of the shared memory, MPIR_ERR_PEER if the job is over. */
int MPID_Memory_take(int64_t bytes, int users, bool optional, const char *name, int *err);
/* Returns the optional object of all ranks, which the first caller takes, or -1. Its pages are not reserved. */
int MPID_Memory_of_all(int64_t bytes, const char *name);
/* Gives up parts of an object: each user has one. The last one gives the pages back to the kernel, or keeps them. */
void MPID_Memory_drop(int number, int parts);
/* Returns the address of an object in this process, or NULL with *err, as above. *bytes: its size, as asked for. *first: the highest mark
 * (MPID_Memory_unmap) of earlier users, or 0; the same for all users. */
void *MPID_Memory_map(int number, uint64_t *bytes, uint64_t *first, int *err);
/* Ends a use of the address. The object is still this user's. */
void MPID_Memory_unmap(int number, uint64_t mark);
/* Renames an object. One user does so at a time. */
void MPID_Memory_name(int number, const char *name);
/* Returns the bytes of the job's optional objects in use. */
int64_t MPID_Memory_optional(void);
/* Pauses the core for some cycles between two polls: if a line is polled without a pause, this core fetches it
 * back before the other core has written all of it. */
static inline void MPID_Relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}
/* Waits until ready returns true or this rank has an event: see MPID_Ticket. ready may be called at any
 * time, by this thread; a rank that changes what it reads calls MPID_Ring then. describe fills a
 * description, which is all zeros, before the thread sleeps. awaited returns a rank of the job that must do something
 * first, or -1 if it is not known; it is not called in a rank with ADI_THREADS. Error: as MPID_Sleep. */
int MPID_Wait(uint32_t ticket, bool (*ready)(void *argument), void (*describe)(void *argument, struct MPID_Blocked *why), int (*awaited)(void *argument), void *argument);
/* Returns the rank of the job at the other end of a send, or of a receive from one rank, else -1. */
int MPID_Partner(const union MPIR_HANDLE *request);
/* Wakes the threads of a rank of the job that sleep. */
void MPID_Ring(int grank);
/* Copy n bytes to and from a memory object; the address there is a multiple of 64. Faster than
 * memcpy if another core holds the cache lines. grank: the rank on that core. */
void MPID_Write_shared(void *dest, const void *src, int64_t n, int grank);
void MPID_Read_shared(void *dest, const void *src, int64_t n);
/* Orders stores before it and loads after it against the stores and loads of a rank that is about to sleep. */
void MPID_Order(void);

/* Counts an event and wakes this rank's other threads, as the completion of a request does. */
void MPID_Event(void);

/* Reports whether the job has more ranks than the launcher has cores; the same in all ranks. */
bool MPID_Oversubscribed(void);
/* Called now and then by a rank that polls with calls that do not wait. Leaves the core to other ranks once, if this rank shares it. */
void MPID_Yield(void);

/* ---- the job from outside ---- */

/* The waits of a rank in a mapped segment: number 0 to MPID_MAX_BLOCKED - 1, one for each
 * thread that sleeps. Returns whether that wait exists and copies it. Any process may call it. */
int MPID_Read_blocked(const void *segment, int rank, int number, struct MPID_Blocked *blocked);

/* ---- macros of the same names, for the case that needs no call ---- */

#define MPID_SendIcomplete(request, err) \
    (((request)->is_complete && !(request)->errval) ? ((request)->cookie = 0, 1) : (MPID_SendIcomplete)(request, err))

#endif
