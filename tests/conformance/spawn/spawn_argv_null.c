/* Spawning without arguments: MPI_ARGV_NULL, MPI_ARGVS_NULL, MPI_ERRCODES_IGNORE; an info with a working directory. */
#include "check.h"

#include <unistd.h>

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm parent, children;
    int bad = -1, remote = -1, root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MUST(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL) {
        char where[4096] = "";
        bad = check_failures + (argc != 1) + (getcwd(where, sizeof where) == NULL) + (strcmp(where, "/") != 0);
        MUST(MPI_Reduce(&bad, NULL, 1, MPI_INT, MPI_SUM, 0, parent));
        MUST(MPI_Comm_disconnect(&parent));
        MPI_Finalize();
        return 0;
    }
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    MPI_Info info, infos[2];
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "wdir", "/"));
    MUST(MPI_Comm_spawn(self, MPI_ARGV_NULL, 1, info, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE));
    MUST(MPI_Comm_remote_size(children, &remote));
    CHECK_INT(remote, 1);
    MUST(MPI_Reduce(NULL, &bad, 1, MPI_INT, MPI_SUM, root, children));
    if (rank == 0)
        CHECK_INT(bad, 0);
    MUST(MPI_Comm_disconnect(&children));

    char *commands[2] = {self, self};
    int counts[2] = {1, 1}, codes[2] = {-1, -1};
    infos[0] = infos[1] = info;
    MUST(MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &children, codes));
    MUST(MPI_Comm_remote_size(children, &remote));
    CHECK_INT(remote, 2);
    if (rank == 0)
        CHECK(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS);
    bad = -1;
    MUST(MPI_Reduce(NULL, &bad, 1, MPI_INT, MPI_SUM, root, children));
    if (rank == 0)
        CHECK_INT(bad, 0);
    MUST(MPI_Comm_disconnect(&children));
    MUST(MPI_Info_free(&info));
    return check_done("spawn_argv_null");
}
