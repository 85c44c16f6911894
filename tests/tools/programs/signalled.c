/* Threads that get signals, without MPI: ltrace without -f ends this program, so a rank needs -f, too. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static sem_t handled;

static void on_signal(int number)
{
    (void)number;
    sem_post(&handled);
}

static void *wait_for_signals(void *argument)
{
    for (;;)
        pause();
    return argument;
}

int main(void)
{
    enum { THREADS = 4, SIGNALS = 200 };
    pthread_t threads[THREADS];
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sem_init(&handled, 0, 0);
    sigaction(SIGCHLD, &action, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, wait_for_signals, NULL);
    for (int signal = 0; signal < SIGNALS; signal++) {
        for (int i = 0; i < THREADS; i++)
            pthread_kill(threads[i], SIGCHLD);
        for (int i = 0; i < THREADS; i++)
            sem_wait(&handled);
    }
    puts("done");
    return 0;
}
