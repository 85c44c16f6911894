/* Leaving a callback by a C++ exception or by longjmp, through a reduction and through an error handler. Objects
   created before still work afterwards. */
#include <mpi.h>
#define class class_
#include "check.h"
#undef class

#include <csetjmp>
#include <stdexcept>

static std::jmp_buf target;

extern "C" {

static void throwing_op(void *, void *, int *count, MPI_Datatype *type)
{
    int bytes = 0;
    MPI_Type_size(*type, &bytes);
    throw std::runtime_error(*count == 3 && *type == MPI_INT && bytes == sizeof(int) ? "op" : "wrong arguments");
}

static void jumping_op(void *, void *, int *, MPI_Datatype *)
{
    std::longjmp(target, 5);
}

static void good_op(void *in, void *out, int *count, MPI_Datatype *)
{
    for (int i = 0; i < *count; i++)
        static_cast<int *>(out)[i] += static_cast<int *>(in)[i];
}

static void throwing_handler(MPI_Comm *comm, int *code, ...)
{
    int kind = 0, members = 0;
    MPI_Error_class(*code, &kind);
    MPI_Comm_size(*comm, &members);
    throw kind * 1000 + members;
}

static void jumping_handler(MPI_Comm *, int *, ...)
{
    std::longjmp(target, 6);
}

} // extern "C"

/* The exception must run this destructor. */
struct Watch {
    int &count;
    explicit Watch(int &c) : count(c) {}
    ~Watch() { count++; }
};

static void works(MPI_Comm comm)
{
    int sum = -1, one[3] = {1, 2, 3}, two[3] = {10, 20, 30};
    MPI_Op op;
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_INT(sum, size * (size - 1) / 2);
    MUST(MPI_Op_create(good_op, 1, &op));
    MUST(MPI_Reduce_local(one, two, 3, MPI_INT, op));
    CHECK(two[0] == 11 && two[1] == 22 && two[2] == 33);
    MUST(MPI_Op_free(&op));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm comm;
    MPI_Op op;
    MPI_Errhandler handler;
    int in[3] = {1, 2, 3}, out[3] = {0, 0, 0}, destroyed = 0;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));

    MUST(MPI_Op_create(throwing_op, 1, &op));
    for (int i = 0; i < 3; i++) {
        bool caught = false;
        try {
            Watch watch(destroyed);
            MPI_Reduce_local(in, out, 3, MPI_INT, op);
        } catch (const std::runtime_error &error) {
            caught = true;
            CHECK_STR(error.what(), "op");
        }
        CHECK(caught);
        CHECK_INT(destroyed, i + 1);
        works(comm);
    }
    MUST(MPI_Op_free(&op));

    MUST(MPI_Op_create(jumping_op, 1, &op));
    volatile int jumped = setjmp(target);
    if (jumped == 0) {
        MPI_Reduce_local(in, out, 3, MPI_INT, op);
        CHECK(!"the operation was not called");
    }
    CHECK_INT(jumped, 5);
    MUST(MPI_Op_free(&op));
    works(comm);

    int value = 0;
    MUST(MPI_Comm_create_errhandler(throwing_handler, &handler));
    MUST(MPI_Comm_set_errhandler(comm, handler));
    MUST(MPI_Errhandler_free(&handler));
    for (int i = 0; i < 3; i++) {
        int thrown = -1, other = 0;
        MPI_Status status;
        try { // calls with no, many and separate values on the stack
            if (i == 0)
                MPI_Send(&value, 1, MPI_INT, size, 0, comm);
            else if (i == 1)
                MPI_Sendrecv(&value, 1, MPI_INT, size, 0, &other, 1, MPI_INT, 0, 0, comm, &status);
            else
                MPI_Probe(size, 0, comm, &status);
        } catch (int what) {
            thrown = what;
        }
        CHECK_INT(thrown, MPI_ERR_RANK * 1000 + size);
        works(comm);
    }

    MUST(MPI_Comm_create_errhandler(jumping_handler, &handler));
    MUST(MPI_Comm_set_errhandler(comm, handler));
    MUST(MPI_Errhandler_free(&handler));
    jumped = setjmp(target);
    if (jumped == 0) {
        MPI_Send(&value, 1, MPI_INT, size, 0, comm);
        CHECK(!"the error handler was not called");
    }
    CHECK_INT(jumped, 6);
    works(comm);

    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    CHECK(MPI_Send(&value, 1, MPI_INT, size, 0, comm) != MPI_SUCCESS);
    works(comm);
    MUST(MPI_Comm_free(&comm));
    return check_done("init_unwind");
}
