/* Large-count file access with small counts: every function that reads or writes (MPI-4.0, 14.4). */
#include <unistd.h>
#include "check.h"

#if HAVE_LARGE_COUNTS
enum { EACH = 4 };

static MPI_File file;
static int out[EACH], in[EACH];

static void fill(int seed)
{
    for (int i = 0; i < EACH; i++) {
        out[i] = 1000 * seed + 10 * rank + i;
        in[i] = -1;
    }
}

static void holds(int line)
{
    for (int i = 0; i < EACH; i++)
        if (in[i] != out[i])
            check_fail(__FILE__, line, "element %d is %d, not %d", i, in[i], out[i]);
}

static void counted(MPI_Status *status)
{
    MPI_Count count = -1;
    MUST(MPI_Get_count_c(status, MPI_INT, &count));
    CHECK_INT(count, EACH);
}

static MPI_Offset mine(void)
{
    return (MPI_Offset)rank * EACH;
}

static void individual(void)
{
    MPI_Status status;
    MPI_Request request;
#define PAIR(write, read, seek)                                 \
    do {                                                        \
        fill(__LINE__);                                         \
        if (seek)                                               \
            MUST(MPI_File_seek(file, mine(), MPI_SEEK_SET));    \
        MUST(write);                                            \
        counted(&status);                                       \
        if (seek)                                               \
            MUST(MPI_File_seek(file, mine(), MPI_SEEK_SET));    \
        MUST(read);                                             \
        counted(&status);                                       \
        holds(__LINE__);                                        \
    } while (0)
#define IPAIR(write, read, seek)                                \
    do {                                                        \
        fill(__LINE__);                                         \
        if (seek)                                               \
            MUST(MPI_File_seek(file, mine(), MPI_SEEK_SET));    \
        MUST(write);                                            \
        MUST(MPI_Wait(&request, &status));                      \
        counted(&status);                                       \
        if (seek)                                               \
            MUST(MPI_File_seek(file, mine(), MPI_SEEK_SET));    \
        MUST(read);                                             \
        MUST(MPI_Wait(&request, &status));                      \
        counted(&status);                                       \
        holds(__LINE__);                                        \
    } while (0)
    PAIR(MPI_File_write_at_c(file, mine(), out, EACH, MPI_INT, &status),
         MPI_File_read_at_c(file, mine(), in, EACH, MPI_INT, &status), 0);
    PAIR(MPI_File_write_at_all_c(file, mine(), out, EACH, MPI_INT, &status),
         MPI_File_read_at_all_c(file, mine(), in, EACH, MPI_INT, &status), 0);
    PAIR(MPI_File_write_c(file, out, EACH, MPI_INT, &status), MPI_File_read_c(file, in, EACH, MPI_INT, &status), 1);
    PAIR(MPI_File_write_all_c(file, out, EACH, MPI_INT, &status), MPI_File_read_all_c(file, in, EACH, MPI_INT, &status),
         1);
    IPAIR(MPI_File_iwrite_at_c(file, mine(), out, EACH, MPI_INT, &request),
          MPI_File_iread_at_c(file, mine(), in, EACH, MPI_INT, &request), 0);
    IPAIR(MPI_File_iwrite_at_all_c(file, mine(), out, EACH, MPI_INT, &request),
          MPI_File_iread_at_all_c(file, mine(), in, EACH, MPI_INT, &request), 0);
    IPAIR(MPI_File_iwrite_c(file, out, EACH, MPI_INT, &request), MPI_File_iread_c(file, in, EACH, MPI_INT, &request),
          1);
    IPAIR(MPI_File_iwrite_all_c(file, out, EACH, MPI_INT, &request),
          MPI_File_iread_all_c(file, in, EACH, MPI_INT, &request), 1);
}

static void split(void)
{
    MPI_Status status;
    fill(1);
    MUST(MPI_File_write_at_all_begin_c(file, mine(), out, EACH, MPI_INT));
    MUST(MPI_File_write_at_all_end(file, out, &status));
    counted(&status);
    MUST(MPI_File_read_at_all_begin_c(file, mine(), in, EACH, MPI_INT));
    MUST(MPI_File_read_at_all_end(file, in, &status));
    counted(&status);
    holds(__LINE__);
    fill(2);
    MUST(MPI_File_seek(file, mine(), MPI_SEEK_SET));
    MUST(MPI_File_write_all_begin_c(file, out, EACH, MPI_INT));
    MUST(MPI_File_write_all_end(file, out, &status));
    MUST(MPI_File_seek(file, mine(), MPI_SEEK_SET));
    MUST(MPI_File_read_all_begin_c(file, in, EACH, MPI_INT));
    MUST(MPI_File_read_all_end(file, in, &status));
    counted(&status);
    holds(__LINE__);
}

/* The shared pointer, in rank order, so that each rank finds its own data again. */
static void shared(void)
{
    MPI_Status status;
    MPI_Request request;
    fill(3);
    MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    MUST(MPI_File_write_ordered_c(file, out, EACH, MPI_INT, &status));
    MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_ordered_c(file, in, EACH, MPI_INT, &status));
    counted(&status);
    holds(__LINE__);
    fill(4);
    MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    MUST(MPI_File_write_ordered_begin_c(file, out, EACH, MPI_INT));
    MUST(MPI_File_write_ordered_end(file, out, &status));
    MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_ordered_begin_c(file, in, EACH, MPI_INT));
    MUST(MPI_File_read_ordered_end(file, in, &status));
    counted(&status);
    holds(__LINE__);
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        /* Every rank writes the same data, so the order does not matter. */
        for (int i = 0; i < EACH; i++) {
            out[i] = 50 + i;
            in[i] = -1;
        }
        MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
        if (nonblocking) {
            MUST(MPI_File_iwrite_shared_c(file, out, EACH, MPI_INT, &request));
            MUST(MPI_Wait(&request, &status));
        } else {
            MUST(MPI_File_write_shared_c(file, out, EACH, MPI_INT, &status));
        }
        counted(&status);
        MUST(MPI_File_sync(file));
        MUST(MPI_Barrier(MPI_COMM_WORLD));
        MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
        if (nonblocking) {
            MUST(MPI_File_iread_shared_c(file, in, EACH, MPI_INT, &request));
            MUST(MPI_Wait(&request, &status));
        } else {
            MUST(MPI_File_read_shared_c(file, in, EACH, MPI_INT, &status));
        }
        counted(&status);
        holds(__LINE__);
        MUST(MPI_Barrier(MPI_COMM_WORLD));
    }
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    char path[64];
    long id = (long)getpid();
    MPI_Count extent = -1;
    MUST(MPI_Bcast(&id, 1, MPI_LONG, 0, MPI_COMM_WORLD));
    snprintf(path, sizeof path, "large_io.%ld.tmp", id);
    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                       &file));
    MUST(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MUST(MPI_File_get_type_extent_c(file, MPI_INT, &extent));
    CHECK_INT(extent, sizeof(int));
    individual();
    split();
    shared();
    MUST(MPI_File_close(&file));
    CHECK(file == MPI_FILE_NULL);
#endif
    return check_done("large_io");
}
