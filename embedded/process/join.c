/*
 * The ranks of a job that another launcher has started on this host find each other: rank 0 listens
 * at an abstract socket with the name of the job, and the others connect. When all have come, rank 0
 * creates the segment and passes its descriptor to each. Both sides accept only processes of their
 * own user. The connections stay open, for the watch (watch.c).
 *
 * Any user can bind the name of the job first. Rank 0 then listens at that name with a random number after it, and the others find it in
 * the kernel's list of sockets: no other process can bind it before. No file is left if a rank is killed.
 */
#define _GNU_SOURCE
#include "join.h"
#include "../base/entry.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../adi/adi_launch.h"

#ifdef ADI_RANK_THREADS

int em_join(struct MPID_Config *config)
{
    (void)config;
    return MPI_SUCCESS;
}

#else

/* The message of a rank to rank 0. */
struct hello {
    uint64_t magic;
    int32_t rank, size;
    cpu_set_t cores; /* on which it may run */
};
#define HELLO_MAGIC 0x3169776a6f696e31ull

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Returns the time limit in seconds. */
static int join_limit(void)
{
    const char *text = getenv("ADI_JOIN_TIMEOUT");
    int limit = text ? atoi(text) : 0;
    return limit > 0 && limit < 1000000 ? limit : 60;
}

/* Writes the address of an abstract socket. Returns its length. */
static socklen_t address_of(const char *name, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX}; /* the first byte of an abstract name is 0 */
    snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "%s", name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(address->sun_path + 1));
}

/* Reports whether the process at the other end belongs to this user. */
static bool is_own(int fd)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

/* Connects to a socket. Returns -1 with errno if that fails or the listener is not of this user (EACCES). It does not wait for a
 * listener that accepts no more (EAGAIN). */
static int connect_to(const char *name)
{
    struct sockaddr_un address;
    socklen_t length = address_of(name, &address);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error = 0;
    if (fd < 0)
        return -1;
    if (connect(fd, (struct sockaddr *)&address, length))
        error = errno;
    else if (!is_own(fd))
        error = EACCES;
    if (!error) {
        fcntl(fd, F_SETFL, 0); /* from here on it blocks */
        return fd;
    }
    close(fd);
    errno = error;
    return -1;
}

static bool lacks_descriptors(int error) { return error == EMFILE || error == ENFILE; }

static int no_descriptor(const struct em_place *place)
{
    return em_error(MPI_ERR_NO_MEM, "rank %d has no free descriptor to find the other ranks of the job; raise the limit (ulimit -n)", place->rank);
}

/* Reports whether this rank has another network than its launcher, which has abstract sockets of its own. */
static bool has_other_network(const struct em_place *place)
{
    char path[64], own[64], other[64];
    snprintf(path, sizeof path, "/proc/%ld/ns/net", place->process);
    ssize_t m = readlink("/proc/self/ns/net", own, sizeof own), n = readlink(path, other, sizeof other);
    return m > 0 && n > 0 && (m != n || memcmp(own, other, (size_t)n));
}

static const char *cure(const struct em_place *place)
{
    return has_other_network(place) ? "the ranks have networks of their own: start their containers with the network of the host"
                                    : "to run this program alone, use `wi4go run --to embedded`";
}

static void limit_receive(int fd, int64_t ms)
{
    struct timeval limit = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 + 1};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

/* ---- rank 0 ---- */

/* Passes a descriptor. Returns 0 if the other end has gone. */
static int pass(int to, int fd)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.room = {0}};
    char byte = 's';
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    return sendmsg(to, &message, MSG_NOSIGNAL) == 1;
}

/* Names some ranks that have not come. */
static int report_missing(const struct em_place *place, const int *connections, int limit)
{
    char list[64] = "";
    int missing = 0;
    for (int rank = 1; rank < place->size; rank++)
        if (connections[rank] < 0 && missing++ < 4)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", missing > 1 ? ", " : "", rank);
    return em_error(MPI_ERR_OTHER, "%s has started %d ranks, but rank %s%s did not call MPI_Init within %d s (ADI_JOIN_TIMEOUT); %s",
                    place->launcher, place->size, list, missing > 4 ? " …" : "", limit, cure(place));
}

