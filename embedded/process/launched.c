/*
 * Finds out which launcher has started this process. A launcher is recognized by a variable that
 * wi4go never sets (its sign), or by a rank variable that wi4go has not set: `wi4go exec` adds the
 * rank variables of other launchers, and lists them in WI4GO_RANK_VARIABLES.
 *
 * The name of a job is a hash of the user, the launcher, and the variables that name the job. If
 * there are none, the process of the launcher names it: the process that the launcher itself shows, or
 * the nearest ancestor whose environment names no rank. A rank whose first process has ended has another
 * ancestor.
 */
#define _GNU_SOURCE
#include "launched.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NAMES = 6 }; /* the most variables of one kind, and the NULL after them */

struct variables {
    const char *title; /* name of the launcher */
    const char *signs[NAMES], *rank[NAMES], *size[NAMES], *local_size[NAMES], *job[NAMES];
    const char *processes[NAMES]; /* the beginnings of the names of the processes that start ranks */
};

static const struct variables launchers[] = {
#include "launchers.h"
};
static const struct variables slurm = {"srun", {0}, {"SLURM_PROCID", 0}, {"SLURM_STEP_NUM_TASKS", 0}, {"SLURM_STEP_TASKS_PER_NODE", 0},
                                       {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_STEP_LAUNCHER_PORT", 0}, {"slurmstepd", 0}};

static bool is_signed_by(const struct variables *l)
{
    for (const char *const *sign = l->signs; *sign; sign++)
        if (getenv(*sign))
            return true;
    return false;
}

/* Reports whether wi4go has set a variable. */
static bool set_by_wi4go(const char *name)
{
    size_t n = strlen(name);
    for (const char *item = getenv("WI4GO_RANK_VARIABLES"); item; item = strchr(item, ',')) {
        item += *item == ',';
        if (!strncmp(item, name, n) && (!item[n] || item[n] == ','))
            return true;
    }
    return false;
}

/* Returns the value of the first variable that the launcher has set, or NULL. */
static const char *value_of(const struct variables *l, const char *const *names)
{
    bool is_signed = is_signed_by(l);
    for (; *names; names++) {
        const char *value = getenv(*names);
        if (value && *value && (is_signed || !set_by_wi4go(*names)))
            return value;
    }
    return NULL;
}

/* Returns a number, or -1. */
static int parsed_count(const char *text)
{
    size_t n = text ? strspn(text, "0123456789") : 0;
    return n && n <= 9 && !text[n] ? atoi(text) : -1;
}

/* Reports whether srun has started this process as a task of a step, and numbers it as the launcher l
 * does (or l is NULL). A launcher inside a step has its own numbers. */
static bool is_task(const struct variables *l)
{
    enum { LARGEST_STEP = 0xffffff }; /* the batch script and the shell of an allocation have special numbers */
    const char *step = getenv("SLURM_STEP_ID");
    int rank = parsed_count(getenv(slurm.rank[0])), size = parsed_count(getenv(slurm.size[0]));
    if (parsed_count(step) < 0 || parsed_count(step) > LARGEST_STEP || rank < 0 || size < 0)
        return false;
    return !l || (parsed_count(value_of(l, l->rank)) == rank && parsed_count(value_of(l, l->size)) == size);
}

static const struct variables *launcher_of_this_process(void)
{
    const struct variables *found = NULL;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (is_signed_by(&launchers[i]) && value_of(&launchers[i], launchers[i].rank))
            found = found ? found : &launchers[i];
    if (is_task(found))
        return &slurm;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers && !found; i++)
        if (value_of(&launchers[i], launchers[i].rank))
            found = &launchers[i];
    return found;
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
static bool has_launchers_name(const struct variables *l, long pid)
{
    char name[64];
    if (pid <= 0 || !read_proc(pid, "comm", name, sizeof name))
        return false;
    for (const char *const *start = l->processes; *start; start++)
        if (!strncmp(name, *start, strlen(*start)))
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
static long shown_process(const struct variables *l)
{
    long pid = process_at_socket();
    if (!has_launchers_name(l, pid))
        pid = process_of_directory();
    return has_launchers_name(l, pid) ? pid : 0;
}

/* Returns the process of the launcher by ancestry, or 0. A script between it and this process has its rank too. */
static long ancestor_without_rank(const struct variables *l)
{
    const char *rank = l->rank[0];
    for (const char *const *name = l->rank; *name; name++)
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
static bool has_adopted(const struct variables *l, long pid)
{
    char name[64];
    if (has_launchers_name(l, pid) || !read_proc(pid, "comm", name, sizeof name))
        return false;
    return pid == 1 || !strcmp(name, "systemd\n");
}

/* Writes a name that only the ranks of this job compute: a hash of the user, and of the launcher's variables for the job. If there are
 * none, of the launcher's process and this PID namespace. */
static void name_job(const struct variables *l, long launcher, char name[32])
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

bool em_launched(struct em_place *place)
{
    const struct variables *l = launcher_of_this_process();
    if (!l)
        return false;
    *place = (struct em_place){.launcher = l->title, .rank = parsed_count(value_of(l, l->rank)), .size = parsed_count(value_of(l, l->size))};
    if (place->size < 2 || place->rank < 0 || place->rank >= place->size)
        return false;
    const char *local = value_of(l, l->local_size); /* srun's is a list if there are several hosts */
    place->several_hosts = local && parsed_count(local) != place->size;
    place->process = shown_process(l);
    if (!place->process) {
        place->process = ancestor_without_rank(l);
        place->is_over = has_adopted(l, place->process);
    }
    name_job(l, place->process, place->job);
    return true;
}
