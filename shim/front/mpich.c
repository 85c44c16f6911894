/* The exports of the MPICH family beyond MPI functions: MPIR_Dup_fn, which its mpi.h calls
   MPI_COMM_DUP_FN and so on (MPI-5.0, 7.7.2), and the functions that its C++ and Fortran bindings
   import. */
#include "front.h"
#include "intel_malloc.h"
#include "slots.h"

int MPIR_Dup_fn(int object, int keyval, void *extra, void *in, void *out, int *flag);
int MPIR_Dup_fn(int object, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)object, (void)keyval, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return 0;
}

/*
 * libmpichcxx makes an operation, error handler or keyval with MPI's function and the C++
 * callback. Right afterwards, on the same thread, it passes the function of its own (a proxy)
 * through which the callback must be called. So the front remembers the last object of each
 * thread, and needs no lock.
 */

__thread struct wi4go_last_created wi4go_last_created;

/* Returns the callback of the object that this thread has made last; ends the process if that is
   another object. */
static struct wi4go_callback *last_created(int handle, const char *caller)
{
    if (handle != wi4go_last_created.handle || !wi4go_last_created.trampoline)
        wi4go_die("%s: the C++ callback of %#x is unknown, because it is not the last object that this thread created", caller, (unsigned)handle);
    return wi4go_callback_of(wi4go_last_created.trampoline);
}

/* Interposes a handler, whose callback holds the proxy, between c's handler and its function. */
static void interpose(struct wi4go_callback *c, int kind, void *handler, void *proxy)
{
    void *in_c = wi4go_trampoline(kind, c->function, handler);
    if (!in_c)
        wi4go_die("out of memory for a C++ callback");
    wi4go_callback_of(in_c)->call = proxy;
    c->call = in_c;
}

/* ---- operations ---- */

typedef void operation_proxy(const void *in, void *inout, int len, int datatype, void *function);

/* The interposed handler of an operation: calls the C++ function through the proxy. */
static void call_cxx_proxy(void *in, void *inout, int *len, int *datatype, void *unused, const struct wi4go_callback *c)
{
    (void)unused;
    ((operation_proxy *)c->call)(in, inout, *len, *datatype, c->function);
}

HIDDEN void wi4go_builtin_MPII_Op_set_cxx(int op, void *proxy);
void wi4go_builtin_MPII_Op_set_cxx(int op, void *proxy)
{
    interpose(last_created(op, "MPII_Op_set_cxx"), CXX_OPERATION, (void *)call_cxx_proxy, proxy);
}

/* ---- error handlers ---- */

/* The proxy of an error handler. kind: 0 communicator, 1 file, 2 window. */
typedef void errhandler_proxy(int kind, void *object, int *code, void *function);

#define PROXY_HANDLER(name, kind) \
    static void name(void *object, int *code, void *x, void *y, void *z, const struct wi4go_callback *c) \
    { \
        (void)x, (void)y, (void)z; \
        ((errhandler_proxy *)c->call)(kind, object, code, c->function); \
    }
PROXY_HANDLER(comm_handler, 0)
PROXY_HANDLER(file_handler, 1)
PROXY_HANDLER(win_handler, 2)

HIDDEN void wi4go_builtin_MPII_Errhandler_set_cxx(int errhandler, void *proxy);
void wi4go_builtin_MPII_Errhandler_set_cxx(int errhandler, void *proxy)
{
    struct wi4go_callback *c = last_created(errhandler, "MPII_Errhandler_set_cxx");
    void *handler = c->kind == WIN_HANDLER ? (void *)win_handler : c->kind == FILE_HANDLER ? (void *)file_handler : (void *)comm_handler;
    interpose(c, CXX_HANDLER, handler, proxy);
}

/* The handle of MPIR_ERRORS_THROW_EXCEPTIONS. It returns the error like MPI_ERRORS_RETURN: the
   C++ bindings see the code, check the object's handler and throw. */
const intptr_t wi4go_throw_exceptions = 0x54000002;

/* The C error handler for it: does nothing, so that the code is returned. */
static void return_error(void *object, int *code, ...)
{
    (void)object, (void)code;
}

void *wi4go_throwing_function(enum wi4go_object object)
{
    (void)object;
    return (void *)return_error;
}

/* ---- attributes ---- */

HIDDEN void wi4go_builtin_MPII_Keyval_set_proxy(int keyval, wi4go_copy_proxy *copy, wi4go_delete_proxy *remove);
void wi4go_builtin_MPII_Keyval_set_proxy(int keyval, wi4go_copy_proxy *copy, wi4go_delete_proxy *remove)
{
    struct wi4go_keyval *k = wi4go_pair->cxx->keyval(keyval);
    if (!k)
        wi4go_die("MPII_Keyval_set_proxy: there is no keyval %#x", (unsigned)keyval);
    k->copy_proxy = copy;
    k->delete_proxy = remove;
}

/* ---- Fortran ---- */

extern void *MPI_UNWEIGHTED, *MPI_WEIGHTS_EMPTY, *MPIR_C_MPI_UNWEIGHTED, *MPIR_C_MPI_WEIGHTS_EMPTY;

/* Sets the variables in which the mpi_f08 module of MPICH 3.4 and 4.0 looks for C's address
   constants. */
static __attribute__((constructor)) void address_constants(void)
{
    MPIR_C_MPI_UNWEIGHTED = MPI_UNWEIGHTED;
    MPIR_C_MPI_WEIGHTS_EMPTY = MPI_WEIGHTS_EMPTY;
}

/* Support for the Fortran library. Handles are INTEGERs in C too, so a Fortran procedure can be
   called like a C function. Files are the exception. */
int PMPI_File_c2f(void *file);

/* The handler of a file error handler's trampoline: calls the Fortran procedure with the file's
   integer. */
static void fortran_file_handler(void **object, int *code, void *x, void *y, void *z, const struct wi4go_callback *c)
{
    int number = INNER(MPI_File_c2f)(*object);
    (void)x, (void)y, (void)z;
    ((void (*)(int *, int *))c->call)(&number, code);
}
void *wi4go_fortran_file_handler(void *function);
void *wi4go_fortran_file_handler(void *function) { return wi4go_trampoline(FILE_HANDLER, function, (void *)fortran_file_handler); }

/* Defines wi4go_fortran_NAME, which returns the procedure itself. */
#define AS_IT_IS(name) \
    void *wi4go_fortran_##name(void *function); \
    void *wi4go_fortran_##name(void *function) { return function; }
AS_IT_IS(operation)
AS_IT_IS(comm_handler)
AS_IT_IS(session_handler)
AS_IT_IS(win_handler)
