/* A launcher of one program, to be linked without libraries. */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc > 1)
        execv(argv[1], argv + 1);
    perror("cannot start it");
    return 1;
}
