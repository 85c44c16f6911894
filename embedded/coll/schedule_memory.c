/*
 * The memory of schedules: a part of the schedule itself, and then blocks of a pool. State: blocks and kept of
 * em->schedules (state.h), with its lock.
 */
#define _GNU_SOURCE
#include "schedule.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
    BLOCK_BYTES = 65536,    /* size of the smallest block */
    KEPT_BYTES = 2 << 20,   /* most bytes of all blocks in the pool, */
    KEPT_BY_MANY = 1 << 17, /* and in a rank of a job with many ranks, whose rings take more memory */
    FEW_RANKS = 16,
};

/* Reports whether a block comes from the kernel and goes back to it. malloc would keep it. */
static bool is_from_kernel(int64_t bytes) { return bytes > KEPT_BY_MANY && MPID_MyWorldSize > FEW_RANKS; }

static struct memory_block *new_block(int64_t bytes)
{
    struct memory_block *block;
    size_t all = sizeof *block + (size_t)bytes;
    if (is_from_kernel(bytes))
        block = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    else if (posix_memalign((void **)&block, 64, all))
        return NULL;
    if (block == MAP_FAILED)
        return NULL;
    block->bytes = bytes;
    return block;
}

static void free_block(struct memory_block *block)
{
    if (is_from_kernel(block->bytes))
        munmap(block, sizeof *block + (size_t)block->bytes);
    else
        free(block);
}

/* Returns a block of at least some bytes from the pool, or a new one, or NULL if memory is lacking or bytes is negative. */
static struct memory_block *take_memory(int64_t bytes)
{
    if (bytes < 0)
        return NULL;
    LOCK();
    struct memory_block **place = &SCHEDULES->blocks, *block;
    while ((block = *place) && block->bytes < bytes)
        place = &block->next;
    if (block) {
        *place = block->next;
        SCHEDULES->kept -= block->bytes;
    }
    UNLOCK();
    if (block)
        return block;
    if (bytes < BLOCK_BYTES)
        bytes = BLOCK_BYTES;
    return new_block((bytes + 63) & ~(int64_t)63);
}

/* Returns a block to the pool, or frees it if the pool is full. */
static void give_memory(struct memory_block *block)
{
    int64_t most = MPID_MyWorldSize > FEW_RANKS ? KEPT_BY_MANY : KEPT_BYTES;
    LOCK();
    bool keep = SCHEDULES->kept + block->bytes <= most;
    if (keep) {
        block->next = SCHEDULES->blocks;
        SCHEDULES->blocks = block;
        SCHEDULES->kept += block->bytes;
    }
    UNLOCK();
    if (!keep)
        free_block(block);
}

void *em_schedule_memory(struct schedule *s, int64_t bytes)
{
    if (unlikely(!s))
        return NULL;
    bytes = bytes > INT64_MAX / 2 ? -1 : (bytes + 15) & ~(int64_t)15;
    struct memory_block *block = s->blocks;
    int64_t room = block ? block->bytes : SCHEDULE_BYTES;
    if (bytes > room - s->used || unlikely(bytes < 0)) {
        block = take_memory(bytes);
        if (unlikely(!block)) {
            s->error = s->error ? s->error : MPI_ERR_NO_MEM;
            s->stopped = true;
            return NULL;
        }
        block->next = s->blocks;
        s->blocks = block;
        s->used = 0;
    }
    char *memory = (block ? block->data : s->memory) + s->used;
    s->used += bytes;
    return memory;
}

void *em_schedule_elements(struct schedule *s, int64_t count, struct type *type)
{
    int64_t extent = type->device.extent, between, bytes;
    if (!count)
        return em_schedule_memory(s, 0);
    if (__builtin_mul_overflow(count - 1, extent, &between) || __builtin_add_overflow(between < 0 ? -between : between, type->true_extent, &bytes))
        bytes = INT64_MAX;
    char *memory = em_schedule_memory(s, bytes);
    return memory ? memory - (between < 0 ? between : 0) - type->device.true_lb : NULL;
}

void em_release_blocks(struct schedule *s)
{
    while (s->blocks) {
        struct memory_block *block = s->blocks;
        s->blocks = block->next;
        give_memory(block);
    }
}

void em_free_memory_pool(void)
{
    for (struct memory_block *block = SCHEDULES->blocks, *next; block; block = next) {
        next = block->next;
        free_block(block);
    }
    SCHEDULES->blocks = NULL;
    SCHEDULES->kept = 0;
}
