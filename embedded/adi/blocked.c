/*
 * The descriptions of waits, and the answers to the launcher's roll calls.
 *
 * While a thread sleeps, one of the slots in the rank's block describes its wait, as a sequence
 * lock: version is odd while the words change. Observers read it at any time. The version changes
 * if the rank has done anything since the description before, and only then.
 *
 * The launcher finds out whether the job hangs by a roll call: it counts adi_segment.call and rings all bells.
 * A waiting thread that sees a new number examines its condition and every place where work may
 * arrive once more. If it finds nothing, it answers before it sleeps. If all have answered with the
 * versions from before the call, there is work for none of them: of the ranks that have done
 * something since, the first one would have found it before, without an answer. A thread that does not run
 * (a signal handler, a stopped process) does not answer. No other protocol takes part in this:
 * a wait that would not see a message could not receive it either.
 *
 * A slot belongs to the thread whose number it has. No locks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "request.h"
#include "segment.h"
#include "waiting.h"

void adi_name_caller(const struct adi_state *st, struct MPID_Blocked *blocked)
{
    if (!st->config.caller_of)
        return;
    const char *name = st->config.caller_of(blocked->function);
    if (name != blocked->function)
        memcpy(blocked->function, name, strnlen(name, sizeof blocked->function - 1) + 1);
}

/* Sets the kind of each message by its context. */
static void set_kinds(const struct adi_state *st, struct MPID_Blocked *blocked)
{
    for (int i = 0; i < blocked->peers; i++)
        if (blocked->peer[i].kind == MPID_WAIT_MESSAGE && st->config.contexts && blocked->peer[i].context % st->config.contexts)
            blocked->peer[i].kind = MPID_WAIT_LIBRARY;
}

/* Adds the unexpected messages in the context that a wait is about: one of them may be meant. */
static void describe_near(struct adi_state *st, struct MPID_Blocked *blocked)
{
    struct adi_queues *q = &st->queues;
    if (!blocked->peers)
        return;
    MPID_THREAD_DS_LOCK(q, st->threads);
    for (const struct adi_entry *entry = q->first_entry; entry; entry = entry->after) {
        if (entry->message.context != blocked->peer[0].context)
            continue;
        if (blocked->nears < MPID_MAX_PEERS)
            blocked->near[blocked->nears++] = (struct MPID_Near){entry->message.source, entry->message.tag};
        if (++blocked->near_total == 1000)
            break; /* enough for a report */
    }
    MPID_THREAD_DS_UNLOCK(q, st->threads);
}

/* Adds a receiver that lacks room for what the thread sends. */
static void describe_full(const struct adi_state *st, struct MPID_Blocked *blocked)
{
    for (int i = 0; i < blocked->peers && !blocked->full_kb; i++) {
        int to = blocked->peer[i].grank;
        if (blocked->peer[i].lrank < 0 && to >= 0 && st->peers[to].device->full && (blocked->full_kb = st->peers[to].device->full(st, to)))
            blocked->full = to;
    }
}

/* Takes a slot for a thread. Returns its number plus 1, or 0 if there is none. A thread that has left a wait by
 * siglongjmp still has its slot. The slot of a thread that has ended so is taken if no other is free. */
static int take_slot(struct adi_state *st, unsigned thread)
{
    for (int i = 0; i < MPID_MAX_BLOCKED; i++)
        if (atomic_load_explicit(&st->block->blocked[i].thread, memory_order_relaxed) == thread)
            return i + 1;
    for (int dead = 0; dead <= 1; dead++)
        for (int i = 0; i < MPID_MAX_BLOCKED; i++) {
            atomic_uint *owner = &st->block->blocked[i].thread;
            unsigned before = dead ? atomic_load_explicit(owner, memory_order_relaxed) : 0;
            if (before && (syscall(SYS_tgkill, getpid(), before, 0) == 0 || errno != ESRCH))
                continue;
            if (atomic_compare_exchange_strong_explicit(owner, &before, thread, memory_order_acquire, memory_order_relaxed))
                return i + 1;
        }
    return 0;
}

/* Makes the version of a slot odd, and returns it. It is odd already if a handler has left the wait during a change. */
static unsigned begin_change(struct adi_block *block, int slot)
{
    unsigned odd = atomic_load_explicit(&block->blocked[slot].version, memory_order_relaxed) | 1;
    atomic_store_explicit(&block->blocked[slot].version, odd, memory_order_relaxed);
    return odd;
}

