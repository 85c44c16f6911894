/*
 * Intel MPI's allocator. With it, programs take buffers from the heap that their ranks share
 * (I_MPI_SHM_HEAP). Other libraries have no such heap, so the memory comes from malloc.
 *
 * Gives: wi4go_builtin_impi_malloc and related functions.
 * Needs: front.h.
 */
#ifndef WI4GO_INTEL_MALLOC_H
#define WI4GO_INTEL_MALLOC_H
#include "front.h"
#include <stdlib.h>

HIDDEN void *wi4go_builtin_impi_malloc(size_t size);
void *wi4go_builtin_impi_malloc(size_t size) { return malloc(size); }

HIDDEN void *wi4go_builtin_impi_calloc(size_t count, size_t size);
void *wi4go_builtin_impi_calloc(size_t count, size_t size) { return calloc(count, size); }

HIDDEN void *wi4go_builtin_impi_realloc(void *memory, size_t size);
void *wi4go_builtin_impi_realloc(void *memory, size_t size) { return realloc(memory, size); }

HIDDEN void wi4go_builtin_impi_free(void *memory);
void wi4go_builtin_impi_free(void *memory) { free(memory); }
#endif
