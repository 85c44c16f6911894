/* A tool that stands on top of MPI, by LD_PRELOAD: who calls MPI_Ssend hangs, and who
   calls MPI_Bsend dies. */
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
