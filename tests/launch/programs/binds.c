/* Prints the variable that its first argument names, then executes the remaining arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *value = argc > 2 ? getenv(argv[1]) : NULL;
    printf("device %s\n", value ? value : "none");
    fflush(stdout);
    if (argc > 2)
        execvp(argv[2], argv + 2);
    return 3;
}
