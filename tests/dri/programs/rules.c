/* The rules of the interface, S1 to S15, each on three processes. */
#include "check.h"
#include <math.h>
#include <unistd.h>

#define N 12
static DRI_group everybody;

static DRI_xfer turn(const char *name, DRI_dist from, void *src[], DRI_dist to, void *dst[])
{
    DRI_xfer x;
    OK(DRI_xfer_create_clique(name, from, DRI_LAYOUT_PACKED_10, 1, src, to, DRI_LAYOUT_PACKED_01, 1, dst, &x));
    return x;
}

/* A tuple is one range of indices: parts are parallel to the dimensions, and contain every element of the range. */
static void S1(void)
{
    DRI_part_tuple t[2] = {{0, 2, 5, 0}, {1, 0, 3, 2}}, got[2];
    DRI_part p;
    int n, blocks;
    OK(DRI_part_create(2, t, &p));
    OK(DRI_part_query(p, &n, &blocks, 0, got));
    CHECK(n == 2 && blocks == 1 && !memcmp(t, got, sizeof t), "the part is not what was given");
    OK(DRI_part_destroy(&p));
    t[1].right_x = -2;
    FAILS(DRI_ERR_ARG, "dimension 1|0 to -2", DRI_part_create(2, t, &p));
}

static DRI_dist along_rows(DRI_gdo d, MPI_Count lo, MPI_Count hi, int error, const char *words)
{
    DRI_part_tuple t[2] = {{0, lo, hi, 0}, {0, 0, N - 1, 0}};
    DRI_part p;
    DRI_dist dist = DRI_NULL;
    OK(DRI_part_create(2, t, &p));
    if (error)
        FAILS(error, words, DRI_dist_create(d, p, everybody, &dist));
    else
        OK(DRI_dist_create(d, p, everybody, &dist));
    OK(DRI_part_destroy(&p));
    return dist;
}

/* Each element belongs to one process of the source. A gap or a double owner is the same error on all processes. */
static void S2(void)
{
    DRI_gdo d = gdo(DRI_INT, 2, N, N);
    DRI_xfer x;
    void *buff[] = {NULL};
    along_rows(d, rank * 4, rank == 1 ? 8 : rank * 4 + 3, DRI_ERR_OWNED_TWICE, "dimension 0|index 8|rank 1|rank 2");
    DRI_dist gap = along_rows(d, rank * 4, rank == 1 ? 6 : rank * 4 + 3, 0, NULL);
    FAILS(DRI_ERR_NOT_OWNED, "(7, 0)", DRI_xfer_create("S2", DRI_SOURCE, gap, DRI_LAYOUT_PACKED_01, 1, buff, &x));
    CHECK(x == DRI_NULL && buff[0] == NULL, "something was made");
    OK(DRI_dist_destroy(&gap));
    OK(DRI_gdo_destroy(&d));
}

/* A destination may request more elements than it owns, or fewer. */
static void S3(void)
{
    DRI_gdo d = gdo(DRI_INT, 2, N, N);
    DRI_dist from = slices(d, everybody, 0, 0, 0);
    DRI_part_tuple t[2] = {{1, rank * 2, rank * 2 + 1, 1}, {0, 3, 5, 0}};
    DRI_part p;
    DRI_dist to;
    OK(DRI_part_create(2, t, &p));
    OK(DRI_dist_create(d, p, everybody, &to));
    void *src[] = {NULL}, *dst[] = {NULL};
    DRI_xfer x;
    OK(DRI_xfer_create_clique("S3", from, DRI_LAYOUT_PACKED_10, 1, src, to, DRI_LAYOUT_PACKED_10, 1, dst, &x));
    for (int i = 0; i < 4 * N; i++)
        ((int *)src[0])[i] = rank * 4 * N + i;
    OK(DRI_do("S3", x));
    int lo = rank ? rank * 2 - 1 : 0, hi = rank * 2 + 2, at = 0;
    for (int i = lo; i <= hi; i++)
        for (int j = 3; j <= 5; j++, at++)
            CHECK(((int *)dst[0])[at] == i * N + j, "element (%d, %d) is %d", i, j, ((int *)dst[0])[at]);
    MPI_Count bytes;
    OK(DRI_dist_bytes(to, DRI_LAYOUT_PACKED_10, &bytes));
    CHECK(bytes == at * (int)sizeof(int), "%d bytes", (int)bytes);
    OK(DRI_xfer_destroy(&x));
    OK(DRI_part_destroy(&p));
    OK(DRI_dist_destroy(&from));
    OK(DRI_dist_destroy(&to));
    OK(DRI_gdo_destroy(&d));
}

