/*
 * Large-count persistent collectives (MPI-4.0, 6.13) with counts beyond the chunk limit that the suite sets, each
 * started several times.
 */
#include "check.h"

#if HAVE_LARGE_COUNTS
enum { N = 10007, MAX = 64, TIMES = 3 };

static int *out, *in;

static void fill(int n, int time)
{
    for (int i = 0; i < n; i++) {
        out[i] = i + rank + time;
        in[i] = -1;
    }
}

static int wrong_sums(int n, int first, int ranks, int time)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += in[i] != ranks * (i + first + time) + ranks * (ranks - 1) / 2;
    return wrong;
}

static void reductions(MPI_Comm comm)
{
    MPI_Count counts[MAX];
    MPI_Request all, scan, scatter, block;
    int first = 0, total = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i % 2 ? N / 2 : N / 3;
        first += i < rank ? (int)counts[i] : 0;
        total += (int)counts[i];
    }
    MUST(MPI_Allreduce_init_c(out, in, N, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &all));
    MUST(MPI_Scan_init_c(out, in, N, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &scan));
    MUST(MPI_Reduce_scatter_init_c(out, in, counts, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &scatter));
    MUST(MPI_Reduce_scatter_block_init_c(out, in, N / 4, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &block));
    for (int time = 0; time < TIMES; time++) {
        fill(size * N, time);
        MUST(MPI_Start(&all));
        MUST(MPI_Wait(&all, MPI_STATUS_IGNORE));
        CHECK_INT(wrong_sums(N, 0, size, time), 0);
        fill(size * N, time);
        MUST(MPI_Startall(1, &scan));
        MUST(MPI_Waitall(1, &scan, MPI_STATUSES_IGNORE));
        CHECK_INT(wrong_sums(N, 0, rank + 1, time), 0);
        fill(size * N, time);
        MUST(MPI_Start(&scatter));
        MUST(MPI_Wait(&scatter, MPI_STATUS_IGNORE));
        CHECK_INT(wrong_sums((int)counts[rank], first, size, time), 0);
        fill(size * N, time);
        MUST(MPI_Start(&block));
        MUST(MPI_Wait(&block, MPI_STATUS_IGNORE));
        CHECK_INT(wrong_sums(N / 4, rank * (N / 4), size, time), 0);
    }
    MUST(MPI_Request_free(&all));
    MUST(MPI_Request_free(&scan));
    MUST(MPI_Request_free(&scatter));
    MUST(MPI_Request_free(&block));
}

static void transfers(MPI_Comm comm)
{
    MPI_Count counts[MAX];
    MPI_Aint displs[MAX];
    MPI_Request bcast, alltoallv;
    for (int i = 0; i < size; i++) {
        counts[i] = N / size;
        displs[i] = (size - 1 - i) * (N / size);
    }
    MUST(MPI_Bcast_init_c(in, N, MPI_INT, 0, comm, MPI_INFO_NULL, &bcast));
    MUST(MPI_Alltoallv_init_c(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, comm, MPI_INFO_NULL, &alltoallv));
    for (int time = 0; time < TIMES; time++) {
        int wrong = 0;
        fill(N, time);
        for (int i = 0; i < N && rank == 0; i++)
            in[i] = i + 5 * time;
        MUST(MPI_Start(&bcast));
        MUST(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
        for (int i = 0; i < N; i++)
            wrong += in[i] != i + 5 * time;
        fill(N, time);
        MUST(MPI_Start(&alltoallv));
        MUST(MPI_Wait(&alltoallv, MPI_STATUS_IGNORE));
        for (int from = 0; from < size; from++)
            for (int i = 0; i < N / size; i++)
                wrong += in[displs[from] + i] != (int)displs[rank] + i + from + time;
        CHECK_INT(wrong, 0);
    }
    MUST(MPI_Request_free(&bcast));
    MUST(MPI_Request_free(&alltoallv));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    out = malloc(size * N * sizeof *out);
    in = malloc(size * N * sizeof *in);
    reductions(MPI_COMM_WORLD);
    transfers(MPI_COMM_WORLD);
    free(out);
    free(in);
#endif
    return check_done("large_chunk_persistent");
}
