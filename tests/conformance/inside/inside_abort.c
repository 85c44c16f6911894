/* Signal handlers that end the job while the process is inside MPI: SIGTERM in MPI_Recv and in MPI_Wait, as batch
   systems send it as a warning, and SIGSEGV after a fault inside the library. Each rank starts copies of the program
   outside the launcher's job. */
#ifndef NAME
#define NAME "inside_abort"
#endif
#include "alone.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t in_call;

/* Ends with the call, which an optimizing compiler turns into a jump. */
static void ends_job(int number)
{
    (void)number;
    if (!in_call)
        _exit(90);
    MPI_Abort(MPI_COMM_WORLD, 7);
}

/* Continues after the call. */
static void ends_job_and_more(int number)
{
    ends_job(number);
    _exit(91);
}

static void handle(int number, void (*function)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = function;
    sigaction(number, &action, NULL);
}

/* Forks a process that sends SIGTERM to this process after a while. */
static void warn_later(void)
{
    const pid_t waiting = getpid();
    if (fork() == 0) {
        usleep(200000);
        kill(waiting, SIGTERM);
        _exit(0);
    }
}

static void dies(const char *how)
{
    int word;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    handle(SIGTERM, strstr(how, "more") ? ends_job_and_more : ends_job);
    handle(SIGSEGV, ends_job_and_more);
    in_call = 1;
    if (strstr(how, "recv")) {
        warn_later();
        MPI_Recv(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strstr(how, "wait")) {
        MPI_Irecv(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        warn_later();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        int three[3] = {1, 2, 3};
        MPI_Reduce_local(three, (char *)NULL + 4096, 3, MPI_INT, MPI_SUM); /* unmapped memory */
    }
    _exit(92);
}

int main(int argc, char **argv)
{
    static const char *const how[] = {"recv", "recv and more", "wait", "wait and more", "fault"};
    if (argc == 3 && strcmp(argv[1], "dies") == 0)
        dies(argv[2]);
    for (unsigned i = 0; i < sizeof how / sizeof *how; i++) {
        const int status = run_alone(argv, "dies", how[i]);
        CHECK(WIFEXITED(status));
        CHECK_INT(WEXITSTATUS(status), 7);
    }
    check_init(&argc, &argv);
    return check_done(NAME);
}
