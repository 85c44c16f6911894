/* Large-count file access (MPI-4.0, 14) with counts beyond the chunk limit that the suite sets. */
#include "check.h"
#include "files.h"

#if HAVE_LARGE_COUNTS
enum { N = 10007 };

static int *out, *in;
static MPI_Datatype gappy; /* the first of every two ints */

static void fill(int round)
{
    for (int i = 0; i < 2 * N; i++) {
        out[i] = 1000000 * round + 100000 * rank + i;
        in[i] = -1;
    }
}

/* Checks that every step-th int of in is an element that rank `from` wrote as gappy. */
static void came(int round, int from, int step, MPI_Status *status)
{
    MPI_Count count = -1;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += in[step * i] != 1000000 * round + 100000 * from + 2 * i;
    for (int i = 0; step == 2 && i < N; i++)
        wrong += in[2 * i + 1] != -1;
    if (wrong)
        check_fail(__FILE__, __LINE__, "round %d from %d: %d wrong", round, from, wrong);
    if (!status)
        return;
    MUST(MPI_Get_count_c(status, MPI_INT, &count));
    CHECK_INT(count, N);
}

static void rounds(MPI_File f)
{
    const MPI_Offset own = rank * N, others = (size - 1 - rank) * N;
    const int from = size - 1 - rank;
    MPI_Status status;
    MPI_Request request;
    int round = 0;
#define ROUND(write, read, step)                                   \
    do {                                                           \
        fill(++round);                                             \
        write;                                                     \
        MUST(MPI_File_sync(f));                                    \
        MUST(MPI_Barrier(MPI_COMM_WORLD));                         \
        MUST(MPI_File_sync(f));                                    \
        read;                                                      \
        came(round, from, step, &status);                          \
        MUST(MPI_Barrier(MPI_COMM_WORLD));                         \
    } while (0)
#define WAIT(call)                                \
    do {                                          \
        MUST(call);                               \
        MUST(MPI_Wait(&request, &status));        \
    } while (0)
#define SEEK(at) MUST(MPI_File_seek(f, at, MPI_SEEK_SET))
    ROUND(MUST(MPI_File_write_at_c(f, own, out, N, gappy, &status)), MUST(MPI_File_read_at_c(f, others, in, N, MPI_INT, &status)), 1);
    ROUND(MUST(MPI_File_write_at_all_c(f, own, out, N, gappy, &status)), MUST(MPI_File_read_at_all_c(f, others, in, N, gappy, &status)), 2);
    ROUND(WAIT(MPI_File_iwrite_at_c(f, own, out, N, gappy, &request)), WAIT(MPI_File_iread_at_c(f, others, in, N, MPI_INT, &request)), 1);
    ROUND(WAIT(MPI_File_iwrite_at_all_c(f, own, out, N, gappy, &request)), WAIT(MPI_File_iread_at_all_c(f, others, in, N, MPI_INT, &request)), 1);
    ROUND(SEEK(own); MUST(MPI_File_write_c(f, out, N, gappy, &status)), SEEK(others); MUST(MPI_File_read_c(f, in, N, gappy, &status)), 2);
    ROUND(SEEK(own); MUST(MPI_File_write_all_c(f, out, N, gappy, &status)), SEEK(others); MUST(MPI_File_read_all_c(f, in, N, MPI_INT, &status)), 1);
    ROUND(SEEK(own); WAIT(MPI_File_iwrite_c(f, out, N, gappy, &request)), SEEK(others); WAIT(MPI_File_iread_c(f, in, N, MPI_INT, &request)), 1);
    ROUND(SEEK(own); WAIT(MPI_File_iwrite_all_c(f, out, N, gappy, &request)), SEEK(others); WAIT(MPI_File_iread_all_c(f, in, N, MPI_INT, &request)), 1);
    ROUND(MUST(MPI_File_write_at_all_begin_c(f, own, out, N, gappy)); MUST(MPI_File_write_at_all_end(f, out, &status)),
          MUST(MPI_File_read_at_all_begin_c(f, others, in, N, gappy)); MUST(MPI_File_read_at_all_end(f, in, &status)), 2);
    ROUND(SEEK(own); MUST(MPI_File_write_all_begin_c(f, out, N, gappy)); MUST(MPI_File_write_all_end(f, out, &status)),
          SEEK(others); MUST(MPI_File_read_all_begin_c(f, in, N, MPI_INT)); MUST(MPI_File_read_all_end(f, in, &status)), 1);
}

