/*
 * Application handles that are 32-bit integers (MPICH's) on a runtime whose
 * handles are pointers: tables, in MPICH's own bit layout, predefined handles
 * among them, so that one look-up serves both.
 *
 * MPI_File is a pointer in this family and stays the runtime's own. Requests
 * are not looked up but computed, see below.
 */
#include "handletable.h"

#define tables PAIR(tables)
HIDDEN struct tables {
    struct handletable COMM, DATATYPE, ERRHANDLER, GROUP, INFO, MESSAGE, OP, REQUEST, SESSION, WIN;
} tables;
#define CHECK_TABLE(KIND) _Static_assert(offsetof(struct tables, KIND) == TABLE_##KIND, "layout.h")
CHECK_TABLE(COMM); CHECK_TABLE(DATATYPE); CHECK_TABLE(ERRHANDLER); CHECK_TABLE(GROUP); CHECK_TABLE(INFO);
CHECK_TABLE(MESSAGE); CHECK_TABLE(OP); CHECK_TABLE(REQUEST); CHECK_TABLE(SESSION); CHECK_TABLE(WIN);
#define table_COMM tables.COMM
#define table_DATATYPE tables.DATATYPE
#define table_ERRHANDLER tables.ERRHANDLER
#define table_GROUP tables.GROUP
#define table_INFO tables.INFO
#define table_MESSAGE tables.MESSAGE
#define table_OP tables.OP
#define table_REQUEST tables.REQUEST
#define table_SESSION tables.SESSION
#define table_WIN tables.WIN

/* The address of the tables as a value that the compiler knows nothing of, so
   that one register serves all look-ups of a function. */
static inline const char *tables_address(void)
{
    const char *address = (const char *)&tables;
    __asm__("" : "+r"(address));
    return address;
}

static __attribute__((cold, noinline, noreturn)) void table_full(const char *kind)
{
    wi4go_die("more than %u live handles of kind %s: the program does not free them", 1u << HT_INDEX_BITS, kind);
}

