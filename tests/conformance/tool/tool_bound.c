/* MPI_T variables that are bound to the program's objects: handles for several communicators, datatypes, windows,
   files, groups and so on, lookup by name, and the items of enumerations (MPI-3.1, 14.3). */
#include "check.h"

#include "files.h"

static MPI_Comm comms[3];
static MPI_Datatype types[3];
static MPI_Errhandler handlers[2] = {MPI_ERRORS_RETURN, MPI_ERRORS_ARE_FATAL};
static MPI_File file;
static MPI_Group groups[2];
static MPI_Op ops[2];
static MPI_Info info;
static MPI_Win win;

/* Returns the number of objects for a binding, and stores the address of number i. */
static int objects(int bind, int i, void **object)
{
    switch (bind) {
    case MPI_T_BIND_MPI_COMM: *object = &comms[i % 3]; return 3;
    case MPI_T_BIND_MPI_DATATYPE: *object = &types[i % 3]; return 3;
    case MPI_T_BIND_MPI_ERRHANDLER: *object = &handlers[i % 2]; return 2;
    case MPI_T_BIND_MPI_FILE: *object = &file; return 1;
    case MPI_T_BIND_MPI_GROUP: *object = &groups[i % 2]; return 2;
    case MPI_T_BIND_MPI_OP: *object = &ops[i % 2]; return 2;
    case MPI_T_BIND_MPI_INFO: *object = &info; return 1;
    case MPI_T_BIND_MPI_WIN: *object = &win; return 1;
    }
    return 0;
}

static void one(MPI_T_pvar_session session, int index, int bind, int continuous, int bytes)
{
    MPI_T_pvar_handle handles[3];
    int counts[3], n = 0;
    void *object = NULL;
    const int number = objects(bind, 0, &object);
    for (n = 0; n < number; n++) {
        objects(bind, n, &object);
        if (MPI_T_pvar_handle_alloc(session, index, object, &handles[n], &counts[n]) != MPI_SUCCESS)
            break; /* not for this object */
        for (int k = 0; k < n; k++)
            CHECK(handles[k] != handles[n]);
        if (!continuous)
            MUST(MPI_T_pvar_start(session, handles[n]));
    }
    MUST(MPI_Barrier(comms[1]));
    for (int k = n - 1; k >= 0; k--) {
        void *room = calloc((size_t)counts[k] + 1, (size_t)bytes + 8);
        MUST(MPI_T_pvar_read(session, handles[k], room));
        if (!continuous)
            MUST(MPI_T_pvar_stop(session, handles[k]));
        free(room);
        MUST(MPI_T_pvar_handle_free(session, &handles[k]));
        CHECK(handles[k] == MPI_T_PVAR_HANDLE_NULL);
    }
}

int main(int argc, char **argv)
{
    int provided, number = 0, memory[4] = {0}, bytes;
    check_init(&argc, &argv);
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided)); /* after MPI_Init */
    comms[0] = MPI_COMM_WORLD;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]));
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &comms[2]));
    types[0] = MPI_INT;
    MUST(MPI_Type_contiguous(2, MPI_INT, &types[1]));
    MUST(MPI_Type_vector(2, 1, 2, MPI_INT, &types[2]));
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &groups[0]));
    groups[1] = MPI_GROUP_EMPTY;
    ops[0] = MPI_SUM;
    ops[1] = MPI_MAXLOC;
    MUST(MPI_Info_create(&info));
    MUST(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MUST(MPI_File_open(MPI_COMM_WORLD, file_path("tool_bound.dat"),
                       MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));

    MPI_T_pvar_session session;
    MUST(MPI_T_pvar_session_create(&session));
    MUST(MPI_T_pvar_get_num(&number));
    for (int i = 0; i < number; i++) {
        char name[256], text[1024], cut[8];
        int name_len = sizeof name, text_len = sizeof text, verbosity = -1, class = -1, bind = -1, readonly, continuous, atomic,
            index = -1, cut_len = 6;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum kind = MPI_T_ENUM_NULL;
        if (MPI_T_pvar_get_info(i, name, &name_len, &verbosity, &class, &type, &kind, text, &text_len, &bind, &readonly,
                                &continuous, &atomic) != MPI_SUCCESS)
            continue;
        CHECK(verbosity >= MPI_T_VERBOSITY_USER_BASIC && verbosity <= MPI_T_VERBOSITY_MPIDEV_ALL);
        MUST(MPI_T_pvar_get_index(name, class, &index));
        CHECK_INT(index, i);
        memset(cut, 'z', sizeof cut);
        MUST(MPI_T_pvar_get_info(i, cut, &cut_len, &verbosity, &class, &type, &kind, NULL, NULL, &bind, &readonly, &continuous,
                                 &atomic));
        CHECK(strlen(cut) <= 5 && !strncmp(cut, name, strlen(cut)));
        CHECK(cut[6] == 'z' && cut[7] == 'z');
        MUST(MPI_Type_size(type, &bytes));
        if (bind != MPI_T_BIND_NO_OBJECT) /* tool_pvar tests the others */
            one(session, i, bind, continuous, bytes);
    }
    MUST(MPI_T_pvar_session_free(&session));

    MUST(MPI_T_cvar_get_num(&number));
    int bound = 0;
    for (int i = 0; i < number && bound < 200; i++) {
        int verbosity, bind = -1, scope, count = -1, name_len = 0;
        MPI_T_cvar_handle handle;
        void *object = NULL;
        if (MPI_T_cvar_get_info(i, NULL, &name_len, &verbosity, NULL, NULL, NULL, NULL, &bind, &scope) != MPI_SUCCESS)
            continue;
        CHECK(name_len > 1); /* the length that the name requires */
        if (bind == MPI_T_BIND_NO_OBJECT || !objects(bind, 1, &object))
            continue;
        bound++;
        if (MPI_T_cvar_handle_alloc(i, object, &handle, &count) == MPI_SUCCESS)
            MUST(MPI_T_cvar_handle_free(&handle));
    }

    MUST(MPI_File_close(&file));
    MUST(MPI_Win_free(&win));
    MUST(MPI_Info_free(&info));
    MUST(MPI_Group_free(&groups[0]));
    MUST(MPI_Type_free(&types[1]));
    MUST(MPI_Type_free(&types[2]));
    MUST(MPI_Comm_free(&comms[1]));
    MUST(MPI_Comm_free(&comms[2]));
    MUST(MPI_T_finalize());
    return check_done("tool_bound");
}
