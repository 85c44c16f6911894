/*
 * The launcher that has started this process as one of several ranks, and the name of its job. c/launchers recognizes the
 * launcher by the environment.
 *
 * The name of a job is a hash of the user, the launcher, and the variables that name the job. If
 * there are none, the process of the launcher names it: the process that the launcher itself shows, or
 * the nearest ancestor whose environment names no rank. A rank whose first process has ended has another
 * ancestor.
 */
#define _GNU_SOURCE
#include "launched.h"
#include "c/launchers/launchers.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Returns a number, or -1. */
static int parsed_count(const char *text)
{
    size_t n = text ? strspn(text, "0123456789") : 0;
    return n && n <= 9 && !text[n] ? atoi(text) : -1;
}

/* ---- the name of the job ---- */

static uint64_t hash_text(uint64_t before, const char *text)
{
    uint64_t h = before ? before : 14695981039346656037ull; /* FNV-1a */
    do
        h = (h ^ (unsigned char)*text) * 1099511628211ull;
    while (*text++);
    return h;
}

/* Reads the beginning of a file in /proc. Returns its length; 0 if it cannot be read. */
static size_t read_proc(long pid, const char *name, char *text, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n, length = 0;
    if (fd < 0)
        return 0;
    while (length < (ssize_t)room - 1 && (n = read(fd, text + length, room - 1 - (size_t)length)) > 0)
        length += n;
    close(fd);
    text[length] = '\0';
    return (size_t)length;
}

static long parent_of(long pid)
{
    char text[512], *end;
    long parent = 0;
    if (read_proc(pid, "stat", text, sizeof text) && (end = strrchr(text, ')')) && sscanf(end + 1, " %*c %ld", &parent) == 1)
        return parent;
    return 0;
}

/* Reports whether the environment with which a process was started contained a variable. */
static bool started_with(long pid, const char *name)
{
    size_t room = 1 << 20, n = strlen(name);
    char *text = malloc(room);
    size_t length = text ? read_proc(pid, "environ", text, room) : 0;
    bool found = false;
    for (const char *v = text; length && v < text + length && !found; v += strlen(v) + 1)
        found = !strncmp(v, name, n) && v[n] == '=';
    free(text);
    return found;
}

/* Reports whether the name of a process is one of the launcher's. */
static bool has_launchers_name(const struct wi4go_launcher *l, long pid)
{
    enum { LONGEST_NAME = 15 }; /* the kernel cuts longer names */
    char name[64];
    if (pid <= 0 || !read_proc(pid, "comm", name, sizeof name))
        return false;
    for (const char *const *start = l->processes; *start; start++)
        if (!strncmp(name, *start, strnlen(*start, LONGEST_NAME)))
            return true;
    return false;
}

/* Returns the process that has made the socket PMI_FD for this rank and still has its other end, or 0. */
static long process_at_socket(void)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    struct pollfd end = {.fd = parsed_count(getenv("PMI_FD"))};
    if (end.fd < 0 || getsockopt(end.fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) || poll(&end, 1, 0))
        return 0;
    return peer.pid;
}

/* Returns the process whose number is at the end of PMIX_SERVER_TMPDIR, or 0. */
static long process_of_directory(void)
{
    const char *directory = getenv("PMIX_SERVER_TMPDIR"), *end = directory ? strrchr(directory, '.') : NULL;
    return end ? parsed_count(end + 1) : 0;
}

/* Returns the process of the launcher as it shows itself, or 0. */
static long shown_process(const struct wi4go_launcher *l)
{
    long pid = process_at_socket();
    if (!has_launchers_name(l, pid))
        pid = process_of_directory();
    return has_launchers_name(l, pid) ? pid : 0;
}

/* Returns the process of the launcher by ancestry, or 0. A script between it and this process has its rank too. */
static long ancestor_without_rank(const struct wi4go_launcher *l)
{
    const char *rank = l->names[LAUNCHER_RANK][0];
    for (const char *const *name = l->names[LAUNCHER_RANK]; *name; name++)
        if (getenv(*name)) {
            rank = *name;
            break;
        }
    long pid = getppid();
    while (pid > 1 && started_with(pid, rank))
        pid = parent_of(pid);
    return pid;
}

/* Reports whether a process has adopted this rank, because its launcher has ended: init does, or the systemd of a
 * user. In a container the launcher itself can be init, and then all processes end with it. */
static bool has_adopted(const struct wi4go_launcher *l, long pid)
{
    char name[64];
    if (has_launchers_name(l, pid) || !read_proc(pid, "comm", name, sizeof name))
        return false;
    return pid == 1 || !strcmp(name, "systemd\n");
}

/* Writes a name that only the ranks of this job compute: a hash of the user, and of the launcher's variables for the job. If there are
 * none, of the launcher's process and this PID namespace. */
static void name_job(const struct wi4go_launcher *l, long launcher, char name[32])
{
    char text[128];
    uint64_t h = hash_text(0, l->title);
    bool named = false;
    snprintf(text, sizeof text, "%ld", (long)geteuid());
    h = hash_text(h, text);
    for (const char *const *variable = l->job; *variable; variable++) {
        const char *value = getenv(*variable);
        named |= value != NULL;
        h = hash_text(h, value ? value : "");
    }
    if (!named) {
        ssize_t n = readlink("/proc/self/ns/pid", text, sizeof text - 1); /* another container uses the same numbers */
        text[n > 0 ? n : 0] = '\0';
        h = hash_text(h, text);
        snprintf(text, sizeof text, "%ld", launcher);
        h = hash_text(h, text);
    }
    snprintf(name, 32, "wi4go-%016llx", (unsigned long long)h);
}

/* Reports whether ranks of the job are on other hosts. */
static bool has_several_hosts(const struct wi4go_start *start, int size)
{
    const char *local = start->number[LAUNCHER_LOCAL_SIZE];
    if (!local && start->by->step)
        local = wi4go_launcher_value(start->by->step->tasks); /* one number only on one host */
    return local && parsed_count(local) != size;
}

bool em_launched(struct em_place *place)
{
    struct wi4go_start start;
    wi4go_find_start(&start);
    const struct wi4go_launcher *l = start.by;
    if (!l || l->every_family)
        return false;
    *place = (struct em_place){.launcher = l->title, .rank = parsed_count(start.number[LAUNCHER_RANK]), .size = parsed_count(start.number[LAUNCHER_SIZE])};
    if (place->size < 2 || place->rank < 0 || place->rank >= place->size)
        return false;
    place->several_hosts = has_several_hosts(&start, place->size);
    place->process = shown_process(l);
    if (!place->process) {
        place->process = ancestor_without_rank(l);
        place->is_over = has_adopted(l, place->process);
    }
    name_job(l, place->process, place->job);
    return true;
}
