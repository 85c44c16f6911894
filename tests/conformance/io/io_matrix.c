/* Every access mode as File_get_amode returns it, every transfer with every kind of file pointer, the errors of
   File_open for existing files, directories and files without permission, the types of views, and seeks (MPI-3.1, 13.2
   to 13.6). */
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

static const char *path;

static MPI_File open_file(MPI_Comm comm, int mode)
{
    MPI_File file = MPI_FILE_NULL;
    MUST(MPI_File_open(comm, path, mode, MPI_INFO_NULL, &file));
    return file;
}

static void modes(void)
{
    static const int access[] = {MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR};
    static const int more[] = {0, MPI_MODE_CREATE, MPI_MODE_APPEND, MPI_MODE_UNIQUE_OPEN, MPI_MODE_SEQUENTIAL};
    enum { MORE = sizeof more / sizeof *more };
    MPI_File file = open_file(MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_close(&file));
    for (unsigned a = 0; a < 3; a++)
        for (unsigned m = 0; m < 1u << (MORE - 1); m++) {
            int mode = access[a], got = -1;
            for (unsigned i = 1; i < MORE; i++)
                if (m & 1u << (i - 1))
                    mode |= more[i];
            if ((mode & MPI_MODE_RDONLY) && (mode & MPI_MODE_CREATE))
                continue;
            if ((mode & MPI_MODE_RDWR) && (mode & MPI_MODE_SEQUENTIAL))
                continue;
            if (mode & MPI_MODE_SEQUENTIAL) /* the libraries allow different calls in this mode */
                continue;
            file = open_file(MPI_COMM_WORLD, mode);
            MUST(MPI_File_get_amode(file, &got));
            CHECK_INT(got, mode);
            MUST(MPI_File_close(&file));
        }
}

