/*
 * Sessions (MPI-5.0, 11.3) over a library that has only the world model. The first session
 * initializes the library, which then stays up until the program ends, so that sessions can be
 * made again. The program sees the state of its own calls of the world model, not the library's.
 *
 * States of the library: down; up by the program's MPI_Init; up by a session (`initialized_here`).
 * MPI_Finalize finalizes the library unless sessions are left. In this case, or if the program
 * does not use the world model, the library is finalized at exit. It cannot come up again.
 *
 * The list `sessions` owns its entries; each owns a communicator. The mutex protects the list,
 * the flags of the world model, the initialization of the library, and the error handler of
 * MPI_COMM_WORLD during the creation of communicators.
 */
#include "emulate.h"
#include <strings.h>

/*
 * A session. Its error handler is the error handler of a communicator of its own. A handle is a
 * number that is never used twice: it has the kind of MPI_SESSION_NULL in MPICH's bit layout, or
 * bit 61 if handles are addresses.
 */
struct session {
    MPI_Session handle;
    MPI_Comm comm;      /* owned */
    char *memory_kinds; /* the kinds of memory that it supports; owned */
    struct session *next;
};
#if HANDLE_BITS == 32
#define HANDLE_FIRST MPI_SESSION_NULL
#else
#define HANDLE_FIRST ((MPI_Session)1 << 61)
#endif
#define HANDLE_COUNT (1 << 26)
#define FORTRAN_FIRST (-(1 << 30))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct session *sessions;
static int serial;                  /* the number of sessions made so far */
static int initialized_here;        /* 1: the library was initialized here, not by the program's MPI_Init */
static int program_initialized, program_finalized; /* the program's world model, as far as the library's state does not show it */
static const struct { const char *name; int threads; } levels[] = {
    {"MPI_THREAD_SINGLE", MPI_THREAD_SINGLE}, {"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
    {"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED}, {"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE},
};
/* The process sets of every session. */
static const char *const sets[] = {"mpi://WORLD", "mpi://SELF"};
#define N_SETS (int)(sizeof sets / sizeof *sets)

/* Reports whether the library is initialized and not finalized. */
static int library_is_initialized(void)
{
    int up = 0, down = 0;
    BELOW(world, MPI_Initialized)(&up);
    BELOW(world, MPI_Finalized)(&down);
    return up && !down;
}

/* Finalizes the library, unless the program has left a session or its world model open. */
static void at_exit(void)
{
    if (library_is_initialized() && !sessions && (program_finalized || !program_initialized)) {
        wi4go_buffers_flush();
        BELOW(end, MPI_Finalize)();
    }
}

/* Initializes the library unless it is up. Returns MPI_SUCCESS if the library is up, or an error
   code. */
static int initialize_library(int threads)
{
    int down = 0, provided, rc = MPI_SUCCESS;
    pthread_mutex_lock(&mutex);
    BELOW(world, MPI_Finalized)(&down);
    if (down)
        rc = MPI_ERR_UNSUPPORTED_OPERATION;
    else if (!library_is_initialized()) {
        rc = BELOW(world, MPI_Init_thread)(NULL, NULL, threads, &provided);
        initialized_here = !rc;
        if (!rc)
            atexit(at_exit);
    }
    pthread_mutex_unlock(&mutex);
    if (down)
        wi4go_print("cannot start a session after MPI_Finalize: the MPI library that this program runs on (%s) has no sessions, and can be "
                    "initialized only once: keep one session open until the last one ends", wi4go_runtime_path);
    return rc;
}

/* ---- the world model ---- */

/* Called by the program's MPI_Init. Reports whether a session has initialized the library
   already, so that there is nothing left to do. */
static int is_initialized_by_session(void)
{
    pthread_mutex_lock(&mutex);
    int nothing = initialized_here && !program_initialized;
    program_initialized |= nothing;
    pthread_mutex_unlock(&mutex);
    return nothing;
}

int world_MPI_Init(int *argc, char ***argv) { return is_initialized_by_session() ? MPI_SUCCESS : BELOW(world, MPI_Init)(argc, argv); }

int world_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return is_initialized_by_session() ? MPI_Query_thread(provided) : BELOW(world, MPI_Init_thread)(argc, argv, required, provided);
}

