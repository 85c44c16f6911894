/*
 * outside: calls the functions that may be called before MPI_Init and after MPI_Finalize, by MPI-5.0, 11.4.1,
 * or because a library accepts them there. It makes all calls before, between and after, and prints "ok" if all results are
 * right.
 *
 *   outside [CASE]...
 *
 * With the names of cases it runs these alone. It is compiled with the newest mpi.h of a family, so it looks up its
 * functions while it runs.
 */
#define _GNU_SOURCE
#include MPI_H
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum when { BEFORE, UP, AFTER };
static enum when when;
static int failures;
static const char *current; /* the case */

/* Calls a function of MPI; a library may lack it natively. */
static void *find(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name); /* the front precedes the library */
    if (!found) {
        printf("%s: absent: %s\n", current, name);
        exit(1);
    }
    return found;
}
#define CALL(function, ...) ((__typeof__(&function))find(#function))(__VA_ARGS__)

static void failed(const char *what, int line, long got)
{
    static const char *const names[] = {"before", "between", "after"};
    printf("%s, %s: line %d: %s: %ld\n", current, names[when], line, what, got);
    failures++;
}
#define MUST(function, ...) \
    do { \
        const int rc = CALL(function, __VA_ARGS__); \
        if (rc) \
            failed(#function, __LINE__, rc); \
    } while (0)
#define CHECK(condition) \
    do { \
        if (!(condition)) \
            failed(#condition, __LINE__, 0); \
    } while (0)

/* ---- cases ---- */

/* The clock runs as the system's clock does. */
static void clock_(void)
{
    static double first, first_system;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const double system = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec, now = CALL(MPI_Wtime), difference = (now - first) - (system - first_system);
    if (when == BEFORE) {
        first = now;
        first_system = system;
    } else
        CHECK(difference > -5 && difference < 5);
    const double tick = CALL(MPI_Wtick);
    CHECK(tick > 0 && tick < 1);
    CHECK(CALL(MPI_Wtime) >= now);
}

static void version(void)
{
    int version = 0, sub = -1, length = -1, flag = -1;
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    MUST(MPI_Get_version, &version, &sub);
    CHECK(version >= 3 && version <= MPI_VERSION && sub >= 0);
    MUST(MPI_Get_library_version, text, &length);
    CHECK(length > 0 && (int)strlen(text) <= length);
    MUST(MPI_Initialized, &flag);
    CHECK(flag == (when != BEFORE));
    MUST(MPI_Finalized, &flag);
    CHECK(flag == (when == AFTER));
}

static void abi(void)
{
    int major = -1, minor = -1, flag = 0, size = 0, set = -1;
    MPI_Info info;
    MUST(MPI_Abi_get_version, &major, &minor);
    CHECK(major >= -1 && minor >= -1);
    MUST(MPI_Abi_get_info, &info);
    MUST(MPI_Info_free, &info);
    MUST(MPI_Abi_get_fortran_info, &info);
    if (info != MPI_INFO_NULL)
        MUST(MPI_Info_free, &info);
    (void)flag, (void)size, (void)set;
}

static void error_texts(void)
{
    const int classes[] = {MPI_SUCCESS, MPI_ERR_BUFFER, MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_IN_STATUS, MPI_ERR_RMA_SYNC, MPI_ERR_SESSION};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        int class = -1, length = -1;
        char text[MPI_MAX_ERROR_STRING] = "";
        MUST(MPI_Error_class, classes[i], &class);
        CHECK(class == classes[i]);
        MUST(MPI_Error_string, classes[i], text, &length);
        CHECK(length > 0 && length == (int)strlen(text));
    }
}

/* Reports whether a code has this class and text. */
static void is_error(int code, int class, const char *text)
{
    char got[MPI_MAX_ERROR_STRING] = "";
    int of = -1, length = -1;
    MUST(MPI_Error_class, code, &of);
    CHECK(of == class);
    MUST(MPI_Error_string, code, got, &length);
    CHECK(!strcmp(got, text) && length == (int)strlen(text));
}

enum { OWN = 0x50000000 }; /* wi4go's own numbers begin here */

static void added_errors(void)
{
    static int class[3], code[3], of_known[3];
    static const char *const texts[] = {"added before", "added between", "added after"};
    MUST(MPI_Add_error_class, &class[when]);
    MUST(MPI_Add_error_code, class[when], &code[when]);
    MUST(MPI_Add_error_code, MPI_ERR_TRUNCATE, &of_known[when]);
    MUST(MPI_Add_error_string, class[when], "a class");
    MUST(MPI_Add_error_string, code[when], texts[when]);
    MUST(MPI_Add_error_string, of_known[when], "of a known class");
    for (enum when w = BEFORE; w <= when; w++) {
        CHECK(class[w] > MPI_ERR_LASTCODE && code[w] > MPI_ERR_LASTCODE);
        is_error(class[w], class[w], "a class");
        is_error(code[w], class[w], texts[w]);
        is_error(of_known[w], MPI_ERR_TRUNCATE, "of a known class");
        for (enum when v = BEFORE; v < w; v++)
            CHECK(class[v] != class[w] && code[v] != code[w] && class[v] != code[w]);
    }
    if (when == UP) {
        int *last, flag = 0;
        MUST(MPI_Comm_get_attr, MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
        for (enum when w = BEFORE; w <= when; w++)
            CHECK(flag && (*last >= class[w] && *last >= code[w] || class[w] < OWN)); /* MPICH 3.4 has the number of the last class */
    }
    if (when == AFTER)
        for (enum when w = BEFORE; w <= AFTER; w++) {
            MUST(MPI_Remove_error_string, code[w]);
            MUST(MPI_Remove_error_string, class[w]);
            MUST(MPI_Remove_error_string, of_known[w]);
            MUST(MPI_Remove_error_code, code[w]);
            MUST(MPI_Remove_error_code, of_known[w]);
            MUST(MPI_Remove_error_class, class[w]);
        }
}

/* Checks an info with two entries. */
static void has_entries(MPI_Info info)
{
    char value[64] = "", key[MPI_MAX_INFO_KEY];
    int flag = 0, length = 0, n = 0;
    MUST(MPI_Info_get_nkeys, info, &n);
    CHECK(n == 2);
    MUST(MPI_Info_get_nthkey, info, 1, key);
    CHECK(!strcmp(key, "color"));
    MUST(MPI_Info_get, info, "shape", 63, value, &flag);
    CHECK(flag && !strcmp(value, "round"));
    MUST(MPI_Info_get_valuelen, info, "shape", &length, &flag);
    CHECK(flag && length == 5);
    length = sizeof value;
    MUST(MPI_Info_get_string, info, "color", &length, value, &flag);
    CHECK(flag && length == 4 && !strcmp(value, "red"));
    MUST(MPI_Info_get, info, "size", 63, value, &flag);
    CHECK(!flag);
}

static void info(void)
{
    static MPI_Info made[3];
    char value[64];
    int flag = 1, n = -1;
    MPI_Info other;
    MUST(MPI_Info_create, &made[when]);
    MUST(MPI_Info_set, made[when], "shape", "square");
    MUST(MPI_Info_set, made[when], "color", "red");
    MUST(MPI_Info_set, made[when], "shape", "round");
    for (enum when w = BEFORE; w <= when; w++) {
        has_entries(made[w]);
        MUST(MPI_Info_dup, made[w], &other);
        has_entries(other);
        MUST(MPI_Info_delete, other, "shape");
        MUST(MPI_Info_get, other, "shape", 63, value, &flag);
        CHECK(!flag);
        MUST(MPI_Info_get_nkeys, other, &n);
        CHECK(n == 1);
        MUST(MPI_Info_free, &other);
        CHECK(other == MPI_INFO_NULL);
    }
    if (when == UP) {
        MPI_Comm comm;
        MUST(MPI_Comm_dup_with_info, MPI_COMM_SELF, made[BEFORE], &comm);
        MUST(MPI_Comm_free, &comm);
    }
    if (when == AFTER)
        for (enum when w = BEFORE; w <= AFTER; w++)
            MUST(MPI_Info_free, &made[w]);
}

static void info_env(void)
{
    static char *arguments[] = {"outside", "-x", NULL};
    MPI_Info made = MPI_INFO_NULL;
    int n = -1;
    MUST(MPI_Info_create_env, 2, arguments, &made);
    MUST(MPI_Info_get_nkeys, made, &n);
    CHECK(n >= 0);
    MUST(MPI_Info_free, &made);
}

static void resources(void)
{
    MPI_Info made = MPI_INFO_NULL;
    int n = -1;
    MUST(MPI_Get_hw_resource_info, &made);
    MUST(MPI_Info_get_nkeys, made, &n);
    CHECK(n >= 0);
    MUST(MPI_Info_free, &made);
}

/* Error handlers that are made at any time work between MPI_Init and MPI_Finalize. */
static int handled;
static void on_comm(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code, handled++; }
static void on_win(MPI_Win *win, int *code, ...) { (void)win, (void)code, handled++; }
static void on_file(MPI_File *file, int *code, ...) { (void)file, (void)code, handled++; }
static void on_session(MPI_Session *session, int *code, ...) { (void)session, (void)code, handled++; }

/* The error handlers made before and between. */
static MPI_Errhandler of_comm[2], of_win[2], of_file[2];

static void errhandlers(void)
{
    MPI_Errhandler freed, former, got;
    MUST(MPI_Comm_create_errhandler, on_comm, &freed);
    MUST(MPI_Errhandler_free, &freed);
    CHECK(freed == MPI_ERRHANDLER_NULL);
    if (when == AFTER) {
        for (int i = 0; i < 2; i++) {
            MUST(MPI_Errhandler_free, &of_comm[i]);
            MUST(MPI_Errhandler_free, &of_file[i]);
        }
        return;
    }
    MUST(MPI_Comm_create_errhandler, on_comm, &of_comm[when]);
    MUST(MPI_File_create_errhandler, on_file, &of_file[when]);
    for (int i = 0; when == UP && i < 2; i++) {
        MUST(MPI_Comm_get_errhandler, MPI_COMM_SELF, &former);
        MUST(MPI_Comm_set_errhandler, MPI_COMM_SELF, of_comm[i]);
        MUST(MPI_Comm_get_errhandler, MPI_COMM_SELF, &got);
        CHECK(got == of_comm[i]);
        MUST(MPI_Errhandler_free, &got);
        handled = 0;
        MUST(MPI_Comm_call_errhandler, MPI_COMM_SELF, MPI_ERR_OTHER);
        CHECK(handled == 1);
        MUST(MPI_Comm_set_errhandler, MPI_COMM_SELF, former);
        MUST(MPI_File_set_errhandler, MPI_FILE_NULL, of_file[i]);
        MUST(MPI_File_get_errhandler, MPI_FILE_NULL, &got); /* Open MPI does not call it */
        CHECK(got == of_file[i]);
        MUST(MPI_Errhandler_free, &got);
        MUST(MPI_File_set_errhandler, MPI_FILE_NULL, MPI_ERRORS_RETURN);
    }
}

static void win_errhandlers(void)
{
    static int memory;
    MPI_Win win;
    if (when == AFTER) {
        for (int i = 0; i < 2; i++)
            MUST(MPI_Errhandler_free, &of_win[i]);
        return;
    }
    MUST(MPI_Win_create_errhandler, on_win, &of_win[when]);
    for (int i = 0; when == UP && i < 2; i++) {
        MUST(MPI_Win_create, &memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MUST(MPI_Win_set_errhandler, win, of_win[i]);
        handled = 0;
        MUST(MPI_Win_call_errhandler, win, MPI_ERR_OTHER);
        CHECK(handled == 1);
        MUST(MPI_Win_free, &win);
    }
}

static void sessions(void)
{
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Errhandler handler;
    if (when == AFTER)
        return; /* MPICH 4.0 ends the process, and Open MPI refuses it */
    MUST(MPI_Session_create_errhandler, on_session, &handler);
    MUST(MPI_Session_init, MPI_INFO_NULL, handler, &session);
    MUST(MPI_Errhandler_free, &handler);
    MUST(MPI_Session_finalize, &session);
    CHECK(session == MPI_SESSION_NULL);
}

static void handles(void)
{
#define THERE_AND_BACK(type, c2f, f2c, handle) \
    do { \
        type h = handle; \
        CHECK(f2c(c2f(h)) == h); \
    } while (0)
    THERE_AND_BACK(MPI_Comm, MPI_Comm_c2f, MPI_Comm_f2c, MPI_COMM_WORLD);
    THERE_AND_BACK(MPI_Comm, MPI_Comm_c2f, MPI_Comm_f2c, MPI_COMM_NULL);
    THERE_AND_BACK(MPI_Datatype, MPI_Type_c2f, MPI_Type_f2c, MPI_INT);
    THERE_AND_BACK(MPI_Errhandler, MPI_Errhandler_c2f, MPI_Errhandler_f2c, MPI_ERRORS_RETURN);
    THERE_AND_BACK(MPI_File, MPI_File_c2f, MPI_File_f2c, MPI_FILE_NULL);
    THERE_AND_BACK(MPI_Group, MPI_Group_c2f, MPI_Group_f2c, MPI_GROUP_EMPTY);
    THERE_AND_BACK(MPI_Info, MPI_Info_c2f, MPI_Info_f2c, MPI_INFO_NULL);
    THERE_AND_BACK(MPI_Message, MPI_Message_c2f, MPI_Message_f2c, MPI_MESSAGE_NULL);
    THERE_AND_BACK(MPI_Op, MPI_Op_c2f, MPI_Op_f2c, MPI_SUM);
    THERE_AND_BACK(MPI_Request, MPI_Request_c2f, MPI_Request_f2c, MPI_REQUEST_NULL);
    THERE_AND_BACK(MPI_Win, MPI_Win_c2f, MPI_Win_f2c, MPI_WIN_NULL);
}

static void numbers(void)
{
#define NUMBER(type, name, handle) \
    do { \
        type h = handle; \
        CHECK(CALL(name##_fromint, CALL(name##_toint, h)) == h); \
    } while (0)
    NUMBER(MPI_Comm, MPI_Comm, MPI_COMM_WORLD);
    NUMBER(MPI_Datatype, MPI_Type, MPI_INT);
    NUMBER(MPI_Errhandler, MPI_Errhandler, MPI_ERRORS_RETURN);
    NUMBER(MPI_File, MPI_File, MPI_FILE_NULL);
    NUMBER(MPI_Group, MPI_Group, MPI_GROUP_EMPTY);
    NUMBER(MPI_Info, MPI_Info, MPI_INFO_NULL);
    NUMBER(MPI_Message, MPI_Message, MPI_MESSAGE_NULL);
    NUMBER(MPI_Op, MPI_Op, MPI_SUM);
    NUMBER(MPI_Request, MPI_Request, MPI_REQUEST_NULL);
    NUMBER(MPI_Session, MPI_Session, MPI_SESSION_NULL);
    NUMBER(MPI_Win, MPI_Win, MPI_WIN_NULL);
}

static void status(void)
{
    MPI_Status c, again;
    MPI_Fint f[MPI_F_STATUS_SIZE];
    int value = 0;
    memset(&c, 0, sizeof c);
    memset(&again, 0, sizeof again);
    c.MPI_SOURCE = 3, c.MPI_TAG = 5, c.MPI_ERROR = MPI_ERR_TAG;
    MUST(MPI_Status_c2f, &c, f);
    MUST(MPI_Status_f2c, f, &again);
    CHECK(again.MPI_SOURCE == 3 && again.MPI_TAG == 5 && again.MPI_ERROR == MPI_ERR_TAG);
    MUST(MPI_Status_set_source, &c, 7);
    MUST(MPI_Status_set_tag, &c, 8);
    MUST(MPI_Status_set_error, &c, MPI_ERR_RANK);
    MUST(MPI_Status_get_source, &c, &value);
    CHECK(value == 7);
    MUST(MPI_Status_get_tag, &c, &value);
    CHECK(value == 8);
    MUST(MPI_Status_get_error, &c, &value);
    CHECK(value == MPI_ERR_RANK);
    MUST(MPI_Status_set_cancelled, &c, 1);
}

static void addresses(void)
{
    char text[8];
    const MPI_Aint a = (MPI_Aint)(intptr_t)text;
    CHECK(MPI_Aint_add(a, 4) == (MPI_Aint)(intptr_t)(text + 4));
    CHECK(MPI_Aint_diff((MPI_Aint)(intptr_t)(text + 4), a) == 4);
}

/* The tool interface is initialized once, because Open MPI 5 and MPICH 4.0 fail in MPI_Init after MPI_T_finalize. */
static void tool(void)
{
    int provided = -1, n = -1;
    if (when == BEFORE)
        MUST(MPI_T_init_thread, MPI_THREAD_SINGLE, &provided);
    MUST(MPI_T_cvar_get_num, &n);
    CHECK(n >= 0);
    MUST(MPI_T_pvar_get_num, &n);
    CHECK(n >= 0);
    MUST(MPI_T_category_get_num, &n);
    CHECK(n >= 0);
    if (when == AFTER)
        MUST(MPI_T_finalize);
}

static void memory(void)
{
    static void *made;
    if (when == UP)
        MUST(MPI_Alloc_mem, 1000, MPI_INFO_NULL, &made);
    if (when == AFTER)
        MUST(MPI_Free_mem, made);
}

static void sizes(void)
{
    MPI_Count size = -1, lb = -1;
    MUST(MPI_Type_size_x, MPI_INT, &size);
    CHECK(size == sizeof(int));
    MUST(MPI_Type_get_extent_x, MPI_DOUBLE, &lb, &size);
    CHECK(lb == 0 && size == sizeof(double));
    MUST(MPI_Type_get_true_extent_x, MPI_SHORT, &lb, &size);
    CHECK(lb == 0 && size == sizeof(short));
}

static const struct { const char *name; void (*run)(void); } cases[] = {
    {"clock", clock_}, {"version", version}, {"abi", abi}, {"error_texts", error_texts}, {"added_errors", added_errors}, {"info", info},
    {"info_env", info_env}, {"resources", resources}, {"errhandlers", errhandlers}, {"win_errhandlers", win_errhandlers}, {"sessions", sessions}, {"handles", handles},
    {"numbers", numbers}, {"status", status}, {"addresses", addresses}, {"tool", tool}, {"memory", memory}, {"sizes", sizes},
};

/* Runs all cases, or the cases that the arguments name. */
static void run(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int wanted = argc < 2;
        for (int j = 1; j < argc; j++)
            wanted |= !strcmp(argv[j], cases[i].name);
        current = cases[i].name;
        if (wanted)
            cases[i].run();
    }
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    run(argc, argv);
    MPI_Init(NULL, NULL);
    when = UP;
    run(argc, argv);
    MPI_Finalize();
    when = AFTER;
    run(argc, argv);
    puts(failures ? "wrong" : "ok");
    return failures != 0;
}
