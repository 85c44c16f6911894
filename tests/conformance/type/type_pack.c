/* Packing, native and external32 (MPI-3.1, 4.2, 4.3, 13.5.2). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char buffer[256];
    int position = 0, bound = -1, in = -1;
    const int value = 0x01020304;
    double x = 1.5, y = 0;
    MPI_Status status;

    MUST(MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &bound));
    CHECK(bound >= (int)sizeof(int));
    MUST(MPI_Pack(&value, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    CHECK(position > 0 && position <= bound);
    MUST(MPI_Pack(&x, 1, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    const int end = position;
    position = 0;
    MUST(MPI_Unpack(buffer, end, &position, &in, 1, MPI_INT, MPI_COMM_WORLD));
    CHECK_INT(in, value);
    MUST(MPI_Unpack(buffer, end, &position, &y, 1, MPI_DOUBLE, MPI_COMM_WORLD));
    CHECK(y == 1.5);
    CHECK_INT(position, end);

    /* Packed and sent, received unpacked; then sent unpacked, received packed. */
    int ints[3] = {rank, 2, 3}, got[3] = {0}, count = -1;
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    position = 0;
    MUST(MPI_Pack(ints, 3, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    MUST(MPI_Sendrecv(buffer, position, MPI_PACKED, next, 1, got, 3, MPI_INT, prev, 1, MPI_COMM_WORLD, &status));
    CHECK_INT(got[0], prev);
    CHECK_INT(got[2], 3);
    memset(got, 0, sizeof got);
    MUST(MPI_Sendrecv(ints, 3, MPI_INT, next, 2, buffer, sizeof buffer, MPI_PACKED, prev, 2, MPI_COMM_WORLD, &status));
    MUST(MPI_Get_count(&status, MPI_PACKED, &count));
    position = 0;
    MUST(MPI_Unpack(buffer, count, &position, got, 3, MPI_INT, MPI_COMM_WORLD));
    CHECK_INT(got[0], prev);
    CHECK_INT(got[2], 3);

    /* A type with holes. */
    MPI_Datatype odd;
    int spread[6] = {10, 11, 12, 13, 14, 15}, back[6] = {0};
    MUST(MPI_Type_vector(3, 1, 2, MPI_INT, &odd));
    MUST(MPI_Type_commit(&odd));
    position = 0;
    MUST(MPI_Pack(spread, 1, odd, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    count = position;
    position = 0;
    MUST(MPI_Unpack(buffer, count, &position, back, 1, odd, MPI_COMM_WORLD));
    CHECK(back[0] == 10 && back[1] == 0 && back[2] == 12 && back[4] == 14);

    /* external32 is big-endian, whatever this machine is. */
    MPI_Aint at = 0, external = -1;
    MUST(MPI_Pack_external_size("external32", 1, MPI_INT, &external));
    CHECK_INT(external, 4);
    MUST(MPI_Pack_external_size("external32", 3, MPI_DOUBLE, &external));
    CHECK_INT(external, 24);
    MUST(MPI_Pack_external("external32", &value, 1, MPI_INT, buffer, sizeof buffer, &at));
    CHECK_INT(at, 4);
    CHECK(buffer[0] == 1 && buffer[1] == 2 && buffer[2] == 3 && buffer[3] == 4);
    MUST(MPI_Pack_external("external32", spread, 1, odd, buffer, sizeof buffer, &at));
    CHECK_INT(at, 16);
    CHECK_INT(buffer[11], 12);
    at = 0;
    in = -1;
    MUST(MPI_Unpack_external("external32", buffer, sizeof buffer, &at, &in, 1, MPI_INT));
    CHECK_INT(in, value);
    CHECK_INT(at, 4);
    memset(back, 0, sizeof back);
    MUST(MPI_Unpack_external("external32", buffer, sizeof buffer, &at, back, 1, odd));
    CHECK_INT(at, 16);
    CHECK(back[0] == 10 && back[1] == 0 && back[2] == 12 && back[4] == 14);
    MUST(MPI_Type_free(&odd));
    return check_done("type_pack");
}
