/* A tool on top of MPI, by LD_PRELOAD: a call of MPI_Ssend hangs, and a call of MPI_Bsend crashes. */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>

int MPI_Ssend(void)
{
    for (;;)
        pause();
}

int MPI_Bsend(void)
{
    raise(SIGSEGV);
    return 1;
}
