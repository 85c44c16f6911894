/* MPI_T performance variables: information, sessions, handles bound to the program's objects, start, read, stop. */
#include "check.h"

int main(int argc, char **argv)
{
    int provided = -1, number = -1, allocated = 0;
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    check_init(&argc, &argv);
    MUST(MPI_T_pvar_get_num(&number));
    CHECK(number >= 0);
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL, other = MPI_T_PVAR_SESSION_NULL;
    MUST(MPI_T_pvar_session_create(&session));
    CHECK(session != MPI_T_PVAR_SESSION_NULL);
    MUST(MPI_T_pvar_session_create(&other));
    CHECK(other != session);
    MPI_Comm comm;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));

    for (int i = 0; i < number; i++) {
        char name[256], description[1024];
        int name_length = sizeof name, description_length = sizeof description, verbosity, class, bind, readonly,
            continuous, atomic, index = -1;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum kind = MPI_T_ENUM_NULL;
        int code = MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &class, &type, &kind, description,
                                       &description_length, &bind, &readonly, &continuous, &atomic);
        if (code != MPI_SUCCESS) {
            CHECK(code == MPI_T_ERR_INVALID_INDEX || code == MPI_T_ERR_INVALID);
            continue;
        }
        CHECK_INT(name_length, strlen(name) + 1);
        CHECK(class == MPI_T_PVAR_CLASS_STATE || class == MPI_T_PVAR_CLASS_LEVEL || class == MPI_T_PVAR_CLASS_SIZE ||
              class == MPI_T_PVAR_CLASS_PERCENTAGE || class == MPI_T_PVAR_CLASS_HIGHWATERMARK ||
              class == MPI_T_PVAR_CLASS_LOWWATERMARK || class == MPI_T_PVAR_CLASS_COUNTER ||
              class == MPI_T_PVAR_CLASS_AGGREGATE || class == MPI_T_PVAR_CLASS_TIMER ||
              class == MPI_T_PVAR_CLASS_GENERIC);
        CHECK(bind >= MPI_T_BIND_NO_OBJECT && bind <= MPI_T_BIND_MPI_INFO);
        CHECK((readonly == 0 || readonly == 1) && (continuous == 0 || continuous == 1));
        CHECK(type != MPI_DATATYPE_NULL);
        MUST(MPI_T_pvar_get_index(name, class, &index));
        CHECK_INT(index, i);

        void *object = NULL;
        if (bind == MPI_T_BIND_MPI_COMM)
            object = &comm;
        else if (bind != MPI_T_BIND_NO_OBJECT)
            continue;
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
        int count = -1, bytes = 0;
        MUST(MPI_T_pvar_handle_alloc(session, i, object, &handle, &count));
        CHECK(handle != MPI_T_PVAR_HANDLE_NULL);
        CHECK(handle != MPI_T_PVAR_ALL_HANDLES);
        CHECK(count >= 0);
        allocated++;
        MUST(MPI_Type_size(type, &bytes));
        void *room = calloc((size_t)count + 1, (size_t)bytes + 8);
        if (!continuous) {
            CHECK_INT(MPI_T_pvar_start(session, handle), MPI_SUCCESS);
            MUST(MPI_Barrier(MPI_COMM_SELF));
            MUST(MPI_T_pvar_read(session, handle, room));
            MUST(MPI_T_pvar_stop(session, handle));
            MUST(MPI_T_pvar_read(session, handle, room));
        } else {
            MUST(MPI_T_pvar_read(session, handle, room));
            CHECK_INT(MPI_T_pvar_start(session, handle), MPI_T_ERR_PVAR_NO_STARTSTOP);
        }
        if (readonly)
            CHECK(MPI_T_pvar_write(session, handle, room) != MPI_SUCCESS);
        else {
            code = MPI_T_pvar_reset(session, handle);
            CHECK(code == MPI_SUCCESS || code == MPI_T_ERR_PVAR_NO_WRITE);
        }
        code = MPI_T_pvar_readreset(session, handle, room);
        CHECK(code == MPI_SUCCESS || readonly || code == MPI_T_ERR_PVAR_NO_WRITE || code == MPI_T_ERR_PVAR_NO_ATOMIC);
        free(room);
        if (i % 2 == 0)
            CHECK(MPI_T_pvar_read(other, handle, NULL) != MPI_SUCCESS); /* the handle belongs to the other session */
        MUST(MPI_T_pvar_handle_free(session, &handle));
        CHECK(handle == MPI_T_PVAR_HANDLE_NULL);
    }
    CHECK(allocated <= number);
    /* All handles of a session at once, although there are none. */
    MUST(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    MUST(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES));
    MUST(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES));
    int index = -1;
    CHECK_INT(MPI_T_pvar_get_index("no such variable at all", MPI_T_PVAR_CLASS_COUNTER, &index),
              MPI_T_ERR_INVALID_NAME);
    MUST(MPI_T_pvar_session_free(&other));
    MUST(MPI_T_pvar_session_free(&session));
    CHECK(session == MPI_T_PVAR_SESSION_NULL);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_T_finalize());
    return check_done("tool_pvar");
}
