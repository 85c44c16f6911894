/*
 * Calls before the library is initialized and after it is finalized. The library is up as long as
 * the world model or a session needs it. The layers of WI4GO_OUTSIDE are installed while it is
 * down, so calls in between do not pass through them.
 *
 * MPICH ends a process that reads its clock then, and the clock of Open MPI 5 starts at 0 again
 * in MPI_Init. The layer `clock` reads the system's clock instead. Both clocks may begin at different
 * times, so the times that the program gets continue: the program's time is the system's plus
 * `base` while the library is down, and the library's plus `shift` while it is up. The layer stays while the library is up only if the program has read the system's clock and the
 * library has another one.
 *
 * The mutex protects all state; `shift` is read without it.
 */
#include "emulate.h"
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int users;             /* the world model, if it is initialized, and the library's sessions */
static double base, shift;    /* in seconds */
static int has_read;          /* 1: the program has read the system's clock */

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
    if (!has_read || !RUNTIME_HAS(MPI_Wtime))
        return;
    const double before = system_time() + base, now = BELOW(clock, MPI_Wtime)() + shift, after = system_time() + base;
    if (now < before - PRECISION || now > after + PRECISION)
        shift += after - now;
}

/* Sets `base`, so that the system's clock continues the library's. The caller holds the mutex. */
static void clock_end(void)
{
    if (RUNTIME_HAS(MPI_Wtime))
        base = BELOW(clock, MPI_Wtime)() + shift - system_time();
}

int wi4go_needs_layer_clock(const struct wi4go_pair *pair)
{
    (void)pair;
    return !wi4go_library_is_up() || shift != 0;
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

/* ---- functions that need no library ---- */

int wi4go_needs_layer_outside(const struct wi4go_pair *pair)
{
    (void)pair;
    return !wi4go_library_is_up();
}

MPI_Aint outside_MPI_Aint_add(MPI_Aint base, MPI_Aint disp) { return base + disp; }
MPI_Aint outside_MPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) { return addr1 - addr2; }

/* The library lists its resources only while it is up. */
int outside_MPI_Get_hw_resource_info(MPI_Info *hw_info)
{
    return wi4go_library_is_up() ? BELOW(outside, MPI_Get_hw_resource_info)(hw_info) : E_MPI_Get_hw_resource_info(hw_info);
}

/* Creates an info with the sizes that the ABI fixes (MPI-5.0, 20.4). */
static int abi_sizes(const char *const facts[][2], MPI_Info *info)
{
    int rc = info ? MPI_Info_create(info) : MPI_ERR_ARG;
    for (int i = 0; !rc && facts[i][0]; i++)
        rc = MPI_Info_set(*info, facts[i][0], facts[i][1]);
    return rc;
}

int outside_MPI_Abi_get_info(MPI_Info *info)
{
    static const char *const facts[][2] = {{"mpi_aint_size", "8"}, {"mpi_count_size", "8"}, {"mpi_offset_size", "8"}, {NULL, NULL}};
    return wi4go_library_is_up() ? BELOW(outside, MPI_Abi_get_info)(info) : abi_sizes(facts, info);
}

int outside_MPI_Abi_get_fortran_info(MPI_Info *info)
{
    static const char *const facts[][2] = {
        {"mpi_logical_size", "4"}, {"mpi_integer_size", "4"}, {"mpi_real_size", "4"}, {"mpi_double_precision_size", "8"}, {NULL, NULL}};
    return wi4go_library_is_up() ? BELOW(outside, MPI_Abi_get_fortran_info)(info) : abi_sizes(facts, info);
}

/* ---- statuses (MPI-5.0, 3.2.5) ---- */

/* Within a family, newer libraries set the flag at any time; some have an encoding of their own. */
int wi4go_needs_layer_statuses(const struct wi4go_pair *pair) { return !wi4go_library_is_up() && !(pair->identity && RUNTIME_HAS(MPI_Status_set_source)); }

int statuses_MPI_Status_set_cancelled(MPI_Status *status, int flag)
{
    if (wi4go_library_is_up())
        return BELOW(statuses, MPI_Status_set_cancelled)(status, flag);
    if (!status)
        return MPI_ERR_ARG;
    A_encoding_set(status, A_encoding_count(status), flag);
    return MPI_SUCCESS;
}

/* Within a family a status has its own layout in Fortran. */
int statuses_MPI_Status_c2f(const MPI_Status *c_status, MPI_Fint *f_status)
{
    if (wi4go_library_is_up() || !wi4go_pair->identity || !c_status || !f_status)
        return BELOW(statuses, MPI_Status_c2f)(c_status, f_status);
    memcpy(f_status, c_status, sizeof *c_status);
    return MPI_SUCCESS;
}

int statuses_MPI_Status_f2c(const MPI_Fint *f_status, MPI_Status *c_status)
{
    if (wi4go_library_is_up() || !wi4go_pair->identity || !c_status || !f_status)
        return BELOW(statuses, MPI_Status_f2c)(f_status, c_status);
    memcpy(c_status, f_status, sizeof *c_status);
    return MPI_SUCCESS;
}

