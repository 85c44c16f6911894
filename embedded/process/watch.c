/*
 * Watches the ranks of a job that another launcher has started, because that launcher may leave the
 * others alone when a rank ends. A thread of each rank waits for the ends of the connections: rank 0
 * has one to each rank. A rank that leaves sends a byte first. If one ends without it, rank 0
 * declares the job over and closes all connections; so every rank ends, also one that computes.
 *
 * The thread also waits for the launcher. If that was killed, no other process ends the ranks.
 *
 * A process that a rank has forked keeps its connection open, so the thread also waits for the
 * process at the other end, if the kernel has pidfd_open (Linux 5.3).
 *
 * The state belongs to the thread, except `leaving`.
 */
#define _GNU_SOURCE
#include "join.h"
#include "../base/errors.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../adi/adi_launch.h"

#ifdef ADI_RANK_THREADS

void em_watch_end(void) {}

#else

static struct {
    const char *launcher;  /* its name */
    int rank, peers;       /* peers: number of connections */
    int *connections;      /* owned */
    struct pollfd *wait;   /* connections, then processes, then the launcher, each with fd -1 once gone */
    void *segment;         /* its own mapping, which outlives the device's */
    pthread_t thread;
    atomic_bool leaving;   /* this rank has finished its part of MPI_Finalize */
} watch;

/* Prints a message about the end of the job, unless another rank has. It does not use stdio, whose lock a thread of the program may hold. */
static void tell(const char *message)
{
    if (adi_segment_tell(watch.segment, message))
        dprintf(2, "rank %d: %s\n", watch.rank, message);
}

/* Ends this process, after the time in which a rank that waits in MPI ends with its own message. */
static void end_with_job(void)
{
    int rank, code;
    char message[80];
    sleep(2);
    if (atomic_load(&watch.leaving) || !adi_segment_is_over(watch.segment, &rank, &code))
        return;
    snprintf(message, sizeof message, "rank %d has ended; this rank ends with the job", rank);
    tell(message);
    _exit(code);
}

/* Returns a descriptor of a process, or -1; errno is ESRCH if the process has ended. */
static int open_process(long pid)
{
#ifdef SYS_pidfd_open
    if (pid > 0)
        return (int)syscall(SYS_pidfd_open, pid, 0);
#endif
    (void)pid;
    errno = ENOSYS;
    return -1;
}

/* Returns a descriptor of the process at the other end, or -1. */
static int process_of(int connection)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? open_process(peer.pid) : -1;
}

/* Ends this process if the launcher has ended, unless this rank has finished. */
static void check_launcher(void)
{
    struct pollfd *launcher = &watch.wait[2 * watch.peers];
    if (!launcher->revents)
        return;
    if (!atomic_load(&watch.leaving)) {
        char message[80];
        snprintf(message, sizeof message, "%s has ended; this rank ends with the job", watch.launcher);
        tell(message);
        _exit(1);
    }
    close(launcher->fd);
    launcher->fd = -1;
}

int em_launcher_over(const struct em_place *place)
{
    return em_error(MPI_ERR_OTHER, "%s has ended before rank %d was ready; start the job again", place->launcher, place->rank);
}

/* Stops waiting for a rank. Rank 0 also closes the connection; em_watch_end needs the connection of another rank. */
static void forget(int index)
{
    int process = watch.wait[index + watch.peers].fd;
    if (!watch.rank)
        close(watch.wait[index].fd);
    if (process >= 0)
        close(process);
    watch.wait[index].fd = watch.wait[index + watch.peers].fd = -1;
}

/* Handles the end of a rank. Returns whether it has left regularly. */
static bool left_regularly(int index)
{
    char byte;
    bool regular = recv(watch.wait[index].fd, &byte, 1, MSG_DONTWAIT) == 1;
    if (!regular && !(watch.rank && atomic_load(&watch.leaving)))
        adi_segment_over(watch.segment, watch.rank ? 0 : index + 1, ADI_OVER_UNFINISHED, 1);
    forget(index);
    return regular;
}

/* The thread of the watch. Returns when all ranks have left regularly; ends the process if another one, or the launcher, has not. */
static void *watch_ranks(void *unused)
{
    bool all = true;
    for (int left = watch.peers; left > 0 && all;) {
        if (poll(watch.wait, (nfds_t)(2 * watch.peers + 1), -1) < 0)
            continue;
        check_launcher();
        for (int i = 0; i < watch.peers; i++) {
            bool gone = watch.wait[i].fd >= 0 && (watch.wait[i].revents || (watch.wait[i + watch.peers].fd >= 0 && watch.wait[i + watch.peers].revents));
            if (!gone)
                continue;
            left--;
            all &= left_regularly(i);
        }
    }
    if (all)
        return unused;
    for (int i = 0; i < watch.peers; i++)
        if (watch.wait[i].fd >= 0)
            forget(i);
    if (!atomic_load(&watch.leaving))
        end_with_job();
    return unused;
}

static int begin_thread(void)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 17);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the program's threads */
    int error = pthread_create(&watch.thread, &attributes, watch_ranks, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error ? em_error(MPI_ERR_NO_MEM, "no thread to watch the ranks") : MPI_SUCCESS;
}

int em_watch_begin(const struct em_place *place, int *connections, int fd)
{
    watch.launcher = place->launcher;
    watch.rank = place->rank;
    watch.peers = place->rank ? 1 : place->size - 1;
    watch.connections = connections;
    watch.segment = adi_segment_map(fd);
    watch.wait = calloc(2 * (size_t)watch.peers + 1, sizeof *watch.wait);
    if (!watch.segment || !watch.wait)
        return em_error(MPI_ERR_NO_MEM, "no memory to watch the ranks");
    for (int i = 0; i < watch.peers; i++) {
        watch.wait[i] = (struct pollfd){.fd = connections[place->rank ? 0 : i + 1], .events = POLLIN};
        watch.wait[i + watch.peers] = (struct pollfd){.fd = process_of(watch.wait[i].fd), .events = POLLIN};
    }
    int launcher = open_process(place->process);
    if (launcher < 0 && errno == ESRCH)
        return em_launcher_over(place);
    watch.wait[2 * watch.peers] = (struct pollfd){.fd = launcher, .events = POLLIN};
    return begin_thread();
}

void em_watch_end(void)
{
    if (!watch.segment)
        return;
    atomic_store(&watch.leaving, true);
    if (watch.rank) {
        send(watch.connections[0], "", 1, MSG_NOSIGNAL); /* ignore errors: rank 0 may have ended the job */
        shutdown(watch.connections[0], SHUT_RDWR);       /* wakes the thread */
    }
    pthread_join(watch.thread, NULL);
    if (watch.rank)
        close(watch.connections[0]);
    if (watch.wait[2 * watch.peers].fd >= 0)
        close(watch.wait[2 * watch.peers].fd);
    free(watch.connections);
    free(watch.wait);
}

#endif
