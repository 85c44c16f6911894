/* files.h: names the files of programs. They are in $TMPDIR, else in the current directory. */
#ifndef FILES_H
#define FILES_H

#include <stdio.h>
#include <stdlib.h>

/* Returns the name of a file of the running program, the same on every rank, for a short name. The text lives as long
   as the program; at most eight names are in use at a time. */
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
