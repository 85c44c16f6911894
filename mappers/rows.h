/*
 * Rows of the tables of a pair (generated): a function with a fast path has the assembly, and
 * the C that the assembly leaves calls to. Elsewhere it has its C.
 *
 * Gives: FAST, FORTRAN_FAST, DESCRIBED_FAST.
 * Needs: pair.h.
 */
#ifndef WI4GO_ROWS_H
#define WI4GO_ROWS_H
#include "pair.h"

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