/* "Zebra": rank 0 sends slices of columns to rank 1, and a quarter to rank 2. Neither knows of the other, and either
 * may be first. */
static void S4(void)
{
    DRI_gdo d = gdo(DRI_INT, 2, N, N);
    for (int late = 0; late < 3; late++) {
        if (rank == late)
            usleep(20000);
        DRI_group own = group(rank, 1);
        DRI_part_tuple t[2] = {{0, 0, rank == 2 ? N / 2 - 1 : N - 1, 0}, {0, rank == 2 ? N / 2 : 0, N - 1, 0}};
        DRI_part p;
        DRI_dist dist;
        DRI_xfer x;
        void *buff[] = {NULL};
        char name[8];
        snprintf(name, sizeof name, "S4 %d", late);
        OK(DRI_part_create(2, t, &p));
        OK(DRI_dist_create(d, p, own, &dist));
        OK(DRI_xfer_register(name, rank ? DRI_DESTINATION : DRI_SOURCE, dist, rank == 1 ? DRI_LAYOUT_PACKED_01 : DRI_LAYOUT_PACKED_10, 1, buff,
                             &x));
        if (rank == 0)
            OK(DRI_xfer_partners(x, 2));
        else
            FAILS(DRI_ERR_ROLE, name, DRI_xfer_partners(x, 2));
        OK(DRI_xfer_commit(1, &x));
        int *b = buff[0];
        for (int i = 0; rank == 0 && i < N * N; i++)
            b[i] = i + late;
        OK(DRI_do(NULL, x));
        for (int i = 0; rank == 1 && i < N * N; i++)
            CHECK(b[i] == i % N * N + i / N + late, "element %d is %d", i, b[i]);
        for (int i = 0; rank == 2 && i < N * N / 4; i++)
            CHECK(b[i] == i / (N / 2) * N + N / 2 + i % (N / 2) + late, "element %d is %d", i, b[i]);
        OK(DRI_xfer_destroy(&x));
        OK(DRI_dist_destroy(&dist));
        OK(DRI_part_destroy(&p));
        OK(DRI_group_destroy(&own));
    }
    OK(DRI_gdo_destroy(&d));
}

/* One process checks minimum and maximum alone, before any communication. */
static void S5(void)
{
    if (rank == 0) {
        DRI_gdo d = gdo(DRI_INT, 1, 140), e = gdo(DRI_INT, 1, 150);
        DRI_part_rule rule = {DRI_BLOCK, 50, 50, 0, 0, 0, 0};
        DRI_part p;
        FAILS(DRI_ERR_CONSTRAINT, "dimension 0|47|140|minimum is 50", DRI_part_rules(d, everybody, NULL, &rule, &p));
        OK(DRI_part_rules(e, everybody, NULL, &rule, &p));
        OK(DRI_part_destroy(&p));
        rule.min = 0, rule.max = 49;
        FAILS(DRI_ERR_CONSTRAINT, "dimension 0|maximum is 49", DRI_part_rules(e, everybody, NULL, &rule, &p));
        rule = (DRI_part_rule){DRI_CYCLIC, 0, 50, 20, 0, 0, 0};
        FAILS(DRI_ERR_CONSTRAINT, "place 0|60", DRI_part_rules(e, everybody, NULL, &rule, &p));
        OK(DRI_gdo_destroy(&d));
        OK(DRI_gdo_destroy(&e));
    }
}

