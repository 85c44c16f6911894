/*
 * Calls before the library is initialized and after it is finalized. The library is up as long as
 * the world model or a session needs it. The layers of WI4GO_OUTSIDE are installed while it is
 * down, so calls in between do not pass through them.
 *
 * MPICH ends a process that reads its clock then, and the clock of Open MPI 5 begins anew in
 * MPI_Init. The layer `clock` reads the system's clock instead. Both clocks may begin at different
 * times, so the times that the program gets continue: `base` is the time of the program minus that
 * of the system's clock, and `shift` the time of the program minus that of the library's clock. The
 * layer stays while the library is up only if the program has read the system's clock and the
 * library has another one.
 *
 * The mutex protects all state; `up` and `shift` are read without it.
 */
#include "emulate.h"
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int users;             /* the world model, if it is initialized, and the library's sessions */
static int up;                /* 1: users > 0 */
static double base, shift;    /* in seconds */
static int has_read;          /* 1: the program has read the system's clock */

int wi4go_library_is_up(void) { return __atomic_load_n(&up, __ATOMIC_ACQUIRE); }

/* ---- the clock ---- */

/* The precision of the comparison of two clocks, in seconds: a double has 16 digits. */
#define PRECISION 1e-6

/* Returns the time of the system's clock, in seconds. */
static double system_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Sets `shift`, so that the library's clock continues the times that the program has read. The
   caller holds the mutex. */
static void clock_begin(void)
{
    if (!has_read)
        return;
    const double before = system_time() + base, now = BELOW(clock, MPI_Wtime)() + shift, after = system_time() + base;
    if (now < before - PRECISION || now > after + PRECISION)
        shift += after - now;
}

/* Sets `base`, so that the system's clock continues the library's. The caller holds the mutex. */
static void clock_end(void) { base = BELOW(clock, MPI_Wtime)() + shift - system_time(); }

int wi4go_needs_layer_clock(const struct wi4go_pair *pair)
{
    (void)pair;
    return !up || shift != 0;
}

double clock_MPI_Wtime(void)
{
    if (wi4go_library_is_up())
        return BELOW(clock, MPI_Wtime)() + shift;
    pthread_mutex_lock(&mutex);
    has_read = 1;
    const double now = system_time() + base;
    pthread_mutex_unlock(&mutex);
    return now;
}

double clock_MPI_Wtick(void)
{
    struct timespec tick;
    if (wi4go_library_is_up())
        return BELOW(clock, MPI_Wtick)();
    clock_getres(CLOCK_MONOTONIC, &tick);
    return (double)tick.tv_sec + 1e-9 * (double)tick.tv_nsec;
}

/* Leaves the memory of a library that is down to the system, which frees it when the process ends. */
int clock_MPI_Free_mem(void *memory) { return wi4go_library_is_up() ? BELOW(clock, MPI_Free_mem)(memory) : MPI_SUCCESS; }

/* ---- initialization and finalization of the library ---- */

/* Records a successful initialization. Returns rc. */
static int begun(int rc)
{
    if (rc)
        return rc;
    pthread_mutex_lock(&mutex);
    if (!users++) {
        clock_begin();
        __atomic_store_n(&up, 1, __ATOMIC_RELEASE);
        wi4go_layers_update(WI4GO_OUTSIDE);
    }
    pthread_mutex_unlock(&mutex);
    return rc;
}

/* Called before a finalization. */
static void ending(void)
{
    pthread_mutex_lock(&mutex);
    if (users)
        clock_end();
    pthread_mutex_unlock(&mutex);
}

/* Records a successful finalization. Returns rc. */
static int ended(int rc)
{
    if (rc)
        return rc;
    pthread_mutex_lock(&mutex);
    if (users && !--users) {
        __atomic_store_n(&up, 0, __ATOMIC_RELEASE);
        wi4go_layers_update(WI4GO_OUTSIDE);
    }
    pthread_mutex_unlock(&mutex);
    return rc;
}

int span_MPI_Init(int *argc, char ***argv) { return begun(BELOW(span, MPI_Init)(argc, argv)); }

int span_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return begun(BELOW(span, MPI_Init_thread)(argc, argv, required, provided));
}

int span_MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    return begun(BELOW(span, MPI_Session_init)(info, errhandler, session));
}

int span_MPI_Finalize(void)
{
    ending();
    return ended(BELOW(span, MPI_Finalize)());
}

int span_MPI_Session_finalize(MPI_Session *session)
{
    ending();
    return ended(BELOW(span, MPI_Session_finalize)(session));
}
