/* Prints the names in DTP_basic_types, and those of DTP_runtime_signatures. */
#include "dtpools.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    char **names, text[512];
    int n;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < DTP_num_basic_types; i++)
        printf("%s%s", i ? " " : "", DTP_type_name(DTP_basic_types[i]));
    printf(":");
    if (DTP_runtime_signatures(&n, &names, text, sizeof text) != DTP_SUCCESS)
        printf(" %s", text);
    else
        for (int i = 0; i < n; i++)
            printf(" %s", names[i]);
    printf("\n");
    DTP_names_free(names);
    MPI_Finalize();
    return 0;
}
