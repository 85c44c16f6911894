/*
 * Functions of the program that the runtime calls. While one runs, its thread counts as outside
 * of MPI (thunk.h), because calls that it makes are the program's.
 *
 * The functions of generalized requests and data representations come with a user pointer, in
 * which the runtime gets a struct of the front. Operations and error handlers have no user
 * pointer, so each function gets a trampoline (front.h), which passes a struct wi4go_callback
 * as the last argument.
 *
 * Ownership: a struct grequest is freed with its request. A data representation, a trampoline
 * and the entries of the three lists below are never freed; an entry is reused when the runtime
 * returns its handle for a new object.
 *
 * Locking: each list has its own mutex (deferred_mutex, object_errhandlers_mutex,
 * file_errhandlers_mutex), and missing_errhandlers_mutex protects the creation of the handlers in
 * `missing_errhandlers`.
 *
 * Gives: MPI_Op_create, MPI_Comm_create_errhandler and their kind; cxx.
 * Needs: pair.h, errors.h, handles.h, last_created.h, layout.h, request_handles.h,
 * status.h, thunk.h.
 */
#ifndef WI4GO_CALLBACKS_H
#define WI4GO_CALLBACKS_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "last_created.h"
#include "layout.h"
#include "request_handles.h"
#include "status.h"
#include "thunk.h"
#include <pthread.h>

/* ---- reduction operations, MPI-5.0, 6.9.5 ---- */

typedef void user_function(void *, void *, void *, A_MPI_Datatype *);

/* Calls the program's reduction function for the runtime. len points to an int, or to an
   MPI_Count if MPI_Op_create_c made the operation. */
static void call_operation(void *in, void *inout, void *len, R_MPI_Datatype *datatype, void *unused, const struct wi4go_callback *c)
{
    (void)unused;
    int transient;
    A_MPI_Datatype a = DATATYPE_r2a_callback(*datatype, &transient);
    ((user_function *)c->call)(in, inout, len, &a);
    if (unlikely(transient))
        DATATYPE_drop(a);
}

#if A_CXX_OBJECTS
/*
 * Operations of Open MPI's C++ bindings. MPI_Op_create gets the same function for all of them;
 * the bindings give each its own function afterwards. A struct deferred_operation is in one of
 * three states:
 *
 *   deferred  op_defer has returned its address to the program as the handle; the runtime has
 *             no operation yet; the struct is in no list
 *   defined   define_operation has created the runtime's operation; the struct is in
 *             defined_operations
 *   unused    the runtime has returned the same handle for a later operation, so this one has
 *             ended; the struct is in unused_operations and op_defer may reuse it
 */
struct deferred_operation {
    struct predefined_storage handle; /* begins like a predefined handle, so OP_a2r reads it */
    int commute;                      /* the argument of MPI_Op_create */
    struct deferred_operation *next;  /* in its list */
};
static struct deferred_operation *defined_operations, *unused_operations;
static pthread_mutex_t deferred_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Writes the handle of a deferred operation to *op. Returns MPI_ERR_NO_MEM without memory. */
static int op_defer(int commute, A_MPI_Op *op)
{
    pthread_mutex_lock(&deferred_mutex);
    struct deferred_operation *d = unused_operations;
    if (d)
        unused_operations = d->next;
    pthread_mutex_unlock(&deferred_mutex);
    if (!d && !(d = malloc(sizeof *d)))
        return A_MPI_ERR_NO_MEM;
    *d = (struct deferred_operation){{MAGIC(KIND_OP), KIND_OP, (int64_t)R_MPI_OP_NULL, 0}, commute, NULL};
    *op = (A_MPI_Op)(intptr_t)d;
    return 0;
}

/* Gives a deferred operation its function and creates the runtime's operation. op is the handle
   that op_defer wrote. Ends the process if it is not, or if the runtime refuses. */
static void define_operation(long op, void *function)
{
    struct deferred_operation *d = (void *)op;
    R_MPI_Op r_op = R_MPI_OP_NULL;
    if (op < LOWEST_ADDRESS || d->handle.magic != MAGIC(KIND_OP))
        wi4go_die("MPI::Op::Init: %#lx is not an operation that it has created", op);
    void *trampoline = wi4go_trampoline(OPERATION, function, (void *)call_operation);
    if (!trampoline || R_MPI_Op_create(trampoline, d->commute, &r_op))
        wi4go_die("MPI::Op::Init: the MPI library has not created the operation");
    pthread_mutex_lock(&deferred_mutex);
    for (struct deferred_operation **p = &defined_operations; *p;) {
        struct deferred_operation *former = *p;
        if (former->handle.runtime == (int64_t)r_op) {
            *p = former->next;
            former->next = unused_operations;
            unused_operations = former;
        } else {
            p = &former->next;
        }
    }
    d->handle.runtime = (int64_t)r_op;
    d->next = defined_operations;
    defined_operations = d;
    pthread_mutex_unlock(&deferred_mutex);
}
#endif

