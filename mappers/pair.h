/*
 * The facts that every pair of a front and a runtime family provides. All headers of mappers/
 * use them. The generated C of a pair consists of several units of compilation
 * (gen/model/units.go). Each unit defines PAIR_FACTS as the name of the pair's file of facts,
 * which is generated as well, and includes the headers that it uses. Each header includes those
 * that it needs.
 *
 * A header that several units include defines static functions and constants. It defines no
 * static variable, because each unit would have a copy. A variable that units share gets a
 * symbol of the pair by PAIR, and so does a function that is not worth a copy in each unit. All
 * units declare the symbol; the unit whose DEFINES_SHARED is 1 defines it:
 *
 *   #define tracked_requests PAIR(tracked_requests)
 *   SHARED struct wi4go_chains tracked_requests;
 *   #define pool_base PAIR(pool_base)
 *   SHARED int64_t pool_base INITIALLY(-1);
 *   #define tracked_new PAIR(tracked_new)
 *   struct tracked_request *tracked_new(void) HIDDEN;
 *   #if DEFINES_SHARED
 *   struct tracked_request *tracked_new(void) { … }
 *   #endif
 *
 * A_ is the program's side and R_ the runtime's. A pair's facts are:
 *
 *   R_FAMILY                  the name of the runtime's family
 *   SAME_FAMILY               1 if the program is of that family, too
 *   A_HANDLE_BITS             the size of handles, 32 or 64
 *   A_HANDLES_ARE_OBJECTS     1 if predefined handles are addresses of objects
 *   A_HANDLES_ARE_NUMBERS     1 if predefined handles are numbers, and others are pointers
 *   A_STATUS_SPLIT, …         1 if statuses have that encoding (mpi_types.h)
 *   A_SOURCE, A_COUNT         the offsets in a status of its source and its count
 *   A_STATUS_SIZE             the size of a status in bytes
 *   A_STANDARD, …             1 if the family has the trait (abi.Traits, gen/traits/traits.go)
 *   A_FIRST_ADDED_ERROR       the first error code that a program adds
 *   A_ADDS_AMONG_CLASSES      1 if that code is among other families' classes
 *   A_DUP_FN_IS_VALUE         1 if MPI_COMM_DUP_FN is a number
 *   RANKS_FLIP                1 if special ranks differ between the sides in the last bit
 *   ERR_IGNORED               the error class for copying an ignored status
 *   PAIR(name)                a symbol of the front that belongs to the pair alone
 *   A_MPI_Comm, …             the types of handles, as integers; A_MPI_Status
 *   A_encoding_count, …       the functions that read and write the family's statuses
 *                             (mpi_types.h)
 *   A_MPI_ANY_SOURCE, …       constants
 *   R_MPI_Send(…), …          the runtime's functions
 *   program_is_draft          1 if the program uses the numbers of the standard ABI's draft
 *   runtime_is_draft          1 if the runtime has them
 *   RANK_a2r(x), RANK_r2a(x)  the conversion of a value, for each role that mappers.json
 *                             converts by value
 *   A_MPI_COMM_NULL, …        null handles, and some predefined handles
 *   A_CXX_LIBRARY             the soname of the family's C++ library, if it has one
 *   A_INTRODUCTION, A_JOINT   the beginning of the version text of the library with which a
 *                             program is assumed to be built, and the text after it
 *   A_LEVEL_VERSION, A_LEVEL_SUBVERSION
 *                             the version of MPI of that library
 *
 * Most facts of A_ exist for R_ as well. Between two families there are also:
 *
 *   error_class_a2r           the conversion of error classes, a function if
 *                             ERROR_CLASSES_ARE_SPARSE; otherwise the table error_a2r_table,
 *                             with ERROR_TABLE rows
 *   BUFFER_OR_IN_PLACE_a2r    the conversion of constants that are addresses, for each such role
 *   runtime_addresses         the constants of the runtime that are read from it
 *   predefined                the predefined handles, each with an enum kind
 *   similar_datatypes         the datatypes for which the runtime may have only a similar one
 *   runtime_handles         the runtime's handles that are addresses in it
 *
 * and within one family:
 *
 *   COMM_a2r(x)               the conversion of each kind of handle, which changes nothing
 *   objects                   the family's data symbols, if handles are their addresses
 *   WORLD_POINTER             if there is one, the variable that points to WORLD_OBJECT, the
 *                             object of MPI_COMM_WORLD
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
#error "PAIR_FACTS is not defined: define it as the file that contains the pair's facts"
#endif

/* SHARED begins the declaration of a variable that units share, and INITIALLY ends it with the
   value at the start. */
#if DEFINES_SHARED
#define SHARED HIDDEN
#define INITIALLY(...) = __VA_ARGS__
#else
#define SHARED extern HIDDEN
#define INITIALLY(...)
#endif

#include PAIR_FACTS

/* Reports whether the runtime exports a function. */
#define HAVE(function) (ADDRESS(function) != wi4go_missing_entries[SLOT_##function])

/* The runtime's function, which need not be a function of MPI. */
#define ADDRESS(function) wi4go_R[SLOT_##function]
#endif
