/* Memory that the processes of a node share: POSIX shared memory objects. The name of an object is removed when all
 * processes have opened it, so nothing is left if a process ends later. */
#include "internal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Maps a shared object; returns NULL if that fails. */
static char *map(int fd, size_t size)
{
    void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    return base == MAP_FAILED ? NULL : base;
}

/* Makes a shared memory object with a unique name, maps it, and reports whether that succeeds. It allocates all memory at
 * once, because otherwise a full file system would cause a signal (SIGBUS) at a later access. */
static bool create_shared(struct segment *s, size_t size)
{
    static atomic_uint count;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(s->name, sizeof s->name, "/dri-%ld-%u-%lx", (long)getpid(), atomic_fetch_add(&count, 1),
             (unsigned long)now.tv_sec * 1000000000 + now.tv_nsec);
    int fd = shm_open(s->name, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (fd < 0)
        return false;
    if (posix_fallocate(fd, 0, size) == 0)
        s->base = map(fd, size);
    close(fd);
    if (!s->base)
        shm_unlink(s->name);
    return s->base != NULL;
}

/* Falls back to private memory, with an empty name, if shared memory is not available or full. */
int dri_segment_create(struct segment *s, size_t size)
{
    memset(s, 0, sizeof *s);
    s->size = size;
    if (create_shared(s, size))
        return DRI_SUCCESS;
    s->name[0] = 0;
    void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return dri_fail(DRI_ERR_NOMEM, "no memory for buffers of %zu bytes", size);
    s->base = base;
    return DRI_SUCCESS;
}

/* Maps another process's segment. Failure is no error, because the data can go by messages instead. */
bool dri_segment_open(struct segment *s, const char *name, size_t size)
{
    memset(s, 0, sizeof *s);
    int fd = shm_open(name, O_RDWR, 0);
    if (fd < 0)
        return false;
    s->size = size;
    s->base = map(fd, size);
    close(fd);
    return s->base != NULL;
}

/* Removes the name. Processes that have mapped the segment keep the memory. */
void dri_segment_unlink(struct segment *s)
{
    if (s->name[0])
        shm_unlink(s->name);
    s->name[0] = 0;
}

void dri_segment_free(struct segment *s)
{
    dri_segment_unlink(s);
    if (s->base)
        munmap(s->base, s->size);
    s->base = NULL;
}

bool dri_buffers_overlap(const char *a, const char *b, size_t bytes_a, size_t bytes_b)
{
    return a && b && bytes_a && bytes_b && a < b + bytes_b && b < a + bytes_a;
}
