/*
 * The trace file and debugging output (debug.c).
 *
 * Gives: adi_trace, adi_end_debug.
 * Needs: state.h.
 */
#ifndef WI4GO_DEBUG_H
#define WI4GO_DEBUG_H

#include "state.h"

/* Writes a line about a message to the trace file. */
void adi_trace(struct adi_state *st, const char *what, int32_t peer, int32_t context, int32_t source, int32_t tag, int64_t bytes);
/* Prints the memory in use if that is wanted, and closes the files. */
void adi_end_debug(struct adi_state *st);

#endif
