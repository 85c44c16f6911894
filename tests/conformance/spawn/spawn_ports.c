/* Ports: open, accept and connect between two ranks, communicate, disconnect. */
#include "check.h"


int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char port[MPI_MAX_PORT_NAME + 8];
    memset(port, 0, sizeof port);
    memset(port + MPI_MAX_PORT_NAME, 'z', 8);
    if (rank == 0) {
        MUST(MPI_Open_port(MPI_INFO_NULL, port));
        CHECK(strlen(port) > 0 && strlen(port) < MPI_MAX_PORT_NAME);
        CHECK(memcmp(port + MPI_MAX_PORT_NAME, "zzzzzzzz", 8) == 0);
    }
    MUST(MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD));
    if (size > 1 && rank < 2) {
        MPI_Comm inter;
        int members = -1, flag = -1, got = -1, sent = 60 + rank;
        if (rank == 0)
            MUST(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter));
        else
            MUST(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter));
        MUST(MPI_Comm_test_inter(inter, &flag));
        CHECK_INT(flag, 1);
        MUST(MPI_Comm_remote_size(inter, &members));
        CHECK_INT(members, 1);
        MUST(MPI_Sendrecv(&sent, 1, MPI_INT, 0, 4, &got, 1, MPI_INT, 0, 4, inter, MPI_STATUS_IGNORE));
        CHECK_INT(got, 61 - rank);
        MUST(MPI_Comm_disconnect(&inter));
        CHECK(inter == MPI_COMM_NULL);
    }
    if (rank == 0)
        MUST(MPI_Close_port(port));
    return check_done("spawn_ports");
}
