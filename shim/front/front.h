/*
 * What the hand-written C of a front offers to the generated translation of a
 * pair, and what a pair gives it. One front is one shared library that stands
 * in for the MPI library of one ABI family; a pair is that front over the
 * runtime libraries of another family.
 *
 * Gives: struct wi4go_pair, struct wi4go_family, the tables wi4go_A and wi4go_R, and
 * what the files of the front's base do: say.c, slots.c, core.c and those that need no
 * more than these.
 */
#ifndef WI4GO_FRONT_H
#define WI4GO_FRONT_H
#include <stddef.h>
#include <stdint.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define HIDDEN __attribute__((visibility("hidden")))

/* Whether an address lies in the object that this front is linked into: itself, or
   with -static-mpi the program. */
static inline int wi4go_is_here(uintptr_t address)
{
    extern const char __ehdr_start[] HIDDEN, _end[] HIDDEN; /* the linker's */
    return address >= (uintptr_t)__ehdr_start && address < (uintptr_t)_end;
}

/* Whether functions have fast paths (gen/assembly/fast.go) on this machine. */
#if defined(__x86_64__)
#define FAST_PATHS 1
#else
#define FAST_PATHS 0
#endif

/* A function that is called seldom is compiled for size; so is one that is called where
   its fast path has not served a call. */
#define FOR_SIZE __attribute__((cold))
#if FAST_PATHS
#define BESIDE_ASSEMBLY FOR_SIZE
#else
#define BESIDE_ASSEMBLY
#endif

/* Per slot: the function that the program's calls go to, the one that the front's own calls
   go to (the translation, or a layer over it), the runtime's own function, and the entry
   point that raises MPI_ERR_UNSUPPORTED_OPERATION. Made by c/asmchooser. */
extern void *wi4go_A[] HIDDEN;
extern void *wi4go_inner[] HIDDEN;
extern void *wi4go_R[] HIDDEN;
extern void *const wi4go_missing_entries[] HIDDEN;

/* A function of MPI as the front calls it for itself, by its slot (slots.h) and the type of
   its declared profiling name. The runtime is loaded. */
#define INNER(name) ((__typeof__(P##name) *)wi4go_inner[SLOT_##name])

/* Which argument of a function names the object whose error handler is asked
   (MPI-5.0, 9.3). WI4GO_ERRHANDLER: the call is given the handler itself, as
   MPI_Session_init is. WI4GO_TOOL: the tool interface, which asks none. */
enum wi4go_object { WI4GO_NO_OBJECT, WI4GO_COMM, WI4GO_WIN, WI4GO_FILE, WI4GO_ERRHANDLER, WI4GO_TOOL };

/* What the C++ bindings of a family need of a pair, beyond MPI (below). */
struct wi4go_cxx;

/* How the libraries of a vendor introduce themselves (MPI_Get_library_version), before
   and behind the release; and the level of MPI of its releases (MPI_Get_version), the
   longer beginning of a release before the shorter. Both end with names that are NULL. */
struct wi4go_vendor {
    const char *name; /* and a @ */
    const char *before, *after;
};
struct wi4go_level {
    const char *library; /* a vendor, @, the beginning of a release */
    int version, subversion;
};
extern const struct wi4go_vendor wi4go_vendors[] HIDDEN;
extern const struct wi4go_level wi4go_levels[] HIDDEN;

/* What a front has of one function: all that does not depend on the runtime. */
struct wi4go_slot {
    const char *name;          /* "MPI_Send" */
    unsigned char object;      /* enum wi4go_object */
    unsigned char argument;    /* its position */
    unsigned char handles;     /* bit i: argument i, one of the first six, is a handle */
    unsigned char parameters;  /* how many it has; or: */
    unsigned short standard;   /* the slot of what an extension has become in the standard; 0: none */
    unsigned short narrow_of;  /* the slot of the function with int counts by which narrow works */
    void *emulation;           /* serves where the runtime lacks the function (shim/emulate); or NULL */
    void *narrow;              /* serves a large count where it has none; or NULL */
};
/* The function is variadic, or the number of its parameters is not in the tables. */
#define WI4GO_ANY_NUMBER 255
extern const struct wi4go_slot wi4go_slots[] HIDDEN;

/* A predefined handle of a family whose handles are numbers in its mpi.h. */
struct wi4go_foreign_handle {
    unsigned value;
    const char *name;          /* "MPI_COMM_WORLD" */
};

/* The largest count that is handed on as it is: INT_MAX, or less in tests. */
extern int64_t wi4go_chunk HIDDEN;

