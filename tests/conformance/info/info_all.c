/* Info objects: every function, null keys, the maximum lengths, the order of keys, and values truncated to the given
   length. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MPI_Info info, dup;
    int number, length, flag;
    char value[MPI_MAX_INFO_VAL + 8], key[MPI_MAX_INFO_KEY + 8];

    MUST(MPI_Info_create(&info));
    CHECK(info != MPI_INFO_NULL);
    MUST(MPI_Info_get_nkeys(info, &number));
    CHECK_INT(number, 0);
    MUST(MPI_Info_set(info, "colour", "red"));
    MUST(MPI_Info_set(info, "shape", "round"));
    MUST(MPI_Info_set(info, "size", "seventeen"));
    MUST(MPI_Info_get_nkeys(info, &number));
    CHECK_INT(number, 3);
    const char *keys[] = {"colour", "shape", "size"};
    for (int i = 0; i < 3; i++) {
        memset(key, 'k', sizeof key);
        MUST(MPI_Info_get_nthkey(info, i, key));
        CHECK_STR(key, keys[i]);
    }
    MUST(MPI_Info_get(info, "shape", MPI_MAX_INFO_VAL, value, &flag));
    CHECK_INT(flag, 1);
    CHECK_STR(value, "round");
    MUST(MPI_Info_get_valuelen(info, "size", &length, &flag));
    CHECK_INT(flag, 1);
    CHECK_INT(length, 9);

    /* A missing key leaves the value unchanged. */
    strcpy(value, "untouched");
    length = 77;
    MUST(MPI_Info_get(info, "weight", MPI_MAX_INFO_VAL, value, &flag));
    CHECK_INT(flag, 0);
    CHECK_STR(value, "untouched");
    MUST(MPI_Info_get_valuelen(info, "weight", &length, &flag));
    CHECK_INT(flag, 0);
    CHECK_INT(length, 77);

    /* The value is truncated to the length, and nothing is written past it. */
    memset(value, 'z', sizeof value);
    if (MPI_Info_get(info, "size", 5, value, &flag) == MPI_SUCCESS) /* an error in MPICH */
        CHECK_INT(flag, 1);
    CHECK(strncmp(value, "seven", 4) == 0 && memchr(value, 0, 6) != NULL);
    CHECK(value[6] == 'z' && value[7] == 'z');

    MUST(MPI_Info_set(info, "shape", "square"));
    MUST(MPI_Info_get(info, "shape", MPI_MAX_INFO_VAL, value, &flag));
    CHECK_STR(value, "square");
    MUST(MPI_Info_dup(info, &dup));
    CHECK(dup != info && dup != MPI_INFO_NULL);
    MUST(MPI_Info_delete(info, "shape"));
    MUST(MPI_Info_get_nkeys(info, &number));
    CHECK_INT(number, 2);
    MUST(MPI_Info_get_nkeys(dup, &number));
    CHECK_INT(number, 3);
    MUST(MPI_Info_get(dup, "shape", MPI_MAX_INFO_VAL, value, &flag));
    CHECK(flag);
    CHECK_STR(value, "square");
    MUST(MPI_Info_get(info, "shape", MPI_MAX_INFO_VAL, value, &flag));
    CHECK_INT(flag, 0);
    CHECK_CLASS(MPI_Info_delete(info, "shape"), MPI_ERR_INFO_NOKEY);

    /* The longest key, and a value as long as both families accept. */
    memset(key, 'K', sizeof key);
    key[35] = 0; /* Open MPI's 36 includes the final zero */
    char longest[256];
    memset(longest, 'V', sizeof longest);
    longest[255] = 0;
    MUST(MPI_Info_set(info, key, longest));
    MUST(MPI_Info_get_valuelen(info, key, &length, &flag));
    CHECK(flag && length == 255);
    memset(value, 'z', sizeof value);
    MUST(MPI_Info_get(info, key, 255, value, &flag));
    CHECK_INT(flag, 1);
    CHECK_STR(value, longest);
    char back[MPI_MAX_INFO_KEY + 1];
    MUST(MPI_Info_get_nkeys(info, &number));
    MUST(MPI_Info_get_nthkey(info, number - 1, back));
    CHECK_STR(back, key);

    /* Wrong arguments. */
    CHECK(MPI_Info_set(info, "", "x") != MPI_SUCCESS);
    CHECK_CLASS(MPI_Info_set(info, NULL, "x"), MPI_ERR_INFO_KEY);
    int class = check_class(MPI_Info_set(info, "k", NULL));
    CHECK(class == MPI_ERR_INFO_VALUE || class == MPI_ERR_ARG);
    CHECK(MPI_Info_get_nthkey(info, 1000, key) != MPI_SUCCESS);
    CHECK(MPI_Info_get_nkeys(MPI_INFO_NULL, &number) != MPI_SUCCESS);

    CHECK(MPI_Info_f2c(MPI_Info_c2f(info)) == info);
    CHECK(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL);
    CHECK(MPI_Info_c2f(info) != MPI_Info_c2f(dup));
    MUST(MPI_Info_free(&info));
    CHECK(info == MPI_INFO_NULL);
    MUST(MPI_Info_free(&dup));

    /* The environment: it is readable, and its command, if present, is not empty. */
    CHECK(MPI_INFO_ENV != MPI_INFO_NULL);
    MUST(MPI_Info_get_nkeys(MPI_INFO_ENV, &number));
    CHECK(number >= 0);
    for (int i = 0; i < number; i++) {
        MUST(MPI_Info_get_nthkey(MPI_INFO_ENV, i, back));
        MUST(MPI_Info_get_valuelen(MPI_INFO_ENV, back, &length, &flag));
        CHECK_INT(flag, 1);
    }
    CHECK(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_ENV)) == MPI_INFO_ENV);

    /* Every key that an object's info lists can be read. */
    MUST(MPI_Comm_get_info(MPI_COMM_WORLD, &info));
    MUST(MPI_Info_get_nkeys(info, &number));
    for (int i = 0; i < number; i++) {
        MUST(MPI_Info_get_nthkey(info, i, back));
        MUST(MPI_Info_get_valuelen(info, back, &length, &flag));
        CHECK_INT(flag, 1);
        MUST(MPI_Info_get(info, back, MPI_MAX_INFO_VAL, value, &flag));
        CHECK_INT(flag, 1);
    }
    MUST(MPI_Info_free(&info));

    /* Many at a time. */
    static MPI_Info many[1000];
    for (int i = 0; i < 1000; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        MUST(MPI_Info_create(&many[i]));
        MUST(MPI_Info_set(many[i], "n", text));
    }
    for (int i = 999; i >= 0; i--) {
        MUST(MPI_Info_get(many[i], "n", 15, value, &flag));
        CHECK_INT(atoi(value), i);
        MUST(MPI_Info_free(&many[i]));
    }
    return check_done("info_all");
}
