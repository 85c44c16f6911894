/*
 * Huge pages for the buffers of long messages. A buffer that a program uses again and again is turned into huge pages, one
 * for each message. Copies then look up fewer addresses; direct.c gains most, because there the kernel looks up each page.
 * Only memory whose pages all exist is changed, so the program needs no more than before. policy.c decides which buffers
 * they are. State: adi_shm.huge_page. No locks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shm.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

/* Reads a file of the kernel's directory for huge pages. Returns an empty string if it cannot be read. */
static void read_setting(const char *name, char *text, int size)
{
    char path[64];
    snprintf(path, sizeof path, "/sys/kernel/mm/transparent_hugepage/%s", name);
    FILE *file = fopen(path, "re");
    if (!file || !fgets(text, size, file))
        *text = 0;
    if (file)
        fclose(file);
}

int64_t adi_huge_page(struct adi_state *st)
{
    enum { MOST = 4 << 20 };
    char text[64];
    int64_t size = atomic_load_explicit(&adi_shm_of(st)->huge_page, memory_order_relaxed); /* any thread may find it */
    if (size >= 0)
        return size;
    read_setting("enabled", text, sizeof text);
    bool wanted = *text && !strstr(text, "[never]");
    read_setting("hpage_pmd_size", text, sizeof text);
    size = wanted ? atol(text) : 0;
    if (size > MOST)
        size = 0;
    atomic_store_explicit(&adi_shm_of(st)->huge_page, size, memory_order_relaxed);
    return size;
}

/* Reports whether all pages of a block are in memory, so that a huge page needs no more. */
static bool is_resident(char *block, int64_t bytes)
{
    enum { MOST = 1024 };
    unsigned char pages[MOST];
    int64_t n = bytes / sysconf(_SC_PAGESIZE);
    if (n > MOST || mincore(block, (size_t)bytes, pages))
        return false;
    for (int64_t i = 0; i < n; i++)
        if (!(pages[i] & 1))
            return false;
    return true;
}

void adi_make_huge(struct adi_buffer *buffer, int64_t size)
{
    enum { MOST_FAILURES = 16 };
    if (is_resident(buffer->next, size)) {
        if (madvise(buffer->next, (size_t)size, MADV_COLLAPSE) == 0) {
            if (!buffer->first)
                buffer->first = buffer->next;
            buffer->after = buffer->next + size;
        } else if ((errno == EAGAIN || errno == EBUSY) && buffer->failures++ < MOST_FAILURES) {
            return; /* tried again with the next message: another rank may have copied from these pages */
        }
    }
    buffer->next += size;
}
