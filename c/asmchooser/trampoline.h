/*
 * The size of a trampoline pool: one page of the largest page size that the architecture
 * has, because code and data are mapped separately.
 *
 * Gives: WI4GO_POOL, WI4GO_POOL_SHIFT.
 */
#ifndef WI4GO_TRAMPOLINE_H
#define WI4GO_TRAMPOLINE_H

#if defined(__aarch64__)
#define WI4GO_POOL_SHIFT 16
#else
#define WI4GO_POOL_SHIFT 12
#endif
#define WI4GO_POOL (1 << WI4GO_POOL_SHIFT)
#endif
