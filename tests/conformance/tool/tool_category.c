/* MPI_T categories: names, members, and the stamp of the last change; repeated initialization and finalization. */
#include "check.h"

int main(int argc, char **argv)
{
    int provided = -1, number = -1, cvars, pvars, stamp = -1, again = -2, members = 0;
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    check_init(&argc, &argv);
    MUST(MPI_T_category_get_num(&number));
    CHECK(number > 0);
    MUST(MPI_T_cvar_get_num(&cvars));
    MUST(MPI_T_pvar_get_num(&pvars));
    MUST(MPI_T_category_changed(&stamp));
    MUST(MPI_T_category_changed(&again));
    CHECK_INT(again, stamp);
    static int list[20000];
    for (int i = 0; i < number && i < 300; i++) {
        char name[256], description[1024];
        int name_length = sizeof name, description_length = sizeof description, its_cvars = -1, its_pvars = -1,
            its_categories = -1, index = -1;
        int code = MPI_T_category_get_info(i, name, &name_length, description, &description_length, &its_cvars,
                                           &its_pvars, &its_categories);
        if (code != MPI_SUCCESS) {
            CHECK_INT(code, MPI_T_ERR_INVALID_INDEX);
            continue;
        }
        CHECK_INT(name_length, strlen(name) + 1);
        CHECK(its_cvars >= 0 && its_cvars <= 20000 && its_pvars >= 0 && its_categories >= 0);
        MUST(MPI_T_category_get_index(name, &index));
        CHECK_INT(index, i);
        memset(list, -1, sizeof list);
        MUST(MPI_T_category_get_cvars(i, 20000, list));
        for (int j = 0; j < its_cvars; j++) {
            CHECK(list[j] >= 0 && list[j] < cvars);
            members++;
        }
        CHECK_INT(list[its_cvars], -1);
        memset(list, -1, sizeof list);
        MUST(MPI_T_category_get_pvars(i, 20000, list));
        for (int j = 0; j < its_pvars; j++)
            CHECK(list[j] >= 0 && list[j] < pvars);
        CHECK_INT(list[its_pvars], -1);
        MUST(MPI_T_category_get_categories(i, 20000, list));
        for (int j = 0; j < its_categories; j++)
            CHECK(list[j] >= 0 && list[j] < number);
    }
    CHECK(members > 0);
    int index;
    CHECK_INT(MPI_T_category_get_index("no such category", &index), MPI_T_ERR_INVALID_NAME);
    CHECK_INT(MPI_T_category_get_cvars(1 << 28, 1, list), MPI_T_ERR_INVALID_INDEX);
    MUST(MPI_T_finalize());
    MUST(MPI_T_category_get_num(&again));
    CHECK_INT(again, number);
    MUST(MPI_T_finalize());
    CHECK_INT(MPI_T_category_get_num(&again), MPI_T_ERR_NOT_INITIALIZED);
    return check_done("tool_category");
}
