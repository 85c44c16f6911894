/*
 * Every emulation with messages in the memory of a device: device DIRECTORY, which has wi4go's
 * libraries; without it the program runs on the MPI library alone. WI4GO_TEST_CHUNK makes counts
 * of COUNT elements too large for an int.
 */
#include "../../fortran/programs/device.h"
#include "../../conformance/check.h"

enum { COUNT = 23, FEW = 5, PEERS = 8, TAG = 3 };
static int *in, *out;        /* memory of the device: COUNT ints for each peer, at least for two */
static int left, right, peers;
static const char *what = ""; /* the call that is tested, for messages */

/* Returns the number that a rank has at a place of its buffer `out`. */
static int number(int from, int i) { return 10000 * (from + 1) + i; }
/* Returns the sum of that number over the ranks below n. */
static int sum(int n, int i)
{
    int total = 0;
    for (int from = 0; from < n; from++)
        total += number(from, i);
    return total;
}

static void fill(void)
{
    for (int i = 0; i < COUNT * peers; i++) {
        HOST(out)[i] = number(rank, i);
        HOST(in)[i] = -1;
    }
}

/* Compares a number, and reports the first difference of each call. */
static void is(long got, long want, int line)
{
    static const char *reported;
    if (got != want && reported != what)
        check_fail(__FILE__, line, "%s: %ld, not %ld", reported = what, got, want);
}
#define IS(got, want) is((long)(got), (long)(want), __LINE__)
/* Checks COUNT numbers of a rank, beginning at a place of its buffer. */
static void came(const int *at, int from, int first)
{
    for (int i = 0; i < COUNT; i++)
        IS(HOST(at)[i], number(from, first + i));
}
static void summed(const int *at, int n, int first)
{
    for (int i = 0; i < COUNT; i++)
        IS(HOST(at)[i], sum(n, first + i));
}

static void wait_for(MPI_Request *r) { MUST(MPI_Wait(r, MPI_STATUS_IGNORE)); }
static void twice(MPI_Request *r, void (*check)(void))
{
    for (int i = 0; i < 2; i++) {
        fill();
        MUST(MPI_Start(r));
        wait_for(r);
        check();
    }
    MUST(MPI_Request_free(r));
}

/* ---- messages ---- */

static void replaced(void) { came(out, left, 0); }
static void from_left(void) { came(in, left, 0); }