/* Accepts a connection. Another user's or another program's is closed. Returns whether it is a rank's, or -1 if there is
 * no descriptor for it. */
static int accept_rank(int listener, const struct em_place *place, int64_t end, int *connections, cpu_set_t *cores)
{
    struct hello hello;
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return lacks_descriptors(errno) ? -1 : 0;
    int64_t left = end - milliseconds();
    limit_receive(fd, left < 0 ? 0 : left < 1000 ? left : 1000);
    if (!is_own(fd) || recv(fd, &hello, sizeof hello, 0) != sizeof hello || hello.magic != HELLO_MAGIC || hello.size != place->size ||
        hello.rank < 1 || hello.rank >= place->size || connections[hello.rank] >= 0) {
        close(fd);
        return 0;
    }
    limit_receive(fd, 0);
    connections[hello.rank] = fd;
    CPU_OR(cores, cores, &hello.cores);
    return 1;
}

/* Binds the name of the job, or after it a random number, if the name is in use, but not by an earlier program of this job, which
 * gives it up soon. Returns 0, or -1 with errno. */
static int bind_name(int listener, const struct em_place *place, int64_t end)
{
    enum { SILENT_MS = 200 }; /* a rank 0 of this user listens much earlier */
    struct sockaddr_un address;
    socklen_t length = address_of(place->job, &address);
    int64_t silent = milliseconds() + SILENT_MS;
    while (bind(listener, (struct sockaddr *)&address, length)) {
        if (errno != EADDRINUSE || milliseconds() >= end)
            return -1;
        int earlier = connect_to(place->job);
        if (earlier >= 0)
            close(earlier);
        else if (errno == EACCES || milliseconds() >= silent) {
            char name[64];
            uint64_t random = 0;
            if (syscall(SYS_getrandom, &random, sizeof random, 0u) != sizeof random)
                return -1;
            snprintf(name, sizeof name, "%s-%016llx", place->job, (unsigned long long)random);
            length = address_of(name, &address);
            continue;
        }
        usleep(10000);
    }
    return 0;
}

/* Accepts the connections of all other ranks, and adds their cores to a set. Returns an error of MPI if some do not come in time; the
 * connections that are there stay open. */
static int accept_all(const struct em_place *place, int *connections, cpu_set_t *cores)
{
    int limit = join_limit(), listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    int64_t end = milliseconds() + limit * 1000ll;
    if (listener < 0 && lacks_descriptors(errno))
        return no_descriptor(place);
    if (bind_name(listener, place, end) || listen(listener, place->size)) {
        int error = errno;
        close(listener);
        return em_error(MPI_ERR_OTHER, "the ranks cannot find each other at the abstract socket %s: %s; use `wi4go run --to embedded`", place->job, strerror(error));
    }
    for (int left = place->size - 1, came; left > 0; left -= came) {
        struct pollfd one = {.fd = listener, .events = POLLIN};
        int64_t now = milliseconds();
        if (now >= end) {
            close(listener);
            return report_missing(place, connections, limit);
        }
        came = poll(&one, 1, (int)(end - now)) > 0 ? accept_rank(listener, place, end, connections, cores) : 0;
        if (came < 0) {
            close(listener);
            return no_descriptor(place);
        }
    }
    close(listener);
    return MPI_SUCCESS;
}

/* Rank 0: accepts all ranks, creates the segment, and passes it to them. Returns an error of MPI. */
static int gather_ranks(const struct em_place *place, int *connections, int *fd)
{
    struct adi_job job;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    sched_getaffinity(0, sizeof cores, &cores);
    int err = accept_all(place, connections, &cores);
    if (err)
        return err;
    adi_job_init(&job, place->size);
    job.ranks = place->size;
    job.cores = CPU_COUNT(&cores);
    *fd = adi_segment_create(&job);
    if (*fd < 0)
        return em_error(MPI_ERR_NO_MEM, "no shared memory for %d ranks: %s", place->size, strerror(errno));
    for (int rank = 1; rank < place->size; rank++)
        pass(connections[rank], *fd); /* the watch finds out if it has ended */
    return MPI_SUCCESS;
}

/* ---- the other ranks ---- */

