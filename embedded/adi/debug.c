/*
 * The trace file and debugging output. The files belong to the state; the C library's lock of a FILE
 * keeps lines of several threads apart.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "debug.h"

/* Opens a file for this rank: each `%d` in its name is the rank. Returns NULL for NULL. */
static FILE *open_for_rank(const struct adi_state *st, const char *name)
{
    char path[4096];
    size_t n = 0;
    if (!name)
        return NULL;
    for (const char *c = name; *c && n + 16 < sizeof path; c++) {
        if (c[0] == '%' && c[1] == 'd') {
            n += (size_t)snprintf(path + n, sizeof path - n, "%d", st->rank);
            c++;
        } else {
            path[n++] = *c;
        }
    }
    path[n] = '\0';
    FILE *file = fopen(path, "a");
    if (!file)
        fprintf(stderr, "adi: rank %d cannot write %s: %m; choose another file\n", st->rank, path);
    return file;
}

/* Replaces an open file; the lines are written at once. */
static void set_file(FILE **file, FILE *other)
{
    if (*file)
        fclose(*file);
    *file = other;
    if (other)
        setvbuf(other, NULL, _IOLBF, 0);
}

/* Also takes the fast paths out of use, because they do not trace. */
void MPID_Set_tracefile(const char *name)
{
    struct adi_state *st = adi_self;
    set_file(&st->trace, open_for_rank(st, name));
    adi_set_fast_short(st);
}

void MPID_SetDebugFile(const char *name)
{
    struct adi_state *st = adi_self;
    set_file(&st->debug, open_for_rank(st, name));
}

/* Also takes the fast paths out of use while the flag is set, because they do not print. */
void MPID_SetDebugFlag(int flag)
{
    struct adi_state *st = adi_self;
    st->debug_flag = flag != 0;
    adi_set_fast_short(st);
}

void MPID_SetSpaceDebugFlag(int flag) { adi_self->space_debug = flag != 0; }

void MPID_SetPktSize(int64_t bytes) { adi_self->packet = bytes < 1 ? 1 : bytes; }

void adi_trace(struct adi_state *st, const char *what, int32_t peer, int32_t context, int32_t source, int32_t tag, int64_t bytes)
{
    fprintf(st->trace, "%lld rank %d %s peer %d context %d source %d tag %d bytes %lld\n", (long long)adi_now(), st->rank, what, peer, context, source, tag, (long long)bytes);
}

void adi_end_debug(struct adi_state *st)
{
    if (st->space_debug)
        fprintf(st->debug ? st->debug : stderr, "rank %d: %lld bytes in use, %u unexpected messages and %u receives left\n", st->rank,
                (long long)atomic_load_explicit(&st->space, memory_order_relaxed), st->queues.entries, st->queues.posted);
    set_file(&st->trace, NULL);
    set_file(&st->debug, NULL);
}