#define HANDLE(KIND, Type, null) \
    static inline int KIND##_hit_in(const char *t, A_##Type a) { return ht_hit(t + offsetof(struct tables, KIND), (uint32_t)a); } \
    static inline R_##Type KIND##_at_in(const char *t, A_##Type a) { return (R_##Type)(intptr_t)ht_at(t + offsetof(struct tables, KIND), (uint32_t)a); } \
    static inline R_##Type KIND##_a2r(A_##Type a) \
    { \
        void *r = ht_lookup(&table_##KIND, (uint32_t)a); \
        return (R_##Type)(likely(r != NULL) ? (intptr_t)r : bad_handle(KIND)); \
    } \
    static inline A_##Type KIND##_r2a(R_##Type r) \
    { \
        uint32_t a = r ? ht_insert(&table_##KIND, (void *)(intptr_t)r) : (uint32_t)A_##null; \
        if (unlikely(!a)) \
            table_full(#KIND); \
        return (A_##Type)a; \
    } \
    static inline A_##Type KIND##_r2a_callback(R_##Type r, int *transient) \
    { \
        *transient = 0; \
        uint32_t known = ht_known(&table_##KIND, (void *)(intptr_t)r); \
        if (likely(known)) \
            return (A_##Type)known; \
        uint32_t a = r ? ht_borrow(&table_##KIND, (void *)(intptr_t)r, transient) : (uint32_t)A_##null; \
        if (unlikely(!a)) \
            table_full(#KIND); \
        return (A_##Type)a; \
    } \
    static inline A_##Type KIND##_r2a_borrow(R_##Type r) { int transient; return KIND##_r2a_callback(r, &transient); } \
    static inline void KIND##_drop(A_##Type a) { ht_drop(&table_##KIND, (uint32_t)a); } \
    static inline void KIND##_release(A_##Type a) { ht_release(&table_##KIND, (uint32_t)a); } \
    static inline A_##Type KIND##_after(A_##Type a, R_##Type r) \
    { \
        if (r != R_##null) \
            return a; \
        ht_release(&table_##KIND, (uint32_t)a); \
        return A_##null; \
    }

HANDLE(COMM, MPI_Comm, MPI_COMM_NULL)
HANDLE(DATATYPE, MPI_Datatype, MPI_DATATYPE_NULL)
HANDLE(ERRHANDLER, MPI_Errhandler, MPI_ERRHANDLER_NULL)
HANDLE(GROUP, MPI_Group, MPI_GROUP_NULL)
HANDLE(INFO, MPI_Info, MPI_INFO_NULL)
HANDLE(OP, MPI_Op, MPI_OP_NULL)
HANDLE(SESSION, MPI_Session, MPI_SESSION_NULL)
HANDLE(WIN, MPI_Win, MPI_WIN_NULL)
HANDLE(MESSAGE, MPI_Message, MPI_MESSAGE_NULL)

/* ---- files ---- */

static inline R_MPI_File FILE_a2r(A_MPI_File a) { return unlikely(a == A_MPI_FILE_NULL) ? R_MPI_FILE_NULL : (R_MPI_File)a; }
#define FILE_hit_in(t, a) 1
#define FILE_at_in(t, a) FILE_a2r(a)
static inline A_MPI_File FILE_r2a(R_MPI_File r) { return unlikely(r == R_MPI_FILE_NULL) ? A_MPI_FILE_NULL : (A_MPI_File)r; }
#define FILE_r2a_borrow FILE_r2a
static inline A_MPI_File FILE_r2a_callback(R_MPI_File r, int *transient) { *transient = 0; return FILE_r2a(r); }
static inline void FILE_drop(A_MPI_File a) { (void)a; }
static inline A_MPI_File FILE_after(A_MPI_File a, R_MPI_File r) { return r == R_MPI_FILE_NULL ? A_MPI_FILE_NULL : a; }

/* ---- requests ---- */

/*
 * A runtime's requests come from its own pools, at 16-byte steps and near each
 * other. The distance from the first one seen fits 26 bits for a gigabyte
 * around it, and then the handle is that distance: no slot is taken, none is
 * given back, and one runtime handle that stands for many operations (Open
 * MPI's ompi_request_empty) is no trouble.
 *
 *   0xac000000…0xaffffffe  the distance in 16-byte steps: with the next the
 *                          only ones with the sign
 *   0xafffffff             ompi_request_empty, which stands for all sends that
 *                          are over when they begin: it lies in the library,
 *                          far from the pools, which are in the heap
 *   0x6c000000…0x6fffffff  a slot of table_REQUEST: farther away, persistent,
 *                          or a record of ours (bit 0 of the object is set)
 *   0x2c000000             MPI_REQUEST_NULL
 */
#include <dlfcn.h>

#define NEAR_UNSET 1 /* no request is that far from a step, so none counts as near */
#define near_base PAIR(near_base)
#define near_origins PAIR(near_origins)
HIDDEN int64_t near_base = NEAR_UNSET; /* the address that handle NEAR_FIRST stands for; set after the others */
static int64_t near_origin; /* near_base less what a sign-extended handle times 16 has too much */
#define near_empty PAIR(near_empty)
#define near_distance PAIR(near_distance)
HIDDEN int64_t near_empty = NEAR_UNSET; /* its address, once the base is chosen; set last */
HIDDEN int64_t near_distance[2] __attribute__((aligned(16))); /* twice, from where the linear way leads for NEAR_EMPTY */
#define near_empties PAIR(near_empties)
extern const int64_t near_empties[2] HIDDEN __attribute__((aligned(16)));
const int64_t near_empties[2] = {(int32_t)NEAR_EMPTY, (int32_t)NEAR_EMPTY};
#define near_signs PAIR(near_signs)
extern const int64_t near_signs[2] HIDDEN __attribute__((aligned(16)));
const int64_t near_signs[2] = {INT64_MIN, INT64_MIN};
static int64_t empty_request; /* its address; 0 where the runtime has none */
HIDDEN int64_t near_origins[2] __attribute__((aligned(16))); /* twice */
#define request_magazine ht_request_magazine /* one for all pairs: the room for thread-local storage is small */

static struct own *own_of(int64_t a);
static R_MPI_Request own_request(int64_t a);

#define REQUEST_IS_PLAIN(a) ((a) < 0)
static inline int REQUEST_IS_OWN(A_MPI_Request a)
{
    return !REQUEST_IS_PLAIN(a) && ((intptr_t)ht_lookup(&table_REQUEST, (uint32_t)a) & OWN_MARK);
}

static __attribute__((noinline)) R_MPI_Request request_a2r_table(A_MPI_Request a)
{
    if (a == A_MPI_REQUEST_NULL)
        return R_MPI_REQUEST_NULL;
    intptr_t object = (intptr_t)ht_lookup(&table_REQUEST, (uint32_t)a);
    if (!object)
        return (R_MPI_Request)bad_handle(REQUEST);
    return object & OWN_MARK ? own_request(a) : object;
}

#define REQUEST_hit_in(t, a) likely(REQUEST_IS_PLAIN(a))
#define REQUEST_at_in(t, a) near_a2r(a)
static inline R_MPI_Request near_a2r(A_MPI_Request a)
{
    return unlikely((uint32_t)a == NEAR_EMPTY) ? near_empty : near_origin + (int64_t)a * 16;
}
static inline A_MPI_Request near_r2a(uint64_t step) { return (A_MPI_Request)(NEAR_FIRST + (uint32_t)step); }

static inline R_MPI_Request REQUEST_a2r(A_MPI_Request a)
{
    if (likely(REQUEST_IS_PLAIN(a)))
        return near_a2r(a);
    return request_a2r_table(a);
}

static __attribute__((noinline)) A_MPI_Request request_r2a_table(int64_t object)
{
    wi4go_watch_thread();
    uint32_t a = ht_insert_unshared(&table_REQUEST, &request_magazine, (void *)(intptr_t)object);
    if (!a)
        table_full("REQUEST");
    return (A_MPI_Request)a;
}

static __attribute__((noinline)) A_MPI_Request request_r2a_far(R_MPI_Request r)
{
    if (r == R_MPI_REQUEST_NULL)
        return A_MPI_REQUEST_NULL;
    static int chosen;
    if (r == HT_LOAD(&near_empty, __ATOMIC_ACQUIRE))
        return (A_MPI_Request)NEAR_EMPTY;
    if (!(r & 15) && r != empty_request && !__atomic_exchange_n(&chosen, 1, __ATOMIC_RELAXED)) {
        int64_t base = r - NEAR_STEPS * 8;
        near_origin = base - (int32_t)NEAR_FIRST * 16ll;
        near_origins[0] = near_origins[1] = near_origin;
        near_distance[0] = near_distance[1] = empty_request - (near_origin + (int32_t)NEAR_EMPTY * 16ll);
        __atomic_store_n(&near_base, base, __ATOMIC_RELEASE);
        if (empty_request)
            __atomic_store_n(&near_empty, empty_request, __ATOMIC_RELEASE);
        return near_r2a(NEAR_STEPS / 2);
    }
    return request_r2a_table(r);
}

static inline A_MPI_Request REQUEST_r2a(R_MPI_Request r)
{
    uint64_t distance = (uint64_t)(r - HT_LOAD(&near_base, __ATOMIC_ACQUIRE));
    uint64_t step = distance >> 4 | distance << 60;
    if (likely(step < NEAR_STEPS - 1))
        return near_r2a(step);
    return request_r2a_far(r);
}

#define REQUEST_r2a_started REQUEST_r2a
static inline A_MPI_Request REQUEST_r2a_persistent(R_MPI_Request r)
{
    return unlikely(r == R_MPI_REQUEST_NULL) ? A_MPI_REQUEST_NULL : request_r2a_table(r);
}

static A_MPI_Request REQUEST_after_own(A_MPI_Request a, R_MPI_Request r);

static __attribute__((noinline)) A_MPI_Request request_after_table(A_MPI_Request a, R_MPI_Request r)
{
    if (a == A_MPI_REQUEST_NULL)
        return a;
    if (REQUEST_IS_OWN(a))
        return REQUEST_after_own(a, r);
    if (r != R_MPI_REQUEST_NULL)
        return a;
    ht_release_unshared(&table_REQUEST, &request_magazine, (uint32_t)a);
    return A_MPI_REQUEST_NULL;
}

static inline A_MPI_Request REQUEST_after(A_MPI_Request a, R_MPI_Request r)
{
    if (likely(REQUEST_IS_PLAIN(a)))
        return likely(r == R_MPI_REQUEST_NULL) ? A_MPI_REQUEST_NULL : a;
    return request_after_table(a, r);
}

static inline A_MPI_Request REQUEST_replaced(A_MPI_Request a, R_MPI_Request r)
{
    if (unlikely((intptr_t)ht_lookup(&table_REQUEST, (uint32_t)a) != r))
        ht_replace(&table_REQUEST, (uint32_t)a, (void *)(intptr_t)r);
    return a;
}

static inline A_MPI_Request REQUEST_of_own(struct own *record) { return request_r2a_table((intptr_t)record | OWN_MARK); }
static inline void REQUEST_forget_own(A_MPI_Request a) { ht_release_unshared(&table_REQUEST, &request_magazine, (uint32_t)a); }
static inline struct own *own_of(int64_t a)
{
    return (struct own *)((intptr_t)ht_lookup(&table_REQUEST, (uint32_t)a) & ~(intptr_t)OWN_MARK);
}

/* ---- set-up ---- */

static void request_thread_exit(void) { ht_flush(&request_magazine); }

/* Dynamic handles are MPICH's "direct" ones; the first index stays clear of
   the predefined handles of the kind, whose indices carry sizes for datatypes. */
static void handles_prepare(void)
{
    wi4go_thread_exit = request_thread_exit;
    empty_request = (int64_t)(intptr_t)dlsym(wi4go_runtime_library, "ompi_request_empty");
    ht_init(&table_COMM, 0x84000000, 16);
    ht_init(&table_GROUP, 0x88000000, 16);
    ht_init(&table_DATATYPE, 0x8c000000, 0x4000);
    ht_init(&table_ERRHANDLER, 0x94000000, 16);
    ht_init(&table_OP, 0x98000000, 64);
    ht_init(&table_INFO, 0x9c000000, 16);
    ht_init(&table_WIN, 0xa0000000, 16);
    ht_init(&table_REQUEST, 0x6c000000, 16);
    ht_init(&table_MESSAGE, 0xac000000, 16);
    ht_init(&table_SESSION, 0xb8000000, 16);
    wi4go_table_made("MPI_Comm", &table_COMM);
    wi4go_table_made("MPI_Group", &table_GROUP);
    wi4go_table_made("MPI_Datatype", &table_DATATYPE);
    wi4go_table_made("MPI_Errhandler", &table_ERRHANDLER);
    wi4go_table_made("MPI_Op", &table_OP);
    wi4go_table_made("MPI_Info", &table_INFO);
    wi4go_table_made("MPI_Win", &table_WIN);
    wi4go_table_made("MPI_Request", &table_REQUEST);
    wi4go_table_made("MPI_Message", &table_MESSAGE);
    wi4go_table_made("MPI_Session", &table_SESSION);
}

static struct handletable *const table_of[N_KINDS] = {
    [COMM] = &table_COMM, [DATATYPE] = &table_DATATYPE, [ERRHANDLER] = &table_ERRHANDLER, [GROUP] = &table_GROUP,
    [INFO] = &table_INFO, [MESSAGE] = &table_MESSAGE, [OP] = &table_OP, [REQUEST] = &table_REQUEST,
    [SESSION] = &table_SESSION, [WIN] = &table_WIN,
};

static int handle_predefine(unsigned i, int64_t r, int real)
{
    int kind = predefined[i].kind;
    if (kind == FILE)
        return 0;
    if (real)
        reverse_add(kind, r, predefined[i].value);
    return ht_predefine(table_of[kind], (uint32_t)predefined[i].value, (void *)(intptr_t)r);
}