/* A function of a layer over what is in a slot. What was there before, the link
   below it, it finds in wi4go_below; a row without a function ends a layer. */
struct wi4go_layer {
    unsigned slot, link;
    void *function;
};
extern void *wi4go_below[] HIDDEN;
/* Puts a layer over the slots that the runtime has, above the layers that are there. */
void wi4go_put_over(const struct wi4go_layer *rows) HIDDEN;

/* What a pair has for a slot. */
struct wi4go_translation {
    void *function;   /* NULL: the runtime has no such function in any version */
    void *fallback;   /* the same in C where that is assembly, for processors that cannot run it; else NULL, or: */
};
/* The function works without the runtime's. */
#define WI4GO_ALONE ((void *)1)

/* The pair's body of a frequent procedure of Fortran (frequent.h), in C and in assembly;
   NULL: it has none. other: the library's own body, to which it leaves what is unusual;
   a row without ends the table. */
struct wi4go_frequent {
    unsigned slot;
    int described; /* its choice buffers are descriptors */
    void *body, *fast, **other;
};

/* One pair: this front over one runtime family. The identity pair is
   the front over its own family, where most functions need no translation. */
struct wi4go_pair {
    const char *runtime;                /* the family's name */
    const char *rank_variable;          /* by which a launcher that it understands tells a rank */
    int identity;                       /* what has no translation, or has it from us for want of better, is the runtime's own */
    const struct wi4go_translation *translations; /* per slot */
    /* Learns the runtime's handles and constants that only it knows. library:
       its dlopen handle. Returns NULL, or what is wrong with the library. */
    const char *(*setup)(void *library);
    /* Raises an error class of the application through the object's handler;
       returns the code that the call is to return. */
    int (*raise)(enum wi4go_object object, long handle, int error_class);
    int unsupported;                    /* the application's MPI_ERR_UNSUPPORTED_OPERATION */
    struct {
        int info_key, info_value, error_string;
    } limits;                           /* the runtime's MPI_MAX_… */
    const struct wi4go_class {          /* error classes of the program's mpi.h that no library of the family has; */
        int number;
        const char *text;               /* NULL at the end */
    } *lacked_classes;
    int root_send_refused;              /* what the runtime's reductions do with a null send buffer at MPI_ROOT */
    const struct wi4go_cxx *cxx;
    const struct wi4go_frequent *frequent; /* NULL: none */
    void (*frequent_begins)(void);      /* called before the first of them, unless NULL */
};
/* Size of what a variable points to that stands for an address constant. */
#define WI4GO_POINTEE_SIZE 64

/* Whether this processor runs the fast paths. */
int wi4go_fast_paths_run(void) HIDDEN;

/* The pair in use. load.c sets it before any slot has its function, so that everything
   that a call of the program reaches finds it. */
extern const struct wi4go_pair *wi4go_pair HIDDEN;

struct core_family; /* core.h */

/* A pair's table of handles is ready: kind is their type. The records of what lives
   are those tables; a pair whose handles need none has no records. */
struct handletable;
void wi4go_table_made(const char *kind, struct handletable *table) HIDDEN;
/* Which handles have not been freed, as text, "" for none; -1 without records. */
int wi4go_handles_left(char *answer, int size) HIDDEN;

/* ---- the tables of slots (slots.c) ---- */

/* Makes the tables ready for wi4go_fill, which gives each slot its first function. A
   function whose arguments can show another MPI's mpi.h gets it at its first call.
   wi4go_slots_filled ends this. Of load.c. */
void wi4go_slots_begin(void) HIDDEN;
void wi4go_fill(unsigned slot, void *function) HIDDEN;
void wi4go_slots_filled(void) HIDDEN;
/* The first call of a slot has been checked: later ones go straight to its function,
   which is returned. */
void *wi4go_publish(unsigned slot) HIDDEN;
void wi4go_slots_in_child(void) HIDDEN;

/* Returns the function that serves a slot, with all layers of emulation, and sets it: the
   one in wi4go_inner. wi4go_A may have another: a first call may have to be checked, and a
   route may be on top. After a change, wi4go_rebound is to be called. */
void *wi4go_entry(unsigned slot) HIDDEN;
void wi4go_set_entry(unsigned slot, void *function) HIDDEN;

