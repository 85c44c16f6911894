/* Keeps the program's signals intact while libraries are loaded; see signals.h. The state is
   written once, by the thread that loads the runtime. */
#define _GNU_SOURCE
#include "signals.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
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
}

/* Returns the mask of blocked signals of a thread, bit i-1 for signal i; 0 if it cannot be read. */
static unsigned long mask_of(const char *thread)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%.16s/status", thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[n > 0 ? n : 0] = 0;
    const char *line = strstr(text, "SigBlk:");
    return line ? strtoul(line + strlen("SigBlk:"), NULL, 16) : 0;
}

#define BIT(signal) (1ul << ((signal)-1))

/* The kinds of a thread that was created while all signals were blocked. OPEN: a thread of the
   core with SIGCHLD unblocked. NEWBORN: all signals are still blocked; it may be a thread of the
   core that has not unblocked them yet. OTHER: any other thread. */
enum thread { OTHER, OPEN, NEWBORN };
static enum thread thread_kind(unsigned long blocked)
{
    const unsigned long inherited = BIT(SIGHUP) | BIT(SIGINT) | BIT(SIGQUIT) | BIT(SIGUSR1) | BIT(SIGUSR2) | BIT(SIGPIPE) |
                                    BIT(SIGALRM) | BIT(SIGTERM) | BIT(SIGWINCH) | BIT(64);
    const unsigned long opened = BIT(SIGCHLD) | BIT(SIGSEGV);
    if ((blocked & inherited) != inherited)
        return OTHER;
    return !(blocked & opened) ? OPEN : (blocked & opened) == opened ? NEWBORN : OTHER;
}

/* Sends SIGCHLD to the core's threads until none has it unblocked, and restores the program's
   disposition. */
static void block_signals_of_core(void)
{
    struct sigaction before, closing = {.sa_sigaction = block_others, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    long self = syscall(SYS_gettid);
    DIR *threads = opendir("/proc/self/task");
    if (!threads)
        return;
    sigaction(SIGCHLD, &closing, &before);
    /* A library's thread that keeps all signals blocked looks newborn forever, so the wait for
       newborn threads is short. */
    for (int tries = 0, open = 1, newborn = 1; (open && tries < 1000) || (newborn && tries < 100); tries++) {
        if (tries)
            nanosleep(&(struct timespec){0, 20000}, NULL);
        open = newborn = 0;
        rewinddir(threads);
        for (struct dirent *e; (e = readdir(threads));) {
            long id = atol(e->d_name);
            if (id <= 0 || id == self)
                continue;
            const enum thread kind = thread_kind(mask_of(e->d_name));
            newborn |= kind == NEWBORN;
            if (kind != OPEN)
                continue;
            open = 1;
            syscall(SYS_tgkill, (long)getpid(), id, (long)SIGCHLD);
        }
    }
    sigaction(SIGCHLD, &before, NULL);
    closedir(threads);
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
