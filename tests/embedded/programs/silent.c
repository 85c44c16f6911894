/* Ranks end before MPI_Init (early) or after MPI_Finalize (late): all or one, by a signal (kill) or with exit code 3; or all sleep
 * between the two. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void end(char **argv, const char *when)
{
    const char *rank = getenv("ADI_RANK");
    if (strcmp(argv[1], when) || (strcmp(argv[2], "all") && strcmp(argv[2], rank)))
        return;
    if (strcmp(argv[2], "all"))
        usleep(300000); /* the others have called MPI_Init */
    if (!strcmp(argv[3], "kill"))
        raise(SIGSEGV);
    exit(3);
}

int main(int argc, char **argv)
{
    end(argv, "early");
    MPI_Init(&argc, &argv);
    if (!strcmp(argv[1], "sleep"))
        sleep(1000);
    MPI_Finalize();
    end(argv, "late");
    return 0;
}
