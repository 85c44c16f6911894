/* The search for a context id that is free in several processes. A search belongs to its thread; there are no locks. */
#include "contexts.h"
#include "comm.h"
#include "../base/errors.h"
#include "../coll/coll.h"
#include "../types/types.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Returns a number that spreads searches over the ids, so that unrelated communicators rarely claim one id. */
static unsigned hash_of_search(unsigned seed, unsigned n)
{
    uint64_t h = ((uint64_t)seed << 32 | n) * UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned)((h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

/* Begins at the id after the parent's latest one, which is probably free. Only a member takes part in the claim. Takes
 * an area of size users if one is free. */
void em_search_begin(struct search *s, struct comm *parent, unsigned seed, bool member, int size)
{
    *s = (struct search){.parent = parent, .member = member, .run = 1, .ids = {NO_CONTEXT, NO_AREA}};
    s->seed = hash_of_search(seed, parent ? (unsigned)parent->context : 0);
    s->next = parent ? atomic_load_explicit(&parent->next_id, memory_order_relaxed) : 0;
    if (!s->next) /* the first search of this parent */
        s->next = (int)(hash_of_search(s->seed, 0) % CONTEXT_IDS);
    s->ids.area = em_area_take(size);
    s->parts = s->ids.area != NO_AREA ? size : 0;
}

/* Gives back the ids of the last round. They were claimed before the vote, so that no other thread takes them
 * meanwhile. */
static void drop_claim(struct search *s)
{
    if (s->ids.context != NO_CONTEXT)
        em_ids_give_back(s->ids.context, s->run);
    s->ids.context = NO_CONTEXT;
}

/* Makes this process's vote: it claims a run of ids. A process without a free one votes for the number after the last. */
static void cast_vote(struct search *s)
{
    int id = INT_MIN;
    if (s->member) {
        s->ids.context = em_ids_claim(s->next, s->run);
        id = s->ids.context == NO_CONTEXT ? CONTEXT_IDS : s->ids.context;
    }
    s->vote[VOTE_HIGHEST] = id;
    s->vote[VOTE_LOWEST] = s->member ? -id : INT_MIN;
    s->vote[VOTE_AREA] = s->parts ? s->ids.area : NO_AREA;
    s->vote[VOTE_FAILED] = s->full ? FULL : 0;
    s->ballot = s->vote;
    s->count = VOTES;
    s->type = em_type_of(MPI_INT);
    s->op = em_op_of(MPI_MAX);
}

/* Makes the set of this process a ballot. */
static void show_set(struct search *s)
{
    if (s->full) {
        memset(s->used, 0xff, ID_WORDS * sizeof *s->used);
    } else if (s->member) {
        em_ids_copy(s->used);
    } else {
        memset(s->used, 0, ID_WORDS * sizeof *s->used);
    }
    s->ballot = s->used;
    s->count = ID_WORDS;
    s->type = em_type_of(MPI_UINT64_T);
    s->op = em_op_of(MPI_BOR);
}

/* Reports whether this round combines whole sets of ids. Votes are shorter messages, but may miss each other. Sets
 * find a common id if there is one. */
static bool combines_sets(const struct search *s)
{
    enum { ROUNDS = 4 }; /* rounds of votes until the next round of sets */
    return s->round % (ROUNDS + 1) == ROUNDS || s->next >= CONTEXT_IDS;
}

/* Prepares the data that the processes combine in this round: a vote, or a set of used ids. Returns an error only
 * without memory. */
int em_search_ballot(struct search *s)
{
    drop_claim(s);
    if (!combines_sets(s)) {
        cast_vote(s);
        return MPI_SUCCESS;
    }
    if (!s->used && !(s->used = malloc(ID_WORDS * sizeof *s->used)))
        return em_no_communicator();
    show_set(s);
    return MPI_SUCCESS;
}

void em_search_merge(struct search *s, const void *ballot) { em_apply(s->op, ballot, s->ballot, s->count, s->type); }

/* Changes this process's ballot so that the search fails in all processes: all ids used, and a failed vote. */
void em_search_fail(struct search *s)
{
    if (s->ballot == s->used)
        memset(s->used, 0xff, ID_WORDS * sizeof *s->used);
    s->vote[VOTE_FAILED] = FAILED;
}

/* Chooses one of the runs that are in no set. If there is none, single ids will do. */
static int decide_by_sets(struct search *s)
{
    unsigned free = 0;
    for (int word = 0; word < ID_WORDS; word++)
        free += (unsigned)__builtin_popcountll(em_ids_free_runs(s->used[word], s->run));
    if (!free && s->run == 1)
        return SEARCH_FULL;
    if (!free) {
        s->run = 1;
        s->next = CONTEXT_IDS; /* the next round combines the sets again */
        return SEARCH_AGAIN;
    }
    unsigned skip = hash_of_search(s->seed, (unsigned)s->round) % free;
    int word = 0;
    for (unsigned here; skip >= (here = (unsigned)__builtin_popcountll(em_ids_free_runs(s->used[word], s->run))); word++)
        skip -= here;
    uint64_t left = em_ids_free_runs(s->used[word], s->run);
    for (; skip; skip--)
        left &= left - 1;
    s->next = word * 64 + __builtin_ctzll(left);
    return SEARCH_AGAIN;
}

static int decide_by_votes(struct search *s)
{
    int highest = s->vote[VOTE_HIGHEST];
    if (s->vote[VOTE_FAILED])
        return s->vote[VOTE_FAILED] == FULL ? SEARCH_FULL : SEARCH_FAILED;
    if (highest == INT_MIN)
        return SEARCH_AGREED; /* no process becomes a member */
    if (highest == -s->vote[VOTE_LOWEST] && highest < CONTEXT_IDS) {
        s->ids.area = s->vote[VOTE_AREA];
        if (s->parent)
            atomic_store_explicit(&s->parent->next_id, (highest + s->run) % CONTEXT_IDS, memory_order_relaxed);
        return SEARCH_AGREED;
    }
    s->next = highest + (s->round ? (int)(hash_of_search(s->seed, (unsigned)s->round) % (16u << s->round % 8)) : 0);
    return SEARCH_AGAIN;
}

/* All processes hold equal combined ballots here, so all of them decide alike without a message. */
int em_search_decide(struct search *s)
{
    int decision = s->ballot == s->used ? decide_by_sets(s) : decide_by_votes(s);
    s->round++;
    return decision;
}

/* Frees the set of ids. Unless the processes agreed, also gives back the claimed ids and the area. */
int em_search_end(struct search *s, int err, int decision)
{
    free(s->used);
    s->used = NULL;
    if (!err && decision == SEARCH_AGREED)
        return MPI_SUCCESS;
    drop_claim(s);
    if (s->parts)
        MPID_Memory_drop(s->ids.area, s->parts);
    s->ids.area = NO_AREA;
    if (err)
        return err;
    return decision == SEARCH_FULL ? em_no_ids() : em_error(MPI_ERR_OTHER, "another process of the communicator has failed");
}

/* Repeats rounds until the processes agree or the search fails. combine exchanges the ballots. */
int em_agree(struct search *s, combine_function *combine, void *argument, struct ids *ids)
{
    int err, decision = SEARCH_AGAIN;
    while (!(err = em_search_ballot(s)) && !(err = combine(argument, s)) && (decision = em_search_decide(s)) == SEARCH_AGAIN) {
    }
    err = em_search_end(s, err, decision);
    *ids = s->ids;
    return err;
}
