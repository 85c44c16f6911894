/*
 * The end of objects: each function takes a reference away.
 *
 * Gives: em_comm_release, em_group_release and the others.
 * Needs: objects.h.
 */
#ifndef WI4GO_EMBEDDED_RELEASE_H
#define WI4GO_EMBEDDED_RELEASE_H

#include "objects.h"

/* These take a reference away and free the object with the last one. NULL does nothing. */
void em_group_release(struct group *group);
void em_comm_release(struct comm *comm);
void em_info_release(struct info *info);

#endif
