/*
 * Datatype pools: all layouts of one signature, for tests of MPI libraries.
 *
 * A signature is a basic type so many times, or several such one behind the
 * other (a struct). A pool has an object for each layout of its signature: a
 * committed datatype, a count, and a buffer whose basic elements are numbered in
 * the order of the type map. Any two objects of pools with the same signature can
 * send to each other. The interface is that of MPICH's DTPools.
 *
 *     DTP_t dtp;
 *     DTP_pool_create(MPI_INT, 64, &dtp);
 *     for (int i = 0; i < dtp->DTP_num_objs; i++) {
 *         DTP_obj_create(dtp, i, 0, 1, 64);         // 0, 1, 2, … 63
 *         DTP_obj_t *o = &dtp->DTP_obj_array[i];
 *         MPI_Send(o->DTP_obj_buf, o->DTP_obj_count, o->DTP_obj_type, …);
 *         DTP_obj_free(dtp, i);
 *     }
 *     DTP_pool_free(dtp);
 *
 * Compile dtpools.c and layouts.c with any mpicc. MPI has to be initialized, and
 * not yet finalized, while a pool is in use. Several threads may use pools of
 * their own. What MPI reports goes to the error handler of MPI_COMM_WORLD first.
 *
 * DTP_NUM_OBJS=n in the environment leaves a pool the first n of its layouts; -1
 * is all of them.
 *
 * Gives: DTP_t, DTP_obj_t, DTP_pool_create, DTP_obj_create and what is done with both.
 * Needs: mpi.h.
 */
#ifndef DTPOOLS_H
#define DTPOOLS_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the functions return. DTP_error_string has each in words. */
enum {
    DTP_SUCCESS,
    DTP_ERR_ARG,     /* a pointer is NULL, or a number less than 1 (a number of values: than 0) */
    DTP_ERR_TYPE,    /* none of the basic types */
    DTP_ERR_INDEX,   /* the pool has no object of that index */
    DTP_ERR_STATE,   /* the object is there already, or not yet */
    DTP_ERR_ENV,     /* DTP_NUM_OBJS, DTP_RUNTIME_TYPES or DTP_DATATYPE_FILE cannot be used */
    DTP_ERR_SIZE,    /* the layout takes more than the machine has, or an int can count */
    DTP_ERR_MPI,     /* an MPI function failed */
    DTP_ERR_ELEMENT, /* found by a check: a basic element has another value */
    DTP_ERR_GAP,     /* found by a check: what is between the elements was written to */
    DTP_ERR_GUARD    /* found by a check: what is around the buffer was written to */
};

/* An object. Its first four members go into MPI calls, while it exists. */
typedef struct {
    void *DTP_obj_buf;         /* the buffer, aligned for every basic type */
    int DTP_obj_count;         /* how many of the type are in it */
    MPI_Datatype DTP_obj_type; /* committed; the pool's */
    size_t DTP_obj_bufsize;    /* bytes from DTP_obj_buf that the type may reach */
    void *DTP_obj_private;
} DTP_obj_t;

/* A pool. Both members are read-only. */
typedef struct DTP {
    int DTP_num_objs;
    DTP_obj_t *DTP_obj_array;
    struct DTP_private *DTP_private;
} *DTP_t;

/* Makes a pool of basic_count elements of basic_type. The pool is the caller's,
   for DTP_pool_free. Errors: ARG, TYPE, ENV, SIZE. */
int DTP_pool_create(MPI_Datatype basic_type, int basic_count, DTP_t *dtp);

/* Makes a pool of a struct of n members, basic_counts[i] elements of
   basic_types[i] each. Its layouts are those of the members: a layout of a
   struct pool has all members in that layout. Errors: as DTP_pool_create. */
int DTP_pool_create_struct(int n, MPI_Datatype *basic_types, int *basic_counts, DTP_t *dtp);

/* Frees a pool with all objects that it still has. */
int DTP_pool_free(DTP_t dtp);

/* Makes an object: its datatype, and its buffer with the first val_count basic
   elements set to val_start, val_start + val_stride, … (converted to the element's
   type as C does it; an imaginary part is twice that, the int of a pair type one
   more). All other bytes hold a pattern. For a receive buffer: 0, 0, 0.
   Errors: ARG, INDEX, STATE, SIZE, MPI. */
int DTP_obj_create(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count);

/* Frees an object's datatype and buffer. Errors: ARG, INDEX, STATE, MPI. */
int DTP_obj_free(DTP_t dtp, int obj_idx);

/* Compares the first val_count basic elements with val_start, val_start +
   val_stride, …, then all bytes between elements and around the buffer with what
   DTP_obj_create put there. The padding inside a basic type (of a pair, of a long
   double) may hold anything. Errors: ELEMENT, GAP, GUARD; ARG, INDEX, STATE. */
int DTP_obj_buf_check(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count);

/* The same, and writes what it found into text (size bytes, cut where it is
   longer, "" where all is well): which element, what was expected, what is there. */
int DTP_obj_buf_check_report(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count, char *text, size_t size);

/* A return value in words. Static. */
const char *DTP_error_string(int code);

/* The layout of an object in words ("large block, vector: count 4, blklen 16,
   stride 17"), into text. Errors: ARG, INDEX. */
int DTP_obj_describe(DTP_t dtp, int obj_idx, char *text, size_t size);

/* How many basic elements an object of the pool has: val_count's greatest value. */
int DTP_pool_elements(DTP_t dtp);

/* The basic types. */
#define DTP_NUM_TYPES 33

/* The name ("MPI_INT") of a basic type, NULL for another type. Static. Where a
   library has one handle for two of them it is the first one's. */
const char *DTP_type_name(MPI_Datatype type);

/* The basic type of that name; MPI_DATATYPE_NULL where there is none. */
MPI_Datatype DTP_type_of(const char *name);

/* The basic types that a run goes through, in *n (at most DTP_NUM_TYPES of types):
   those of the file that DTP_DATATYPE_FILE names (a name a line; what is behind a
   # is a comment), all of them without it; of these the ones that
   DTP_RUNTIME_TYPES lists, separated by blanks, where it is set. Each is there
   once. Errors: ARG, and ENV for an unknown name, a file that cannot be read and
   an empty list; text (size bytes) then says which. */
int DTP_runtime_types(int *n, MPI_Datatype *types, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
