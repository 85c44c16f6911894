/* The process that the launcher has started ends, and another one of the rank continues. The first argument is fork, or
 * double (a daemon). Further arguments: die (the other one ends by a signal) and code (its exit code is 3), each early (before MPI_Init),
 * inside or late (after MPI_Finalize), in rank 1; child: it leaves a process. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank = -1;

static void end(int argc, char **argv, const char *when)
{
    if (argc < 4 || rank != 1 || strcmp(argv[3], when))
        return;
    if (!strcmp(argv[2], "die"))
        raise(SIGSEGV);
    _exit(3);
}

int main(int argc, char **argv)
{
    int size;
    rank = atoi(getenv("ADI_RANK"));
    if (fork())
        _exit(0);
    if (!strcmp(argv[1], "double")) {
        setsid();
        if (fork())
            _exit(0);
    }
    usleep(20000);
    if (argc > 2 && !strcmp(argv[2], "child") && !fork()) {
        execlp("sleep", "sleep", "1000", (char *)NULL);
        _exit(1);
    }
    end(argc, argv, "early");
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    end(argc, argv, "inside");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    end(argc, argv, "late");
    printf("rank %d of %d\n", rank, size);
    return 0;
}
