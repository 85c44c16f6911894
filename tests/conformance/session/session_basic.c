/* Sessions together with MPI_Init: process sets, and groups and communicators made from them (MPI-4.0, 11.3). */
#include "check.h"

#if HAVE_SESSIONS
static int handled_class;

static void on_error(MPI_Session *session, int *code, ...)
{
    (void)session;
    MPI_Error_class(*code, &handled_class);
}

static void session(void)
{
    MPI_Session s;
    MPI_Info info;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Errhandler handler, got;
    int sets = -1, length = 0, found_world = 0, found_self = 0, flag = -1, number = -1, members = -1, me = -1,
        sum = -1;
    char name[MPI_MAX_PSET_NAME_LEN], value[64];
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s));
    CHECK(s != MPI_SESSION_NULL);
    CHECK(MPI_Session_f2c(MPI_Session_c2f(s)) == s);
    CHECK(MPI_Session_f2c(MPI_Session_c2f(MPI_SESSION_NULL)) == MPI_SESSION_NULL);

    MUST(MPI_Session_get_num_psets(s, MPI_INFO_NULL, &sets));
    CHECK(sets >= 2);
    for (int i = 0; i < sets; i++) {
        length = 0;
        MUST(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, i, &length, name));
        CHECK(length > 0 && length <= MPI_MAX_PSET_NAME_LEN);
        memset(name, 'x', sizeof name);
        length = sizeof name;
        MUST(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, i, &length, name));
        found_world += strcmp(name, "mpi://WORLD") == 0;
        found_self += strcmp(name, "mpi://SELF") == 0;
    }
    CHECK_INT(found_world, 1);
    CHECK_INT(found_self, 1);

    MUST(MPI_Session_get_pset_info(s, "mpi://WORLD", &info));
    MUST(MPI_Info_get(info, "mpi_size", sizeof value - 1, value, &flag));
    CHECK_INT(flag, 1);
    number = atoi(value);
    CHECK(number >= 1);
    MUST(MPI_Info_free(&info));
    MUST(MPI_Session_get_info(s, &info));
    CHECK(info != MPI_INFO_NULL);
    MUST(MPI_Info_free(&info));

    MUST(MPI_Group_from_session_pset(s, "mpi://WORLD", &group));
    MUST(MPI_Group_size(group, &members));
    CHECK_INT(members, number);
    CHECK_INT(members, size);
    MUST(MPI_Comm_create_from_group(group, "wi4go conformance", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    MUST(MPI_Group_free(&group));
    MUST(MPI_Comm_rank(comm, &me));
    CHECK_INT(me, rank);
    MUST(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_INT(sum, size * (size - 1) / 2);
    CHECK_CLASS(MPI_Send(&me, 1, MPI_INT, size, 0, comm), MPI_ERR_RANK);
    MUST(MPI_Comm_free(&comm));

    MUST(MPI_Session_create_errhandler(on_error, &handler));
    MUST(MPI_Session_set_errhandler(s, handler));
    MUST(MPI_Session_get_errhandler(s, &got));
    CHECK(got == handler);
    MUST(MPI_Errhandler_free(&got));
    handled_class = -1;
    MUST(MPI_Session_call_errhandler(s, MPI_ERR_OTHER));
    CHECK_INT(handled_class, MPI_ERR_OTHER);
    MUST(MPI_Errhandler_free(&handler));
    MUST(MPI_Session_finalize(&s));
    CHECK(s == MPI_SESSION_NULL);
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_SESSIONS
    session();
    session(); /* a second time */
#endif
    return check_done("session_basic");
}
