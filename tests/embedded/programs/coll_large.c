/* Collective operations on more than 2^31 bytes, by the functions with large counts. */
#include "collective.h"

static const MPI_Count bytes = 2300000000;

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    char *buf = malloc((size_t)bytes);
    CHECK(buf);
    MPI_Count last = bytes - 1, part = bytes / world_size;
    int n = world_size, sum = n * (n + 1) / 2;
    memset(buf, world_rank ? 0 : 7, (size_t)bytes);
    buf[last] = world_rank ? 0 : 9;
    CHECK(MPI_Bcast_c(buf, bytes, MPI_BYTE, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(buf[0] == 7 && buf[bytes / 2] == 7 && buf[last] == 9);
    memset(buf, world_rank + 1, (size_t)bytes);
    CHECK(MPI_Allreduce_c(MPI_IN_PLACE, buf, bytes, MPI_INT8_T, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(buf[0] == sum && buf[bytes / 2] == sum && buf[last] == sum);
    memset(buf, world_rank + 1, (size_t)bytes);
    CHECK(MPI_Allgather_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buf, part, MPI_BYTE, MPI_COMM_WORLD) == MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        CHECK(buf[i * part] == i + 1 && buf[(i + 1) * part - 1] == i + 1);
    free(buf);
    return end();
}
