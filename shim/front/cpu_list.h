/*
 * Reads the lists of CPUs in the kernel's files, such as "0-3,8".
 *
 * Gives: next_cpus.
 */
#ifndef WI4GO_CPU_LIST_H
#define WI4GO_CPU_LIST_H
#include <stdio.h>

/* Reads the next range of a list. Returns 1 and the range's first and last CPU, or 0 at the end of
   the list, and for a text that is no range. */
static inline int next_cpus(FILE *list, int *first, int *last)
{
    if (fscanf(list, "%d", first) != 1)
        return 0;
    *last = *first;
    int next = fgetc(list);
    if (next == '-')
        next = fscanf(list, "%d", last) == 1 ? fgetc(list) : 0;
    if (next == 0 || *first < 0 || *last < *first)
        return 0;
    if (next != ',')
        fseek(list, 0, SEEK_END); /* it was the last range */
    return 1;
}
#endif
