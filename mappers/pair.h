/*
 * What every pair of a front and a runtime's family provides, by which all of
 * mappers/ is written. The generated C of a pair is several units of compilation
 * (gen/model/units.go). Each defines PAIR_FACTS, the name of the pair's file of facts, which
 * the generator writes too, and includes the headers that it uses. Each header includes what
 * it needs.
 *
 * A header that several units include defines static functions and constants, and no static
 * variable, because each unit would have its own. A variable that units share, and a function
 * that is not worth a copy in each, has a name of the pair's, by PAIR. All units declare it;
 * the one whose DEFINES_SHARED is 1 defines it:
 *
 *   #define records PAIR(records)
 *   SHARED struct wi4go_chains records;
 *   #define near_base PAIR(near_base)
 *   SHARED int64_t near_base INITIALLY(-1);
 *   #define record_new PAIR(record_new)
 *   struct record *record_new(void) HIDDEN;
 *   #if DEFINES_SHARED
 *   struct record *record_new(void) { … }
 *   #endif
 *
 * A_ is the program's side and R_ the runtime's. A pair's facts are:
 *
 *   R_FAMILY                  the runtime's family's name; SAME_FAMILY: it is the program's too
 *   A_HANDLE_BITS             32 or 64, and R_HANDLE_BITS
 *   A_HANDLES_ARE_OBJECTS     1 or 0: predefined handles are addresses of objects, or
 *   A_HANDLES_ARE_NUMBERS     numbers among pointers
 *   A_STATUS_SPLIT, …         1 or 0, of each encoding of a status; A_SOURCE and A_COUNT are the
 *                             offsets in it, A_STATUS_SIZE its bytes
 *   A_STANDARD, …             1 or 0: the other traits of its family (abi.Traits, gen/traits/traits.go)
 *   A_FIRST_ADDED_ERROR       the first code that a program adds; A_ADDS_AMONG_CLASSES: it is
 *                             among the other families' classes
 *   A_DUP_FN_IS_VALUE         whether MPI_COMM_DUP_FN is a number
 *   RANKS_FLIP                whether special ranks differ between the sides in the last bit
 *   ERR_IGNORED               the class of the error to copy an ignored status
 *   PAIR(name)                a symbol of the front that is the pair's alone
 *   A_MPI_Comm, …             types of handles, as integers; A_MPI_Status
 *   A_encoding_count, …       what its family's statuses are read and set by (mpi_types.h)
 *   A_MPI_ANY_SOURCE, …       constants
 *   R_MPI_Send(…), …          the runtime's functions
 *   program_is_draft          whether the program has the numbers of the standard ABI's
 *                             draft; runtime_is_draft: the library
 *   RANK_a2r(x), RANK_r2a(x)  the values of each role that mappers.json converts by value
 *   A_MPI_COMM_NULL, …        null handles, and some predefined ones
 *   A_CXX_LIBRARY             the soname of its C++ library, where it has one
 *   A_INTRODUCTION, A_JOINT   how the library introduces itself that a program is taken
 *                             to be built with; A_LEVEL_VERSION, A_LEVEL_SUBVERSION: its version of MPI
 *
 * and between two families:
 *
 *   error_class_a2r           classes of errors: functions where ERROR_CLASSES_ARE_SPARSE, else
 *                             error_a2r_table, with ERROR_TABLE rows
 *   BUFFER_OR_IN_PLACE_a2r    addresses that are constants, of each such role; learnt_addresses
 *   predefined, twins         the predefined handles, which have an enum kind; learnt_handles
 *
 * and within one:
 *
 *   COMM_a2r(x)               handles of each kind: the same on both sides
 *   objects                   the family's data symbols, where handles are their addresses
 *   WORLD_POINTER             where there is one, the variable that points to the object of
 *                             MPI_COMM_WORLD, which is WORLD_OBJECT
 *
 * Gives: the facts; HAVE, ADDRESS, SHARED, INITIALLY.
 * Needs: front.h, slots.h, mpi_types.h.
 */
#ifndef WI4GO_PAIR_H
#define WI4GO_PAIR_H
#define _GNU_SOURCE
#include "front.h"
#include "slots.h"
#include "mpi_types.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifndef PAIR_FACTS
#error "PAIR_FACTS is not defined: the C of a pair says there which file has the pair's facts"
#endif

#if DEFINES_SHARED
#define SHARED HIDDEN
#define INITIALLY(...) = __VA_ARGS__
#else
#define SHARED extern HIDDEN
#define INITIALLY(...)
#endif

#include PAIR_FACTS

/* Whether the runtime has a function. */
#define HAVE(function) (ADDRESS(function) != wi4go_missing_entries[SLOT_##function])

/* The runtime's function, also one that is no part of MPI. */
#define ADDRESS(function) wi4go_R[SLOT_##function]
#endif
