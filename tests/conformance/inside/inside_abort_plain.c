/* The same program, compiled without optimization. */
#pragma GCC optimize("O0")
#define NAME "inside_abort_plain"
#include "inside_abort.c"
