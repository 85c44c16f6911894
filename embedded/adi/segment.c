/* Makes and maps the segment. The creator's head is the only state; ranks never change it, except the words
 * from `over` on. A launcher may leave the creation to the first rank. */
#define _GNU_SOURCE
#include "segment.h"

#include "heap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Usual and smallest boxes: bits of the number of lines, bytes of both byte rings. */
static const struct box {
    uint32_t line_bits;
    uint64_t eager, chunk;
} boxes[] = {{8, 65536, 1048576}, {8, 65536, 524288}, {8, 65536, 262144}, {8, 32768, 131072}, {8, 16384, 65536}, {8, 8192, 16384}, {8, 4096, 8192}, {7, 8192, 16384},
             {6, 4096, 16384}, {6, 2048, 8192}, {5, 2048, 4096}, {4, 1024, 1024}, {4, 512, 512}};
static const uint64_t usual_limit = 1ull << 30; /* the usual boxes shrink, as far as they can, if they need more than this together */

/* The usual boxes also shrink, down to smallest_chunk, until the boxes of a rank need no more than this if it talks to
   all others: then it takes less than 4 MB with everything else. */
static const uint64_t usual_share = 37ull << 16, smallest_chunk = 8192;

/* Bytes of the heap, of which only objects take memory; a job with a limit for its segment has a part of that instead, or none. */
static const uint64_t usual_heap = 1ull << 40, least_heap = 4ull << 20, heap_part = 4;
static const uint64_t alignment = 65536; /* of the heap: the largest page of any kernel */

static uint64_t up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }

/* Lays out boxes of a size, and the heap. limit: most bytes before the heap's table, or 0. Returns the bytes before it. */
static uint64_t lay_out_segment(struct adi_segment *head, int ranks, const struct box *box, uint64_t limit)
{
    uint32_t tile = ranks > ADI_ONE_TILE ? ADI_TILE : (uint32_t)ranks, tiles = ((uint32_t)ranks + tile - 1) / tile;
    uint64_t pairs = ranks > 1 ? (uint64_t)(tile * tiles) * (tile * tiles) : 0;
    memset(head, 0, sizeof *head);
    head->tile = tile;
    head->tiles = tiles;
    head->magic = ADI_MAGIC;
    head->ranks = (uint32_t)ranks;
    head->line_bits = box->line_bits;
    head->eager_bytes = box->eager;
    head->chunk_bytes = box->chunk;
    head->blocks = 4096;
    head->boxes = up(head->blocks + (uint64_t)ranks * sizeof(struct adi_block), 4096);
    /* The feedback, the lines, the line of direct messages, and one that is not used: an odd number, so that the boxes of a
     * receiver do not share sets of the cache. */
    head->box_stride = ((1ull << box->line_bits) + 3) * ADI_LINE;
    head->bytes_at = up(head->boxes + pairs * head->box_stride, 4096);
    head->bytes_stride = box->eager + box->chunk;
    head->heap = up(head->bytes_at + pairs * head->bytes_stride, 4096);
    head->bytes = up(head->heap + sizeof(struct adi_heap), alignment);
    head->heap_bytes = !limit ? usual_heap : limit / heap_part < least_heap ? 0 : limit / heap_part;
    return head->heap;
}

/* Reports whether boxes of a size need more than the usual share of a rank. */
static bool is_unusual(const struct adi_segment *head)
{
    return head->chunk_bytes > smallest_chunk && (head->ranks - 1) * (head->box_stride + head->bytes_stride) > usual_share;
}

/* Returns the size of the segment, with the largest boxes that fit the limit, or 0 if none fit the given one. */
uint64_t adi_segment_layout(struct adi_segment *head, int ranks, uint64_t limit)
{
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        if (lay_out_segment(head, ranks, &boxes[i], limit) <= (limit ? limit : usual_limit) && (limit || !is_unusual(head)))
            return head->bytes;
    return limit ? 0 : head->bytes; /* the smallest boxes; only those that are used take memory */
}

