/*
 * The turns of the ranks on a core (turns.c).
 *
 * Gives: adi_yield, adi_can_sort, adi_place, adi_part, adi_show_core, adi_leave_core, adi_have_core.
 * Needs: waiting.h.
 */
#ifndef WI4GO_TURNS_H
#define WI4GO_TURNS_H

#include "waiting.h"

/* Leaves the core to another rank, unless the rank that this one waits for (awaited, or -1 if not known) runs on another
 * core and does something for it soon. */
void adi_yield(struct adi_state *st, struct adi_pause *pause, int awaited);
/* Reports whether the ranks of a core can be sorted. */
bool adi_can_sort(const struct adi_state *st);
/* Places this rank on one of the cores, if ranks outnumber cores and it has just begun. */
void adi_place(struct adi_state *st);
/* Moves this rank to a core of its own if another rank is on the same core. Nothing keeps it there. Returns false if no core is free. */
bool adi_part(struct adi_state *st);
/* Publishes the core that this rank runs on, and returns it, or -1. */
int adi_show_core(struct adi_state *st);
/* Note that this rank sleeps, and that it runs again. */
void adi_leave_core(struct adi_state *st);
void adi_have_core(struct adi_state *st);

#endif
