/* Error handlers of communicators and windows that change, free and read handlers while they run; handlers that are
   freed while in force; and the predefined handlers (MPI-3.1, 8.3). */
#include "check.h"

static int calls[3], last_code;
static MPI_Errhandler self_a, handler_b;
static MPI_Comm the_comm;
static MPI_Win the_win;

/* Makes the calls that a handler may make with the code. */
static void speaks(int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int class = -1, length = -1;
    MUST(MPI_Error_class(code, &class));
    CHECK(class != MPI_SUCCESS);
    MUST(MPI_Error_string(code, text, &length));
    CHECK(length > 0);
    last_code = code;
}

static void comm_b(MPI_Comm *comm, int *code, ...)
{
    calls[1]++;
    CHECK(*comm == the_comm);
    speaks(*code);
}

/* Frees its own handle and installs the other handler. */
static void comm_a(MPI_Comm *comm, int *code, ...)
{
    MPI_Errhandler got;
    calls[0]++;
    CHECK(*comm == the_comm);
    speaks(*code);
    MUST(MPI_Comm_get_errhandler(*comm, &got));
    CHECK(got == self_a);
    MUST(MPI_Errhandler_free(&got));
    MUST(MPI_Errhandler_free(&self_a));
    CHECK(self_a == MPI_ERRHANDLER_NULL);
    MUST(MPI_Comm_set_errhandler(*comm, handler_b));
    CHECK(MPI_Comm_call_errhandler(*comm, MPI_ERR_TOPOLOGY) == MPI_SUCCESS); /* the other handler */
    CHECK_INT(last_code, MPI_ERR_TOPOLOGY);
}

static void win_a(MPI_Win *win, int *code, ...)
{
    calls[0]++;
    CHECK(*win == the_win);
    speaks(*code);
    MUST(MPI_Win_set_errhandler(*win, MPI_ERRORS_RETURN));
}

static void comms(void)
{
    MPI_Errhandler got;
    MUST(MPI_Comm_create_errhandler(comm_a, &self_a));
    MUST(MPI_Comm_create_errhandler(comm_b, &handler_b));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &the_comm));
    MUST(MPI_Comm_set_errhandler(the_comm, self_a));
    MUST(MPI_Comm_call_errhandler(the_comm, MPI_ERR_RANK));
    CHECK(calls[0] == 1 && calls[1] == 1);
    MUST(MPI_Comm_call_errhandler(the_comm, MPI_ERR_RANK));
    CHECK(calls[0] == 1 && calls[1] == 2);
    CHECK_CLASS(last_code, MPI_ERR_RANK);
    MUST(MPI_Comm_get_errhandler(the_comm, &got));
    CHECK(got == handler_b);
    MUST(MPI_Errhandler_free(&got));
    MUST(MPI_Errhandler_free(&handler_b));
    MUST(MPI_Comm_call_errhandler(the_comm, MPI_ERR_ROOT));
    CHECK_INT(calls[1], 3);
    /* Finally the handler is removed, and is not called again. */
    MUST(MPI_Comm_set_errhandler(the_comm, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_call_errhandler(the_comm, MPI_ERR_ROOT));
    CHECK_INT(calls[1], 3);

    /* The predefined handlers are returned unchanged, repeatedly, by all kinds of communicators. */
    const MPI_Errhandler predefined[] = {MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN};
    const MPI_Comm comms[] = {MPI_COMM_WORLD, MPI_COMM_SELF, the_comm};
    for (unsigned i = 0; i < sizeof predefined / sizeof *predefined; i++)
        for (unsigned c = 0; c < 3; c++)
            for (int again = 0; again < 3; again++) { /* the reference is not freed, because MPICH 4.0.2 aborts */
                MUST(MPI_Comm_set_errhandler(comms[c], predefined[i]));
                MUST(MPI_Comm_get_errhandler(comms[c], &got));
                CHECK(got == predefined[i]);
            }
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_free(&the_comm));
}

static void windows(void)
{
    MPI_Errhandler handler, got;
    int memory[2] = {0};
    MUST(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &the_win));
    MUST(MPI_Win_create_errhandler(win_a, &handler));
    MUST(MPI_Win_set_errhandler(the_win, handler));
    MUST(MPI_Errhandler_free(&handler));
    calls[0] = 0;
    for (int i = 0; i < 2; i++)
        MUST(MPI_Win_call_errhandler(the_win, MPI_ERR_RMA_RANGE));
    CHECK_INT(calls[0], 1);
    CHECK_INT(last_code, MPI_ERR_RMA_RANGE);
    MUST(MPI_Win_get_errhandler(the_win, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    MUST(MPI_Win_set_errhandler(the_win, MPI_ERRORS_ARE_FATAL));
    MUST(MPI_Win_get_errhandler(the_win, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    MUST(MPI_Win_free(&the_win));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    comms();
    windows();
    return check_done("error_handler_life");
}
