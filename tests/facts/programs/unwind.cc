/* A callback may leave by an exception, which runs destructors, or by longjmp. MPI works afterwards. */
#include <mpi.h>
#include "fact.h"
#include <csetjmp>

static std::jmp_buf target;
static int destroyed;
struct Watch { ~Watch() { destroyed++; } };

extern "C" {
static void throwing(void *, void *, int *, MPI_Datatype *type) { if (*type == MPI_INT) throw 42; }
static void jumping(void *, void *, int *, MPI_Datatype *) { std::longjmp(target, 5); }
static void throwing_handler(MPI_Comm *, int *, ...) { throw 43; }
}

/* Calls MPI from outside. A thread that still counted as inside would pass its arguments on untranslated. */
static void works(void)
{
    MPI_Comm comm;
    int sum = -1, one = 1;
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    MUST(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == 1);
    MUST(MPI_Comm_free(&comm));
}

template <typename F> static void expect(int what, F call)
{
    int caught = 0, before = destroyed;
    try {
        Watch watch;
        call();
    } catch (int thrown) {
        caught = thrown;
    }
    CHECK(caught == what);
    CHECK(destroyed == before + 1);
    works();
}

int main(int argc, char **argv)
{
    int in = 1, out = 1;
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Comm comm;
    MUST(MPI_Init(&argc, &argv));
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    MUST(MPI_Op_create(throwing, 1, &op));
    for (int i = 0; i < 100; i++)
        expect(42, [&] { MPI_Reduce_local(&in, &out, 1, MPI_INT, op); });
    MUST(MPI_Op_free(&op));
    MUST(MPI_Op_create(jumping, 1, &op));
    for (volatile int i = 0; i < 100; i++) {
        if (setjmp(target) == 0) {
            MPI_Reduce_local(&in, &out, 1, MPI_INT, op);
            CHECK(!"the operation was not called");
        }
        works();
    }
    MUST(MPI_Op_free(&op));
    MUST(MPI_Comm_create_errhandler(throwing_handler, &handler));
    MUST(MPI_Comm_set_errhandler(comm, handler));
    MUST(MPI_Errhandler_free(&handler));
    expect(43, [&] { MPI_Send(&in, 1, MPI_INT, 5, 0, comm); });
    MUST(MPI_Finalize());
    return fact_done();
}