/* Creates an operation by a function of the runtime. Returns the program's error code. */
static inline __attribute__((always_inline)) int op_create(R_MPI_Op_create_t *create, void *user_fn, int commute, A_MPI_Op *op)
{
    R_MPI_Op r_op = R_MPI_OP_NULL;
#if A_CXX_OBJECTS
    if (unlikely(op && wi4go_is_cxx_intercept(user_fn)))
        return op_defer(commute, op);
#endif
    void *function = user_fn ? wi4go_trampoline(OPERATION, user_fn, (void *)call_operation) : NULL;
    int rc = create(function, commute, op ? &r_op : NULL);
    if (unlikely(rc))
        return error_r2a(rc);
    *op = OP_r2a(r_op);
    note_last_created(*op, function);
    return 0;
}

static int A_MPI_Op_create(void *user_fn, int commute, A_MPI_Op *op) { return op_create(R_MPI_Op_create, user_fn, commute, op); }
static int A_MPI_Op_create_c(void *user_fn, int commute, A_MPI_Op *op) { return op_create((R_MPI_Op_create_t *)R_MPI_Op_create_c, user_fn, commute, op); }

/* ---- error handlers, MPI-5.0, 9.3 ---- */

/*
 * MPICH's C++ bindings call the object's error handler for every error that a call returns.
 * Natively a call returns no error if the handler is a C++ function, because the library has
 * called that already. Here the call returns the error all the same, so the bindings would call
 * the handler a second time. To prevent that, reported_error holds the error for which a C++
 * handler of this thread was just called. The next call of a handler is skipped if it is for that
 * error, or for MPI_ERR_IN_STATUS, into which the library may turn it.
 */
#if A_LANGUAGE_HOOKS
static __thread int reported_error __attribute__((tls_model("initial-exec"))); /* the program's code, or 0 */

/* Reports whether the C++ handler was already called for the error. Clears reported_error. */
static int is_reported(int code)
{
    const int former = reported_error;
    reported_error = 0;
    return former && (code == former || code == A_MPI_ERR_IN_STATUS);
}
/* Reports whether a callback is C++: shim/front/mpich.c has then interposed a proxy. */
#define IS_CXX(c) ((c)->call != (c)->function)
#else
static int reported_error;
#define is_reported(code) 0
#define IS_CXX(c) 0
#endif

static void errhandler_reused(R_MPI_Errhandler r);
static void file_errhandler_enter(R_MPI_Errhandler r, void *trampoline);

/* Defines, for a kind of object, the error handler that the runtime calls, and the function
   that creates one. The handler converts the object and the error code both ways, except that
   it ignores the code that a C++ handler leaves. number is the enum wi4go_callback_kind. */
