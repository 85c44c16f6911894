/* A fork before MPI_Init: the child calls MPI_Initialized and exits; the parent continues normally. */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    for (int i = 0; i < 5; i++) {
        pid_t child = fork();
        if (child == 0) {
            int initialized = -1, finalized = -1, major = -1, minor;
            if (i % 2)
                MPI_Get_version(&major, &minor);
            MPI_Initialized(&initialized);
            MPI_Finalized(&finalized);
            _exit(initialized == 0 && finalized == 0 ? 23 : 99);
        }
        int status = 0;
        CHECK(child > 0);
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status));
        CHECK_INT(WEXITSTATUS(status), 23);
    }
    check_init(&argc, &argv);
    int sum = -1;
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(sum, size * (size - 1) / 2);
    return check_done("init_fork");
}
