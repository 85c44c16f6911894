/* Keyvals, error classes and codes that the library allocates do not collide with values predefined in the program's
   mpi.h. A callback can return any code. */
#include "fact.h"

enum { N = 300 };
static int wanted;

static int drop(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    return wanted;
}

static int seen_code;
static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    seen_code = *code;
}

int main(int argc, char **argv)
{
    static const int predefined[] = {MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE,
                                     MPI_LASTUSEDCODE, MPI_APPNUM, MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT,
                                     MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL, MPI_KEYVAL_INVALID};
    static int keys[N], classes[N], codes[N];
    MUST(MPI_Init(&argc, &argv));
    MPI_Comm comm;
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    for (int i = 0; i < N; i++) {
        MUST(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keys[i], NULL));
        for (unsigned k = 0; k < sizeof predefined / sizeof *predefined; k++)
            CHECK(keys[i] != predefined[k]);
        for (int k = 0; k < i; k++)
            CHECK(keys[i] != keys[k]);
        MUST(MPI_Comm_set_attr(comm, keys[i], (void *)(long)(i + 1)));
    }
    for (int i = 0; i < N; i++) {
        void *value = NULL;
        int flag = 0;
        MUST(MPI_Comm_get_attr(comm, keys[i], &value, &flag));
        CHECK(flag && value == (void *)(long)(i + 1));
    }
    for (unsigned k = 0; k < 4; k++) { /* without MPI_UNIVERSE_SIZE: MPICH starts an mpiexec for it */
        void *value = NULL;
        int flag = 0;
        MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, predefined[k], &value, &flag));
        CHECK(flag == 1);
        CHECK(k || *(int *)value >= 32767);
    }
    for (int i = 0; i < N; i++)
        MUST(MPI_Comm_free_keyval(&keys[i]));

    int *last = NULL, flag = 0, before;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(flag && last && *last >= MPI_ERR_LASTCODE);
    before = *last;
    for (int i = 0; i < 50; i++) {
        char text[MPI_MAX_ERROR_STRING] = "", expected[32];
        int length = 0, class = -1;
        MUST(MPI_Add_error_class(&classes[i]));
        MUST(MPI_Add_error_code(classes[i], &codes[i]));
        CHECK(classes[i] > MPI_ERR_LASTCODE && codes[i] > MPI_ERR_LASTCODE);
        CHECK(classes[i] > before && codes[i] != classes[i]);
        for (int k = 0; k < i; k++)
            CHECK(classes[i] != classes[k] && codes[i] != codes[k] && codes[i] != classes[k]);
        snprintf(expected, sizeof expected, "code %d of mine", i);
        MUST(MPI_Add_error_string(codes[i], expected));
        MUST(MPI_Error_string(codes[i], text, &length));
        CHECK(!strcmp(text, expected));
        MUST(MPI_Error_class(codes[i], &class));
        CHECK(class == classes[i]);
        MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
        CHECK(flag && *last >= classes[i]);
    }

    /* The program gets the code that a callback returns. */
    MPI_Errhandler errhandler;
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    int returned[] = {1, 17, 42, 93, 94, 200, 1000, 123456, MPI_ERR_INTERN, MPI_ERR_LASTCODE, 0x3fffffff};
    for (unsigned i = 0; i < sizeof returned / sizeof *returned; i++) {
        int key;
        wanted = returned[i];
        MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, NULL));
        MUST(MPI_Comm_set_attr(comm, key, NULL));
        int got = MPI_Comm_delete_attr(comm, key);
        printf("code %u of a callback: %s\n", i, got == wanted ? "kept" : "changed");
        CHECK(got != MPI_SUCCESS);
        wanted = 0;
        MUST(MPI_Comm_delete_attr(comm, key));
        MUST(MPI_Comm_free_keyval(&key));
    }
    /* A code of the program reaches its handler unchanged. */
    MUST(MPI_Comm_create_errhandler(handler, &errhandler));
    MUST(MPI_Comm_set_errhandler(comm, errhandler));
    for (int i = 0; i < 50; i++) {
        MPI_Comm_call_errhandler(comm, codes[i]);
        CHECK(seen_code == codes[i]);
    }
    MUST(MPI_Errhandler_free(&errhandler));
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Finalize());
    return fact_done();
}
