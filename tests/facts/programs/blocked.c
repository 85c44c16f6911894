/* A signal that the program blocks stays pending for it: no thread that was started while loading takes it. SIGURG,
   which the Go runtime uses, is not sent. */
#include "fact.h"
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t urgent, elsewhere;
static pid_t main_thread;

static void on_urgent(int number) { (void)number; urgent++; }
static void on_other(int number) { (void)number; elsewhere += gettid() != main_thread; }

int main(void)
{
    static const int wanted[] = {SIGUSR1, SIGUSR2, SIGTERM, SIGHUP, SIGALRM, SIGINT, SIGCHLD, SIGPROF, SIGWINCH};
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    sigset_t set;
    main_thread = gettid();
    signal(SIGURG, on_urgent);
    MUST(MPI_Get_library_version(text, &length));
    sigemptyset(&set);
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        sigaddset(&set, wanted[i]);
        signal(wanted[i], i & 1 ? on_other : SIG_DFL);
    }
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct timespec second = {1, 0};
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, wanted[i]);
        kill(getpid(), wanted[i]);
        usleep(20000);
        int got = sigtimedwait(&one, NULL, &second);
        if (got != wanted[i])
            fprintf(stderr, "signal %d did not wait for the program\n", wanted[i]);
        CHECK(got == wanted[i]);
    }
    CHECK(elsewhere == 0);
    CHECK(urgent == 0);
    return fact_done();
}
