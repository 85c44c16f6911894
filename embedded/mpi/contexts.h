/*
 * Context ids. Two communicators that have a process in common have different ids; disjoint ones may have the same. Each process
 * keeps a set of the ids that it uses, and the members of a new communicator agree on one that is free in all of them.
 *
 * They agree in rounds. Each member claims a free id, and all combine their votes. If they have claimed the same id, they have
 * agreed. Otherwise the next round begins at the highest of them, or after it at a distance that a hash gives: two threads whose
 * searches disturb each other do not do so forever. After some rounds, or at the end of the ids, the processes combine their sets
 * and choose one of the ids that are free in all. A search never waits for another one, so threads may
 * create communicators in any order.
 *
 * MPI_Comm_dup agrees on a run of ids, twice as many each time: the members hold those that are left in the parent's reserve, and its next
 * duplicates take one of them without an agreement.
 *
 * A communicator of one process takes an id of another range, without messages.
 *
 * The leader of a new communicator also takes an area for it (em_area_take). Its number is in the leader's vote.
 *
 * Gives: search; em_search_begin, em_search_ballot, em_search_merge, em_search_decide, em_search_end, em_agree.
 * Needs: base/ids.h.
 */
#ifndef WI4GO_EMBEDDED_CONTEXTS_H
#define WI4GO_EMBEDDED_CONTEXTS_H

#include "../base/ids.h"

/* The numbers of a vote. The result of a round is the highest of each. VOTE_FAILED: FAILED, FULL or 0. */
enum { FAILED = 1, FULL };
enum { VOTE_HIGHEST, VOTE_LOWEST /* times -1 */, VOTE_AREA, VOTE_FAILED, VOTES };

enum { SEARCH_AGREED, SEARCH_AGAIN, SEARCH_FULL, SEARCH_FAILED };

struct search {
    struct comm *parent; /* NULL: a new intercommunicator */
    bool member;     /* this process becomes a member, and not only takes part in the rounds */
    bool full;       /* it lacks an id for a communicator of its own: the search must fail in all processes */
    unsigned seed;   /* seed of the hash, equal in all processes */
    int next, round; /* next: a claim is not lower */
    int run;         /* ids to claim, which follow each other: a power of two, the same in all processes */
    struct ids ids;  /* context: the first id claimed */
    int parts;       /* parts of the area if this process has taken it, else 0 */
    int vote[VOTES];
    uint64_t *used;  /* a set, in a round that combines sets; owned */
    /* The ballot of this round. The caller replaces it by the combination of all ballots. */
    void *ballot;
    int64_t count;
    struct type *type;
    struct op *op;
};

/* Replaces s->ballot by the combination of the ballots of all processes. Returns an error code. */
typedef int combine_function(void *argument, struct search *s);

/* Begins a search. seed: distinguishes it from other searches in the same parent. size: the number of
 * members if this process is the leader of a communicator that may have an area, else 0. */
void em_search_begin(struct search *s, struct comm *parent, unsigned seed, bool member, int size);
/* Claims an id, and fills the ballot of a round. Returns MPI_ERR_NO_MEM if memory is lacking. */
int em_search_ballot(struct search *s);
/* Combines another ballot of the round with s->ballot. */
void em_search_merge(struct search *s, const void *ballot);
/* Makes the ballot one that ends the search in all processes. */
void em_search_fail(struct search *s);
/* Examines the combined ballot. SEARCH_AGREED: the communicator gets s->ids; without members, the id is NO_CONTEXT. */
int em_search_decide(struct search *s);
/* Ends a search. Returns its error: err of a round, or the last decision's. Unless it has succeeded, what it holds is given back. */
int em_search_end(struct search *s, int err, int decision);
/* Runs all rounds of a search, and stores its ids. */
int em_agree(struct search *s, combine_function *combine, void *argument, struct ids *ids);

#endif
