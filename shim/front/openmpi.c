/* The exports of the Open MPI family beyond MPI functions: the predefined attribute callbacks
   (MPI-5.0, 7.7.2), under the names that its mpi.h gives them in C programs, and the functions
   that its C++ bindings import. */
#define _GNU_SOURCE
#include "affinity.h"
#include "front.h"
#include "fortran_callbacks.h"
#include <dlfcn.h>
#include <string.h>

/* Defines a copy callback that copies the attribute. */
#define COPIES(name, handle) \
    int name(handle object, int keyval, void *extra, void *in, void *out, int *flag); \
    int name(handle object, int keyval, void *extra, void *in, void *out, int *flag) \
    { \
        (void)object, (void)keyval, (void)extra; \
        *(void **)out = in; \
        *flag = 1; \
        return 0; \
    }
/* Defines a copy callback that copies nothing. */
#define COPIES_NOT(name, handle) \
    int name(handle object, int keyval, void *extra, void *in, void *out, int *flag); \
    int name(handle object, int keyval, void *extra, void *in, void *out, int *flag) \
    { \
        (void)object, (void)keyval, (void)extra, (void)in, (void)out; \
        *flag = 0; \
        return 0; \
    }
/* Defines a delete callback that does nothing. */
#define DELETES_NOT(name, handle) \
    int name(handle object, int keyval, void *value, void *extra); \
    int name(handle object, int keyval, void *value, void *extra) \
    { \
        (void)object, (void)keyval, (void)value, (void)extra; \
        return 0; \
    }
