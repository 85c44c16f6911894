/* Classes of errors, and the text of the last error of each thread. */
#include "internal.h"
#include <stdarg.h>
#include <stdio.h>

/* The text and the class of the last error. */
static _Thread_local char text[512];
static _Thread_local int last;

int dri_fail(int class, const char *format, ...)
{
    char new[sizeof text]; /* a copy, because the old text may be an argument */
    va_list args;
    va_start(args, format);
    vsnprintf(new, sizeof new, format, args);
    va_end(args);
    snprintf(text, sizeof text, "%s", new);
    last = class;
    return class;
}

/* Uses the PMPI functions, so that a tool does not see calls that the program did not make. */
int dri_fail_mpi(const char *function, int code)
{
    char reason[MPI_MAX_ERROR_STRING] = "";
    int length, class;
    PMPI_Error_class(code, &class);
    PMPI_Error_string(code, reason, &length);
    return dri_fail(class == MPI_ERR_NO_MEM ? DRI_ERR_NOMEM : DRI_ERR_MPI, "%s: %.400s", function, reason);
}

int dri_no_memory(const char *what)
{
    return dri_fail(DRI_ERR_NOMEM, "no memory for %s", what);
}

const char *dri_error_text(void)
{
    return text;
}

PUBLIC const char *DRI_error_string(int error)
{
    static const char *const meanings[DRI_ERR_LAST] = {
        "success",
        "an argument is invalid",
        "no such object",
        "numbers of dimensions differ",
        "an index is outside the global data object",
        "a part would be smaller or larger than allowed",
        "an element belongs to two parts",
        "an element of a source belongs to no process",
        "the caller is not in the group, a process is twice in it, or its lists differ",
        "the ends of the transfer have different global data objects",
        "the name is in use, too long, or belongs to another transfer",
        "the role is neither source nor destination, or not the role of this end",
        "the strides put two elements at one position",
        "a buffer is missing or used twice",
        "no memory",
        "not allowed in this state",
        "the other side did not arrive in time",
        "a function of MPI failed",
    };
    if (error < 0 || error >= DRI_ERR_LAST)
        return "not an error code of DRI";
    return error && error == last ? text : meanings[error];
}
