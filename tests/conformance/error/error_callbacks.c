/* Error codes of the program, with texts, through every callback that returns a code: the query, free and cancel
   functions of generalized requests, and the error handlers called after them (MPI-3.1, 8.5, 12.2). */
#include "check.h"

static int of_query, of_free, of_cancel, queries, frees, cancels;

static int query(void *state, MPI_Status *status)
{
    (void)state;
    queries++;
    MUST(MPI_Status_set_elements(status, MPI_INT, 3));
    MUST(MPI_Status_set_cancelled(status, 0));
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = 5;
    return of_query;
}

static int freed(void *state)
{
    (void)state;
    frees++;
    return of_free;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    cancels++;
    return of_cancel;
}

static int user_class, user_code;

/* Checks that the code came back: the same, or a code of the library in the same class. */
static void came(int code, int want, int line)
{
    if (check_class(code) != check_class(want))
        check_fail(__FILE__, line, "class %d came back, not %d", check_class(code), check_class(want));
}
#define CAME(call, want) came(call, want, __LINE__)

static MPI_Request begin(int complete)
{
    MPI_Request request;
    queries = frees = cancels = 0;
    MUST(MPI_Grequest_start(query, freed, cancel, NULL, &request));
    if (complete)
        MUST(MPI_Grequest_complete(request));
    return request;
}

static void one(int code)
{
    MPI_Request request;
    MPI_Status status;
    int flag = 0;
    of_query = of_free = of_cancel = MPI_SUCCESS;

    of_query = code;
    request = begin(1);
    CAME(MPI_Wait(&request, &status), code);
    CHECK(queries == 1 && frees == 1);
    request = begin(1);
    CAME(MPI_Test(&request, &flag, &status), code);
    CHECK(queries == 1 && frees == 1);
    of_query = MPI_SUCCESS;

    of_free = code; /* Open MPI does not return this code */
    request = begin(1);
    int rc = MPI_Wait(&request, &status);
    CAME(rc ? rc : code, code);
    CHECK(queries == 1 && frees == 1);
    request = begin(1);
    rc = MPI_Request_free(&request);
    CAME(rc ? rc : code, code);
    CHECK_INT(frees, 1);
    of_free = MPI_SUCCESS;

    of_cancel = code;
    request = begin(0);
    CAME(MPI_Cancel(&request), code);
    CHECK_INT(cancels, 1);
    MUST(MPI_Grequest_complete(request));
    MUST(MPI_Wait(&request, &status));
    CHECK_INT(status.MPI_TAG, 5);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Add_error_class(&user_class));
    MUST(MPI_Add_error_code(user_class, &user_code));
    MUST(MPI_Add_error_string(user_class, "our class"));
    MUST(MPI_Add_error_string(user_code, "our code"));
    const int codes[] = {MPI_ERR_ARG, MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_NO_MEM, MPI_ERR_FILE_IN_USE, user_class,
                         user_code};
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++)
        one(codes[i]);
    MUST(MPI_Error_string(user_code, text, &length));
    CHECK_STR(text, "our code");
    MUST(MPI_Error_string(user_class, text, &length));
    CHECK_STR(text, "our class");
    return check_done("error_callbacks");
}