void adi_describe_wait(struct adi_state *st, struct adi_pause *pause, const struct MPID_Blocked *why)
{
    uint64_t words[ADI_BLOCKED_WORDS] = {0};
    bool changed = pause->progress || !pause->slot;
    struct MPID_Blocked blocked = *why;
    blocked.since = pause->begin;
    blocked.thread = (int32_t)syscall(SYS_gettid);
    blocked.threads |= st->threads ? MPID_OTHERS_CALL : 0;
    adi_name_caller(st, &blocked);
    set_kinds(st, &blocked);
    describe_near(st, &blocked);
    describe_full(st, &blocked);
    if (!pause->slot)
        pause->slot = take_slot(st, (unsigned)blocked.thread);
    if (!pause->slot)
        return; /* more threads sleep than there are slots */
    memcpy(words, &blocked, sizeof blocked);
    for (int i = 0; i < ADI_BLOCKED_WORDS; i++)
        changed |= atomic_load_explicit(&st->block->blocked[pause->slot - 1].words[i], memory_order_relaxed) != words[i];
    if (!changed)
        return;
    pause->progress = false;
    unsigned odd = begin_change(st->block, pause->slot - 1);
    for (int i = 0; i < ADI_BLOCKED_WORDS; i++) /* release: after the odd version */
        atomic_store_explicit(&st->block->blocked[pause->slot - 1].words[i], words[i], memory_order_release);
    atomic_store_explicit(&st->block->blocked[pause->slot - 1].version, odd + 1, memory_order_release);
}

void adi_unpause(struct adi_state *st, struct adi_pause *pause)
{
    if (adi_likely(!pause->slot))
        return;
    int slot = pause->slot - 1;
    pause->slot = 0;
    unsigned odd = begin_change(st->block, slot);
    atomic_store_explicit(&st->block->blocked[slot].words[0], 0, memory_order_release);
    atomic_store_explicit(&st->block->blocked[slot].version, odd + 1, memory_order_release);
    atomic_store_explicit(&st->block->blocked[slot].thread, 0, memory_order_release);
}

bool adi_answer_call(struct adi_state *st, struct adi_pause *pause)
{
    /* Sequentially consistent: the launcher sees asleep after it has stored the number, or this thread sees the
     * number. What other ranks had done before the call is visible. */
    unsigned call = atomic_load_explicit(&st->segment->call, memory_order_seq_cst);
    bool examined = call == pause->call;
    pause->call = call;
    if (!examined || !pause->slot)
        return examined;
    int slot = pause->slot - 1;
    unsigned version = atomic_load_explicit(&st->block->blocked[slot].version, memory_order_relaxed);
    atomic_store_explicit(&st->block->blocked[slot].answer, (unsigned long long)call << 32 | version, memory_order_release);
    return true;
}

int MPID_Read_blocked(const void *memory, int rank, int number, struct MPID_Blocked *blocked)
{
    const struct adi_segment *segment = memory;
    if (rank < 0 || rank >= (int)segment->ranks || number < 0 || number >= MPID_MAX_BLOCKED)
        return 0;
    struct adi_block *block = adi_block_of((struct adi_segment *)(uintptr_t)segment, rank);
    uint64_t words[ADI_BLOCKED_WORDS];
    for (;;) {
        unsigned before = atomic_load_explicit(&block->blocked[number].version, memory_order_acquire);
        if (!(before & 1)) {
            for (int i = 0; i < ADI_BLOCKED_WORDS; i++) /* acquire: before the version is read again */
                words[i] = atomic_load_explicit(&block->blocked[number].words[i], memory_order_acquire);
            if (atomic_load_explicit(&block->blocked[number].version, memory_order_relaxed) == before)
                break;
        }
        sched_yield();
    }
    memcpy(blocked, words, sizeof *blocked);
    return blocked->function[0] != '\0';
}

struct MPID_Blocked adi_why(struct adi_state *st, struct MPIR_COMMUNICATOR *comm, const char *function, int32_t lrank, int32_t grank, int32_t tag, int32_t context)
{
    struct MPID_Blocked why = {.requests = 1, .peers = 1};
    strncpy(why.function, function, sizeof why.function - 1);
    if (grank < 0)
        grank = adi_grank(comm, lrank);
    if (comm && comm->name)
        strncpy(why.object, comm->name, sizeof why.object - 1);
    why.peer[0].lrank = lrank;
    why.peer[0].grank = grank;
    why.peer[0].tag = tag;
    why.peer[0].context = context;
    return why;
}
