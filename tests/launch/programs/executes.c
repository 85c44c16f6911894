/* Executes its argument. It contains no MPI. */
#include <unistd.h>

int main(int argc, char **argv)
{
    return argc > 1 && execv(argv[1], argv + 1);
}
