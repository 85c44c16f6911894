/*
 * The fast path of the device self.
 *
 * Gives: adi_send_own_fast.
 * Needs: state.h.
 */
#ifndef WI4GO_SELF_H
#define WI4GO_SELF_H

#include "state.h"

/* Sends a short message to this rank, which has one thread: matches a posted receive and copies at once, or keeps the message.
 * Returns false if it has to go the usual way. */
bool adi_send_own_fast(struct adi_state *st, const char *buf, int64_t len, int source, int tag, int context, int msgrep, int flags);

#endif
