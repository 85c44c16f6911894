/* Duplicates of communicators: dup, dup_with_info, idup, compare, names of the maximum length, info, Fortran handles. */
#include "check.h"

static void names(MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME], longest[2 * MPI_MAX_OBJECT_NAME + 64];
    int length = -1;

    MUST(MPI_Comm_get_name(comm, name, &length));
    CHECK_INT(length, 0);
    CHECK_STR(name, "");

    MUST(MPI_Comm_set_name(comm, "a name"));
    MUST(MPI_Comm_get_name(comm, name, &length));
    CHECK_STR(name, "a name");
    CHECK_INT(length, 6);

    /* First 63 characters, which both families allow, then the maximum of this mpi.h. No call writes past the array. */
    memset(longest, 'x', sizeof longest);
    longest[63] = 0;
    MUST(MPI_Comm_set_name(comm, longest));
    MUST(MPI_Comm_get_name(comm, name, &length));
    CHECK_INT(length, 63);
    CHECK_STR(name, longest);

    memset(longest, 'y', sizeof longest);
    longest[MPI_MAX_OBJECT_NAME - 1] = 0;
    struct {
        char text[MPI_MAX_OBJECT_NAME];
        char guard[8];
    } room;
    memset(&room, 'g', sizeof room);
    MUST(MPI_Comm_set_name(comm, longest));
    MUST(MPI_Comm_get_name(comm, room.text, &length));
    CHECK(memcmp(room.guard, "gggggggg", 8) == 0);
    CHECK(length >= 63 && length <= MPI_MAX_OBJECT_NAME - 1);
    CHECK_INT(strlen(room.text), length);
    CHECK_INT(room.text[0], 'y');

    MUST(MPI_Comm_set_name(comm, ""));
    MUST(MPI_Comm_get_name(comm, name, &length));
    CHECK_INT(length, 0);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int result, length, value, peer;
    char name[MPI_MAX_OBJECT_NAME];

    MUST(MPI_Comm_get_name(MPI_COMM_WORLD, name, &length));
    CHECK_STR(name, "MPI_COMM_WORLD");
    CHECK_INT(length, 14);
    MUST(MPI_Comm_get_name(MPI_COMM_SELF, name, &length));
    CHECK_STR(name, "MPI_COMM_SELF");

    MPI_Comm dup;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    CHECK(dup != MPI_COMM_NULL && dup != MPI_COMM_WORLD);
    MUST(MPI_Comm_rank(dup, &value));
    CHECK_INT(value, rank);
    MUST(MPI_Comm_size(dup, &value));
    CHECK_INT(value, size);
    MUST(MPI_Comm_compare(dup, MPI_COMM_WORLD, &result));
    CHECK_INT(result, MPI_CONGRUENT);
    MUST(MPI_Comm_compare(dup, dup, &result));
    CHECK_INT(result, MPI_IDENT);
    MUST(MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &result));
    CHECK_INT(result, MPI_IDENT);
    MUST(MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, &result));
    CHECK_INT(result, size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
    MUST(MPI_Comm_test_inter(dup, &value));
    CHECK_INT(value, 0);
    names(dup);

    /* A message in the duplicate is invisible in the original. */
    peer = (rank + 1) % size;
    int sent = rank * 10, got = -1, flag;
    MPI_Request request;
    MPI_Status status;
    MUST(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 5, dup, &request));
    MUST(MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK_INT(flag, 0);
    MUST(MPI_Send(&sent, 1, MPI_INT, peer, 5, dup));
    MUST(MPI_Wait(&request, &status));
    CHECK_INT(got, (rank + size - 1) % size * 10);
    CHECK_INT(status.MPI_SOURCE, (rank + size - 1) % size);
    CHECK_INT(status.MPI_TAG, 5);
    CHECK(request == MPI_REQUEST_NULL);

    MPI_Comm nonblocking = MPI_COMM_NULL;
    MUST(MPI_Comm_idup(dup, &nonblocking, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(request == MPI_REQUEST_NULL);
    CHECK(nonblocking != MPI_COMM_NULL && nonblocking != dup);
    MUST(MPI_Comm_compare(nonblocking, dup, &result));
    CHECK_INT(result, MPI_CONGRUENT);
    MUST(MPI_Comm_size(nonblocking, &value));
    CHECK_INT(value, size);
    value = -1;
    MUST(MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_MAX, nonblocking));
    CHECK_INT(value, size - 1);

    /* Several at a time, completed in reverse order. */
    MPI_Comm several[3];
    MPI_Request requests[3];
    for (int i = 0; i < 3; i++)
        MUST(MPI_Comm_idup(i == 1 ? MPI_COMM_WORLD : dup, &several[i], &requests[i]));
    for (int i = 2; i >= 0; i--)
        MUST(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
    for (int i = 0; i < 3; i++) {
        CHECK(requests[i] == MPI_REQUEST_NULL);
        MUST(MPI_Comm_compare(several[i], MPI_COMM_WORLD, &result));
        CHECK_INT(result, MPI_CONGRUENT);
        MUST(MPI_Comm_free(&several[i]));
        CHECK(several[i] == MPI_COMM_NULL);
    }

    MPI_Info info, back;
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "mpi_assert_no_any_tag", "false"));
    MPI_Comm informed;
    MUST(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &informed));
    MUST(MPI_Comm_compare(informed, MPI_COMM_WORLD, &result));
    CHECK_INT(result, MPI_CONGRUENT);
    MUST(MPI_Comm_set_info(informed, info));
    MUST(MPI_Comm_get_info(informed, &back));
    CHECK(back != MPI_INFO_NULL);
    MUST(MPI_Info_get_nkeys(back, &value));
    CHECK(value >= 0);
    MUST(MPI_Info_free(&back));
    CHECK(back == MPI_INFO_NULL);
    MUST(MPI_Comm_dup_with_info(MPI_COMM_SELF, MPI_INFO_NULL, &several[0]));
    MUST(MPI_Comm_size(several[0], &value));
    CHECK_INT(value, 1);
    MUST(MPI_Comm_free(&several[0]));
    MUST(MPI_Info_free(&info));

    /* The Fortran integer converts back to the same handle. */
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_SELF)) == MPI_COMM_SELF);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(dup)) == dup);
    CHECK(MPI_Comm_c2f(dup) != MPI_Comm_c2f(informed));

    MUST(MPI_Comm_free(&informed));
    MUST(MPI_Comm_disconnect(&nonblocking));
    CHECK(nonblocking == MPI_COMM_NULL);
    MUST(MPI_Comm_free(&dup));
    CHECK(dup == MPI_COMM_NULL);
    return check_done("comm_dup");
}
