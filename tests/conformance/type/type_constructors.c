/* Every constructor: size, extent, and the data that a message of the type contains (MPI-3.1, 4.1.2, 4.1.3). */
#include <stddef.h>
#include "check.h"

enum { N = 64 };

static int source[N], target[N];

/* Checks that the type has this size and extent, and moves exactly the listed elements of an int array. */
static void moves(const char *name, MPI_Datatype type, int count, MPI_Aint want_lb, MPI_Aint want_extent,
                  const int *elements, int number)
{
    int bytes = -1, got = -1, in_list[N] = {0};
    MPI_Aint lb = -1, extent = -1;
    MPI_Count size_x = -1, lb_x = -1, extent_x = -1;
    MPI_Status status;
    MUST(MPI_Type_commit(&type));
    MUST(MPI_Type_size(type, &bytes));
    CHECK_INT(bytes * count, number * (int)sizeof(int));
    MUST(MPI_Type_size_x(type, &size_x));
    CHECK_INT(size_x, bytes);
    MUST(MPI_Type_get_extent(type, &lb, &extent));
    CHECK_INT(lb, want_lb);
    CHECK_INT(extent, want_extent);
    MUST(MPI_Type_get_extent_x(type, &lb_x, &extent_x));
    CHECK_INT(lb_x, want_lb);
    CHECK_INT(extent_x, want_extent);
    for (int i = 0; i < N; i++) {
        source[i] = 1000 + i;
        target[i] = -1;
    }
    for (int i = 0; i < number; i++)
        in_list[elements[i]] = 1;
    MUST(MPI_Sendrecv(source, count, type, rank, 1, target, count, type, rank, 1, MPI_COMM_WORLD, &status));
    for (int i = 0; i < N; i++)
        if (target[i] != (in_list[i] ? 1000 + i : -1))
            check_fail(__FILE__, __LINE__, "%s: element %d is %d", name, i, target[i]);
    MUST(MPI_Get_count(&status, type, &got));
    CHECK_INT(got, count);
    MUST(MPI_Get_elements(&status, type, &got));
    CHECK_INT(got, number);

    /* The order of the elements in a message, as a receiver of plain ints gets them. */
    int plain[N];
    MUST(MPI_Sendrecv(source, count, type, rank, 2, plain, N, MPI_INT, rank, 2, MPI_COMM_WORLD, &status));
    for (int i = 0; i < number; i++)
        if (plain[i] != 1000 + elements[i])
            check_fail(__FILE__, __LINE__, "%s: position %d holds %d", name, i, plain[i]);
    MUST(MPI_Type_free(&type));
    CHECK(type == MPI_DATATYPE_NULL);
}