/* Default partitions, and undivided dimensions. */
static void S6(void)
{
    DRI_gdo d = gdo(DRI_INT, 3, 4, 6, 5);
    DRI_part p;
    DRI_part_tuple t[3];
    int blocks;
    OK(DRI_part_default(d, everybody, &p));
    OK(DRI_part_query(p, NULL, &blocks, 0, t));
    CHECK(blocks == 1 && t[0].left_x == (rank ? rank + 1 : 0) && t[0].right_x == rank + 1 && t[1].right_x == 5 && t[2].right_x == 4,
          "not slices of dimension 0");
    OK(DRI_part_destroy(&p));
    DRI_part_rule rules[3] = {{.kind = DRI_WHOLE}, {.kind = DRI_BLOCK}, {.kind = DRI_WHOLE}};
    OK(DRI_part_rules(d, everybody, NULL, rules, &p));
    OK(DRI_part_query(p, NULL, NULL, 0, t));
    CHECK(t[0].right_x == 3 && t[1].left_x == 2 * rank && t[1].right_x == 2 * rank + 1 && t[2].right_x == 4, "the whole dimensions are cut");
    OK(DRI_part_destroy(&p));
    rules[1].kind = DRI_WHOLE;
    FAILS(DRI_ERR_ARG, "grid of 3", DRI_part_rules(d, everybody, NULL, rules, &p));
    OK(DRI_gdo_destroy(&d));
}

/* D is constant: another size or type on the other end is an error on both. Other objects may be smaller. */
static void S7(void)
{
    DRI_gdo d = gdo(DRI_INT, 2, N, N), e = gdo(DRI_INT, 2, N, N + 1), f = gdo(DRI_FLOAT, 2, N, N), sub;
    DRI_group g = rank ? group(1, 2) : group(0, 1);
    DRI_gdo other[] = {e, f};
    for (int i = 0; i < 2; i++) {
        DRI_dist dist = slices(rank ? other[i] : d, g, 0, 0, 0);
        void *buff[] = {NULL};
        DRI_xfer x;
        FAILS(DRI_ERR_MISMATCH, i ? "S7|type|rank" : "S7|dimension 1|rank",
              DRI_xfer_create(i ? "S7b" : "S7a", rank ? DRI_DESTINATION : DRI_SOURCE, dist, DRI_LAYOUT_PACKED_01, 1, buff, &x));
        CHECK(x == DRI_NULL && buff[0] == NULL, "something was made");
        OK(DRI_dist_destroy(&dist));
    }
    MPI_Count lo[] = {2, 3}, hi[] = {7, N}, sizes[2];
    FAILS(DRI_ERR_RANGE, "dimension 1|12", DRI_gdo_sub(d, lo, hi, &sub));
    hi[1] = 5;
    OK(DRI_gdo_sub(d, lo, hi, &sub));
    OK(DRI_gdo_query(sub, NULL, NULL, sizes));
    CHECK(sizes[0] == 6 && sizes[1] == 3, "D' is of %d x %d", (int)sizes[0], (int)sizes[1]);
    OK(DRI_group_destroy(&g));
    OK(DRI_gdo_destroy(&sub));
    OK(DRI_gdo_destroy(&d));
    OK(DRI_gdo_destroy(&e));
    OK(DRI_gdo_destroy(&f));
}

