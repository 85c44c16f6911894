/* The sets of the context ids that this process uses. State: em->ids, with a lock. */
#include "ids.h"
#include "errors.h"

#include <string.h>

static void lock_ids(void) { MPID_THREAD_DS_LOCK(&em->ids, em->threads); }
static void unlock_ids(void) { MPID_THREAD_DS_UNLOCK(&em->ids, em->threads); }

uint64_t em_ids_free_runs(uint64_t used, int run)
{
    uint64_t free = ~used;
    for (int n = 1; n < run; n *= 2)
        free &= free >> n & ~UINT64_C(0) / ((UINT64_C(1) << 2 * n) - 1);
    return free;
}

static uint64_t bits_of(int id, int count) { return ((UINT64_C(1) << count) - 1) << id % 64; }

/* Adds the lowest run of ids that are not in a set and not lower than from. Returns the first one, or NO_CONTEXT. Needs the lock. */
static int claim(uint64_t *set, int from, int run)
{
    uint64_t above = ~UINT64_C(0) << from % 64;
    for (int word = from / 64; word < ID_WORDS; word++, above = ~UINT64_C(0)) {
        uint64_t free = em_ids_free_runs(set[word], run) & above;
        if (free) {
            int id = word * 64 + __builtin_ctzll(free);
            set[word] |= bits_of(id, run);
            return id;
        }
    }
    return NO_CONTEXT;
}

void em_ids_give_back(int id, int count)
{
    uint64_t *set = id < CONTEXT_IDS ? em->ids.shared : em->ids.own;
    lock_ids();
    set[id % CONTEXT_IDS / 64] &= ~bits_of(id, count);
    unlock_ids();
}

int em_ids_claim(int from, int run)
{
    lock_ids();
    int id = claim(em->ids.shared, from, run);
    unlock_ids();
    return id;
}

void em_ids_copy(uint64_t *set)
{
    lock_ids();
    memcpy(set, em->ids.shared, sizeof em->ids.shared);
    unlock_ids();
}

int em_no_ids(void)
{
    return em_error(MPI_ERR_NO_MEM, "no context id is free: a process can have %d communicators of several processes and as many of its own; free those that the program does not use any more (MPI_Comm_free)", CONTEXT_IDS);
}

int em_ids_take_own(struct ids *ids)
{
    lock_ids();
    int id = claim(em->ids.own, em->ids.next_own, 1);
    if (id == NO_CONTEXT)
        id = claim(em->ids.own, 0, 1);
    if (id != NO_CONTEXT)
        em->ids.next_own = (id + 1) % CONTEXT_IDS;
    unlock_ids();
    *ids = (struct ids){id == NO_CONTEXT ? id : CONTEXT_IDS + id, NO_AREA};
    return id == NO_CONTEXT ? em_no_ids() : MPI_SUCCESS;
}

void em_ids_drop(struct ids *ids)
{
    if (ids->context != NO_CONTEXT)
        em_ids_give_back(ids->context, 1);
    if (ids->area != NO_AREA)
        MPID_Memory_drop(ids->area, 1);
    *ids = (struct ids){NO_CONTEXT, NO_AREA};
}

int em_reserve_run(const struct comm *comm)
{
    enum { MOST = 32 };
    return !comm->reserve.run ? 1 : comm->reserve.run < MOST ? 2 * comm->reserve.run : MOST;
}

void em_reserve_fill(struct comm *comm, int first, int run) { comm->reserve = (struct id_reserve){first + 1, run - 1, run}; }

int em_reserve_take(struct comm *comm)
{
    comm->reserve.left--;
    return comm->reserve.next++;
}

void em_reserve_drop(struct comm *comm)
{
    if (comm->reserve.left)
        em_ids_give_back(comm->reserve.next, comm->reserve.left);
    comm->reserve.left = 0;
}
