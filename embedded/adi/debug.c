/*
 * The trace file, debugging output, and the end of a job. The files belong to the state; the C
 * library's lock of a FILE keeps lines of several threads apart.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

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

void adi_debug(struct adi_state *st, const char *what, int rank, const struct adi_line *line)
{
    static const char *const kinds[] = {"nothing", "short", "eager", "request to send", "clear to send", "acknowledgement", "chunk", "lines", "written", "read"};
    const char *kind = line->kind < sizeof kinds / sizeof *kinds ? kinds[line->kind] : "unknown";
    FILE *file = st->debug ? st->debug : stderr;
    bool message = line->kind <= ADI_RTS || line->kind == ADI_LINES;
    fprintf(file, "rank %d: %s %s rank %d: context %d source %d tag %d bytes %lld flags %d\n", st->rank, kind, what, rank,
            message ? line->context : -1, message ? line->source : -1, message ? line->tag : -1,
            (long long)(line->kind == ADI_SHORT || line->kind == ADI_LINES || line->kind == ADI_EAGER ? line->len : line->kind == ADI_ACK ? 0 : line->bytes), message || line->kind == ADI_CTS ? line->flags : 0);
}

void adi_end_debug(struct adi_state *st)
{
    if (st->space_debug)
        fprintf(st->debug ? st->debug : stderr, "rank %d: %lld bytes in use, %u unexpected messages and %u receives left\n", st->rank,
                (long long)atomic_load_explicit(&st->space, memory_order_relaxed), st->queues.entries, st->queues.posted);
    set_file(&st->trace, NULL);
    set_file(&st->debug, NULL);
}

/* ---- the end of a job ---- */

void adi_segment_over(void *memory, int rank, int why, int code)
{
    struct adi_segment *segment = memory;
    int nobody = 0;
    /* over_rank is claimed first, by rank + 1; `over` is stored last (release). */
    if (!atomic_compare_exchange_strong(&segment->over_rank, &nobody, rank + 1))
        return;
    atomic_store_explicit(&segment->over_code, code, memory_order_relaxed);
    atomic_store_explicit(&segment->over, (unsigned)why, memory_order_seq_cst);
    for (int other = 0; other < (int)segment->ranks; other++)
        adi_wake(adi_block_of(segment, other));
}

int adi_segment_is_over(const void *memory, int *rank, int *code)
{
    const struct adi_segment *segment = memory;
    unsigned over = atomic_load_explicit(&segment->over, memory_order_acquire);
    *rank = atomic_load_explicit(&segment->over_rank, memory_order_relaxed) - 1;
    *code = atomic_load_explicit(&segment->over_code, memory_order_relaxed) + (over == ADI_OVER_SIGNAL ? 128 : 0);
    return over != 0;
}

bool adi_segment_tell(void *memory, const char *message)
{
    struct adi_segment *segment = memory;
    unsigned hash = 2166136261u; /* FNV-1a */
    for (const char *byte = message; *byte; byte++)
        hash = (hash ^ (unsigned char)*byte) * 16777619u;
    hash |= 1;
    for (size_t i = 0; i < sizeof segment->told / sizeof *segment->told; i++) {
        unsigned before = 0;
        if (atomic_compare_exchange_strong(&segment->told[i], &before, hash))
            return true;
        if (before == hash)
            return false;
    }
    return false;
}

void MPID_Leave(void)
{
    if (adi_self)
        adi_self->segment = NULL; /* it is not mapped here */
}

void MPID_Abort(struct MPIR_COMMUNICATOR *comm, int code, const char *facility, const char *string)
{
    struct adi_state *st = adi_self;
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s", facility ? facility : "", facility ? ": " : "", string ? string : "the program has aborted the job");
    if (!st || !st->segment || adi_segment_tell(st->segment, text))
        fprintf(stderr, "rank %d: %s\n", st ? st->rank : MPID_MyWorldRank, text);
    fflush(NULL);
    if (st && st->segment)
        adi_segment_over(st->segment, st->rank, ADI_OVER_ABORT, code);
    _exit(code);
}

void adi_job_is_over(struct adi_state *st, const struct MPID_Blocked *why)
{
    struct adi_segment *segment = st->segment;
    int rank = atomic_load_explicit(&segment->over_rank, memory_order_relaxed) - 1; /* after `over` (acquire) */
    int code = atomic_load_explicit(&segment->over_code, memory_order_relaxed);
    unsigned over = atomic_load_explicit(&segment->over, memory_order_acquire);
    bool signal = over == ADI_OVER_SIGNAL;
    struct MPID_Blocked named = {0};
    char text[256] = "";
    if (why) /* NULL: nothing is printed after an abort */
        named = *why;
    adi_name_caller(st, &named);
    if (over == ADI_OVER_UNFINISHED)
        snprintf(text, sizeof text, "rank %d has ended without finalizing; %s cannot complete", rank, named.function);
    if (signal)
        snprintf(text, sizeof text, "rank %d was ended by signal %d (%s); %s cannot complete", rank, code, strsignal(code), named.function);
    if (*text && adi_segment_tell(segment, text))
        fprintf(stderr, "rank %d: %s\n", st->rank, text);
    fflush(NULL);
    _exit(signal ? 128 + code : code);
}
