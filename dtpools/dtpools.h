/*
 * Datatype pools: all layouts of one signature, for tests of MPI libraries.
 *
 * A signature is a basic type repeated a number of times, or a struct: several of
 * these, one after the other. A pool has an object for each layout of the
 * signature: a committed datatype, a count, and a buffer whose basic elements are
 * numbered in the order of the type map. Any two objects of pools with the same
 * signature can send to each other. The interface equals MPICH's DTPools.
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
 * Compile the four C files next to this header with any mpicc. While a pool is in use,
 * MPI must be initialized and not yet finalized. Threads may use different pools at the
 * same time. An error that MPI reports goes to the error handler of MPI_COMM_WORLD first.
 *
 * DTP_NUM_OBJS=n in the environment limits a pool to the first n layouts; -1 means
 * all of them. layouts.h adds layouts. README.md has examples.
 *
 * Gives: DTP_t, DTP_obj_t, DTP_pool_create, DTP_obj_create and the operations on both; signatures and basic types by name.
 * Needs: mpi.h.
 */
#ifndef DTPOOLS_H
#define DTPOOLS_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The values that the functions return. DTP_error_string returns a text for each. */
enum {
    DTP_SUCCESS,
    DTP_ERR_ARG,     /* a pointer is NULL, or a number is less than 1 (a number of values: less than 0) */
    DTP_ERR_TYPE,    /* a type is not a basic type */
    DTP_ERR_INDEX,   /* the pool has no object with this index */
    DTP_ERR_STATE,   /* the object exists already, or does not exist yet */
    DTP_ERR_ENV,     /* DTP_NUM_OBJS, DTP_RUNTIME_TYPES or DTP_DATATYPE_FILE cannot be used */
    DTP_ERR_SIZE,    /* the layout needs more memory than there is, or more elements than an int can count */
    DTP_ERR_MPI,     /* an MPI function failed */
    DTP_ERR_ELEMENT, /* a check found a basic element with a wrong value */
    DTP_ERR_GAP,     /* a check found that memory between the elements was written to */
    DTP_ERR_GUARD,   /* a check found that memory around the buffer was written to */
    DTP_ERR_LAYOUT   /* an added layout places an element outside the buffer, or two at one position */
};

/* An object. While it exists, its first four members are for MPI calls. */
typedef struct {
    void *DTP_obj_buf;         /* the buffer, aligned for every basic type */
    int DTP_obj_count;         /* the number of elements of DTP_obj_type in it */
    MPI_Datatype DTP_obj_type; /* committed; owned by the pool */
    size_t DTP_obj_bufsize;    /* bytes from DTP_obj_buf that the type may reach */
    void *DTP_obj_private;     /* internal, or NULL if the object does not exist */
} DTP_obj_t;

/* A pool. Its members are read-only. */
typedef struct DTP {
    int DTP_num_objs;                /* the number of layouts */
    DTP_obj_t *DTP_obj_array;        /* an object for each */
    struct DTP_private *DTP_private; /* internal */
} *DTP_t;

/* Makes a pool of basic_count elements of basic_type. The caller frees it with
   DTP_pool_free. Errors: ARG, TYPE, ENV, SIZE. */
int DTP_pool_create(MPI_Datatype basic_type, int basic_count, DTP_t *dtp);

/* Makes a pool of a struct of n members. Member i is basic_counts[i] elements of
   basic_types[i]. In each layout of the pool, all members have that layout.
   Errors: as DTP_pool_create. */
int DTP_pool_create_struct(int n, MPI_Datatype *basic_types, int *basic_counts, DTP_t *dtp);

/* Frees a pool and all of its objects that still exist. Errors: ARG, MPI. */
int DTP_pool_free(DTP_t dtp);

/* Makes an object: its datatype, and its buffer. The first val_count basic elements
   are set to val_start, val_start + val_stride, …, converted to the element's type
   as in C. An imaginary part is twice the value, and the int of a pair type is the
   value plus 1. All other bytes have a pattern. Pass 0, 0, 0 for a receive buffer.
   Errors: ARG, INDEX, STATE, SIZE, LAYOUT, MPI. */
int DTP_obj_create(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count);

/* Frees an object's datatype and buffer. Errors: ARG, INDEX, STATE, MPI. */
int DTP_obj_free(DTP_t dtp, int obj_idx);

