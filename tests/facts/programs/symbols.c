/* Looks up every name of stdin as the dynamic linker would for this program, with MPI loaded, and prints "name file"
   for those that are found. */
#include "fact.h"
#include <dlfcn.h>

int main(void)
{
    char name[256];
    MUST(MPI_Init(NULL, NULL));
    while (scanf("%255s", name) == 1) {
        Dl_info info;
        void *address = dlsym(RTLD_DEFAULT, name);
        if (address && dladdr(address, &info))
            printf("%s %s\n", name, info.dli_fname);
    }
    MUST(MPI_Finalize());
    return fact_done();
}
