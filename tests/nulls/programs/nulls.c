/*
 * nulls: calls every function of a list with a null pointer for one argument, each in a separate process, and prints
 * the result.
 *
 *   nulls WHEN FIRST [each]
 *
 * WHEN is up, before (MPI_Init) or after (MPI_Finalize). With "each" every process calls MPI_Init itself, for a library
 * that refuses calls in a copy of a rank. The test makes calls.h from funcs.json: it has a function for
 * each call, whose other arguments are defined below. A line has the number of the call, the function, the null
 * argument, and the class of the error, or "died".
 */
#define _GNU_SOURCE
#include MPI_H
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wunused-function"
#include "../../fuzz/programs/classes.h"

enum {
    SECONDS = 5,   /* the time limit of a call */
    NO_OBJECT = 75 /* the exit code of a process that could not make the objects of a call */
};

static int is_up;   /* between MPI_Init and MPI_Finalize, so objects can be created */
static int is_each; /* every process calls MPI_Init; the library may have no files */
static int most_attempts; /* to make the objects of a call */

/* ---- arguments ---- */

static char attached[1 << 16];

/* Returns memory for outputs and buffers, always different, filled with zeros. */
static void *room(void)
{
    static char space[24][4096];
    static unsigned next;
    return space[next++ % 24];
}

/* Returns an array of equal numbers. */
static void *ints(int value)
{
    int *all = room();
    for (int i = 0; i < 64; i++)
        all[i] = value;
    return all;
}

static void *longs(long long value)
{
    long long *all = room();
    for (int i = 0; i < 64; i++)
        all[i] = value;
    return all;
}

static void *types(void)
{
    MPI_Datatype *all = room();
    for (int i = 0; i < 64; i++)
        all[i] = MPI_INT;
    return all;
}

static void *texts(void)
{
    static char *all[] = {"text", NULL};
    return all;
}

static int starts_with(const char *text, const char *beginning) { return !strncmp(text, beginning, strlen(beginning)); }

static MPI_Comm a_comm(const char *function)
{
    MPI_Comm made = MPI_COMM_NULL;
    const int one = 1, zero = 0;
    if (!is_up)
        return MPI_COMM_SELF;
    if (strstr(function, "eighbor_") || (starts_with(function, "MPI_Cart") && !strstr(function, "create") && !strstr(function, "map")))
        MPI_Cart_create(MPI_COMM_SELF, 1, &one, &one, 0, &made);
    else if (starts_with(function, "MPI_Graph") && !strstr(function, "create") && !strstr(function, "map"))
        MPI_Graph_create(MPI_COMM_SELF, 1, &one, &zero, 0, &made);
    else if (starts_with(function, "MPI_Dist_graph_n"))
        MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, &zero, &one, 1, &zero, &one, MPI_INFO_NULL, 0, &made);
    else
        return MPI_COMM_SELF;
    MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    return made;
}

static MPI_Comm own_comm(void)
{
    MPI_Comm made = MPI_COMM_SELF;
    if (is_up)
        MPI_Comm_dup(MPI_COMM_SELF, &made);
    return made;
}

static MPI_Datatype own_type(void)
{
    MPI_Datatype made = MPI_INT;
    if (is_up)
        MPI_Type_contiguous(2, MPI_INT, &made), MPI_Type_commit(&made);
    return made;
}

static MPI_Group a_group(void)
{
    MPI_Group made = MPI_GROUP_EMPTY;
    if (is_up)
        MPI_Comm_group(MPI_COMM_SELF, &made);
    return made;
}

static MPI_Info an_info(void)
{
    MPI_Info made = MPI_INFO_NULL;
    if (is_up)
        MPI_Info_create(&made), MPI_Info_set(made, "key", "value");
    return made;
}

static void combine(void *in, void *inout, int *n, MPI_Datatype *type) { (void)in, (void)inout, (void)n, (void)type; }

static MPI_Op own_op(void)
{
    MPI_Op made = MPI_SUM;
    if (is_up)
        MPI_Op_create(combine, 1, &made);
    return made;
}

static void handle_error(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

static MPI_Errhandler own_errhandler(void)
{
    MPI_Errhandler made = MPI_ERRORS_RETURN;
    if (is_up)
        MPI_Comm_create_errhandler(handle_error, &made);
    return made;
}

/* Returns a window, with an epoch for functions that access memory. */
static MPI_Win a_win(const char *function)
{
    MPI_Win made = MPI_WIN_NULL;
    if (!is_up)
        return made;
    if (strstr(function, "ttach") || strstr(function, "detach"))
        MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &made);
    else if (strstr(function, "shared_query"))
        MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, MPI_COMM_SELF, room(), &made);
    else
        MPI_Win_create(room(), 4096, 1, MPI_INFO_NULL, MPI_COMM_SELF, &made);
    MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);
    if (!starts_with(function, "MPI_Win"))
        MPI_Win_lock_all(0, made);
    return made;
}

