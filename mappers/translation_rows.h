/*
 * Rows of the generated tables of a pair. On a processor with fast paths, the row of such a
 * function lists the assembly, and the fallback in C to which the assembly leaves unusual calls.
 * On others it lists the function's C.
 *
 * Gives: FAST, FORTRAN_FAST, DESCRIBED_FAST.
 * Needs: pair.h.
 */
#ifndef WI4GO_TRANSLATION_ROWS_H
#define WI4GO_TRANSLATION_ROWS_H
#include "pair.h"

/* FAST is the row of a function. FORTRAN_FAST and DESCRIBED_FAST are the assembly of a Fortran
   procedure, the latter with descriptors, or 0. */
#if FAST_PATHS
#define FAST(name, c, fallback) {(void *)PAIR(name), (void *)fallback}
#define FORTRAN_FAST(name) (void *)PAIR(fortran_##name)
#define DESCRIBED_FAST(name) (void *)PAIR(described_##name)
#else
#define FAST(name, c, fallback) {c, 0}
#define FORTRAN_FAST(name) 0
#define DESCRIBED_FAST(name) 0
#endif
#endif
