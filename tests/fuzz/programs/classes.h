/* Returns the name of an error code's class: the same in every ABI family. */
#include <mpi.h>
#include <stddef.h>

static const struct { int value; const char *name; } classes[] = {
#define CLASS(name) {MPI_ERR_##name, #name}
    {MPI_SUCCESS, "ok"}, CLASS(BUFFER), CLASS(COUNT), CLASS(TYPE), CLASS(TAG), CLASS(COMM), CLASS(RANK), CLASS(REQUEST),
    CLASS(ROOT), CLASS(GROUP), CLASS(OP), CLASS(TOPOLOGY), CLASS(DIMS), CLASS(ARG), CLASS(UNKNOWN), CLASS(TRUNCATE),
    CLASS(OTHER), CLASS(INTERN), CLASS(PENDING), CLASS(IN_STATUS), CLASS(ACCESS), CLASS(AMODE), CLASS(ASSERT), CLASS(BAD_FILE),
    CLASS(BASE), CLASS(CONVERSION), CLASS(DISP), CLASS(DUP_DATAREP), CLASS(FILE), CLASS(FILE_EXISTS), CLASS(FILE_IN_USE),
    CLASS(INFO_KEY), CLASS(INFO_NOKEY), CLASS(INFO_VALUE), CLASS(INFO), CLASS(IO), CLASS(KEYVAL), CLASS(LOCKTYPE),
    CLASS(NAME), CLASS(NO_MEM), CLASS(NO_SPACE), CLASS(NO_SUCH_FILE), CLASS(NOT_SAME), CLASS(PORT), CLASS(QUOTA), CLASS(READ_ONLY),
    CLASS(RMA_ATTACH), CLASS(RMA_CONFLICT), CLASS(RMA_SYNC), CLASS(RMA_RANGE), CLASS(RMA_SHARED), CLASS(RMA_FLAVOR), CLASS(SERVICE),
    CLASS(SIZE), CLASS(SPAWN), CLASS(UNSUPPORTED_DATAREP), CLASS(WIN), CLASS(UNSUPPORTED_OPERATION),
};

static inline int class_of(int code)
{
    int error_class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &error_class);
    return error_class;
}

static const char *class_name(int code)
{
    const int error_class = class_of(code);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].value == error_class)
            return error_class == MPI_SUCCESS && code != MPI_SUCCESS ? "no code" : classes[i].name;
    return "later"; /* than the classes that every mpi.h has */
}
