/* Thread levels: requested, provided and queried; the main thread is recognized; the levels are ordered. */
#include "check.h"

#include <pthread.h>

static int in_other_thread = -1;

static void *other(void *argument)
{
    MUST(MPI_Is_thread_main(&in_other_thread));
    int value = -1;
    MUST(MPI_Comm_rank(MPI_COMM_WORLD, &value));
    CHECK_INT(value, rank);
    return argument;
}

int main(int argc, char **argv)
{
    int provided = -1, level = -1, flag = -1;
    CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED &&
          MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
    MUST(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    check_ranks();
    CHECK(provided == MPI_THREAD_SINGLE || provided == MPI_THREAD_FUNNELED || provided == MPI_THREAD_SERIALIZED ||
          provided == MPI_THREAD_MULTIPLE);
    CHECK_INT(provided, MPI_THREAD_MULTIPLE); /* both of Debian's libraries provide it */
    MUST(MPI_Query_thread(&level));
    CHECK_INT(level, provided);
    MUST(MPI_Is_thread_main(&flag));
    CHECK_INT(flag, 1);
    if (provided >= MPI_THREAD_SERIALIZED) {
        pthread_t thread;
        CHECK_INT(pthread_create(&thread, NULL, other, NULL), 0);
        CHECK_INT(pthread_join(thread, NULL), 0);
        CHECK_INT(in_other_thread, 0);
    }
    return check_done("init_thread");
}