/* Each side describes its own end, and the name connects them. Processes on both sides form a clique. */
static void S8(void)
{
    DRI_gdo d = gdo(DRI_INT, 1, 6);
    DRI_group g = rank == 2 ? group(2, 1) : group(0, 2);
    DRI_dist dist = slices(d, g, 0, 0, 0);
    void *buff[] = {NULL}, *src[] = {NULL}, *dst[] = {NULL};
    DRI_xfer x, ends[2];
    OK(DRI_xfer_create("S8", rank == 2 ? DRI_DESTINATION : DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 1, buff, &x));
    for (int i = 0; rank < 2 && i < 3; i++)
        ((int *)buff[0])[i] = 3 * rank + i;
    OK(DRI_do("S8", x));
    for (int i = 0; rank == 2 && i < 6; i++)
        CHECK(((int *)buff[0])[i] == i, "element %d is %d", i, ((int *)buff[0])[i]);
    FAILS(DRI_ERR_NAME, "S8|S9", DRI_do("S9", x));
    int other = 0;
    FAILS(DRI_ERR_ROLE, "S8", DRI_acquire(x, rank == 2 ? DRI_SOURCE : DRI_DESTINATION, NULL, &other));
    OK(DRI_xfer_destroy(&x));
    const char *own = rank == 2 ? "S8 b" : "S8 a";
    OK(DRI_xfer_register(own, DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 1, src, &ends[0]));
    FAILS(DRI_ERR_NAME, own, DRI_xfer_register(own, DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 1, dst, &ends[1]));
    OK(DRI_xfer_destroy(&ends[0]));
    OK(DRI_dist_destroy(&dist));
    OK(DRI_group_destroy(&g));
    OK(DRI_gdo_destroy(&d));
}

/* Buffers are bound at creation. They are the library's or the program's, one or several, in different numbers at the
 * two ends, and are used in turn. */
static void S9(void)
{
    DRI_gdo d = gdo(DRI_INT, 1, 6);
    DRI_group g = rank == 2 ? group(2, 1) : group(0, 2);
    DRI_dist dist = slices(d, g, 0, 0, 0);
    for (int there = 1; there <= 3; there++)
        for (int here = 1; here <= 3; here++) {
            int n = rank == 2 ? there : here, own[3][6], next;
            void *buffs[3] = {NULL, NULL, NULL};
            if (n > 1)
                buffs[1] = own[1];
            if (rank == 2)
                buffs[0] = own[0];
            DRI_xfer x;
            char name[32];
            snprintf(name, sizeof name, "S9 %d %d", there, here);
            OK(DRI_xfer_create(name, rank == 2 ? DRI_DESTINATION : DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, n, buffs, &x));
            CHECK(buffs[0] && (n < 2 || buffs[1] == own[1]) && (n < 3 || buffs[2]), "buffers were not bound");
            for (int go = 0; go < 7; go++) {
                OK(DRI_xfer_query(x, NULL, NULL, &next, NULL, NULL));
                CHECK(next == go % n, "the next buffer is %d, not %d", next, go % n);
                for (int i = 0; rank < 2 && i < 3; i++)
                    ((int *)buffs[next])[i] = 100 * go + 3 * rank + i;
                OK(DRI_do(NULL, x));
                for (int i = 0; rank == 2 && i < 6; i++)
                    CHECK(((int *)buffs[next])[i] == 100 * go + i, "Go %d: element %d is %d", go, i, ((int *)buffs[next])[i]);
            }
            OK(DRI_xfer_destroy(&x));
        }
    int memory[12];
    void *twice[] = {memory, memory + 1}, **none = NULL;
    DRI_xfer x;
    FAILS(DRI_ERR_BUFFER, "buffers 0 and 1", DRI_xfer_register(rank == 2 ? "S9 a" : "S9 b", DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 2, twice, &x));
    FAILS(DRI_ERR_BUFFER, "0 buffers", DRI_xfer_register(rank == 2 ? "S9 a" : "S9 b", DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 0, none, &x));
    OK(DRI_dist_destroy(&dist));
    OK(DRI_group_destroy(&g));
    OK(DRI_gdo_destroy(&d));
}

/* Do is synchronous: a destination that is early waits, and a source does not complete before the destination has
 * called Do. */
