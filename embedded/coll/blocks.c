/*
 * Blocks of memory for schedules. Blocks that are not used are kept in a pool, because a new one costs page faults.
 * State: em->schedules.blocks and kept, with its lock.
 */
#define _GNU_SOURCE
#include "schedule.h"

#include <stdlib.h>
#include <sys/mman.h>

#define SCHEDULES (&em->schedules)
#define LOCK() MPID_THREAD_DS_LOCK(SCHEDULES, em->threads)
#define UNLOCK() MPID_THREAD_DS_UNLOCK(SCHEDULES, em->threads)

enum {
    BLOCK_BYTES = 65536,    /* of the smallest block */
    KEPT_BYTES = 2 << 20,   /* of blocks in the pool at most, */
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

struct memory_block *em_take_block(int64_t bytes)
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

void em_give_block(struct memory_block *block)
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

void em_free_blocks(void)
{
    for (struct memory_block *block = SCHEDULES->blocks, *next; block; block = next) {
        next = block->next;
        free_block(block);
    }
    SCHEDULES->blocks = NULL;
    SCHEDULES->kept = 0;
}
