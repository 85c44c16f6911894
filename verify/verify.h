/*
 * The tests of `wi4go verify`: small programs over datatype pools, in one
 * executable for each family of MPI libraries. main.c runs the cases; a test is
 * a line of tests.rules with a function that runs one case, by the functions of case.c.
 *
 * A case is a test, a signature, a count and one or two layouts. Its name is
 * MPI_Send/MPI_INT/64/3/5, where the count is the number of times that an object has the
 * signature. All ranks run the same cases in the same order.
 *
 * Gives: place (a case), the lists of tests, MUST and the other macros and functions of the tests.
 * Needs: dtpools.h, results.h.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "dtpools.h"
#include "results.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int rank, size; /* in MPI_COMM_WORLD */

/* A case: the argument of a test's function. */
typedef struct {
    DTP_t from, to;      /* two pools of the signature: data goes from one to the other */
    int s, r;            /* the indices of the objects in use: in from, and in to */
    int elements;        /* basic elements of an object in from; an object in to has these, or more (test.times) */
    int number;          /* number of the case, modulo 1000 */
    MPI_Datatype basic;  /* the type, if the signature has only one member; else MPI_DATATYPE_NULL */
    const char *type;    /* the name of basic; "" for a struct */
    const char *name;    /* name of the signature: "MPI_INT", "MPI_INT*3+MPI_DOUBLE" */
    const DTP_signature_t *signature; /* the signature; an object in from has `count` of it */
    int count;
    const char *function; /* the name of the function under test */
    const char *file;    /* a path that the test may use for a file, the same on all ranks */
} place;

/* A test. */
typedef struct {
    const char *name;    /* the function, then a variant: MPI_Put:fence */
    const char *chapter; /* the group of tests that it is listed in */
    int ranks;           /* the least number of ranks */
    enum { PAIRS, OBJECTS, SIGNATURES } over; /* a case for each pair of layouts, for each layout, for each signature */
    enum { ANY, NO_PAIRS, ONE_TYPE, ARITHMETIC } takes; /* the signatures: all; all without pair types; all of one type; all that MPI_SUM accepts */
    int times;           /* the receiver's objects have this many times the elements of the sender's */
    void (*run)(const place *, int variant);
    int variant;         /* the second argument of run */
} test;

/* The table of tests, which tests.c makes of tests.rules. */
extern const test tests[];
extern const int num_tests;

/* Reports whether a signature has a pair type (MPI_2INT, MPI_DOUBLE_INT). */
int has_pair(const char *signature);

/* Judges a case by a call that returned an error: "missing" if the runtime does not
   support the function, else "wrong". call begins with the function's name. */
void failed(const char *call, int code);

