/*
 * Info objects, as other chapters use them.
 *
 * Gives: em_info_of, em_info_hints.
 * Needs: base/objects.h.
 */
#ifndef WI4GO_EMBEDDED_INFO_H
#define WI4GO_EMBEDDED_INFO_H

#include "../base/objects.h"

/* Returns the object of a handle, or NULL if it is invalid or MPI_INFO_NULL. */
struct info *em_info_of(MPI_Info handle);
/* Creates an object with the keys of info that are reserved for the standard. */
int em_info_hints(const struct info *info, MPI_Info *hints);

#endif
