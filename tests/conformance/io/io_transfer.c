/* Reading and writing at individual and explicit offsets: blocking, nonblocking, collective and split collective. */
#include "check.h"

#include "files.h"

enum { N = 100 };
static int out[N], in[N];
static MPI_File file;
static MPI_Offset at; /* the start of this rank's part, in ints */
static MPI_Status status;

static void fill(int seed)
{
    for (int i = 0; i < N; i++)
        out[i] = seed + 1000 * rank + i;
    memset(in, -1, sizeof in);
    memset(&status, 0, sizeof status);
}

static void same(int seed, const char *what)
{
    int count = -1;
    for (int i = 0; i < N; i++)
        if (in[i] != seed + 1000 * rank + i) {
            check_fail(__FILE__, __LINE__, "%s: element %d is %d", what, i, in[i]);
            break;
        }
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, N);
}

static void finish(MPI_Request *request)
{
    CHECK(*request != MPI_REQUEST_NULL);
    MUST(MPI_Wait(request, &status));
    CHECK(*request == MPI_REQUEST_NULL);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char *path = file_path("io_transfer.dat");
    MPI_Request request;
    MPI_Offset position;
    at = (MPI_Offset)N * rank;

    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    MUST(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));

    fill(1);
    MUST(MPI_File_seek(file, at, MPI_SEEK_SET));
    MUST(MPI_File_write(file, out, N, MPI_INT, &status));
    MUST(MPI_File_get_position(file, &position));
    CHECK_INT(position, at + N);
    MUST(MPI_File_seek(file, at, MPI_SEEK_SET));
    MUST(MPI_File_read(file, in, N, MPI_INT, &status));
    same(1, "write/read");

    fill(2);
    MUST(MPI_File_write_at(file, at, out, N, MPI_INT, &status));
    MUST(MPI_File_read_at(file, at, in, N, MPI_INT, &status));
    same(2, "write_at/read_at");

    fill(3);
    MUST(MPI_File_seek(file, at, MPI_SEEK_SET));
    MUST(MPI_File_write_all(file, out, N, MPI_INT, &status));
    MUST(MPI_File_seek(file, at, MPI_SEEK_SET));
    MUST(MPI_File_read_all(file, in, N, MPI_INT, &status));
    same(3, "write_all/read_all");

    fill(4);
    MUST(MPI_File_write_at_all(file, at, out, N, MPI_INT, &status));
    MUST(MPI_File_read_at_all(file, at, in, N, MPI_INT, &status));
    same(4, "write_at_all/read_at_all");

    fill(5);
    MUST(MPI_File_seek(file, at, MPI_SEEK_SET));
    MUST(MPI_File_write_all_begin(file, out, N, MPI_INT));
    MUST(MPI_File_write_all_end(file, out, &status));
    MUST(MPI_File_seek(file, at, MPI_SEEK_SET));
    MUST(MPI_File_read_all_begin(file, in, N, MPI_INT));
    MUST(MPI_File_read_all_end(file, in, &status));
    same(5, "write_all_begin/read_all_begin");

    fill(6);
    MUST(MPI_File_write_at_all_begin(file, at, out, N, MPI_INT));
    MUST(MPI_File_write_at_all_end(file, out, &status));
    MUST(MPI_File_read_at_all_begin(file, at, in, N, MPI_INT));
    MUST(MPI_File_read_at_all_end(file, in, &status));
    same(6, "write_at_all_begin/read_at_all_begin");

    fill(7);
    MUST(MPI_File_seek(file, at, MPI_SEEK_SET));
    MUST(MPI_File_iwrite(file, out, N, MPI_INT, &request));
    finish(&request);
    MUST(MPI_File_seek(file, at, MPI_SEEK_SET));
    MUST(MPI_File_iread(file, in, N, MPI_INT, &request));
    finish(&request);
    same(7, "iwrite/iread");

    fill(8);
    MUST(MPI_File_iwrite_at(file, at, out, N, MPI_INT, &request));
    finish(&request);
    MUST(MPI_File_iread_at(file, at, in, N, MPI_INT, &request));
    finish(&request);
    same(8, "iwrite_at/iread_at");

    fill(9);
    MUST(MPI_File_seek(file, at, MPI_SEEK_SET));
    MUST(MPI_File_iwrite_all(file, out, N, MPI_INT, &request));
    finish(&request);
    MUST(MPI_File_seek(file, at, MPI_SEEK_SET));
    MUST(MPI_File_iread_all(file, in, N, MPI_INT, &request));
    finish(&request);
    same(9, "iwrite_all/iread_all");

    fill(10);
    MUST(MPI_File_iwrite_at_all(file, at, out, N, MPI_INT, &request));
    finish(&request);
    MUST(MPI_File_iread_at_all(file, at, in, N, MPI_INT, &request));
    finish(&request);
    same(10, "iwrite_at_all/iread_at_all");

    /* Several at once, completed together; memory with holes. */
    fill(11);
    MPI_Request requests[4];
    MPI_Status statuses[4];
    for (int i = 0; i < 4; i++)
        MUST(MPI_File_iwrite_at(file, at + 25 * i, out + 25 * i, 25, MPI_INT, &requests[i]));
    MUST(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 4; i++)
        MUST(MPI_File_iread_at(file, at + 25 * i, in + 25 * i, 25, MPI_INT, &requests[i]));
    MUST(MPI_Waitall(4, requests, statuses));
    for (int i = 0; i < 4; i++) {
        int count = -1;
        MUST(MPI_Get_count(&statuses[i], MPI_INT, &count));
        CHECK_INT(count, 25);
        CHECK_INT(in[25 * i], 11 + 1000 * rank + 25 * i);
    }
    MPI_Datatype every_other;
    MUST(MPI_Type_vector(10, 1, 2, MPI_INT, &every_other));
    MUST(MPI_Type_commit(&every_other));
    memset(in, -1, sizeof in);
    MUST(MPI_File_read_at_all(file, at, in, 1, every_other, &status));
    for (int i = 0; i < 20; i++)
        CHECK_INT(in[i], i % 2 ? -1 : 11 + 1000 * rank + i / 2);
    MUST(MPI_Type_free(&every_other));

    MUST(MPI_File_close(&file));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        MUST(MPI_File_delete(path, MPI_INFO_NULL));
    return check_done("io_transfer");
}
