/* Windows of the four kinds: create, allocate, allocate_shared, dynamic; group, info, names, Fortran handles, errors. */
#include "check.h"

static void common(MPI_Win win)
{
    MPI_Group group, world;
    MPI_Info info;
    int value, result, length;
    char name[MPI_MAX_OBJECT_NAME];

    CHECK(win != MPI_WIN_NULL);
    MUST(MPI_Win_get_group(win, &group));
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    MUST(MPI_Group_compare(group, world, &result));
    CHECK_INT(result, MPI_IDENT);
    MUST(MPI_Group_rank(group, &value));
    CHECK_INT(value, rank);
    MUST(MPI_Group_free(&group));
    MUST(MPI_Group_free(&world));

    MUST(MPI_Win_get_info(win, &info));
    CHECK(info != MPI_INFO_NULL);
    MUST(MPI_Info_get_nkeys(info, &value));
    CHECK(value >= 0);
    MUST(MPI_Win_set_info(win, info));
    MUST(MPI_Info_free(&info));

    MUST(MPI_Win_get_name(win, name, &length));
    CHECK_INT(length, strlen(name));
    MUST(MPI_Win_set_name(win, "the window"));
    MUST(MPI_Win_get_name(win, name, &length));
    CHECK_STR(name, "the window");
    CHECK_INT(length, 10);
    char longest[64];
    memset(longest, 'w', sizeof longest);
    longest[63] = 0;
    MUST(MPI_Win_set_name(win, longest));
    MUST(MPI_Win_get_name(win, name, &length));
    CHECK_STR(name, longest);

    CHECK(MPI_Win_f2c(MPI_Win_c2f(win)) == win);
    CHECK(MPI_Win_f2c(MPI_Win_c2f(MPI_WIN_NULL)) == MPI_WIN_NULL);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int memory[8], *base, right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Win win, second;
    MPI_Info info;

    for (int i = 0; i < 8; i++)
        memory[i] = 100 * rank + i;
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "no_locks", "false"));
    MUST(MPI_Win_create(memory, sizeof memory, sizeof(int), info, MPI_COMM_WORLD, &win));
    MUST(MPI_Info_free(&info));
    common(win);
    MUST(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &second));
    CHECK(second != win);
    int got[2] = {-1, -1};
    MUST(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    MUST(MPI_Get(got, 2, MPI_INT, right, 3, 2, MPI_INT, win));
    MUST(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    CHECK_INT(got[0], 100 * right + 3);
    CHECK_INT(got[1], 100 * right + 4);
    MUST(MPI_Win_free(&second));
    MUST(MPI_Win_free(&win));
    CHECK(win == MPI_WIN_NULL);

    base = NULL;
    MUST(MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    CHECK(base != NULL);
    common(win);
    for (int i = 0; i < 8; i++)
        base[i] = -1;
    int sent = 1000 + rank;
    MUST(MPI_Win_fence(0, win));
    MUST(MPI_Put(&sent, 1, MPI_INT, right, 2, 1, MPI_INT, win));
    MUST(MPI_Win_fence(0, win));
    CHECK_INT(base[2], 1000 + left);
    CHECK_INT(base[1], -1);
    CHECK_INT(base[3], -1);
    MUST(MPI_Win_free(&win));

    /* Shared: each rank's part has a different size and is in the memory of all ranks. */
    MUST(MPI_Win_allocate_shared((rank + 1) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    common(win);
    MUST(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    for (int i = 0; i <= rank; i++)
        base[i] = 10 * rank + i;
    MUST(MPI_Win_sync(win));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Win_sync(win));
    for (int r = 0; r < size; r++) {
        MPI_Aint bytes = -1;
        int unit = -1, *part = NULL;
        MUST(MPI_Win_shared_query(win, r, &bytes, &unit, &part));
        CHECK_INT(bytes, (r + 1) * sizeof(int));
        CHECK_INT(unit, sizeof(int));
        for (int i = 0; part && i <= r; i++)
            CHECK_INT(part[i], 10 * r + i);
        if (r == rank)
            CHECK(part == base);
    }
    MPI_Aint bytes;
    int unit, *first = NULL, *lowest = NULL;
    MUST(MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &lowest)); /* the lowest rank with memory */
    MUST(MPI_Win_shared_query(win, 0, &bytes, &unit, &first));
    CHECK(lowest == first);
    MUST(MPI_Win_unlock_all(win));
    MUST(MPI_Win_free(&win));

    MUST(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    common(win);
    MPI_Aint address, theirs;
    for (int i = 0; i < 8; i++)
        memory[i] = 100 * rank + i;
    MUST(MPI_Win_attach(win, memory, sizeof memory));
    MUST(MPI_Get_address(&memory[5], &address));
    MUST(MPI_Sendrecv(&address, 1, MPI_AINT, left, 0, &theirs, 1, MPI_AINT, right, 0, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    MUST(MPI_Win_fence(0, win));
    got[0] = -1;
    MUST(MPI_Get(got, 1, MPI_INT, right, theirs, 1, MPI_INT, win));
    MUST(MPI_Win_fence(0, win));
    CHECK_INT(got[0], 100 * right + 5);
    MUST(MPI_Get(got, 1, MPI_INT, right, MPI_Aint_add(theirs, sizeof(int)), 1, MPI_INT, win));
    MUST(MPI_Win_fence(0, win));
    CHECK_INT(got[0], 100 * right + 6);
    MUST(MPI_Win_detach(win, memory));
    MUST(MPI_Win_free(&win));

    /* The error classes of wrong calls. */
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    int class = check_class(MPI_Win_create(memory, sizeof memory, -3, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK(class == MPI_ERR_DISP || class == MPI_ERR_ARG);
    class = check_class(MPI_Win_create(memory, -3, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK(class == MPI_ERR_SIZE);
    MUST(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MUST(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win), MPI_ERR_RANK);
    class = check_class(MPI_Win_lock(-1234, 0, 0, win));
    CHECK(class == MPI_ERR_LOCKTYPE || class == MPI_ERR_ARG);
    CHECK_CLASS(MPI_Win_unlock(rank, win), MPI_ERR_RMA_SYNC);
    void *base2;
    class = check_class(MPI_Win_shared_query(win, 0, &bytes, &unit, &base2));
    CHECK(class == MPI_ERR_RMA_FLAVOR || class == MPI_ERR_WIN || class == MPI_ERR_RMA_SHARED);
    MUST(MPI_Win_free(&win));
    return check_done("rma_windows");
}
