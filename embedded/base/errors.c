/*
 * Errors (MPI-5.0, 9.3): their texts, and the call of error handlers. Each thread keeps the text of
 * its latest error, which a handler prints that ends the job.
 */
#include "entry.h"
#include "pool.h"
#include "functions.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../shim/emulate/error_texts.h"

/* The latest error of the thread. */
static _Thread_local struct {
    char text[256];
    struct comm *comm; /* the communicator of a failed request, which the function does not have; or NULL */
} latest;

int em_error(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(latest.text, sizeof latest.text, format, arguments);
    va_end(arguments);
    return code;
}

void em_error_of(struct comm *comm) { latest.comm = comm; }

/* Writes the message of a fatal error and ends the job. */
static void end_job(const char *object, int code, const char *function) __attribute__((noreturn));
static void end_job(const char *object, int code, const char *function)
{
    char string[MPI_MAX_ERROR_STRING], message[sizeof latest.text + MPI_MAX_ERROR_STRING + 256];
    int length;
    em_Error_string(code, string, &length);
    snprintf(message, sizeof message, "%s%s%s in %s on %s", string, *latest.text ? ": " : "", latest.text, function, object);
    MPID_Abort(NULL, code, function, message);
}

/* Returns the error handler of an object with one more reference, because another thread may
 * replace it. */
static struct errhandler *hold_errhandler(struct errhandler **of)
{
    MPID_THREAD_DS_LOCK(&em->properties, em->threads);
    struct errhandler *errhandler = *of;
    em_retain(&errhandler->head);
    MPID_THREAD_DS_UNLOCK(&em->properties, em->threads);
    return errhandler;
}

/* Returns the communicator of an error without one. */
static struct comm *default_comm(void)
{
    struct errhandler *handler = hold_errhandler(&em->self->errhandler);
    bool fatal = handler == em->fatal;
    em_errhandler_release(handler);
    return fatal ? em->world : em->self; /* programs of MPI-3.1 expect the handler of MPI_COMM_WORLD */
}

/* Reports whether the function of a handler has to be called. Otherwise the handler is MPI_ERRORS_RETURN; another
 * predefined handler, or NULL, ends the job. object is the name of the object with the error. */
static bool has_function(const struct errhandler *handler, const char *object, int code, const char *function)
{
    bool returns = handler && handler->action == (int)NUMBER(MPI_ERRORS_RETURN);
    if (!returns && (!handler || handler->action))
        end_job(object, code, function);
    latest.text[0] = '\0';
    return !returns;
}

int em_raise(struct comm *comm, int code, const char *function)
{
    if (!comm)
        comm = latest.comm;
    latest.comm = NULL;
    if (!comm && atomic_load_explicit(&em->phase, memory_order_relaxed) == RUNNING)
        comm = default_comm();
    struct errhandler *handler = comm ? hold_errhandler(&comm->errhandler) : em->fatal;
    if (!has_function(handler, comm ? comm->name : "no communicator", code, function))
        return code;
    MPI_Comm handle = em_comm_handle(comm);
    int passed = code;
    handler->function.of_comm(&handle, &passed);
    em_errhandler_release(handler);
    return code;
}

int em_raise_file(int code, const char *function)
{
    struct errhandler *handler = hold_errhandler(&em->file_errhandler);
    if (!has_function(handler, "MPI_FILE_NULL", code, function))
        return code;
    MPI_File handle = MPI_FILE_NULL;
    int passed = code;
    handler->function.of_file(&handle, &passed);
    em_errhandler_release(handler);
    return code;
}

int em_device_error(int err)
{
    switch (err) {
    case MPIR_ERR_PEER:
        return em_error(MPI_ERR_PROC_ABORTED, "a rank of the job has ended");
    case MPIR_ERR_NOT_READY:
        return em_error(MPI_ERR_OTHER, "a ready send found no posted receive");
    case MPIR_ERR_EXHAUSTED:
        return em_error(MPI_ERR_NO_MEM, "no memory for a message");
    case MPIR_ERR_TRUNCATE:
        return em_error(MPI_ERR_TRUNCATE, "the message is longer than the receive buffer");
    case MPIR_ERR_CANCELLED:
        return MPI_SUCCESS;
    }
    return err; /* the others are classes of the standard */
}

int em_object_error(int err, const char *needed_for)
{
    if (err == MPIR_ERR_ARG)
        return em_error(MPI_ERR_OTHER, "the program has closed the descriptor of the job's shared memory, which is needed for %s; close only descriptors that the program has opened", needed_for);
    if (err == MPIR_ERR_EXHAUSTED)
        return em_error(MPI_ERR_NO_MEM, "no memory for %s; raise the limits of memory (ulimit -v), or start fewer ranks", needed_for);
    return em_device_error(err);
}

int em_null_name(const char *null, char *name, int *resultlen)
{
    *resultlen = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", null);
    return MPI_SUCCESS;
}

