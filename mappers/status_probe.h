/*
 * Detects, when MPI has been initialized, the properties of a runtime of the standard ABI that
 * the standard leaves open.
 *
 * Gives: detect_status_words.
 * Needs: pair.h, status.h, slot_replace.h.
 */
#ifndef WI4GO_STATUS_PROBE_H
#define WI4GO_STATUS_PROBE_H
#include "pair.h"
#include "status.h"
#include "slot_replace.h"

#if R_OPAQUE_STATUS && !SAME_FAMILY
/* Sets status_words_are_mpich: 1 if the library uses the words of a status that the standard
   leaves to it as MPICH does (status.h). If it does not, this disables all fast paths, because
   they support only MPICH's encoding. */
static void detect_status_words(void)
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
    __atomic_store_n(&status_words_are_mpich, same, __ATOMIC_RELEASE);
    if (!same)
        slots_use_c();
}
#else
static inline void detect_status_words(void) {}
#endif
#endif