static void exchanges(void)
{
    MPI_Request r;
    what = "Sendrecv_replace";
    fill();
    MUST(MPI_Sendrecv_replace(out, COUNT, MPI_INT, right, TAG, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    replaced();
#if HAVE_ISENDRECV
    what = "Isendrecv";
    fill();
    MUST(MPI_Isendrecv(out, COUNT, MPI_INT, right, TAG, in, COUNT, MPI_INT, left, TAG, MPI_COMM_WORLD, &r));
    wait_for(&r);
    from_left();
    what = "Isendrecv_replace";
    fill();
    MUST(MPI_Isendrecv_replace(out, COUNT, MPI_INT, right, TAG, left, TAG, MPI_COMM_WORLD, &r));
    wait_for(&r);
    replaced();
#endif
#if HAVE_LARGE_COUNTS
    what = "Isendrecv_replace_c";
    fill();
    MUST(MPI_Isendrecv_replace_c(out, COUNT, MPI_INT, right, TAG, left, TAG, MPI_COMM_WORLD, &r));
    wait_for(&r);
    replaced();
    what = "Sendrecv_replace_c";
    fill();
    MUST(MPI_Sendrecv_replace_c(out, COUNT, MPI_INT, right, TAG, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    replaced();
    what = "Sendrecv_c";
    fill();
    MUST(MPI_Sendrecv_c(out, COUNT, MPI_INT, right, TAG, in, COUNT, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    from_left();
    what = "Irecv_c and Send_c";
    fill();
    MUST(MPI_Irecv_c(in, COUNT, MPI_INT, left, TAG, MPI_COMM_WORLD, &r));
    MUST(MPI_Send_c(out, COUNT, MPI_INT, right, TAG, MPI_COMM_WORLD));
    wait_for(&r);
    from_left();
#endif
}

/* Buffered sends: the front packs the message if the library has no MPI_Buffer_flush. */
static void buffered(void)
{
    static char room[65536];
    MPI_Request r;
    MUST(MPI_Buffer_attach(room, sizeof room));
    for (int way = 0; way < 3; way++) {
        what = way == 0 ? "Bsend" : way == 1 ? "Ibsend" : "Bsend_init";
        fill();
        if (way == 0)
            MUST(MPI_Bsend(out, COUNT, MPI_INT, right, TAG, MPI_COMM_WORLD));
        else if (way == 1)
            MUST(MPI_Ibsend(out, COUNT, MPI_INT, right, TAG, MPI_COMM_WORLD, &r));
        else {
            MUST(MPI_Bsend_init(out, COUNT, MPI_INT, right, TAG, MPI_COMM_WORLD, &r));
            MUST(MPI_Start(&r));
        }
        MUST(MPI_Recv(in, COUNT, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (way)
            wait_for(&r);
        if (way == 2)
            MUST(MPI_Request_free(&r));
        from_left();
    }
#if HAVE_LARGE_COUNTS
    what = "Bsend_c";
    fill();
    MUST(MPI_Bsend_c(out, COUNT, MPI_INT, right, TAG, MPI_COMM_WORLD));
    MUST(MPI_Recv_c(in, COUNT, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    from_left();
#endif
    void *detached;
    int bytes;
    MUST(MPI_Buffer_detach(&detached, &bytes));
    CHECK(detached == room);
}

static void partitioned(void)
{
#if HAVE_PARTITIONED
    MPI_Request r[2];
    what = "Psend_init";
    MUST(MPI_Psend_init(out, COUNT, 1, MPI_INT, right, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]));
    MUST(MPI_Precv_init(in, 1, COUNT, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]));
    fill();
    MUST(MPI_Startall(2, r));
    for (int i = 0; i < COUNT; i++)
        MUST(MPI_Pready(COUNT - 1 - i, r[0]));
    MUST(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    from_left();
    MUST(MPI_Request_free(&r[0]));
    MUST(MPI_Request_free(&r[1]));
#endif
}

/* Every second number of `out` is packed in the device's memory and unpacked again. */
static void packed(void)
{
#if HAVE_LARGE_COUNTS
    char *pack = device_new(COUNT * sizeof(int));
    MPI_Datatype second;
    MUST(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &second));
    MUST(MPI_Type_commit(&second));
    for (int external = 0; external < 2; external++) {
        MPI_Count at = 0;
        what = external ? "Pack_external_c" : "Pack_c";
        fill();
        if (external)
            MUST(MPI_Pack_external_c("external32", out, COUNT / 2, second, pack, COUNT * sizeof(int), &at));
        else
            MUST(MPI_Pack_c(out, COUNT / 2, second, pack, COUNT * sizeof(int), &at, MPI_COMM_SELF));
        IS(at, COUNT / 2 * sizeof(int));
        at = 0;
        if (external)
            MUST(MPI_Unpack_external_c("external32", pack, COUNT * sizeof(int), &at, in, COUNT / 2, MPI_INT));
        else
            MUST(MPI_Unpack_c(pack, COUNT * sizeof(int), &at, in, COUNT / 2, MPI_INT, MPI_COMM_SELF));
        for (int i = 0; i < COUNT / 2; i++)
            IS(HOST(in)[i], number(rank, 2 * i));
    }
    MUST(MPI_Type_free(&second));
#endif
}

/* ---- collective operations ---- */

static MPI_Comm ring; /* all processes; each sends to its right neighbor */
static int wide[PEERS], at[PEERS];
static MPI_Datatype ints[PEERS];
#if HAVE_LARGE_COUNTS
static MPI_Count wide_c[PEERS];
static MPI_Aint at_c[PEERS];
#endif

static void bcast(void) { came(out, 0, 0); }
static void gather(void)
{
    for (int from = 0; rank == 0 && from < size; from++)
        came(in + COUNT * from, from, 0);
}
static void scatter(void) { came(in, 0, COUNT * rank); }
static void allgather(void)
{
    for (int from = 0; from < size; from++)
        came(in + COUNT * from, from, 0);
}
/* In place: each process's part of `out` is at its place already. */
static void allgather_in_place(void)
{
    for (int from = 0; from < size; from++)
        came(out + COUNT * from, from, COUNT * from);
}
static void alltoall(void)
{
    for (int from = 0; from < size; from++)
        came(in + COUNT * from, from, COUNT * rank);
}
static void reduce(void)
{
    if (rank == 0)
        summed(in, size, 0);
}
static void allreduce(void) { summed(in, size, 0); }
static void allreduce_in_place(void) { summed(out, size, 0); }
static void scan(void) { summed(in, rank + 1, 0); }
static void exscan(void)
{
    if (rank > 0)
        summed(in, rank, 0);
}
static void reduce_scatter(void) { summed(in, size, COUNT * rank); }
static void reduce_scatter_in_place(void) { summed(out, size, COUNT * rank); }
/* Calls one collective operation in all its forms: Name with the arguments that follow, which may use w and d, the
   counts and displacements of all peers. */
#define FORM(text, call, check) \
    what = text; \
    fill(); \
    call; \
    check()
#if HAVE_PERSISTENT_COLLECTIVES
#define PERSISTENT(Name, check, ...) \
    what = #Name "_init"; \
    MUST(MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &r)); \
    twice(&r, check)
#else
#define PERSISTENT(Name, check, ...)
#endif
#if HAVE_LARGE_COUNTS
#define LARGE(Name, Later, check, ...) \
    { \
        const MPI_Count *w = wide_c; \
        const MPI_Aint *d = at_c; \
        (void)w, (void)d; \
        FORM(#Name "_c", MUST(MPI_##Name##_c(__VA_ARGS__)), check); \
        FORM(#Later "_c", MUST(MPI_##Later##_c(__VA_ARGS__, &r)); wait_for(&r), check); \
        what = #Name "_init_c"; \
        MUST(MPI_##Name##_init_c(__VA_ARGS__, MPI_INFO_NULL, &r)); \
        twice(&r, check); \
    }
#else
#define LARGE(Name, Later, check, ...)
#endif
#define EACH(Name, Later, check, ...) \
    do { \
        MPI_Request r; \
        { \
            const int *w = wide, *d = at; \
            (void)w, (void)d; \
            FORM(#Name, MUST(MPI_##Name(__VA_ARGS__)), check); \
            FORM(#Later, MUST(MPI_##Later(__VA_ARGS__, &r)); wait_for(&r), check); \
            PERSISTENT(Name, check, __VA_ARGS__); \
        } \
        LARGE(Name, Later, check, __VA_ARGS__) \
    } while (0)

static void collectives(void)
{
    const MPI_Comm all = MPI_COMM_WORLD;
    EACH(Bcast, Ibcast, bcast, out, COUNT, MPI_INT, 0, all);
    EACH(Gather, Igather, gather, out, COUNT, MPI_INT, in, COUNT, MPI_INT, 0, all);
    EACH(Gatherv, Igatherv, gather, out, COUNT, MPI_INT, in, w, d, MPI_INT, 0, all);
    EACH(Scatter, Iscatter, scatter, out, COUNT, MPI_INT, in, COUNT, MPI_INT, 0, all);
    EACH(Scatterv, Iscatterv, scatter, out, w, d, MPI_INT, in, COUNT, MPI_INT, 0, all);
    EACH(Allgather, Iallgather, allgather, out, COUNT, MPI_INT, in, COUNT, MPI_INT, all);
    EACH(Allgatherv, Iallgatherv, allgather, out, COUNT, MPI_INT, in, w, d, MPI_INT, all);
    EACH(Allgatherv, Iallgatherv, allgather_in_place, MPI_IN_PLACE, 0, MPI_INT, out, w, d, MPI_INT, all);
    EACH(Alltoall, Ialltoall, alltoall, out, COUNT, MPI_INT, in, COUNT, MPI_INT, all);
    EACH(Alltoallv, Ialltoallv, alltoall, out, w, d, MPI_INT, in, w, d, MPI_INT, all);
    EACH(Reduce, Ireduce, reduce, out, in, COUNT, MPI_INT, MPI_SUM, 0, all);
    EACH(Allreduce, Iallreduce, allreduce, out, in, COUNT, MPI_INT, MPI_SUM, all);
    EACH(Allreduce, Iallreduce, allreduce_in_place, MPI_IN_PLACE, out, COUNT, MPI_INT, MPI_SUM, all);
    EACH(Scan, Iscan, scan, out, in, COUNT, MPI_INT, MPI_SUM, all);
    EACH(Exscan, Iexscan, exscan, out, in, COUNT, MPI_INT, MPI_SUM, all);
    EACH(Reduce_scatter, Ireduce_scatter, reduce_scatter, out, in, w, MPI_INT, MPI_SUM, all);
    EACH(Reduce_scatter, Ireduce_scatter, reduce_scatter_in_place, MPI_IN_PLACE, out, w, MPI_INT, MPI_SUM, all);
    EACH(Reduce_scatter_block, Ireduce_scatter_block, reduce_scatter, out, in, COUNT, MPI_INT, MPI_SUM, all);
    EACH(Reduce_scatter_block, Ireduce_scatter_block, reduce_scatter_in_place, MPI_IN_PLACE, out, COUNT, MPI_INT, MPI_SUM, all);
}

static void neighbors(void)
{
    EACH(Neighbor_allgather, Ineighbor_allgather, from_left, out, COUNT, MPI_INT, in, COUNT, MPI_INT, ring);
    EACH(Neighbor_allgatherv, Ineighbor_allgatherv, from_left, out, COUNT, MPI_INT, in, w, d, MPI_INT, ring);
    EACH(Neighbor_alltoall, Ineighbor_alltoall, from_left, out, COUNT, MPI_INT, in, COUNT, MPI_INT, ring);
    EACH(Neighbor_alltoallv, Ineighbor_alltoallv, from_left, out, w, d, MPI_INT, in, w, d, MPI_INT, ring);
}

/* With displacements in bytes. */
static void by_bytes(void)
{
    MPI_Aint bytes[PEERS];
    for (int i = 0; i < size; i++) {
        bytes[i] = COUNT * i * (MPI_Aint)sizeof(int);
        at[i] = (int)bytes[i];
#if HAVE_LARGE_COUNTS
        at_c[i] = bytes[i];
#endif
    }
    EACH(Alltoallw, Ialltoallw, alltoall, out, w, d, ints, in, w, d, ints, MPI_COMM_WORLD);
    MPI_Request r;
    FORM("Neighbor_alltoallw", MUST(MPI_Neighbor_alltoallw(out, wide, bytes, ints, in, wide, bytes, ints, ring)), from_left);
    FORM("Ineighbor_alltoallw", MUST(MPI_Ineighbor_alltoallw(out, wide, bytes, ints, in, wide, bytes, ints, ring, &r)); wait_for(&r), from_left);
    PERSISTENT(Neighbor_alltoallw, from_left, out, wide, bytes, ints, in, wide, bytes, ints, ring);
    LARGE(Neighbor_alltoallw, Ineighbor_alltoallw, from_left, out, w, d, ints, in, w, d, ints, ring)
}

static void local_reduction(void)
{
#if HAVE_LARGE_COUNTS
    what = "Reduce_local_c";
    fill();
    MUST(MPI_Reduce_local_c(out, out + COUNT, COUNT, MPI_INT, MPI_SUM));
    for (int i = 0; i < COUNT; i++)
        IS(HOST(out)[COUNT + i], number(rank, i) + number(rank, COUNT + i));
#endif
}

/* Between groups everything is reduced elsewhere first. */
static void between_groups(void)
{
#if HAVE_LARGE_COUNTS
    MPI_Comm half, both;
    MPI_Request r;
    if (size != 2)
        return;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half));
    MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, TAG, &both));
    what = "Reduce_scatter_c between groups";
    fill();
    MUST(MPI_Reduce_scatter_c(out, in, wide_c, MPI_INT, MPI_SUM, both));
    came(in, 1 - rank, 0);
    what = "Ireduce_scatter_c between groups";
    fill();
    MUST(MPI_Ireduce_scatter_c(out, in, wide_c, MPI_INT, MPI_SUM, both, &r));
    wait_for(&r);
    came(in, 1 - rank, 0);
    MUST(MPI_Comm_free(&both));
    MUST(MPI_Comm_free(&half));
#endif
}

/* ---- windows and files ---- */

static void windows(void)
{
#if HAVE_LARGE_COUNTS
    MPI_Win win;
    int *got = device_new(COUNT * sizeof *got);
    if (size == 1)
        return; /* Open MPI has no windows of one process */
    what = "Put_c";
    fill();
    MUST(MPI_Win_create_c(in, COUNT * (MPI_Aint)sizeof *in, sizeof *in, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MUST(MPI_Win_fence(0, win));
    MUST(MPI_Put_c(out, COUNT, MPI_INT, right, 0, COUNT, MPI_INT, win));
    MUST(MPI_Win_fence(0, win));
    from_left();
    MUST(MPI_Barrier(MPI_COMM_WORLD)); /* no process changes the window before it has been checked */
    what = "Accumulate_c";
    MUST(MPI_Accumulate_c(out, COUNT, MPI_INT, right, 0, COUNT, MPI_INT, MPI_SUM, win));
    MUST(MPI_Win_fence(0, win));
    for (int i = 0; i < COUNT; i++)
        IS(HOST(in)[i], 2 * number(left, i));
    what = "Get_c";
    MUST(MPI_Get_c(got, COUNT, MPI_INT, right, 0, COUNT, MPI_INT, win));
    MUST(MPI_Win_fence(0, win));
    for (int i = 0; i < COUNT; i++)
        IS(HOST(got)[i], 2 * number(rank, i));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    what = "Get_accumulate_c";
    /* Few elements: Open MPI 4.1 returns no numbers to a datatype that is not predefined. */
    MUST(MPI_Get_accumulate_c(out, FEW, MPI_INT, got, FEW, MPI_INT, right, 0, FEW, MPI_INT, MPI_SUM, win));
    MUST(MPI_Win_fence(0, win));
    for (int i = 0; i < FEW; i++) {
        IS(HOST(got)[i], 2 * number(rank, i));
        IS(HOST(in)[i], 3 * number(left, i));
    }
    MUST(MPI_Win_free(&win));
#endif
}

static void files(void)
{
#if HAVE_LARGE_COUNTS
    char name[] = "/tmp/device-XXXXXX";
    MPI_File file;
    MPI_Request r;
    const int fd = mkstemp(name);
    if (fd < 0)
        return check_fail(__FILE__, __LINE__, "mkstemp %s", name);
    close(fd);
    MUST(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    what = "File_write_at_c";
    fill();
    MUST(MPI_File_write_at_c(file, 0, out, COUNT, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_at_all_c(file, 0, in, COUNT, MPI_INT, MPI_STATUS_IGNORE));
    came(in, rank, 0);
    what = "File_iwrite_at_c";
    fill();
    MUST(MPI_File_iwrite_at_c(file, 0, out + COUNT, COUNT, MPI_INT, &r));
    wait_for(&r);
    MUST(MPI_File_iread_at_c(file, 0, in, COUNT, MPI_INT, &r));
    wait_for(&r);
    came(in, rank, COUNT);
    MUST(MPI_File_close(&file));
#endif
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    device_begin(argc > 1 ? argv[1] : NULL);
    if (size > PEERS)
        return 2;
    peers = size > 2 ? size : 2;
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    in = device_new(COUNT * (size_t)peers * sizeof *in);
    out = device_new(COUNT * (size_t)peers * sizeof *out);
    for (int i = 0; i < peers; i++) {
        wide[i] = COUNT;
        at[i] = COUNT * i;
        ints[i] = MPI_INT;
#if HAVE_LARGE_COUNTS
        wide_c[i] = COUNT;
        at_c[i] = COUNT * i;
#endif
    }
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring));
    exchanges();
    buffered();
    partitioned();
    packed();
    collectives();
    neighbors();
    by_bytes();
    local_reduction();
    between_groups();
    windows();
    files();
    MUST(MPI_Comm_free(&ring));
    CHECK(device_touched > 0); /* the MPI library has used the memory */
    return check_done("device");
}
