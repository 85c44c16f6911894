/*
 * The context ids and areas that this process uses. mpi/contexts.h describes how processes agree on an id.
 *
 * Gives: em_ids_claim, em_ids_give_back, em_ids_copy, em_ids_take_own, em_ids_drop, em_no_ids.
 * Needs: state.h.
 */
#ifndef WI4GO_EMBEDDED_IDS_H
#define WI4GO_EMBEDDED_IDS_H

#include "state.h"

enum { ID_WORDS = CONTEXT_IDS / 64 };

/* Takes the lowest free id for communicators of several processes that is not lower than from. Returns NO_CONTEXT if there is none. */
int em_ids_claim(int from);
/* Makes an id free again. */
void em_ids_give_back(int id);
/* Copies the set of these ids, of ID_WORDS words. */
void em_ids_copy(uint64_t *set);
/* Takes ids for a communicator of this process alone. */
int em_ids_take_own(struct ids *ids);
/* Gives back this process's part of ids. */
void em_ids_drop(struct ids *ids);
/* Returns the error of a process that has no free context id. */
int em_no_ids(void);

#endif
