/*
 * The interface between the hand-written C of a front and the generated translation of a pair. A
 * front is one shared library that replaces the MPI library of one ABI family. A pair is that
 * front over the runtime libraries of another family.
 *
 * Gives: struct wi4go_pair, struct wi4go_family, the tables wi4go_A and wi4go_R, and the
 * functions of the files at the front's base: messages.c, slots.c, core.c and the files that need
 * no more than these.
 */
#ifndef WI4GO_FRONT_H
#define WI4GO_FRONT_H
#include <stddef.h>
#include <stdint.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define HIDDEN __attribute__((visibility("hidden")))

/* Reports whether an address lies in the object that this front is linked into: the front's own
   library, or the program if it was linked with -static-mpi. */
static inline int wi4go_is_own_address(uintptr_t address)
{
    extern const char __ehdr_start[] HIDDEN, _end[] HIDDEN; /* defined by the linker */
    return address >= (uintptr_t)__ehdr_start && address < (uintptr_t)_end;
}

/* 1 if functions have fast paths (gen/assembly/fast_path.go) on this architecture, else 0. */
#if defined(__x86_64__)
#define FAST_PATHS 1
#else
#define FAST_PATHS 0
#endif

/* Attributes for functions that are compiled for size. FOR_SIZE marks functions that are seldom
   called. AFTER_FAST_PATH marks C functions that are called only after their fast path in
   assembly has bailed out. */
#define FOR_SIZE __attribute__((cold))
#if FAST_PATHS
#define AFTER_FAST_PATH FOR_SIZE
#else
#define AFTER_FAST_PATH
#endif

/* Four tables, indexed by slot, made by c/asmchooser. wi4go_A holds the function that the
   program's calls go to; wi4go_inner the function that the front's own calls go to (the
   translation, or a layer over it); wi4go_R the runtime's own function; wi4go_missing_entries the
   entry point that raises MPI_ERR_UNSUPPORTED_OPERATION. */
extern void *wi4go_A[] HIDDEN;
extern void *wi4go_inner[] HIDDEN;
extern void *wi4go_R[] HIDDEN;
extern void *const wi4go_missing_entries[] HIDDEN;

/* Returns the function of MPI that the front calls for its own purposes, by its slot (slots.h)
   and the type of its declared profiling name. Valid only after the runtime is loaded. */
#define INNER(name) ((__typeof__(P##name) *)wi4go_inner[SLOT_##name])

/* The kind of object whose error handler a function's errors go to (MPI-5.0, 9.3); an argument of
   the function names the object. WI4GO_ERRHANDLER: the caller passes the error handler itself, as
   to MPI_Session_init. WI4GO_TOOL: the tool interface, which calls no handler. */
enum wi4go_object { WI4GO_NO_OBJECT, WI4GO_COMM, WI4GO_WIN, WI4GO_FILE, WI4GO_ERRHANDLER, WI4GO_TOOL };

/* The parts of a pair that the family's C++ bindings need beyond MPI (defined below). */
struct wi4go_cxx;

/* wi4go_vendor recognizes the libraries of a vendor by the text that MPI_Get_library_version
   returns: `before` and `after` surround the number of the release. wi4go_level is the MPI
   version (MPI_Get_version) of a vendor's releases; longer prefixes of a release come before
   shorter ones. Both tables end with a row whose name is NULL. */
struct wi4go_vendor {
    const char *name; /* the vendor's name, followed by @ */
    const char *before, *after;
};
struct wi4go_level {
    const char *library; /* the vendor's name, @ and a prefix of the release */
    int version, subversion;
};
extern const struct wi4go_vendor wi4go_vendors[] HIDDEN;
extern const struct wi4go_level wi4go_levels[] HIDDEN;

