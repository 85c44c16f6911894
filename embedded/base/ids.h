/*
 * The context ids and areas that this process uses. mpi/contexts.h describes how processes agree on an id.
 *
 * Gives: em_ids_claim, em_ids_give_back, em_ids_free_runs, em_ids_copy, em_reserve_fill, em_reserve_run, em_reserve_take, em_reserve_drop,
 * em_ids_take_own, em_ids_drop, em_no_ids.
 * Needs: state.h.
 */
#ifndef WI4GO_EMBEDDED_IDS_H
#define WI4GO_EMBEDDED_IDS_H

#include "state.h"

enum { ID_WORDS = CONTEXT_IDS / 64 };

/* Takes the lowest run of free ids for communicators of several processes that is not lower than from. run: its length, a power of
 * two below 64; it begins at a multiple of that. Returns the first id, or NO_CONTEXT if there is none. */
int em_ids_claim(int from, int run);
/* Makes ids free again, which are part of a run. */
void em_ids_give_back(int id, int count);
/* Returns a bit for the first id of each run of a length that is free in a word of a set. */
uint64_t em_ids_free_runs(uint64_t used, int run);
/* Copies the set of these ids, of ID_WORDS words. */
void em_ids_copy(uint64_t *set);

/* The reserve of a communicator: it is the same in all its processes, because they create its duplicates in the same order. */
/* Returns the length of the run for which the next search for an id of its duplicates begins: twice as many each time. */
int em_reserve_run(const struct comm *comm);
/* Keeps the ids of a run on which all have agreed, except the first one. */
void em_reserve_fill(struct comm *comm, int first, int run);
/* Takes an id; one must be left. */
int em_reserve_take(struct comm *comm);
/* Gives back this process's part of all. */
void em_reserve_drop(struct comm *comm);

/* Takes ids for a communicator of this process alone. */
int em_ids_take_own(struct ids *ids);
/* Gives back this process's part of ids. */
void em_ids_drop(struct ids *ids);
/* Returns the error of a process that lacks a free context id. */
int em_no_ids(void);

#endif
