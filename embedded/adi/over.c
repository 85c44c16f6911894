/* The end of a job, which any rank or the launcher declares once in the segment. No locks. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adi_launch.h"
#include "segment.h"
#include "waiting.h"
#include "wake.h"

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
    if (!adi_self)
        return;
    adi_memory_leave(adi_self->memory);
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
