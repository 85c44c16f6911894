/*
 * Handles, both ways, and what a pair learns of its runtime when it is loaded.
 *
 *   KIND_a2r(a)          the runtime's handle; a bad one becomes one that the
 *                        runtime refuses
 *   KIND_r2a(r)          for a result that the program owns and will free
 *   KIND_r2a_borrow(r)   for a result that the program does not own
 *   KIND_after(a, r)     what the program's variable holds after a call that
 *                        may have freed the object and left r in its place
 *
 * How an application handle is made depends on its family alone: see
 * handles_pointer.h, handles_int.h and handles_standard.h.
 */
#include "layout.h"

#define HASH_SIZE 512

/* What no library gives. */
#define NO_HANDLE(type) ((type)(intptr_t)-1)

/* What stands for no object: the null handle, which a library whose handles are
   pointers refuses where it may follow 0. MPICH refuses 0, and so does Open MPI
   for the kinds whose null handle is an argument as good as any. */
#define BAD_IS_NULL !R_IS_mpich
static inline int64_t bad_handle(int kind)
{
#if BAD_IS_NULL
    switch (kind) {
    case COMM: return (int64_t)R_MPI_COMM_NULL;
    case DATATYPE: return (int64_t)R_MPI_DATATYPE_NULL;
    case ERRHANDLER: return (int64_t)R_MPI_ERRHANDLER_NULL;
    case FILE: return (int64_t)R_MPI_FILE_NULL;
    case GROUP: return (int64_t)R_MPI_GROUP_NULL;
    case INFO: return R_IS_openmpi ? 0 : (int64_t)R_MPI_INFO_NULL;
    case MESSAGE: return (int64_t)R_MPI_MESSAGE_NULL;
    case OP: return (int64_t)R_MPI_OP_NULL;
    case REQUEST: return R_IS_openmpi ? 0 : (int64_t)R_MPI_REQUEST_NULL;
    case SESSION: return (int64_t)R_MPI_SESSION_NULL;
    case WIN: return (int64_t)R_MPI_WIN_NULL;
    }
#endif
    return 0;
}

/* Predefined handles by the runtime's value: open addressing, filled once. */
struct reverse { int64_t r, a; };
static struct reverse reverse[N_KINDS][HASH_SIZE];

static inline unsigned reverse_hash(int64_t r)
{
    return (unsigned)((uint64_t)r * 0x9E3779B97F4A7C15u >> 55);
}

/* Where the predefined handle r stands; its a is 0 when there is none. The
   storage of a predefined handle is never at address 0, and 0 is no int handle. */
static inline struct reverse *reverse_find(int kind, int64_t r)
{
    unsigned i = reverse_hash(r);
    while (reverse[kind][i].a && reverse[kind][i].r != r)
        i = (i + 1) % HASH_SIZE;
    return &reverse[kind][i];
}

static void reverse_add(int kind, int64_t r, int64_t a)
{
    struct reverse *e = reverse_find(kind, r);
    if (!e->a) {
        e->r = r;
        e->a = a;
    }
}

#if A_IS_mpiabi
#include "handles_standard.h"
#elif A_HANDLE_BITS == 64
#include "handles_pointer.h"
#else
#include "handles_int.h"
#endif
#include "own.h"

/* ---- the neighbourhood of a communicator, for arrays of its size ---- */

static size_t peers(R_MPI_Comm comm)
{
    int inter = 0, n = 0;
    if (!comm || R_MPI_Comm_test_inter(comm, &inter))
        return 0;
    if (inter ? R_MPI_Comm_remote_size(comm, &n) : R_MPI_Comm_size(comm, &n))
        return 0;
    return (size_t)n;
}

/* Neighbours of a process, MPI-5.0, 8.6. which: 0 in, 1 out. */
static size_t degree(R_MPI_Comm comm, int which)
{
    int topology = R_MPI_UNDEFINED, n = 0, rank = 0, degrees[3] = {0, 0, 0};
    if (!comm || R_MPI_Topo_test(comm, &topology))
        return 0;
    if (topology == R_MPI_CART) {
        R_MPI_Cartdim_get(comm, &n);
        return 2 * (size_t)n;
    }
    if (topology == R_MPI_GRAPH) {
        R_MPI_Comm_rank(comm, &rank);
        R_MPI_Graph_neighbors_count(comm, rank, &n);
        return (size_t)n;
    }
    if (topology == R_MPI_DIST_GRAPH)
        R_MPI_Dist_graph_neighbors_count(comm, &degrees[0], &degrees[1], &degrees[2]);
    return (size_t)degrees[which];
}
#define indegree(comm) degree(comm, 0)
#define outdegree(comm) degree(comm, 1)

/* ---- statuses ---- */

/* SOURCE_UNSET is what no call leaves in MPI_SOURCE, nor in MPI_TAG, where it
   stands in the standard ABI's: beside the count. It tells whether a call that
   failed has filled the status. */
#if R_IS_mpiabi
#define UNSET MPI_TAG
#else
#define UNSET MPI_SOURCE
#endif
static inline void status_unset(R_MPI_Status *s)
{
#if R_IS_mpich
    mpich_status_set(s, 0, 0); /* of a send it writes the bit of cancelling alone */
#elif R_IS_mpiabi
    mpiabi_status_set(s, 0, 0); /* the same */
#endif
    s->UNSET = (int)SOURCE_UNSET;
}
/* For access to a file: of no bytes on this rank, the ROMIO of Open MPI leaves all alone. */
static inline void status_unset_empty(R_MPI_Status *s)
{
#if R_IS_openmpi
    openmpi_status_set(s, 0, 0);
#endif
    status_unset(s);
}
static inline int status_is_set(const R_MPI_Status *s) { return s->UNSET != (int)SOURCE_UNSET; }

