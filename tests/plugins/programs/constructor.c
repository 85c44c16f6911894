/* A plugin whose constructor initializes MPI, inside dlopen or before main, and whose destructor finalizes it. Flags:
   -DOPENS='"FILE"': the constructor opens this plugin, whose constructor initializes MPI. -DTHREADS: initialize with
   MPI_Init_thread. -DWAITS: each rank then makes a file waits.PID, and waits forever. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

#ifdef OPENS
static void *inner;

__attribute__((constructor)) static void begin(void)
{
    inner = dlopen(OPENS, RTLD_NOW | RTLD_GLOBAL);
    if (!inner)
        fprintf(stderr, "%s\n", dlerror());
}
__attribute__((destructor)) static void end(void) { dlclose(inner); }
#else
__attribute__((constructor)) static void begin(void)
{
#ifdef THREADS
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
#else
    MPI_Init(NULL, NULL);
#endif
#ifdef WAITS
    char name[32];
    int rank, never;
    snprintf(name, sizeof name, "waits.%d", (int)getpid());
    FILE *file = fopen(name, "w");
    if (file)
        fclose(file);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Recv(&never, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the other rank sends nothing */
    for (;;)
        pause();
#endif
}
__attribute__((destructor)) static void end(void)
{
    int finalized;
    MPI_Finalized(&finalized);
    if (finalized)
        return;
    puts("finalizes"); /* MPICH's launcher may lose the output after it */
    fflush(stdout);
    if (MPI_Finalize())
        _exit(9);
}
#endif

/* Returns 3 for each rank. */
int plugin_sum(void);
int plugin_sum(void)
{
    int mine = 3, sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}