/*
 * A layer on top, which observes the program. wi4go_route has each call of the program of a
 * slot go to an entry, whatever serves the slot: a translation, an emulation, or the
 * function for what the runtime lacks. The first call of a slot goes there as well, after
 * it was checked. The entry goes on at wi4go_inner[slot], read at each call, because layers
 * of emulation may come later. Calls that the front makes for itself, and that its Fortran
 * library makes for itself, pass the entry by. wi4go_restore takes the entry away; a call
 * that is inside it goes on. Both are for any time from wi4go_slots_begin on, and take
 * effect for calls of Fortran with wi4go_rebound, to be called once after all changes.
 */
void wi4go_route(unsigned slot, void *entry) HIDDEN;
void wi4go_restore(unsigned slot) HIDDEN;
int wi4go_is_routed(unsigned slot) HIDDEN;

/* The hook that follows changes of slots: called when the runtime is loaded, at once if it
   is, and then whenever wi4go_rebound reports a change. There is one (frequent.c). */
void wi4go_on_rebind(void (*hook)(void)) HIDDEN;
void wi4go_rebound(void) HIDDEN;

/* The variables by which a family's launcher gives each process its place in the job; a
   row without a family ends the table. */
enum { WI4GO_RANK, WI4GO_SIZE, WI4GO_LOCAL_RANK, WI4GO_LOCAL_SIZE, WI4GO_NODE_RANK, WI4GO_RANK_NUMBERS };
struct wi4go_launcher {
    const char *family;
    const char *manager;                      /* what its processes ask: "PMI" or "PMIx" */
    const char *signs[4];                     /* variables that it sets and wi4go never, NULL at the end */
    const char *sonames[8];                   /* of the libraries whose programs it starts, NULL at the end */
    const char *names[WI4GO_RANK_NUMBERS][5]; /* of the variables for each number, NULL at the end */
};
extern const struct wi4go_launcher wi4go_launchers[] HIDDEN;

/* Returns the value of a variable, or NULL if it is not set, empty, or a rank variable that
   wi4go has set and no launcher (ranks.c). */
const char *wi4go_from_launcher(const char *name) HIDDEN;
/* Returns one of the numbers that a launcher gives this process, or NULL. */
const char *wi4go_number_from(const struct wi4go_launcher *launcher, int which) HIDDEN;

/* What the generator says of the front. */
struct wi4go_family {
    const char *name;
    const char *title;                  /* "Open MPI" */
    unsigned n_functions;
    const char *const *sonames;         /* of the family's C library, NULL at the end */
    const char *const *foreign_sonames; /* of the other families' C libraries, NULL at the end */
    const struct core_family *runtimes; /* the families that are known, by which a library is recognised */
    unsigned n_runtimes;
    const struct wi4go_pair *const *pairs; /* NULL at the end */
    const struct wi4go_foreign_handle *foreign_handles; /* which a program of this family cannot have; a 0 at the end */
    const char *foreign_header;         /* whose they are; NULL: any value can be a handle */
    const char *const *launcher_prefixes; /* of the variables by which launchers describe a job, NULL at the end */
};
extern const struct wi4go_family wi4go_family HIDDEN;

/* The runtime that was loaded: its file, its family, its dlopen handle. */
extern const char *wi4go_runtime_path HIDDEN;
extern void *wi4go_runtime_library HIDDEN;

/* Whether the program has the numbers of Intel's draft of the standard ABI. */
extern int wi4go_program_is_draft HIDDEN;

/* One line on stderr, "wi4go: …". */
void wi4go_say(const char *format, ...) HIDDEN __attribute__((format(printf, 1, 2)));
/* The same, then the end of the process with status 1. */
void wi4go_die(const char *format, ...) HIDDEN __attribute__((format(printf, 1, 2), noreturn));

/* ---- the core (core.c) ---- */

/* Opens the core and starts it. open: opens the one inside the program; NULL: it is a file. */
struct core_request;
void wi4go_core_begin(void *(*open)(void)) HIDDEN;
/* Has it find and open the runtime: 0, or non-zero with the request's error. */
int wi4go_core_find(struct core_request *request) HIDDEN;
/* Next to nothing of it will run again. */
void wi4go_core_rest(void) HIDDEN;
/* Writes the path of a file of this installation, relative to the directory of fronts. */
void wi4go_beside_front(char *path, size_t size, const char *name) HIDDEN;

/* Asks the command wi4go of this installation a question of a few words, NULL at
   the end; the rest is as in shim/core/ask.h. The runtime is loaded. */
int wi4go_ask_command(const char *const *words, char *answer, int size) HIDDEN;

/* ---- a launcher that the runtime does not understand (world.c) ---- */

