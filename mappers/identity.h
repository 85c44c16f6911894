/*
 * A front over a library of its own family, for where that library cannot
 * simply take the place of the program's own. Handles, constants and statuses
 * are the same on both sides (but for a draft of the standard ABI: gen/pair/draft.go),
 * so a function is the runtime's own, arguments and callbacks untouched, and so
 * are the runtime's own calls that get here through the global scope.
 *
 * Gives: setup, after_init, cxx, and the functions that mappers.json names.
 * Needs: pair.h, draft.h, given_numbers.h, last_made.h.
 */
#ifndef WI4GO_IDENTITY_H
#define WI4GO_IDENTITY_H
#include "pair.h"
#include "draft.h"
#include "given_numbers.h"
#include "last_made.h"
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>

#if A_HANDLES_ARE_OBJECTS
/*
 * The predefined handles (Open MPI's) are the addresses of data objects. The program
 * has those of the front (or, where it was linked at a fixed address, copies of
 * them), and the runtime, opened later, finds the same ones before its own: the
 * front's names are in the global scope, and its references are bound by name.
 * What its own hold when it is loaded is still to be brought over, as ld.so
 * does for a copy.
 */
static char setup_error[256];
static int incomplete; /* the runtime's library lacks some */

static const char *setup(void *library)
{
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        Dl_info info;
        const ElfW(Sym) *symbol = NULL;
        void *theirs = dlsym(library, objects[i].name);
        if (!theirs) {
            incomplete |= objects[i].like != NULL;
            continue;
        }
        if (!dladdr1(theirs, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
            continue;
        if (symbol->st_size > objects[i].size) {
            snprintf(setup_error, sizeof setup_error, "its %s has %zu bytes and the front's %zu: this wi4go is older than that library; take a newer one",
                     objects[i].name, (size_t)symbol->st_size, objects[i].size);
            return setup_error;
        }
        memcpy(objects[i].storage, theirs, symbol->st_size);
    }
#ifdef WORLD_POINTER
    /* Which this variable of the runtime's points to, its references are bound to. */
    if (*(char **)WORLD_POINTER != WORLD_OBJECT)
        return "it keeps to data symbols of its own (is it linked with -Bsymbolic?), so the front cannot share them: "
               "run the program on that library directly";
#endif
    return NULL;
}

/* Objects that the runtime does not know become copies of those that take
   their place, as MPI_Init has left these: MPI_ERRORS_ABORT ends the program as
   MPI_ERRORS_ARE_FATAL does, an optional datatype is refused as the null one. */
static void after_init(void)
{
    for (size_t i = 0; incomplete && i < sizeof objects / sizeof *objects; i++)
        if (objects[i].like && !dlsym(wi4go_runtime_library, objects[i].name))
            for (size_t j = 0; j < sizeof objects / sizeof *objects; j++)
                if (objects[j].storage == objects[i].like)
                    memcpy(objects[i].storage, objects[j].storage, objects[i].size < objects[j].size ? objects[i].size : objects[j].size);
}

#if A_CXX_OBJECTS
/*
 * Open MPI 5 has no C++ bindings, and so not the two things that those of Open
 * MPI 4 need beyond MPI: an operation whose function is named after it was made
 * (shim/front/openmpi.c), and error handlers of the language C++.
 */
typedef void operation_function(void *, void *, int *, A_MPI_Datatype *);

static void operation(void *in, void *inout, int *len, A_MPI_Datatype *datatype, void *unused, const struct wi4go_callback *c)
{
    (void)unused;
    ((operation_function *)c->call)(in, inout, len, datatype);
}

/* The operations that wait for their function, or have it: the last of a handle
   counts. */
static struct undefined { A_MPI_Op op; void *trampoline; struct undefined *next; } *undefined;
static pthread_mutex_t undefined_mutex = PTHREAD_MUTEX_INITIALIZER;

static int A_MPI_Op_create(void *user_fn, int commute, A_MPI_Op *op)
{
    if (HAVE(ompi_op_set_cxx_callback) || !wi4go_shared_operation(user_fn))
        return R_MPI_Op_create(user_fn, commute, op);
    struct undefined *u = malloc(sizeof *u);
    void *trampoline = u ? wi4go_trampoline(OPERATION, u, (void *)operation) : NULL; /* u: one of its own */
    if (!trampoline)
        wi4go_die("out of memory for an operation");
    int rc = R_MPI_Op_create(trampoline, commute, op);
    if (rc)
        return rc;
    pthread_mutex_lock(&undefined_mutex);
    *u = (struct undefined){*op, trampoline, undefined};
    undefined = u;
    pthread_mutex_unlock(&undefined_mutex);
    return 0;
}

static void define_operation(long op, void *function)
{
    pthread_mutex_lock(&undefined_mutex);
    struct undefined *u = undefined;
    while (u && u->op != op)
        u = u->next;
    pthread_mutex_unlock(&undefined_mutex);
    if (!u)
        wi4go_die("MPI::Op::Init: %#lx is no operation that it has made", op);
    wi4go_callback_of(u->trampoline)->call = function;
}

static void *create_errhandler(enum wi4go_object object, void *function)
{
    A_MPI_Errhandler made = 0;
    int rc = object == WI4GO_WIN    ? R_MPI_Win_create_errhandler(function, &made)
             : object == WI4GO_FILE ? R_MPI_File_create_errhandler(function, &made)
                                    : R_MPI_Comm_create_errhandler(function, &made);
    return rc ? NULL : (void *)made;
}

/* The languages of Open MPI 4 are C, C++ and Fortran, those of Open MPI 5 C and
   Fortran. Its own library calls this too, that of Open MPI 6 with a function that
   converts handles for the standard ABI. */
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
/* MPICH's address constants are variables, and its references to them find the
   front's, as for Open MPI's objects. One of them points to an object whose kind
   it looks at before it compares, and which some versions fill when MPI_T is
   initialized. */
static inline void after_init(void) {}

extern void *MPI_T_PVAR_ALL_HANDLES;
static void *const *their_all_handles;

static const char *setup(void *library)
{
    their_all_handles = dlsym(library, "MPI_T_PVAR_ALL_HANDLES");
    return NULL;
}

#define ON_ALL_HANDLES(name) \
    static int A_##name(void *session, void *handle) \
    { \
        if (handle == MPI_T_PVAR_ALL_HANDLES && their_all_handles && *their_all_handles != handle) \
            memcpy(handle, *their_all_handles, WI4GO_POINTEE_SIZE); \
        return R_##name(session, handle); \
    }
ON_ALL_HANDLES(MPI_T_pvar_start)
ON_ALL_HANDLES(MPI_T_pvar_stop)
ON_ALL_HANDLES(MPI_T_pvar_reset)

/*
 * A library that was built without C++ lacks MPII_Op_set_cxx and
 * MPII_Errhandler_set_cxx, by which MPICH's C++ library says of an object that
 * it has made that its callback is a C++ one. There the callbacks get trampolines
 * of ours, so that the front can do what these functions do (shim/front/mpich.c).
 */
typedef void callback(void *, void *, void *, void *, void *);

static void pass_on(void *a, void *b, void *c, void *d, void *e, const struct wi4go_callback *record)
{
    ((callback *)record->call)(a, b, c, d, e);
}

static void *altered_later(int kind, void *function)
{
    return function ? wi4go_trampoline(kind, function, (void *)pass_on) : NULL;
}

static int made(int rc, const int *handle, void *trampoline)
{
    if (!rc)
        made_last(*handle, trampoline);
    return rc;
}

static int A_MPI_Op_create(void *user_fn, int commute, A_MPI_Op *op)
{
    if (HAVE(MPII_Op_set_cxx))
        return R_MPI_Op_create(user_fn, commute, op);
    void *trampoline = altered_later(OPERATION, user_fn);
    return made(R_MPI_Op_create(trampoline, commute, op), op, trampoline);
}

#define CREATES_ERRHANDLER(name, kind) \
    static int A_##name(void *function, A_MPI_Errhandler *errhandler) \
    { \
        if (HAVE(MPII_Errhandler_set_cxx)) \
            return R_##name(function, errhandler); \
        void *trampoline = altered_later(kind, function); \
        return made(R_##name(trampoline, errhandler), errhandler, trampoline); \
    }
CREATES_ERRHANDLER(MPI_Comm_create_errhandler, COMM_HANDLER)
CREATES_ERRHANDLER(MPI_Errhandler_create, COMM_HANDLER)
CREATES_ERRHANDLER(MPI_Win_create_errhandler, WIN_HANDLER)
CREATES_ERRHANDLER(MPI_File_create_errhandler, FILE_HANDLER)

static struct wi4go_keyval *no_keyval(int keyval) { (void)keyval; return NULL; }
static const struct wi4go_cxx cxx = {.keyval = no_keyval};
#else
static inline void after_init(void) {}

static const char *setup(void *library)
{
    (void)library;
    learn_draft();
    keep_given_numbers();
    return NULL;
}

/* Whether a call has numbers that are others on the library's side: of the
   program, not of the library itself, which gets here by the global scope. */
static int renumbers(void *caller)
{
    struct link_map *library, *from;
    Dl_info info;
    return program_is_draft != runtime_is_draft && !dlinfo(wi4go_runtime_library, RTLD_DI_LINKMAP, &library) &&
           !(dladdr1(caller, &info, (void **)&from, RTLD_DL_LINKMAP) && from == library);
}
static const struct wi4go_cxx cxx;
#endif
#endif
