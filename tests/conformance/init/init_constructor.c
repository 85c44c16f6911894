/* MPI_Init in a constructor and MPI_Finalize in a destructor of the program: MPI is initialized when main starts. */
#include "check.h"

static int provided = -1;

__attribute__((constructor)) static void start(void)
{
    int flag = -1;
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided));
    check_ranks();
}

__attribute__((destructor)) static void stop(void)
{
    int flag = -1, finalized = -1;
    MPI_Initialized(&flag);
    MPI_Finalized(&finalized);
    if (flag != 1 || finalized != 0)
        _Exit(7);
    MPI_Finalize();
}

int main(void)
{
    int flag = -1, all = -1, sum = -1;
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 1);
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(sum, size * (size - 1) / 2);
    MUST(MPI_Allreduce(&check_failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    return check_verdict("init_constructor", all);
}
