/* The logical types of Fortran with a size (MPI-5.0, 3.2.2, 20.3.1): each has its own name, is a named type, works with
   the logical operations, and is returned as part of a type that contains it. */
#include "check.h"
#include <stdint.h>

/* Within MPICH's family, calls are the library's own, and a library before 5.0 lacks these types. */
#if defined MPI_LOGICAL1 && !defined MPICH_NUMVERSION
#define HAVE_LOGICALS
#endif

#ifdef HAVE_LOGICALS
static void integer_at(char *buffer, int i, int bytes, long long value)
{
    memcpy(buffer + i * bytes, &value, (size_t)bytes); /* the lower bytes come first */
}

static int64_t integer_of(const char *buffer, int i, int bytes)
{
    int64_t value = 0;
    memcpy(&value, buffer + i * bytes, (size_t)bytes);
    return value;
}

static void logical(MPI_Datatype type, const char *own, int bytes)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = -1, got = -1, integers, addresses, types, combiner = -1;
    MPI_Aint lb, extent;
    CHECK(type != MPI_DATATYPE_NULL);
    MUST(MPI_Type_size(type, &got));
    CHECK_INT(got, bytes);
    MUST(MPI_Type_get_extent(type, &lb, &extent));
    CHECK_INT(lb, 0);
    CHECK_INT(extent, bytes);
    MUST(MPI_Type_get_name(type, name, &length));
    CHECK_INT(length, strlen(name));
    if (strcmp(name, "MPIX_C_BF16")) /* Intel MPI 2021.18 calls it MPI_LOGICAL1 */
        CHECK_STR(name, own);
    MUST(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_NAMED);

    /* Every combination of true and false over all ranks: all the same, and one rank that differs. */
    static const MPI_Op ops[3] = {MPI_LAND, MPI_LOR, MPI_LXOR};
    char in[4 * 8] = "", out[4 * 8];
    for (int i = 0; i < 3; i++) {
        const int mine[4] = {1, 0, rank == 0, rank != 0};
        const int expected[3][4] = {{1, 0, size == 1, 0}, {1, 0, 1, size > 1}, {size % 2, 0, 1, (size - 1) % 2}};
        for (int j = 0; j < 4; j++)
            integer_at(in, j, bytes, mine[j]);
        memset(out, 0x55, sizeof out);
        MUST(MPI_Allreduce(in, out, 4, type, ops[i], MPI_COMM_WORLD));
        for (int j = 0; j < 4; j++)
            CHECK_INT(integer_of(out, j, bytes) != 0, expected[i][j]);
    }

    MPI_Datatype made, of = MPI_DATATYPE_NULL;
    int count = 0, source = (rank + size - 1) % size, to = (rank + 1) % size;
    MUST(MPI_Type_contiguous(4, type, &made));
    MUST(MPI_Type_commit(&made));
    MPI_Status status;
    MUST(MPI_Sendrecv(in, 1, made, to, 7, out, 4, type, source, 7, MPI_COMM_WORLD, &status));
    MUST(MPI_Get_count(&status, type, &count));
    CHECK_INT(count, 4);
    CHECK_INT(integer_of(out, 0, bytes), 1);
    MUST(MPI_Type_get_contents(made, 1, 0, 1, &count, NULL, &of));
    MUST(MPI_Type_size(of, &got));
    CHECK_INT(got, bytes);
    MUST(MPI_Type_get_envelope(of, &integers, &addresses, &types, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_NAMED);
    MUST(MPI_Type_free(&made));
}

/* A type keeps its handle and its name when the library returns it, whether or not logical types are used as well. */
static void itself(MPI_Datatype type, const char *own)
{
    MPI_Datatype made, of = MPI_DATATYPE_NULL;
    int count;
    char name[MPI_MAX_OBJECT_NAME] = "";
    MUST(MPI_Type_contiguous(2, type, &made));
    MUST(MPI_Type_get_contents(made, 1, 0, 1, &count, NULL, &of));
    CHECK(of == type);
    MUST(MPI_Type_get_name(of, name, &count));
    CHECK_STR(name, own);
    MUST(MPI_Type_free(&made));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#ifdef HAVE_LOGICALS
    int bytes = 0;
    MUST(MPI_Type_size(MPI_LOGICAL1, &bytes));
    if (bytes) { /* Open MPI's types are empty if it was built without Fortran */
        logical(MPI_LOGICAL1, "MPI_LOGICAL1", 1);
        logical(MPI_LOGICAL2, "MPI_LOGICAL2", 2);
        logical(MPI_LOGICAL4, "MPI_LOGICAL4", 4);
        logical(MPI_LOGICAL8, "MPI_LOGICAL8", 8);
        itself(MPI_LOGICAL, "MPI_LOGICAL");
    }
    itself(MPI_C_BOOL, "MPI_C_BOOL");
    itself(MPI_INT16_T, "MPI_INT16_T");
    itself(MPI_INT64_T, "MPI_INT64_T");
    /* The type has the name that the program gives it. */
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    MUST(MPI_Type_set_name(MPI_LOGICAL1, "truth"));
    MUST(MPI_Type_get_name(MPI_LOGICAL1, name, &length));
    CHECK_STR(name, "truth");
#endif
    return check_done("type_logical");
}
