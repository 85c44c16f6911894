/* The program's error handlers for communicators, windows and files. They get the program's own handle and code and may
   call MPI. The failing call then returns. */
#include "check.h"

#include "files.h"

static int calls_a, calls_b, last_code, depth;
static MPI_Comm last_comm;
static MPI_Win last_win;
static MPI_File last_file;

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    int value = -1, length;
    char text[MPI_MAX_ERROR_STRING];
    calls_a++;
    last_comm = *comm;
    last_code = *code;
    MUST(MPI_Comm_rank(*comm, &value));
    CHECK(value >= 0);
    MUST(MPI_Error_string(*code, text, &length));
    CHECK(length > 0);
    if (depth == 0) { /* a failure inside calls the same handler */
        depth = 1;
        CHECK(MPI_Send(&value, 1, MPI_INT, -55, 0, *comm) != MPI_SUCCESS);
        depth = 0;
    }
}

static void other_comm(MPI_Comm *comm, int *code, ...)
{
    calls_b++;
    last_comm = *comm;
    last_code = *code;
}

static void on_win(MPI_Win *win, int *code, ...)
{
    MPI_Group group;
    int members = -1;
    calls_a++;
    last_win = *win;
    last_code = *code;
    MUST(MPI_Win_get_group(*win, &group));
    MUST(MPI_Group_size(group, &members));
    CHECK_INT(members, size);
    MUST(MPI_Group_free(&group));
}

static void on_file(MPI_File *file, int *code, ...)
{
    calls_a++;
    last_file = *file;
    last_code = *code;
    if (*file != MPI_FILE_NULL) {
        MPI_Offset bytes = -1;
        MUST(MPI_File_get_size(*file, &bytes));
        CHECK_INT(bytes, 0);
    }
}

static void comms(void)
{
    MPI_Errhandler a, b, got;
    MPI_Comm first, second, child;
    int value = 0, code;

    MUST(MPI_Comm_create_errhandler(on_comm, &a));
    MUST(MPI_Comm_create_errhandler(other_comm, &b));
    CHECK(a != b && a != MPI_ERRHANDLER_NULL && a != MPI_ERRORS_RETURN);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &first));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &second));
    MUST(MPI_Comm_set_errhandler(first, a));
    MUST(MPI_Comm_set_errhandler(second, b));
    MUST(MPI_Comm_get_errhandler(first, &got));
    CHECK(got == a);
    MUST(MPI_Errhandler_free(&got));
    CHECK(got == MPI_ERRHANDLER_NULL);

    calls_a = calls_b = 0;
    depth = 1;
    code = MPI_Send(&value, 1, MPI_INT, size, 0, first);
    CHECK_CLASS(code, MPI_ERR_RANK);
    CHECK_CLASS(last_code, MPI_ERR_RANK);
    CHECK(last_comm == first);
    CHECK_INT(calls_a, 1);
    CHECK_INT(calls_b, 0);
    depth = 0;
    CHECK_CLASS(MPI_Send(&value, -1, MPI_INT, 0, 0, first), MPI_ERR_COUNT);
    CHECK_INT(calls_a, 3);
    CHECK(last_comm == first);
    CHECK_CLASS(MPI_Bcast(&value, 1, MPI_INT, size, second), MPI_ERR_ROOT);
    CHECK_INT(calls_a, 3);
    CHECK_INT(calls_b, 1);
    CHECK(last_comm == second);

    /* Freed handlers remain in force on their objects, and a new communicator inherits its parent's handler. */
    MPI_Errhandler kept = a;
    MUST(MPI_Errhandler_free(&a));
    CHECK(a == MPI_ERRHANDLER_NULL && kept != a);
    depth = 1;
    CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, size, 0, first), MPI_ERR_RANK);
    CHECK_INT(calls_a, 4);
    MUST(MPI_Comm_dup(first, &child));
    CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, size, 0, child), MPI_ERR_RANK);
    CHECK_INT(calls_a, 5);
    CHECK(last_comm == child);
    MUST(MPI_Comm_get_errhandler(child, &got));
    CHECK(got != MPI_ERRORS_ARE_FATAL && got != MPI_ERRORS_RETURN && got != b);
    MUST(MPI_Comm_set_errhandler(second, got));
    MUST(MPI_Errhandler_free(&got));
    CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, size, 0, second), MPI_ERR_RANK);
    CHECK_INT(calls_a, 6);
    CHECK(last_comm == second);
    CHECK_INT(calls_b, 1);
    MUST(MPI_Comm_set_errhandler(second, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, size, 0, second), MPI_ERR_RANK);
    CHECK_INT(calls_a, 6);

    /* Any code may be passed to a handler: predefined classes, and the program's classes and codes. */
    int mine, my_code;
    MUST(MPI_Add_error_class(&mine));
    MUST(MPI_Add_error_code(mine, &my_code));
    MUST(MPI_Add_error_string(mine, "mine"));
    MUST(MPI_Add_error_string(my_code, "my code"));
    MUST(MPI_Comm_set_errhandler(second, b));
    int codes[] = {MPI_ERR_OTHER, MPI_ERR_WIN, MPI_ERR_NO_SUCH_FILE, MPI_ERR_RMA_SYNC, mine, my_code};
    calls_b = 0;
    for (int i = 0; i < 6; i++) {
        last_code = -1;
        last_comm = MPI_COMM_NULL;
        MUST(MPI_Comm_call_errhandler(second, codes[i]));
        CHECK_INT(calls_b, i + 1);
        CHECK_INT(last_code, codes[i]);
        CHECK(last_comm == second);
    }
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, b));
    MUST(MPI_Comm_call_errhandler(MPI_COMM_WORLD, my_code));
    CHECK(last_comm == MPI_COMM_WORLD && last_code == my_code);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, b));
    MUST(MPI_Comm_call_errhandler(MPI_COMM_SELF, 1));
    CHECK(last_comm == MPI_COMM_SELF && last_code == 1);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    MUST(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);

    CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(b)) == b);
    CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN);
    CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRHANDLER_NULL)) == MPI_ERRHANDLER_NULL);
    MUST(MPI_Errhandler_free(&b));
    MUST(MPI_Comm_free(&child));
    MUST(MPI_Comm_free(&second));
    MUST(MPI_Comm_free(&first));
}

