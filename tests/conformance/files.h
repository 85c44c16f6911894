/* files.h: where the programs that need a file put it: $TMPDIR, else the current directory. */
#ifndef FILES_H
#define FILES_H

#include <stdio.h>
#include <stdlib.h>

/* The name of a file of the running program, the same on every rank. In: a short name. Out: text that lives as long as
   the program; up to eight names at a time. */
static inline char *file_path(const char *name)
{
    static char paths[8][1024];
    static int next;
    char *path = paths[next++ % 8];
    const char *dir = getenv("TMPDIR");
    snprintf(path, sizeof paths[0], "%s/%s", dir ? dir : ".", name);
    return path;
}

#endif
