/* Reads, before MPI_Init, the variables that its arguments name: for the process's rank, the size of the world, and
   both for the processes on this host, in this order repeatedly. Afterwards it prints the variables that differ from
   MPI's values. With the first argument "spawn", two ranks start two more processes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? atoi(value) : -1;
}

int main(int argc, char **argv)
{
    char **names = argv + 1, wrong[1000] = "", version[MPI_MAX_LIBRARY_VERSION_STRING];
    int told[40], n = argc - 1, place[4], length;
    const int spawn = n > 0 && !strcmp(names[0], "spawn");
    names += spawn;
    n -= spawn;
    for (int i = 0; i < n; i++)
        told[i] = number(names[i]);

    MPI_Comm parent, host, children;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &place[0]);
    MPI_Comm_size(MPI_COMM_WORLD, &place[1]);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &place[2]);
    MPI_Comm_size(host, &place[3]);
    for (int i = 0; i < n; i++)
        if (told[i] != place[i % 4])
            sprintf(wrong + strlen(wrong), " %s=%d", names[i], told[i]);
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = 0;
    printf("rank %d of %d, %s,%s, %s\n", place[0], place[1], parent == MPI_COMM_NULL ? "started" : "spawned", *wrong ? wrong : " right", version);
    fflush(stdout);
    if (spawn) {
        MPI_Comm_spawn(argv[0], names, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
        MPI_Barrier(children);
        MPI_Comm_disconnect(&children);
    } else if (parent != MPI_COMM_NULL) {
        MPI_Barrier(parent);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Comm_free(&host);
    MPI_Finalize();
    return 0;
}
