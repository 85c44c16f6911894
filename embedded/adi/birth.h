/*
 * The rank, the segment and the heap of a thread, if ranks are threads: the thread stores them before it calls
 * rank_main. A process has them in its environment.
 *
 * Gives: adi_birth, adi_set_birth.
 * Needs: adi.h, memory.h.
 */
#ifndef WI4GO_BIRTH_H
#define WI4GO_BIRTH_H

#include "adi.h"
#include "memory.h"

#ifdef ADI_RANK_THREADS
/* Stores the rank, the segment and the access to its heap of the calling thread. */
void adi_set_birth(int rank, void *segment, struct adi_memory *memory);
/* Copies them into settings. */
void adi_birth(struct MPID_Config *config);
#else
static inline void adi_birth(struct MPID_Config *config) { (void)config; }
#endif

#endif
