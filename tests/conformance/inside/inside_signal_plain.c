/* The same program, compiled without optimization. */
#pragma GCC optimize("O0")
#define NAME "inside_signal_plain"
#include "inside_signal.c"