int em_not_running(const char *function)
{
    if (atomic_load(&em->phase) == FORKED) {
        fprintf(stderr, "wi4go: %s is called in a process that a rank has forked, where only local functions of MPI work: call it in the rank itself\n", function);
        _exit(MPI_ERR_OTHER);
    }
    bool finalized = atomic_load(&em->phase) == FINALIZED;
    fprintf(stderr, "wi4go: %s is called %s: call it between the two\n", function, finalized ? "after MPI_Finalize" : "before MPI_Init");
    if (!finalized || !MPID_MyWorldSize)
        exit(MPI_ERR_OTHER);
    abort();
}

const char *em_instead(void)
{
    const char *const words = getenv("WI4GO_INSTEAD"); /* internal/launch/another.go */
    return words && *words ? words : "`wi4go list` shows the installed ones, and `wi4go get mpich` installs one";
}

/* Reports once that the program has called a function that the embedded MPI does not have. code is a text: the result. */
static void report_absent(const char *function, const char *code)
{
    static const char spawn[] = "MPI_Comm_spawn";
    if (!atomic_exchange(&em->missing_reported, true)) /* a program that ignores the error fails later, for another reason */
        fprintf(stderr, "wi4go: %s: not in the MPI library that this program runs on (embedded): the call fails with "
                        "%s; use another MPI: %s%s\n", function, code, em_instead(),
                strncmp(function, spawn, sizeof spawn - 1) ? "" : "; a pool of mpi4py.futures starts no processes if you "
                "start all of them with `wi4go run -n N python3 -m mpi4py.futures SCRIPT`");
}

int em_missing(struct comm *comm, const char *function)
{
    int code = em_raise(comm, em_error(MPI_ERR_UNSUPPORTED_OPERATION, "the embedded MPI does not have %s; use another MPI: %s", function, em_instead()), function);
    report_absent(function, "MPI_ERR_UNSUPPORTED_OPERATION");
    return code;
}

int em_missing_tool(const char *function)
{
    bool starts = !strcmp(function, "MPI_T_init_thread");
    report_absent(function, starts ? "MPI_T_ERR_CANNOT_INIT" : "MPI_T_ERR_NOT_INITIALIZED");
    return starts ? MPI_T_ERR_CANNOT_INIT : MPI_T_ERR_NOT_INITIALIZED;
}

/* ---- classes, codes, strings ---- */

static const struct {
    int code;
    const char *text;
} classes[] = {WI4GO_ERROR_TEXTS};

/* The first code of a program: above MPI_ERR_LASTCODE of every family. */
enum { FIRST_CODE = 0x40000000 };

/* Returns the index of a code of the program in em->codes, or -1. Needs the lock of em->codes. */
static int code_index(int code) { return code >= FIRST_CODE && code - FIRST_CODE < em->codes.n ? code - FIRST_CODE : -1; }

/* Returns the class of a code of the program, or -1. Copies its text if string is not NULL. */
static int class_of(int code, char *string)
{
    MPID_THREAD_DS_LOCK(&em->codes, em->threads);
    int i = code_index(code), class = i < 0 ? -1 : em->codes.code[i].class;
    if (i >= 0 && string)
        strcpy(string, em->codes.code[i].string);
    MPID_THREAD_DS_UNLOCK(&em->codes, em->threads);
    return class;
}

static const char *standard_text(int code)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].code == code)
            return classes[i].text;
    return NULL;
}

int em_Error_class(int errorcode, int *errorclass)
{
    int class = class_of(errorcode, NULL);
    *errorclass = class >= 0 ? class : standard_text(errorcode) ? errorcode : MPI_ERR_UNKNOWN;
    return MPI_SUCCESS;
}

int em_Error_string(int errorcode, char *string, int *resultlen)
{
    const char *text = standard_text(errorcode);
    if (text || class_of(errorcode, string) < 0)
        snprintf(string, MPI_MAX_ERROR_STRING, "%s", text ? text : standard_text(MPI_ERR_UNKNOWN));
    *resultlen = (int)strlen(string);
    return MPI_SUCCESS;
}

/* Adds a code of a class, which is the code itself for a new class. */
static int add_code(int class, int *result)
{
    MPID_THREAD_DS_LOCK(&em->codes, em->threads);
    void *codes = realloc(em->codes.code, ((size_t)em->codes.n + 1) * sizeof *em->codes.code);
    if (codes) {
        em->codes.code = codes;
        *result = FIRST_CODE + em->codes.n;
        em->codes.code[em->codes.n].code = *result;
        em->codes.code[em->codes.n].class = class ? class : *result;
        em->codes.code[em->codes.n].string[0] = '\0';
        em->codes.n++;
        em->predefined_attribute[MPI_LASTUSEDCODE - MPI_TAG_UB] = *result;
    }
    MPID_THREAD_DS_UNLOCK(&em->codes, em->threads);
    return codes ? MPI_SUCCESS : em_error(MPI_ERR_NO_MEM, "no memory for an error code");
}

int em_Add_error_class(int *errorclass) { return add_code(0, errorclass); }

int em_Add_error_code(int errorclass, int *errorcode)
{
    if (!standard_text(errorclass) && class_of(errorclass, NULL) != errorclass)
        return em_error(MPI_ERR_ARG, "%d is not an error class", errorclass);
    return add_code(errorclass, errorcode);
}