/* Before MPI is initialized: says so where it is known already. */
void wi4go_world_begins(void) HIDDEN;
/* Whether the size of the world is to be looked at, once it is there. */
int wi4go_world_in_doubt(void) HIDDEN;
/* The world has one process where it should have more: says so, once. When it
   returns true the caller ends MPI and calls wi4go_world_ends. */
int wi4go_world_is_one(void) HIDDEN;
void wi4go_world_ends(void) HIDDEN __attribute__((noreturn));

/* Memory for the arrays of one call, taken and given back in stack order.
   Allocates only when a thread needs more than ever before. */
void *wi4go_scratch_take(size_t bytes) HIDDEN;
void wi4go_scratch_give(void *memory, size_t bytes) HIDDEN;

/* A callback that the runtime calls without a user pointer. */
enum wi4go_callback_kind { OPERATION, COMM_HANDLER, WIN_HANDLER, FILE_HANDLER, SESSION_HANDLER, CXX_OPERATION, CXX_HANDLER, LARGE_OPERATION };
struct wi4go_callback {
    void *handler;        /* what the trampoline jumps to: it knows this as the first member */
    int kind;             /* enum wi4go_callback_kind */
    void *function;       /* the application's function */
    void *call;           /* what the handler calls: the function, unless its language wants another in between */
};
/* The address of a function that calls handler with the record of (kind,
   function) as sixth argument. The same three give the same address; it stays
   for ever, because runtimes use operations and error handlers after they are
   freed. NULL when memory is exhausted. */
void *wi4go_trampoline(int kind, void *function, void *handler) HIDDEN;
/* The record of such an address. */
struct wi4go_callback *wi4go_callback_of(void *trampoline) HIDDEN;

/* Who has set the value of an attribute (MPI-5.0, 19.3.7), in MPICH's numbers: C,
   whose values are pointers; Fortran, an INTEGER of kind MPI_ADDRESS_KIND; or
   Fortran's MPI_ATTR_PUT, a default INTEGER. */
enum wi4go_setter { SET_BY_C = 0, SET_BY_FORTRAN = 1, SET_BY_ATTR_PUT = 3 };

/* What MPICH's C++ and Fortran libraries put between a keyval and its callbacks,
   which are of their language. */
typedef int wi4go_copy_proxy(void *function, int object, int keyval, void *extra, int set_by, void *in, void **out, int *flag);
typedef int wi4go_delete_proxy(void *function, int object, int keyval, int set_by, void *value, void *extra);

/* The program's side of a keyval. */
struct wi4go_keyval {
    void *copy, *remove, *extra;
    wi4go_copy_proxy *copy_proxy;     /* NULL: the callbacks are C's */
    wi4go_delete_proxy *delete_proxy;
    void *memory;         /* freed with the keyval and its last attribute */
};

/*
 * A family's C++ library (libmpi_cxx, libmpichcxx) makes an object with MPI's C
 * function and then tells the C library that its callback is C++'s.
 */
struct wi4go_cxx {
    /* The program's callbacks of a keyval, to be altered; NULL: no such keyval. */
    struct wi4go_keyval *(*keyval)(int keyval);
    /* Gives an operation that wi4go_shared_operation deferred its function (in C). */
    void (*define_operation)(long op, void *function);
    /* Makes an error handler of a C function. Its handle is the address of at
       least WI4GO_ERRHANDLER_SIZE bytes, of which the first sixteen are ours;
       NULL when that fails. */
    void *(*create_errhandler)(enum wi4go_object object, void *function);
};
#define WI4GO_ERRHANDLER_SIZE 0x90

/* The operation or error handler that this thread made last, of MPICH's front alone: its
   handle, and the trampoline that the runtime has for its function, NULL: it has none. */
extern __thread struct wi4go_last_made { long handle; void *trampoline; } wi4go_last_made
    __attribute__((tls_model("initial-exec"))) HIDDEN;

/* The family's handle of the error handler that throws MPI::Exception, and what
   it calls for each kind of object: a C error handler, NULL for the fatal one. */
extern const intptr_t wi4go_throw_exceptions HIDDEN;
void *wi4go_throwing_function(enum wi4go_object object) HIDDEN;
/* Tells the one function that a C++ library gives all its operations, so that
   they are made when wi4go_cxx.define_operation says what they compute. */
int wi4go_shared_operation(void *function) HIDDEN;

/* The pair's own work at a thread's end; set before the first call returns. */
extern void (*wi4go_thread_exit)(void) HIDDEN;
/* Arranges for wi4go_thread_exit to run when this thread ends. */
void wi4go_watch_thread(void) HIDDEN;
#endif
