/*
 * Functions of the program that the runtime calls, outside of the call (thunk.h). Those that come with a user
 * pointer of their own carry a record of ours in it; the others (operations, error
 * handlers) get a trampoline.
 *
 * Gives: MPI_Op_create, MPI_Comm_create_errhandler and their kind; cxx.
 * Needs: pair.h, errors.h, handles.h, last_made.h, layout.h, request_handles.h,
 * status.h, thunk.h.
 */
#ifndef WI4GO_CALLBACKS_H
#define WI4GO_CALLBACKS_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "last_made.h"
#include "layout.h"
#include "request_handles.h"
#include "status.h"
#include "thunk.h"
#include <pthread.h>

/* ---- reduction operations, MPI-5.0, 6.9.5 ---- */

typedef void user_function(void *, void *, void *, A_MPI_Datatype *);

/* len points to an int, or to an MPI_Count for MPI_Op_create_c. */
static void operation(void *in, void *inout, void *len, R_MPI_Datatype *datatype, void *unused, const struct wi4go_callback *c)
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
 * Operations of Open MPI's C++ bindings: MPI_Op_create gets one and the same
 * function for all of them, and what each computes is said afterwards. So the
 * handle is the address of a record, and the runtime's operation is made then.
 * When the runtime gives an operation's handle out again, the record that had
 * it before is free.
 */
struct deferred_operation {
    struct predefined_storage handle;
    int commute;
    struct deferred_operation *next;
};
static struct deferred_operation *defined_operations, *unused_operations;
static pthread_mutex_t deferred_mutex = PTHREAD_MUTEX_INITIALIZER;

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

