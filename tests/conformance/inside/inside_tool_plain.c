/* The same program, compiled without optimization. */
#pragma GCC optimize("O0")
#define NAME "inside_tool_plain"
#include "inside_tool.c"
