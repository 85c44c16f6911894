/* An intercommunicator that is created directly from two groups of a session (MPI-4.0, 7.6.2). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_SESSIONS
    if (size > 1) { /* two groups need two processes */
        MPI_Session s;
        MPI_Group world, local, remote;
        MPI_Comm inter;
        const int low = rank < size / 2;
        int range[2][1][3] = {{{0, size / 2 - 1, 1}}, {{size / 2, size - 1, 1}}}, number = -1, flag = -1, sum = -1;
        MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s));
        MUST(MPI_Group_from_session_pset(s, "mpi://WORLD", &world));
        MUST(MPI_Group_range_incl(world, 1, range[low ? 0 : 1], &local));
        MUST(MPI_Group_range_incl(world, 1, range[low ? 1 : 0], &remote));
        MUST(MPI_Intercomm_create_from_groups(local, 0, remote, 0, "two halves", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                              &inter));
        MUST(MPI_Comm_test_inter(inter, &flag));
        CHECK_INT(flag, 1);
        MUST(MPI_Comm_remote_size(inter, &number));
        CHECK_INT(number, low ? size - size / 2 : size / 2);
        const int one = 1;
        MUST(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter));
        CHECK_INT(sum, number);
        MUST(MPI_Comm_free(&inter));
        MUST(MPI_Group_free(&world));
        MUST(MPI_Group_free(&local));
        MUST(MPI_Group_free(&remote));
        MUST(MPI_Session_finalize(&s));
    }
#endif
    return check_done("session_intercomm");
}