/* The facts about one function that do not depend on the runtime. */
struct wi4go_slot {
    const char *name;          /* for example "MPI_Send" */
    unsigned char object;      /* an enum wi4go_object */
    unsigned char argument;    /* the position of the argument that names this object */
    unsigned char handles;     /* bit i is set if argument i, one of the first six, is a handle */
    unsigned short standard;   /* the slot of the standard function that replaced this extension, or 0 */
    unsigned short narrow_of;  /* the slot of the function with int counts that `narrow` calls */
    void *emulation;           /* the function to use if the runtime lacks this one (shim/emulate); or NULL */
    void *narrow;              /* the function to use if the runtime lacks this large-count function; or NULL */
};
extern const struct wi4go_slot wi4go_slots[] HIDDEN;

/* A predefined handle of a family whose mpi.h defines its handles as numbers. */
struct wi4go_foreign_handle {
    unsigned value;
    const char *name;          /* for example "MPI_COMM_WORLD" */
};

/* The largest count that is passed on unchanged: INT_MAX, or less in tests (WI4GO_TEST_CHUNK). */
extern int64_t wi4go_max_count HIDDEN;

/* One function of a layer, which is installed over the current function of a slot. The function
   finds its predecessor in wi4go_below[link]. A row without a function ends a layer. */
struct wi4go_layer {
    unsigned slot, link;
    void *function;
};
extern void *wi4go_below[] HIDDEN;
/* Installs a layer on top of the layers already installed, over each slot that the runtime has and
   that does not have the layer on top. wi4go_layer_remove removes it from the slots on which it is
   on top. */
void wi4go_layer_install(const struct wi4go_layer *rows) HIDDEN;
void wi4go_layer_remove(const struct wi4go_layer *rows) HIDDEN;

/* The pair's translation of one function. */
struct wi4go_translation {
    void *function;   /* NULL if no version of the runtime has this function */
    void *fallback;   /* the C version, if `function` is assembly, for processors that cannot run it; WI4GO_ALONE; or NULL */
};
/* Value of wi4go_translation.fallback: the function works even if the runtime lacks it. */
#define WI4GO_ALONE ((void *)1)

/* The pair's bodies of a direct procedure of Fortran (fortran_direct.h), in C and in assembly; NULL
   if the pair has none. `library_body` receives the address of the Fortran library's own body, to
   which the pair's bodies leave unusual calls. A row without `library_body` ends the table. */
struct wi4go_direct_body {
    unsigned slot;
    int described; /* 1 if its choice buffers are passed as descriptors */
    void *body, *fast, **library_body;
};

/* One pair: this front over one runtime family. The identity pair is the front over its own
   family, in which most functions need no translation. */
struct wi4go_pair {
    const char *runtime;                /* the name of the runtime's family */
    const char *rank_variable;          /* the variable in which a launcher that the runtime understands passes a rank */
    int identity;                       /* 1: the identity pair: functions without a translation, or with a WI4GO_ALONE one, are the runtime's own, if it has them */
    const struct wi4go_translation *translations; /* indexed by slot */
    /* Reads the runtime's handles and constants that are known only after it is loaded. library
       is its dlopen handle. Returns NULL, or the text of an error if the library is unusable. */
    const char *(*setup)(void *library);
    /* Raises an error class of the program through the object's error handler. Returns the error
       code that the MPI call must return. */
    int (*raise)(enum wi4go_object object, long handle, int error_class);
    int unsupported;                    /* the program's value of MPI_ERR_UNSUPPORTED_OPERATION */
    struct {
        int info_key, info_value, error_string;
    } limits;                           /* the runtime's MPI_MAX_…, with the final 0 */
    const struct wi4go_class {          /* the error classes in the program's mpi.h that no library of the runtime's family has */
        int number;
        const char *text;               /* the error string; NULL ends the table */
    } *lacked_classes;
    int root_send_refused;              /* 1: the runtime's reductions refuse a null send buffer at MPI_ROOT */
    const struct wi4go_cxx *cxx;           /* never NULL; its members are NULL if the pair does not support them */
    const struct wi4go_direct_body *direct_bodies; /* NULL: the pair has none */
    void (*direct_prepare)(void);      /* called once before the first entry of `direct_bodies` is used, unless NULL */
};
/* The size, in bytes, of the object that a pointer variable of the program's library points to if
   the variable's value is an address constant of MPI. The front allocates the object. */