/* Returns an open file. */
static MPI_File a_file(void)
{
    MPI_File made = MPI_FILE_NULL;
    if (is_up) {
        const int code = MPI_File_open(MPI_COMM_SELF, "file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &made);
        if (code && !is_each)
            _exit(NO_OBJECT);
        MPI_File_set_errhandler(made, MPI_ERRORS_RETURN);
    }
    return made;
}

static int nothing(void) { return MPI_SUCCESS; }

static MPI_Request a_request(const char *function)
{
    MPI_Request made = MPI_REQUEST_NULL;
    if (!is_up)
        return made;
    if (starts_with(function, "MPI_Start"))
        MPI_Send_init(room(), 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &made);
    else if (starts_with(function, "MPI_Grequest"))
        MPI_Grequest_start((void *)nothing, (void *)nothing, (void *)nothing, NULL, &made);
    else if (starts_with(function, "MPI_P")) {
        int (*init)(const void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *) = dlsym(RTLD_DEFAULT, strstr(function, "arrived") ? "MPI_Precv_init" : "MPI_Psend_init");
        if (init && !init(room(), 1, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, MPI_INFO_NULL, &made))
            MPI_Start(&made);
    } else
        MPI_Isend(room(), 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &made);
    return made;
}

static MPI_Message a_message(void)
{
    MPI_Message made = MPI_MESSAGE_NULL;
    MPI_Status status;
    if (is_up)
        MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_SELF, &made, &status);
    return made;
}

static MPI_Session the_session; /* created before the processes, in which Open MPI 5 can create none */

static MPI_Session a_session(void) { return the_session; }

static void make_session(void)
{
    int (*init)(MPI_Info, MPI_Errhandler, MPI_Session *) = dlsym(RTLD_DEFAULT, "MPI_Session_init");
    int (*set)(MPI_Session, MPI_Errhandler) = dlsym(RTLD_DEFAULT, "MPI_Session_set_errhandler");
    if (init && set) {
        init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &the_session);
        set(the_session, MPI_ERRORS_RETURN); /* MPICH 4.0 ignores the handler of the previous call */
    }
}

/* Returns a status that a call has filled. */
static MPI_Status *a_status(void)
{
    MPI_Status *made = room();
    if (is_up)
        MPI_Recv(room(), 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, made);
    return made;
}

static int a_keyval(const char *function)
{
    int made = MPI_KEYVAL_INVALID;
    if (!is_up)
        return made;
    if (strstr(function, "Win"))
        MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &made, NULL);
    else if (strstr(function, "Type"))
        MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &made, NULL);
    else
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &made, NULL);
    return made;
}

/* ---- calls ---- */

static void *function(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name); /* the front precedes the library */
    if (!found) {
        dprintf(1, "absent\n");
        _exit(0);
    }
    return found;
}

#include "calls.h"

static void set_up(const char *name)
{
    if (is_up && (strstr(name, "Buffer_detach") || strstr(name, "bsend") || strstr(name, "Bsend")))
        MPI_Buffer_attach(attached, sizeof attached);
}

/* Creates the file of a_file again. Earlier calls may have written to it, some of them after their process ended. */
static void make_file(void)
{
    static const char content[4096];
    const int made = open("file", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (write(made, content, sizeof content) != (ssize_t)sizeof content)
        abort();
    close(made);
}

/* Calls MPI_Init, unless the calls are made before it, and MPI_Finalize, if they are made after it. */
static void bring(const char *when)
{
    int given;
    is_up = !strcmp(when, "up");
    if (!strcmp(when, "before"))
        return;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &given);
    if (is_up)
        make_session();
    if (!strcmp(when, "after"))
        MPI_Finalize();
}

/*
 * Runs a call in a separate process and returns the process's status. The process calls MPI_Init itself if when is not
 * NULL.
 */
static int run(int number, const char *when)
{
    int status = 0;
    make_file();
    const pid_t child = fork();
    if (!child) {
        alarm(SECONDS);
        if (when)
            bring(when);
        set_up(calls[number].function);
        const int code = calls[number].call();
        dprintf(1, "%s\n", calls[number].is_tool ? code ? "tool error" : "ok" : class_name(code));
        _exit(0);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* Prints the result of a call. */
static void try(int number, const char *when)
{
    dprintf(1, "%d %s %s: ", number, calls[number].function, calls[number].null);
    int status = 0, attempts = 0;
    do
        status = run(number, when);
    while (WIFEXITED(status) && WEXITSTATUS(status) == NO_OBJECT && ++attempts < most_attempts);
    if (attempts == most_attempts)
        dprintf(1, "no object\n");
    else if (WIFSIGNALED(status) || WEXITSTATUS(status))
        dprintf(1, "died\n");
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: nulls WHEN FIRST ATTEMPTS [each]\n");
        return 2;
    }
    const struct rlimit none = {0, 0};
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int given;
    setrlimit(RLIMIT_CORE, &none);
    MPI_Get_library_version(version, &given); /* the front loads the library here, and not in the process of each call */
    is_each = argc > 4;
    most_attempts = atoi(argv[3]);
    if (!is_each)
        bring(argv[1]);
    for (int i = atoi(argv[2]); calls[i].function; i++)
        try(i, is_each ? argv[1] : NULL);
    dprintf(1, "done\n");
    _exit(0); /* without MPI_Finalize, because children have changed the launcher's state */
}
