/* 256 different functions as error handlers, and as many as attribute callbacks. Each call reaches its own function. */
#include "check.h"

static int handler_called = -1, delete_called = -1, copy_called = -1;
static MPI_Comm last_comm;

#define FUNCTIONS(n)                                                                                   \
    static void handler_##n(MPI_Comm *comm, int *code, ...)                                            \
    {                                                                                                  \
        handler_called = 0x##n + 1000 * (*code == MPI_ERR_OTHER);                                      \
        last_comm = *comm;                                                                             \
    }                                                                                                  \
    static int copy_##n(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)        \
    {                                                                                                  \
        CHECK(comm != MPI_COMM_NULL && keyval != MPI_KEYVAL_INVALID && state == NULL);                 \
        copy_called = 0x##n;                                                                           \
        *(void **)out = in;                                                                            \
        *flag = 1;                                                                                     \
        return MPI_SUCCESS;                                                                            \
    }                                                                                                  \
    static int delete_##n(MPI_Comm comm, int keyval, void *value, void *state)                         \
    {                                                                                                  \
        CHECK(comm != MPI_COMM_NULL && keyval != MPI_KEYVAL_INVALID && value != NULL && state == NULL); \
        delete_called = 0x##n;                                                                         \
        return MPI_SUCCESS;                                                                            \
    }
#define NAMES(n) {handler_##n, copy_##n, delete_##n},
#define SIXTEEN(X, h)                                                                                        \
    X(h##0) X(h##1) X(h##2) X(h##3) X(h##4) X(h##5) X(h##6) X(h##7) X(h##8) X(h##9) X(h##a) X(h##b) X(h##c) \
    X(h##d) X(h##e) X(h##f)
#define ALL(X)                                                                                             \
    SIXTEEN(X, 0) SIXTEEN(X, 1) SIXTEEN(X, 2) SIXTEEN(X, 3) SIXTEEN(X, 4) SIXTEEN(X, 5) SIXTEEN(X, 6)      \
    SIXTEEN(X, 7) SIXTEEN(X, 8) SIXTEEN(X, 9) SIXTEEN(X, a) SIXTEEN(X, b) SIXTEEN(X, c) SIXTEEN(X, d)      \
    SIXTEEN(X, e) SIXTEEN(X, f)

ALL(FUNCTIONS)

static const struct {
    MPI_Comm_errhandler_function *handler;
    MPI_Comm_copy_attr_function *copy;
    MPI_Comm_delete_attr_function *delete;
} functions[256] = {ALL(NAMES)};

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    static MPI_Errhandler handlers[256];
    static int keyvals[256];
    MPI_Comm comm, dup;
    char data[256];

    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int i = 0; i < 256; i++) {
        MUST(MPI_Comm_create_errhandler(functions[i].handler, &handlers[i]));
        MUST(MPI_Comm_create_keyval(functions[i].copy, functions[i].delete, &keyvals[i], NULL));
    }
    for (int i = 255; i >= 0; i--) {
        MPI_Errhandler got;
        MUST(MPI_Comm_set_errhandler(comm, handlers[i]));
        MUST(MPI_Comm_get_errhandler(comm, &got));
        CHECK(got == handlers[i]);
        MUST(MPI_Errhandler_free(&got));
        MUST(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
        CHECK_INT(handler_called, i + 1000);
        CHECK(last_comm == comm);
    }
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (int i = 0; i < 256; i++) {
        MUST(MPI_Comm_set_attr(comm, keyvals[i], &data[i]));
        copy_called = delete_called = -1;
        MUST(MPI_Comm_dup(comm, &dup));
        CHECK_INT(copy_called, i);
        MUST(MPI_Comm_free(&dup));
        CHECK_INT(delete_called, i);
        delete_called = -1;
        MUST(MPI_Comm_delete_attr(comm, keyvals[i]));
        CHECK_INT(delete_called, i);
    }
    for (int i = 0; i < 256; i++) {
        MUST(MPI_Errhandler_free(&handlers[i]));
        MUST(MPI_Comm_free_keyval(&keyvals[i]));
    }
    MUST(MPI_Comm_free(&comm));
    return check_done("error_many_functions");
}
