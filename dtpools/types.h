/* The basic types: the interface between types.c and the other files.
 *
 * Gives: the table of basic types.
 * Needs: dtpools.h. */
#ifndef DTPOOLS_TYPES_H
#define DTPOOLS_TYPES_H

#include "dtpools.h"

/* A basic type. The functions handle an element as its C type. */
typedef struct {
    const char *name;                                      /* "MPI_INT" */
    MPI_Datatype type;                                     /* its handle */
    size_t size;                                           /* size of an element in bytes */
    void (*put)(void *at, int value);                      /* writes an element */
    int (*same)(const void *at, int value);                /* reports whether an element equals the value */
    void (*show)(const void *at, char *text, size_t size); /* writes an element's value as text */
} dtp_kind;

/* The table of basic types. */
extern const dtp_kind dtp_kinds[DTP_NUM_TYPES];

/* Returns the basic type of a handle, or NULL. */
const dtp_kind *dtp_kind_of(MPI_Datatype type);

#endif
