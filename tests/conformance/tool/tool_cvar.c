/* MPI_T control variables: number, names, indices, information truncated to the given length, handles, values,
   enumerations. */
#include "check.h"

int main(int argc, char **argv)
{
    int provided = -1, number = -1, enums = 0, read = 0, written = 0;
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    MUST(MPI_T_cvar_get_num(&number)); /* before MPI_Init */
    CHECK(number >= 0);
    check_init(&argc, &argv);
    MUST(MPI_T_cvar_get_num(&number));
    CHECK(number > 0);

    for (int i = 0; i < number; i++) {
        char name[256], description[1024], again[256];
        int name_length = sizeof name, description_length = sizeof description, verbosity, bind, scope, index = -1;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum kind = MPI_T_ENUM_NULL;
        int code = MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &kind, description,
                                       &description_length, &bind, &scope);
        if (code != MPI_SUCCESS) { /* a variable that no longer exists */
            CHECK(code == MPI_T_ERR_INVALID_INDEX || code == MPI_T_ERR_INVALID);
            continue;
        }
        CHECK_INT(name_length, strlen(name) + 1);
        CHECK(strlen(name) > 0);
        CHECK(verbosity >= MPI_T_VERBOSITY_USER_BASIC && verbosity <= MPI_T_VERBOSITY_MPIDEV_ALL);
        CHECK(bind >= MPI_T_BIND_NO_OBJECT && bind <= MPI_T_BIND_MPI_INFO);
        CHECK(scope == MPI_T_SCOPE_CONSTANT || scope == MPI_T_SCOPE_READONLY || scope == MPI_T_SCOPE_LOCAL ||
              scope == MPI_T_SCOPE_GROUP || scope == MPI_T_SCOPE_GROUP_EQ || scope == MPI_T_SCOPE_ALL ||
              scope == MPI_T_SCOPE_ALL_EQ);
        CHECK(type == MPI_INT || type == MPI_UNSIGNED || type == MPI_UNSIGNED_LONG || type == MPI_UNSIGNED_LONG_LONG ||
              type == MPI_COUNT || type == MPI_CHAR || type == MPI_DOUBLE || type == MPI_LONG || type == MPI_LONG_LONG ||
              type == MPI_C_BOOL || type == MPI_INT32_T || type == MPI_UINT32_T || type == MPI_INT64_T || type == MPI_UINT64_T);

        /* A short buffer: the name is truncated, and nothing is written past it. */
        memset(again, 'z', sizeof again);
        name_length = 4;
        MUST(MPI_T_cvar_get_info(i, again, &name_length, &verbosity, NULL, NULL, NULL, NULL, &bind, &scope));
        CHECK(strlen(again) <= 3 && strncmp(again, name, strlen(again)) == 0);
        CHECK_INT(again[4], 'z');
        if (MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS) {
            char other[256];
            int length = sizeof other;
            MUST(MPI_T_cvar_get_info(index, other, &length, &verbosity, NULL, NULL, NULL, NULL, &bind, &scope));
            CHECK_STR(other, name);
        } else
            check_fail(__FILE__, __LINE__, "no index for %s", name);

        if (kind != MPI_T_ENUM_NULL && i < 2000) {
            int items = -1, length = sizeof again;
            MUST(MPI_T_enum_get_info(kind, &items, again, &length));
            CHECK(items > 0);
            for (int j = 0; j < items; j++) {
                int value = -12345;
                length = sizeof again;
                MUST(MPI_T_enum_get_item(kind, j, &value, again, &length));
                CHECK(value != -12345);
                CHECK_INT(length, strlen(again) + 1);
            }
            enums++;
        }

        /* The first variables are enough, which belong to the library itself. Open MPI 4.1.4 keeps the variables of
           components that it has unloaded (the 35th integer is opal_common_ofi_verbose), and reads unmapped memory for
           them. */
        if (bind != MPI_T_BIND_NO_OBJECT || read >= 30)
            continue;
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
        int count = -1;
        MUST(MPI_T_cvar_handle_alloc(i, NULL, &handle, &count));
        CHECK(handle != MPI_T_CVAR_HANDLE_NULL);
        CHECK(count >= 0);
        if (type == MPI_INT && count == 1) {
            int value = -1, back = -2;
            code = MPI_T_cvar_read(handle, &value);
            CHECK(code == MPI_SUCCESS || code == MPI_T_ERR_INVALID_INDEX); /* of a component that is not in use */
            read++;
            if (code != MPI_SUCCESS)
                ;
            else if (scope != MPI_T_SCOPE_CONSTANT && scope != MPI_T_SCOPE_READONLY && written < 20) {
                code = MPI_T_cvar_write(handle, &value); /* the current value */
                if (code == MPI_SUCCESS) {
                    MUST(MPI_T_cvar_read(handle, &back));
                    CHECK_INT(back, value);
                    written++;
                } else
                    CHECK(code == MPI_T_ERR_CVAR_SET_NEVER || code == MPI_T_ERR_CVAR_SET_NOT_NOW);
            } else if (scope == MPI_T_SCOPE_CONSTANT || scope == MPI_T_SCOPE_READONLY)
                CHECK(MPI_T_cvar_write(handle, &value) != MPI_SUCCESS);
        }
        MUST(MPI_T_cvar_handle_free(&handle));
        CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
    }
    CHECK(read > 0);
    CHECK(enums >= 0);
    int nothing, index = -1;
    CHECK(MPI_T_cvar_get_index("no such variable at all", &index) == MPI_T_ERR_INVALID_NAME);
    nothing = MPI_T_cvar_get_info(number + 100000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    CHECK(nothing == MPI_T_ERR_INVALID_INDEX || nothing == MPI_T_ERR_INVALID);
    MUST(MPI_T_finalize());
    return check_done("tool_cvar");
}
