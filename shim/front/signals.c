/* Keeps the program's signals intact while libraries are loaded; see signals.h. The state is
   written once, by the thread that loads the runtime. */
#define _GNU_SOURCE
#include "signals.h"
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* The program's dispositions (valid if known[i]), mask and signal stack before loading. */
static struct sigaction dispositions[NSIG];
static unsigned char known[NSIG];
static unsigned char inherited[NSIG]; /* 1: ignored when the process began (nohup) */
static sigset_t mask;
static stack_t stack;

/* Reports whether a signal is ignored now. */
static int is_ignored(int signal)
{
    struct sigaction now;
    return !sigaction(signal, NULL, &now) && now.sa_handler == SIG_IGN;
}

/* Records the inherited dispositions. Natively the runtime is loaded at this time, before the
   program sets any disposition, and the runtime's handlers replace the inherited ones. */
static __attribute__((constructor)) void save_inherited(void)
{
    for (int i = 1; i < NSIG; i++)
        inherited[i] = (unsigned char)is_ignored(i);
}

void wi4go_signals_save(void)
{
    sigset_t all;
    for (int i = 1; i < NSIG; i++)
        known[i] = !sigaction(i, NULL, &dispositions[i]);
    sigaltstack(NULL, &stack);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
}

void wi4go_signals_restore(void)
{
    for (int i = 1; i < NSIG; i++)
        if (known[i])
            sigaction(i, &dispositions[i], NULL);
    sigaltstack(&stack, NULL);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/* ---- the core's threads ---- */

/* Go unblocks some signals on its threads whatever mask they inherit, SIGCHLD among them. One of
   these threads would take a SIGCHLD that the program has blocked in order to wait for it. Go has
   no means to forbid that. So each of its threads gets one SIGCHLD, whose handler blocks all other
   signals in the mask that it returns to. `missed` records a real SIGCHLD that arrived meanwhile. */

static volatile sig_atomic_t missed;
static atomic_int closed; /* threads whose mask block_others has changed */

/* Reports whether a signal must stay unblocked: a synchronous fault, or a signal reserved by the
   C library. */
static int must_stay_unblocked(int signal)
{
    return signal == SIGILL || signal == SIGTRAP || signal == SIGBUS || signal == SIGFPE || signal == SIGSEGV ||
           (signal > 31 && signal < SIGRTMIN);
}

/* The handler of SIGCHLD: blocks all other signals in the interrupted thread, if tgkill sent the
   signal. */
static void block_others(int number, siginfo_t *info, void *context)
{
    (void)number;
    if (info->si_code != SI_TKILL) {
        missed = 1;
        return;
    }
    for (int i = 1; i < NSIG; i++)
        if (!must_stay_unblocked(i))
            sigaddset(&((ucontext_t *)context)->uc_sigmask, i);
    atomic_fetch_add(&closed, 1);
}

/* Sends SIGCHLD to each of the core's threads, waits until all have blocked it, and restores the program's disposition. */
static void block_signals_of_core(void)
{
    enum { TRIES = 1000 };
    struct sigaction before, closing = {.sa_sigaction = block_others, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigaction(SIGCHLD, &closing, &before);
    for (int tries = 0; atomic_load(&closed) < wi4go_signal_core_threads(SIGCHLD) && tries < TRIES; tries++)
        nanosleep(&(struct timespec){0, 20000}, NULL); /* until a new thread unblocks the signal */
    sigaction(SIGCHLD, &before, NULL);
    if (missed)
        kill(getpid(), SIGCHLD);
}

void wi4go_signals_loaded(void)
{
    for (int i = 1; i < NSIG; i++) {
        struct sigaction now, *before = &dispositions[i];
        int chosen = known[i] && before->sa_handler != SIG_DFL && !(before->sa_handler == SIG_IGN && inherited[i]);
        if (chosen && !sigaction(i, NULL, &now) && now.sa_handler != before->sa_handler)
            sigaction(i, before, NULL);
    }
    block_signals_of_core();
}