/* Each call writes or reads one int at its place, in all eight ways. */
static void ways(void)
{
    MPI_File file = open_file(MPI_COMM_SELF, MPI_MODE_RDWR);
    MPI_Request request;
    MPI_Status status;
    MPI_Offset position = -1;
    int count = -1, v[16], in[16];
    for (int i = 0; i < 16; i++) {
        v[i] = 100 + i;
        in[i] = -1;
    }
#define DONE(n)                                    \
    do {                                           \
        MUST(MPI_Get_count(&status, MPI_INT, &count)); \
        CHECK_INT(count, n);                       \
    } while (0)
    MUST(MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MUST(MPI_File_write(file, &v[0], 1, MPI_INT, &status));
    DONE(1);
    MUST(MPI_File_write_all(file, &v[1], 1, MPI_INT, &status));
    DONE(1);
    MUST(MPI_File_write_at(file, 2, &v[2], 1, MPI_INT, &status));
    DONE(1);
    MUST(MPI_File_write_at_all(file, 3, &v[3], 1, MPI_INT, &status));
    DONE(1);
    MUST(MPI_File_iwrite(file, &v[2], 1, MPI_INT, &request)); /* the pointer is at 2 */
    MUST(MPI_Wait(&request, &status));
    DONE(1);
    MUST(MPI_File_iwrite_at(file, 4, &v[4], 1, MPI_INT, &request));
    MUST(MPI_Wait(&request, &status));
    DONE(1);
    MUST(MPI_File_seek(file, 5, MPI_SEEK_SET));
    MUST(MPI_File_write_all_begin(file, &v[5], 1, MPI_INT));
    MUST(MPI_File_write_all_end(file, &v[5], &status));
    DONE(1);
    MUST(MPI_File_write_at_all_begin(file, 6, &v[6], 1, MPI_INT));
    MUST(MPI_File_write_at_all_end(file, &v[6], &status));
    DONE(1);
    MUST(MPI_File_iwrite_all(file, &v[6], 1, MPI_INT, &request)); /* at 6 again */
    MUST(MPI_Wait(&request, &status));
    DONE(1);
    MUST(MPI_File_iwrite_at_all(file, 7, &v[7], 1, MPI_INT, &request));
    MUST(MPI_Wait(&request, &status));
    DONE(1);
    MUST(MPI_File_get_position(file, &position));
    CHECK_INT(position, 7);

    MUST(MPI_File_seek(file, 0, MPI_SEEK_SET));
    MUST(MPI_File_read(file, &in[0], 1, MPI_INT, &status));
    MUST(MPI_File_read_all(file, &in[1], 1, MPI_INT, &status));
    MUST(MPI_File_read_at(file, 2, &in[2], 1, MPI_INT, &status));
    MUST(MPI_File_read_at_all(file, 3, &in[3], 1, MPI_INT, &status));
    MUST(MPI_File_seek(file, 2, MPI_SEEK_CUR));
    MUST(MPI_File_iread(file, &in[4], 1, MPI_INT, &request));
    MUST(MPI_Wait(&request, &status));
    DONE(1);
    MUST(MPI_File_iread_at(file, 5, &in[5], 1, MPI_INT, &request));
    MUST(MPI_Wait(&request, &status));
    DONE(1);
    MUST(MPI_File_seek(file, -2, MPI_SEEK_END));
    MUST(MPI_File_read_all_begin(file, &in[6], 1, MPI_INT));
    MUST(MPI_File_read_all_end(file, &in[6], &status));
    DONE(1);
    MUST(MPI_File_read_at_all_begin(file, 7, &in[7], 1, MPI_INT));
    MUST(MPI_File_read_at_all_end(file, &in[7], &status));
    DONE(1);
    for (int i = 0; i < 8; i++)
        CHECK_INT(in[i], 100 + i);
    MUST(MPI_File_iread_at_all(file, 0, &in[8], 8, MPI_INT, &request));
    MUST(MPI_Wait(&request, &status));
    DONE(8);
    CHECK_INT(in[15], 107);
    /* Beyond the end a read returns fewer bytes, or none. */
    MUST(MPI_File_read_at(file, 6, &in[8], 5, MPI_INT, &status));
    DONE(2);
    MUST(MPI_File_read_at(file, 100, &in[8], 5, MPI_INT, &status)); /* Open MPI's iread_at never completes there */
    DONE(0);
    /* Several at a time, together with requests of messages. */
    MPI_Request many[5];
    MPI_Status statuses[5];
    int word = -1;
    MUST(MPI_File_iread_at(file, 1, &in[9], 2, MPI_INT, &many[0]));
    MUST(MPI_Irecv(&word, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &many[1]));
    many[2] = MPI_REQUEST_NULL;
    MUST(MPI_File_iwrite_at(file, 20, &v[9], 3, MPI_INT, &many[3]));
    MUST(MPI_Isend(&v[1], 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &many[4]));
    MUST(MPI_Waitall(5, many, statuses));
    MUST(MPI_Get_count(&statuses[0], MPI_INT, &count));
    CHECK_INT(count, 2);
    MUST(MPI_Get_count(&statuses[3], MPI_INT, &count));
    CHECK_INT(count, 3);
    CHECK(statuses[1].MPI_TAG == 7 && word == 101 && in[10] == 102);
    CHECK_INT(statuses[2].MPI_SOURCE, MPI_ANY_SOURCE);
    MUST(MPI_File_close(&file));
}

static void views(void)
{
    MPI_File file = open_file(MPI_COMM_SELF, MPI_MODE_RDWR);
    MPI_Datatype derived, etype, filetype;
    MPI_Offset displacement;
    char rep[MPI_MAX_DATAREP_STRING];
    int ni, na, nd, combiner, ints[4];
    MPI_Aint addresses[4];
    MUST(MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &derived));
    MUST(MPI_Type_commit(&derived));
    static const char *const reps[] = {"native", "internal", "external32"};
    const MPI_Datatype named[] = {MPI_BYTE, MPI_CHAR, MPI_INT, MPI_DOUBLE, MPI_INT64_T, MPI_SHORT};
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++) {
        const char *want = reps[i % 2];
        if (MPI_File_set_view(file, 16, named[i], named[i], want, MPI_INFO_NULL) != MPI_SUCCESS)
            continue; /* some libraries lack some representations */
        MUST(MPI_File_get_view(file, &displacement, &etype, &filetype, rep));
        CHECK_INT(displacement, 16);
        CHECK(etype == named[i] && filetype == named[i]);
        CHECK(!strcmp(rep, want) || !strcmp(rep, "native")); /* the name in MPICH */
    }
    MUST(MPI_File_set_view(file, 24, MPI_DOUBLE, derived, "native", MPI_INFO_NULL));
    MUST(MPI_Type_free(&derived)); /* the view keeps it */
    for (int again = 0; again < 2; again++) {
        MPI_Datatype inner[2];
        MUST(MPI_File_get_view(file, &displacement, &etype, &filetype, rep));
        CHECK(displacement == 24 && etype == MPI_DOUBLE);
        MUST(MPI_Type_get_envelope(filetype, &ni, &na, &nd, &combiner));
        while (combiner == MPI_COMBINER_DUP || combiner == MPI_COMBINER_CONTIGUOUS) { /* MPICH wraps the filetype in these */
            MUST(MPI_Type_get_contents(filetype, ni, 0, 1, ints, addresses, inner));
            MUST(MPI_Type_free(&filetype));
            filetype = inner[0];
            MUST(MPI_Type_get_envelope(filetype, &ni, &na, &nd, &combiner));
        }
        CHECK_INT(combiner, MPI_COMBINER_VECTOR);
        MUST(MPI_Type_get_contents(filetype, ni, na, nd, ints, addresses, inner));
        CHECK(ints[0] == 2 && ints[1] == 1 && ints[2] == 3 && inner[0] == MPI_DOUBLE);
        MUST(MPI_Type_free(&filetype));
    }
    MUST(MPI_File_close(&file));
}