/* Makes a call. Unless it returns MPI_SUCCESS, judges the case and returns. */
#define MUST(call)                                                                                        \
    do {                                                                                                  \
        int rc_ = (call);                                                                                 \
        if (rc_ != MPI_SUCCESS) {                                                                         \
            failed(#call, rc_);                                                                           \
            return;                                                                                       \
        }                                                                                                 \
    } while (0)

/* Returns the first value of a rank's data in a case. Each following value is one more. */
static inline int value(const place *p, int of)
{
    return 1 + 37 * of + 11 * (p->number % 16);
}

/* Creates an object with n values from start on (n is 0 for a receive buffer), and
   returns it. If that fails, judges the case and returns NULL. Objects are freed
   when the case is over. */
DTP_obj_t *object(DTP_t pool, int index, int start, int n);
/* Checks an object's first n elements: start, start + stride, …. `where` names the
   buffer in the verdict. */
void check(DTP_t pool, int index, int start, int stride, int n, const char *where);
/* Checks the status of a message from an object of p->from into `received`, an object of p->to: the source, the tag, and the
   count in units of its type; if the object has more elements than the message, in units of the basic type. */
void check_status(const place *p, MPI_Status *status, int source, int tag, const DTP_obj_t *received);
/* Checks object p->r of p->to after it has received p->elements elements from `start` on: these, and that all others are
   unchanged. */
void check_received(const place *p, int start);

/* The arguments of a call that describe an object. */
#define BUFFER(o) (o)->DTP_obj_buf, (o)->DTP_obj_count, (o)->DTP_obj_type

/* A buffer with a copy of one object for each rank, one after the other. */
typedef struct {
    char *memory;      /* owned */
    MPI_Datatype type; /* type of one object, with the distance as its extent; owned */
    size_t distance;   /* bytes between two objects */
} row;
/* Makes a row of copies of an object, to be freed by row_free. Returns 1; if that
   fails, judges the case and returns 0. */
int row_of(const DTP_obj_t *o, row *made);
/* Returns the memory of object i. */
static inline char *slice(const row *of, int i) { return of->memory + (size_t)i * of->distance; }
/* Frees the memory and the type of a row. */
void row_free(row *made);

/* The functions of the tests, by file, with the values of variant. */
/* p2p.c */
enum mode { SEND, SSEND, BSEND, RSEND, ISEND, ISSEND, IBSEND, IRSEND, SEND_INIT, SSEND_INIT, BSEND_INIT, RSEND_INIT };
void p2p_mode(const place *, int mode);
void p2p_any(const place *, int);
void p2p_proc_null(const place *, int);
void p2p_many(const place *, int);
void p2p_recv_init(const place *, int);
void p2p_probe(const place *, int);
void p2p_iprobe(const place *, int);
void p2p_mprobe(const place *, int);
void p2p_improbe(const place *, int);
void p2p_sendrecv(const place *, int);
void p2p_replace(const place *, int);
void p2p_self(const place *, int);
void p2p_pingping(const place *, int);
void p2p_tag(const place *, int);

/* coll.c */
enum collective { BCAST, IBCAST, GATHER, IGATHER, GATHERV, SCATTER, ISCATTER, SCATTERV, ALLGATHER, IALLGATHER,
                  ALLGATHERV, ALLTOALL, IALLTOALL, ALLTOALLV, ALLTOALLW, IALLTOALLW, NEIGHBOR_ALLGATHER, NEIGHBOR_ALLTOALLW };
void coll_bcast(const place *, int);
void coll_bcast_inter(const place *, int);
void coll_gather(const place *, int);
void coll_scatter(const place *, int);
void coll_allgather(const place *, int);
void coll_alltoall(const place *, int);
void coll_neighbor(const place *, int);
enum reduction { ALLREDUCE, IALLREDUCE, REDUCE, IREDUCE, SCAN, EXSCAN, REDUCE_SCATTER_BLOCK, REDUCE_SCATTER, REDUCE_LOCAL };
void coll_reduce(const place *, int);
void coll_maxloc(const place *, int);
void coll_user_op(const place *, int);

/* rma.c; RMA combines an access and an epoch in a variant. */
enum access { PUT, GET, ACCUMULATE, GET_ACCUMULATE, RPUT, RGET, RACCUMULATE };
enum epoch { FENCE, PSCW, LOCK, FLUSH, FLUSH_LOCAL, LOCK_ALL, ALL_FLUSH, ALL_FLUSH_ALL, ALL_FLUSH_LOCAL, ALL_FLUSH_LOCAL_ALL };
#define RMA(access, epoch) ((access)*16 + (epoch))
void rma_transfer(const place *, int);
void rma_fetch_and_op(const place *, int);
void rma_contention(const place *, int);
void rma_epochs(const place *, int);
void rma_attributes(const place *, int);

/* types.c */
void types_size(const place *, int);
void types_extent(const place *, int);
void types_true_extent(const place *, int);
void types_resized(const place *, int);
void types_names(const place *, int);
void types_dup(const place *, int);
void types_attributes(const place *, int);
void types_envelope(const place *, int);
void types_contents(const place *, int);
void types_pack(const place *, int);
void types_pack_external(const place *, int);
void types_elements(const place *, int);

/* io.c */
enum transfer { WRITE_AT, WRITE_AT_ALL, WRITE, WRITE_ALL, IWRITE_AT, IWRITE };
void io_view(const place *, int);

/* large.c */
void large_p2p(const place *, int);
void large_coll(const place *, int);
void large_reduce(const place *, int);
void large_pack(const place *, int);
void large_put(const place *, int);
void large_file(const place *, int);
void large_constructors(const place *, int);
void large_sizes(const place *, int);
void large_elements(const place *, int);

#endif
