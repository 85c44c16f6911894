/*
 * Nested types: a hundred levels, decoded again; absolute addresses with MPI_BOTTOM in all kinds of calls (except
 * MPI_Pack, because MPICH 4.0.2 refuses it); and the received part of a type if the message ends inside it (MPI-3.1,
 * 3.2.5, 4.1.5, 4.1.11, 4.1.13).
 */
#include "check.h"

enum { DEPTH = 100 };

/* Each level is of another kind, all with the same data: two ints, the second far after the first. */
static MPI_Datatype wrap(int kind, MPI_Datatype t)
{
    MPI_Datatype n = MPI_DATATYPE_NULL;
    const int one = 1, zero = 0;
    const MPI_Aint at = 0;
    MPI_Aint lb, extent;
    switch (kind % 9) {
    case 0: MUST(MPI_Type_contiguous(1, t, &n)); break;
    case 1: MUST(MPI_Type_vector(1, 1, 7, t, &n)); break;
    case 2: MUST(MPI_Type_create_hvector(1, 1, 1000, t, &n)); break;
    case 3: MUST(MPI_Type_indexed(1, &one, &zero, t, &n)); break;
    case 4: MUST(MPI_Type_create_hindexed(1, &one, &at, t, &n)); break;
    case 5: MUST(MPI_Type_create_hindexed_block(1, 1, &at, t, &n)); break;
    case 6: MUST(MPI_Type_create_struct(1, &one, &at, &t, &n)); break;
    case 7: MUST(MPI_Type_dup(t, &n)); break;
    default:
        MUST(MPI_Type_get_extent(t, &lb, &extent));
        MUST(MPI_Type_create_resized(t, lb, extent, &n));
    }
    return n;
}

