/*
 * Memory objects: takes ranges of the heap, maps them, reserves their pages, and gives them back to the kernel. State:
 * struct adi_memory of the rank, whose lock protects the mappings. Lock order: that lock before the lock of the heap.
 * No system call is made under the lock of the heap, except for the object of all ranks.
 */
#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state.h"

enum { IDLE = 64 }; /* most idle mappings */

static struct adi_object *memory_object(const struct adi_memory *memory, int number) { return &adi_heap_of(memory->segment)->objects[number]; }

/* ---- the descriptor ---- */

/* Below 64, because the kernel would make the table of descriptors larger otherwise, which takes milliseconds in a process with threads. */
int adi_memory_keep(int fd)
{
    enum { HIGHEST = 60, LOWEST = 7 };
    for (int number = HIGHEST; number >= LOWEST; number /= 2) {
        int high = fcntl(fd, F_DUPFD_CLOEXEC, number);
        if (high >= 0) {
            close(fd);
            return high;
        }
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

/* Notes which file the descriptor refers to. */
static void set_descriptor(struct adi_memory *memory, int fd)
{
    struct stat stat;
    memory->fd = fd >= 0 && fstat(fd, &stat) == 0 ? fd : -1;
    if (memory->fd >= 0) {
        memory->device = stat.st_dev;
        memory->inode = stat.st_ino;
    }
}

/* Reports whether the descriptor still refers to the shared memory. */
static bool is_open(const struct adi_memory *memory)
{
    struct stat stat;
    return memory->fd >= 0 && fstat(memory->fd, &stat) == 0 && stat.st_dev == memory->device && stat.st_ino == memory->inode;
}

/* Returns the descriptor, or -1 with errno: EBADF if the program has closed it. A rank alone creates its heap here. */
static int descriptor(struct adi_memory *memory)
{
    if (memory->fd < 0 && memory->segment->ranks == 1) {
        int fd = adi_segment_heap(memory->segment);
        if (fd < 0)
            return -1;
        set_descriptor(memory, adi_memory_keep(fd));
    }
    errno = EBADF;
    return is_open(memory) ? memory->fd : -1;
}

void adi_memory_begin(struct adi_memory *memory, struct adi_segment *segment, int fd)
{
    *memory = (struct adi_memory){.segment = segment};
    MPID_THREAD_DS_LOCK_INIT(memory);
    set_descriptor(memory, fd);
}

void adi_memory_leave(struct adi_memory *memory)
{
    if (is_open(memory))
        close(memory->fd);
    memory->fd = -1;
}

/* ---- mappings ---- */

static void drop_mapping(struct adi_memory *memory, struct adi_mapping *mapping)
{
    munmap(mapping->address, mapping->bytes);
    mapping->address = NULL;
    memory->idle--;
}

static void drop_idle(struct adi_memory *memory)
{
    for (int i = 0; i < memory->end; i++)
        if (memory->mappings[i].address && !memory->mappings[i].uses)
            drop_mapping(memory, &memory->mappings[i]);
}

void adi_memory_end(struct adi_memory *memory)
{
    for (int i = 0; i < memory->end; i++)
        if (memory->mappings[i].address)
            munmap(memory->mappings[i].address, memory->mappings[i].bytes);
    if (memory->mappings)
        munmap(memory->mappings, ADI_OBJECTS * sizeof *memory->mappings);
    adi_memory_leave(memory);
}

/* Returns the place of an object's mapping, or NULL if memory is lacking. */
static struct adi_mapping *mapping_of(struct adi_memory *memory, int number)
{
    if (!memory->mappings) {
        void *table = mmap(NULL, ADI_OBJECTS * sizeof *memory->mappings, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (table == MAP_FAILED)
            return NULL;
        memory->mappings = table;
    }
    if (number >= memory->end)
        memory->end = number + 1;
    return &memory->mappings[number];
}

/* Maps the range of an object. Returns false with errno. A forked child does not get the mapping: it must not disturb the job. */
static bool map_range(struct adi_memory *memory, struct adi_mapping *mapping, const struct adi_object *object)
{
    int fd = descriptor(memory);
    off_t at = (off_t)(memory->segment->bytes + object->at);
    void *address = fd < 0 ? MAP_FAILED : mmap(NULL, object->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
    if (address == MAP_FAILED && fd >= 0) { /* idle mappings may use up a limit of the address space */
        drop_idle(memory);
        address = mmap(NULL, object->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
    }
    if (address == MAP_FAILED)
        return false;
    madvise(address, object->bytes, MADV_DONTFORK);
    *mapping = (struct adi_mapping){.address = address, .at = object->at, .bytes = object->bytes};
    memory->idle++;
    return true;
}

/* Returns the address of an object, or NULL with errno. An idle mapping serves again if its range is the object's. Needs the lock. */
static char *use_mapping(struct adi_memory *memory, int number)
{
    const struct adi_object *object = memory_object(memory, number);
    struct adi_mapping *mapping = mapping_of(memory, number);
    if (!mapping)
        return NULL;
    if (mapping->address && (mapping->at != object->at || mapping->bytes != object->bytes))
        drop_mapping(memory, mapping);
    if (!mapping->address && !map_range(memory, mapping, object))
        return NULL;
    if (!mapping->uses++)
        memory->idle--;
    return mapping->address;
}

/* Ends a use. Keeps the mapping if the object may be taken again. Needs the lock. */
static void unuse_mapping(struct adi_memory *memory, int number)
{
    struct adi_mapping *mapping = &memory->mappings[number];
    if (--mapping->uses)
        return;
    memory->idle++;
    if (!memory_object(memory, number)->optional)
        drop_mapping(memory, mapping);
    else if (memory->idle > IDLE)
        drop_idle(memory);
}

static int code_of(int error) { return error == EBADF ? MPIR_ERR_ARG : MPIR_ERR_EXHAUSTED; }

/* A rank maps an object at most once: later uses get the same address. */
void *MPID_Memory_map(int number, uint64_t *bytes, uint64_t *first, int *err)
{
    struct adi_memory *memory = adi_self->memory;
    const struct adi_object *object = memory_object(memory, number);
    MPID_THREAD_DS_LOCK(memory, true);
    char *address = use_mapping(memory, number);
    int error = address ? 0 : errno;
    MPID_THREAD_DS_UNLOCK(memory, true);
    if (error)
        *err = code_of(error);
    *bytes = object->asked;
    *first = object->first;
    return address;
}

/* The highest mark counts, whichever rank comes last. */
void MPID_Memory_unmap(int number, uint64_t mark)
{
    struct adi_memory *memory = adi_self->memory;
    atomic_ullong *highest = &memory_object(memory, number)->mark;
    unsigned long long before = atomic_load_explicit(highest, memory_order_relaxed);
    while (before < mark && !atomic_compare_exchange_weak_explicit(highest, &before, mark, memory_order_relaxed, memory_order_relaxed)) {
    }
    MPID_THREAD_DS_LOCK(memory, true);
    unuse_mapping(memory, number);
    MPID_THREAD_DS_UNLOCK(memory, true);
}

/* ---- pages ---- */

/* Reserves the pages of a range, or gives them back. Blocks all signals, because a timer may interrupt the call again and again. Returns 0,
 * or an error as errno has it. */
static int change_pages(struct adi_memory *memory, const struct adi_object *object, bool reserve)
{
    sigset_t all, before;
    int fd = descriptor(memory);
    if (fd < 0)
        return errno;
    off_t at = (off_t)(memory->segment->bytes + object->at), bytes = (off_t)object->bytes;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = reserve ? posix_fallocate(fd, at, bytes) : fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, bytes) ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* Writes zeros to an object, where the file system cannot take its pages back. Returns false if it cannot be mapped. */
static bool clear_object(struct adi_memory *memory, int number)
{
    MPID_THREAD_DS_LOCK(memory, true);
    char *address = use_mapping(memory, number);
    if (address) {
        memset(address, 0, memory_object(memory, number)->bytes);
        unuse_mapping(memory, number);
    }
    MPID_THREAD_DS_UNLOCK(memory, true);
    return address;
}

/* Gives the pages of an object without users back to the kernel, and makes its range free. The range stays out of use until the job
 * ends if neither is possible. */
static void give_back(struct adi_state *st, int number)
{
    struct adi_heap *heap = adi_heap_of(st->segment);
    if (change_pages(st->memory, &heap->objects[number], false) && !clear_object(st->memory, number))
        return;
    if (!adi_heap_lock(st->segment, st->rank))
        return;
    adi_heap_free(heap, number);
    adi_heap_unlock(heap);
}

/* Gives a spare object back to the kernel. Returns false if there is none. */
static bool give_back_spare(struct adi_state *st)
{
    struct adi_heap *heap = adi_heap_of(st->segment);
    if (!adi_heap_lock(st->segment, st->rank))
        return false;
    int number = adi_heap_unkeep(heap);
    adi_heap_unlock(heap);
    if (number < 0)
        return false;
    give_back(st, number);
    return true;
}

/* ---- objects ---- */

/* Gives spare objects back, one after the other, until there is room. Reserves pages without the lock of the heap,
 * because no other rank knows the object yet. */
int MPID_Memory_take(int64_t bytes, int users, bool optional, const char *name, int *err)
{
    struct adi_state *st = adi_self;
    struct adi_heap *heap = adi_heap_of(st->segment);
    int error;
    do {
        bool fresh;
        if (!st->segment->heap_bytes || !adi_heap_lock(st->segment, st->rank)) {
            *err = st->segment->heap_bytes ? MPIR_ERR_PEER : MPIR_ERR_EXHAUSTED;
            return ADI_NO_OBJECT;
        }
        int number = adi_heap_take(heap, bytes > 0 ? (uint64_t)bytes : 1, users, optional, name, &fresh);
        adi_heap_unlock(heap);
        error = number < 0 ? ENOMEM : fresh ? change_pages(st->memory, &heap->objects[number], true) : 0;
        if (!error)
            return number;
        if (number >= 0)
            give_back(st, number);
    } while (error != EBADF && give_back_spare(st));
    *err = code_of(error);
    return ADI_NO_OBJECT;
}

/* The object is laid out as the segment is: pages are reserved only in a file, whose file system may be full. Of a memfd, only those that are
 * used take memory. */
int MPID_Memory_of_all(int64_t bytes, const char *name)
{
    struct adi_state *st = adi_self;
    struct adi_heap *heap = adi_heap_of(st->segment);
    if (!st->segment->heap_bytes || !adi_heap_lock(st->segment, st->rank))
        return ADI_NO_OBJECT;
    if (!heap->all) {
        bool fresh;
        int number = adi_heap_take(heap, (uint64_t)bytes, (int)st->segment->ranks, true, name, &fresh);
        if (number >= 0 && adi_segment_is_file(st->memory->fd) && change_pages(st->memory, &heap->objects[number], true)) {
            change_pages(st->memory, &heap->objects[number], false);
            adi_heap_free(heap, number);
            number = ADI_NO_OBJECT;
        }
        heap->all = number < 0 ? -1 : number + 1;
    }
    int number = heap->all < 0 ? ADI_NO_OBJECT : heap->all - 1;
    adi_heap_unlock(heap);
    return number;
}

/* Release: this rank's accesses come before. Acquire: the last user owns the object alone. */
void MPID_Memory_drop(int number, int parts)
{
    struct adi_state *st = adi_self;
    struct adi_heap *heap = adi_heap_of(st->segment);
    if (atomic_fetch_sub_explicit(&heap->objects[number].users, parts, memory_order_acq_rel) != parts)
        return;
    if (!adi_heap_lock(st->segment, st->rank))
        return;
    bool kept = adi_heap_keep(heap, number);
    adi_heap_unlock(heap);
    if (!kept)
        give_back(st, number);
}

void MPID_Memory_name(int number, const char *name)
{
    char *text = memory_object(adi_self->memory, number)->name;
    size_t length = strnlen(name, ADI_OBJECT_NAME - 1);
    memcpy(text, name, length);
    memset(text + length, 0, ADI_OBJECT_NAME - length);
}

int64_t MPID_Memory_optional(void) { return (int64_t)atomic_load_explicit(&adi_heap_of(adi_self->segment)->optional, memory_order_relaxed); }
