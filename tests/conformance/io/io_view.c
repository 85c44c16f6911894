/* Views: derived etypes and filetypes, which get_view returns; offsets in etypes; subarrays; external32. */
#include "check.h"

#include "files.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char *path = file_path("io_view.dat"), rep[MPI_MAX_DATAREP_STRING];
    MPI_File file;
    MPI_Offset displacement, bytes;
    MPI_Datatype etype, filetype, mine, pair;
    MPI_Status status;
    MPI_Aint extent;
    int value, combiner, integers, addresses, types;

    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    MUST(MPI_File_get_view(file, &displacement, &etype, &filetype, rep));
    CHECK_INT(displacement, 0);
    CHECK(etype == MPI_BYTE);
    CHECK(filetype == MPI_BYTE);
    CHECK_STR(rep, "native");

    /* Round robin: each rank writes every size-th int after a header of 16 bytes. */
    MUST(MPI_Type_vector(1, 1, size, MPI_INT, &pair));
    MUST(MPI_Type_create_resized(pair, 0, size * sizeof(int), &mine));
    MUST(MPI_Type_commit(&mine));
    MUST(MPI_Type_free(&pair));
    MUST(MPI_File_set_view(file, 16 + rank * sizeof(int), MPI_INT, mine, "native", MPI_INFO_NULL));
    MUST(MPI_File_get_view(file, &displacement, &etype, &filetype, rep));
    CHECK_INT(displacement, 16 + rank * sizeof(int));
    CHECK(etype == MPI_INT);
    CHECK_STR(rep, "native");
    MUST(MPI_Type_get_envelope(filetype, &integers, &addresses, &types, &combiner));
    CHECK(combiner != MPI_COMBINER_NAMED);
    MUST(MPI_Type_free(&filetype));

    int data[4] = {rank, rank + 100, rank + 200, rank + 300}, got[4] = {-1, -1, -1, -1};
    MUST(MPI_File_write_all(file, data, 4, MPI_INT, &status));
    MUST(MPI_Get_count(&status, MPI_INT, &value));
    CHECK_INT(value, 4);
    MUST(MPI_File_get_position(file, &displacement));
    CHECK_INT(displacement, 4);
    MUST(MPI_File_get_byte_offset(file, 2, &bytes));
    CHECK_INT(bytes, 16 + rank * sizeof(int) + 2 * size * sizeof(int));
    MUST(MPI_File_get_type_extent(file, MPI_INT, &extent));
    CHECK_INT(extent, 4);
    MUST(MPI_File_seek(file, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_all(file, got, 4, MPI_INT, &status));
    MUST(MPI_Get_count(&status, MPI_INT, &value));
    CHECK_INT(value, 4);
    for (int i = 0; i < 4; i++)
        CHECK_INT(got[i], rank + 100 * i);
    MUST(MPI_File_read_at_all(file, 2, got, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(got[0], rank + 200);
    MUST(MPI_Type_free(&mine));
    MUST(MPI_File_sync(file));
    MUST(MPI_Barrier(MPI_COMM_WORLD));

    /* The whole file, without a view. */
    int all[20];
    memset(all, -1, sizeof all);
    MUST(MPI_File_set_view(file, 16, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MUST(MPI_File_read_at(file, 0, all, 4 * size, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < 4 * size; i++)
        CHECK_INT(all[i], i % size + 100 * (i / size));
    MUST(MPI_File_get_size(file, &bytes));
    CHECK_INT(bytes, 16 + 16 * size);

    /* A derived etype is the unit of offsets. The memory type has holes. */
    MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
    MUST(MPI_Type_commit(&pair));
    MUST(MPI_File_set_view(file, 16, pair, pair, "native", MPI_INFO_NULL));
    got[0] = got[1] = -1;
    MUST(MPI_File_read_at(file, 1, got, 1, pair, &status));
    MUST(MPI_Get_count(&status, pair, &value));
    CHECK_INT(value, 1);
    MUST(MPI_Get_elements(&status, pair, &value));
    CHECK_INT(value, 2);
    CHECK_INT(got[0], 2 % size + 100 * (2 / size));
    CHECK_INT(got[1], 3 % size + 100 * (3 / size));
    MUST(MPI_Type_free(&pair));

    /* A subarray: each rank has one column of a matrix of 4 rows. */
    MPI_Datatype column;
    int sizes[2] = {4, size}, parts[2] = {4, 1}, starts[2] = {0, rank};
    MUST(MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &column));
    MUST(MPI_Type_commit(&column));
    MUST(MPI_File_set_view(file, 16, MPI_INT, column, "native", MPI_INFO_NULL));
    memset(got, -1, sizeof got);
    MUST(MPI_File_read_all(file, got, 4, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < 4; i++)
        CHECK_INT(got[i], rank + 100 * i);
    MUST(MPI_Type_free(&column));
    MUST(MPI_File_close(&file));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        MUST(MPI_File_delete(path, MPI_INFO_NULL));
    return check_done("io_view");
}