/* The errors of File_open, File_delete and other calls, depending on the existing file. */
static void refusals(void)
{
    MPI_File file = MPI_FILE_NULL;
    MPI_Info info;
    int class;
    char *directory = file_path("io_matrix.dir"), *missing = file_path("io_matrix.none");
    if (rank == 0)
        CHECK(mkdir(directory, 0755) == 0);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, missing, MPI_MODE_RDWR, MPI_INFO_NULL, &file), MPI_ERR_NO_SUCH_FILE);
    class = check_class(MPI_File_open(MPI_COMM_WORLD, directory, MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    CHECK(class != MPI_SUCCESS);
    class = check_class(MPI_File_open(MPI_COMM_SELF, file_path("io_matrix.dat/x"), MPI_MODE_CREATE | MPI_MODE_RDWR,
                                      MPI_INFO_NULL, &file));
    CHECK(class != MPI_SUCCESS);
    CHECK_CLASS(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY, MPI_INFO_NULL, &file),
                MPI_ERR_FILE_EXISTS);
    CHECK_CLASS(MPI_File_delete(missing, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    CHECK(MPI_File_delete(directory, MPI_INFO_NULL) != MPI_SUCCESS);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        CHECK(rmdir(directory) == 0);

    file = open_file(MPI_COMM_SELF, MPI_MODE_RDWR);
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "cb_buffer_size", "8388608"));
    MUST(MPI_Info_set(info, "no_such_hint_at_all", "yes"));
    MUST(MPI_File_set_info(file, info));
    MUST(MPI_Info_free(&info));
    MUST(MPI_File_get_info(file, &info));
    CHECK(info != MPI_INFO_NULL);
    MUST(MPI_Info_free(&info));
    MUST(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char name[64];
    path = file_path("io_matrix.dat");
    modes();
    refusals();
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        MUST(MPI_File_delete(path, MPI_INFO_NULL));
    snprintf(name, sizeof name, "io_matrix.%d", rank);
    path = file_path(name);
    MPI_File file = open_file(MPI_COMM_SELF, MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_close(&file));
    ways();
    views();
    MUST(MPI_File_delete(path, MPI_INFO_NULL));
    return check_done("io_matrix");
}
