/* Names of the greatest length in the program's mpi.h, and longer ones, on each kind of object (MPI-3.1, 6.8). */
#include "check.h"

enum { LIMIT = MPI_MAX_OBJECT_NAME };

enum { COMM, TYPE, WIN };
static MPI_Comm comm;
static MPI_Datatype type;
static MPI_Win win;

static int set(int object, const char *name)
{
    return object == COMM ? MPI_Comm_set_name(comm, name) : object == TYPE ? MPI_Type_set_name(type, name)
                                                                           : MPI_Win_set_name(win, name);
}
static int get(int object, char *name, int *length)
{
    return object == COMM ? MPI_Comm_get_name(comm, name, length) : object == TYPE ? MPI_Type_get_name(type, name, length)
                                                                                   : MPI_Win_get_name(win, name, length);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char name[2 * LIMIT], got[2 * LIMIT];
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Type_contiguous(2, MPI_INT, &type));
    MUST(MPI_Win_allocate(8, 1, MPI_INFO_NULL, comm, &(void *){NULL}, &win));
    for (int object = COMM; object <= WIN; object++) {
        for (int n = 0; n < LIMIT + 8; n++) {
            const int fits = n < LIMIT ? n : LIMIT - 1;
            int length = -1;
            for (int i = 0; i < n; i++)
                name[i] = (char)('a' + i % 26);
            name[n] = 0;
            MUST(set(object, name));
            memset(got, '#', sizeof got);
            MUST(get(object, got, &length));
            CHECK_INT(length, fits);
            CHECK_INT(strnlen(got, sizeof got), fits);
            CHECK(memcmp(got, name, fits) == 0);
            for (int i = LIMIT; i < 2 * LIMIT; i++)
                if (got[i] != '#') {
                    check_fail(__FILE__, __LINE__, "object %d, name of %d: written behind the buffer", object, n);
                    break;
                }
        }
    }
    MUST(MPI_Win_free(&win));
    MUST(MPI_Type_free(&type));
    MUST(MPI_Comm_free(&comm));
    return check_done("attr_names");
}
