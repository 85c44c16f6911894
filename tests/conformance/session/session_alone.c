/* A program that uses only sessions, without MPI_Init (MPI-4.0, 11.3). */
#include "check.h"

int main(int argc, char **argv)
{
#if HAVE_SESSIONS
    MPI_Session s;
    MPI_Group group;
    MPI_Comm comm;
    int flag = -1, next, all = 0;
    (void)argc;
    (void)argv;
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s));
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 0); /* the flag is about the world model */
    MUST(MPI_Group_from_session_pset(s, "mpi://WORLD", &group));
    MUST(MPI_Comm_create_from_group(group, "alone", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    MUST(MPI_Group_free(&group));
    MUST(MPI_Comm_rank(comm, &rank));
    MUST(MPI_Comm_size(comm, &size));
    next = -1;
    MUST(MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &next, 1, MPI_INT, (rank + size - 1) % size, 1, comm,
                      MPI_STATUS_IGNORE));
    CHECK_INT(next, (rank + size - 1) % size);
    MUST(MPI_Allreduce(&check_failures, &all, 1, MPI_INT, MPI_SUM, comm));
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Session_finalize(&s));
    return check_verdict("session_alone", all);
#else
    check_init(&argc, &argv);
    return check_done("session_alone");
#endif
}
