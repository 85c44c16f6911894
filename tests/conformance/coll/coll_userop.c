/*
 * User operations: the order of operands, the handle of the type that the callback gets, MPI calls from inside, and
 * operations and types that are freed while in use (MPI-3.1, 5.9.5).
 */
#include "check.h"

static MPI_Datatype matrix_type;
static int calls, wrong_type, wrong_length, inside_failures;

typedef struct {
    int a, b, c, d;
} matrix;

/* Multiplies 2x2 matrices modulo a prime: associative, not commutative. */
static matrix times(matrix x, matrix y)
{
    enum { P = 10007 };
    return (matrix){(x.a * y.a + x.b * y.c) % P, (x.a * y.b + x.b * y.d) % P, (x.c * y.a + x.d * y.c) % P,
                    (x.c * y.b + x.d * y.d) % P};
}

static void multiply(void *in, void *inout, int *len, MPI_Datatype *type)
{
    matrix *x = in, *y = inout;
    calls++;
    if (*type != matrix_type)
        wrong_type++;
    if (*len < 1 || *len > 3)
        wrong_length++;
    for (int i = 0; i < *len; i++)
        y[i] = times(x[i], y[i]);
    /* MPI can be called from here. */
    int bytes = -1, number = -1, inside_rank = -1, ints, addresses, types, combiner = -1;
    if (MPI_Type_size(*type, &bytes) != MPI_SUCCESS || bytes != (int)sizeof(matrix))
        inside_failures++;
    if (MPI_Comm_size(MPI_COMM_WORLD, &number) != MPI_SUCCESS || number != size)
        inside_failures++;
    if (MPI_Comm_rank(MPI_COMM_SELF, &inside_rank) != MPI_SUCCESS || inside_rank != 0)
        inside_failures++;
    if (MPI_Type_get_envelope(*type, &ints, &addresses, &types, &combiner) != MPI_SUCCESS ||
        combiner != MPI_COMBINER_CONTIGUOUS)
        inside_failures++;
}

static matrix of_rank(int r, int i)
{
    return (matrix){r + 2, i + 1, r * r + 1, 3};
}

static void non_commutative(void)
{
    MPI_Op op;
    MPI_Request request;
    int commutes = -1;
    matrix mine[3], all[3], prefix[3], want[3], want_prefix[3];
    MUST(MPI_Type_contiguous(4, MPI_INT, &matrix_type));
    MUST(MPI_Type_commit(&matrix_type));
    MUST(MPI_Op_create(multiply, 0, &op));
    MUST(MPI_Op_commutative(op, &commutes));
    CHECK_INT(commutes, 0);
    for (int i = 0; i < 3; i++) {
        mine[i] = of_rank(rank, i);
        want[i] = of_rank(0, i);
        want_prefix[i] = want[i];
        for (int r = 1; r < size; r++) {
            want[i] = times(want[i], of_rank(r, i));
            if (r <= rank)
                want_prefix[i] = want[i];
        }
    }
    for (int root = 0; root < size; root++) {
        memset(all, 0, sizeof all);
        MUST(MPI_Reduce(mine, all, 3, matrix_type, op, root, MPI_COMM_WORLD));
        CHECK(rank != root || memcmp(all, want, sizeof all) == 0);
    }
    MUST(MPI_Allreduce(mine, all, 3, matrix_type, op, MPI_COMM_WORLD));
    CHECK(memcmp(all, want, sizeof all) == 0);
    MUST(MPI_Scan(mine, prefix, 3, matrix_type, op, MPI_COMM_WORLD));
    CHECK(memcmp(prefix, want_prefix, sizeof all) == 0);

    matrix local[2] = {of_rank(5, 0), of_rank(6, 1)}, into[2] = {of_rank(7, 0), of_rank(8, 1)};
    const matrix first = times(local[0], into[0]), second = times(local[1], into[1]);
    const int before = calls;
    MUST(MPI_Reduce_local(local, into, 2, matrix_type, op));
    CHECK(calls > before);
    CHECK(memcmp(&into[0], &first, sizeof first) == 0 && memcmp(&into[1], &second, sizeof second) == 0);

    /* The operation is freed before completion, the type afterwards. */
    memset(all, 0, sizeof all);
    MUST(MPI_Iallreduce(mine, all, 3, matrix_type, op, MPI_COMM_WORLD, &request));
    MUST(MPI_Op_free(&op));
    CHECK(op == MPI_OP_NULL);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(memcmp(all, want, sizeof all) == 0);
    MUST(MPI_Type_free(&matrix_type));
    CHECK_INT(wrong_type, 0);
    CHECK_INT(wrong_length, 0);
    CHECK_INT(inside_failures, 0);
}