int em_Add_error_string(int errorcode, const char *string)
{
    MPID_THREAD_DS_LOCK(&em->codes, em->threads);
    int i = code_index(errorcode);
    if (i >= 0)
        snprintf(em->codes.code[i].string, MPI_MAX_ERROR_STRING, "%s", string);
    MPID_THREAD_DS_UNLOCK(&em->codes, em->threads);
    return i >= 0 ? MPI_SUCCESS : em_error(MPI_ERR_ARG, "%d is not an error code of the program", errorcode);
}

/* ---- error handlers ---- */

void em_errhandler_release(struct errhandler *errhandler)
{
    if (errhandler && em_drop(&errhandler->head))
        em_delete(ERRHANDLER, errhandler);
}

struct errhandler *em_errhandler_predefined(MPI_Errhandler handle)
{
    struct errhandler *errhandler = em_new(ERRHANDLER);
    if (!errhandler)
        return NULL;
    errhandler->head.predefined = true;
    errhandler->action = (int)NUMBER(handle);
    return errhandler;
}

static int create(struct errhandler new, MPI_Errhandler *handle)
{
    struct errhandler *errhandler = em_new(ERRHANDLER);
    if (!errhandler)
        return em_error(MPI_ERR_NO_MEM, "no memory for an error handler");
    errhandler->kind = new.kind;
    errhandler->function = new.function;
    *handle = (MPI_Errhandler)errhandler;
    return MPI_SUCCESS;
}

int em_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *handle)
{
    return create((struct errhandler){.kind = OF_COMM, .function.of_comm = function}, handle);
}

int em_File_create_errhandler(MPI_File_errhandler_function *function, MPI_Errhandler *handle)
{
    return create((struct errhandler){.kind = OF_FILE, .function.of_file = function}, handle);
}

int em_Win_create_errhandler(MPI_Win_errhandler_function *function, MPI_Errhandler *handle)
{
    return create((struct errhandler){.kind = OF_WINDOW, .function.of_window = function}, handle);
}

/* MPI-3.0 removed it, and its type of function. */
int em_Errhandler_create(MPI_Comm_errhandler_function *function, MPI_Errhandler *handle) { return em_Comm_create_errhandler(function, handle); }

/* Replaces the error handler of an object, whose kind the new one must have. */
static int set(struct errhandler **of, int kind, struct errhandler *errhandler)
{
    if (errhandler->kind && errhandler->kind != kind)
        return em_error(MPI_ERR_ERRHANDLER, "errhandler is not one of %s", kind == OF_COMM ? "communicators" : "files");
    em_retain(&errhandler->head);
    MPID_THREAD_DS_LOCK(&em->properties, em->threads);
    struct errhandler *before = *of;
    *of = errhandler;
    MPID_THREAD_DS_UNLOCK(&em->properties, em->threads);
    em_errhandler_release(before);
    return MPI_SUCCESS;
}

int em_Comm_set_errhandler(struct comm *comm, struct errhandler *errhandler) { return set(&comm->errhandler, OF_COMM, errhandler); }

void em_errhandler_inherit(struct comm *comm, struct comm *parent)
{
    struct errhandler *errhandler = hold_errhandler(&parent->errhandler);
    em_Comm_set_errhandler(comm, errhandler);
    em_errhandler_release(errhandler);
}

int em_Comm_get_errhandler(struct comm *comm, MPI_Errhandler *handle)
{
    *handle = em_errhandler_handle(hold_errhandler(&comm->errhandler)); /* the handle owns the reference */
    return MPI_SUCCESS;
}

int em_Comm_call_errhandler(struct comm *comm, int errorcode)
{
    em_raise(comm, errorcode, "MPI_Comm_call_errhandler");
    return MPI_SUCCESS;
}

/* There is no other file than MPI_FILE_NULL, whose handler is the default one of files (MPI-5.0, 14.7). */
static int check_file(MPI_File file) { return file == MPI_FILE_NULL ? MPI_SUCCESS : em_error(MPI_ERR_FILE, "file is not a valid file"); }

int em_File_set_errhandler(MPI_File file, struct errhandler *errhandler)
{
    int err = check_file(file);
    return err ? err : set(&em->file_errhandler, OF_FILE, errhandler);
}

int em_File_get_errhandler(MPI_File file, MPI_Errhandler *handle)
{
    int err = check_file(file);
    if (!err)
        *handle = em_errhandler_handle(hold_errhandler(&em->file_errhandler)); /* the handle owns the reference */
    return err;
}

int em_File_call_errhandler(MPI_File file, int errorcode)
{
    int err = check_file(file);
    if (!err)
        em_raise_file(errorcode, "MPI_File_call_errhandler");
    return err;
}

int em_Errhandler_free(MPI_Errhandler *handle)
{
    struct errhandler *errhandler = em_errhandler_of(*handle);
    if (!errhandler)
        return em_error(MPI_ERR_ERRHANDLER, "errhandler is not a valid error handler");
    em_errhandler_release(errhandler);
    *handle = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}
