/*
 * The memory of schedules: a part of the schedule itself, and then blocks of a pool. State: blocks and kept of
 * em->schedules (state.h), with its lock.
 */
#include "schedule.h"

#include <stdlib.h>

enum {
    BLOCK_BYTES = 65536,   /* of the smallest block */
    KEPT_BYTES = 2 << 20,  /* most bytes of all blocks in the pool */
};

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
    bytes = (bytes + 63) & ~(int64_t)63;
    if (posix_memalign((void **)&block, 64, sizeof *block + (size_t)bytes))
        return NULL;
    block->bytes = bytes;
    return block;
}

/* Returns a block to the pool, or frees it if the pool is full. */
static void give_memory(struct memory_block *block)
{
    LOCK();
    bool keep = SCHEDULES->kept + block->bytes <= KEPT_BYTES;
    if (keep) {
        block->next = SCHEDULES->blocks;
        SCHEDULES->blocks = block;
        SCHEDULES->kept += block->bytes;
    }
    UNLOCK();
    if (!keep)
        free(block);
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
        free(block);
    }
    SCHEDULES->blocks = NULL;
    SCHEDULES->kept = 0;
}