#define WI4GO_POINTEE_SIZE 64

/* Reports whether this processor can run the fast paths. */
int wi4go_fast_paths_run(void) HIDDEN;

/* The pair in use. load.c sets it before any slot receives its function, so every function that a
   call of the program can reach may read it. */
extern const struct wi4go_pair *wi4go_pair HIDDEN;

struct core_family; /* core.h */

/* Registers a table of handles of a pair; kind is the handles' type, such as "MPI_Comm". These
   tables are the only list of live handles: a pair whose handles need no table has none. */
struct handletable;
void wi4go_table_register(const char *kind, struct handletable *table) HIDDEN;
/* Writes the handles that have not been freed to answer, "" if there are none. Returns 0, or -1
   if no table is registered. */
int wi4go_handles_left(char *answer, int size) HIDDEN;

/* ---- the tables of slots (slots.c) ---- */

/* These three are called by load.c alone. wi4go_slots_init prepares the tables for wi4go_slot_fill,
   which gives a slot its first function. If the arguments of a function can reveal that the
   program was compiled with another MPI's mpi.h, the function is published only at its first
   call. wi4go_slots_ready ends the phase. */
void wi4go_slots_init(void) HIDDEN;
void wi4go_slot_fill(unsigned slot, void *function) HIDDEN;
void wi4go_slots_ready(void) HIDDEN;
/* Records that the first call of a slot has been checked: later calls go straight to its
   function. Returns this function. */
void *wi4go_slot_publish(unsigned slot) HIDDEN;
/* Resets the lock of the tables in a forked child, in which no other thread can hold it. */
void wi4go_slots_after_fork(void) HIDDEN;

/* wi4go_entry returns the function that serves a slot, with all layers of emulation;
   wi4go_set_entry replaces it. Both work on wi4go_inner. The entry in wi4go_A may differ: the
   first call may still have to be checked, and a route may be on top. Call wi4go_notify_rebind
   after a change. */
void *wi4go_entry(unsigned slot) HIDDEN;
void wi4go_set_entry(unsigned slot, void *function) HIDDEN;

/*
 * A layer on top of all others that observes the program. wi4go_route makes each call of the
 * program to a slot go to `entry`, whatever serves the slot: a translation, an emulation, or the
 * function for a slot that the runtime lacks. The first call of a slot goes there too, after it
 * was checked. The entry must continue at wi4go_inner[slot], and must read it at each call,
 * because layers of emulation may be installed later. Calls that the front or its Fortran library
 * makes itself bypass the entry.
 *
 * wi4go_unroute removes the entry; a call that is inside it continues. wi4go_is_routed reports
 * whether a slot has an entry. wi4go_route and wi4go_unroute may be called at any time after
 * wi4go_slots_init. They take effect for calls of Fortran at the next wi4go_notify_rebind, which
 * must be called once after all changes.
 */
void wi4go_route(unsigned slot, void *entry) HIDDEN;
void wi4go_unroute(unsigned slot) HIDDEN;
/* Reports whether wi4go_route has placed an entry on this slot. */
int wi4go_is_routed(unsigned slot) HIDDEN;

/* Sets the hook that follows changes of slots; there is only one (fortran_direct.c). It is called
   when the runtime is loaded (at once if it already is), and again whenever wi4go_notify_rebind
   reports a change. */
void wi4go_on_rebind(void (*hook)(void)) HIDDEN;
void wi4go_notify_rebind(void) HIDDEN;