int world_MPI_Initialized(int *flag)
{
    int down = 0, rc = BELOW(world, MPI_Initialized)(flag);
    if (!rc && initialized_here)
        *flag = program_initialized;
    else if (!rc && !*flag && !BELOW(world, MPI_Finalized)(&down) && down) /* MPICH 3.4 */
        *flag = 1;
    return rc;
}

int world_MPI_Finalized(int *flag)
{
    int rc = BELOW(world, MPI_Finalized)(flag);
    if (!rc && initialized_here)
        *flag = program_finalized;
    return rc;
}

/* Ends the world model. If the library lacks sessions, it stays up while an emulated session
   lives. */
int end_MPI_Finalize(void)
{
    wi4go_buffers_flush();
    if (RUNTIME_HAS(MPI_Session_init))
        return BELOW(end, MPI_Finalize)();
    pthread_mutex_lock(&mutex);
    const int early = initialized_here && (!program_initialized || program_finalized), kept = sessions != NULL;
    program_finalized |= !early;
    if (!early && kept && !initialized_here) {
        program_initialized = initialized_here = 1;
        atexit(at_exit);
    }
    pthread_mutex_unlock(&mutex);
    if (early)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_OTHER);
    return kept ? MPI_SUCCESS : BELOW(end, MPI_Finalize)();
}

/* Initializes the library if it is not up; returns MPI_ERR_OTHER from the calling function on
   failure. From MPI-4.0 on a program may call some functions before anything is initialized
   (MPI-5.0, 11.4.1), for example to make the info for MPI_Session_init. */
#define BEFORE_INIT() \
    do { \
        int up = 1; \
        if (!initialized_here) \
            BELOW(world, MPI_Initialized)(&up); \
        if (!up && initialize_library(MPI_THREAD_MULTIPLE)) \
            return MPI_ERR_OTHER; \
    } while (0)

int world_MPI_Info_create(MPI_Info *info)
{
    BEFORE_INIT();
    return wi4go_info_note(BELOW(world, MPI_Info_create)(info), info);
}

int world_MPI_Info_dup(MPI_Info info, MPI_Info *newinfo) { return wi4go_info_note(BELOW(world, MPI_Info_dup)(info, newinfo), newinfo); }

int world_MPI_Info_free(MPI_Info *info)
{
    const MPI_Info freed = info ? *info : MPI_INFO_NULL;
    const int rc = BELOW(world, MPI_Info_free)(info);
    if (!rc)
        wi4go_info_forget(freed);
    return rc;
}

int world_MPI_Comm_get_info(MPI_Comm comm, MPI_Info *info) { return wi4go_info_note(BELOW(world, MPI_Comm_get_info)(comm, info), info); }
int world_MPI_File_get_info(MPI_File file, MPI_Info *info) { return wi4go_info_note(BELOW(world, MPI_File_get_info)(file, info), info); }
int world_MPI_Win_get_info(MPI_Win win, MPI_Info *info) { return wi4go_info_note(BELOW(world, MPI_Win_get_info)(win, info), info); }

int world_MPI_Abi_get_info(MPI_Info *info)
{
    BEFORE_INIT();
    return wi4go_info_note(BELOW(world, MPI_Abi_get_info)(info), info);
}

int world_MPI_Abi_get_fortran_info(MPI_Info *info)
{
    BEFORE_INIT();
    return wi4go_info_note(BELOW(world, MPI_Abi_get_fortran_info)(info), info);
}

/* ---- sessions ---- */

/* Returns the session with this handle or this communicator, or NULL. */
static struct session *session_find(MPI_Session handle, MPI_Comm comm)
{
    pthread_mutex_lock(&mutex);
    struct session *s = sessions;
    while (s && s->handle != handle && s->comm != comm)
        s = s->next;
    pthread_mutex_unlock(&mutex);
    return s;
}

/* Declares s, the session of a handle. Returns an error code from the calling function if there
   is none. */
#define SESSION(s, handle) \
    struct session *s = session_find(handle, MPI_COMM_NULL); \
    if (!s) \
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_SESSION)

/* Raises an error through the session's handler. Returns the error code. */
static int session_error_code(const struct session *s, int error_class) { return wi4go_raise(WI4GO_COMM, s->comm, error_class); }

/* Raises an error of a call that has an error handler as argument, and no object. Returns the
   error class. */
static int raise_by(MPI_Errhandler errhandler, int error_class)
{
    MPI_Comm comm;
    if (MPI_Comm_split(MPI_COMM_SELF, 0, 0, &comm))
        return error_class;
    MPI_Comm_set_errhandler(comm, errhandler);
    wi4go_raise(WI4GO_COMM, comm, error_class);
    MPI_Comm_free(&comm);
    return error_class;
}

