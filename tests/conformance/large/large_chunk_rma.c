/* Large-count one-sided operations (MPI-4.0, 12) with counts beyond the chunk limit that the suite sets. */
#include "check.h"

#if HAVE_LARGE_COUNTS
enum { N = 5003 };

static int *out, *memory;
static MPI_Datatype gappy; /* the first of every two ints */
static MPI_Win win;

static void fill(void)
{
    for (int i = 0; i < 2 * N; i++) {
        out[i] = 100000 * rank + i;
        memory[i] = i + 1;
    }
    MUST(MPI_Win_fence(0, win));
}

static void transfers(int to, int from)
{
    int wrong = 0;
    fill();
    MUST(MPI_Put_c(out, N, MPI_INT, to, 0, N, gappy, win));
    MUST(MPI_Win_fence(0, win));
    for (int i = 0; i < N; i++)
        wrong += memory[2 * i] != 100000 * from + i || memory[2 * i + 1] != 2 * i + 2;
    CHECK_INT(wrong, 0);
    fill();
    MUST(MPI_Get_c(out, N, gappy, to, 0, N, MPI_INT, win));
    MUST(MPI_Win_fence(0, win));
    for (int i = 0; i < N; i++)
        wrong += out[2 * i] != i + 1 || out[2 * i + 1] != 100000 * rank + 2 * i + 1;
    CHECK_INT(wrong, 0);
    fill();
    MUST(MPI_Accumulate_c(out, N, gappy, to, 0, N, MPI_INT, MPI_SUM, win));
    MUST(MPI_Win_fence(0, win));
    for (int i = 0; i < N; i++)
        wrong += memory[i] != i + 1 + 100000 * from + 2 * i;
    CHECK_INT(wrong, 0);
    int *result = calloc(N, sizeof *result);
    fill();
    MUST(MPI_Get_accumulate_c(out, N, MPI_INT, result, N, MPI_INT, to, 0, N, gappy, MPI_REPLACE, win));
    MUST(MPI_Win_fence(0, win));
    for (int i = 0; i < N; i++)
        wrong += result[i] != 2 * i + 1 || memory[2 * i] != 100000 * from + i;
    CHECK_INT(wrong, 0);
    free(result);
}

static void with_requests(int to, int from)
{
    MPI_Request request;
    int wrong = 0, *result = calloc(N, sizeof *result);
    fill();
    MUST(MPI_Win_lock_all(0, win));
    MUST(MPI_Rput_c(out, N, MPI_INT, to, 0, N, MPI_INT, win, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Win_flush(to, win));
    MUST(MPI_Rget_c(result, N, MPI_INT, to, 0, N, MPI_INT, win, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < N; i++)
        wrong += result[i] != 100000 * rank + i;
    MUST(MPI_Raccumulate_c(out, N, MPI_INT, to, 0, N, MPI_INT, MPI_SUM, win, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Win_flush(to, win));
    MUST(MPI_Rget_accumulate_c(out, N, MPI_INT, result, N, MPI_INT, to, 0, N, MPI_INT, MPI_SUM, win, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < N; i++)
        wrong += result[i] != 2 * (100000 * rank + i);
    CHECK_INT(wrong, 0);
    MUST(MPI_Win_unlock_all(win));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Win_fence(0, win));
    for (int i = 0; i < N; i++)
        wrong += memory[i] != 3 * (100000 * from + i);
    CHECK_INT(wrong, 0);
    free(result);
}

static void units(void)
{
    MPI_Win other;
    MPI_Aint unit = -1, bytes = -1;
    void *base;
    MUST(MPI_Win_allocate_shared_c(64, 8, MPI_INFO_NULL, MPI_COMM_SELF, &base, &other));
    MUST(MPI_Win_shared_query_c(other, 0, &bytes, &unit, &base));
    CHECK(bytes >= 64);
    CHECK_INT(unit, 8);
    MUST(MPI_Win_free(&other));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    const int to = (rank + 1) % size, from = (rank + size - 1) % size;
    out = malloc(2 * N * sizeof *out);
    MUST(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gappy));
    MUST(MPI_Type_commit(&gappy));
    MUST(MPI_Win_allocate_c(2 * N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    transfers(to, from);
    with_requests(to, from);
    units();
    MUST(MPI_Win_free(&win));
    MUST(MPI_Type_free(&gappy));
    free(out);
#endif
    return check_done("large_chunk_rma");
}
