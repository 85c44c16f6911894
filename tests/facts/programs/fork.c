/* A program that forks and whose children call MPI_Init, as many times as the first argument gives. With a second
   argument, the parent has loaded the library before, and the child must not depend on state that does not survive a
   fork. */
#include "fact.h"
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AT_ONCE = 8 }; /* the number of children */

static void in_child(void)
{
    int rank = -1, sum = -1, one = 1;
    MPI_Comm comm;
    /* Open MPI removes a directory below TMPDIR that several of its jobs share while another job creates it. The
       MPI_Init of the latter fails, natively too. */
    char own[256];
    snprintf(own, sizeof own, "%s/%d", getenv("TMPDIR"), (int)getpid());
    CHECK(mkdir(own, 0700) == 0 && setenv("TMPDIR", own, 1) == 0);
    alarm(60); /* a signal ends a child that hangs */
    MUST(MPI_Init(NULL, NULL));
    MUST(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    MUST(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    MUST(MPI_Comm_free(&comm));
    CHECK(rank == 0 && sum == 1);
    MUST(MPI_Finalize());
    exit(fact_failures ? 1 : 23);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10, flag = -1;
    if (argc > 2) {
        char text[MPI_MAX_LIBRARY_VERSION_STRING];
        int length;
        MUST(MPI_Get_library_version(text, &length));
    }
    MUST(MPI_Initialized(&flag));
    for (int started = 0, ended = 0; ended < n;) {
        if (started < n && started - ended < AT_ONCE) {
            pid_t child = fork();
            if (child == 0)
                in_child();
            CHECK(child > 0);
            started++;
            continue;
        }
        int status = 0;
        CHECK(wait(&status) > 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 23);
        ended++;
    }
    return fact_done();
}