/* Returns the thread level that an info requests, MPI_THREAD_MULTIPLE if none. */
static int requested_thread_level(MPI_Info info)
{
    char value[32] = "";
    int flag = 0;
    if (info != MPI_INFO_NULL)
        MPI_Info_get(info, "thread_level", sizeof value - 1, value, &flag);
    for (size_t i = 0; flag && i < sizeof levels / sizeof *levels; i++)
        if (!strcmp(value, levels[i].name))
            return levels[i].threads;
    return MPI_THREAD_MULTIPLE;
}

int E_MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    int down = 0;
    BELOW(world, MPI_Finalized)(&down);
    if (down && !session)
        return MPI_ERR_ARG;
    int rc = initialize_library(library_is_initialized() ? MPI_THREAD_MULTIPLE : requested_thread_level(info));
    if (rc)
        return rc;
    if (!session || serial + 1 == HANDLE_COUNT)
        return raise_by(errhandler, MPI_ERR_ARG);
    struct session *s = calloc(1, sizeof *s);
    if (!s || !(s->memory_kinds = wi4go_memory_kinds(info))) {
        free(s);
        return raise_by(errhandler, MPI_ERR_NO_MEM);
    }
    if ((rc = MPI_Comm_split(MPI_COMM_SELF, 0, 0, &s->comm)) || (rc = MPI_Comm_set_errhandler(s->comm, errhandler))) {
        free(s->memory_kinds);
        free(s);
        return rc;
    }
    pthread_mutex_lock(&mutex);
    s->handle = HANDLE_FIRST + ++serial;
    s->next = sessions;
    sessions = s;
    pthread_mutex_unlock(&mutex);
    *session = s->handle;
    return MPI_SUCCESS;
}

int E_MPI_Session_finalize(MPI_Session *session)
{
    if (!session)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_ARG);
    SESSION(s, *session);
    pthread_mutex_lock(&mutex);
    struct session **p = &sessions;
    while (*p != s)
        p = &(*p)->next;
    *p = s->next;
    pthread_mutex_unlock(&mutex);
    MPI_Comm_free(&s->comm);
    free(s->memory_kinds);
    free(s);
    *session = MPI_SESSION_NULL;
    return MPI_SUCCESS;
}

int E_MPI_Session_get_info(MPI_Session session, MPI_Info *info_used)
{
    SESSION(s, session);
    int threads = MPI_THREAD_SINGLE;
    if (!info_used)
        return session_error_code(s, MPI_ERR_ARG);
    int rc = MPI_Query_thread(&threads);
    if (!rc)
        rc = MPI_Info_create(info_used);
    for (size_t i = 0; !rc && i < sizeof levels / sizeof *levels; i++)
        if (levels[i].threads == threads)
            rc = MPI_Info_set(*info_used, "thread_level", levels[i].name);
    return rc ? rc : MPI_Info_set(*info_used, WI4GO_MEMORY_KINDS, s->memory_kinds);
}

int E_MPI_Session_get_num_psets(MPI_Session session, MPI_Info info, int *npset_names)
{
    SESSION(s, session);
    (void)info;
    if (!npset_names)
        return session_error_code(s, MPI_ERR_ARG);
    *npset_names = N_SETS;
    return MPI_SUCCESS;
}

int E_MPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name)
{
    SESSION(s, session);
    (void)info;
    if (n < 0 || n >= N_SETS || !pset_len)
        return session_error_code(s, MPI_ERR_ARG);
    const int length = (int)strlen(sets[n]), room = *pset_len;
    if (room > 0 && !pset_name)
        return session_error_code(s, MPI_ERR_ARG);
    *pset_len = length + 1;
    if (room > 0) {
        const size_t part = (size_t)(length < room ? length : room - 1);
        memcpy(pset_name, sets[n], part);
        pset_name[part] = 0;
    }
    return MPI_SUCCESS;
}

/* Returns the world model's communicator with the processes of a set, or MPI_COMM_NULL if there
   is no such set. */
static MPI_Comm members_of(const char *name)
{
    if (name && !strcasecmp(name, sets[0]))
        return MPI_COMM_WORLD;
    return name && !strcasecmp(name, sets[1]) ? MPI_COMM_SELF : MPI_COMM_NULL;
}