/* The facts about this front and its family, written by the generator. */
struct wi4go_family {
    const char *name;
    const char *title;                  /* for people: "Open MPI" */
    unsigned n_functions;
    const char *const *sonames;         /* the sonames of the family's C library, NULL at the end */
    const char *const *foreign_sonames; /* the sonames of the other families' C libraries, NULL at the end */
    const struct core_family *runtimes; /* all known families, by which a runtime library is recognized */
    unsigned n_runtimes;
    const struct wi4go_pair *const *pairs; /* NULL at the end */
    const struct wi4go_foreign_handle *foreign_handles; /* values that cannot be handles of this family; a 0 at the end */
    const char *foreign_header;         /* the MPI whose mpi.h has foreign_handles, or NULL if any value can be a handle */
    const char *launcher;                 /* the launcher of its programs (wi4go_launchers), or NULL if they are of the standard ABI */
    const char *const *launcher_prefixes; /* prefixes of the variables by which launchers describe a job, NULL at the end */
};
extern const struct wi4go_family wi4go_family HIDDEN;

/* The file and the dlopen handle of the runtime that was loaded. */
extern const char *wi4go_runtime_path HIDDEN;
extern void *wi4go_runtime_library HIDDEN;

/* 1 if the program was compiled with the constants of Intel's draft of the standard ABI. */
extern int wi4go_program_is_draft HIDDEN;

/* Writes one line, "wi4go: …", to stderr. */
void wi4go_print(const char *format, ...) HIDDEN __attribute__((format(printf, 1, 2)));
/* Writes the same, then ends the process with status 1. */
void wi4go_die(const char *format, ...) HIDDEN __attribute__((format(printf, 1, 2), noreturn));

/* ---- the core (core.c) ---- */

/* Opens the core and starts it. open returns the dlopen handle of a core that is embedded in the
   program; NULL: the core is a file of the installation. */
struct core_request;
void wi4go_core_open(void *(*open)(void)) HIDDEN;
/* Makes the core find and open the runtime. Returns 0, or non-zero with request->error filled. */
int wi4go_core_load_runtime(struct core_request *request) HIDDEN;
/* Returns the memory pages of the core's code to the system, because hardly any of it will run
   again. */
void wi4go_core_release_pages(void) HIDDEN;
/* Sends a signal to each thread of the core that has not had one yet. Returns the number of threads that have had or will
   have one. */
int wi4go_signal_core_threads(int signal) HIDDEN;
/* Sets *ranges to the large mappings of the core, and returns their number, 0 before it is open. */
struct core_range;
int wi4go_core_memory_list(const struct core_range **ranges) HIDDEN;
/* Reports whether an address lies in the library with a dlopen handle. */
int wi4go_is_in_library(void *library, void *address) HIDDEN;
/* Writes the path of a file of this installation to path, which has size bytes. name is relative
   to the directory of the fronts. */
void wi4go_install_path(char *path, size_t size, const char *name) HIDDEN;

/* Runs the command wi4go of this installation with a few words, NULL at the end. Returns its exit
   status and answer as wi4go_ask does (shim/core/ask.h). The runtime must be loaded. */
int wi4go_run_command(const char *const *words, char *answer, int size) HIDDEN;

/* ---- a launcher that the runtime does not understand (launcher_check.c) ---- */

/* Checks the launcher before MPI is initialized; reports a problem if it is known by then. */
void wi4go_check_launcher(void) HIDDEN;
/* Reports whether the caller must check the size of MPI_COMM_WORLD after initialization. */
int wi4go_must_check_world(void) HIDDEN;
/* Called if MPI_COMM_WORLD has one process but should have more: reports it, once. If it returns
   true, the caller must finalize MPI and call wi4go_exit_wrong_launcher, which ends the process. */
int wi4go_report_world_of_one(void) HIDDEN;
void wi4go_exit_wrong_launcher(void) HIDDEN __attribute__((noreturn));

/* Memory for the arrays of one call, to be taken and given back in stack order. Allocates only
   when a thread needs more than ever before. wi4go_scratch_alloc never returns NULL. */
void *wi4go_scratch_alloc(size_t bytes) HIDDEN;
void wi4go_scratch_free(void *memory, size_t bytes) HIDDEN;

