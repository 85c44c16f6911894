/*
 * The addresses of the runtime's functions.
 *
 * Gives: wi4go_find_functions.
 */
#ifndef WI4GO_FUNCTIONS_H
#define WI4GO_FUNCTIONS_H

/* Writes the address of each of n MPI functions of a library, a dlopen handle, or NULL if the library has none of that
   name. The PMPI_ name is preferred. A function that was not in the standard when the library was made gets the prefix MPIX_
   there, as the persistent collectives of Open MPI 4 have. In C, because 2,000 calls from Go take 1 ms. */
void wi4go_find_functions(void *library, const char *const *names, void **functions, int n);
#endif
