/* The library provides the requested lower thread level, or a higher one. */
#include "check.h"

int main(int argc, char **argv)
{
    int provided = -1, level = -1, flag = -1;
    MUST(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
    check_ranks();
    CHECK(provided >= MPI_THREAD_FUNNELED && provided <= MPI_THREAD_MULTIPLE);
    MUST(MPI_Query_thread(&level));
    CHECK_INT(level, provided);
    MUST(MPI_Is_thread_main(&flag));
    CHECK_INT(flag, 1);
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 1);
    return check_done("init_thread_funneled");
}
