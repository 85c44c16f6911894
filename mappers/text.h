/*
 * Strings that come out of a call.
 *
 * Gives: cut_string.
 * Needs: pair.h.
 */
#ifndef WI4GO_TEXT_H
#define WI4GO_TEXT_H
#include "pair.h"

/* Copies an output string into a buffer of limit characters, its final zero
   among them, and says its length there. */
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
