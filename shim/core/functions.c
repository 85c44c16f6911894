#include "functions.h"
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Returns the address of the symbol with this prefix and name, or NULL if there is none. */
static void *symbol(void *library, const char *prefix, const char *name)
{
    char text[256]; /* longer than any name of the standard */
    int n = snprintf(text, sizeof text, "%s%s", prefix, name);
    return n < (int)sizeof text ? dlsym(library, text) : NULL;
}

void wi4go_find_functions(void *library, const char *const *names, void **functions, int n)
{
    for (int i = 0; i < n; i++) {
        const char *name = names[i], *older = strncmp(name, "MPI_", 4) ? NULL : name + 4;
        void *address = symbol(library, "P", name);
        if (!address)
            address = dlsym(library, name);
        if (!address && older)
            address = symbol(library, "PMPIX_", older);
        if (!address && older)
            address = symbol(library, "MPIX_", older);
        functions[i] = address;
    }
}
