/*
 * Error handlers that are created while the library is down (MPI-5.0, 11.4.1): MPICH and Open MPI end
 * the process then. The program gets a handle of the front's, an early handler, and the library
 * gets its handler when the early one is first used. The layer `handlers` stays while the library
 * is up if there are early handlers.
 *
 * The mutex protects the list. An early handler holds a reference for each handle that the program has
 * to free.
 */
#include "emulate.h"

struct early {
    MPI_Errhandler handle;
    enum { OF_COMM, OF_WIN, OF_FILE, OF_SESSION } of;
    void *function;
    MPI_Errhandler real;       /* the library's, or MPI_ERRHANDLER_NULL */
    int references;
    struct early *next;
};
static struct early *list;
static int serial;             /* the number of early handlers made so far */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The handle before the first one, and its number in Fortran. No library has such handles: they have
   the kind of MPI_ERRHANDLER_NULL in MPICH's bit layout, or bit 61 if handles are addresses. */
#if HANDLE_BITS == 32
#define HANDLE_FIRST ((MPI_Errhandler)MPI_ERRHANDLER_NULL)
#define FORTRAN_FIRST HANDLE_FIRST
#else
#define HANDLE_FIRST ((MPI_Errhandler)1 << 61)
#define FORTRAN_FIRST (-(1 << 29))
#endif
#define MOST (1 << 20)

int wi4go_needs_layer_handlers(const struct wi4go_pair *pair)
{
    (void)pair;
    return !wi4go_library_is_up() || __atomic_load_n(&list, __ATOMIC_RELAXED);
}

static int is_early(MPI_Errhandler handle) { return handle > HANDLE_FIRST && handle <= HANDLE_FIRST + MOST; }

/* Returns the pointer to the early handler of a handle, or to the NULL at the end. The caller holds
   the mutex. */
static struct early **early_at(MPI_Errhandler handle)
{
    struct early **p = &list;
    while (*p && (*p)->handle != handle)
        p = &(*p)->next;
    return p;
}

/* Creates an early handler. Returns an error class. */
static int early_create(int of, void *function, MPI_Errhandler *errhandler)
{
    struct early *made = function && errhandler && serial < MOST ? malloc(sizeof *made) : NULL;
    if (!made)
        return MPI_ERR_ARG;
    pthread_mutex_lock(&mutex);
    *made = (struct early){HANDLE_FIRST + ++serial, of, function, MPI_ERRHANDLER_NULL, 1, list};
    __atomic_store_n(&list, made, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&mutex);
    *errhandler = made->handle;
    return MPI_SUCCESS;
}

/* Replaces the handle of an early handler by the library's, which is created if there is none. The
   library must be up. Returns an error code. */
static int early_real(MPI_Errhandler *errhandler)
{
    int rc = MPI_SUCCESS;
    if (!is_early(*errhandler))
        return rc;
    pthread_mutex_lock(&mutex);
    struct early *const e = *early_at(*errhandler);
    if (e && e->real == MPI_ERRHANDLER_NULL)
        rc = (e->of == OF_COMM ? BELOW(handlers, MPI_Comm_create_errhandler) : e->of == OF_WIN ? BELOW(handlers, MPI_Win_create_errhandler) :
              e->of == OF_FILE ? BELOW(handlers, MPI_File_create_errhandler) : BELOW(handlers, MPI_Session_create_errhandler))(e->function, &e->real);
    *errhandler = e && !rc ? e->real : MPI_ERRHANDLER_NULL;
    pthread_mutex_unlock(&mutex);
    return rc;
}

/* Replaces a handle that the library has returned with a reference, if it is the one of an early
   handler. Returns rc. */
static int early_of(int rc, MPI_Errhandler *errhandler)
{
    if (rc || !errhandler)
        return rc;
    pthread_mutex_lock(&mutex);
    struct early *e = list;
    while (e && (e->real == MPI_ERRHANDLER_NULL || e->real != *errhandler))
        e = e->next;
    if (e) {
        BELOW(handlers, MPI_Errhandler_free)(errhandler);
        *errhandler = e->handle;
        e->references++;
    }
    pthread_mutex_unlock(&mutex);
    return rc;
}

