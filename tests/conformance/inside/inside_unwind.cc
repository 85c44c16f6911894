/* During file access the library calls a function of the program. This function calls MPI, and leaves that call's
   callback by an exception or by longjmp. The function then returns normally to the library. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <mpi.h>
#define class class_
#include "check.h"
#include "files.h"
#undef class

#include <csetjmp>
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

static std::jmp_buf target;
static MPI_Comm throwing, jumping;
static MPI_Op throwing_op;
static int active, inside, caught, landed, wrong, destroyed, asked_in_handler;

struct Watch {
    ~Watch() { destroyed++; }
};

extern "C" {

static void throw_it(MPI_Comm *comm, int *code, ...)
{
    int kind = 0, members = 0, r = -1;
    wrong += *comm != throwing || MPI_Error_class(*code, &kind) || kind != MPI_ERR_RANK || MPI_Comm_size(*comm, &members) || members != size;
    wrong += MPI_Comm_rank(MPI_COMM_WORLD, &r) || r != rank;
    asked_in_handler++;
    throw kind;
}

static void jump_away(MPI_Comm *comm, int *code, ...)
{
    int members = 0;
    (void)code;
    wrong += *comm != jumping || MPI_Comm_size(*comm, &members) || members != size;
    asked_in_handler++;
    std::longjmp(target, 5);
}

static void throw_from_operation(void *, void *, int *, MPI_Datatype *type)
{
    int bytes = 0, r = -1;
    wrong += *type != MPI_INT || MPI_Type_size(*type, &bytes) || bytes != (int)sizeof(int);
    wrong += MPI_Comm_rank(MPI_COMM_WORLD, &r) || r != rank;
    throw 1.5;
}

} // extern "C"

static void ask()
{
    int r = -1, x = 0;
    MPI_Datatype type;
    wrong += MPI_Comm_rank(throwing, &r) || r != rank;
    wrong += MPI_Type_contiguous(3, MPI_INT, &type) || MPI_Type_size(type, &x) || x != 12 || MPI_Type_free(&type);

}

static void trace()
{
    int x = 0, y = 0;
    if (!active || inside)
        return;
    inside = 1;
    try {
        Watch watch;
        MPI_Comm_call_errhandler(throwing, MPI_ERR_RANK);
        wrong++;
    } catch (int kind) {
        wrong += kind != MPI_ERR_RANK;
        caught++;
    }
    ask();
    try {
        Watch watch;
        MPI_Reduce_local(&x, &y, 1, MPI_INT, throwing_op);
        wrong++;
    } catch (double what) {
        wrong += what != 1.5;
        caught++;
    }
    ask();
    if (setjmp(target) == 0) {
        MPI_Comm_call_errhandler(jumping, MPI_ERR_RANK);
        wrong++;
    } else {
        landed++;
    }
    ask();
    inside = 0;
}

extern "C" ssize_t pwrite64(int file, const void *data, size_t bytes, off64_t offset)
{
    trace();
    return reinterpret_cast<ssize_t (*)(int, const void *, size_t, off64_t)>(dlsym(RTLD_NEXT, "pwrite64"))(file, data, bytes, offset);
}

extern "C" ssize_t pwrite(int file, const void *data, size_t bytes, off_t offset)
{
    trace();
    return reinterpret_cast<ssize_t (*)(int, const void *, size_t, off_t)>(dlsym(RTLD_NEXT, "pwrite"))(file, data, bytes, offset);
}

extern "C" ssize_t write(int file, const void *data, size_t bytes)
{
    trace();
    return reinterpret_cast<ssize_t (*)(int, const void *, size_t)>(dlsym(RTLD_NEXT, "write"))(file, data, bytes);
}

extern "C" ssize_t writev(int file, const struct iovec *parts, int n)
{
    trace();
    return reinterpret_cast<ssize_t (*)(int, const struct iovec *, int)>(dlsym(RTLD_NEXT, "writev"))(file, parts, n);
}

int main(int argc, char **argv)
{
    setenv("OMPI_MCA_io", "^ompio", 1); /* select ROMIO, which calls MPI itself */
    check_init(&argc, &argv);
    MPI_Errhandler handler;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &throwing));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &jumping));
    MUST(MPI_Comm_create_errhandler(throw_it, &handler));
    MUST(MPI_Comm_set_errhandler(throwing, handler));
    MUST(MPI_Errhandler_free(&handler));
    MUST(MPI_Comm_create_errhandler(jump_away, &handler));
    MUST(MPI_Comm_set_errhandler(jumping, handler));
    MUST(MPI_Errhandler_free(&handler));
    MUST(MPI_Op_create(throw_from_operation, 1, &throwing_op));

    enum { N = 64, TIMES = 5 };
    int out[N], in[N], count = -1;
    MPI_File file;
    MPI_Status status;
    MPI_Datatype every_other;
    MUST(MPI_Type_vector(N, 1, 2, MPI_INT, &every_other));
    MUST(MPI_Type_commit(&every_other));
    MUST(MPI_File_open(MPI_COMM_SELF, file_path(rank ? rank == 1 ? "one" : rank == 2 ? "two" : "three" : "none"),
                       MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    MUST(MPI_File_set_view(file, 0, MPI_INT, every_other, "native", MPI_INFO_NULL));
    for (int time = 0; time < TIMES; time++) {
        for (int i = 0; i < N; i++)
            out[i] = 1000 * time + i, in[i] = -1;
        active = 1;
        MUST(MPI_File_write_at(file, 0, out, N, MPI_INT, &status));
        active = 0;
        MUST(MPI_Get_count(&status, MPI_INT, &count));
        CHECK_INT(count, N);
        MUST(MPI_File_read_at(file, 0, in, N, MPI_INT, &status));
        CHECK(!memcmp(in, out, sizeof in));
        ask();
    }
    MUST(MPI_File_close(&file));
    CHECK(caught >= 2 * TIMES);
    CHECK_INT(landed, caught / 2);
    CHECK_INT(destroyed, caught);
    CHECK_INT(asked_in_handler, caught);
    CHECK_INT(wrong, 0);

    /* A callback outside file access. */
    int sum = -1;
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(sum, size * (size - 1) / 2);
    MUST(MPI_Op_free(&throwing_op));
    MUST(MPI_Type_free(&every_other));
    MUST(MPI_Comm_free(&throwing));
    MUST(MPI_Comm_free(&jumping));
    return check_done("inside_unwind");
}