static void S10(void)
{
    DRI_gdo d = gdo(DRI_INT, 1, 6);
    DRI_group g = group(rank < 2 ? 0 : 2, rank < 2 ? 2 : 1), own = group(rank, 1);
    for (int ours = 0; rank < 2 && ours < 2; ours++) {
        DRI_dist dist = slices(d, own, 0, 0, 0);
        int memory[6] = {1, 2, 3, 4, 5, 6}, done, word = 0;
        void *buff[] = {ours ? NULL : memory};
        DRI_xfer x;
        OK(DRI_xfer_create(ours ? "S10 ours" : "S10", rank ? DRI_DESTINATION : DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 1, buff, &x));
        if (rank == 0) {
            memcpy(buff[0], memory, sizeof memory);
            OK(DRI_start(x));
            for (int i = 0; i < 1000; i++) {
                OK(DRI_test(x, &done));
                CHECK(!done, "a source is over whose destination was not called");
            }
            FAILS(DRI_ERR_STATE, "S10|DRI_wait", DRI_do(NULL, x));
            MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            OK(DRI_wait(x));
        } else {
            memset(buff[0], 0, sizeof memory);
            MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(((int *)buff[0])[0] == 0, "it was pushed");
            OK(DRI_do(NULL, x));
            CHECK(((int *)buff[0])[5] == 6, "nothing arrived");
        }
        FAILS(DRI_ERR_STATE, "S10|DRI_start", DRI_wait(x));
        OK(DRI_xfer_destroy(&x));
        OK(DRI_dist_destroy(&dist));
    }
    OK(DRI_group_destroy(&g));
    OK(DRI_group_destroy(&own));
    OK(DRI_gdo_destroy(&d));
}

/* Errors that depend on both ends are returned at the commit, because the objects are independent before. */
static void S11(void)
{
    DRI_gdo d = gdo(DRI_INT, 1, rank ? 7 : 6);
    DRI_group g = rank ? group(1, 2) : group(0, 1);
    DRI_dist dist = slices(d, g, 0, 0, 0);
    void *buff[] = {NULL};
    DRI_xfer x;
    OK(DRI_xfer_register("S11", rank ? DRI_DESTINATION : DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 1, buff, &x));
    FAILS(DRI_ERR_STATE, "S11|not committed", DRI_do(NULL, x));
    FAILS(DRI_ERR_MISMATCH, "S11|0 to 5|0 to 6", DRI_xfer_commit(1, &x));
    FAILS(DRI_ERR_STATE, "S11|destroy", DRI_xfer_commit(1, &x));
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&dist));
    OK(DRI_group_destroy(&g));
    OK(DRI_gdo_destroy(&d));
}

/* Two names in opposite order. */
static void S12(void)
{
    DRI_gdo d = gdo(DRI_INT, 1, 6);
    DRI_group g = rank ? group(1, 2) : group(0, 1);
    DRI_dist dist = slices(d, g, 0, 0, 0);
    void *buff[2] = {NULL, NULL};
    DRI_xfer x[2];
    const char *names[] = {rank ? "S12 b" : "S12 a", rank ? "S12 a" : "S12 b"};
    for (int i = 0; i < 2; i++)
        OK(DRI_xfer_register(names[i], rank ? DRI_DESTINATION : DRI_SOURCE, dist, DRI_LAYOUT_PACKED_0, 1, &buff[i], &x[i]));
    OK(DRI_xfer_commit(2, x));
    for (int i = 0; i < 2; i++) {
        int k = rank ? !i : i;
        if (rank == 0)
            for (int j = 0; j < 6; j++)
                ((int *)buff[k])[j] = 10 * i + j;
        OK(DRI_do(NULL, x[k]));
        if (rank)
            CHECK(*(int *)buff[k] == 10 * i + 3 * (rank - 1), "'%s' has %d", names[k], *(int *)buff[k]);
    }
    OK(DRI_xfer_destroy(&x[0]));
    OK(DRI_xfer_destroy(&x[1]));
    OK(DRI_dist_destroy(&dist));
    OK(DRI_group_destroy(&g));
    OK(DRI_gdo_destroy(&d));
}

