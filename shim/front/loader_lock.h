/*
 * The order of locks between this front and the dynamic loader. The loader holds its lock while it runs
 * the constructors of a library that is opened, and these may call MPI. So a thread must never wait for
 * the loader's lock while it holds a lock that such a call needs: it takes the loader's lock first.
 *
 * Gives: wi4go_with_loader_lock.
 * Needs: front.h.
 */
#ifndef WI4GO_LOADER_LOCK_H
#define WI4GO_LOADER_LOCK_H
#include "front.h"

/* Calls function(argument) with the loader's lock held. This thread may hold it already, but not within
   dl_iterate_phdr. */
void wi4go_with_loader_lock(void (*function)(void *argument), void *argument) HIDDEN;
#endif
