/*
 * Errors of calls without a communicator go to the handler of MPI_COMM_SELF, or to the one of
 * MPI_COMM_WORLD if only that is set, as programs of MPI-3.1 do: from the embedded MPI and from
 * functions that the front emulates. Compiled by the wrapper of another MPI.
 */
#define OMPI_OMIT_MPI1_COMPAT_DECLS 1
#include <mpi.h>
#include <stdio.h>

#undef MPI_Type_extent
int MPI_Type_extent(MPI_Datatype, MPI_Aint *);

static int calls;
static MPI_Comm last;

static void note(MPI_Comm *comm, int *code, ...)
{
    calls++;
    last = *comm;
}

static int failures(MPI_Comm expected)
{
    int bytes, wrong = 0;
    MPI_Aint *nowhere = NULL;
    MPI_Datatype none = MPI_DATATYPE_NULL;
    calls = 0;
    MPI_Type_size(none, &bytes);
    wrong += calls != 1 || last != expected;
    MPI_Type_extent(MPI_INT, nowhere);
    wrong += calls != 2 || last != expected;
    return wrong;
}

int main(int argc, char **argv)
{
    MPI_Errhandler mine;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(note, &mine);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
    int wrong = failures(MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, mine);
    wrong += failures(MPI_COMM_SELF);
    MPI_Errhandler_free(&mine);
    MPI_Finalize();
    if (wrong)
        printf("%d errors went to another handler\n", wrong);
    return wrong != 0;
}