#define ERROR_HANDLER(name, KIND, Type, number) \
    typedef void name##_function(A_##Type *, int *, ...); \
    static void name(R_##Type *object, int *code, void *x, void *y, void *z, const struct wi4go_callback *c) \
    { \
        (void)x, (void)y, (void)z; \
        int transient, a_code = error_r2a(*code); \
        A_##Type a = KIND##_r2a_callback(*object, &transient); \
        ((name##_function *)c->call)(&a, &a_code, ""); \
        if (IS_CXX(c)) \
            reported_error = error_r2a(*code); \
        else \
            *code = error_a2r(a_code); \
        if (unlikely(transient)) \
            KIND##_drop(a); \
    } \
    static int name##_create(int (*create)(void *, R_MPI_Errhandler *), void *function, A_MPI_Errhandler *errhandler) \
    { \
        R_MPI_Errhandler r = R_MPI_ERRHANDLER_NULL; \
        void *trampoline = function ? wi4go_trampoline(number, function, (void *)name) : NULL; \
        int rc = create(trampoline, errhandler ? &r : NULL); \
        if (unlikely(rc)) \
            return error_r2a(rc); \
        errhandler_reused(r); \
        if (number == FILE_HANDLER) \
            file_errhandler_enter(r, trampoline); \
        *errhandler = ERRHANDLER_r2a(r); \
        note_last_created(*errhandler, trampoline); \
        return 0; \
    }

ERROR_HANDLER(comm_handler, COMM, MPI_Comm, COMM_HANDLER)
ERROR_HANDLER(win_handler, WIN, MPI_Win, WIN_HANDLER)
ERROR_HANDLER(file_handler, FILE, MPI_File, FILE_HANDLER)
ERROR_HANDLER(session_handler, SESSION, MPI_Session, SESSION_HANDLER)

static int A_MPI_Comm_create_errhandler(void *comm_errhandler_fn, A_MPI_Errhandler *errhandler)
{
    return comm_handler_create(R_MPI_Comm_create_errhandler, comm_errhandler_fn, errhandler);
}
static int A_MPI_Errhandler_create(void *comm_errhandler_fn, A_MPI_Errhandler *errhandler)
{
    return comm_handler_create(R_MPI_Comm_create_errhandler, comm_errhandler_fn, errhandler);
}
static int A_MPI_Win_create_errhandler(void *win_errhandler_fn, A_MPI_Errhandler *errhandler)
{
    return win_handler_create(R_MPI_Win_create_errhandler, win_errhandler_fn, errhandler);
}
static int A_MPI_File_create_errhandler(void *file_errhandler_fn, A_MPI_Errhandler *errhandler)
{
    return file_handler_create(R_MPI_File_create_errhandler, file_errhandler_fn, errhandler);
}
static int A_MPI_Session_create_errhandler(void *session_errhandler_fn, A_MPI_Errhandler *errhandler)
{
    return session_handler_create(R_MPI_Session_create_errhandler, session_errhandler_fn, errhandler);
}

/* Creates an error handler of a function for a kind of object, by default a communicator.
   Returns the program's error code. */
static int errhandler_create(enum wi4go_object object, void *function, A_MPI_Errhandler *errhandler)
{
    switch (object) {
    case WI4GO_WIN: return A_MPI_Win_create_errhandler(function, errhandler);
    case WI4GO_FILE: return A_MPI_File_create_errhandler(function, errhandler);
    default: return A_MPI_Comm_create_errhandler(function, errhandler);
    }
}

#if A_CXX_OBJECTS
/*
 * Error handlers of Open MPI's C++ bindings. libmpi_cxx writes into the object to which a
 * handle points, so the program's handle must be the address of an object. When the runtime
 * returns the same handle for a later error handler, the struct becomes free, with the null
 * handle as its runtime handle.
 */
struct object_errhandler {
    union {
        struct predefined_storage handle;   /* begins like a predefined handle */
        char object[WI4GO_ERRHANDLER_SIZE]; /* the bytes that libmpi_cxx may write */
    };
    enum wi4go_object kind;                 /* never changes */
    struct object_errhandler *next;
};
static struct object_errhandler *object_errhandlers;
static pthread_mutex_t object_errhandlers_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Returns the struct of the runtime's handler r, or NULL. kind limits the search, unless it is
   WI4GO_NO_OBJECT. The caller holds object_errhandlers_mutex. */
static struct object_errhandler *object_errhandler_find(R_MPI_Errhandler r, enum wi4go_object kind)
{
    struct object_errhandler *o = object_errhandlers;
    while (o && (o->handle.runtime != (int64_t)r || (kind != WI4GO_NO_OBJECT && o->kind != kind)))
        o = o->next;
    return o;
}

/* Frees the struct of a handler that has ended, because the runtime has returned its handle r
   for a new one. */
static void errhandler_reused(R_MPI_Errhandler r)
{
    if (likely(!__atomic_load_n(&object_errhandlers, __ATOMIC_RELAXED)))
        return;
    pthread_mutex_lock(&object_errhandlers_mutex);
    struct object_errhandler *former = object_errhandler_find(r, WI4GO_NO_OBJECT);
    if (former)
        former->handle.runtime = (int64_t)R_MPI_ERRHANDLER_NULL;
    pthread_mutex_unlock(&object_errhandlers_mutex);
}

/* Creates an error handler of a C function for the C++ bindings. Returns the address of its
   object, which is its handle, or NULL if that fails. */
static void *create_errhandler(enum wi4go_object kind, void *function)
{
    A_MPI_Errhandler a;
    if (errhandler_create(kind, function, &a))
        return NULL;
    pthread_mutex_lock(&object_errhandlers_mutex);
    struct object_errhandler *o = object_errhandler_find(R_MPI_ERRHANDLER_NULL, kind);
    if (!o && (o = calloc(1, sizeof *o))) {
        o->kind = kind;
        o->next = object_errhandlers;
        o->handle.kind = KIND_ERRHANDLER;
        o->handle.magic = MAGIC(KIND_ERRHANDLER);
        __atomic_store_n(&object_errhandlers, o, __ATOMIC_RELEASE);
    }
    if (o)
        o->handle.runtime = (int64_t)ERRHANDLER_a2r(a);
    pthread_mutex_unlock(&object_errhandlers_mutex);
    return o;
}

/* Returns the program's handle of the runtime's error handler r. */
static A_MPI_Errhandler errhandler_r2a(R_MPI_Errhandler r)
{
    struct object_errhandler *o = NULL;
    if (unlikely(__atomic_load_n(&object_errhandlers, __ATOMIC_RELAXED))) {
        pthread_mutex_lock(&object_errhandlers_mutex);
        o = object_errhandler_find(r, WI4GO_NO_OBJECT);
        pthread_mutex_unlock(&object_errhandlers_mutex);
    }
    return o ? (A_MPI_Errhandler)(intptr_t)o : ERRHANDLER_r2a(r);
}
#else
static void errhandler_reused(R_MPI_Errhandler r) { (void)r; }
static A_MPI_Errhandler errhandler_r2a(R_MPI_Errhandler r) { return ERRHANDLER_r2a(r); }
#endif

/*
 * Predefined error handlers of the program that the runtime does not have: ERRORS_THROW throws
 * MPI::Exception (MPI-2.2, 16.1.8), and ERRORS_ABORT is MPI_ERRORS_ABORT (MPI-5.0, 9.3) on a
 * library older than that constant. For each kind of object the front creates a handler in the
 * runtime when it is first used, and never frees it.
 */
enum { ERRORS_THROW, ERRORS_ABORT, N_MISSING_ERRHANDLERS };
static R_MPI_Errhandler missing_errhandlers[N_MISSING_ERRHANDLERS][WI4GO_FILE + 1]; /* by kind of object, or 0 until created */
static pthread_mutex_t missing_errhandlers_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Returns the index in `missing_errhandlers` for a handle of the program, or N_MISSING_ERRHANDLERS. */
static int missing_errhandler_index(A_MPI_Errhandler a)
{
    if (unlikely((intptr_t)a == wi4go_throw_exceptions))
        return ERRORS_THROW;
    if (unlikely(a == A_MPI_ERRORS_ABORT) && ERRHANDLER_a2r(a) == ERRHANDLER_a2r(A_MPI_ERRORS_ARE_FATAL))
        return ERRORS_ABORT;
    return N_MISSING_ERRHANDLERS;
}

/* Prints the program's error code and aborts the processes of a communicator, as
   MPI_ERRORS_ABORT does. */
static void abort_on(R_MPI_Comm comm, int code)
{
    char text[1024] = ""; /* no family has a longer MPI_MAX_ERROR_STRING than 512 */
    int length;
    code = error_a2r(code);
    R_MPI_Error_string(code, text, &length);
    wi4go_print("the error handler is MPI_ERRORS_ABORT: %s", text);
    R_MPI_Abort(comm, code);
}
static void abort_comm(A_MPI_Comm *comm, int *code, ...) { abort_on(COMM_a2r(*comm), *code); }
static void abort_world(void *object, int *code, ...) { (void)object, abort_on(R_MPI_COMM_WORLD, *code); }

/* Returns the C function of a handler in `missing_errhandlers` for a kind of object. */
static void *missing_errhandler_function(int which, enum wi4go_object object)
{
    if (which == ERRORS_THROW)
        return wi4go_throwing_function(object);
    return object == WI4GO_WIN || object == WI4GO_FILE ? (void *)abort_world : (void *)abort_comm;
}

/* Writes the runtime's error handler to set on a kind of object for the program's. Creates it
   first if the runtime does not have it. Returns the program's error code. */
static int errhandler_a2r(A_MPI_Errhandler a, enum wi4go_object object, R_MPI_Errhandler *r)
{
    const int which = missing_errhandler_index(a);
    int rc = 0;
    if (likely(which == N_MISSING_ERRHANDLERS)) {
        *r = ERRHANDLER_a2r(a);
        return 0;
    }
    pthread_mutex_lock(&missing_errhandlers_mutex);
    if (!missing_errhandlers[which][object] && !(rc = errhandler_create(object, missing_errhandler_function(which, object), &a)))
        __atomic_store_n(&missing_errhandlers[which][object], ERRHANDLER_a2r(a), __ATOMIC_RELAXED);
    *r = missing_errhandlers[which][object];
    pthread_mutex_unlock(&missing_errhandlers_mutex);
    return rc;
}

/* Returns the index in `missing_errhandlers` of the runtime's error handler r, or
   N_MISSING_ERRHANDLERS. */
static int missing_errhandler_of(R_MPI_Errhandler r, enum wi4go_object object)
{
    int which = 0;
    for (; which < N_MISSING_ERRHANDLERS; which++) {
        R_MPI_Errhandler made = __atomic_load_n(&missing_errhandlers[which][object], __ATOMIC_RELAXED);
        if (unlikely(made && r == made))
            break;
    }
    return which;
}

/* Returns the program's handle of an error handler that the runtime has returned with a
   reference. The reference to a handler in `missing_errhandlers` is given back, because the program
   does not free a predefined handler. */
static A_MPI_Errhandler errhandler_r2a_owned(R_MPI_Errhandler r, enum wi4go_object object)
{
    const int which = missing_errhandler_of(r, object);
    if (likely(which == N_MISSING_ERRHANDLERS))
        return errhandler_r2a(r);
    R_MPI_Errhandler_free(&r);
    return which == ERRORS_ABORT ? A_MPI_ERRORS_ABORT : (A_MPI_Errhandler)wi4go_throw_exceptions;
}

/* Defines the functions that set and get the error handler of a kind of object. */
#define ERRHANDLER_OF(Type, KIND) \
    static int A_##Type##_set_errhandler(A_##Type object, A_MPI_Errhandler errhandler) \
    { \
        R_##Type r_object = KIND##_a2r(object); \
        R_MPI_Errhandler r; \
        int rc = errhandler_a2r(errhandler, WI4GO_##KIND, &r); \
        if (unlikely(rc)) \
            return rc; \
        rc = R_##Type##_set_errhandler(r_object, r); \
        return unlikely(rc) ? error_r2a(rc) : 0; \
    } \
    static int A_##Type##_get_errhandler(A_##Type object, A_MPI_Errhandler *errhandler) \
    { \
        R_##Type r_object = KIND##_a2r(object); \
        R_MPI_Errhandler r; \
        int rc = R_##Type##_get_errhandler(r_object, errhandler ? &r : NULL); \
        if (unlikely(rc)) \
            return error_r2a(rc); \
        if (errhandler) \
            *errhandler = errhandler_r2a_owned(r, WI4GO_##KIND); \
        return 0; \
    }
ERRHANDLER_OF(MPI_Comm, COMM)
ERRHANDLER_OF(MPI_Win, WIN)
ERRHANDLER_OF(MPI_File, FILE)

/* Takes the reference that closing the file r will give back. MPICH counts no reference for the
   error handler that a file inherits from MPI_FILE_NULL, but gives one back when the file is
   closed, which would free a handler in `missing_errhandlers`. The reference is the result of
   MPI_File_get_errhandler; it is given back at once for any other handler. */
static void file_errhandler_retain(R_MPI_File r)
{
#if R_FILE_HANDLER_UNCOUNTED
    R_MPI_Errhandler handler;
    if (likely(!missing_errhandlers[ERRORS_THROW][WI4GO_FILE] && !missing_errhandlers[ERRORS_ABORT][WI4GO_FILE]))
        return;
    if (R_MPI_File_get_errhandler(r, &handler) == R_MPI_SUCCESS && missing_errhandler_of(handler, WI4GO_FILE) == N_MISSING_ERRHANDLERS)
        R_MPI_Errhandler_free(&handler);
#endif
    (void)r;
}

static int A_MPI_File_close(A_MPI_File *fh)
{
    R_MPI_File r = fh ? FILE_a2r(*fh) : R_MPI_FILE_NULL;
    if (likely(fh))
        file_errhandler_retain(r);
    int rc = R_MPI_File_close(fh ? &r : NULL);
    if (unlikely(rc))
        return error_r2a(rc);
    *fh = FILE_after(*fh, r);
    return 0;
}

static int A_MPI_Errhandler_set(A_MPI_Comm comm, A_MPI_Errhandler errhandler) { return A_MPI_Comm_set_errhandler(comm, errhandler); }
static int A_MPI_Errhandler_get(A_MPI_Comm comm, A_MPI_Errhandler *errhandler) { return A_MPI_Comm_get_errhandler(comm, errhandler); }

static int A_MPI_Errhandler_free(A_MPI_Errhandler *errhandler)
{
    if (unlikely(errhandler && missing_errhandler_index(*errhandler) != N_MISSING_ERRHANDLERS)) {
        *errhandler = A_MPI_ERRHANDLER_NULL;
        return 0;
    }
    R_MPI_Errhandler r = errhandler ? ERRHANDLER_a2r(*errhandler) : 0;
    int rc = R_MPI_Errhandler_free(errhandler && (R_HANDLE_BITS == 32 || r) ? &r : NULL);
    if (unlikely(rc))
        return error_r2a(rc);
    if (errhandler)
        *errhandler = ERRHANDLER_after(*errhandler, r);
    return 0;
}

#if R_FILE_NULL_REFUSED
/*
 * Error handlers of files. If a file cannot be opened, the error goes to the handler of
 * MPI_FILE_NULL (MPI-5.0, 14.7), which MPICH's C++ bindings call by MPI_File_call_errhandler.
 * Open MPI refuses MPI_FILE_NULL there, so the front keeps the trampolines of these handlers by
 * the runtime's handle, and calls them itself. If the runtime returns the same handle for a
 * later error handler, its trampoline replaces the former one.
 */
struct file_errhandler {
    R_MPI_Errhandler r;         /* the runtime's handle */
    void *trampoline;           /* the function that the runtime has for it, or NULL */
    struct file_errhandler *next;
};
static struct file_errhandler *file_errhandlers;
static pthread_mutex_t file_errhandlers_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Returns the entry of the runtime's handle, or NULL. The caller holds file_errhandlers_mutex. */
static struct file_errhandler *file_errhandler_find(R_MPI_Errhandler r)
{
    struct file_errhandler *k = file_errhandlers;
    while (k && k->r != r)
        k = k->next;
    return k;
}

/* Enters the trampoline of a new error handler of files. */
static void file_errhandler_enter(R_MPI_Errhandler r, void *trampoline)
{
    pthread_mutex_lock(&file_errhandlers_mutex);
    struct file_errhandler *k = file_errhandler_find(r);
    if (!k && (k = malloc(sizeof *k))) {
        *k = (struct file_errhandler){r, NULL, file_errhandlers};
        file_errhandlers = k;
    }
    if (k)
        k->trampoline = trampoline;
    pthread_mutex_unlock(&file_errhandlers_mutex);
}

/* Calls the error handler of MPI_FILE_NULL for the runtime's code: the program's function, or
   none for MPI_ERRORS_RETURN. For any other handler it aborts. Returns the runtime's code of
   the attempt. */
static int null_file_call_errhandler(int code)
{
    R_MPI_File null = R_MPI_FILE_NULL;
    R_MPI_Errhandler r;
    int rc = R_MPI_File_get_errhandler(null, &r);
    if (rc)
        return rc;
    pthread_mutex_lock(&file_errhandlers_mutex);
    struct file_errhandler *k = file_errhandler_find(r);
    void *trampoline = k ? k->trampoline : NULL;
    pthread_mutex_unlock(&file_errhandlers_mutex);
    int returns = r == (R_MPI_Errhandler)R_MPI_ERRORS_RETURN;
    R_MPI_Errhandler_free(&r);
    if (trampoline)
        ((void (*)(R_MPI_File *, int *, ...))trampoline)(&null, &code);
    else if (!returns)
        R_MPI_Abort((R_MPI_Comm)R_MPI_COMM_WORLD, code);
    return 0;
}
#else
static void file_errhandler_enter(R_MPI_Errhandler r, void *trampoline) { (void)r, (void)trampoline; }
#endif

/* Calls the error handler of a file, with the runtime's handle and codes. */
static int file_call_errhandler(R_MPI_File fh, int code)
{
#if R_FILE_NULL_REFUSED
    if (fh == R_MPI_FILE_NULL)
        return null_file_call_errhandler(code);
#endif
    return R_MPI_File_call_errhandler(fh, code);
}

/* Defines the function that calls the error handler of a kind of object, by an expression of
   the runtime's handle `r` and the runtime's `code`. */
#define CALL_ERRHANDLER(Type, KIND, call) \
    static int A_##Type##_call_errhandler(A_##Type object, int errorcode) \
    { \
        if (is_reported(errorcode)) \
            return 0; \
        R_##Type r = KIND##_a2r(object); \
        int code = error_a2r(errorcode), rc = call; \
        reported_error = 0; \
        return unlikely(rc) ? error_r2a(rc) : 0; \
    }
CALL_ERRHANDLER(MPI_Comm, COMM, R_MPI_Comm_call_errhandler(r, code))
CALL_ERRHANDLER(MPI_Win, WIN, R_MPI_Win_call_errhandler(r, code))
CALL_ERRHANDLER(MPI_File, FILE, file_call_errhandler(r, code))

/* ---- generalized requests, MPI-5.0, 13.2 ---- */

/* The program's functions of a generalized request; the runtime's extra state. */
struct grequest {
    void *query, *free, *cancel; /* the program's, or NULL */
    void *extra;                 /* the program's extra state */
    int fortran;                 /* 1: Fortran functions, with all arguments by reference and the error as the last one */
};

/* Calls the program's query function for the runtime. Returns the runtime's error code. */
static int grequest_query(void *state, R_MPI_Status *status)
{
    struct grequest *g = state;
    A_MPI_Status a;
    MPI_Fint error = 0;
    status_r2a_all(status, &a);
    int rc = OUTSIDE(g->fortran ? (((int (*)(void *, A_MPI_Status *, MPI_Fint *))g->query)(g->extra, &a, &error), error)
                                : ((int (*)(void *, A_MPI_Status *))g->query)(g->extra, &a));
    status_a2r(&a, status);
    return unlikely(rc) ? error_a2r(rc) : 0;
}

/* Calls the program's free function for the runtime, then frees the struct. Returns the
   runtime's error code. */
static int grequest_free(void *state)
{
    struct grequest *g = state;
    MPI_Fint error = 0;
    int rc = OUTSIDE(!g->free     ? 0
                     : g->fortran ? (((int (*)(void *, MPI_Fint *))g->free)(g->extra, &error), error)
                                  : ((int (*)(void *))g->free)(g->extra));
    free(g);
    return unlikely(rc) ? error_a2r(rc) : 0;
}

/* Calls the program's cancel function for the runtime. Returns the runtime's error code. */
static int grequest_cancel(void *state, int complete)
{
    struct grequest *g = state;
    MPI_Fint error = 0, f_complete = complete != 0;
    int rc = OUTSIDE(g->fortran ? (((int (*)(void *, const MPI_Fint *, MPI_Fint *))g->cancel)(g->extra, &f_complete, &error), error)
                                : ((int (*)(void *, int))g->cancel)(g->extra, complete));
    return unlikely(rc) ? error_a2r(rc) : 0;
}

/* Sets the cancelled flag of a status, as a query function does. Any flag but 0 is true. */
static int A_MPI_Status_set_cancelled(A_MPI_Status *status, int flag)
{
    R_MPI_Status r_status;
    if (!NO_STATUS(status))
        status_a2r(status, &r_status);
    int rc = R_MPI_Status_set_cancelled(NO_STATUS(status) ? NULL : &r_status, flag != 0);
    if (unlikely(rc))
        return error_r2a(rc);
    if (!NO_STATUS(status))
        status_r2a_all(&r_status, status);
    return 0;
}

#if A_LANGUAGE_HOOKS
/* The generalized request that this thread started last, for MPICH's Fortran library. */
static __thread struct grequest *last_grequest __attribute__((tls_model("initial-exec")));
#endif

static int A_MPI_Grequest_start(void *query_fn, void *free_fn, void *cancel_fn, void *extra_state, A_MPI_Request *request)
{
    struct grequest *g = malloc(sizeof *g);
    R_MPI_Request r = R_MPI_REQUEST_NULL;
    if (!g)
        return A_MPI_ERR_NO_MEM;
    *g = (struct grequest){query_fn, free_fn, cancel_fn, extra_state, 0};
    int rc = R_MPI_Grequest_start(query_fn ? (void *)grequest_query : NULL, (void *)grequest_free,
                                         cancel_fn ? (void *)grequest_cancel : NULL, g, request ? &r : NULL);
    if (unlikely(rc)) {
        free(g);
        return error_r2a(rc);
    }
    *request = REQUEST_r2a(r);
#if A_LANGUAGE_HOOKS
    last_grequest = g;
#endif
    return 0;
}

#if A_LANGUAGE_HOOKS
/* Marks the functions of the request that this thread started last as Fortran's. MPICH's
   Fortran library calls this right after MPI_Grequest_start. */
static void A_MPII_Grequest_set_lang_f77(A_MPI_Request request)
{
    (void)request;
    last_grequest->fortran = 1;
}
#endif

/* ---- data representations, MPI-5.0, 14.5.3: never unregistered ---- */

/* The program's functions of a data representation; the runtime's extra state. */
struct datarep {
    int (*extent)(A_MPI_Datatype, MPI_Aint *, void *);
    int (*read)(void *, A_MPI_Datatype, MPI_Count, void *, MPI_Offset, void *);
    int (*write)(void *, A_MPI_Datatype, MPI_Count, void *, MPI_Offset, void *);
    void *extra;
};

/* Calls one of the program's conversion functions for the runtime. Returns the runtime's error
   code. count is an int if MPI_Register_datarep was called; as a register argument it is
   widened here and narrowed by the callee. */
static int datarep_convert(int (*convert)(void *, A_MPI_Datatype, MPI_Count, void *, MPI_Offset, void *), const struct datarep *d,
                           void *userbuf, R_MPI_Datatype datatype, MPI_Count count, void *filebuf, MPI_Offset position)
{
    int transient;
    A_MPI_Datatype a = DATATYPE_r2a_callback(datatype, &transient);
    int rc = OUTSIDE(convert(userbuf, a, count, filebuf, position, d->extra));
    if (transient)
        DATATYPE_drop(a);
    return unlikely(rc) ? error_a2r(rc) : 0;
}

static int datarep_read(void *userbuf, R_MPI_Datatype datatype, MPI_Count count, void *filebuf, MPI_Offset position, void *state)
{
    const struct datarep *d = state;
    return datarep_convert(d->read, d, userbuf, datatype, count, filebuf, position);
}

static int datarep_write(void *userbuf, R_MPI_Datatype datatype, MPI_Count count, void *filebuf, MPI_Offset position, void *state)
{
    const struct datarep *d = state;
    return datarep_convert(d->write, d, userbuf, datatype, count, filebuf, position);
}

/* Calls the program's function for the extent of a datatype in a file. Returns the runtime's
   error code. */
static int datarep_extent(R_MPI_Datatype datatype, MPI_Aint *extent, void *state)
{
    const struct datarep *d = state;
    int transient;
    A_MPI_Datatype a = DATATYPE_r2a_callback(datatype, &transient);
    int rc = OUTSIDE(d->extent(a, extent, d->extra));
    if (transient)
        DATATYPE_drop(a);
    return unlikely(rc) ? error_a2r(rc) : 0;
}

/* Registers a data representation by a function of the runtime. The struct stays forever
   unless the call fails. Returns the program's error code. */
static int register_datarep(R_MPI_Register_datarep_t *call, const char *datarep, void *read, void *write, void *extent, void *extra)
{
    struct datarep *d = malloc(sizeof *d);
    if (!d)
        return A_MPI_ERR_NO_MEM;
    *d = (struct datarep){
        (int (*)(A_MPI_Datatype, MPI_Aint *, void *))extent,
        (int (*)(void *, A_MPI_Datatype, MPI_Count, void *, MPI_Offset, void *))read,
        (int (*)(void *, A_MPI_Datatype, MPI_Count, void *, MPI_Offset, void *))write,
        extra,
    };
    int rc = call(datarep, read ? (void *)datarep_read : NULL, write ? (void *)datarep_write : NULL,
                         extent ? (void *)datarep_extent : NULL, d);
    if (unlikely(rc)) {
        free(d);
        return error_r2a(rc);
    }
    return 0;
}

static int A_MPI_Register_datarep(const char *datarep, void *read_conversion_fn, void *write_conversion_fn, void *dtype_file_extent_fn, void *extra_state)
{
    return register_datarep(R_MPI_Register_datarep, datarep, read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state);
}
static int A_MPI_Register_datarep_c(const char *datarep, void *read_conversion_fn, void *write_conversion_fn, void *dtype_file_extent_fn, void *extra_state)
{
    return register_datarep((R_MPI_Register_datarep_t *)R_MPI_Register_datarep_c, datarep, read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state);
}
#endif