static void windows(void)
{
    MPI_Errhandler handler, got;
    MPI_Win win;
    int memory[4] = {0};
    MUST(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MUST(MPI_Win_get_errhandler(win, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    MUST(MPI_Win_create_errhandler(on_win, &handler));
    MUST(MPI_Win_set_errhandler(win, handler));
    MUST(MPI_Win_get_errhandler(win, &got));
    CHECK(got == handler);
    MUST(MPI_Errhandler_free(&got));
    MUST(MPI_Errhandler_free(&handler));
    calls_a = 0;
    MUST(MPI_Win_fence(0, win));
    CHECK_CLASS(MPI_Put(memory, 1, MPI_INT, size, 0, 1, MPI_INT, win), MPI_ERR_RANK);
    CHECK_INT(calls_a, 1);
    CHECK(last_win == win);
    CHECK_CLASS(last_code, MPI_ERR_RANK);
    MUST(MPI_Win_fence(0, win));
    int mine;
    MUST(MPI_Add_error_class(&mine));
    int codes[] = {MPI_ERR_RMA_CONFLICT, MPI_ERR_RMA_RANGE, mine};
    for (int i = 0; i < 3; i++) {
        MUST(MPI_Win_call_errhandler(win, codes[i]));
        CHECK_INT(calls_a, i + 2);
        CHECK_INT(last_code, codes[i]);
        CHECK(last_win == win);
    }
    MUST(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    MUST(MPI_Win_get_errhandler(win, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    CHECK_CLASS(MPI_Put(memory, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
    MUST(MPI_Win_free(&win));
}

static void files(void)
{
    MPI_Errhandler handler, got;
    MPI_File file = MPI_FILE_NULL;
    char *path = file_path("error_handlers.dat");

    /* The default handler of files is the handler of MPI_FILE_NULL: return. */
    MUST(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    MUST(MPI_File_create_errhandler(on_file, &handler));
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
    calls_a = 0;
    last_file = (MPI_File)&calls_a;
    CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, file_path("not/there"), MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
                MPI_ERR_NO_SUCH_FILE);
    CHECK_INT(calls_a, 1);
    CHECK(last_file == MPI_FILE_NULL);
    CHECK_CLASS(last_code, MPI_ERR_NO_SUCH_FILE);
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));

    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                       MPI_INFO_NULL, &file));
    MUST(MPI_File_get_errhandler(file, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    MUST(MPI_File_set_errhandler(file, handler));
    MUST(MPI_File_get_errhandler(file, &got));
    CHECK(got == handler);
    MUST(MPI_Errhandler_free(&got));
    int value;
    calls_a = 0;
    int code = MPI_File_read_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE); /* opened for writing only */
    CHECK(code != MPI_SUCCESS);
    CHECK_INT(calls_a, 1);
    CHECK(last_file == file);
    CHECK_INT(last_code, code);
    int mine;
    MUST(MPI_Add_error_class(&mine));
    int codes[] = {MPI_ERR_IO, MPI_ERR_QUOTA, mine};
    for (int i = 0; i < 3; i++) {
        MUST(MPI_File_call_errhandler(file, codes[i]));
        CHECK_INT(calls_a, i + 2);
        CHECK_INT(last_code, codes[i]);
        CHECK(last_file == file);
    }
    MUST(MPI_Errhandler_free(&handler));
    MUST(MPI_File_close(&file));
    CHECK(file == MPI_FILE_NULL);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    comms();
    windows();
    files();
    return check_done("error_handlers");
}