#define LIST(...) (const int[]){__VA_ARGS__}, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int))

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const MPI_Aint I = sizeof(int);
    MPI_Datatype t, pair;

    MUST(MPI_Type_contiguous(3, MPI_INT, &t));
    moves("contiguous", t, 2, 0, 3 * I, LIST(0, 1, 2, 3, 4, 5));
    MUST(MPI_Type_vector(3, 2, 4, MPI_INT, &t));
    moves("vector", t, 1, 0, 10 * I, LIST(0, 1, 4, 5, 8, 9));
    MUST(MPI_Type_create_hvector(3, 1, 5 * I, MPI_INT, &t));
    moves("hvector", t, 1, 0, 11 * I, LIST(0, 5, 10));
    MUST(MPI_Type_indexed(3, (int[]){2, 1, 3}, (int[]){7, 1, 12}, MPI_INT, &t));
    moves("indexed", t, 1, I, 14 * I, LIST(7, 8, 1, 12, 13, 14));
    MUST(MPI_Type_create_hindexed(2, (int[]){2, 1}, (MPI_Aint[]){4 * I, 0}, MPI_INT, &t));
    moves("hindexed", t, 1, 0, 6 * I, LIST(4, 5, 0));
    MUST(MPI_Type_create_indexed_block(3, 2, (int[]){6, 0, 10}, MPI_INT, &t));
    moves("indexed_block", t, 1, 0, 12 * I, LIST(6, 7, 0, 1, 10, 11));
    MUST(MPI_Type_create_hindexed_block(2, 2, (MPI_Aint[]){8 * I, 3 * I}, MPI_INT, &t));
    moves("hindexed_block", t, 1, 3 * I, 7 * I, LIST(8, 9, 3, 4));
    MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
    MUST(MPI_Type_create_struct(3, (int[]){1, 2, 1}, (MPI_Aint[]){0, 4 * I, 10 * I},
                                (MPI_Datatype[]){MPI_INT, pair, MPI_INT}, &t));
    moves("struct", t, 1, 0, 11 * I, LIST(0, 4, 5, 6, 7, 10));
    MUST(MPI_Type_create_resized(pair, 0, 5 * I, &t));
    moves("resized", t, 3, 0, 5 * I, LIST(0, 1, 5, 6, 10, 11));
    MUST(MPI_Type_create_resized(pair, -2 * I, 6 * I, &t));
    moves("resized below", t, 2, -2 * I, 6 * I, LIST(0, 1, 6, 7));
    MUST(MPI_Type_dup(pair, &t));
    moves("dup", t, 2, 0, 2 * I, LIST(0, 1, 2, 3));
    MUST(MPI_Type_create_subarray(2, (int[]){4, 6}, (int[]){2, 3}, (int[]){1, 2}, MPI_ORDER_C, MPI_INT, &t));
    moves("subarray C", t, 1, 0, 24 * I, LIST(8, 9, 10, 14, 15, 16));
    MUST(MPI_Type_create_subarray(2, (int[]){4, 6}, (int[]){2, 3}, (int[]){1, 2}, MPI_ORDER_FORTRAN, MPI_INT, &t));
    moves("subarray Fortran", t, 1, 0, 24 * I, LIST(9, 10, 13, 14, 17, 18));
    MUST(MPI_Type_vector(2, 1, 3, pair, &t));
    moves("vector of pairs", t, 1, 0, 8 * I, LIST(0, 1, 6, 7));
    MUST(MPI_Type_vector(2, 1, -3, MPI_INT, &t));
    MPI_Aint lb = 0, extent = 0;
    MUST(MPI_Type_get_extent(t, &lb, &extent));
    CHECK_INT(lb, -3 * I);
    CHECK_INT(extent, 4 * I);
    MUST(MPI_Type_free(&t));
    MUST(MPI_Type_free(&pair)); /* types made from it do not depend on it */

    /* A C struct with padding, in an array. */
    struct part {
        char c;
        double d;
        int i;
    } out[2] = {{'x', 1.5, 7}, {'y', 2.5, 8}}, in[2];
    MPI_Datatype parts;
    memset(in, 0, sizeof in);
    MUST(MPI_Type_create_struct(3, (int[]){1, 1, 1},
                                (MPI_Aint[]){offsetof(struct part, c), offsetof(struct part, d),
                                             offsetof(struct part, i)},
                                (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE, MPI_INT}, &t));
    MUST(MPI_Type_create_resized(t, 0, sizeof(struct part), &parts));
    MUST(MPI_Type_commit(&parts));
    MUST(MPI_Type_free(&t));
    MUST(MPI_Sendrecv(out, 2, parts, rank, 3, in, 2, parts, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(in[1].c == 'y' && in[1].d == 2.5 && in[1].i == 8 && in[0].c == 'x');
    MUST(MPI_Type_free(&parts));

    /* The true extent does not include space that only resizing adds. */
    MPI_Aint true_lb = -1, true_extent = -1;
    MPI_Count true_lb_x = -1, true_extent_x = -1;
    MPI_Datatype at_two;
    MUST(MPI_Type_create_hindexed(1, (int[]){3}, (MPI_Aint[]){2 * I}, MPI_INT, &at_two));
    MUST(MPI_Type_create_resized(at_two, -I, 20 * I, &t));
    MUST(MPI_Type_get_true_extent(t, &true_lb, &true_extent));
    CHECK_INT(true_lb, 2 * I);
    CHECK_INT(true_extent, 3 * I);
    MUST(MPI_Type_get_true_extent_x(t, &true_lb_x, &true_extent_x));
    CHECK_INT(true_lb_x, 2 * I);
    CHECK_INT(true_extent_x, 3 * I);
    MUST(MPI_Type_get_extent(t, &lb, &extent));
    CHECK_INT(lb, -I);
    CHECK_INT(extent, 20 * I);
    MUST(MPI_Type_free(&t));
    MUST(MPI_Type_free(&at_two));

    /* Addresses. */
    MPI_Aint a0, a5;
    MUST(MPI_Get_address(&source[0], &a0));
    MUST(MPI_Get_address(&source[5], &a5));
    CHECK_INT(MPI_Aint_diff(a5, a0), 5 * I);
    CHECK_INT(MPI_Aint_add(a0, 5 * I), a5);
    CHECK_INT(a5 - a0, 5 * I);

    /* An uncommitted type is refused if a committed one is needed. A committed type may be committed again. */
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Type_contiguous(2, MPI_INT, &t));
    CHECK_CLASS(MPI_Send(source, 1, t, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    MUST(MPI_Type_commit(&t));
    MUST(MPI_Type_commit(&t));
    MUST(MPI_Send(source, 1, t, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    MUST(MPI_Type_free(&t));
    return check_done("type_constructors");
}