/* Receives a descriptor, or returns -1; errno is EMFILE if there is no room for it. */
static int receive_descriptor(int from)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    char byte;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    int fd = -1;
    if (recvmsg(from, &message, MSG_CMSG_CLOEXEC) != 1)
        return -1;
    errno = message.msg_flags & MSG_CTRUNC ? EMFILE : 0;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(head), sizeof fd);
    return fd;
}

/* Connects to rank 0 at the names of the job with a random number, which it uses if another user has the name of the job. Returns -1 if it
 * listens at none. */
static int connect_to_random(const struct em_place *place)
{
    char line[256], start[64];
    int fd = -1;
    FILE *list = fopen("/proc/net/unix", "re");
    snprintf(start, sizeof start, "@%s-", place->job);
    while (list && fd < 0 && fgets(line, sizeof line, list)) {
        char *name = strstr(line, start);
        if (!name)
            continue;
        name[strcspn(name, "\n")] = '\0';
        fd = connect_to(name + 1);
    }
    if (list)
        fclose(list);
    return fd;
}

/* Connects to rank 0, which may not listen yet. Returns -1 after the time limit, or at once if there is no descriptor. */
static int connect_to_leader(const struct em_place *place, int64_t end)
{
    int64_t pause = 100, search = milliseconds() + pause; /* in milliseconds; to search takes longer if there are many sockets */
    for (useconds_t nap = 500; milliseconds() < end; nap = nap < 20000 ? nap * 2 : nap) {
        int fd = connect_to(place->job);
        if (fd < 0 && (errno == EACCES || milliseconds() >= search)) {
            fd = connect_to_random(place);
            search = milliseconds() + pause;
            pause = pause < 2000 ? pause * 2 : pause;
        }
        if (fd >= 0 || lacks_descriptors(errno))
            return fd;
        usleep(nap);
    }
    return -1;
}

/* Another rank: connects to rank 0 and receives the segment's descriptor. Returns an error of MPI. */
static int join_leader(const struct em_place *place, int *connection, int *fd)
{
    struct hello hello = {.magic = HELLO_MAGIC, .rank = place->rank, .size = place->size};
    int limit = join_limit();
    int64_t now = milliseconds(), end = now + limit * 1000ll;
    sched_getaffinity(0, sizeof hello.cores, &hello.cores);
    *connection = connect_to_leader(place, end);
    if (*connection >= 0 && send(*connection, &hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello) {
        limit_receive(*connection, end + 1000 - milliseconds()); /* rank 0 reports the others first */
        *fd = receive_descriptor(*connection);
        limit_receive(*connection, 0);
        if (*fd >= 0)
            return MPI_SUCCESS;
    }
    if (lacks_descriptors(errno))
        return no_descriptor(place);
    return em_error(MPI_ERR_OTHER, "%s has started %d ranks, but rank 0 did not begin a job with this one within %d s (ADI_JOIN_TIMEOUT); %s",
                    place->launcher, place->size, limit, cure(place));
}

/* Rank 0 reports that the job cannot run. */
static int refuse_hosts(const struct em_place *place)
{
    if (place->rank) {
        sleep(2); /* the launcher ends the job with its first process */
        exit(1);
    }
    return em_error(MPI_ERR_OTHER, "the embedded MPI is for one host, and %s has started ranks on several: use another MPI: %s", place->launcher, em_instead());
}

int em_join(struct MPID_Config *config)
{
    struct em_place place;
    if (config->rank >= 0 || config->fd >= 0 || !em_launched(&place))
        return MPI_SUCCESS;
    MPID_MyWorldRank = place.rank; /* messages name it */
    if (place.several_hosts)
        return refuse_hosts(&place);
    if (place.is_over)
        return em_launcher_over(&place);
    int *connections = malloc((size_t)place.size * sizeof *connections);
    if (!connections)
        return em_error(MPI_ERR_NO_MEM, "no memory for %d ranks", place.size);
    for (int rank = 0; rank < place.size; rank++)
        connections[rank] = -1;
    int err = place.rank ? join_leader(&place, &connections[0], &config->fd) : gather_ranks(&place, connections, &config->fd);
    config->rank = place.rank;
    config->launcher = (int)place.process;
    if (!err)
        err = em_watch_begin(&place, connections, config->fd);
    if (err)
        free(connections);
    return err;
}

#endif