static void deep(void)
{
    static const int combiners[] = {MPI_COMBINER_CONTIGUOUS, MPI_COMBINER_VECTOR, MPI_COMBINER_HVECTOR,
                                    MPI_COMBINER_INDEXED, MPI_COMBINER_HINDEXED, MPI_COMBINER_HINDEXED_BLOCK,
                                    MPI_COMBINER_STRUCT, MPI_COMBINER_DUP, MPI_COMBINER_RESIZED};
    MPI_Datatype t, inner;
    int out[8] = {1, 2, 3, 4, 5, 6, 7, 8}, in[8] = {0}, bytes = -1;
    MUST(MPI_Type_vector(2, 1, 5, MPI_INT, &t));
    for (int i = 0; i < DEPTH; i++) {
        MPI_Datatype outer = wrap(i, t);
        MUST(MPI_Type_free(&t));
        t = outer;
        if (i == 8) { /* as deep as MPICH 3.4 and Intel MPI support */
            MUST(MPI_Type_commit(&t));
            MUST(MPI_Sendrecv(out, 1, t, rank, 1, in, 1, t, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(in[0] == 1 && in[5] == 6 && in[1] == 0 && in[4] == 0 && in[6] == 0);
        }
    }
    MUST(MPI_Type_size(t, &bytes));
    CHECK_INT(bytes, 2 * sizeof(int));
    int ints[16], ni, na, nd, combiner;
    MPI_Aint addresses[16];
    for (int i = DEPTH - 1; i >= 0; i--) {
        MUST(MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner));
        CHECK_INT(combiner, combiners[i % 9]);
        CHECK_INT(nd, 1);
        inner = MPI_DATATYPE_NULL;
        MUST(MPI_Type_get_contents(t, ni, na, nd, ints, addresses, &inner));
        MUST(MPI_Type_free(&t));
        t = inner;
        MUST(MPI_Type_size(t, &bytes));
        CHECK_INT(bytes, 2 * sizeof(int));
    }
    MUST(MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_VECTOR);
    MUST(MPI_Type_get_contents(t, ni, na, nd, ints, addresses, &inner));
    CHECK(ints[0] == 2 && ints[1] == 1 && ints[2] == 5 && inner == MPI_INT);
    MUST(MPI_Type_free(&t));
}

/* Two separate variables, by their addresses. */
static int a, b, c, d;

static MPI_Datatype absolute(int *first, int *second)
{
    MPI_Datatype t;
    MPI_Aint at[2];
    MUST(MPI_Get_address(first, &at[0]));
    MUST(MPI_Get_address(second, &at[1]));
    MUST(MPI_Type_create_hindexed(2, (int[]){1, 1}, at, MPI_INT, &t));
    MUST(MPI_Type_commit(&t));
    return t;
}

static void bottom(void)
{
    MPI_Datatype from = absolute(&a, &b), to = absolute(&c, &d);
    MPI_Request r[2];
#define SEED() (a = 10 * rank + 1, b = 10 * rank + 2, c = d = -1)
#define FROM(r) CHECK(c == 10 * (r) + 1 && d == 10 * (r) + 2)
    const int next = (rank + 1) % size, previous = (rank + size - 1) % size, root = size - 1;
    SEED();
    MUST(MPI_Sendrecv(MPI_BOTTOM, 1, from, next, 1, MPI_BOTTOM, 1, to, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    FROM(previous);
    SEED();
    MUST(MPI_Irecv(MPI_BOTTOM, 1, to, previous, 2, MPI_COMM_WORLD, &r[0]));
    MUST(MPI_Isend(MPI_BOTTOM, 1, from, next, 2, MPI_COMM_WORLD, &r[1]));
    MUST(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    FROM(previous);
    SEED();
    MUST(MPI_Recv_init(MPI_BOTTOM, 1, to, previous, 3, MPI_COMM_WORLD, &r[0]));
    MUST(MPI_Send_init(MPI_BOTTOM, 1, from, next, 3, MPI_COMM_WORLD, &r[1]));
    MUST(MPI_Startall(2, r));
    MUST(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    MUST(MPI_Request_free(&r[0]));
    MUST(MPI_Request_free(&r[1]));
    FROM(previous);
    SEED();
    MUST(MPI_Bcast(MPI_BOTTOM, 1, rank == root ? from : to, root, MPI_COMM_WORLD));
    if (rank != root)
        FROM(root);
    /* As the only buffer of a collective, it must not be treated as MPI_IN_PLACE. */
    int all[2 * 64], zero = 0, two = 2;
    SEED();
    MUST(MPI_Allgather(MPI_BOTTOM, 1, from, all, 2, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        CHECK(all[2 * i] == 10 * i + 1 && all[2 * i + 1] == 10 * i + 2);
    MUST(MPI_Scatter(all, 2, MPI_INT, MPI_BOTTOM, 1, to, 0, MPI_COMM_WORLD));
    FROM(rank);
    SEED();
    MUST(MPI_Gather(MPI_BOTTOM, 1, from, all, 2, MPI_INT, root, MPI_COMM_WORLD));
    CHECK(rank != root || all[2 * root] == 10 * root + 1);
    SEED();
    int one = 1;
    MUST(MPI_Alltoallw(MPI_BOTTOM, &one, &zero, &from, MPI_BOTTOM, &one, &zero, &to, MPI_COMM_SELF));
    FROM(rank);
    SEED();
    MUST(MPI_Ialltoallw(MPI_BOTTOM, &one, &zero, &from, all, &two, &zero, &(MPI_Datatype){MPI_INT}, MPI_COMM_SELF, &r[0]));
    MUST(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
    CHECK(all[0] == a && all[1] == b);
    MUST(MPI_Type_free(&from));
    MUST(MPI_Type_free(&to));
}

/* A struct of an int, a double and two chars, of which a message contains a part. */
static void partial(void)
{
    MPI_Datatype t, odd;
    char buffer[256], sent[256] = {0};
    static const struct { int bytes, count, elements; } cases[] = {
        {0, 0, 0}, {4, MPI_UNDEFINED, 1}, {12, MPI_UNDEFINED, 2}, {13, MPI_UNDEFINED, 3}, {14, 1, 4},
        {18, MPI_UNDEFINED, 5}, {26, MPI_UNDEFINED, 6}, {27, MPI_UNDEFINED, 7}, {28, 2, 8}, {42, 3, 12}};
    MUST(MPI_Type_create_struct(3, (int[]){1, 1, 2}, (MPI_Aint[]){0, 8, 16},
                                (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_CHAR}, &t));
    MUST(MPI_Type_create_resized(t, 0, 24, &odd));
    MUST(MPI_Type_commit(&odd));
    MUST(MPI_Type_free(&t));
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        MPI_Status s;
        MPI_Request r;
        int count = -7, elements = -7;
        MPI_Count elements_x = -7;
        MUST(MPI_Irecv(buffer, 4, odd, rank, 4, MPI_COMM_WORLD, &r));
        MUST(MPI_Send(sent, cases[i].bytes, MPI_PACKED, rank, 4, MPI_COMM_WORLD));
        MUST(MPI_Wait(&r, &s));
        MUST(MPI_Get_count(&s, odd, &count));
        CHECK_INT(count, cases[i].count);
        MUST(MPI_Get_elements(&s, odd, &elements));
        CHECK_INT(elements, cases[i].elements);
        MUST(MPI_Get_elements_x(&s, odd, &elements_x));
        CHECK_INT(elements_x, cases[i].elements);
        MUST(MPI_Get_count(&s, MPI_BYTE, &count));
        CHECK_INT(count, cases[i].bytes);
#if HAVE_LARGE_COUNTS
        MPI_Count count_c = -7, elements_c = -7;
        MUST(MPI_Get_count_c(&s, odd, &count_c));
        CHECK_INT(count_c, cases[i].count);
        MUST(MPI_Get_elements_c(&s, odd, &elements_c));
        CHECK_INT(elements_c, cases[i].elements);
#endif
    }
    MUST(MPI_Type_free(&odd));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    deep();
    bottom();
    partial();
    return check_done("type_deep");
}