/* ---- sizes of predefined datatypes ---- */

/* A datatype with its size in bytes; its extent is the C type's. */
#define SIZE(datatype, type) {datatype, sizeof(type), sizeof(type)}
#define PAIR_SIZE(datatype, type) {datatype, sizeof(type) + sizeof(int), sizeof(struct { type a; int b; })}
static int predefined_size(MPI_Datatype datatype, MPI_Count *size, MPI_Count *extent)
{
    const struct { MPI_Datatype datatype; size_t size, extent; } sizes[] = {
        SIZE(MPI_CHAR, char), SIZE(MPI_SIGNED_CHAR, char), SIZE(MPI_UNSIGNED_CHAR, char), SIZE(MPI_BYTE, char), SIZE(MPI_PACKED, char),
        SIZE(MPI_WCHAR, wchar_t), SIZE(MPI_SHORT, short), SIZE(MPI_UNSIGNED_SHORT, short), SIZE(MPI_INT, int), SIZE(MPI_UNSIGNED, int),
        SIZE(MPI_LONG, long), SIZE(MPI_UNSIGNED_LONG, long), SIZE(MPI_LONG_LONG, long long), SIZE(MPI_UNSIGNED_LONG_LONG, long long),
        SIZE(MPI_FLOAT, float), SIZE(MPI_DOUBLE, double), SIZE(MPI_LONG_DOUBLE, long double),
        SIZE(MPI_INT8_T, int8_t), SIZE(MPI_INT16_T, int16_t), SIZE(MPI_INT32_T, int32_t), SIZE(MPI_INT64_T, int64_t),
        SIZE(MPI_UINT8_T, int8_t), SIZE(MPI_UINT16_T, int16_t), SIZE(MPI_UINT32_T, int32_t), SIZE(MPI_UINT64_T, int64_t),
        SIZE(MPI_AINT, MPI_Aint), SIZE(MPI_COUNT, MPI_Count), SIZE(MPI_OFFSET, MPI_Offset), SIZE(MPI_C_BOOL, _Bool),
        SIZE(MPI_C_FLOAT_COMPLEX, float[2]), SIZE(MPI_C_DOUBLE_COMPLEX, double[2]), SIZE(MPI_C_LONG_DOUBLE_COMPLEX, long double[2]),
        SIZE(MPI_CHARACTER, char), SIZE(MPI_LOGICAL, int), SIZE(MPI_INTEGER, int), SIZE(MPI_REAL, float), SIZE(MPI_DOUBLE_PRECISION, double),
        SIZE(MPI_COMPLEX, float[2]), SIZE(MPI_DOUBLE_COMPLEX, double[2]), SIZE(MPI_2INT, int[2]), SIZE(MPI_2INTEGER, int[2]),
        SIZE(MPI_2REAL, float[2]), SIZE(MPI_2DOUBLE_PRECISION, double[2]), PAIR_SIZE(MPI_FLOAT_INT, float), PAIR_SIZE(MPI_DOUBLE_INT, double),
        PAIR_SIZE(MPI_LONG_INT, long), PAIR_SIZE(MPI_SHORT_INT, short), PAIR_SIZE(MPI_LONG_DOUBLE_INT, long double),
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].datatype == datatype) {
            *size = (MPI_Count)sizes[i].size;
            *extent = (MPI_Count)sizes[i].extent;
            return MPI_SUCCESS;
        }
    return MPI_ERR_TYPE;
}

int outside_MPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size)
{
    MPI_Count extent;
    return wi4go_library_is_up() ? BELOW(outside, MPI_Type_size_x)(datatype, size) : size ? predefined_size(datatype, size, &extent) : MPI_ERR_ARG;
}

/* Writes the lower bound and extent of a predefined datatype. */
static int predefined_extent(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    MPI_Count size;
    if (!lb || !extent)
        return MPI_ERR_ARG;
    *lb = 0;
    return predefined_size(datatype, &size, extent);
}

int outside_MPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    return wi4go_library_is_up() ? BELOW(outside, MPI_Type_get_extent_x)(datatype, lb, extent) : predefined_extent(datatype, lb, extent);
}

int outside_MPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    return wi4go_library_is_up() ? BELOW(outside, MPI_Type_get_true_extent_x)(datatype, lb, extent) : predefined_extent(datatype, lb, extent);
}

/* ---- initialization and finalization of the library ---- */

/* Records a successful initialization. Returns rc. */
static int begun(int rc)
{
    if (rc)
        return rc;
    pthread_mutex_lock(&mutex);
    if (!users++) {
        clock_begin();
        wi4go_library_set_up(1);
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
    const int last = users == 1;
    pthread_mutex_unlock(&mutex);
    if (last && !RUNTIME_HAS(MPI_Session_init) && RUNTIME_HAS(MPI_Info_get_nkeys))
        wi4go_infos_keep();
}

/* Records a successful finalization. Returns rc. */
static int ended(int rc)
{
    if (rc)
        return rc;
    pthread_mutex_lock(&mutex);
    if (users && !--users)
        wi4go_library_set_up(0);
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
