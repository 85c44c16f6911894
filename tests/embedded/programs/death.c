/* Rank 1 ends in some way, while the others wait for it, or do something else forever. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 2 || !strcmp(argv[1], "none")) {
        printf("%d of %d\n", rank, size);
        MPI_Finalize();
        return 0;
    }
    if (!strcmp(argv[1], "copy") || !strcmp(argv[1], "child")) {
        int status;
        pid_t child = fork();
        if (!child && !strcmp(argv[1], "copy"))
            MPI_Barrier(MPI_COMM_WORLD);
        if (!child)
            execl(argv[0], argv[0], "none", (char *)NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        waitpid(child, &status, 0);
        printf("child %d\n", WIFEXITED(status) && WEXITSTATUS(status));
        MPI_Finalize();
        return 0;
    }
    if (rank == 0 && !strcmp(argv[1], "leader"))
        raise(SIGKILL);
    const char *others = argc > 2 ? argv[2] : "wait";
    if (rank == 1 && !strcmp(argv[1], "kill"))
        raise(SIGKILL);
    if (rank == 1 && !strcmp(argv[1], "exit"))
        exit(0);
    if (rank == 1 && !strcmp(argv[1], "abort"))
        MPI_Abort(MPI_COMM_WORLD, 7);
    volatile int forever = 1;
    if (!strcmp(others, "return")) { /* they would report an error */
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        fprintf(stderr, "returned %d\n", MPI_Barrier(MPI_COMM_WORLD));
    }
    while (!strcmp(others, "compute") && forever)
        ;
    for (int flag = 0; !strcmp(others, "poll");)
        MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
