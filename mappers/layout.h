/*
 * Numbers that the assembly of the fast paths (fast_path_x86_64.h) shares with the C of the other
 * headers, which uses or checks each of them.
 *
 * Gives: the numbers below.
 * Needs: ht_layout.h.
 */
#ifndef WI4GO_LAYOUT_H
#define WI4GO_LAYOUT_H
#include "ht_layout.h"

#define SOURCE_UNSET 0x80000001     /* MPI_SOURCE or MPI_TAG of a status that no call has set (status.h) */
#define LOWEST_RANK -4              /* the lowest of the special ranks that RANK_FLIP converts */
#define RANK_FLIP 1                 /* exclusive or with it converts a special rank, if RANKS_FLIP (pair.h) */

/* handles_pointer.h */
#define LOWEST_ADDRESS 4096         /* no object has a lower address */
#define HANDLE_MAGIC 0x57493447     /* the magic number of kind 0 */
#define TAG_UPPER 0x80000000        /* the upper half of a tagged handle */

/* fortran.h: the cache of small integers, FORTRAN_CACHE_SMALL (a power of two) for each of 11 kinds
   of handles; and the cache over a library of the standard ABI, FORTRAN_CACHE_PLACES for each of 4
   kinds, by the lower half of an integer. FORTRAN_CACHE_OBJECTS and FORTRAN_CACHE_HANDLES are
   offsets in it. */
#if R_HANDLE_BITS == 32
#define FORTRAN_CACHE_SMALL 1024          /* only predefined handles are small */
#else
#define FORTRAN_CACHE_SMALL 8192
#endif
#define FORTRAN_CACHE_PLACES 65536
#define FORTRAN_CACHE_OBJECTS 0
#define FORTRAN_CACHE_HANDLES (8*4*FORTRAN_CACHE_PLACES)

/* comm_sizes.h */
#if R_HANDLE_BITS == 32
#define SIZE_BITS 32                /* the bits of a size, in a word with the handle */
#else
#define SIZE_BITS 16                /* an address has 48 bits */
#endif

/* interned_types.h: the offsets of the members of a struct interned_call and a struct
   interned_types. */
#define INTERNED_MOST 32            /* the most elements of an array */
#define INTERNED_ONE 64             /* is added to the length if both arrays are one */
#define INTERNED_ENTRIES 65
#define INTERNED_CALLS 64           /* the number of calls, found by the addresses of the arrays divided by INTERNED_GRAIN */
#define INTERNED_GRAIN 8
#define INTERNED_PEERS 0
#define INTERNED_NEIGHBORS 1
#define INTERNED_ONCE 2 /* no fast path serves the call, so it is not kept */
#define CALL_BYTES 64
#define CALL_CHANGES 0
#define CALL_SEND 8
#define CALL_RECV 16
#define CALL_SIZED 24
#define CALL_TYPES 32
#define INTERNED_N 0
#define INTERNED_SEND 8
#define INTERNED_RECV 16
#define INTERNED_A_SEND 40

/* tracked_requests.h */
#define CHAINS_COUNT 16                 /* the offset of the number of objects in a struct wi4go_chains */

/* request_pool.h */
/* POOL_BYTES is the size of the range of numbers of pooled requests. */
#if R_HANDLES_ARE_NUMBERS
#define POOL_BYTES 0x10000000       /* the library's own integers may have the rest (fortran.h) */
#else
#define POOL_BYTES 0x40000000
#endif
#define POOL_EMPTY -4               /* the number of the empty request */
#define POOL_MULTIPLE 4             /* all numbers are multiples of it; except POOL_EMPTY, also of 8 */

/* handles_int.h: the offset of each kind's table */
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
