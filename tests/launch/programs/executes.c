/* Becomes the program that its argument names; no MPI is in it. */
#include <unistd.h>

int main(int argc, char **argv)
{
    return argc > 1 && execv(argv[1], argv + 1);
}