int E_MPI_Session_get_pset_info(MPI_Session session, const char *pset_name, MPI_Info *info)
{
    SESSION(s, session);
    MPI_Comm comm = members_of(pset_name);
    char text[16], *p = text + sizeof text;
    if (comm == MPI_COMM_NULL || !info)
        return session_error_code(s, MPI_ERR_ARG);
    int size = (int)wi4go_members(comm);
    for (*--p = 0; p > text && (size || !*p); size /= 10)
        *--p = (char)('0' + size % 10);
    int rc = MPI_Info_create(info);
    return rc ? rc : MPI_Info_set(*info, "mpi_size", p);
}

int E_MPI_Group_from_session_pset(MPI_Session session, const char *pset_name, MPI_Group *newgroup)
{
    SESSION(s, session);
    MPI_Comm comm = members_of(pset_name);
    return comm == MPI_COMM_NULL || !newgroup ? session_error_code(s, MPI_ERR_ARG) : MPI_Comm_group(comm, newgroup);
}

/* ---- error handlers ---- */

/* The handler of a session's error handler, which is its communicator's: calls the program's
   function with the session. */
static void session_error(MPI_Comm *comm, int *code, void *a, void *b, void *c, const struct wi4go_callback *callback)
{
    (void)a, (void)b, (void)c;
    struct session *s = session_find(MPI_SESSION_NULL, *comm);
    MPI_Session handle = s ? s->handle : MPI_SESSION_NULL;
    ((void (*)(MPI_Session *, int *, ...))callback->call)(&handle, code, NULL);
}

int E_MPI_Session_create_errhandler(void *session_errhandler_fn, MPI_Errhandler *errhandler)
{
    int rc = initialize_library(MPI_THREAD_MULTIPLE);
    void *function = session_errhandler_fn ? wi4go_trampoline(SESSION_HANDLER, session_errhandler_fn, (void *)session_error) : NULL;
    return rc ? rc : MPI_Comm_create_errhandler(function, errhandler);
}

int E_MPI_Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler)
{
    SESSION(s, session);
    return MPI_Comm_set_errhandler(s->comm, errhandler);
}

int E_MPI_Session_get_errhandler(MPI_Session session, MPI_Errhandler *errhandler)
{
    SESSION(s, session);
    if (!errhandler)
        return session_error_code(s, MPI_ERR_ARG);
    return MPI_Comm_get_errhandler(s->comm, errhandler);
}

int E_MPI_Session_call_errhandler(MPI_Session session, int errorcode)
{
    SESSION(s, session);
    return MPI_Comm_call_errhandler(s->comm, errorcode);
}

/* ---- communicators (MPI-5.0, 7.4.2 and 7.6.2) ---- */

/* Errors in the creation of a communicator must go to the error handler argument. The creation
   uses MPI_COMM_WORLD, whose handler must not be called. So creation_enter replaces this
   handler, and creation_leave restores it when the last creation ends. No lock is held in between:
   two threads may create communicators at once. `creating` counts them, and `world_errhandler` is
   the program's handler. */
static int creating;
static MPI_Errhandler world_errhandler;

static void creation_enter(void)
{
    pthread_mutex_lock(&mutex);
    if (!creating++) {
        MPI_Comm_get_errhandler(MPI_COMM_WORLD, &world_errhandler);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    pthread_mutex_unlock(&mutex);
}

static void creation_leave(void)
{
    pthread_mutex_lock(&mutex);
    if (!--creating) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, world_errhandler);
        MPI_Errhandler_free(&world_errhandler);
    }
    pthread_mutex_unlock(&mutex);
}

