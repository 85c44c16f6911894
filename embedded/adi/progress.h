/*
 * Progress: one round of all devices (progress.c).
 *
 * Gives: adi_poll, adi_start_progress.
 * Needs: state.h.
 */
#ifndef WI4GO_PROGRESS_H
#define WI4GO_PROGRESS_H

#include "state.h"

/* Prepares adi_poll for the devices in st->devices. */
void adi_start_progress(struct adi_state *st);

/* One round of progress. all: wait for locks that another thread holds. Returns whether anything happened. */
static inline bool adi_poll(struct adi_state *st, bool all) { return st->poll(st, all); }

#endif
