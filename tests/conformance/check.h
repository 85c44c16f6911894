/*
 * check.h: shared by all conformance programs.
 *
 *   #include "check.h"
 *   int main(int argc, char **argv)
 *   {
 *       check_init(&argc, &argv);          // MPI_Init, rank and size
 *       CHECK(rank >= 0);                  // any condition
 *       CHECK_INT(count, 3);               // an integer: shows both values
 *       CHECK_STR(name, "MPI_INT");        // a string: shows both
 *       MUST(MPI_Barrier(MPI_COMM_WORLD)); // a call that has to return MPI_SUCCESS
 *       return check_done("chapter_topic");
 *   }
 *
 * A failure is printed on stderr with its place and value, and counted. check_done adds the
 * ranks' counts, finalizes, prints `PASS name` or `FAIL name n` on rank 0's stdout, and
 * returns the exit code. Version macros leave out the parts that a library lacks at compile
 * time, so one source serves every family.
 */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MPI_STATUSES_IGNORE and MPI_UNWEIGHTED are small integers. gcc takes them for arrays of length zero. */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"

static int rank = -1, size = -1; /* in MPI_COMM_WORLD, set by check_init or check_ranks */
static int check_failures;       /* failures of this process */

#define CHECK(cond) ((cond) ? (void)0 : check_fail(__FILE__, __LINE__, "%s", #cond))
#define CHECK_INT(got, want)                                                                       \
    do {                                                                                           \
        long long got_ = (long long)(got), want_ = (long long)(want);                              \
        if (got_ != want_)                                                                         \
            check_fail(__FILE__, __LINE__, "%s is %lld, not %s (%lld)", #got, got_, #want, want_); \
    } while (0)
#define CHECK_STR(got, want)                                                                      \
    do {                                                                                          \
        const char *got_ = (got), *want_ = (want);                                                \
        if (strcmp(got_, want_) != 0)                                                             \
            check_fail(__FILE__, __LINE__, "%s is \"%s\", not \"%s\"", #got, got_, want_);        \
    } while (0)
#define MUST(call)                                                                                \
    do {                                                                                          \
        int rc_ = (call);                                                                         \
        if (rc_ != MPI_SUCCESS)                                                                   \
            check_fail(__FILE__, __LINE__, "%s returned %d", #call, rc_);                         \
    } while (0)
/* The call must return an error code of this class. */
#define CHECK_CLASS(call, want) CHECK_INT(check_class(call), want)

/* The standard ABI has C integers in place of Fortran's (MPI-5.0, 20). */
#ifdef MPI_ABI_VERSION
#define MPI_Fint int
#define MPI_Comm_c2f MPI_Comm_toint
#define MPI_Comm_f2c MPI_Comm_fromint
#define MPI_Type_c2f MPI_Type_toint
#define MPI_Type_f2c MPI_Type_fromint
#define MPI_Errhandler_c2f MPI_Errhandler_toint
#define MPI_Errhandler_f2c MPI_Errhandler_fromint
#define MPI_File_c2f MPI_File_toint
#define MPI_File_f2c MPI_File_fromint
#define MPI_Group_c2f MPI_Group_toint
#define MPI_Group_f2c MPI_Group_fromint
#define MPI_Info_c2f MPI_Info_toint
#define MPI_Info_f2c MPI_Info_fromint
#define MPI_Message_c2f MPI_Message_toint
#define MPI_Message_f2c MPI_Message_fromint
#define MPI_Op_c2f MPI_Op_toint
#define MPI_Op_f2c MPI_Op_fromint
#define MPI_Request_c2f MPI_Request_toint
#define MPI_Request_f2c MPI_Request_fromint
#define MPI_Session_c2f MPI_Session_toint
#define MPI_Session_f2c MPI_Session_fromint
#define MPI_Win_c2f MPI_Win_toint
#define MPI_Win_f2c MPI_Win_fromint
#endif

/* The version of the standard that mpi.h states, or a part of MPI-4 that Open MPI 5 has although it states MPI-3.1.
 * Intel MPI had all of MPI-4.0 before it stated that version. */
#if defined(I_MPI_NUMVERSION) && MPI_VERSION == 3
#define CHECK_VERSION 400
#else
#define CHECK_VERSION (MPI_VERSION * 100 + MPI_SUBVERSION)
#endif
#define CHECK_HAVE(major, minor) (CHECK_VERSION >= (major) * 100 + (minor))
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5
#define CHECK_OPENMPI_5 1
#else
#define CHECK_OPENMPI_5 0
#endif
#define HAVE_PERSISTENT_COLLECTIVES (CHECK_HAVE(4, 0) || CHECK_OPENMPI_5)
#define HAVE_PARTITIONED (CHECK_HAVE(4, 0) || CHECK_OPENMPI_5)
#define HAVE_SESSIONS (CHECK_HAVE(4, 0) || CHECK_OPENMPI_5)
#define HAVE_ISENDRECV (CHECK_HAVE(4, 0) || CHECK_OPENMPI_5)
#define HAVE_LARGE_COUNTS CHECK_HAVE(4, 0)

static inline __attribute__((format(printf, 3, 4))) void check_fail(const char *file, int line,
                                                                    const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "%s:%d: rank %d: %s\n", file, line, rank, text);
    __atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED);
}

static inline int check_class(int code)
{
    int error_class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &error_class);
    return error_class;
}

/* For programs that call MPI_Init themselves. */
static inline void check_ranks(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline void check_init(int *argc, char ***argv)
{
    MUST(MPI_Init(argc, argv));
    check_ranks();
}

/* Prints the verdict of a program that has called MPI_Finalize itself. failures is the sum over all ranks. */
static inline int check_verdict(const char *name, int failures)
{
    if (rank == 0) {
        if (failures == 0)
            printf("PASS %s\n", name);
        else
            printf("FAIL %s %d\n", name, failures);
        fflush(stdout);
    }
    return failures != 0;
}

static inline int check_done(const char *name)
{
    int all = 0;
    MPI_Allreduce(&check_failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return check_verdict(name, all);
}

#endif
