/* Types and messages without elements. */
#include "check.h"

static void is_nothing(const char *name, MPI_Datatype type)
{
    int bytes = -1, count = -1;
    MPI_Status status;
    MUST(MPI_Type_commit(&type));
    MUST(MPI_Type_size(type, &bytes));
    if (bytes != 0)
        check_fail(__FILE__, __LINE__, "%s: size %d", name, bytes);
    char in = 'a', out = 'b';
    MUST(MPI_Sendrecv(&out, 1, type, rank, 1, &in, 1, type, rank, 1, MPI_COMM_WORLD, &status));
    CHECK_INT(in, 'a');
    MUST(MPI_Get_elements(&status, type, &count));
    CHECK_INT(count, 0);
    CHECK_INT(status.MPI_SOURCE, rank);
    MUST(MPI_Type_free(&type));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Datatype t;
    MUST(MPI_Type_contiguous(0, MPI_INT, &t));
    is_nothing("contiguous", t);
    MUST(MPI_Type_vector(0, 3, 4, MPI_INT, &t));
    is_nothing("vector", t);
    MUST(MPI_Type_vector(3, 0, 4, MPI_INT, &t));
    is_nothing("vector of empty blocks", t);
    MUST(MPI_Type_create_hvector(0, 3, 4, MPI_INT, &t));
    is_nothing("hvector", t);
    MUST(MPI_Type_indexed(0, NULL, NULL, MPI_INT, &t));
    is_nothing("indexed", t);
    MUST(MPI_Type_indexed(2, (int[]){0, 0}, (int[]){1, 2}, MPI_INT, &t));
    is_nothing("indexed with empty blocks", t);
    MUST(MPI_Type_create_hindexed(0, NULL, NULL, MPI_INT, &t));
    is_nothing("hindexed", t);
    MUST(MPI_Type_create_indexed_block(0, 2, NULL, MPI_INT, &t));
    is_nothing("indexed_block", t);
    MUST(MPI_Type_create_hindexed_block(0, 2, NULL, MPI_INT, &t));
    is_nothing("hindexed_block", t);
    MUST(MPI_Type_create_struct(0, NULL, NULL, NULL, &t));
    is_nothing("struct", t);

    /* Collectives without data. */
    int value = 3, other = 4;
    MUST(MPI_Bcast(&value, 0, MPI_INT, 0, MPI_COMM_WORLD));
    MUST(MPI_Allreduce(&value, &other, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    MUST(MPI_Allgather(&value, 0, MPI_INT, &other, 0, MPI_INT, MPI_COMM_WORLD));
    MUST(MPI_Reduce_local(&value, &other, 0, MPI_INT, MPI_SUM));
    CHECK_INT(other, 4);
    int position = 0;
    MUST(MPI_Pack(&value, 0, MPI_INT, &other, sizeof other, &position, MPI_COMM_WORLD));
    CHECK_INT(position, 0);
    return check_done("type_zero");
}
