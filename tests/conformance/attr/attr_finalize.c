/* MPI_Finalize first deletes the attributes of MPI_COMM_SELF, the last one first. MPI works in the callbacks. */
#include "check.h"

#include <stdint.h>

static int order[4], calls;

static int delete(MPI_Comm comm, int keyval, void *value, void *state)
{
    int finalized = -1, value_inside = -1;
    CHECK(comm == MPI_COMM_SELF);
    CHECK(keyval != MPI_KEYVAL_INVALID);
    CHECK(state == order);
    MUST(MPI_Finalized(&finalized));
    CHECK_INT(finalized, 0);
    MUST(MPI_Comm_rank(MPI_COMM_WORLD, &value_inside));
    CHECK_INT(value_inside, rank);
    MUST(MPI_Comm_size(comm, &value_inside));
    CHECK_INT(value_inside, 1);
    order[calls++] = (int)(intptr_t)value;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int keyvals[3], flag = -1;
    for (int i = 0; i < 3; i++) {
        MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &keyvals[i], order));
        MUST(MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[i], (void *)(intptr_t)(i + 1)));
    }
    for (int i = 0; i < 3; i++)
        MUST(MPI_Comm_free_keyval(&keyvals[i])); /* the attributes remain */
    CHECK_INT(calls, 0);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Finalize());
    CHECK_INT(calls, 3);
    CHECK(order[0] == 3 && order[1] == 2 && order[2] == 1);
    MUST(MPI_Finalized(&flag));
    CHECK_INT(flag, 1);
    int bad = check_verdict("attr_finalize", check_failures);
    return bad;
}
