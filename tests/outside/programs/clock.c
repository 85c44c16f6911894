/* clock: the clock and error texts before MPI_Init and after MPI_Finalize; prints "ok". */
#include <mpi.h>
#include <stdio.h>

static int is_wrong(double first)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0, class = 0;
    const double now = MPI_Wtime() - first;
    return now < -5 || now > 60 || MPI_Wtick() <= 0 || MPI_Error_class(MPI_ERR_TRUNCATE, &class) || class != MPI_ERR_TRUNCATE ||
           MPI_Error_string(MPI_ERR_TRUNCATE, text, &length) || !length;
}

int main(void)
{
    const double first = MPI_Wtime();
    void *memory = NULL;
    int wrong = is_wrong(first);
    MPI_Init(NULL, NULL);
    wrong |= is_wrong(first);
    MPI_Alloc_mem(100, MPI_INFO_NULL, &memory);
    MPI_Finalize();
    wrong |= is_wrong(first) || MPI_Free_mem(memory);
    puts(wrong ? "wrong" : "ok");
    return wrong;
}