/* Checks an object: compares the first val_count basic elements with val_start,
   val_start + val_stride, …, then all bytes between elements and around the buffer
   with the pattern of DTP_obj_create. The padding inside a basic type (a pair, a
   long double) may have any value. Returns SUCCESS if all are right. Errors: ELEMENT,
   GAP, GUARD; ARG, INDEX, STATE. */
int DTP_obj_buf_check(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count);

/* Checks like DTP_obj_buf_check, and writes a description of the first difference into text (cut to size
   bytes; "" if there is none): the element or byte, its value, and the expected one. */
int DTP_obj_buf_check_report(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count, char *text, size_t size);

/* Checks that the elements from number `from` on, the bytes between elements and the bytes around the buffer still have the
   pattern of DTP_obj_create: a message that was shorter than the buffer must leave them. The object must have been created
   with at most `from` values. Returns and writes as DTP_obj_buf_check_report. */
int DTP_obj_rest_check_report(DTP_t dtp, int obj_idx, int from, char *text, size_t size);

/* Returns the meaning of a return value. The text is static. */
const char *DTP_error_string(int code);

/* Writes a description of an object's layout into text (cut to size bytes): "large
   block, vector: count 4, blklen 16, stride 17". Errors: ARG, INDEX. */
int DTP_obj_describe(DTP_t dtp, int obj_idx, char *text, size_t size);

/* Returns the number of basic elements in an object of the pool, which is the greatest
   val_count; 0 if dtp is NULL. */
int DTP_pool_elements(DTP_t dtp);

/* The number of basic types. */
#define DTP_NUM_TYPES 33

/* Returns the name ("MPI_INT") of a basic type, or NULL for another type. The text is
   static. If a library has one handle for two basic types, returns the first name. */
const char *DTP_type_name(MPI_Datatype type);

/* Returns the basic type with this name, or MPI_DATATYPE_NULL if there is none. */
MPI_Datatype DTP_type_of(const char *name);

/* Returns the name of the basic type that a mistyped name probably stands for, or NULL. The text is
   static. */
const char *DTP_type_like(const char *name);

/* The basic types of the list that the sources were configured with (`configure`; by default all, basictypelist.txt), in the order
   of the list, and their number. Read-only. */
extern MPI_Datatype DTP_basic_types[];
extern const int DTP_num_basic_types;

/* A signature: a basic type, or the members of a struct in their order. */
typedef struct {
    int n;               /* the number of members; 1 for a basic type */
    int elements;        /* the sum of all counts */
    MPI_Datatype *types; /* the basic type of each member */
    int *counts;         /* the elements of each member */
} DTP_signature_t;

/* Makes the signature that a name stands for: members joined by +, each a basic type, or a basic type * a count from 1:
   "MPI_INT", "MPI_INT*3+MPI_DOUBLE+MPI_CHAR*16". The caller frees it with free(). Errors: ARG, SIZE; TYPE for a name that is not
   valid, with a message in text (cut to size bytes) that names the part of the name, the reason and the cure. */
int DTP_signature_parse(const char *name, DTP_signature_t **made, char *text, size_t size);

/* Makes a pool of `count` times a signature: of a struct, if it has several members. Errors: as DTP_pool_create. */
int DTP_pool_create_signature(const DTP_signature_t *signature, int count, DTP_t *dtp);

/* Stores the names of the signatures that a run should cover, each once, and their number in *n. They are those in the file that
   DTP_DATATYPE_FILE names (names as for DTP_signature_parse, separated by blanks, commas or lines; # begins a comment), or in the
   configured list without that variable. If DTP_RUNTIME_TYPES is set, to a list of the same form, only signatures in both lists
   remain; a struct is in a list if the list names it, or all types of its members. The caller frees *names with DTP_names_free.
   Errors: ARG, SIZE; ENV for a name that is not valid, a file that cannot be read, or an empty result, with a description in text
   (size bytes). */
int DTP_runtime_signatures(int *n, char ***names, char *text, size_t size);

/* Frees the names of DTP_runtime_signatures. Accepts NULL. */
void DTP_names_free(char **names);

/* Stores the basic types among the signatures of DTP_runtime_signatures in types, which has room for DTP_NUM_TYPES, and their
   number in *n. Errors: as DTP_runtime_signatures. */
int DTP_runtime_types(int *n, MPI_Datatype *types, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
