/* Two commands are spawned at once. Each gets its number by MPI_APPNUM, and its own arguments. The error codes are
   ignored. */
#include "check.h"

#include <unistd.h>

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm parent, children;
    int remote = -1;
    MUST(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL) {
        int *number, flag = 0, mine = -1, bad;
        MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag));
        mine = flag ? *number : -1;
        MUST(MPI_Gather(&mine, 1, MPI_INT, NULL, 0, MPI_INT, 0, parent));
        bad = check_failures + (size != 2) + (argc > 1 ? strcmp(argv[1], rank ? "second" : "first") != 0 : 100);
        MUST(MPI_Gather(&bad, 1, MPI_INT, NULL, 0, MPI_INT, 0, parent));
        MUST(MPI_Comm_disconnect(&parent));
        MPI_Finalize();
        return 0;
    }
    char self[4096], first[] = "first", second[] = "second";
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    char *commands[2] = {self, self}, *one[] = {first, NULL}, *two[] = {second, NULL}, **arguments[] = {one, two};
    int counts[2] = {1, 1}, numbers[2] = {-1, -1}, bad[2] = {-1, -1};
    MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MUST(MPI_Comm_spawn_multiple(2, commands, arguments, counts, infos, 0, MPI_COMM_WORLD, &children,
                                 MPI_ERRCODES_IGNORE));
    MUST(MPI_Comm_remote_size(children, &remote));
    CHECK_INT(remote, 2);
    int root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MUST(MPI_Gather(NULL, 0, MPI_INT, numbers, 1, MPI_INT, root, children));
    MUST(MPI_Gather(NULL, 0, MPI_INT, bad, 1, MPI_INT, root, children));
    if (rank == 0) {
        CHECK(numbers[0] == 0 && numbers[1] == 1);
        CHECK(bad[0] == 0 && bad[1] == 0);
    }
    MUST(MPI_Comm_disconnect(&children));
    return check_done("spawn_multiple");
}
