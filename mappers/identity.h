/*
 * The identity pair: a front over a library of its own family, for programs whose own library
 * that library cannot simply replace. Handles, constants and statuses are the same on both
 * sides, except for a draft of the standard ABI (gen/pair/draft.go). So each function is the
 * runtime's own, with arguments and callbacks unchanged. The same holds for the runtime's own
 * calls that come here through the global scope.
 *
 * Gives: setup, after_init, cxx, and the functions that mappers.json names.
 * Needs: pair.h, abi_draft.h, intel_abi_fint.h, last_created.h.
 */
#ifndef WI4GO_IDENTITY_H
#define WI4GO_IDENTITY_H
#include "pair.h"
#include "abi_draft.h"
#include "intel_abi_fint.h"
#include "last_created.h"
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>

#if A_HANDLES_ARE_OBJECTS
/*
 * The predefined handles (Open MPI's) are the addresses of data objects. The program uses those
 * of the front, or copies of them if it was linked at a fixed address. The runtime, which is
 * opened later, uses the same objects and not its own, because its references are bound by name
 * and the front's names come first in the global scope. The contents that its own objects have
 * when it is loaded must be copied to the front's, as ld.so does for a copy relocation.
 */
static char setup_error[256];
static int objects_missing; /* nonzero if the runtime lacks an object that another one can replace */

/* Copies the contents of the runtime's objects to the front's. Returns NULL, or a text with the
   reason that the library cannot be used. */
