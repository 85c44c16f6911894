/* A thread is cancelled while it waits inside MPI_Probe, and its clean-up handler calls MPI. Each rank starts a copy of
   the program outside the launcher's job, because the library's state afterwards is undefined, natively too. */
#include "alone.h"

#include <pthread.h>
#include <unistd.h>

static MPI_Comm twin;
static int cleaned, wrong;
static volatile int probing;

static void clean(void *answer)
{
    int r = -1, s = -1, members = -1;
    MPI_Group group;
    cleaned++;
    wrong += MPI_Comm_rank(twin, &r) || r != rank;
    wrong += MPI_Comm_size(MPI_COMM_WORLD, &s) || s != size;
    wrong += MPI_Comm_group(twin, &group) || MPI_Group_size(group, &members) || members != size;
    wrong += MPI_Group_free(&group);
    *(int *)answer = r;
}

static void *probes(void *answer)
{
    MPI_Status status;
    pthread_cleanup_push(clean, answer);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    probing = 1;
    MPI_Probe(rank, 77, twin, &status);
    pthread_cleanup_pop(0);
    return answer;
}

static int cancels(void)
{
    int level, answer = -1;
    pthread_t thread;
    void *end = NULL;
    MUST(MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level)); /* the thread must hold no lock when it is cancelled */
    check_ranks();
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &twin));
    CHECK(!pthread_create(&thread, NULL, probes, &answer));
    while (!probing)
        usleep(1000);
    usleep(50000);
    CHECK(!pthread_cancel(thread));
    CHECK(!pthread_join(thread, &end));
    CHECK(end == PTHREAD_CANCELED);
    CHECK_INT(cleaned, 1);
    CHECK_INT(answer, rank);
    CHECK_INT(wrong, 0);
    return check_failures ? 1 : 7;
}

int main(int argc, char **argv)
{
    if (argc == 3)
        _exit(cancels());
    const int status = run_alone(argv, "cancels", "");
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 7);
    check_init(&argc, &argv);
    return check_done("inside_cancel");
}
