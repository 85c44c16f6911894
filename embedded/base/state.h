/*
 * The state of a rank of the embedded MPI. There are no other variables that change: in a build
 * with ADI_RANK_THREADS ranks are threads of one process, each with a state of its own.
 *
 * Locks are those of embedded/adi/adi_threads.h, taken only if em->threads is true
 * (MPI_THREAD_MULTIPLE). No lock is held while a function of the program is called or the device
 * may wait.
 *
 * Gives: struct em_state, em.
 * Needs: objects.h.
 */
#ifndef WI4GO_EMBEDDED_STATE_H
#define WI4GO_EMBEDDED_STATE_H

#include <pthread.h>

#include "objects.h"
#include "../adi/adi_threads.h"

/* em->phase. FORKED: this process is a child that the rank has forked, which may call local functions only: their entry points
 * accept RUNNING and the phases above it. */
enum { NOT_STARTED, FINALIZED, RUNNING, FORKED };

/* Ids of communicators with several processes, and as many of communicators with one. */
enum { CONTEXT_IDS = 1 << 17 };

struct pool {
    void *free; /* objects to be used again, linked by their first word */
    MPID_THREAD_DS_LOCK_DECLARE
};

struct em_state {
    atomic_int phase;      /* NOT_STARTED … */
    bool threads;          /* MPI_THREAD_MULTIPLE */
    bool converts;         /* the device sends datatypes in the external representation (ADI_MSGREP=xdr) */
    int thread_level;
    atomic_bool missing_reported; /* em_missing has printed a line */
    pthread_t main_thread;
    struct comm *world, *self;
    struct group *empty;
    struct errhandler *fatal, *abort, *return_; /* predefined */
    struct errhandler *file_errhandler; /* handler of MPI_FILE_NULL; holds a reference */
    struct info *env;      /* MPI_INFO_ENV, or NULL before its first use */
    struct pool pools[KINDS];
    struct type *types;    /* predefined datatypes, by the number of the handle minus 0x200 */
    struct op *ops;        /* predefined operations, by the number of the handle minus 0x20 */
    struct { uint64_t shared[CONTEXT_IDS / 64], own[CONTEXT_IDS / 64]; int next_own; MPID_THREAD_DS_LOCK_DECLARE } ids; /* sets of the ids in use (contexts.h) */
    struct { struct type **at; int n; MPID_THREAD_DS_LOCK_DECLARE } f90; /* datatypes of MPI_Type_create_f90_real and its kind */
    struct { struct keyval **at; int n, room, full; MPID_THREAD_DS_LOCK_DECLARE } keyvals; /* full: no place below is free; the lock also guards all lists of attributes */
    int predefined_attribute[MPI_UNIVERSE_SIZE - MPI_TAG_UB + 1]; /* values, by keyval; the attribute is their address */
    const struct collops *collops; /* the table of new communicators, or NULL to choose it by the number of cores (embedded/coll) */
    /* Collective operations in progress, in the order of their start, and memory for new ones. progress runs their steps that can
     * run, and returns whether anything happened. */
    struct { struct schedule *active, *last, *free, *lost; struct memory_block *blocks; int64_t kept; atomic_int running; atomic_uint seen; bool (*progress)(void); MPID_THREAD_DS_LOCK_DECLARE } schedules;
    struct { char *memory; int64_t bytes; struct bsend *first; MPID_THREAD_DS_LOCK_DECLARE } buffer; /* MPI_Buffer_attach */
    struct {
        struct { int code, class; char string[MPI_MAX_ERROR_STRING]; } *code; /* owned; a class is its own class */
        int n;
        MPID_THREAD_DS_LOCK_DECLARE
    } codes; /* MPI_Add_error_class, MPI_Add_error_code */
    struct { MPID_THREAD_DS_LOCK_DECLARE } properties; /* the lock guards the error handlers of communicators and files, and all names */
    struct { void **at; int n, room, free; MPID_THREAD_DS_LOCK_DECLARE } fortran[KINDS]; /* objects with a Fortran handle (fortran.c) */
};

/* The state of the rank: before MPI_Init, that of all ranks if these are threads. */
extern struct em_state em_first_state;
#ifdef ADI_RANK_THREADS
#define em ((struct em_state *)(MPID_Above ? MPID_Above : &em_first_state))
#else
#define em (&em_first_state)
#endif

#endif
