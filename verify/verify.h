/*
 * The tests of `wi4go verify`: small programs over datatype pools, in one
 * executable a family of MPI libraries. main.c goes through the cases; a test is
 * an entry of tests.c, whose function runs one case.
 *
 * A case is a test, a signature, a count and one or two layouts: its name is
 * MPI_Send/MPI_INT/64/3/5. All ranks run the same cases in the same order.
 *
 * Gives: place (a case), the lists of tests, MUST and the other words of the tests.
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

extern int rank, size; /* of MPI_COMM_WORLD */

/* A case: what a test's function gets. */
typedef struct {
    DTP_t from, to;      /* two pools of the signature: data goes from one to the other */
    int s, r;            /* the object of each that takes part */
    int elements;        /* basic elements in an object */
    int number;          /* of the case */
    MPI_Datatype basic;  /* of a signature of one type; else MPI_DATATYPE_NULL */
    const char *name;    /* of that type */
    const char *function; /* that is tested */
    const char *file;    /* a path for a file of the test's own, the same on all ranks */
} place;

typedef struct {
    const char *name;    /* the function, then what is done with it: MPI_Put:fence */
    const char *chapter;
    int ranks;           /* at least so many */
    enum { PAIRS, OBJECTS, SIGNATURES } over; /* what there is a case for */
    enum { ANY, NO_PAIRS, ONE_TYPE, ARITHMETIC } takes; /* which signatures: all; without pair types; of one type; one that MPI_SUM takes */
    void (*run)(const place *, int variant);
    int variant;
} test;

extern const test tests[];
extern const int num_tests;

/* Whether a signature has a pair type (MPI_2INT, MPI_DOUBLE_INT). */
int has_pair(const char *signature);

/* Judges a call that returned an error: call begins with the function's name. */
void failed(const char *call, int code);

/* A call that has to return MPI_SUCCESS, or the test ends. */
#define MUST(call)                                                                                        \
    do {                                                                                                  \
        int rc_ = (call);                                                                                 \
        if (rc_ != MPI_SUCCESS) {                                                                         \
            failed(#call, rc_);                                                                           \
            return;                                                                                       \
        }                                                                                                 \
    } while (0)

/* The first value of a rank in a case: the following are each one more. */
static inline int value(const place *p, int of)
{
    return 1 + 37 * of + 11 * (p->number % 16);
}

/* Creates an object with n values from start on (0: a receive buffer). NULL where
   that fails; then the verdict is out. Objects are freed when the case is over. */
DTP_obj_t *object(DTP_t pool, int index, int start, int n);
/* Checks an object's first n elements: start, start + stride, …. where says whose. */
void check(DTP_t pool, int index, int start, int stride, int n, const char *where);
/* Checks a status: the sender, the tag, and the count of an object's type. */
void check_status(MPI_Status *status, int source, int tag, const DTP_obj_t *received);

/* What goes into a call of an object. */
#define BUFFER(o) (o)->DTP_obj_buf, (o)->DTP_obj_count, (o)->DTP_obj_type

/* One object behind the other, for a rank each: the memory, and a type whose
   extent is their distance. */
typedef struct {
    char *memory;
    MPI_Datatype type;
    size_t distance;
} row;
/* Makes a row of copies of an object. Returns 0 where that fails. */
int row_of(const DTP_obj_t *o, row *made);
static inline char *slice(const row *of, int i) { return of->memory + (size_t)i * of->distance; }
void row_free(row *made);

/* The tests, by file. */
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

enum access { PUT, GET, ACCUMULATE, GET_ACCUMULATE, RPUT, RGET, RACCUMULATE };
enum epoch { FENCE, PSCW, LOCK, FLUSH, FLUSH_LOCAL, LOCK_ALL, ALL_FLUSH, ALL_FLUSH_ALL, ALL_FLUSH_LOCAL, ALL_FLUSH_LOCAL_ALL };
#define RMA(access, epoch) ((access)*16 + (epoch))
void rma_transfer(const place *, int);
void rma_fetch_and_op(const place *, int);
void rma_contention(const place *, int);
void rma_epochs(const place *, int);
void rma_attributes(const place *, int);

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

enum transfer { WRITE_AT, WRITE_AT_ALL, WRITE, WRITE_ALL, IWRITE_AT, IWRITE };
void io_view(const place *, int);

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
