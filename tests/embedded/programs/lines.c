/* Prints numbered lines of all lengths up to a number of bytes, by stdio, in parts with pauses (parts), or unbuffered (write). Each line begins
 * and ends with the rank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *rank = getenv("ADI_RANK");
    int lines = atoi(argv[1]), longest = atoi(argv[2]);
    char *fill = malloc((size_t)longest + 1);
    if (argc < 4 || !fill)
        return 1;
    memset(fill, '.', (size_t)longest);
    for (int i = 0; i < lines; i++) {
        int length = longest * (i + 1) / lines;
        if (!strcmp(argv[3], "parts")) {
            printf("%s ", rank);
            fflush(stdout);
            usleep((useconds_t)(i % 5 * 15000));
            printf("%d %.*s", i, length, fill);
            fflush(stdout);
            usleep((useconds_t)(i % 3 * 30000));
            printf(" %s\n", rank);
        } else {
            printf("%s %d %.*s %s\n", rank, i, length, fill, rank);
        }
        if (!strcmp(argv[3], "write"))
            fflush(stdout);
    }
    return 0;
}
