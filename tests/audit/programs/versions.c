/* Opens the auditor as a library and prints the result of la_version for each argument. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    void *auditor = dlopen(argv[1], RTLD_NOW);
    unsigned int (*version)(unsigned int);
    if (!auditor)
        return puts(dlerror()), 1;
    *(void **)&version = dlsym(auditor, "la_version");
    for (int i = 2; i < argc; i++)
        printf("%u ", version((unsigned int)atoi(argv[i])));
    return 0;
}
