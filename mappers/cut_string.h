/*
 * Output strings.
 *
 * Gives: cut_string.
 * Needs: pair.h.
 */
#ifndef WI4GO_CUT_STRING_H
#define WI4GO_CUT_STRING_H
#include "pair.h"

/* Copies an output string into the program's buffer of limit characters, including the final
   zero. A string that is too long is cut, and *length, which holds the string's length, becomes
   the length of the copy. to and length may be NULL. */
static void cut_string(char *to, size_t limit, const char *from, int *length)
{
    size_t n = strnlen(from, limit - 1);
    if (!to)
        return;
    memcpy(to, from, n);
    to[n] = 0;
    if (length && (size_t)*length > n)
        *length = (int)n;
}
#endif
