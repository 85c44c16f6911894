/* The external32 representation in a file: big-endian on disk, and the same values when read; and pack_external. */
#include "check.h"

#include "files.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char *path = file_path("io_external32.dat"), rep[MPI_MAX_DATAREP_STRING];
    MPI_File file;
    MPI_Offset displacement;
    MPI_Datatype etype, filetype;
    MPI_Aint extent;
    int value = 0x01020304 + rank, got = -1;
    unsigned char raw[4], packed[4];

    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    MUST(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
    MUST(MPI_File_get_view(file, &displacement, &etype, &filetype, rep));
    CHECK_STR(rep, "external32");
    CHECK(etype == MPI_INT);
    MUST(MPI_File_get_type_extent(file, MPI_INT, &extent));
    CHECK_INT(extent, 4);
    MUST(MPI_File_write_at(file, rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_at(file, rank, &got, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(got, value);
    MUST(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    MUST(MPI_File_read_at(file, 4 * rank, raw, 4, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK(raw[0] == 1 && raw[1] == 2 && raw[2] == 3 && raw[3] == 4 + rank);
    MPI_Aint position = 0, room;
    MUST(MPI_Pack_external_size("external32", 1, MPI_INT, &room));
    CHECK_INT(room, 4);
    MUST(MPI_Pack_external("external32", &value, 1, MPI_INT, packed, 4, &position));
    CHECK_INT(position, 4);
    CHECK(memcmp(packed, raw, 4) == 0);
    MUST(MPI_File_close(&file));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        MUST(MPI_File_delete(path, MPI_INFO_NULL));
    return check_done("io_external32");
}
