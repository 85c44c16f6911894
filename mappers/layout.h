/*
 * Numbers that the assembly of the fast paths (fast_x86_64.h) shares with the
 * C in handles.h, which uses or checks each of them.
 *
 * Gives: the numbers below.
 * Needs: ht_layout.h.
 */
#ifndef WI4GO_LAYOUT_H
#define WI4GO_LAYOUT_H
#include "ht_layout.h"

#define SOURCE_UNSET 0x80000001     /* is MPI_SOURCE of a status that no call has filled */
#define LOWEST_RANK -4              /* of the ranks below 0 all from here up change by RANK_FLIP */
#define RANK_FLIP 1

/* handles_pointer.h */
#define LOWEST_ADDRESS 4096
#define HANDLE_MAGIC 0x57493447
#define TAG_UPPER 0x80000000        /* the upper half of a tagged handle */

/* fortran.h: the table of small integers, of 11 kinds of handles, a power of two; and that
   of a library of the standard ABI, of 4 kinds, by the lower half of an integer */
#if R_HANDLE_BITS == 32
#define NUMBERS_KNOWN 1024          /* of predefined handles */
#else
#define NUMBERS_KNOWN 8192
#endif
#define GIVEN_PLACES 65536
#define GIVEN_OBJECTS 0
#define GIVEN_HANDLES (8*4*GIVEN_PLACES)

/* request_records.h */
#define CHAINS_N 16                 /* where a table of chains has the number of its objects */

/* near.h */
#if R_HANDLES_ARE_NUMBERS
#define NEAR_BYTES 0x10000000       /* its integers may be from there on (fortran.h) */
#else
#define NEAR_BYTES 0x40000000
#endif
#define NEAR_EMPTY -4
#define NEAR_MULTIPLE 4             /* all numbers are, and all but NEAR_EMPTY of 8 */

/* handles_int.h */
#define TABLE_COMM (0*HT_SIZE)
#define TABLE_DATATYPE (1*HT_SIZE)
#define TABLE_ERRHANDLER (2*HT_SIZE)
#define TABLE_GROUP (3*HT_SIZE)
#define TABLE_INFO (4*HT_SIZE)
#define TABLE_MESSAGE (5*HT_SIZE)
#define TABLE_OP (6*HT_SIZE)
#define TABLE_REQUEST (7*HT_SIZE)
#define TABLE_SESSION (8*HT_SIZE)
#define TABLE_WIN (9*HT_SIZE)
#endif