static MPI_Datatype seen_type;

static void largest(void *in, void *inout, int *len, MPI_Datatype *type)
{
    seen_type = *type;
    for (int i = 0; i < *len; i++)
        if (((int *)in)[i] > ((int *)inout)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

static void sum_of_doubles(void *in, void *inout, int *len, MPI_Datatype *type)
{
    seen_type = *type;
    for (int i = 0; i < *len; i++)
        ((double *)inout)[i] += ((double *)in)[i];
}

/* The callback also gets predefined handles, and each operation calls its own function. */
static void predefined_types(void)
{
    MPI_Op max, sum;
    int commutes = -1, a = rank, b = -1;
    double x = rank + 0.5, y = -1;
    MUST(MPI_Op_create(largest, 1, &max));
    MUST(MPI_Op_create(sum_of_doubles, 1, &sum));
    CHECK(max != sum);
    MUST(MPI_Op_commutative(max, &commutes));
    CHECK_INT(commutes, 1);
    int in = 5, inout = 3;
    MUST(MPI_Reduce_local(&in, &inout, 1, MPI_INT, max));
    CHECK_INT(inout, 5);
    CHECK(seen_type == MPI_INT);
    MUST(MPI_Allreduce(&a, &b, 1, MPI_INT, max, MPI_COMM_WORLD));
    CHECK_INT(b, size - 1);
    double u = 0.25, v = 0.5;
    MUST(MPI_Reduce_local(&u, &v, 1, MPI_DOUBLE, sum));
    CHECK(v == 0.75);
    CHECK(seen_type == MPI_DOUBLE);
    MUST(MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, sum, MPI_COMM_WORLD));
    CHECK(y == size * (size - 1) / 2.0 + 0.5 * size);
    int counts[64], part = -1, terms[64];
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        terms[i] = 10 * i + rank;
    }
    MUST(MPI_Reduce_scatter(terms, &part, counts, MPI_INT, max, MPI_COMM_WORLD));
    CHECK_INT(part, 10 * rank + size - 1);
    MUST(MPI_Reduce_scatter_block(terms, &part, 1, MPI_INT, max, MPI_COMM_WORLD));
    CHECK_INT(part, 10 * rank + size - 1);
    part = -1;
    MUST(MPI_Exscan(&a, &part, 1, MPI_INT, max, MPI_COMM_WORLD));
    CHECK_INT(part, rank == 0 ? -1 : rank - 1);
    MUST(MPI_Op_free(&max));
    MUST(MPI_Op_free(&sum));
}

/* The callback starts another reduction. */
static int nested;
static MPI_Op inner;

static void outer_function(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int value = 4, result = -1;
    MPI_Allreduce(&value, &result, 1, MPI_INT, inner, MPI_COMM_SELF);
    nested += result == 4;
    MPI_Reduce_local(in, inout, *len, *type, inner);
}

static void nesting(void)
{
    MPI_Op outer;
    int in[2] = {9, 2}, inout[2] = {4, 6};
    MUST(MPI_Op_create(largest, 1, &inner));
    MUST(MPI_Op_create(outer_function, 1, &outer));
    MUST(MPI_Reduce_local(in, inout, 2, MPI_INT, outer));
    CHECK_INT(inout[0], 9);
    CHECK_INT(inout[1], 6);
    CHECK_INT(nested, 1);
    MUST(MPI_Op_free(&outer));
    MUST(MPI_Op_free(&inner));
}

/* Many operations exist at once, each with its own handle. */
static void many(void)
{
    enum { N = 1000 };
    static MPI_Op ops[N];
    for (int i = 0; i < N; i++)
        MUST(MPI_Op_create(i % 2 ? largest : sum_of_doubles, 1, &ops[i]));
    for (int i = 0; i < N; i++) {
        int in = i, inout = i - 1;
        double x = i, y = 1;
        if (i % 2) {
            MUST(MPI_Reduce_local(&in, &inout, 1, MPI_INT, ops[i]));
            CHECK_INT(inout, i);
        } else {
            MUST(MPI_Reduce_local(&x, &y, 1, MPI_DOUBLE, ops[i]));
            CHECK(y == i + 1);
        }
        CHECK(i == 0 || ops[i] != ops[i - 1]);
    }
    for (int i = 0; i < N; i++) {
        MUST(MPI_Op_free(&ops[i]));
        CHECK(ops[i] == MPI_OP_NULL);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    non_commutative();
    predefined_types();
    nesting();
    many();
    return check_done("coll_userop");
}
