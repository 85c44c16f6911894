/* The same, as a compiler makes it that optimises nothing. */
#pragma GCC optimize("O0")
#define NAME "inside_tool_plain"
#include "inside_tool.c"
