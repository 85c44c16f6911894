/*
 * The memory of unexpected messages (room.c).
 *
 * Gives: adi_find_room, adi_limit_sender, adi_unlimit_senders.
 * Needs: state.h.
 */
#ifndef WI4GO_ROOM_H
#define WI4GO_ROOM_H

#include "state.h"

/* Raises the limit for unexpected messages, which is exceeded, if memory is available. Returns whether it has. Needs the queues' lock. */
bool adi_find_room(struct adi_state *st);
/* Raises the limit like adi_find_room, or else throttles the sender of the latest message, unless it is throttled. Needs the queues' lock. */
void adi_limit_sender(struct adi_state *st, int from);
/* Lets all throttled senders send again. Needs the queues' lock. */
void adi_unlimit_senders(struct adi_state *st);

#endif
