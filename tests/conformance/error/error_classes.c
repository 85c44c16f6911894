/* Error classes and codes: every predefined class is its own class and has a text; user classes, codes and strings. */
#define _GNU_SOURCE /* strcasestr */
#include "check.h"

static const struct {
    int class;
    const char *name;
} classes[] = {
#define C(name) {name, #name}
    C(MPI_ERR_BUFFER), C(MPI_ERR_COUNT), C(MPI_ERR_TYPE), C(MPI_ERR_TAG), C(MPI_ERR_COMM), C(MPI_ERR_RANK),
    C(MPI_ERR_REQUEST), C(MPI_ERR_ROOT), C(MPI_ERR_GROUP), C(MPI_ERR_OP), C(MPI_ERR_TOPOLOGY), C(MPI_ERR_DIMS),
    C(MPI_ERR_ARG), C(MPI_ERR_UNKNOWN), C(MPI_ERR_TRUNCATE), C(MPI_ERR_OTHER), C(MPI_ERR_INTERN),
    C(MPI_ERR_IN_STATUS), C(MPI_ERR_PENDING), C(MPI_ERR_KEYVAL), C(MPI_ERR_NO_MEM), C(MPI_ERR_BASE),
    C(MPI_ERR_INFO_KEY), C(MPI_ERR_INFO_VALUE), C(MPI_ERR_INFO_NOKEY), C(MPI_ERR_SPAWN), C(MPI_ERR_PORT),
    C(MPI_ERR_SERVICE), C(MPI_ERR_NAME), C(MPI_ERR_WIN), C(MPI_ERR_SIZE), C(MPI_ERR_DISP), C(MPI_ERR_INFO),
    C(MPI_ERR_LOCKTYPE), C(MPI_ERR_ASSERT), C(MPI_ERR_RMA_CONFLICT), C(MPI_ERR_RMA_SYNC), C(MPI_ERR_RMA_RANGE),
    C(MPI_ERR_RMA_ATTACH), C(MPI_ERR_RMA_SHARED), C(MPI_ERR_RMA_FLAVOR), C(MPI_ERR_FILE), C(MPI_ERR_NOT_SAME),
    C(MPI_ERR_AMODE), C(MPI_ERR_UNSUPPORTED_DATAREP), C(MPI_ERR_UNSUPPORTED_OPERATION), C(MPI_ERR_NO_SUCH_FILE),
    C(MPI_ERR_FILE_EXISTS), C(MPI_ERR_BAD_FILE), C(MPI_ERR_ACCESS), C(MPI_ERR_NO_SPACE), C(MPI_ERR_QUOTA),
    C(MPI_ERR_READ_ONLY), C(MPI_ERR_FILE_IN_USE), C(MPI_ERR_DUP_DATAREP), C(MPI_ERR_CONVERSION), C(MPI_ERR_IO),
#undef C
};

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int class, length, other;
    char text[MPI_MAX_ERROR_STRING + 1], again[MPI_MAX_ERROR_STRING + 1];

    MUST(MPI_Error_class(MPI_SUCCESS, &class));
    CHECK_INT(class, MPI_SUCCESS);
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++) {
        class = -1;
        MUST(MPI_Error_class(classes[i].class, &class));
        if (class != classes[i].class)
            check_fail(__FILE__, __LINE__, "the class of %s (%d) is %d", classes[i].name, classes[i].class, class);
        memset(text, 'z', sizeof text);
        length = -1;
        MUST(MPI_Error_string(classes[i].class, text, &length));
        CHECK(length > 0 && length < MPI_MAX_ERROR_STRING && strlen(text) <= (size_t)length + 1);
        CHECK_INT(text[MPI_MAX_ERROR_STRING], 'z');
        for (unsigned j = 0; j < i; j++)
            CHECK(classes[i].class != classes[j].class);
    }
    /* The words show that the text belongs to this class and no other. */
    MUST(MPI_Error_string(MPI_ERR_TRUNCATE, text, &length));
    CHECK(strcasestr(text, "truncat") != NULL);
    MUST(MPI_Error_string(MPI_ERR_DUP_DATAREP, text, &length));
    CHECK(strcasestr(text, "dat") != NULL && strcasestr(text, "rep") != NULL);
    MUST(MPI_Error_string(MPI_ERR_TOPOLOGY, text, &length));
    CHECK(strcasestr(text, "topology") != NULL);
    MUST(MPI_Error_string(MPI_ERR_RMA_SYNC, text, &length));
    CHECK(strcasestr(text, "sync") != NULL);
    MUST(MPI_Error_string(MPI_ERR_NO_SUCH_FILE, text, &length));
    CHECK(strcasestr(text, "file") != NULL);
    /* This value is no class, but in the range that both calls accept. */
    MUST(MPI_Error_string(MPI_ERR_LASTCODE, text, &length));
    MUST(MPI_Error_class(MPI_ERR_LASTCODE, &class));

    int mine[3], codes[6], *last, flag;
    for (int i = 0; i < 3; i++) {
        MUST(MPI_Add_error_class(&mine[i]));
        CHECK(mine[i] > MPI_ERR_LASTCODE);
        CHECK(i == 0 || mine[i] > mine[i - 1]);
        for (unsigned j = 0; j < sizeof classes / sizeof *classes; j++)
            CHECK(mine[i] != classes[j].class);
    }
    for (int i = 0; i < 6; i++) {
        MUST(MPI_Add_error_code(mine[i / 2], &codes[i]));
        for (int j = 0; j < i; j++)
            CHECK(codes[i] != codes[j]);
        class = -1;
        MUST(MPI_Error_class(codes[i], &class));
        CHECK_INT(class, mine[i / 2]);
        snprintf(text, sizeof text, "the trouble number %d", i);
        MUST(MPI_Add_error_string(codes[i], text));
    }
    for (int i = 0; i < 6; i++) {
        snprintf(again, sizeof again, "the trouble number %d", i);
        MUST(MPI_Error_string(codes[i], text, &length));
        CHECK_STR(text, again);
        CHECK_INT(length, strlen(again));
    }
    MUST(MPI_Add_error_string(mine[1], "a class with a text"));
    MUST(MPI_Error_string(mine[1], text, &length));
    CHECK_STR(text, "a class with a text");
    /* A code may belong to a predefined class. */
    MUST(MPI_Add_error_code(MPI_ERR_TAG, &other));
    MUST(MPI_Error_class(other, &class));
    CHECK_INT(class, MPI_ERR_TAG);
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(flag && *last >= mine[2]);
    /* A text may be as long as the array. */
    memset(again, 'w', sizeof again);
    again[255] = 0;
    MUST(MPI_Add_error_string(codes[0], again));
    MUST(MPI_Error_string(codes[0], text, &length));
    CHECK_STR(text, again);
    return check_done("error_classes");
}
