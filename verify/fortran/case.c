/* The functions and variables by which a Fortran test runs and judges a case (binding.h). */
#include "binding.h"

MPI_Fint rank = -1, size = -1, ierror;
const char *file;

MPI_Fint *ierror_or_none(void)
{
#ifdef F08
    static int calls;
    if (calls++ % 2) {
        ierror = MPI_SUCCESS;
        return NULL;
    }
#endif
    return &ierror;
}

/* The procedure that looked_up returns for a missing one. */
static void missing_procedure(void) { ierror = MPI_SUCCESS; }

procedure *looked_up(const char *name)
{
    procedure *found = (procedure *)function(name);
    return found ? found : (procedure *)missing_procedure;
}

MPI_Fint *constant_at(const char *name)
{
    static MPI_Fint none[STATUS_SIZE];
    MPI_Fint *found = function(name);
    return found ? found : none;
}

#ifdef LARGE
void *described(void *base, size_t bytes, int dimensions, const ptrdiff_t *extent, const ptrdiff_t *stride)
{
    static struct descriptor some[16]; /* used in turn; a call needs two at most */
    static int last;
    struct descriptor *d = &some[last++ % 16];
    describe(d, base, bytes, dimensions, extent, stride);
    return d;
}
#endif

void *array(void *base, size_t bytes, int dimensions, const ptrdiff_t *extent, const ptrdiff_t *stride)
{
#ifdef DESCRIPTORS
    return described(base, bytes, dimensions, extent, stride);
#else
    return base;
#endif
}

void failed(const char *call, MPI_Fint code)
{
    char text[MPI_MAX_ERROR_STRING], name[64] = "", procedure[70];
    MPI_Fint length = 0, error_class = MPI_ERR_UNKNOWN, other;
    memset(text, ' ', sizeof text);
    sscanf(call, "%*[A-Z](%63[a-z0-9_])", name);
    if (code == -1) {
        wrong("mpi_%s has not set ierror", name);
        return;
    }
    PLAIN(error_class)(&code, &error_class, &other);
    if (error_class == MPI_ERR_UNSUPPORTED_OPERATION) { /* a function that MPI-3.0 removed */
        snprintf(procedure, sizeof procedure, "mpi_%s", name);
        missing(procedure);
        return;
    }
    PLAIN(error_string)(&code, text, &length, &other, sizeof text);
    wrong("mpi_%s returned error %d (class %d): %.*s", name, code, error_class, length, text);
}
