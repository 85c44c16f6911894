/*
 * Detects, when MPI has been initialized, the properties of a runtime of the standard ABI that
 * the standard leaves open.
 *
 * Gives: learn_statuses.
 * Needs: pair.h, status.h, replace.h.
 */
#ifndef WI4GO_STANDARD_H
#define WI4GO_STANDARD_H
#include "pair.h"
#include "status.h"
#include "replace.h"

#if R_OPAQUE_STATUS && !SAME_FAMILY
/* Sets status_words_are_known: 1 if the library uses the words of a status that the standard
   leaves to it as MPICH does (status.h). If it does not, this disables all fast paths, because
   they support only MPICH's encoding. */
static void learn_statuses(void)
{
    R_MPI_Status theirs, ours;
    int same = 1;
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        memset(&theirs, 0x5a, sizeof theirs);
        ours = theirs;
        library_set(&theirs, 0x123456789a, cancelled);
        R_encoding_set(&ours, 0x123456789a, cancelled);
        same &= !memcmp(&theirs, &ours, sizeof ours);
    }
    __atomic_store_n(&status_words_are_known, same, __ATOMIC_RELEASE);
    if (!same)
        leave_to_c();
}
#else
static inline void learn_statuses(void) {}
#endif
#endif
