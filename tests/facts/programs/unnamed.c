/* A program without a named runtime. The front runs a command to find one. This command must not be a child process
   that the program can observe. */
#include "fact.h"
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

static volatile sig_atomic_t children;

static void ended(int number)
{
    (void)number;
    children++;
}

int main(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    signal(SIGCHLD, ended);
    MUST(MPI_Get_library_version(text, &length));
    CHECK(children == 0);
    CHECK(wait(NULL) == -1 && errno == ECHILD);
    return fact_done();
}
