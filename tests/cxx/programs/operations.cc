// User operations written in C++ (MPI-2.2, 16.1): several at once, each with
// its own function, over predefined and derived datatypes.
#include "check.h"

static int calls;
static MPI::Datatype derived;

static void smallest(const void *in, void *inout, int n, const MPI::Datatype &type)
{
    calls++;
    CHECK(type == MPI::INT);
    for (int i = 0; i < n; i++)
        if (((const int *)in)[i] < ((int *)inout)[i])
            ((int *)inout)[i] = ((const int *)in)[i];
}

static void product(const void *in, void *inout, int n, const MPI::Datatype &type)
{
    calls++;
    CHECK(type == MPI::INT);
    for (int i = 0; i < n; i++)
        ((int *)inout)[i] *= ((const int *)in)[i];
}

// Returns the right operand, so that the order of the processes is detected.
static void last(const void *in, void *inout, int n, const MPI::Datatype &type)
{
    CHECK(type == derived && type.Get_size() == 8);
    for (int i = 0; i < 2 * n; i++)
        ((int *)inout)[i] += 0 * ((const int *)in)[i];
}

static void in_c(void *in, void *inout, int *n, MPI_Datatype *type)
{
    CHECK(*type == MPI_INT);
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] -= ((int *)in)[i];
}

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();
    int factorial = 1;
    for (int i = 2; i <= size; i++)
        factorial *= i;

    MPI::Op least, times, right;
    MPI_Op minus;
    least.Init(smallest, true);
    times.Init(product, true);
    MPI_Op_create(in_c, 0, &minus);
    right.Init(last, false);
    CHECK(least.Is_commutative() && !right.Is_commutative());

    for (int i = 0; i < 10; i++) {
        int mine[2] = {rank + 1, 10 - rank}, least_of[2] = {0, 0}, times_of[2] = {0, 0};
        MPI::COMM_WORLD.Allreduce(mine, least_of, 2, MPI::INT, least);
        CHECK(least_of[0] == 1 && least_of[1] == 11 - size);
        MPI::COMM_WORLD.Allreduce(mine, times_of, 1, MPI::INT, times);
        CHECK(times_of[0] == factorial);
        int up = rank + 1, scanned = 0, expected = 1;
        for (int k = 2; k <= rank + 1; k++)
            expected *= k;
        MPI::COMM_WORLD.Scan(&up, &scanned, 1, MPI::INT, times);
        CHECK(scanned == expected);
    }
    CHECK(size == 1 || calls > 0);

    derived = MPI::INT.Create_contiguous(2);
    derived.Commit();
    int mine[4] = {rank, rank, rank, rank}, got[4] = {-1, -1, -1, -1};
    MPI::COMM_WORLD.Allreduce(mine, got, 2, derived, right);
    CHECK(got[0] == size - 1 && got[3] == size - 1);
    derived.Free();

    int a = 3, b = 10;
    MPI_Reduce_local(&a, &b, 1, MPI_INT, minus);
    CHECK(b == 7);
    times.Reduce_local(&a, &b, 1, MPI::INT);
    CHECK(b == 21);
    least.Reduce_local(&a, &b, 1, MPI::INT);
    CHECK(b == 3);

    // The operation is used after it is freed.
    MPI_Request request;
    int one = rank + 1, result = 0;
    MPI_Iallreduce(&one, &result, 1, MPI_INT, times, MPI_COMM_WORLD, &request);
    times.Free();
    CHECK(times == MPI::OP_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(result == factorial);
    least.Free();
    right.Free();
    MPI_Op_free(&minus);

    // Repeated creation, with two functions in turn.
    for (int i = 0; i < 20000; i++) {
        MPI::Op op;
        op.Init(i % 2 ? smallest : product, true);
        int x = 2, y = 5;
        op.Reduce_local(&x, &y, 1, MPI::INT);
        if (y != (i % 2 ? 2 : 10))
            CHECK(!"the other function");
        op.Free();
    }
    int failed = report();
    MPI::Finalize();
    return failed;
}
