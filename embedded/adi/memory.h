/*
 * This process's access to the heap: the descriptor of the shared memory, and the objects that it has mapped.
 *
 * Gives: adi_memory, adi_memory_begin, adi_memory_end, adi_memory_leave, adi_memory_keep.
 * Needs: heap.h, adi_threads.h.
 */
#ifndef WI4GO_MEMORY_H
#define WI4GO_MEMORY_H

#include <sys/types.h>

#include "adi_threads.h"
#include "heap.h"

/* An object that this process has mapped. at, bytes: the range of the mapping, which another object may have had. */
struct adi_mapping {
    char *address;      /* or NULL */
    uint64_t at, bytes;
    int uses;           /* MPID_Memory_map without MPID_Memory_unmap; 0: the mapping is idle */
};

struct adi_memory {
    struct adi_segment *segment;
    int fd;                       /* the descriptor of the shared memory, or -1 in a rank alone before its first object */
    dev_t device;                 /* its file: the program may have closed the descriptor, and opened another file */
    ino_t inode;
    struct adi_mapping *mappings; /* by the number of the object, or NULL before the first one; owned */
    int end, idle;                /* numbers from end on were never mapped; idle: number of idle mappings */
    MPID_THREAD_DS_LOCK_DECLARE   /* protects the mappings; ranks that are threads share this structure */
};

/* Returns a descriptor of the same file with a higher number, which programs do not expect to be free, and closes the given
 * one. A program that the rank executes does not inherit it. */
int adi_memory_keep(int fd);
/* Begins to use the heap of a segment. fd: the descriptor, which the memory owns, or -1. */
void adi_memory_begin(struct adi_memory *memory, struct adi_segment *segment, int fd);
/* Unmaps all objects, and closes the descriptor. */
void adi_memory_end(struct adi_memory *memory);
/* Closes the descriptor in a process that the rank has forked: it would keep the memory after the end of the job. */
void adi_memory_leave(struct adi_memory *memory);

#endif
