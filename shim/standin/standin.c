/*
 * A stand-in: a library without symbols. The linker builds it with the soname of an MPI library
 * and a dependency on the front. When it is preloaded, every request for that soname finds it,
 * and the front is loaded as its dependency, in place of the library.
 */
#include "version.h"