/* The shared pointer: in the order of ranks, and one rank after the other. */
static void shared(MPI_File f)
{
    MPI_Status status;
    MPI_Request request;
    fill(77);
    MUST(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    MUST(MPI_File_write_ordered_c(f, out, N, gappy, &status));
    MUST(MPI_File_sync(f));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_ordered_c(f, in, N, gappy, &status));
    came(77, rank, 2, &status);
    MUST(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    fill(78);
    MUST(MPI_File_write_ordered_begin_c(f, out, N, gappy));
    MUST(MPI_File_write_ordered_end(f, out, &status));
    MUST(MPI_File_sync(f));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_ordered_begin_c(f, in, N, MPI_INT));
    MUST(MPI_File_read_ordered_end(f, in, &status));
    came(78, rank, 1, &status);
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        MUST(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
        fill(79);
        for (int turn = 0; turn < size; turn++) {
            if (turn == rank && nonblocking) {
                MUST(MPI_File_iwrite_shared_c(f, out, N, gappy, &request));
                MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
            } else if (turn == rank) {
                MUST(MPI_File_write_shared_c(f, out, N, gappy, MPI_STATUS_IGNORE));
            }
            MUST(MPI_Barrier(MPI_COMM_WORLD));
        }
        MUST(MPI_File_sync(f));
        MUST(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
        for (int turn = 0; turn < size; turn++) {
            if (turn == rank && nonblocking) {
                MUST(MPI_File_iread_shared_c(f, in, N, MPI_INT, &request));
                MUST(MPI_Wait(&request, &status));
            } else if (turn == rank) {
                MUST(MPI_File_read_shared_c(f, in, N, MPI_INT, &status));
            }
            MUST(MPI_Barrier(MPI_COMM_WORLD));
        }
        came(79, rank, 1, &status);
    }
}

/* Through a view with gaps. */
static void view(MPI_File f)
{
    MPI_Datatype filetype;
    MPI_Status status;
    MUST(MPI_File_set_size(f, 0));
    MUST(MPI_Type_vector(N, 1, size, MPI_INT, &filetype));
    MUST(MPI_Type_commit(&filetype));
    MUST(MPI_File_set_view(f, rank * (MPI_Offset)sizeof(int), MPI_INT, filetype, "native", MPI_INFO_NULL));
    fill(5);
    MUST(MPI_File_write_at_all_c(f, 0, out, N, gappy, &status));
    MUST(MPI_File_sync(f));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_File_read_at_all_c(f, 0, in, N, MPI_INT, &status));
    came(5, rank, 1, &status);
    MUST(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    int *all = malloc(size * N * sizeof *all), wrong = 0;
    MUST(MPI_File_read_at_all_c(f, 0, all, size * N, MPI_INT, &status));
    for (int i = 0; i < size * N; i++)
        wrong += all[i] != 5000000 + 100000 * (i % size) + 2 * (i / size);
    CHECK_INT(wrong, 0);
    free(all);
    MUST(MPI_Type_free(&filetype));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    MPI_File f;
    out = malloc(2 * N * sizeof *out);
    in = malloc(2 * N * sizeof *in);
    MUST(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gappy));
    MUST(MPI_Type_commit(&gappy));
    MUST(MPI_File_open(MPI_COMM_WORLD, file_path("large_chunk_io.data"), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f));
    MUST(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    rounds(f);
    shared(f);
    view(f);
    MUST(MPI_File_close(&f));
    MUST(MPI_Type_free(&gappy));
    free(out);
    free(in);
#endif
    return check_done("large_chunk_io");
}
