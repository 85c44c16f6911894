/* MPI_T events and sources (MPI-4.0): their numbers, the information about each, and the error for a wrong index. */
#include "check.h"

int main(int argc, char **argv)
{
#if MPI_VERSION >= 4
    int provided, number = -1, version, minor;
    MUST(MPI_Get_version(&version, &minor));
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    check_init(&argc, &argv);
    int code = MPI_T_event_get_num(&number);
    if (code != MPI_SUCCESS)
        CHECK(version < 4); /* the library has no events, and returns that */
    else {
        CHECK(number >= 0);
        for (int i = 0; i < number; i++) {
            char name[256];
            int length = sizeof name, index = -1;
            MUST(MPI_T_event_get_info(i, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
            CHECK_INT(length, strlen(name) + 1);
            MUST(MPI_T_event_get_index(name, &index));
            CHECK_INT(index, i);
        }
        int index = -1;
        CHECK(MPI_T_event_get_index("no such event", &index) != MPI_SUCCESS);
        MUST(MPI_T_source_get_num(&number));
        CHECK(number >= 0);
        int categories = -1, events = -1;
        MUST(MPI_T_category_get_num(&categories));
        for (int i = 0; i < categories; i++) {
            MUST(MPI_T_category_get_num_events(i, &events));
            CHECK(events >= 0);
        }
    }
    MUST(MPI_T_finalize());
#else
    check_init(&argc, &argv);
#endif
    return check_done("tool_event");
}
