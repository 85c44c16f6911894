/* MPI_Comm_join: two ranks connected by a socket create an intercommunicator. */
#include "check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (size > 1 && rank < 2) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        socklen_t length = sizeof address;
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        CHECK(fd >= 0);
        if (rank == 0) {
            CHECK_INT(bind(fd, (struct sockaddr *)&address, length), 0);
            CHECK_INT(listen(fd, 1), 0);
            CHECK_INT(getsockname(fd, (struct sockaddr *)&address, &length), 0);
            MUST(MPI_Send(&address, sizeof address, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
            int accepted = accept(fd, NULL, NULL);
            close(fd);
            fd = accepted;
        } else {
            MUST(MPI_Recv(&address, sizeof address, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_INT(connect(fd, (struct sockaddr *)&address, length), 0);
        }
        MPI_Comm inter;
        int got = -1, members = -1;
        MUST(MPI_Comm_join(fd, &inter));
        MUST(MPI_Comm_remote_size(inter, &members));
        CHECK_INT(members, 1);
        MUST(MPI_Sendrecv(&rank, 1, MPI_INT, 0, 4, &got, 1, MPI_INT, 0, 4, inter, MPI_STATUS_IGNORE));
        CHECK_INT(got, 1 - rank);
        MUST(MPI_Comm_disconnect(&inter));
        close(fd);
    }
    return check_done("spawn_join");
}
