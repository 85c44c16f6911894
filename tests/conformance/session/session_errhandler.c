/* A session returns the predefined error handler that it was created with (MPI-4.0, 9.3.4). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_SESSIONS
    MPI_Session s;
    MPI_Errhandler got;
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s));
    MUST(MPI_Session_get_errhandler(s, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    MUST(MPI_Errhandler_free(&got));
    MUST(MPI_Session_finalize(&s));
#endif
    return check_done("session_errhandler");
}
