/* Sessions (MPI-4.0), together with MPI_Init: process sets, groups and communicators from them, info, and error
   handlers. If the library lacks them, MPI_Session_init returns MPI_ERR_UNSUPPORTED_OPERATION. */
#include "check.h"

#if CHECK_HAVE(4, 0)
static int handled, last_code;
static MPI_Session last_session;

static void on_session(MPI_Session *session, int *code, ...)
{
    handled++;
    last_session = *session;
    last_code = *code;
}

static void sessions(void)
{
    MPI_Session session = MPI_SESSION_NULL;
    handled = 0;
    int sets = -1, length, found = 0, value, result, flag;
    MPI_Errhandler handler, got;
    MPI_Info info;
    MPI_Group group;
    MPI_Comm comm, dup;
    char name[MPI_MAX_PSET_NAME_LEN], text[32];

    int code = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    if (code != MPI_SUCCESS) {
        CHECK_CLASS(code, MPI_ERR_UNSUPPORTED_OPERATION);
        return;
    }
    CHECK(session != MPI_SESSION_NULL);
    MUST(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets));
    CHECK(sets >= 2);
    for (int i = 0; i < sets; i++) {
        length = 0;
        MUST(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL));
        CHECK(length > 0 && length <= MPI_MAX_PSET_NAME_LEN);
        length = sizeof name;
        MUST(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name));
        found += strcasecmp(name, "mpi://WORLD") == 0 || strcasecmp(name, "mpi://SELF") == 0;
    }
    CHECK_INT(found, 2);
    MUST(MPI_Session_get_pset_info(session, "mpi://WORLD", &info));
    length = sizeof text;
    MUST(MPI_Info_get_string(info, "mpi_size", &length, text, &flag));
    CHECK_INT(flag, 1);
    CHECK_INT(atoi(text), size);
    MUST(MPI_Info_free(&info));
    MUST(MPI_Session_get_info(session, &info));
    CHECK(info != MPI_INFO_NULL);
    MUST(MPI_Info_free(&info));

    MUST(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    MUST(MPI_Group_size(group, &value));
    CHECK_INT(value, size);
    MUST(MPI_Comm_create_from_group(group, "wi4go.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    MUST(MPI_Comm_dup(comm, &dup)); /* one call must not mix objects of a session and of MPI_Init */
    MUST(MPI_Comm_compare(comm, dup, &result));
    CHECK_INT(result, MPI_CONGRUENT);
    MUST(MPI_Comm_free(&dup));
    MUST(MPI_Comm_rank(comm, &value));
    CHECK_INT(value, rank);
    MUST(MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, comm));
    CHECK_INT(value, size * (size - 1) / 2);
    MUST(MPI_Comm_get_errhandler(comm, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Group_free(&group));

    MUST(MPI_Session_get_errhandler(session, &got));
    CHECK(got == MPI_ERRORS_RETURN || got == MPI_ERRORS_ARE_FATAL); /* MPICH 4.0.2 does not return the handler that was set */
    MUST(MPI_Session_create_errhandler(on_session, &handler));
    MUST(MPI_Session_set_errhandler(session, handler));
    MUST(MPI_Session_get_errhandler(session, &got));
    CHECK(got == handler);
    MUST(MPI_Errhandler_free(&got));
    MUST(MPI_Errhandler_free(&handler));
    MUST(MPI_Session_call_errhandler(session, MPI_ERR_NO_SUCH_FILE));
    CHECK_INT(handled, 1);
    CHECK(last_session == session);
    CHECK_INT(last_code, MPI_ERR_NO_SUCH_FILE);
    CHECK(MPI_Group_from_session_pset(session, "no such set", &group) != MPI_SUCCESS);
    MPI_Session keep = session;
    CHECK(MPI_Session_f2c(MPI_Session_c2f(session)) == session);
    MUST(MPI_Session_finalize(&session));
    CHECK(session == MPI_SESSION_NULL && keep != MPI_SESSION_NULL);
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if CHECK_HAVE(4, 0)
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    sessions();
    sessions();
#endif
    return check_done("init_sessions");
}
