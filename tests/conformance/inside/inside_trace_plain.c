/* The same program, compiled without optimization. */
#pragma GCC optimize("O0")
#define NAME "inside_trace_plain"
#include "inside_trace.c"
