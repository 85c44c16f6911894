/* Many live communicators and groups: all handles differ, each works, and each is freed by itself. */
#include "check.h"

enum { COMMS = 300, GROUPS = 2000 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    static MPI_Comm comms[COMMS];
    static MPI_Group groups[GROUPS];
    int value, result;

    for (int i = 0; i < COMMS; i++)
        MUST(MPI_Comm_dup(i ? comms[i / 2] : MPI_COMM_WORLD, &comms[i]));
    for (int i = 0; i < COMMS; i++)
        for (int j = 0; j < i; j++)
            if (comms[i] == comms[j])
                check_fail(__FILE__, __LINE__, "communicators %d and %d have one handle", i, j);
    for (int i = 0; i < COMMS; i += 7) {
        char name[MPI_MAX_OBJECT_NAME], want[32];
        snprintf(want, sizeof want, "comm %d", i);
        MUST(MPI_Comm_set_name(comms[i], want));
        MUST(MPI_Comm_get_name(comms[i], name, &value));
        CHECK_STR(name, want);
    }
    /* Some are freed, and their places are filled again. */
    for (int i = 1; i < COMMS; i += 2) {
        MUST(MPI_Comm_free(&comms[i]));
        CHECK(comms[i] == MPI_COMM_NULL);
    }
    for (int i = 1; i < COMMS; i += 2)
        MUST(MPI_Comm_dup(MPI_COMM_SELF, &comms[i]));
    for (int i = 0; i < COMMS; i++) {
        MUST(MPI_Comm_size(comms[i], &value));
        CHECK_INT(value, i % 2 ? 1 : size);
    }
    for (int i = 0; i < COMMS; i++)
        MUST(MPI_Comm_free(&comms[i]));

    /* One object with many handles, each freed separately: the last one still works. */
    for (int i = 0; i < GROUPS; i++)
        MUST(MPI_Comm_group(MPI_COMM_WORLD, &groups[i]));
    for (int i = 0; i < GROUPS - 1; i++) {
        MUST(MPI_Group_free(&groups[i]));
        CHECK(groups[i] == MPI_GROUP_NULL);
    }
    MUST(MPI_Group_size(groups[GROUPS - 1], &value));
    CHECK_INT(value, size);
    MUST(MPI_Group_rank(groups[GROUPS - 1], &value));
    CHECK_INT(value, rank);
    MPI_Group again;
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &again));
    MUST(MPI_Group_compare(again, groups[GROUPS - 1], &result));
    CHECK_INT(result, MPI_IDENT);
    MUST(MPI_Group_free(&groups[GROUPS - 1]));
    MUST(MPI_Group_size(again, &value));
    CHECK_INT(value, size);
    MUST(MPI_Group_free(&again));
    return check_done("comm_many");
}
