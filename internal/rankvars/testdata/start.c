/*
 * Prints the start of a process (c/launchers) for each environment from standard input: a line with variables that are
 * separated by spaces. Each line of output has the launcher, the launcher with the same variables, and the numbers; then the
 * answer of the embedded MPI (embedded/process/launched.c): the rank and the size, or "single".
 */
#define _GNU_SOURCE
#include "c/launchers/launchers.h"
#include "embedded/process/launched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char *line = NULL, *variables[1000];
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        int n = 0;
        for (char *v = strtok(line, " \n"); v && n < 999; v = strtok(NULL, " \n"))
            variables[n++] = v;
        variables[n] = NULL;
        environ = variables;
        struct wi4go_start start;
        struct em_place place;
        wi4go_find_start(&start);
        printf("%s %s", start.by ? start.by->name : "-", start.like ? start.like->name : "-");
        for (int i = 0; i < LAUNCHER_NUMBERS; i++)
            printf(" %s", start.number[i] ? start.number[i] : "-");
        if (em_launched(&place))
            printf(", %d of %d%s\n", place.rank, place.size, place.several_hosts ? " on several hosts" : "");
        else
            printf(", single\n");
    }
    return ferror(stdout);
}
