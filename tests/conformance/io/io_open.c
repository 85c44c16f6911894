/* Opening files: the requested and the returned mode, group, info, size, preallocation, deletion, and the three kinds
   of seek. */
#include "check.h"

#include "files.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char *path = file_path("io_open.dat");
    MPI_File file = MPI_FILE_NULL;
    MPI_Offset bytes, position;
    MPI_Info info, back;
    MPI_Group group, world;
    int value, result, flag;
    MPI_Status status;

    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "access_style", "write_once"));
    static const int modes[] = {
        MPI_MODE_CREATE | MPI_MODE_RDWR,
        MPI_MODE_RDONLY,
        MPI_MODE_WRONLY,
        MPI_MODE_WRONLY | MPI_MODE_APPEND,
        MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN,
        MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
    };
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++) {
        MUST(MPI_File_open(MPI_COMM_WORLD, path, modes[i], i == 0 ? info : MPI_INFO_NULL, &file));
        CHECK(file != MPI_FILE_NULL);
        value = -1;
        MUST(MPI_File_get_amode(file, &value));
        CHECK_INT(value, modes[i]);
        MUST(MPI_File_get_group(file, &group));
        MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
        MUST(MPI_Group_compare(group, world, &result));
        CHECK_INT(result, MPI_IDENT);
        MUST(MPI_Group_free(&group));
        MUST(MPI_Group_free(&world));
        MUST(MPI_File_get_info(file, &back));
        CHECK(back != MPI_INFO_NULL);
        MUST(MPI_Info_get_nkeys(back, &value));
        CHECK(value >= 0);
        MUST(MPI_File_set_info(file, back));
        MUST(MPI_Info_free(&back));
        CHECK(MPI_File_f2c(MPI_File_c2f(file)) == file);
        if (i == 0) {
            MUST(MPI_File_write_at(file, 4 * rank, &rank, 1, MPI_INT, &status));
            MUST(MPI_Get_count(&status, MPI_INT, &value));
            CHECK_INT(value, 1);
            MUST(MPI_File_sync(file));
            MUST(MPI_Barrier(MPI_COMM_WORLD));
            MUST(MPI_File_get_size(file, &bytes));
            CHECK_INT(bytes, 4 * size);
        }
        if (i == 3) { /* appending starts at the end */
            MUST(MPI_File_get_position(file, &position));
            CHECK_INT(position, 4 * size);
        }
        MUST(MPI_File_close(&file));
        CHECK(file == MPI_FILE_NULL);
    }
    MUST(MPI_Info_free(&info));
    CHECK(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL);

    /* The file was deleted on close. */
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file), MPI_ERR_NO_SUCH_FILE);

    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    MUST(MPI_File_get_amode(file, &value));
    CHECK((value & MPI_MODE_RDWR) && (value & MPI_MODE_CREATE) && !(value & MPI_MODE_RDONLY));
    MUST(MPI_File_set_size(file, 1000));
    MUST(MPI_File_get_size(file, &bytes));
    CHECK_INT(bytes, 1000);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_File_set_size(file, 100));
    MUST(MPI_File_get_size(file, &bytes));
    CHECK_INT(bytes, 100);

    MUST(MPI_File_seek(file, 10, MPI_SEEK_SET));
    MUST(MPI_File_get_position(file, &position));
    CHECK_INT(position, 10);
    MUST(MPI_File_seek(file, 7, MPI_SEEK_CUR));
    MUST(MPI_File_get_position(file, &position));
    CHECK_INT(position, 17);
    MUST(MPI_File_seek(file, -20, MPI_SEEK_END));
    MUST(MPI_File_get_position(file, &position));
    CHECK_INT(position, 80);
    MUST(MPI_File_get_byte_offset(file, 40, &bytes));
    CHECK_INT(bytes, 40);
    CHECK(MPI_File_seek(file, -5, MPI_SEEK_SET) != MPI_SUCCESS);
    CHECK(MPI_File_seek(file, 5, 12345) != MPI_SUCCESS);

    MUST(MPI_File_seek(file, 100, MPI_SEEK_SET)); /* a read at the end returns no bytes */
    MUST(MPI_File_read(file, &value, 1, MPI_INT, &status));
    MUST(MPI_Get_count(&status, MPI_INT, &value));
    CHECK_INT(value, 0);

    flag = -1;
    MUST(MPI_File_get_atomicity(file, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_File_set_atomicity(file, 1));
    MUST(MPI_File_get_atomicity(file, &flag));
    CHECK_INT(flag, 1);
    value = 4242 + rank;
    MUST(MPI_File_write_at(file, 4 * rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    int left = (rank + size - 1) % size;
    MUST(MPI_File_read_at(file, 4 * left, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(value, 4242 + left);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_File_set_atomicity(file, 0));
    MUST(MPI_File_get_atomicity(file, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_File_close(&file));

    /* A file of a single rank. */
    char name[32];
    snprintf(name, sizeof name, "io_open_%d.dat", rank);
    MUST(MPI_File_open(MPI_COMM_SELF, file_path(name), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                       MPI_INFO_NULL, &file));
    MUST(MPI_File_preallocate(file, 2000));
    MUST(MPI_File_get_size(file, &bytes));
    CHECK_INT(bytes, 2000);
    MUST(MPI_File_get_group(file, &group));
    MUST(MPI_Group_size(group, &value));
    CHECK_INT(value, 1);
    MUST(MPI_Group_free(&group));
    MUST(MPI_File_close(&file));

    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        MUST(MPI_File_delete(path, MPI_INFO_NULL));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_CLASS(MPI_File_delete(path, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    return check_done("io_open");
}
