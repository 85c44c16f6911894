/*
 * Huge pages for the buffers of long messages. A buffer that a program uses again and again is turned into huge pages, one
 * for each message. Copies then look up fewer addresses; direct.c gains most, because there the kernel looks up each page.
 * Only memory whose pages all exist is changed, so the program needs no more than before.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

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

/* Returns the size of a huge page in bytes, or 0 if there are none here, or the administrator wants none. */
static int64_t huge_page(struct adi_state *st)
{
    enum { MOST = 4 << 20 };
    char text[64];
    int64_t size = atomic_load_explicit(&st->huge_page, memory_order_relaxed); /* any thread may find it */
    if (size >= 0)
        return size;
    read_setting("enabled", text, sizeof text);
    bool wanted = *text && !strstr(text, "[never]");
    read_setting("hpage_pmd_size", text, sizeof text);
    size = wanted ? atol(text) : 0;
    if (size > MOST)
        size = 0;
    atomic_store_explicit(&st->huge_page, size, memory_order_relaxed);
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

/* Returns what is known of a buffer. The oldest one is forgotten for a new one. */
static struct adi_buffer *find_buffer(struct adi_buffers *buffers, char *start, int64_t size)
{
    enum { RECENT = sizeof buffers->recent / sizeof *buffers->recent };
    for (int i = 0; i < RECENT; i++)
        if (buffers->recent[i].start == start)
            return &buffers->recent[i];
    struct adi_buffer *buffer = &buffers->recent[buffers->oldest++ % RECENT];
    *buffer = (struct adi_buffer){.start = start, .next = start - (uintptr_t)start % (uintptr_t)size};
    return buffer;
}

/* Makes the next huge page of a buffer. A failure changes nothing. */
static void make_huge(struct adi_buffer *buffer, int64_t size)
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

static uint8_t units_of(int64_t bytes)
{
    enum { UNIT = 65536 };
    return (uint8_t)(bytes <= 0 ? 0 : bytes >= 255 * UNIT ? 255 : bytes / UNIT);
}

struct adi_rims adi_use_buffer(struct adi_state *st, struct adi_buffers *buffers, char *start, int64_t bytes)
{
    int64_t size = start && bytes >= st->config.direct_min && st->config.huge_uses > 0 ? huge_page(st) : 0;
    if (!size)
        return (struct adi_rims){0};
    struct adi_buffer *buffer = find_buffer(buffers, start, size);
    if (buffer->next < start + bytes && ++buffer->uses >= st->config.huge_uses)
        make_huge(buffer, size);
    if (!buffer->first)
        return (struct adi_rims){0};
    return (struct adi_rims){units_of(buffer->first - start), units_of(start + bytes - buffer->after)};
}