static void define_operation(long op, void *function)
{
    struct deferred_operation *d = (void *)op;
    R_MPI_Op r_op = R_MPI_OP_NULL;
    if (op < LOWEST_ADDRESS || d->handle.magic != MAGIC(KIND_OP))
        wi4go_die("MPI::Op::Init: %#lx is no operation that it has made", op);
    void *trampoline = wi4go_trampoline(OPERATION, function, (void *)operation);
    if (!trampoline || R_MPI_Op_create(trampoline, d->commute, &r_op))
        wi4go_die("MPI::Op::Init: the MPI library has not made the operation");
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

static inline __attribute__((always_inline)) int op_create(R_MPI_Op_create_t *create, void *user_fn, int commute, A_MPI_Op *op)
{
    R_MPI_Op r_op = R_MPI_OP_NULL;
#if A_CXX_OBJECTS
    if (unlikely(op && wi4go_shared_operation(user_fn)))
        return op_defer(commute, op);
#endif
    void *function = user_fn ? wi4go_trampoline(OPERATION, user_fn, (void *)operation) : NULL;
    int rc = create(function, commute, op ? &r_op : NULL);
    if (unlikely(rc))
        return error_r2a(rc);
    *op = OP_r2a(r_op);
    made_last(*op, function);
    return 0;
}

static int A_MPI_Op_create(void *user_fn, int commute, A_MPI_Op *op) { return op_create(R_MPI_Op_create, user_fn, commute, op); }
static int A_MPI_Op_create_c(void *user_fn, int commute, A_MPI_Op *op) { return op_create((R_MPI_Op_create_t *)R_MPI_Op_create_c, user_fn, commute, op); }

/* ---- error handlers, MPI-5.0, 9.3 ---- */

/*
 * MPICH's C++ bindings call the object's error handler for whatever error a call
 * returns: natively it returns none where the handler is a C++ one, which then has
 * been called. Here the error is returned all the same, and theirs would be the
 * second call. So this is the error that such a handler of this thread has just
 * been called for; the next call for it, or for MPI_ERR_IN_STATUS, to which the
 * library may turn it, is left out.
 */
#if A_LANGUAGE_HOOKS
static __thread int called_for __attribute__((tls_model("initial-exec")));
static int is_called_for(int code)
{
    const int former = called_for;
    called_for = 0;
    return former && (code == former || code == A_MPI_ERR_IN_STATUS);
}
#define IS_CXX(c) ((c)->call != (c)->function) /* shim/front/mpich.c is in between */
#else
static int called_for;
#define is_called_for(code) 0
#define IS_CXX(c) 0
#endif

static void errhandler_made(R_MPI_Errhandler r);
static void file_handler_made(R_MPI_Errhandler r, void *trampoline);

#define ERROR_HANDLER(name, KIND, Type, number) \
    typedef void name##_function(A_##Type *, int *, ...); \
    static void name(R_##Type *object, int *code, void *x, void *y, void *z, const struct wi4go_callback *c) \
    { \
        (void)x, (void)y, (void)z; \
        int transient, a_code = error_r2a(*code); \
        A_##Type a = KIND##_r2a_callback(*object, &transient); \
        ((name##_function *)c->call)(&a, &a_code, ""); \
        if (IS_CXX(c)) \
            called_for = error_r2a(*code); \
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
        errhandler_made(r); \
        if (number == FILE_HANDLER) \
            file_handler_made(r, trampoline); \
        *errhandler = ERRHANDLER_r2a(r); \
        made_last(*errhandler, trampoline); \
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

/* Of an error handler function, one for the kind of object. */
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
 * Error handlers of Open MPI's C++ bindings: libmpi_cxx writes into the object
 * behind the handle, so the handle is the address of one. When the runtime
 * gives its handle out again, the object that had it before is free.
 */
struct object_errhandler {
    union {
        struct predefined_storage handle;
        char object[WI4GO_ERRHANDLER_SIZE];
    };
    enum wi4go_object kind;
    struct object_errhandler *next;
};
static struct object_errhandler *object_errhandlers;
static pthread_mutex_t object_mutex = PTHREAD_MUTEX_INITIALIZER;

/* The object of the runtime's handler r, of any kind for WI4GO_NO_OBJECT. */
static struct object_errhandler *object_find(R_MPI_Errhandler r, enum wi4go_object kind)
{
    struct object_errhandler *o = object_errhandlers;
    while (o && (o->handle.runtime != (int64_t)r || (kind != WI4GO_NO_OBJECT && o->kind != kind)))
        o = o->next;
    return o;
}

static void errhandler_made(R_MPI_Errhandler r)
{
    if (likely(!__atomic_load_n(&object_errhandlers, __ATOMIC_RELAXED)))
        return;
    pthread_mutex_lock(&object_mutex);
    struct object_errhandler *former = object_find(r, WI4GO_NO_OBJECT);
    if (former)
        former->handle.runtime = (int64_t)R_MPI_ERRHANDLER_NULL;
    pthread_mutex_unlock(&object_mutex);
}

static void *create_errhandler(enum wi4go_object kind, void *function)
{
    A_MPI_Errhandler a;
    if (errhandler_create(kind, function, &a))
        return NULL;
    pthread_mutex_lock(&object_mutex);
    struct object_errhandler *o = object_find(R_MPI_ERRHANDLER_NULL, kind);
    if (!o && (o = calloc(1, sizeof *o))) {
        o->kind = kind;
        o->next = object_errhandlers;
        o->handle.kind = KIND_ERRHANDLER;
        o->handle.magic = MAGIC(KIND_ERRHANDLER);
        __atomic_store_n(&object_errhandlers, o, __ATOMIC_RELEASE);
    }
    if (o)
        o->handle.runtime = (int64_t)ERRHANDLER_a2r(a);
    pthread_mutex_unlock(&object_mutex);
    return o;
}

static A_MPI_Errhandler errhandler_r2a(R_MPI_Errhandler r)
{
    struct object_errhandler *o = NULL;
    if (unlikely(__atomic_load_n(&object_errhandlers, __ATOMIC_RELAXED))) {
        pthread_mutex_lock(&object_mutex);
        o = object_find(r, WI4GO_NO_OBJECT);
        pthread_mutex_unlock(&object_mutex);
    }
    return o ? (A_MPI_Errhandler)(intptr_t)o : ERRHANDLER_r2a(r);
}
#else
static void errhandler_made(R_MPI_Errhandler r) { (void)r; }
static A_MPI_Errhandler errhandler_r2a(R_MPI_Errhandler r) { return ERRHANDLER_r2a(r); }
#endif

/*
 * Error handlers of the program that the runtime does not have: the one that
 * throws MPI::Exception (MPI-2.2, 16.1.8), and MPI_ERRORS_ABORT (MPI-5.0, 9.3) on
 * a library older than it. Each is one of the runtime's for each kind of object,
 * made when first used and never freed.
 */
enum { THROWING, ABORTING, N_LACKING };
static R_MPI_Errhandler lacking[N_LACKING][WI4GO_FILE + 1];
static pthread_mutex_t lacking_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Which of them a handle of the program is, else N_LACKING. */
static int lacking_which(A_MPI_Errhandler a)
{
    if (unlikely((intptr_t)a == wi4go_throw_exceptions))
        return THROWING;
    if (unlikely(a == A_MPI_ERRORS_ABORT) && ERRHANDLER_a2r(a) == ERRHANDLER_a2r(A_MPI_ERRORS_ARE_FATAL))
        return ABORTING;
    return N_LACKING;
}

static void abort_on(R_MPI_Comm comm, int code)
{
    char text[1024] = ""; /* 512 are the most of any family */
    int length;
    code = error_a2r(code);
    R_MPI_Error_string(code, text, &length);
    wi4go_say("the error handler is MPI_ERRORS_ABORT: %s", text);
    R_MPI_Abort(comm, code);
}
static void abort_comm(A_MPI_Comm *comm, int *code, ...) { abort_on(COMM_a2r(*comm), *code); }
static void abort_world(void *object, int *code, ...) { (void)object, abort_on(R_MPI_COMM_WORLD, *code); }

static void *lacking_function(int which, enum wi4go_object object)
{
    if (which == THROWING)
        return wi4go_throwing_function(object);
    return object == WI4GO_WIN || object == WI4GO_FILE ? (void *)abort_world : (void *)abort_comm;
}

static R_MPI_Errhandler errhandler_a2r(A_MPI_Errhandler a, enum wi4go_object object)
{
    const int which = lacking_which(a);
    if (likely(which == N_LACKING))
        return ERRHANDLER_a2r(a);
    pthread_mutex_lock(&lacking_mutex);
    if (!lacking[which][object] && !errhandler_create(object, lacking_function(which, object), &a))
        __atomic_store_n(&lacking[which][object], ERRHANDLER_a2r(a), __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lacking_mutex);
    return lacking[which][object];
}

/* Which of them one of the runtime's has been made for, else N_LACKING. */
static int lacking_made(R_MPI_Errhandler r, enum wi4go_object object)
{
    int which = 0;
    for (; which < N_LACKING; which++) {
        R_MPI_Errhandler made = __atomic_load_n(&lacking[which][object], __ATOMIC_RELAXED);
        if (unlikely(made && r == made))
            break;
    }
    return which;
}

/* An error handler that the runtime has given out with a reference. */
static A_MPI_Errhandler errhandler_got(R_MPI_Errhandler r, enum wi4go_object object)
{
    const int which = lacking_made(r, object);
    if (likely(which == N_LACKING))
        return errhandler_r2a(r);
    R_MPI_Errhandler_free(&r);
    return which == ABORTING ? A_MPI_ERRORS_ABORT : (A_MPI_Errhandler)wi4go_throw_exceptions;
}

#define ERRHANDLER_OF(Type, KIND) \
    static int A_##Type##_set_errhandler(A_##Type object, A_MPI_Errhandler errhandler) \
    { \
        R_##Type r_object = KIND##_a2r(object); \
        R_MPI_Errhandler r = errhandler_a2r(errhandler, WI4GO_##KIND); \
        int rc = R_##Type##_set_errhandler(r_object, r); \
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
            *errhandler = errhandler_got(r, WI4GO_##KIND); \
        return 0; \
    }
ERRHANDLER_OF(MPI_Comm, COMM)
ERRHANDLER_OF(MPI_Win, WIN)
ERRHANDLER_OF(MPI_File, FILE)

/* MPICH counts no reference for the handler that a file has of MPI_FILE_NULL, and
   gives one back when the file is closed: of those above it gets one. */
static void file_handler_kept(R_MPI_File r)
{
#if R_FILE_HANDLER_UNCOUNTED
    R_MPI_Errhandler handler;
    if (likely(!lacking[THROWING][WI4GO_FILE] && !lacking[ABORTING][WI4GO_FILE]))
        return;
    if (R_MPI_File_get_errhandler(r, &handler) == R_MPI_SUCCESS && lacking_made(handler, WI4GO_FILE) == N_LACKING)
        R_MPI_Errhandler_free(&handler);
#endif
    (void)r;
}

static int A_MPI_File_close(A_MPI_File *fh)
{
    R_MPI_File r = fh ? FILE_a2r(*fh) : R_MPI_FILE_NULL;
    if (likely(fh))
        file_handler_kept(r);
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
    if (unlikely(errhandler && lacking_which(*errhandler) != N_LACKING)) {
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
 * Open MPI refuses MPI_FILE_NULL in MPI_File_call_errhandler, the object whose
 * handler is asked when a file cannot be opened (MPI-5.0, 14.7); MPICH's C++
 * bindings call it then. So the handlers of files are kept, by the runtime's
 * handle; one that it gives out again takes the place of the former.
 */
struct known_handler {
    R_MPI_Errhandler r;
    void *trampoline;
    struct known_handler *next;
};
static struct known_handler *known_handlers;
static pthread_mutex_t known_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct known_handler *known_find(R_MPI_Errhandler r)
{
    struct known_handler *k = known_handlers;
    while (k && k->r != r)
        k = k->next;
    return k;
}

static void file_handler_made(R_MPI_Errhandler r, void *trampoline)
{
    pthread_mutex_lock(&known_mutex);
    struct known_handler *k = known_find(r);
    if (!k && (k = malloc(sizeof *k))) {
        *k = (struct known_handler){r, NULL, known_handlers};
        known_handlers = k;
    }
    if (k)
        k->trampoline = trampoline;
    pthread_mutex_unlock(&known_mutex);
}

static int null_file_call_errhandler(int code)
{
    R_MPI_File null = R_MPI_FILE_NULL;
    R_MPI_Errhandler r;
    int rc = R_MPI_File_get_errhandler(null, &r);
    if (rc)
        return rc;
    pthread_mutex_lock(&known_mutex);
    struct known_handler *k = known_find(r);
    void *trampoline = k ? k->trampoline : NULL;
    pthread_mutex_unlock(&known_mutex);
    int returns = r == (R_MPI_Errhandler)R_MPI_ERRORS_RETURN;
    R_MPI_Errhandler_free(&r);
    if (trampoline)
        ((void (*)(R_MPI_File *, int *, ...))trampoline)(&null, &code);
    else if (!returns)
        R_MPI_Abort((R_MPI_Comm)R_MPI_COMM_WORLD, code);
    return 0;
}
#else
static void file_handler_made(R_MPI_Errhandler r, void *trampoline) { (void)r, (void)trampoline; }
#endif

static int file_call_errhandler(R_MPI_File fh, int code)
{
#if R_FILE_NULL_REFUSED
    if (fh == R_MPI_FILE_NULL)
        return null_file_call_errhandler(code);
#endif
    return R_MPI_File_call_errhandler(fh, code);
}

#define CALL_ERRHANDLER(Type, KIND, call) \
    static int A_##Type##_call_errhandler(A_##Type object, int errorcode) \
    { \
        if (is_called_for(errorcode)) \
            return 0; \
        R_##Type r = KIND##_a2r(object); \
        int code = error_a2r(errorcode), rc = call; \
        called_for = 0; \
        return unlikely(rc) ? error_r2a(rc) : 0; \
    }
CALL_ERRHANDLER(MPI_Comm, COMM, R_MPI_Comm_call_errhandler(r, code))
CALL_ERRHANDLER(MPI_Win, WIN, R_MPI_Win_call_errhandler(r, code))
CALL_ERRHANDLER(MPI_File, FILE, file_call_errhandler(r, code))

/* ---- generalized requests, MPI-5.0, 13.2 ---- */

struct grequest {
    void *query, *free, *cancel;
    void *extra;
    int fortran; /* the functions are Fortran's: all by reference, the error comes as the last argument */
};

static int grequest_query(void *record, R_MPI_Status *status)
{
    struct grequest *g = record;
    A_MPI_Status a;
    MPI_Fint error = 0;
    status_r2a_all(status, &a);
    int rc = OUTSIDE(g->fortran ? (((int (*)(void *, A_MPI_Status *, MPI_Fint *))g->query)(g->extra, &a, &error), error)
                                : ((int (*)(void *, A_MPI_Status *))g->query)(g->extra, &a));
    status_a2r(&a, status);
    return unlikely(rc) ? error_a2r(rc) : 0;
}

static int grequest_free(void *record)
{
    struct grequest *g = record;
    MPI_Fint error = 0;
    int rc = OUTSIDE(!g->free     ? 0
                     : g->fortran ? (((int (*)(void *, MPI_Fint *))g->free)(g->extra, &error), error)
                                  : ((int (*)(void *))g->free)(g->extra));
    free(g);
    return unlikely(rc) ? error_a2r(rc) : 0;
}

static int grequest_cancel(void *record, int complete)
{
    struct grequest *g = record;
    MPI_Fint error = 0, f_complete = complete != 0;
    int rc = OUTSIDE(g->fortran ? (((int (*)(void *, const MPI_Fint *, MPI_Fint *))g->cancel)(g->extra, &f_complete, &error), error)
                                : ((int (*)(void *, int))g->cancel)(g->extra, complete));
    return unlikely(rc) ? error_a2r(rc) : 0;
}

/* For a query function. Any flag but 0 is true. */
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
/* Of the request that this thread has made last: its functions are Fortran's. */
static void A_MPII_Grequest_set_lang_f77(A_MPI_Request request)
{
    (void)request;
    last_grequest->fortran = 1;
}
#endif

/* ---- data representations, MPI-5.0, 14.5.3: never unregistered ---- */

struct datarep {
    int (*extent)(A_MPI_Datatype, MPI_Aint *, void *);
    int (*read)(void *, A_MPI_Datatype, MPI_Count, void *, MPI_Offset, void *);
    int (*write)(void *, A_MPI_Datatype, MPI_Count, void *, MPI_Offset, void *);
    void *extra;
};

/* count is an int for MPI_Register_datarep; as a register argument it is
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

static int datarep_read(void *userbuf, R_MPI_Datatype datatype, MPI_Count count, void *filebuf, MPI_Offset position, void *record)
{
    const struct datarep *d = record;
    return datarep_convert(d->read, d, userbuf, datatype, count, filebuf, position);
}

static int datarep_write(void *userbuf, R_MPI_Datatype datatype, MPI_Count count, void *filebuf, MPI_Offset position, void *record)
{
    const struct datarep *d = record;
    return datarep_convert(d->write, d, userbuf, datatype, count, filebuf, position);
}

static int datarep_extent(R_MPI_Datatype datatype, MPI_Aint *extent, void *record)
{
    const struct datarep *d = record;
    int transient;
    A_MPI_Datatype a = DATATYPE_r2a_callback(datatype, &transient);
    int rc = OUTSIDE(d->extent(a, extent, d->extra));
    if (transient)
        DATATYPE_drop(a);
    return unlikely(rc) ? error_a2r(rc) : 0;
}

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
