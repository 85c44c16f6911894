/* A signal handler that calls MPI while the rank waits inside MPI: rank, size, a duplicate's rank, a datatype's size,
   an error's text. One handler ends with a call of MPI, and one calls the program's error handler. */
#ifndef NAME
#define NAME "inside_signal"
#endif
#include "check.h"

#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __GNUC__
#define NOT_INLINED __attribute__((noinline))
#else
#define NOT_INLINED
#endif

static MPI_Comm twin;
static MPI_Datatype three;
static volatile sig_atomic_t asked, wrong, waiting, told, during;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    int kind = -1, members = -1;
    told++;
    wrong += *comm != twin || MPI_Error_class(*code, &kind) || kind != MPI_ERR_RANK || MPI_Comm_size(*comm, &members) || members != size;
}

NOT_INLINED static void ask(int number)
{
    int r = -1, s = -1, t = -1, bytes = -1, equal = -1, flag = -1, length = -1;
    char text[MPI_MAX_ERROR_STRING];
    (void)number;
    asked++;
    during += waiting;
    wrong += MPI_Comm_rank(MPI_COMM_WORLD, &r) || r != rank;
    wrong += MPI_Comm_size(MPI_COMM_WORLD, &s) || s != size;
    wrong += MPI_Comm_rank(twin, &t) || t != rank;
    wrong += MPI_Type_size(three, &bytes) || bytes != 3 * (int)sizeof(int);
    wrong += MPI_Comm_compare(MPI_COMM_WORLD, twin, &equal) || equal != MPI_CONGRUENT;
    wrong += MPI_Initialized(&flag) || !flag;
    wrong += MPI_Error_string(MPI_ERR_TRUNCATE, text, &length) || length < 1;
    wrong += MPI_Wtime() < 0;
    wrong += MPI_Comm_call_errhandler(twin, MPI_ERR_RANK) != MPI_SUCCESS;
}

/* An optimizing compiler turns the last call into a jump. Its return address is then the handler's. */
static int last_rank;
NOT_INLINED static void ask_last(int number)
{
    (void)number;
    asked++;
    (void)MPI_Comm_rank(twin, &last_rank);
}

static void handle(void (*function)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = function;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, NULL);
}

/* The even ranks wait for a message while the odd ranks send them signals. */
static void wait_and_ask(void (*function)(int), int by_request)
{
    const int peer = rank ^ 1, signals = 20;
    int pid = (int)getpid(), word = 0;
    asked = during = 0;
    if (peer >= size)
        return;
    if (rank & 1) {
        MUST(MPI_Recv(&pid, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < signals; i++) {
            usleep(5000);
            CHECK(!kill((pid_t)pid, SIGUSR1));
        }
        usleep(5000);
        MUST(MPI_Send(&signals, 1, MPI_INT, peer, 2, MPI_COMM_WORLD));
        return;
    }
    MPI_Status status;
    handle(function);
    MUST(MPI_Send(&pid, 1, MPI_INT, peer, 1, MPI_COMM_WORLD));
    waiting = 1;
    if (by_request) {
        MPI_Request request;
        MUST(MPI_Irecv(&word, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, &request));
        MUST(MPI_Wait(&request, &status));
    } else {
        MUST(MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status));
    }
    waiting = 0;
    CHECK_INT(word, signals);
    CHECK_INT(status.MPI_SOURCE, peer);
    CHECK(asked > 0);
    CHECK(function == ask_last || during > 0);
    CHECK_INT(wrong, 0);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    check_init(&argc, &argv);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &twin));
    MUST(MPI_Type_contiguous(3, MPI_INT, &three));
    MUST(MPI_Type_commit(&three));
    MUST(MPI_Comm_create_errhandler(on_error, &handler));
    MUST(MPI_Comm_set_errhandler(twin, handler));

    wait_and_ask(ask, 0);
    CHECK_INT(told, asked);
    wait_and_ask(ask, 1);
    last_rank = -1;
    wait_and_ask(ask_last, 0);
    CHECK_INT(last_rank, asked ? rank : -1);

    /* MPI still works. */
    int sum = 0;
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, twin));
    CHECK_INT(sum, size * (size - 1) / 2);
    MUST(MPI_Errhandler_free(&handler));
    MUST(MPI_Type_free(&three));
    MUST(MPI_Comm_free(&twin));
    return check_done(NAME);
}