#define ALL(infix) \
    COPIES(OMPI_C_MPI##infix##_DUP_FN, void *) \
    COPIES_NOT(OMPI_C_MPI##infix##_NULL_COPY_FN, void *) \
    DELETES_NOT(OMPI_C_MPI##infix##_NULL_DELETE_FN, void *)

ALL(_COMM)
ALL(_TYPE)
ALL(_WIN)
ALL()

/*
 * The functions that libmpi_cxx.so.40 imports from the C library, and the one function of its own
 * that reads the inside of a communicator. This library exists in Open MPI 4 and earlier.
 */
#define HANDLER_WIN 2 /* from the enum of ompi_errhandler_create */
#define HANDLER_FILE 3
#define LANGUAGE_CXX 1

int PMPI_Abort(void *comm, int code);
int PMPI_Comm_call_errhandler(void *comm, int code);
int PMPI_Win_call_errhandler(void *win, int code);
int PMPI_File_call_errhandler(void *file, int code);
int PMPI_Comm_create_keyval(void *copy, void *remove, int *keyval, void *extra);
int PMPI_Type_create_keyval(void *copy, void *remove, int *keyval, void *extra);
int PMPI_Win_create_keyval(void *copy, void *remove, int *keyval, void *extra);
int PMPI_Comm_test_inter(void *comm, int *flag);
int PMPI_Topo_test(void *comm, int *status);
extern char ompi_mpi_comm_world[], ompi_mpi_comm_null[], ompi_mpi_file_null[], ompi_mpi_errors_throw_exceptions[];

/* ---- operations ---- */

#define INTERCEPT "ompi_mpi_cxx_op_intercept"
typedef void operation_intercept(void *in, void *inout, int *len, void **datatype, void *function);

static void *intercept; /* libmpi_cxx's function for all operations; NULL until it is seen */

int wi4go_is_cxx_intercept(void *function)
{
    static void *plain[64]; /* functions known not to be the intercept, by address */
    void **place = &plain[(uintptr_t)function / 16 % 64];
    Dl_info info;
    if (likely(__atomic_load_n(place, __ATOMIC_RELAXED) == function))
        return 0;
    if (function != intercept) {
        if (!dladdr(function, &info) || info.dli_saddr != function || strcmp(info.dli_sname, INTERCEPT)) {
            __atomic_store_n(place, function, __ATOMIC_RELAXED);
            return 0;
        }
        intercept = function;
    }
    return 1;
}

/* The handler of a C++ operation. Its callback holds the C++ function, and the intercept that calls
   it. */
static void call_cxx_intercept(void *in, void *inout, int *len, void **datatype, void *unused, const struct wi4go_callback *c)
{
    (void)unused;
    ((operation_intercept *)c->call)(in, inout, len, datatype, c->function);
}

/* Called by libmpi_cxx: sets the C++ function of an operation that was made with the intercept. */
HIDDEN void wi4go_builtin_ompi_op_set_cxx_callback(void *op, void *function);
void wi4go_builtin_ompi_op_set_cxx_callback(void *op, void *function)
{
    void *in_c = wi4go_trampoline(CXX_OPERATION, function, (void *)call_cxx_intercept);
    if (!in_c)
        wi4go_die("out of memory for an operation");
    wi4go_callback_of(in_c)->call = intercept;
    wi4go_pair->cxx->define_operation((long)op, in_c);
}

/* ---- attributes ---- */

/* Called by libmpi_cxx: makes a keyval. kind: 1 communicator, 2 datatype, 3 window. flags are the
   Fortran bindings', and are ignored. memory is freed with free() when the keyval is no longer
   used. Returns the error code, and the keyval in *keyval. */
HIDDEN int wi4go_builtin_ompi_attr_create_keyval(int kind, void *copy, void *remove, int *keyval, void *extra, int flags, void *memory);
int wi4go_builtin_ompi_attr_create_keyval(int kind, void *copy, void *remove, int *keyval, void *extra, int flags, void *memory)
{
    int (*const create[])(void *, void *, int *, void *) = {INNER(MPI_Comm_create_keyval), INNER(MPI_Type_create_keyval), INNER(MPI_Win_create_keyval)};
    (void)flags;
    int rc = create[kind - 1](copy, remove, keyval, extra);
    struct wi4go_keyval *k = rc ? NULL : wi4go_pair->cxx->keyval(*keyval);
    if (k)
        k->memory = memory;
    return rc;
}

/* Returns the class of the C++ bindings to which a communicator belongs: 1 intra, 2 inter, 3
   Cartesian, 4 graph; 0 for MPI_COMM_NULL. libmpi_cxx defines this function too, and reads Open
   MPI's own structure there; calls from callbacks of attributes reach this definition first. */
HIDDEN int wi4go_builtin_ompi_cxx_comm_get_type(void *comm);
int wi4go_builtin_ompi_cxx_comm_get_type(void *comm)
{
    int inter = 0, topology = 0;
    if (comm == ompi_mpi_comm_null)
        return 0;
    INNER(MPI_Topo_test)(comm, &topology);
    if (topology == 1 || topology == 2) /* MPI_CART, MPI_GRAPH */
        return topology + 2;
    INNER(MPI_Comm_test_inter)(comm, &inter);
    return inter ? 2 : 1;
}

/* ---- error handlers ---- */

/* Offsets of the functions in an error handler object of Open MPI 4. */
#define COMM_FUNCTION 0x58
#define FILE_FUNCTION 0x60
#define WIN_FUNCTION 0x68
#define CXX_DISPATCH 0x78

typedef void dispatch_function(void *object, int *code, const char *message, void *function);

/* The handler of a C++ error handler. Its callback holds the C++ function, and an error handler
   object in which libmpi_cxx has stored the function that calls C++ functions of this kind. */
static void cxx_handler(void *object, int *code, const char *message, void *x, void *y, const struct wi4go_callback *c)
{
    (void)x, (void)y;
    (*(dispatch_function **)((char *)c->call + CXX_DISPATCH))(object, code, message, c->function);
}

/* Returns the kind of object for a kind of ompi_errhandler_create. */
static enum wi4go_object object_of(int kind)
{
    return kind == HANDLER_WIN ? WI4GO_WIN : kind == HANDLER_FILE ? WI4GO_FILE : WI4GO_COMM;
}

/* Called by libmpi_cxx: makes an error handler for objects of this kind. Returns NULL on failure. */
HIDDEN void *wi4go_builtin_ompi_errhandler_create(int kind, void *function, int language);
void *wi4go_builtin_ompi_errhandler_create(int kind, void *function, int language)
{
    const struct wi4go_cxx *cxx = wi4go_pair->cxx;
    if (language != LANGUAGE_CXX)
        return cxx->create_errhandler(object_of(kind), function);
    void *in_c = wi4go_trampoline(CXX_HANDLER, function, (void *)cxx_handler);
    void *handler = in_c ? cxx->create_errhandler(object_of(kind), in_c) : NULL;
    if (handler && wi4go_callback_of(in_c)->call == function)
        wi4go_callback_of(in_c)->call = handler;
    return handler;
}

/* Called by libmpi_cxx: raises an error through the object's handler, and returns the code. kind:
   as above, or 0 for a predefined object, which is a communicator or MPI_FILE_NULL. */
HIDDEN int wi4go_builtin_ompi_errhandler_invoke(void *errhandler, void *object, int kind, int code, const char *message);
int wi4go_builtin_ompi_errhandler_invoke(void *errhandler, void *object, int kind, int code, const char *message)
{
    (void)errhandler, (void)message;
    if (kind == HANDLER_WIN)
        INNER(MPI_Win_call_errhandler)(object, code);
    else if (kind == HANDLER_FILE || object == ompi_mpi_file_null)
        INNER(MPI_File_call_errhandler)(object, code);
    else
        INNER(MPI_Comm_call_errhandler)(object, code);
    return code;
}

/* MPI::Init stores the functions that throw in the storage of this handler. */
const intptr_t wi4go_throw_exceptions = (intptr_t)ompi_mpi_errors_throw_exceptions;

/* Calls the throwing function at an offset of ERRORS_THROW_EXCEPTIONS. Aborts if MPI::Init has
   not set it. */
static void throw_from(size_t place, void *object, int *code)
{
    void (*function)(void *, int *, ...) = *(void (**)(void *, int *, ...))(ompi_mpi_errors_throw_exceptions + place);
    if (function) {
        function(object, code);
    } else {
        wi4go_print("error %d on an object with the error handler MPI::ERRORS_THROW_EXCEPTIONS, which needs MPI::Init: call MPI::Init, or set "
                    "another error handler", *code);
        INNER(MPI_Abort)(ompi_mpi_comm_world, *code);
    }
}
static void throw_comm(void *comm, int *code, ...) { throw_from(COMM_FUNCTION, comm, code); }
static void throw_win(void *win, int *code, ...) { throw_from(WIN_FUNCTION, win, code); }
static void throw_file(void *file, int *code, ...) { throw_from(FILE_FUNCTION, file, code); }

void *wi4go_throwing_function(enum wi4go_object object)
{
    return object == WI4GO_WIN ? (void *)throw_win : object == WI4GO_FILE ? (void *)throw_file : (void *)throw_comm;
}

/* ---- for the Fortran library: C functions that call a Fortran procedure ---- */

FORTRAN_OPERATION(operation, OPERATION)
FORTRAN_HANDLER(comm_handler, MPI_Comm_c2f, COMM_HANDLER)
FORTRAN_HANDLER(file_handler, MPI_File_c2f, FILE_HANDLER)
FORTRAN_HANDLER(session_handler, MPI_Session_c2f, SESSION_HANDLER)
FORTRAN_HANDLER(win_handler, MPI_Win_c2f, WIN_HANDLER)

/* ---- data representations ---- */

/* The list to which libmpi_cxx appends its data representations. It is never read, but it has to
   be a valid empty list. */
extern struct {
    char object[16];
    struct { char object[16]; void *next, *previous; int free; } sentinel;
    size_t length;
} ompi_registered_datareps;

static __attribute__((constructor)) void init_datarep_list(void)
{
    ompi_registered_datareps.sentinel.next = &ompi_registered_datareps.sentinel;
    ompi_registered_datareps.sentinel.previous = &ompi_registered_datareps.sentinel;
}

/* ---- mpi-ext.h ---- */

#define ERR_ARG 13 /* the value of MPI_ERR_ARG */

HIDDEN int wi4go_builtin_OMPI_Affinity_str(int format, char *applied, char *current, char *exists);
int wi4go_builtin_OMPI_Affinity_str(int format, char *applied, char *current, char *exists)
{
    return affinity_strings(format, applied, current, exists) ? 0 : INNER(MPI_Comm_call_errhandler)(ompi_mpi_comm_world, ERR_ARG) ? : ERR_ARG;
}