/* All but MPI_ERROR, which a call that completes one operation leaves alone, unless
   the status is empty (MPI-5.0, 3.7.3). That of a cancelled receive is not, though
   Open MPI gives it the source and tag of an empty one. */
static __attribute__((noinline)) void status_r2a_special(const R_MPI_Status *r, A_MPI_Status *a)
{
    a->MPI_SOURCE = (int)RANK_r2a(r->MPI_SOURCE);
    a->MPI_TAG = (int)TAG_r2a(r->MPI_TAG);
    A_status_set(a, R_status_count(r), R_status_cancelled(r));
    if (a->MPI_SOURCE == A_MPI_ANY_SOURCE && a->MPI_TAG == A_MPI_ANY_TAG && !A_status_cancelled(a))
        a->MPI_ERROR = A_MPI_SUCCESS;
}

/* The status of a send in Open MPI: no process and any tag. */
static inline int status_r2a_of_send(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (!R_IS_openmpi || r->MPI_SOURCE != R_MPI_PROC_NULL || r->MPI_TAG != R_MPI_ANY_TAG ||
        unlikely(R_status_cancelled(r)))
        return 0;
    a->MPI_SOURCE = A_MPI_PROC_NULL;
    a->MPI_TAG = A_MPI_ANY_TAG;
    A_status_set(a, R_status_count(r), 0);
    return 1;
}

static inline void status_r2a(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (unlikely(!status_r2a_plain(r, a)) && !status_r2a_of_send(r, a))
        status_r2a_special(r, a);
}

/* The same where the runtime may fill the count alone, as for file access. */
static inline void status_r2a_filled(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (likely(status_is_set(r)))
        status_r2a(r, a);
    else
        A_status_set(a, R_status_count(r), R_status_cancelled(r));
}

static inline void status_r2a_all(const R_MPI_Status *r, A_MPI_Status *a)
{
    status_r2a_filled(r, a);
    a->MPI_ERROR = error_r2a(r->MPI_ERROR);
}

/* What a call that completes a request says of a null one (MPI-5.0, 3.7.3), for
   which no library need be asked. flag: NULL where the call has none. */
static inline int null_completed(int *flag, A_MPI_Status *status)
{
    if (flag)
        *flag = 1;
    if (status != A_MPI_STATUS_IGNORE) {
        status->MPI_SOURCE = A_MPI_ANY_SOURCE;
        status->MPI_TAG = A_MPI_ANY_TAG;
        status->MPI_ERROR = A_MPI_SUCCESS;
        A_status_set(status, 0, 0);
    }
    return 0;
}

/* No status, where one is needed: for the runtime to refuse. */
#define NO_STATUS(a) unlikely((uintptr_t)(a) <= (uintptr_t)A_MPI_STATUS_IGNORE)

/* What the queries of a status look at. */
static inline void status_a2r_count(const A_MPI_Status *a, R_MPI_Status *r)
{
    R_status_set(r, A_status_count(a), A_status_cancelled(a));
}

static inline void status_a2r(const A_MPI_Status *a, R_MPI_Status *r)
{
#if R_IS_mpiabi
    memset(r, 0, sizeof *r); /* it may have words that nothing below sets */
#endif
    r->MPI_SOURCE = (int)RANK_a2r(a->MPI_SOURCE);
    r->MPI_TAG = (int)TAG_a2r(a->MPI_TAG);
    r->MPI_ERROR = error_a2r(a->MPI_ERROR);
    status_a2r_count(a, r);
}

#include "text.h"

/* ---- set-up ---- */

#include <dlfcn.h>

static char setup_error[256];

static int64_t runtime_number(void *library, const char *symbol, int64_t value)
{
    if (symbol)
        return (int64_t)(intptr_t)dlsym(library, symbol);
    return runtime_handle(value);
}

/* Whether the library is of a version that has the function of slot since - 1,
   and with it a handle: those that a library does not know it may follow
   anywhere. */
static int known_since(unsigned since)
{
    return !since || (since <= N_SLOTS && wi4go_R[since - 1] != wi4go_missing_entries[since - 1]);
}

static const char *setup(void *library)
{
    learn_draft();
    for (unsigned i = 0; learnt_addresses[i].symbol; i++) {
        void **variable = dlsym(library, learnt_addresses[i].symbol);
        if (variable)
            *learnt_addresses[i].value = *variable;
    }
    for (unsigned i = 0; learnt_handles[i].symbol; i++) {
        void *address = dlsym(library, learnt_handles[i].symbol);
        *(int64_t *)learnt_handles[i].value = (int64_t)(intptr_t)address;
    }
    handles_prepare();
    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < sizeof predefined / sizeof *predefined; i++) {
            int64_t r = runtime_number(library, predefined[i].r_symbol, predefined[i].r_value);
            const int found = predefined[i].r_symbol ? r != 0 : known_since(predefined[i].since);
            const int real = found && !predefined[i].substitute;
            /* Real counterparts first, so that they win the way back. */
            if (pass == real)
                continue;
            if (!found)
                r = runtime_number(library, predefined[i].else_symbol, predefined[i].else_value);
            if (handle_predefine(i, r, real)) {
                static const char text[] = "two predefined handles share a place: ";
                memcpy(setup_error, text, sizeof text);
                strncat(setup_error, predefined[i].r_symbol ? predefined[i].r_symbol : "?", sizeof setup_error - sizeof text);
                return setup_error;
            }
        }
    return NULL;
}

#include "raise.h"
