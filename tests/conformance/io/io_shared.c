/* Shared file pointers: each item is written once, in any order or in the order of ranks; seek_shared. */
#include "check.h"

#include "files.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char *path = file_path("io_shared.dat");
    MPI_File file;
    MPI_Offset position;
    MPI_Status status;
    MPI_Request request;
    int value, all[16], seen[16];

    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    MUST(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MUST(MPI_File_write_shared(file, &rank, 1, MPI_INT, &status));
    MUST(MPI_Get_count(&status, MPI_INT, &value));
    CHECK_INT(value, 1);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_File_get_position_shared(file, &position));
    CHECK_INT(position, size);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    value = rank + size;
    MUST(MPI_File_iwrite_shared(file, &value, 1, MPI_INT, &request));
    MUST(MPI_Wait(&request, &status));
    MUST(MPI_Get_count(&status, MPI_INT, &value));
    CHECK_INT(value, 1);
    MUST(MPI_File_sync(file));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    memset(all, -1, sizeof all);
    memset(seen, 0, sizeof seen);
    MUST(MPI_File_read_at(file, 0, all, 2 * size, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < 2 * size; i++) {
        CHECK(all[i] >= 0 && all[i] < 2 * size);
        CHECK((all[i] < size) == (i < size));
        seen[all[i] & 15]++;
    }
    for (int i = 0; i < 2 * size; i++)
        CHECK_INT(seen[i], 1);

    MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    value = -1;
    MUST(MPI_File_read_shared(file, &value, 1, MPI_INT, &status));
    CHECK(value >= 0 && value < size);
    int mine = value, sum;
    MUST(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(sum, size * (size - 1) / 2);
    MUST(MPI_File_iread_shared(file, &value, 1, MPI_INT, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(value >= size && value < 2 * size);

    /* In the order of the ranks: rank r writes r+1 ints. */
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    int mine4[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
    MUST(MPI_File_write_ordered(file, mine4, rank + 1, MPI_INT, &status));
    MUST(MPI_Get_count(&status, MPI_INT, &value));
    CHECK_INT(value, rank + 1);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_File_get_position_shared(file, &position));
    CHECK_INT(position, size * (size + 1) / 2);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    int got[4] = {-1, -1, -1, -1};
    MUST(MPI_File_read_ordered(file, got, rank + 1, MPI_INT, &status));
    for (int i = 0; i <= rank; i++)
        CHECK_INT(got[i], 10 * rank + i);

    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_File_seek_shared(file, 2, MPI_SEEK_SET));
    MUST(MPI_File_write_ordered_begin(file, &mine4[1], 1, MPI_INT));
    MUST(MPI_File_write_ordered_end(file, &mine4[1], &status));
    MUST(MPI_Get_count(&status, MPI_INT, &value));
    CHECK_INT(value, 1);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_File_seek_shared(file, -size, MPI_SEEK_CUR));
    value = -1;
    MUST(MPI_File_read_ordered_begin(file, &value, 1, MPI_INT));
    MUST(MPI_File_read_ordered_end(file, &value, MPI_STATUS_IGNORE));
    CHECK_INT(value, 10 * rank + 1);
    MUST(MPI_File_close(&file));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        MUST(MPI_File_delete(path, MPI_INFO_NULL));
    return check_done("io_shared");
}
