/*
 * A stand-in: a library without a symbol, of which the linker makes one that has an
 * MPI library's soname and needs the front. Preloaded, it answers to that soname
 * whoever asks for it, and the front comes where what libraries need comes.
 */
#include "version.h"
