/*
 * Prints, on rank 0, the library's answers about memory: the value of mpi_memory_alloc_kinds (MPI-4.1, 11.4.3) in the
 * infos of the environment, of a communicator, a window, a file and sessions, and the answer of each query about GPUs
 * that the program's MPI has, before and after MPI_Init.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
#include "../../conformance/check.h"

static void print(const char *of, MPI_Info info)
{
    char value[MPI_MAX_INFO_VAL];
    int flag = 0;
    MPI_Info_get(info, "mpi_memory_alloc_kinds", sizeof value - 1, value, &flag);
    if (rank == 0)
        printf("%s %s\n", of, flag ? value : "-");
}

static void queries(const char *when)
{
    static const char *const names[] = {"MPIX_Query_cuda_support", "MPIX_Query_ze_support", "MPIX_Query_hip_support", "MPIX_Query_rocm_support"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        int (*query)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, names[i]);
        if (rank <= 0 && query)
            printf("%s %s %d\n", when, names[i], query());
    }
}

#if HAVE_SESSIONS
/* A session that requests kinds; NULL: it requests none. */
static void session(const char *kinds)
{
    MPI_Info info = MPI_INFO_NULL, used;
    MPI_Session s;
    char name[128];
    if (kinds) {
        MUST(MPI_Info_create(&info));
        MUST(MPI_Info_set(info, "mpi_memory_alloc_kinds", kinds));
    }
    MUST(MPI_Session_init(info, MPI_ERRORS_RETURN, &s));
    MUST(MPI_Session_get_info(s, &used));
    snprintf(name, sizeof name, "session(%s)", kinds ? kinds : "");
    print(name, used);
    MUST(MPI_Info_free(&used));
    if (kinds)
        MUST(MPI_Info_free(&info));
    MUST(MPI_Session_finalize(&s));
}
#endif

int main(int argc, char **argv)
{
    MPI_Info info;
    MPI_File file;
    MPI_Win win;
    int word = 0;
    char name[] = "/tmp/kinds-XXXXXX";
    if (argc > 1)
        queries("down");
    check_init(&argc, &argv);
#if !defined MPICH_NUMVERSION || MPICH_NUMVERSION >= 40000000 /* an older MPICH ends the process */
    queries("up");
#endif
    print("env", MPI_INFO_ENV);
    MUST(MPI_Comm_get_info(MPI_COMM_WORLD, &info));
    print("comm", info);
    MUST(MPI_Info_free(&info));
    if (size > 1) { /* Open MPI has no windows of one process */
        MUST(MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
        MUST(MPI_Win_get_info(win, &info));
        print("win", info);
        MUST(MPI_Info_free(&info));
        MUST(MPI_Win_free(&win));
    }
    const int fd = mkstemp(name);
    CHECK(fd >= 0);
    close(fd);
    MUST(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    MUST(MPI_File_get_info(file, &info));
    print("file", info);
    MUST(MPI_Info_free(&info));
    MUST(MPI_File_close(&file));
#if HAVE_SESSIONS
    session(NULL);
    session("system");
    session("mpi:alloc_mem,cuda:device,system");
    session("mpi:nowhere,no_such_kind,system:none");
#endif
    return check_done("kinds");
}
