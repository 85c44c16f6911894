/* Dynamic processes: the program spawns itself, parent and child communicate over the intercommunicator, merge, and
   disconnect. */
#include "check.h"

#include <unistd.h>

static int child(MPI_Comm parent, int argc, char **argv)
{
    int remote = -1, inter = -1, got = -1, sum = -1, members;
    MPI_Comm merged;
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MUST(MPI_Comm_test_inter(parent, &inter));
    CHECK_INT(inter, 1);
    MUST(MPI_Comm_get_name(parent, name, &length));
    CHECK_STR(name, "MPI_COMM_PARENT");
    CHECK_INT(argc, 3);
    if (argc == 3) {
        CHECK_STR(argv[1], "child");
        CHECK_STR(argv[2], "an argument");
    }
    MUST(MPI_Comm_remote_size(parent, &remote));
    CHECK_INT(size, 2);
    MUST(MPI_Bcast(&got, 1, MPI_INT, 0, parent));
    CHECK_INT(got, 777);
    if (rank == 0)
        MUST(MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, parent, MPI_STATUS_IGNORE));
    if (rank == 0)
        CHECK_INT(got, 31);
    MUST(MPI_Intercomm_merge(parent, 1, &merged));
    MUST(MPI_Comm_size(merged, &members));
    CHECK_INT(members, remote + 2);
    MUST(MPI_Allreduce(&check_failures, &sum, 1, MPI_INT, MPI_SUM, merged));
    MUST(MPI_Comm_free(&merged));
    MPI_Comm same;
    MUST(MPI_Comm_get_parent(&same));
    CHECK(same == parent);
    MUST(MPI_Comm_disconnect(&parent));
    CHECK(parent == MPI_COMM_NULL);
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm parent, children, merged;
    MUST(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL)
        return child(parent, argc, argv);

    char self[4096], word[] = "child", other[] = "an argument";
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    CHECK(length > 0);
    self[length > 0 ? length : 0] = 0;
    char *arguments[] = {word, other, NULL};
    int codes[2] = {-1, -1}, remote = -1, members = -1, sum = -1;
    MUST(MPI_Comm_spawn(self, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes));
    if (rank == 0) /* significant at the root */
        CHECK(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS);
    MUST(MPI_Comm_remote_size(children, &remote));
    CHECK_INT(remote, 2);
    int value = 777;
    MUST(MPI_Bcast(&value, 1, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, children));
    value = 31;
    if (rank == size - 1)
        MUST(MPI_Send(&value, 1, MPI_INT, 0, 8, children));
    MUST(MPI_Intercomm_merge(children, 0, &merged));
    MUST(MPI_Comm_size(merged, &members));
    CHECK_INT(members, size + 2);
    MUST(MPI_Comm_rank(merged, &value));
    CHECK_INT(value, rank);
    MUST(MPI_Allreduce(&check_failures, &sum, 1, MPI_INT, MPI_SUM, merged));
    CHECK_INT(sum, 0);
    MUST(MPI_Comm_free(&merged));
    MUST(MPI_Comm_disconnect(&children));
    CHECK(children == MPI_COMM_NULL);
    return check_done("spawn_children");
}
