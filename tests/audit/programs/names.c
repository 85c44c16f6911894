/* Prints, for each argument, the family and the part of the library that it names. */
#include "../../../shim/audit/names.c"
#include <stdio.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const struct library library = library_of_name(argv[i]);
        printf("%s %d\n", library.family < 0 ? "-" : families[library.family].name, library.part);
    }
    return 0;
}
