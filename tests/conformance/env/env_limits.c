/* Names, keys and values of info objects, and error texts of every length up to the maximum in mpi.h (MPI-3.1, 6.8,
   8.5, 9). */
#include "check.h"

/* Returns a text of n characters that begins with `first`, in one of four buffers. */
static char *text(int n, char first)
{
    static char buffers[4][MPI_MAX_INFO_VAL + 1];
    static int next;
    char *t = buffers[next++ % 4];
    for (int i = 0; i < n; i++)
        t[i] = (char)('a' + (first + i) % 26);
    t[n] = 0;
    return t;
}

static void names(void)
{
    static const int lengths[] = {1, 62, 63, MPI_MAX_OBJECT_NAME - 1, 5, MPI_MAX_OBJECT_NAME - 2, 0};
    MPI_Comm comm, dup;
    MPI_Datatype type, copy;
    MPI_Win win;
    int memory[2], length;
    char got[MPI_MAX_OBJECT_NAME + 1];
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Type_contiguous(2, MPI_INT, &type));
    MUST(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
#define NAMED(Kind, object, first)                                 \
    do {                                                           \
        got[MPI_MAX_OBJECT_NAME] = 'Z';                            \
        MUST(MPI_##Kind##_set_name(object, text(lengths[i], first))); \
        MUST(MPI_##Kind##_get_name(object, got, &length));         \
        CHECK_INT(length, lengths[i]);                             \
        CHECK_STR(got, text(lengths[i], first));                   \
        CHECK_INT(got[MPI_MAX_OBJECT_NAME], 'Z');                  \
    } while (0)
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        NAMED(Comm, comm, 0);
        NAMED(Type, type, 1);
        NAMED(Win, win, 2);
        MUST(MPI_Comm_dup(comm, &dup)); /* a duplicate has no name */
        MUST(MPI_Comm_get_name(dup, got, &length));
        CHECK(!lengths[i] || strcmp(got, text(lengths[i], 0)));
        NAMED(Comm, dup, 3);
        MUST(MPI_Comm_get_name(comm, got, &length));
        CHECK_STR(got, text(lengths[i], 0));
        MUST(MPI_Comm_free(&dup));
        MUST(MPI_Type_dup(type, &copy));
        NAMED(Type, copy, 4);
        MUST(MPI_Type_get_name(type, got, &length));
        CHECK_STR(got, text(lengths[i], 1));
        MUST(MPI_Type_free(&copy));
    }
    MUST(MPI_Win_free(&win));
    MUST(MPI_Type_free(&type));
    MUST(MPI_Comm_free(&comm));
}

static void infos(void)
{
    static const int keys[] = {3, 34, 35, MPI_MAX_INFO_KEY - 2, MPI_MAX_INFO_KEY - 1};
    static const int values[] = {1, 255, MPI_MAX_INFO_VAL - 2, MPI_MAX_INFO_VAL - 1};
    enum { KEYS = sizeof keys / sizeof *keys, VALUES = sizeof values / sizeof *values };
    MPI_Info info, copy;
    char value[MPI_MAX_INFO_VAL + 1], key[MPI_MAX_INFO_KEY + 1];
    int flag, length, number;
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "plain", "is"));
    for (int v = 0; v < VALUES; v++) { /* each value replaces the previous one */
        for (int k = 0; k < KEYS; k++)
            MUST(MPI_Info_set(info, text(keys[k], (char)k), text(values[(v + k) % VALUES], 9)));
        MUST(MPI_Info_get_nkeys(info, &number));
        CHECK_INT(number, KEYS + 1);
        for (int k = 0; k < KEYS; k++) {
            const char *want = text(values[(v + k) % VALUES], 9), *name = text(keys[k], (char)k);
            MUST(MPI_Info_get_valuelen(info, name, &length, &flag));
            CHECK(flag && length == (int)strlen(want));
            memset(value, 'Z', sizeof value);
            MUST(MPI_Info_get(info, name, MPI_MAX_INFO_VAL - 1, value, &flag));
            CHECK_INT(flag, 1);
            CHECK_STR(value, want);
#if CHECK_HAVE(4, 0)
            int room = MPI_MAX_INFO_VAL;
            MUST(MPI_Info_get_string(info, name, &room, value, &flag));
            CHECK(flag && room == (int)strlen(want) + 1);
            CHECK_STR(value, want);
#endif
        }
    }
    MUST(MPI_Info_dup(info, &copy));
    MUST(MPI_Info_delete(info, text(keys[KEYS - 1], KEYS - 1)));
    MUST(MPI_Info_get_nkeys(info, &number));
    CHECK_INT(number, KEYS);
    MUST(MPI_Info_get(info, text(keys[KEYS - 1], KEYS - 1), MPI_MAX_INFO_VAL - 1, value, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Info_get_valuelen(info, text(keys[KEYS - 1], 20), &length, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Info_free(&info));
    int seen[KEYS + 1] = {0};
    MUST(MPI_Info_get_nkeys(copy, &number));
    CHECK_INT(number, KEYS + 1);
    for (int i = 0; i < number; i++) {
        MUST(MPI_Info_get_nthkey(copy, i, key));
        for (int k = 0; k <= KEYS; k++)
            seen[k] += !strcmp(key, k < KEYS ? text(keys[k], (char)k) : "plain");
        MUST(MPI_Info_get(copy, key, MPI_MAX_INFO_VAL - 1, value, &flag));
        CHECK_INT(flag, 1);
    }
    for (int k = 0; k <= KEYS; k++)
        CHECK_INT(seen[k], 1);
    /* An ordinary info object. */
    MPI_Comm comm;
    MUST(MPI_Comm_dup_with_info(MPI_COMM_WORLD, copy, &comm));
    MUST(MPI_Comm_set_info(comm, copy));
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Info_free(&copy));
    CHECK(copy == MPI_INFO_NULL);

    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Info_create(&info));
    CHECK(MPI_Info_delete(info, text(MPI_MAX_INFO_KEY - 1, 0)) != MPI_SUCCESS);
    MUST(MPI_Info_free(&info));
}

static void error_texts(void)
{
    static const int lengths[] = {1, 254, 255, MPI_MAX_ERROR_STRING - 2, MPI_MAX_ERROR_STRING - 1, 7};
    int class, code, length;
    char got[MPI_MAX_ERROR_STRING + 1];
    MUST(MPI_Add_error_class(&class));
    MUST(MPI_Add_error_code(class, &code));
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        MUST(MPI_Add_error_string(code, text(lengths[i], 0)));
        MUST(MPI_Add_error_string(class, text(lengths[i], 1)));
        got[MPI_MAX_ERROR_STRING] = 'Z';
        MUST(MPI_Error_string(code, got, &length));
        CHECK_INT(length, lengths[i]);
        CHECK_STR(got, text(lengths[i], 0));
        MUST(MPI_Error_string(class, got, &length));
        CHECK_STR(got, text(lengths[i], 1));
        CHECK_INT(got[MPI_MAX_ERROR_STRING], 'Z');
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    names();
    infos();
    error_texts();
    return check_done("env_limits");
}
