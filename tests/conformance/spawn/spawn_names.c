/* Publishing a name: lookup returns the port, a missing name gives MPI_ERR_NAME, and unpublish removes the name. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME] = "";
    int class, rc = MPI_SUCCESS;
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    if (rank == 0) {
        CHECK_CLASS(MPI_Lookup_name("nobody published this", MPI_INFO_NULL, found), MPI_ERR_NAME);
        MUST(rc = MPI_Open_port(MPI_INFO_NULL, port));
        if (!rc)
            MUST(rc = MPI_Publish_name("a service", MPI_INFO_NULL, port));
    }
    MUST(MPI_Bcast(&rc, 1, MPI_INT, 0, MPI_COMM_WORLD));
    if (rc) /* after a failure the behavior is undefined, and MPICH 4.0.2 may crash */
        return check_done("spawn_names");
    MUST(MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD));
    MUST(MPI_Lookup_name("a service", MPI_INFO_NULL, found));
    CHECK_STR(found, port);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        MUST(MPI_Unpublish_name("a service", MPI_INFO_NULL, port));
        class = check_class(MPI_Lookup_name("a service", MPI_INFO_NULL, found));
        CHECK_INT(class, MPI_ERR_NAME);
        MUST(MPI_Close_port(port));
    }
    return check_done("spawn_names");
}