static void fill_head(struct adi_segment *head, const struct adi_job *job)
{
    cpu_set_t cores;
    head->cores = job->cores ? (uint32_t)job->cores : sched_getaffinity(0, sizeof cores, &cores) == 0 ? (uint32_t)CPU_COUNT(&cores) : 1;
    long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    head->fence = job->fence || commands < 0 || !(commands & MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

/* Returns a descriptor of memory without a name, or -1. */
static int anonymous(bool file)
{
#ifdef SYS_memfd_create
    int memory = file ? -1 : (int)syscall(SYS_memfd_create, "adi", 2u /* MFD_ALLOW_SEALING */);
    if (memory >= 0)
        return memory;
#endif
    const char *directory = getenv("TMPDIR");
    if (!directory || !*directory)
        directory = "/tmp";
#ifdef O_TMPFILE
    int temporary = open(directory, O_TMPFILE | O_RDWR, 0600);
    if (temporary >= 0)
        return temporary;
#endif
    char name[4096];
    snprintf(name, sizeof name, "%s/adi-XXXXXX", directory);
    int named = mkstemp(name);
    if (named >= 0)
        unlink(name);
    return named;
}

/* Reports whether a descriptor is of a file system's file: only a memfd has seals. */
bool adi_segment_is_file(int fd)
{
#ifdef F_GET_SEALS
    return fcntl(fd, F_GET_SEALS) < 0;
#else
    return true;
#endif
}

/* Gives a segment and its heap their size. A file's memory is allocated now, except for the heap, because a full file
 * system would end a rank by SIGBUS later. The signal of a limit for the size of files (ulimit -f) must not end
 * this rank. Returns 0, or -1 with errno. */
static int set_size(int fd, uint64_t bytes, uint64_t heap)
{
    bool file = bytes && adi_segment_is_file(fd);
    sigset_t large, before;
    sigemptyset(&large);
    sigaddset(&large, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &large, &before);
    int error = ftruncate(fd, 0) || ftruncate(fd, (off_t)(bytes + heap)) ? errno : file ? posix_fallocate(fd, 0, (off_t)bytes) : 0;
    if (error == EFBIG && !sigismember(&before, SIGXFSZ))
        sigtimedwait(&large, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return error ? -1 : 0;
}

/* Gives a segment its size, with a smaller heap if the kernel refuses such a large file, at last without one. */
static int set_sizes(int fd, struct adi_segment *head)
{
    for (;;) {
        if (!set_size(fd, head->bytes, head->heap_bytes))
            return 0;
        if (!head->heap_bytes || (errno != EFBIG && errno != EINVAL))
            return -1;
        head->heap_bytes = head->heap_bytes / 2 < least_heap ? 0 : head->heap_bytes / 2;
    }
}

/* Lays out the segment in an empty file. Returns 0, or -1 with errno. */
static int fill_segment(int fd, const struct adi_job *job)
{
    struct adi_segment head;
    uint64_t bytes = adi_segment_layout(&head, job->ranks, job->segment_bytes);
    while (bytes && set_sizes(fd, &head))
        bytes = adi_segment_layout(&head, job->ranks, head.heap / 2); /* smaller boxes */
    if (!bytes) {
        errno = ENOMEM;
        return -1;
    }
    fill_head(&head, job);
    if (pwrite(fd, &head, sizeof head, 0) != (ssize_t)sizeof head)
        return -1;
#ifdef F_ADD_SEALS
    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW); /* memfd only */
#endif
    return 0;
}

/* The place of an object in the file is the same as in a file with the whole segment. */
int adi_segment_heap(const struct adi_segment *segment)
{
    int fd = anonymous(false);
    if (fd >= 0 && set_size(fd, 0, segment->bytes + segment->heap_bytes)) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

/* Sets errno for the callers, which return an error as system calls do. */
static bool valid_number(const struct adi_job *job)
{
    errno = EINVAL;
    return job->ranks >= 1 && job->ranks <= ADI_MAX_RANKS;
}

/* Returns the descriptor of a filled segment, owned by the caller, or -1 with errno. */
int adi_segment_create(const struct adi_job *job)
{
    int fd = valid_number(job) ? anonymous(job->unlinked_file) : -1;
    if (fd < 0)
        return -1;
    if (fill_segment(fd, job)) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

/* Locks the segment for one rank, or unlocks it. The lock belongs to this process: the ranks share one open file. Returns
 * 0, or -1 with errno. */
static int lock_file(int fd, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};
    while (fcntl(fd, F_SETLKW, &lock))
        if (errno != EINTR)
            return -1;
    return 0;
}

/* Keeps errno, which belongs to the failure before it. */
static void unlock_file(int fd)
{
    int error = errno;
    lock_file(fd, F_UNLCK);
    errno = error;
}

/* Fills an empty file under its lock: several processes may call this for one file, and only the first one fills it. */
int adi_segment_fill(int fd, const struct adi_job *job)
{
    struct stat stat;
    if (!valid_number(job) || lock_file(fd, F_WRLCK))
        return -1;
    int result = fstat(fd, &stat) ? -1 : stat.st_size ? 0 : fill_segment(fd, job);
    unlock_file(fd);
    return result;
}

/* The mark is a lock of the second byte, which belongs to the open file. So it needs no memory, and it stays when the rank has ended. */
bool adi_segment_is_first(int fd)
{
#ifdef F_OFD_SETLK
    struct flock mark = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 1}, found = mark;
    int error = errno;
    if (lock_file(fd, F_WRLCK))
        return true;
    bool first = fcntl(fd, F_GETLK, &found) || found.l_type == F_UNLCK;
    if (first)
        fcntl(fd, F_OFD_SETLK, &mark); /* ignore errors: then more ranks print the error */
    unlock_file(fd);
    errno = error;
    return first;
#else
    return true;
#endif
}

/* Returns the mapped segment, or NULL with errno. Checks the magic number, because another version's layout may
 * differ. */
void *adi_segment_map(int fd)
{
    struct stat stat;
    if (fstat(fd, &stat))
        return NULL;
    struct adi_segment head;
    if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head || head.magic != ADI_MAGIC || head.bytes + head.heap_bytes != (uint64_t)stat.st_size) {
        errno = EINVAL;
        return NULL;
    }
    struct adi_segment *segment = mmap(NULL, head.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (segment == MAP_FAILED)
        return NULL;
    madvise(segment, segment->bytes, MADV_DONTFORK); /* a forked child must not disturb the job */
    return segment;
}