int handlers_MPI_Errhandler_free(MPI_Errhandler *errhandler)
{
    if (!errhandler || !is_early(*errhandler)) {
        if (wi4go_library_is_up())
            return BELOW(handlers, MPI_Errhandler_free)(errhandler);
        if (!errhandler || *errhandler == MPI_ERRHANDLER_NULL)
            return MPI_ERR_ARG;
        *errhandler = MPI_ERRHANDLER_NULL; /* the library has freed it when it was finalized */
        return MPI_SUCCESS;
    }
    pthread_mutex_lock(&mutex);
    struct early **p = early_at(*errhandler), *e = *p;
    const int known = e != NULL, freed = known && !--e->references;
    if (freed)
        *p = e->next;
    pthread_mutex_unlock(&mutex);
    if (!known)
        return MPI_ERR_ARG;
    if (freed) {
        if (e->real != MPI_ERRHANDLER_NULL && wi4go_library_is_up())
            BELOW(handlers, MPI_Errhandler_free)(&e->real);
        free(e);
    }
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

/* Defines the functions of a kind of object. */
#define HANDLERS_OF(Type, kind) \
    int handlers_##Type##_create_errhandler(void *function, MPI_Errhandler *errhandler) \
    { \
        return wi4go_library_is_up() ? BELOW(handlers, Type##_create_errhandler)(function, errhandler) : early_create(kind, function, errhandler); \
    } \
    int handlers_##Type##_set_errhandler(Type object, MPI_Errhandler errhandler) \
    { \
        const int rc = early_real(&errhandler); \
        return rc ? rc : BELOW(handlers, Type##_set_errhandler)(object, errhandler); \
    } \
    int handlers_##Type##_get_errhandler(Type object, MPI_Errhandler *errhandler) \
    { \
        return early_of(BELOW(handlers, Type##_get_errhandler)(object, errhandler), errhandler); \
    }
HANDLERS_OF(MPI_Comm, OF_COMM)
HANDLERS_OF(MPI_Win, OF_WIN)
HANDLERS_OF(MPI_File, OF_FILE)
HANDLERS_OF(MPI_Session, OF_SESSION)

/* The library gets an early handler when it is up. */
int handlers_MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    if (!is_early(errhandler))
        return BELOW(handlers, MPI_Session_init)(info, errhandler, session);
    const int rc = BELOW(handlers, MPI_Session_init)(info, MPI_ERRORS_RETURN, session);
    return rc ? rc : handlers_MPI_Session_set_errhandler(*session, errhandler);
}

int handlers_MPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    const int rc = early_real(&errhandler);
    return rc ? rc : BELOW(handlers, MPI_Comm_create_from_group)(group, stringtag, info, errhandler, newcomm);
}

int handlers_MPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader,
                                              const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newintercomm)
{
    const int rc = early_real(&errhandler);
    return rc ? rc : BELOW(handlers, MPI_Intercomm_create_from_groups)(local_group, local_leader, remote_group, remote_leader, stringtag, info,
                                                                     errhandler, newintercomm);
}

/* Returns the number of an early handler in Fortran, and the handle of a number, or
   MPI_ERRHANDLER_NULL. */
static int early_number(MPI_Errhandler errhandler) { return FORTRAN_FIRST + (int)(errhandler - HANDLE_FIRST); }
static MPI_Errhandler early_handle(int number)
{
    return number > FORTRAN_FIRST && number <= FORTRAN_FIRST + MOST ? HANDLE_FIRST + (number - FORTRAN_FIRST) : MPI_ERRHANDLER_NULL;
}

MPI_Fint handlers_MPI_Errhandler_c2f(MPI_Errhandler errhandler)
{
    return is_early(errhandler) ? early_number(errhandler) : BELOW(handlers, MPI_Errhandler_c2f)(errhandler);
}

/* Reports whether the library has freed the handler of a number, because it was finalized. A front of
   addresses must not ask it then, as Open MPI 4.1 ends the process; the numbers of predefined handlers are the
   front's. */
static int is_gone(int number)
{
    const MPI_Errhandler predefined[] = {MPI_ERRHANDLER_NULL, MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN, MPI_ERRORS_ABORT};
    if (HANDLE_BITS == 32 || wi4go_pair->identity || wi4go_library_is_up())
        return 0;
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (BELOW(handlers, MPI_Errhandler_c2f)(predefined[i]) == number)
            return 0;
    return 1;
}

/* A handler that is gone has the handle before the first early one: the program may free it. */
MPI_Errhandler handlers_MPI_Errhandler_f2c(MPI_Fint errhandler)
{
    const MPI_Errhandler early = early_handle(errhandler);
    if (early != MPI_ERRHANDLER_NULL)
        return early;
    return is_gone(errhandler) ? HANDLE_FIRST : BELOW(handlers, MPI_Errhandler_f2c)(errhandler);
}

int handlers_MPI_Errhandler_toint(MPI_Errhandler errhandler)
{
    return is_early(errhandler) ? early_number(errhandler) : BELOW(handlers, MPI_Errhandler_toint)(errhandler);
}

MPI_Errhandler handlers_MPI_Errhandler_fromint(int errhandler)
{
    const MPI_Errhandler early = early_handle(errhandler);
    if (early != MPI_ERRHANDLER_NULL)
        return early;
    return is_gone(errhandler) ? HANDLE_FIRST : BELOW(handlers, MPI_Errhandler_fromint)(errhandler);
}
