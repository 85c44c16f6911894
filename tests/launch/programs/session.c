/* A program whose only world is a session's. */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    MPI_Session session;
    MPI_Group group;
    int size;
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session))
        return 3;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Group_size(group, &size);
    printf("rank of %d\n", size);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    return 0;
}
