/*
 * Moves more than 2^31 elements of one byte by every kind of function for which a runtime without large counts
 * (MPI-4.0) needs an emulation: `make large`. Two ranks. The argument is the number of elements in a message, by
 * default 2147496000. Each part prints its time, and each byte is checked.
 */
#include "../conformance/check.h"
#include <sys/resource.h>

typedef unsigned char byte;

static MPI_Count n = 2147496000;
static MPI_Count room;
static byte *out, *in;
static double begun;

static inline byte at(int from, MPI_Count i) { return (byte)(i % 251 + 3 * from); }

static void fill(void)
{
    for (MPI_Count i = 0; i < room; i++) {
        out[i] = at(rank, i);
        in[i] = 255;
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    begun = MPI_Wtime();
}

static void done(const char *what)
{
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        printf("%-28s %6.1f s\n", what, MPI_Wtime() - begun);
        fflush(stdout);
    }
}

/* Checks that count bytes of a buffer are a rank's data from an element on. */
static void are(const byte *got, MPI_Count count, int from, MPI_Count first)
{
    MPI_Count wrong = 0;
    for (MPI_Count i = 0; i < count; i++)
        wrong += got[i] != at(from, first + i);
    CHECK_INT(wrong, 0);
}

static void maximum(void *from, void *to, MPI_Count *count, MPI_Datatype *type)
{
    byte *a = from, *b = to;
    CHECK(*type == MPI_BYTE);
    for (MPI_Count i = 0; i < *count; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void reductions(void)
{
    MPI_Op op;
    MPI_Count wrong = 0;
    fill();
    MUST(MPI_Allreduce_c(out, in, n, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD));
    done("Allreduce, MPI_BXOR");
    for (MPI_Count i = 0; i < n; i++)
        wrong += in[i] != (at(0, i) ^ at(1, i));
    CHECK_INT(wrong, 0);
    MUST(MPI_Op_create_c(maximum, 1, &op));
    fill();
    MUST(MPI_Allreduce_c(out, in, n, MPI_BYTE, op, MPI_COMM_WORLD));
    done("Allreduce, the program's");
    for (MPI_Count i = 0; i < n; i++)
        wrong += in[i] != (at(0, i) > at(1, i) ? at(0, i) : at(1, i));
    CHECK_INT(wrong, 0);
    MUST(MPI_Op_free(&op));
}

static void one_sided(int peer)
{
    MPI_Win win;
    MUST(MPI_Win_create(in, room, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    fill();
    MUST(MPI_Win_fence(0, win));
    MUST(MPI_Put_c(out, n, MPI_BYTE, peer, 0, n, MPI_BYTE, win));
    MUST(MPI_Win_fence(0, win));
    done("Put");
    are(in, n, peer, 0);
    fill();
    memcpy(in, out, room);
    memset(out, 255, room);
    MUST(MPI_Win_fence(0, win));
    MUST(MPI_Get_c(out, n, MPI_BYTE, peer, 0, n, MPI_BYTE, win));
    MUST(MPI_Win_fence(0, win));
    done("Get");
    are(out, n, peer, 0);
    MUST(MPI_Win_free(&win));
}

static void file(const char *name)
{
    MPI_File f;
    MPI_Status status;
    MPI_Count count = -1;
    MUST(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f));
    fill();
    MUST(MPI_File_write_at_all_c(f, rank * n, out, n, MPI_BYTE, &status));
    MUST(MPI_Get_count_c(&status, MPI_BYTE, &count));
    CHECK_INT(count, n);
    done("File_write_at_all");
    fill();
    MUST(MPI_File_read_at_all_c(f, (1 - rank) * n, in, n, MPI_BYTE, &status));
    MUST(MPI_Get_count_c(&status, MPI_BYTE, &count));
    CHECK_INT(count, n);
    done("File_read_at_all");
    are(in, n, 1 - rank, 0);
    MUST(MPI_File_close(&f));
}

int main(int argc, char **argv)
{
    MPI_Status status;
    MPI_Count count = -1;
    struct rusage usage;
    check_init(&argc, &argv);
    if (argc > 1)
        n = atoll(argv[1]);
    if (size != 2) {
        fprintf(stderr, "large: start it with two ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int peer = 1 - rank;
    room = n + 1000;
    out = malloc(room);
    in = malloc(room);
    if (!out || !in) {
        fprintf(stderr, "large: no memory for two buffers of %lld bytes\n", (long long)room);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    fill();
    if (rank == 0)
        MUST(MPI_Send_c(out, n, MPI_BYTE, 1, 5, MPI_COMM_WORLD));
    else {
        MUST(MPI_Recv_c(in, room, MPI_BYTE, 0, 5, MPI_COMM_WORLD, &status));
        MUST(MPI_Get_count_c(&status, MPI_BYTE, &count));
        CHECK_INT(count, n);
        are(in, n, 0, 0);
    }
    done("Send and Recv");
    fill();
    MUST(MPI_Bcast_c(rank == 0 ? out : in, n, MPI_BYTE, 0, MPI_COMM_WORLD));
    done("Bcast");
    are(rank == 0 ? out : in, n, 0, 0);
    reductions();
    /* The data that remains here comes after the data for the other rank, at a displacement beyond 2^31. */
    MPI_Count counts[2];
    MPI_Aint displs[2];
    counts[rank] = 1000;
    counts[peer] = n;
    displs[rank] = n;
    displs[peer] = 0;
    fill();
    MUST(MPI_Alltoallv_c(out, counts, displs, MPI_BYTE, in, counts, displs, MPI_BYTE, MPI_COMM_WORLD));
    done("Alltoallv");
    are(in, n, peer, 0);
    are(in + n, 1000, rank, n);
    one_sided(peer);
    file(argc > 2 ? argv[2] : "large.data");
    getrusage(RUSAGE_SELF, &usage);
    if (rank == 0)
        printf("%-28s %6.1f GiB\n", "memory of a rank", (double)usage.ru_maxrss / (1 << 20));
    free(out);
    free(in);
    return check_done("large");
}