static const char *setup(void *library)
{
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        Dl_info info;
        const ElfW(Sym) *symbol = NULL;
        void *theirs = dlsym(library, objects[i].name);
        if (!theirs) {
            objects_missing |= objects[i].like != NULL;
            continue;
        }
        if (!dladdr1(theirs, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
            continue;
        if (symbol->st_size > objects[i].size) {
            snprintf(setup_error, sizeof setup_error, "its %s has %zu bytes, but the front's has %zu, because the library is newer than this "
                                                      "wi4go: install a newer wi4go",
                     objects[i].name, (size_t)symbol->st_size, objects[i].size);
            return setup_error;
        }
        memcpy(objects[i].storage, theirs, symbol->st_size);
    }
#ifdef WORLD_POINTER
    /* This variable of the runtime points to the object to which its references are bound. */
    if (*(char **)WORLD_POINTER != WORLD_OBJECT)
        return "it uses its own data symbols (it may be linked with -Bsymbolic), so the front cannot share them: run the program on that "
               "library directly";
#endif
    return NULL;
}

/* Makes each object that the runtime lacks a copy of the object that replaces it, with the
   contents that MPI_Init has given that: MPI_ERRORS_ABORT ends the program as
   MPI_ERRORS_ARE_FATAL does, and an optional datatype is refused like the null datatype. */
static void after_init(void)
{
    for (size_t i = 0; objects_missing && i < sizeof objects / sizeof *objects; i++)
        if (objects[i].like && !dlsym(wi4go_runtime_library, objects[i].name))
            for (size_t j = 0; j < sizeof objects / sizeof *objects; j++)
                if (objects[j].storage == objects[i].like)
                    memcpy(objects[i].storage, objects[j].storage, objects[i].size < objects[j].size ? objects[i].size : objects[j].size);
}

#if A_CXX_OBJECTS
/*
 * Open MPI 5 lacks C++ bindings, so it lacks the two functions that the bindings of Open MPI 4
 * need beyond MPI: giving an operation its function after its creation (shim/front/openmpi.c),
 * and creating error handlers of the language C++. The front serves both.
 */
typedef void operation_function(void *, void *, int *, A_MPI_Datatype *);

/* Calls the function of an operation, which define_operation has set. */
static void call_cxx_operation(void *in, void *inout, int *len, A_MPI_Datatype *datatype, void *unused, const struct wi4go_callback *c)
{
    (void)unused;
    ((operation_function *)c->call)(in, inout, len, datatype);
}

/* The operations that get their function later, or have got it. They are never freed, because
   runtimes use operations after they are freed. If the runtime has returned a handle several
   times, the entry that was added last counts. deferred_mutex protects the list. */
static struct deferred { A_MPI_Op op; void *trampoline; struct deferred *next; } *deferred;
static pthread_mutex_t deferred_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Creates an operation. One of the C++ bindings gets its own trampoline. */
static int A_MPI_Op_create(void *user_fn, int commute, A_MPI_Op *op)
{
    if (HAVE(ompi_op_set_cxx_callback) || !wi4go_is_cxx_intercept(user_fn))
        return R_MPI_Op_create(user_fn, commute, op);
    struct deferred *u = malloc(sizeof *u);
    void *trampoline = u ? wi4go_trampoline(OPERATION, u, (void *)call_cxx_operation) : NULL; /* u makes the trampoline unique */
    if (!trampoline)
        wi4go_die("out of memory for an operation");
    int rc = R_MPI_Op_create(trampoline, commute, op);
    if (rc)
        return rc;
    pthread_mutex_lock(&deferred_mutex);
    *u = (struct deferred){*op, trampoline, deferred};
    deferred = u;
    pthread_mutex_unlock(&deferred_mutex);
    return 0;
}

/* Gives an operation that A_MPI_Op_create has entered its function. Ends the process if there is
   no entry of the handle. */
static void define_operation(long op, void *function)
{
    pthread_mutex_lock(&deferred_mutex);
    struct deferred *u = deferred;
    while (u && u->op != op)
        u = u->next;
    pthread_mutex_unlock(&deferred_mutex);
    if (!u)
        wi4go_die("MPI::Op::Init: %#lx is not an operation that it has created", op);
    wi4go_callback_of(u->trampoline)->call = function;
}

/* Creates an error handler of a C function. Returns its handle, or NULL if that fails. */
static void *create_errhandler(enum wi4go_object object, void *function)
{
    A_MPI_Errhandler made = 0;
    int rc = object == WI4GO_WIN    ? R_MPI_Win_create_errhandler(function, &made)
             : object == WI4GO_FILE ? R_MPI_File_create_errhandler(function, &made)
                                    : R_MPI_Comm_create_errhandler(function, &made);
    return rc ? NULL : (void *)made;
}

/* Creates an error handler of a language for the C++ bindings and for Open MPI's own library,
   which calls this, too. The languages of Open MPI 4 are C, C++ and Fortran, and of Open MPI 5 C
   and Fortran, so the number of Fortran differs. The library of Open MPI 6 passes, as a fourth
   argument, a function that converts handles for the standard ABI. */
void *wi4go_builtin_ompi_errhandler_create(int kind, void *function, int language) HIDDEN;
static void *A_ompi_errhandler_create(int kind, void *function, int language, void *converts)
{
    enum { CXX = 1, FORTRAN = 2 };
    if (!HAVE(ompi_op_set_cxx_callback)) {
        void *bindings = dlopen(A_CXX_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
        if (bindings)
            dlclose(bindings);
        if (language == CXX && bindings)
            return wi4go_builtin_ompi_errhandler_create(kind, function, language);
        if (language == FORTRAN)
            language--;
    }
    return ((__typeof__(A_ompi_errhandler_create) *)ADDRESS(ompi_errhandler_create))(kind, function, language, converts);
}

static const struct wi4go_cxx cxx = {.define_operation = define_operation, .create_errhandler = create_errhandler};
#else
static const struct wi4go_cxx cxx;
#endif
#elif A_HANDLE_BITS == 32
/* MPICH's address constants are variables. Its references to them are bound to the front's, as
   Open MPI's references to objects are. MPI_T_PVAR_ALL_HANDLES points to an object whose kind
   the library reads before it compares addresses. Some versions fill that object when MPI_T is
   initialized. */
static inline void after_init(void) {}

extern void *MPI_T_PVAR_ALL_HANDLES;
static void *const *runtime_all_handles; /* the runtime's own MPI_T_PVAR_ALL_HANDLES, or NULL */

static const char *setup(void *library)
{
    runtime_all_handles = dlsym(library, "MPI_T_PVAR_ALL_HANDLES");
    return NULL;
}

/* Defines a function that may get MPI_T_PVAR_ALL_HANDLES. It first copies the contents of the
   runtime's object to the front's. */
#define ON_ALL_HANDLES(name) \
    static int A_##name(void *session, void *handle) \
    { \
        if (handle == MPI_T_PVAR_ALL_HANDLES && runtime_all_handles && *runtime_all_handles != handle) \
            memcpy(handle, *runtime_all_handles, WI4GO_POINTEE_SIZE); \
        return R_##name(session, handle); \
    }
ON_ALL_HANDLES(MPI_T_pvar_start)
ON_ALL_HANDLES(MPI_T_pvar_stop)
ON_ALL_HANDLES(MPI_T_pvar_reset)

/*
 * MPICH's C++ library calls MPII_Op_set_cxx and MPII_Errhandler_set_cxx to mark the callback of
 * an object that it has created as a C++ function. A library that was built without C++ lacks
 * them. Over such a library, callbacks get trampolines of the front, so that the front can serve
 * these functions (shim/front/mpich.c).
 */
typedef void callback(void *, void *, void *, void *, void *);

/* Calls the program's callback with its arguments unchanged. */
static void call_unchanged(void *a, void *b, void *c, void *d, void *e, const struct wi4go_callback *self)
{
    ((callback *)self->call)(a, b, c, d, e);
}

/* Returns a trampoline for a callback that may be marked as C++ later, or NULL if the function is
   NULL. */
static void *trampoline_for_cxx(int kind, void *function)
{
    return function ? wi4go_trampoline(kind, function, (void *)call_unchanged) : NULL;
}

/* Records the object that a call has created, unless the call has failed. Returns rc. */
static int note_created(int rc, const int *handle, void *trampoline)
{
    if (!rc)
        note_last_created(*handle, trampoline);
    return rc;
}

static int A_MPI_Op_create(void *user_fn, int commute, A_MPI_Op *op)
{
    if (HAVE(MPII_Op_set_cxx))
        return R_MPI_Op_create(user_fn, commute, op);
    void *trampoline = trampoline_for_cxx(OPERATION, user_fn);
    return note_created(R_MPI_Op_create(trampoline, commute, op), op, trampoline);
}

/* Defines a function that creates an error handler, by a trampoline if the library lacks
   MPII_Errhandler_set_cxx. */
#define CREATES_ERRHANDLER(name, kind) \
    static int A_##name(void *function, A_MPI_Errhandler *errhandler) \
    { \
        if (HAVE(MPII_Errhandler_set_cxx)) \
            return R_##name(function, errhandler); \
        void *trampoline = trampoline_for_cxx(kind, function); \
        return note_created(R_##name(trampoline, errhandler), errhandler, trampoline); \
    }
CREATES_ERRHANDLER(MPI_Comm_create_errhandler, COMM_HANDLER)
CREATES_ERRHANDLER(MPI_Errhandler_create, COMM_HANDLER)
CREATES_ERRHANDLER(MPI_Win_create_errhandler, WIN_HANDLER)
CREATES_ERRHANDLER(MPI_File_create_errhandler, FILE_HANDLER)

static struct wi4go_keyval *no_keyval(int keyval) { (void)keyval; return NULL; }
static const struct wi4go_cxx cxx = {.keyval = no_keyval};
#else
static inline void after_init(void) {}

/* Detects the numbers of the library, of the standard ABI. Never fails. */
static const char *setup(void *library)
{
    (void)library;
    detect_draft();
    keep_toint_results();
    return NULL;
}

/* Reports whether a call needs its numbers converted: the program and the library differ in
   whether they have a draft's numbers, and the caller is not the library itself, which comes
   here through the global scope. caller is the return address of the call. */
static int needs_renumbering(void *caller)
{
    return program_is_draft != runtime_is_draft && !wi4go_is_in_library(wi4go_runtime_library, caller);
}
static const struct wi4go_cxx cxx;

/* Writes the version of the standard ABI (see environment.h). The embedded MPI has an older one, as libraries of other
   families do. */
static int A_MPI_Get_version(int *version, int *subversion)
{
    int rc = R_MPI_Get_version(version, subversion);
    if (likely(!rc)) {
        *version = A_LEVEL_VERSION;
        *subversion = A_LEVEL_SUBVERSION;
    }
    return rc;
}
#endif
#endif