/* Returns a tag for a string, at most 32767, which every library supports (MPI-5.0, 3.2.2). */
static int string_tag(const char *text)
{
    unsigned hash = 2166136261u;
    for (; text && *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return (int)((hash ^ hash >> 15) & 0x7fff);
}

/* Makes the communicator of a group that contains this process. Returns 0, or an error class. */
static int create_for_group(MPI_Group group, const char *stringtag, MPI_Comm *comm)
{
    int rank = MPI_UNDEFINED, class = MPI_ERR_GROUP;
    if (group == MPI_GROUP_NULL || MPI_Group_rank(group, &rank) || rank == MPI_UNDEFINED)
        return MPI_ERR_GROUP;
    int rc = MPI_Comm_create_group(MPI_COMM_WORLD, group, string_tag(stringtag), comm);
    if (rc)
        MPI_Error_class(rc, &class);
    return rc ? class : MPI_SUCCESS;
}

/* Ends a creation: raises its error, or sets the new communicator's error handler and info.
   Returns an error code. */
static int finish_creation(int class, MPI_Comm comm, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    creation_leave();
    if (class)
        return raise_by(errhandler, class);
    *newcomm = comm;
    int rc = MPI_Comm_set_errhandler(comm, errhandler);
    return rc || info == MPI_INFO_NULL ? rc : MPI_Comm_set_info(comm, info);
}

int E_MPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    MPI_Comm comm = MPI_COMM_NULL;
    if (library_is_initialized() && (!stringtag || !newcomm))
        return raise_by(errhandler, MPI_ERR_ARG);
    if (!newcomm)
        return MPI_ERR_ARG;
    if (group == MPI_GROUP_EMPTY) {
        *newcomm = MPI_COMM_NULL;
        return MPI_SUCCESS;
    }
    if (!library_is_initialized())
        return MPI_ERR_GROUP;
    creation_enter();
    int class = create_for_group(group, stringtag, &comm);
    return finish_creation(class, comm, info, errhandler, newcomm);
}

int E_MPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader,
                                       const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newintercomm)
{
    MPI_Comm local = MPI_COMM_NULL, comm = MPI_COMM_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    int rank = -1, remote = 0;
    if (!library_is_initialized())
        return MPI_ERR_GROUP;
    if (!stringtag || !newintercomm)
        return raise_by(errhandler, MPI_ERR_ARG);
    creation_enter();
    int class = create_for_group(local_group, stringtag, &local);
    if (!class) {
        MPI_Comm_set_errhandler(local, MPI_ERRORS_RETURN);
        MPI_Comm_rank(local, &rank);
    }
    if (!class && rank == local_leader) { /* the remote arguments are significant only at the leader */
        int rc = MPI_Comm_group(MPI_COMM_WORLD, &world);
        if (!rc && remote_group != MPI_GROUP_NULL)
            rc = MPI_Group_translate_ranks(remote_group, 1, &remote_leader, world, &remote);
        if (world != MPI_GROUP_NULL)
            MPI_Group_free(&world);
        if (rc)
            MPI_Error_class(rc, &class);
        else if (remote_group == MPI_GROUP_NULL || remote == MPI_UNDEFINED)
            class = MPI_ERR_GROUP;
    }
    if (!class) {
        int rc = MPI_Intercomm_create(local, local_leader, MPI_COMM_WORLD, remote, string_tag(stringtag), &comm);
        if (rc)
            MPI_Error_class(rc, &class);
    }
    if (local != MPI_COMM_NULL)
        MPI_Comm_free(&local);
    return finish_creation(class, comm, info, errhandler, newintercomm);
}

/* ---- Fortran's integers (MPI-5.0, 19.3.4) ---- */

/* These two convert the handles of emulated sessions. The null handle's integer is the
   translation's, if the runtime has one: see the functions of the layer below. */
MPI_Fint E_MPI_Session_c2f(MPI_Session session)
{
    if (HANDLE_BITS == 32)
        return (MPI_Fint)session;
    return session == MPI_SESSION_NULL ? 0 : FORTRAN_FIRST - (MPI_Fint)(session - HANDLE_FIRST);
}

MPI_Session E_MPI_Session_f2c(MPI_Fint session)
{
    if (HANDLE_BITS == 32)
        return (MPI_Session)session;
    return session < FORTRAN_FIRST ? HANDLE_FIRST + (FORTRAN_FIRST - session) : MPI_SESSION_NULL;
}

MPI_Fint world_MPI_Session_c2f(MPI_Session session) { return session == MPI_SESSION_NULL ? BELOW(world, MPI_Session_c2f)(session) : E_MPI_Session_c2f(session); }
MPI_Session world_MPI_Session_f2c(MPI_Fint session) { return session < FORTRAN_FIRST ? E_MPI_Session_f2c(session) : BELOW(world, MPI_Session_f2c)(session); }
int world_MPI_Session_toint(MPI_Session session) { return session == MPI_SESSION_NULL ? BELOW(world, MPI_Session_toint)(session) : E_MPI_Session_c2f(session); }
MPI_Session world_MPI_Session_fromint(int session) { return session < FORTRAN_FIRST ? E_MPI_Session_f2c(session) : BELOW(world, MPI_Session_fromint)(session); }
