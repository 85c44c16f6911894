/* MPI_Init accepts null pointers for the command line (MPI-5.0, 11.2.1). */
#include "types_check.h"

int main(void)
{
    int flag = 0;
    MUST(MPI_Init(NULL, NULL));
    MUST(MPI_Initialized(&flag));
    EQUAL(1, flag);
    return right("init_null");
}
