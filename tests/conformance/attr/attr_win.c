/* Attributes of windows: base, size, unit, flavor and model of each kind of window, and the program's keyvals. */
#include "check.h"

struct log {
    int deletes, keyval;
    MPI_Win win;
    void *value;
};

static int delete(MPI_Win win, int keyval, void *value, void *state)
{
    struct log *log = state;
    MPI_Group group;
    int members = -1;
    log->deletes++;
    log->win = win;
    log->keyval = keyval;
    log->value = value;
    MUST(MPI_Win_get_group(win, &group));
    MUST(MPI_Group_size(group, &members));
    CHECK_INT(members, size);
    MUST(MPI_Group_free(&group));
    return MPI_SUCCESS;
}

static int other_delete(MPI_Win win, int keyval, void *value, void *state)
{
    CHECK(win != MPI_WIN_NULL && keyval != MPI_KEYVAL_INVALID && value != NULL);
    ((struct log *)state)->deletes += 100;
    return MPI_SUCCESS;
}

static void predefined(MPI_Win win, const void *base, MPI_Aint bytes, int unit, int flavor)
{
    void *got_base = (void *)-1;
    MPI_Aint *got_bytes;
    int *got, flag = 0;
    MUST(MPI_Win_get_attr(win, MPI_WIN_BASE, &got_base, &flag));
    CHECK(flag && got_base == base);
    MUST(MPI_Win_get_attr(win, MPI_WIN_SIZE, &got_bytes, &flag));
    CHECK(flag && *got_bytes == bytes);
    MUST(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &got, &flag));
    CHECK(flag && *got == unit);
    MUST(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &got, &flag));
    CHECK_INT(flag, 1);
    CHECK_INT(*got, flavor);
    MUST(MPI_Win_get_attr(win, MPI_WIN_MODEL, &got, &flag));
    CHECK_INT(flag, 1);
    CHECK(*got == MPI_WIN_UNIFIED || *got == MPI_WIN_SEPARATE);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Win win;
    int memory[32], *allocated, flag;
    void *got;

    MUST(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    predefined(win, memory, sizeof memory, sizeof(int), MPI_WIN_FLAVOR_CREATE);

    struct log a = {0}, b = {0};
    int one, two, plain;
    MUST(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete, &one, &a));
    MUST(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, other_delete, &two, &b));
    MUST(MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &plain, NULL));
    CHECK(one != two && two != plain && one != MPI_KEYVAL_INVALID && one != MPI_WIN_BASE && one != MPI_WIN_SIZE);
    MUST(MPI_Win_get_attr(win, one, &got, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Win_set_attr(win, one, memory));
    MUST(MPI_Win_set_attr(win, two, memory + 1));
    MUST(MPI_Win_set_attr(win, plain, memory + 2));
    MUST(MPI_Win_get_attr(win, one, &got, &flag));
    CHECK(flag && got == memory);
    MUST(MPI_Win_get_attr(win, plain, &got, &flag));
    CHECK(flag && got == memory + 2);
    MUST(MPI_Win_set_attr(win, one, memory + 3));
    CHECK(a.deletes == 1 && a.win == win && a.keyval == one && a.value == memory);
    MUST(MPI_Win_delete_attr(win, one));
    CHECK(a.deletes == 2 && a.value == memory + 3);
    MUST(MPI_Win_get_attr(win, one, &got, &flag));
    CHECK_INT(flag, 0);
    CHECK_INT(b.deletes, 0);
    MUST(MPI_Win_set_attr(win, one, memory + 4));
    MPI_Win freed = win;
    MUST(MPI_Win_free(&win));
    CHECK(a.deletes == 3 && a.win == freed && a.value == memory + 4);
    CHECK_INT(b.deletes, 100);
    CHECK(win == MPI_WIN_NULL);
    MUST(MPI_Win_free_keyval(&one));
    CHECK_INT(one, MPI_KEYVAL_INVALID);
    MUST(MPI_Win_free_keyval(&two));
    MUST(MPI_Win_free_keyval(&plain));

    MUST(MPI_Win_allocate(64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &win));
    predefined(win, allocated, 64, 8, MPI_WIN_FLAVOR_ALLOCATE);
    MUST(MPI_Win_free(&win));
    MUST(MPI_Win_allocate_shared(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &win));
    predefined(win, allocated, 64, 4, MPI_WIN_FLAVOR_SHARED);
    MUST(MPI_Win_free(&win));
    MUST(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    predefined(win, MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC);
    MUST(MPI_Win_free(&win));
    return check_done("attr_win");
}
