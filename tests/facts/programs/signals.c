/* Prints each signal's disposition, the signal mask and the signal stack after MPI_Init. They must be as natively.
   Before, the program sets its own handlers, or none with the argument "default". */
#include "fact.h"
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t calls[NSIG];

static void handler(int number) { calls[number]++; }

static const int mine[] = {SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGURG, SIGPIPE, SIGUSR1, SIGUSR2, SIGPROF,
                           SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGTRAP, SIGABRT, SIGALRM, SIGVTALRM, SIGIO};

static void print(void)
{
    sigset_t mask;
    stack_t stack;
    for (int i = 1; i < NSIG; i++) {
        struct sigaction action;
        Dl_info info;
        if (sigaction(i, NULL, &action))
            continue;
        char file[64] = "";
        const char *who = "somebody's";
        if (action.sa_handler == SIG_DFL)
            who = "default";
        else if (action.sa_handler == SIG_IGN)
            who = "ignored";
        else if (action.sa_handler == handler)
            who = "the program's";
        else if (dladdr((void *)action.sa_handler, &info) && info.dli_fname && strrchr(info.dli_fname, '/')) {
            snprintf(file, sizeof file, "%s", strrchr(info.dli_fname, '/') + 1);
            if (strstr(file, ".so"))
                *strstr(file, ".so") = 0; /* the rest of the name depends on how it was opened */
            who = file;
        }
        printf("signal %d: %s, flags %x\n", i, who, (unsigned)action.sa_flags & ~0x04000000u);
    }
    sigprocmask(SIG_SETMASK, NULL, &mask);
    for (int i = 1; i < NSIG; i++)
        if (sigismember(&mask, i) == 1)
            printf("signal %d is blocked\n", i);
    sigaltstack(NULL, &stack);
    printf("signal stack: %s\n", stack.ss_flags & SS_DISABLE ? "none" : "set");
}

int main(int argc, char **argv)
{
    if (argc < 2)
        for (unsigned i = 0; i < sizeof mine / sizeof *mine; i++)
            signal(mine[i], handler);
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MUST(MPI_Get_library_version(text, &length)); /* loads the library, and initializes nothing */
    print();
    printf("after MPI_Init\n");
    MUST(MPI_Init(&argc, &argv));
    print();
    if (argc < 2)
        for (unsigned i = 0; i < sizeof mine / sizeof *mine; i++) {
            struct sigaction action;
            sigaction(mine[i], NULL, &action);
            if (action.sa_handler != handler)
                continue;
            CHECK(calls[mine[i]] == 0);
            raise(mine[i]);
            CHECK(calls[mine[i]] == 1);
        }
    MUST(MPI_Finalize());
    return fact_done();
}
