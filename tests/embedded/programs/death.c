/* Rank 1 ends in some way, while the others wait for it, or do something else forever. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Calls the local functions of MPI in a process that the rank has forked. Returns the number of wrong results. */
static int query(int rank, int size)
{
    int wrong = 0, n = -1, flag = 0, length = 0, out = 7, in = 0, position = 0;
    char name[MPI_MAX_PROCESSOR_NAME], room[64];
    double before = MPI_Wtime();
    void *value;
    MPI_Group group;
    MPI_Datatype vector;
    MPI_Info info;
    wrong += MPI_Comm_rank(MPI_COMM_WORLD, &n) || n != rank;
    wrong += MPI_Comm_size(MPI_COMM_WORLD, &n) || n != size;
    wrong += MPI_Type_size(MPI_DOUBLE, &n) || n != sizeof(double);
    wrong += MPI_Initialized(&flag) || !flag;
    wrong += MPI_Finalized(&flag) || flag;
    wrong += MPI_Get_processor_name(name, &length) || length != (int)strlen(name);
    wrong += MPI_Comm_group(MPI_COMM_WORLD, &group) || MPI_Group_size(group, &n) || n != size || MPI_Group_free(&group);
    wrong += MPI_Type_vector(2, 1, 3, MPI_INT, &vector) || MPI_Type_commit(&vector) || MPI_Type_size(vector, &n) || n != 8 || MPI_Type_free(&vector);
    wrong += MPI_Info_create(&info) || MPI_Info_set(info, "key", "value") || MPI_Info_get_nkeys(info, &n) || n != 1 || MPI_Info_free(&info);
    wrong += MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag) || !flag;
    wrong += MPI_Pack(&out, 1, MPI_INT, room, sizeof room, &position, MPI_COMM_WORLD);
    position = 0;
    wrong += MPI_Unpack(room, sizeof room, &position, &in, 1, MPI_INT, MPI_COMM_WORLD) || in != out;
    wrong += MPI_Reduce_local(&out, &in, 1, MPI_INT, MPI_SUM) || in != 2 * out;
    wrong += MPI_Query_thread(&n) || MPI_Is_thread_main(&flag);
    return wrong + !(MPI_Wtime() >= before && MPI_Wtick() > 0);
}

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
    if (!strcmp(argv[1], "copy") || !strcmp(argv[1], "child") || !strcmp(argv[1], "query") || !strcmp(argv[1], "mistake")) {
        int status;
        pid_t child = fork();
        if (!child && !strcmp(argv[1], "query"))
            exit(query(rank, size));
        if (!child && !strcmp(argv[1], "mistake"))
            MPI_Type_size(MPI_DATATYPE_NULL, &status);
        if (!child && !strcmp(argv[1], "copy"))
            MPI_Barrier(MPI_COMM_WORLD);
        if (!child)
            execl(argv[0], argv[0], "none", (char *)NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        waitpid(child, &status, 0);
        printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) != 0 : -WTERMSIG(status));
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