/* Insufficient memory is an error; data is not divided into tiles automatically. */
static void S13(void)
{
    MPI_Count sizes[2] = {1 << 24, 1 << 24};
    DRI_gdo d;
    OK(DRI_gdo_create(2, DRI_DOUBLE, sizes, &d));
    DRI_dist dist = slices(d, everybody, 0, 0, 0);
    void *buff[] = {NULL};
    DRI_xfer x;
    FAILS(DRI_ERR_NOMEM, "no memory|bytes", DRI_xfer_create("S13", DRI_SOURCE, dist, DRI_LAYOUT_PACKED_01, 1, buff, &x));
    OK(DRI_dist_destroy(&dist));
    OK(DRI_gdo_destroy(&d));
}

/* An element is any datatype; its holes are not changed. */
static void S14(void)
{
    MPI_Datatype record, type;
    int lengths[] = {1, 1};
    MPI_Aint at[] = {0, 4};
    MPI_Datatype types[] = {MPI_INT, MPI_SHORT};
    MPI_Type_create_struct(2, lengths, at, types, &record);
    MPI_Type_create_resized(record, 0, 8, &type);
    MPI_Type_commit(&type);
    DRI_gdo d = gdo(type, 2, 3, 3);
    MPI_Type_free(&type);
    MPI_Type_free(&record);
    DRI_dist rows = slices(d, everybody, 0, 0, 0), columns = slices(d, everybody, 1, 0, 0);
    struct {
        int i;
        short s, hole;
    } from[3], to[3];
    void *src[] = {from}, *dst[] = {to};
    DRI_xfer x = turn("S14", rows, src, columns, dst);
    for (int i = 0; i < 3; i++) {
        from[i].i = rank * 3 + i, from[i].s = -from[i].i, from[i].hole = 7;
        to[i].hole = 9;
    }
    OK(DRI_do(NULL, x));
    for (int i = 0; i < 3; i++)
        CHECK(to[i].i == i * 3 + rank && to[i].s == -to[i].i && to[i].hole == 9, "record %d is %d, %d, %d", i, to[i].i, to[i].s, to[i].hole);
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&rows));
    OK(DRI_dist_destroy(&columns));
    OK(DRI_gdo_destroy(&d));
}

/* The program's own MPI messages progress while it waits in DRI. */
static void S15(void)
{
    enum { LARGE = 1 << 20 };
    DRI_gdo d = gdo(DRI_INT, 2, 3, 3);
    DRI_dist rows = slices(d, everybody, 0, 0, 0), columns = slices(d, everybody, 1, 0, 0);
    void *src[] = {NULL}, *dst[] = {NULL};
    DRI_xfer x = turn("S15", rows, src, columns, dst);
    int *large = calloc(LARGE, sizeof(int)), started;
    MPI_Request request;
    if (rank == 0) {
        large[LARGE - 1] = 42;
        MPI_Isend(large, LARGE, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    } else if (rank == 1) {
        MPI_Recv(large, LARGE, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(large[LARGE - 1] == 42, "MPI's message is wrong");
    }
    for (int i = 0; i < 3; i++)
        ((int *)src[0])[i] = rank * 3 + i;
    OK(DRI_do(NULL, x));
    if (rank == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++)
        CHECK(((int *)dst[0])[i] == i * 3 + rank, "element %d is %d", i, ((int *)dst[0])[i]);
    MPI_Initialized(&started);
    CHECK(started, "MPI is not there");
    free(large);
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&rows));
    OK(DRI_dist_destroy(&columns));
    OK(DRI_gdo_destroy(&d));
}

int main(int argc, char **argv)
{
    static void (*const rules[])(void) = {S1, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11, S12, S13, S14, S15};
    begin(&argc, &argv);
    CHECK(size == 3, "this is for three processes");
    everybody = group(0, 3);
    for (int i = 0; i < 15; i++) {
        if (getenv("VERBOSE"))
            fprintf(stderr, "rank %d: S%d\n", rank, i + 1);
        rules[i]();
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            printf("S%d: right\n", i + 1);
    }
    OK(DRI_group_destroy(&everybody));
    end("rules");
    return 0;
}
