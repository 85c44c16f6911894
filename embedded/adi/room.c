/*
 * The memory that the unexpected messages of a rank may take. The limit is ADI_UNEXPECTED. If that is not set, it begins at 4 MB and
 * grows by a part of the memory that is available, as long as a quarter of all memory stays free: of the host, of each control group
 * of the rank, and of its limits (ulimit -v, -d). Above the limit, senders are throttled: see shm.c.
 *
 * State: adi_queues.unexpected, limit, throttled and refused, and adi_peer.throttled, with the queues' lock.
 */
#define _GNU_SOURCE
#include "room.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FILE_BYTES = 8192 };

/* Reads the beginning of a file. Returns false if it cannot. */
static bool read_file(const char *path, char text[FILE_BYTES])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, FILE_BYTES - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* Returns the number after a word in a text, or -1. */
static int64_t number_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    return at ? strtoll(at + strlen(word), NULL, 10) : -1;
}

/* Returns the number in a file DIRECTORY/NAME, or -1: there is no such file, or it has "max". */
static int64_t number_in(const char *directory, const char *name)
{
    char path[4096 + 64], text[FILE_BYTES], *end;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (!read_file(path, text))
        return -1;
    int64_t value = strtoll(text, &end, 10);
    return end == text ? -1 : value;
}

/* Makes *spare smaller if of some memory less is available, beyond a quarter that stays free. */
static void lower_spare(int64_t *spare, int64_t all, int64_t available)
{
    if (available - all / 4 < *spare)
        *spare = available - all / 4;
}

/* Does this for a control group. The pages of files that have not been used for long can be dropped. */
static void lower_by_group(int64_t *spare, const char *directory, const char *limit, const char *use)
{
    char path[4096 + 64], text[FILE_BYTES];
    int64_t all = number_in(directory, limit), used = number_in(directory, use);
    if (all <= 0 || used < 0)
        return;
    snprintf(path, sizeof path, "%s/memory.stat", directory);
    int64_t files = read_file(path, text) ? number_after(text, "\ninactive_file ") : 0;
    lower_spare(spare, all, all - used + (files > 0 ? files : 0));
}

/* Does this for the groups of a controller: the group PATH below ROOT, and those above it. */
static void lower_by_groups(int64_t *spare, const char *root, const char *group, const char *limit, const char *use)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s%.*s", root, (int)strcspn(group, "\n"), group) >= sizeof path)
        return;
    for (;;) {
        lower_by_group(spare, path, limit, use);
        char *slash = strrchr(path, '/');
        if (!slash || slash < path + strlen(root))
            return;
        *slash = '\0';
    }
}

/* Does this for a limit of the process, of which the kernel counts some pages. */
static void lower_by_limit(int64_t *spare, int resource, int64_t pages)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        lower_spare(spare, (int64_t)limit.rlim_cur, (int64_t)limit.rlim_cur - pages * sysconf(_SC_PAGESIZE));
}

/* Returns the bytes that can be used until only a quarter of some memory is free, or a negative number if less is free. */
static int64_t spare_memory(void)
{
    char text[FILE_BYTES];
    int64_t spare = 0, pages = 0, data = 0;
    if (read_file("/proc/meminfo", text)) {
        spare = INT64_MAX;
        lower_spare(&spare, 1024 * number_after(text, "MemTotal:"), 1024 * number_after(text, "MemAvailable:"));
    }
    if (read_file("/proc/self/cgroup", text)) {
        const char *unified = strstr(text, "0::/"), *old = strstr(text, ":memory:/");
        if (unified)
            lower_by_groups(&spare, "/sys/fs/cgroup", unified + 3, "memory.max", "memory.current");
        if (old)
            lower_by_groups(&spare, "/sys/fs/cgroup/memory", old + 8, "memory.limit_in_bytes", "memory.usage_in_bytes");
    }
    if (read_file("/proc/self/statm", text) && sscanf(text, "%ld %*d %*d %*d %*d %ld", &pages, &data) == 2) {
        lower_by_limit(&spare, RLIMIT_AS, pages);
        lower_by_limit(&spare, RLIMIT_DATA, data);
    }
    return spare;
}

bool adi_find_room(struct adi_state *st)
{
    enum { LEAST = 1 << 16, PART = 4, AGAIN_NS = 10000000 };
    struct adi_queues *q = &st->queues;
    int64_t now = adi_now();
    if (st->config.unexpected_max > 0 || (q->refused && now - q->refused < AGAIN_NS))
        return false;
    /* Each rank of the job may take a part at this moment; after that it looks again. */
    int64_t part = spare_memory() / (PART * (int64_t)st->size);
    if (part < LEAST) {
        q->refused = now;
        return false;
    }
    q->limit = q->unexpected + part;
    return true;
}

void adi_limit_sender(struct adi_state *st, int from)
{
    struct adi_queues *q = &st->queues;
    struct adi_peer *peer = &st->peers[from];
    if (peer->throttled || !peer->device->throttle || adi_find_room(st))
        return;
    peer->throttled = true;
    q->throttled++;
    peer->device->throttle(st, from, (unsigned)(q->unexpected >> 10) | 1); /* at least 1: the number of KB is for a report */
}

void adi_unlimit_senders(struct adi_state *st)
{
    for (int rank = 0; rank < st->size; rank++) {
        struct adi_peer *peer = &st->peers[rank];
        if (!peer->throttled)
            continue;
        peer->throttled = false;
        peer->device->throttle(st, rank, 0);
    }
    st->queues.throttled = 0;
}