/* A callback that the runtime calls without a user pointer. */
enum wi4go_callback_kind { OPERATION, COMM_HANDLER, WIN_HANDLER, FILE_HANDLER, SESSION_HANDLER, CXX_OPERATION, CXX_HANDLER, LARGE_OPERATION };
struct wi4go_callback {
    void *handler;        /* the address that the trampoline jumps to; must be the first member */
    int kind;             /* an enum wi4go_callback_kind */
    void *function;       /* the program's function */
    void *call;           /* the function that the handler calls: `function`, unless its language needs a proxy in between */
};
/* Returns the address of a function that calls handler with the callback of (kind, function) as its
   sixth argument. Equal arguments return the same address. It is never freed, because runtimes
   use operations and error handlers after they are freed. Returns NULL when memory is exhausted. */
void *wi4go_trampoline(int kind, void *function, void *handler) HIDDEN;
/* Returns the callback of an address that wi4go_trampoline returned. */
struct wi4go_callback *wi4go_callback_of(void *trampoline) HIDDEN;

/* The language that has set the value of an attribute (MPI-5.0, 19.3.7), in MPICH's numbers: C,
   whose values are pointers; Fortran, whose values are INTEGERs of kind MPI_ADDRESS_KIND; or
   Fortran's MPI_ATTR_PUT, whose values are default INTEGERs. */
enum wi4go_setter { SET_BY_C = 0, SET_BY_FORTRAN = 1, SET_BY_ATTR_PUT = 3 };

/* Proxies that MPICH's C++ and Fortran libraries interpose between a keyval and its callbacks,
   which are functions of that language. */
typedef int wi4go_copy_proxy(void *function, int object, int keyval, void *extra, int set_by, void *in, void **out, int *flag);
typedef int wi4go_delete_proxy(void *function, int object, int keyval, int set_by, void *value, void *extra);

/* The program's callbacks of a keyval and their argument. */
struct wi4go_keyval {
    void *copy, *remove, *extra;
    wi4go_copy_proxy *copy_proxy;     /* NULL: the callbacks are C functions */
    wi4go_delete_proxy *delete_proxy;
    void *memory;         /* memory freed with the keyval and its last attribute, or NULL */
};

/*
 * The pair's support for the family's C++ library (libmpi_cxx, libmpichcxx). This library makes
 * an object with the C function of MPI, and afterwards calls the C library to declare that the
 * object's callback is a C++ function.
 */
struct wi4go_cxx {
    /* Returns the program's callbacks of a keyval, which the caller may change, or NULL if there
       is no such keyval. */
    struct wi4go_keyval *(*keyval)(int keyval);
    /* Sets the C function of an operation whose function wi4go_is_cxx_intercept has deferred. */
    void (*define_operation)(long op, void *function);
    /* Makes an error handler from a C function. Returns its handle, or NULL on failure. The
       handle is the address of at least WI4GO_ERRHANDLER_SIZE bytes, whose first sixteen belong
       to the front. */
    void *(*create_errhandler)(enum wi4go_object object, void *function);
};
#define WI4GO_ERRHANDLER_SIZE 0x90

/* The operation or error handler that this thread has made last, in MPICH's front only: its
   handle, and the trampoline that the runtime received as its function, NULL if it received none. */
extern __thread struct wi4go_last_created { long handle; void *trampoline; } wi4go_last_created
    __attribute__((tls_model("initial-exec"))) HIDDEN;

/* wi4go_throw_exceptions is the family's handle of the error handler that throws MPI::Exception.
   wi4go_throwing_function returns the C error handler that it uses for a kind of object, or NULL
   for the fatal handler. */
extern const intptr_t wi4go_throw_exceptions HIDDEN;
void *wi4go_throwing_function(enum wi4go_object object) HIDDEN;
/* Reports whether a function is the single function that a C++ library passes for all its
   operations. Such operations are made later, when wi4go_cxx.define_operation supplies their real
   function. */
int wi4go_is_cxx_intercept(void *function) HIDDEN;

/* The pair's own work when a thread ends; set before the first call returns, NULL if there is
   none. */
extern void (*wi4go_thread_exit)(void) HIDDEN;
/* Makes wi4go_thread_exit run when this thread ends. */
void wi4go_watch_thread(void) HIDDEN;
#endif
