/* Sessions without MPI_Init: an info object before any session, repeated initialization and finalization, two sessions
   at a time, the world model during and after them, and invalid handles (MPI-4.0, 11.3). */
#include "check.h"

#if HAVE_SESSIONS
static int handled;
static MPI_Session seen;

static void on_error(MPI_Session *session, int *code, ...)
{
    handled = *code;
    seen = *session;
}

static void communicate(MPI_Session s, const char *name)
{
    MPI_Group group, self;
    MPI_Comm comm, alone;
    int sum = -1, n = -1;
    MUST(MPI_Group_from_session_pset(s, "mpi://WORLD", &group));
    MUST(MPI_Comm_create_from_group(group, name, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    MUST(MPI_Comm_rank(comm, &rank));
    MUST(MPI_Comm_size(comm, &size));
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_INT(sum, size * (size - 1) / 2);
    CHECK_CLASS(MPI_Send(&sum, 1, MPI_INT, size, 0, comm), MPI_ERR_RANK);
    MUST(MPI_Group_from_session_pset(s, "mpi://SELF", &self));
    MUST(MPI_Comm_create_from_group(self, name, MPI_INFO_NULL, MPI_ERRORS_RETURN, &alone));
    MUST(MPI_Comm_size(alone, &n));
    CHECK_INT(n, 1);
    MUST(MPI_Comm_free(&alone));
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Group_free(&self));
    MUST(MPI_Group_free(&group));
}
#endif

int main(int argc, char **argv)
{
#if HAVE_SESSIONS
    MPI_Info info;
    MPI_Session s, t;
    MPI_Errhandler handler;
    MPI_Group group;
    int flag = -1, provided = -1, all = 0, length = 3;
    char value[64] = "", name[4] = "zzz";
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE"));
    MUST(MPI_Session_init(info, MPI_ERRORS_RETURN, &s));
    MUST(MPI_Info_free(&info));
    MUST(MPI_Session_get_info(s, &info));
    MUST(MPI_Info_get(info, "thread_level", sizeof value - 1, value, &flag));
    CHECK(!flag || strncmp(value, "MPI_THREAD_", 11) == 0);
    MUST(MPI_Info_free(&info));
    communicate(s, "the first");
    MUST(MPI_Session_finalize(&s));
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Finalized(&flag));
    CHECK_INT(flag, 0);

    MUST(MPI_Session_create_errhandler(on_error, &handler));
    MUST(MPI_Session_init(MPI_INFO_NULL, handler, &s));
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &t));
    CHECK(s != t);
    communicate(t, "another");
    handled = -1;
    CHECK(MPI_Group_from_session_pset(s, "mpi://nobody", &group) != MPI_SUCCESS);
    CHECK(handled > 0 && seen == s);
    handled = -1;
    CHECK(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 99, &length, name) != MPI_SUCCESS);
    CHECK(handled > 0 && seen == s);
    length = 3;
    MUST(MPI_Session_get_nth_pset(t, MPI_INFO_NULL, 0, &length, name));
    CHECK(length > 3);
    CHECK_STR(name, "mp");
    MUST(MPI_Errhandler_free(&handler));

    MUST(MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided));
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 1);
    MUST(MPI_Comm_rank(MPI_COMM_WORLD, &provided));
    CHECK_INT(provided, rank);
    communicate(s, "beside the world");
    MUST(MPI_Allreduce(&check_failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    MUST(MPI_Session_finalize(&s));
    CHECK(s == MPI_SESSION_NULL);
    MUST(MPI_Finalize());
    MUST(MPI_Finalized(&flag));
    CHECK_INT(flag, 1);
    communicate(t, "after the world");
    MUST(MPI_Session_finalize(&t));
    return check_verdict("session_more", all + check_failures);
#else
    check_init(&argc, &argv);
    return check_done("session_more");
#endif
}
