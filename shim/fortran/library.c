/*
 * The hand-written procedures of the Fortran library; the generator writes the others to
 * build/gen. A procedure is x_, and NAMES declares its other spellings.
 *
 * State: the table of attribute cells, guarded by cells_mutex; callbacks run
 * without the lock. Attribute cells, keyvals, data representations and generalized requests
 * outlive a call; the comment at each structure names its owner. When the library is loaded,
 * the constructor at the end of this file registers it with the front.
 */
#include <pthread.h>
#include "library.h"

/* Returns the number of ranks that a collective call of comm addresses: the size of the
   remote group of an intercommunicator, else the size of comm. */
int peers(MPI_Comm comm)
{
    int inter = 0, n = 0;
    INNER(MPI_Comm_test_inter)(comm, &inter);
    if (inter)
        INNER(MPI_Comm_remote_size)(comm, &n);
    else
        INNER(MPI_Comm_size)(comm, &n);
    return n;
}

/* Reports whether rc belongs to the class MPI_ERR_IN_STATUS. */
int is_in_status(int rc)
{
    int class = rc;
    INNER(MPI_Error_class)(rc, &class);
    return class == MPI_ERR_IN_STATUS;
}

/* Writes the numbers of neighbors that comm's topology gives the caller: as sources to *in, as
   destinations to *out. A Cartesian topology has two for each dimension, also if one is
   MPI_PROC_NULL. Both are 0 without a topology. */
static void degrees(MPI_Comm comm, int *in, int *out)
{
    int topology = MPI_UNDEFINED, rank, weighted;
    *in = *out = 0;
    INNER(MPI_Topo_test)(comm, &topology);
    if (topology == MPI_CART) {
        INNER(MPI_Cartdim_get)(comm, in);
        *out = *in *= 2;
    } else if (topology == MPI_GRAPH && INNER(MPI_Comm_rank)(comm, &rank) == MPI_SUCCESS) {
        INNER(MPI_Graph_neighbors_count)(comm, rank, in);
        *out = *in;
    } else if (topology == MPI_DIST_GRAPH) {
        INNER(MPI_Dist_graph_neighbors_count)(comm, in, out, &weighted);
    }
}

/* Returns the number of the caller's sources in comm's topology. */
int indegree(MPI_Comm comm)
{
    int in, out;
    degrees(comm, &in, &out);
    return in;
}

/* Returns the number of the caller's destinations in comm's topology. */
int outdegree(MPI_Comm comm)
{
    int in, out;
    degrees(comm, &in, &out);
    return out;
}

/* ---- procedures whose arguments differ from C, and functions with a result ---- */

void mpi_init_(MPI_Fint *ierror) { RESULT(CALL(MPI_Init)(NULL, NULL)); }
NAMES(mpi_init, MPI_INIT)

void mpi_init_thread_(const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
    RESULT(CALL(MPI_Init_thread)(NULL, NULL, *required, provided));
}
NAMES(mpi_init_thread, MPI_INIT_THREAD)

void mpi_pcontrol_(const MPI_Fint *level) { CALL(MPI_Pcontrol)(*level); }
NAMES(mpi_pcontrol, MPI_PCONTROL)

double mpi_wtime_(void) { return CALL(MPI_Wtime)(); }
NAMES(mpi_wtime, MPI_WTIME)

double mpi_wtick_(void) { return CALL(MPI_Wtick)(); }
NAMES(mpi_wtick, MPI_WTICK)

MPI_Aint mpi_aint_add_(const MPI_Aint *base, const MPI_Aint *disp) { return PMPI_Aint_add(*base, *disp); }
NAMES(mpi_aint_add, MPI_AINT_ADD)

MPI_Aint mpi_aint_diff_(const MPI_Aint *addr1, const MPI_Aint *addr2) { return PMPI_Aint_diff(*addr1, *addr2); }
NAMES(mpi_aint_diff, MPI_AINT_DIFF)

/* Does nothing. A compiler must assume that the call changes buf, and that is its only purpose
   (MPI-5.0, 19.1.17). */
void mpi_f_sync_reg_(void *buf) { (void)buf; }
NAMES(mpi_f_sync_reg, MPI_F_SYNC_REG)

/* baseptr is an INTEGER of kind MPI_ADDRESS_KIND, or a TYPE(C_PTR) if the name ends in _cptr
   (MPI-5.0, 9.2, 12.2.2). Both are the same in memory, so one procedure serves both. */
void mpi_alloc_mem_(const MPI_Aint *size, const MPI_Fint *info, void *baseptr, MPI_Fint *ierror)
{
    RESULT(CALL(MPI_Alloc_mem)(*size, Info_f2c(*info), baseptr));
}
NAMES(mpi_alloc_mem, MPI_ALLOC_MEM)
NAME(mpi_alloc_mem_cptr_, mpi_alloc_mem_)
NAMES(mpi_alloc_mem_cptr, MPI_ALLOC_MEM_CPTR)

void mpi_buffer_detach_(void *buffer_addr, MPI_Fint *size, MPI_Fint *ierror)
{
    void *buffer;
    const int rc = CALL(MPI_Buffer_detach)(&buffer, size);
    if (rc == MPI_SUCCESS)
        DETACHED(buffer_addr, buffer);
    RESULT(rc);
}
NAMES_F77(mpi_buffer_detach, MPI_BUFFER_DETACH)

/* Defines a procedure that allocates a window and returns its memory in baseptr, under the
   plain name and the one ending in _cptr. */
#define ALLOCATE(name, NAME_, call) \
    void name##_(const MPI_Aint *size, const MPI_Fint *disp_unit, const MPI_Fint *info, const MPI_Fint *comm, void *baseptr, \
                 MPI_Fint *win, MPI_Fint *ierror) \
    { \
        MPI_Win c_win = MPI_WIN_NULL; \
        const int rc = call(*size, *disp_unit, Info_f2c(*info), INNER(MPI_Comm_f2c)(*comm), baseptr, &c_win); \
        if (rc == MPI_SUCCESS) \
            *win = INNER(MPI_Win_c2f)(c_win); \
        RESULT(rc); \
    } \
    NAMES(name, NAME_) \
    NAME(name##_cptr_, name##_) \
    NAMES(name##_cptr, NAME_##_CPTR)
ALLOCATE(mpi_win_allocate, MPI_WIN_ALLOCATE, CALL(MPI_Win_allocate))
ALLOCATE(mpi_win_allocate_shared, MPI_WIN_ALLOCATE_SHARED, CALL(MPI_Win_allocate_shared))

void mpi_win_shared_query_(const MPI_Fint *win, const MPI_Fint *rank, MPI_Aint *size, MPI_Fint *disp_unit, void *baseptr, MPI_Fint *ierror)
{
    RESULT(CALL(MPI_Win_shared_query)(INNER(MPI_Win_f2c)(*win), *rank, size, disp_unit, baseptr));
}
NAMES(mpi_win_shared_query, MPI_WIN_SHARED_QUERY)
NAME(mpi_win_shared_query_cptr_, mpi_win_shared_query_)
NAMES(mpi_win_shared_query_cptr, MPI_WIN_SHARED_QUERY_CPTR)

/* ---- strings with a length argument ----
 *
 * The length that the caller passes does not count a final 0 in Fortran, but does in C
 * (MPI-5.0, 10, 11.8.4). With a length of 0 the procedure returns only the number of
 * characters.
 */

void mpi_info_get_string_(const MPI_Fint *info, const char *key, MPI_Fint *buflen, char *value, MPI_Fint *flag, MPI_Fint *ierror,
                          int key_length, int value_length)
{
    const int asked = *buflen;
    int size = asked > 0 ? asked + 1 : asked;
    ARRAY(char, c_key, STRING_SIZE(key_length))
    ARRAY(char, c_value, STRING_SIZE(asked))
    info_in(c_key, key, key_length);
    *c_value = 0;
    const int rc = CALL(MPI_Info_get_string)(Info_f2c(*info), c_key, &size, c_value, flag);
    if (rc == MPI_SUCCESS && (*flag = *flag != 0)) {
        *buflen = size - 1;
        if (asked > 0)
            string_out(value, value_length, c_value);
    }
    RESULT(rc);
}
NAMES(mpi_info_get_string, MPI_INFO_GET_STRING)

void mpi_session_get_nth_pset_(const MPI_Fint *session, const MPI_Fint *info, const MPI_Fint *n, MPI_Fint *pset_len, char *pset_name,
                               MPI_Fint *ierror, int length)
{
    const int asked = *pset_len < length ? *pset_len : length; /* limited to the size of pset_name */
    int size = asked > 0 ? asked + 1 : asked;
    ARRAY(char, c_name, STRING_SIZE(asked))
    *c_name = 0;
    const int rc = CALL(MPI_Session_get_nth_pset)(Session_f2c(*session), Info_f2c(*info), *n - FIRST_PSET, &size, c_name);
    if (rc == MPI_SUCCESS) {
        *pset_len = size - 1;
        if (asked > 0)
            string_out(pset_name, length, c_name);
    }
    RESULT(rc);
}
NAMES(mpi_session_get_nth_pset, MPI_SESSION_GET_NTH_PSET)

/* ---- infos and statuses ---- */

/* Passes no arguments of main, because Fortran has none (MPI-5.0, 10). */
void mpi_info_create_env_(MPI_Fint *info, MPI_Fint *ierror)
{
    MPI_Info c_info = MPI_INFO_NULL;
    const int rc = CALL(MPI_Info_create_env)(0, NULL, &c_info);
    if (rc == MPI_SUCCESS)
        *info = Info_c2f(c_info);
    RESULT(rc);
}
NAMES(mpi_info_create_env, MPI_INFO_CREATE_ENV)

/* Converts between mpi_f08's status, a structure, and mpif.h's, an array. It is a plain copy,
   because both have the same values in the same places (MPI-5.0, 19.3.5). */
void mpi_status_f082f_(const MPI_Fint *f08_status, MPI_Fint *f_status, MPI_Fint *ierror)
{
    STATUSES(f_status, f08_status, 1);
    RESULT(MPI_SUCCESS);
}
NAMES(mpi_status_f082f, MPI_STATUS_F082F)
NAME(mpi_status_f2f08_, mpi_status_f082f_)
NAMES(mpi_status_f2f08, MPI_STATUS_F2F08)

/* ---- nonblocking duplication of communicators ----
 *
 * A runtime may write the new communicator only when the operation completes. It then writes
 * to memory that must still exist, so the C handle is on the heap and, in that case, is never
 * freed; the program's variable stays MPI_COMM_NULL. No known library does so: all write
 * the handle before they return, and it is freed at once.
 */
#define IDUP(name, NAME_, call, ...) \
    { \
        MPI_Request c_request = MPI_REQUEST_NULL; \
        MPI_Comm *c_newcomm = malloc(sizeof *c_newcomm); \
        if (!c_newcomm) { \
            RESULT(MPI_ERR_NO_MEM); \
            return; \
        } \
        *c_newcomm = MPI_COMM_NULL; \
        const int rc = call(__VA_ARGS__, c_newcomm, &c_request); \
        if (rc == MPI_SUCCESS) { \
            *newcomm = INNER(MPI_Comm_c2f)(*c_newcomm); \
            *request = INNER(MPI_Request_c2f)(c_request); \
        } \
        if (rc != MPI_SUCCESS || *c_newcomm != MPI_COMM_NULL) \
            free(c_newcomm); \
        RESULT(rc); \
    } \
    NAMES(name, NAME_)

void mpi_comm_idup_(const MPI_Fint *comm, MPI_Fint *newcomm, MPI_Fint *request, MPI_Fint *ierror)
IDUP(mpi_comm_idup, MPI_COMM_IDUP, CALL(MPI_Comm_idup), INNER(MPI_Comm_f2c)(*comm))

void mpi_comm_idup_with_info_(const MPI_Fint *comm, const MPI_Fint *info, MPI_Fint *newcomm, MPI_Fint *request, MPI_Fint *ierror)
IDUP(mpi_comm_idup_with_info, MPI_COMM_IDUP_WITH_INFO, CALL(MPI_Comm_idup_with_info), INNER(MPI_Comm_f2c)(*comm), Info_f2c(*info))

/* ---- operations and error handlers ---- */

/* Functions of the front. Each returns a C callback, for an operation or for the error handler
   of a kind of object, that calls the Fortran procedure with Fortran handles; NULL if memory is
   exhausted. The front keeps the callback. */
extern void *wi4go_fortran_operation(void *function);
extern void *wi4go_fortran_comm_handler(void *function);
extern void *wi4go_fortran_file_handler(void *function);
extern void *wi4go_fortran_session_handler(void *function);
extern void *wi4go_fortran_win_handler(void *function);

void mpi_op_create_(void *user_fn, const MPI_Fint *commute, MPI_Fint *op, MPI_Fint *ierror)
{
    MPI_Op c_op = MPI_OP_NULL;
    void *function = wi4go_fortran_operation(user_fn);
    const int rc = function ? CALL(MPI_Op_create)(function, *commute != 0, &c_op) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS)
        *op = INNER(MPI_Op_c2f)(c_op);
    RESULT(rc);
}
NAMES(mpi_op_create, MPI_OP_CREATE)

/* Defines a procedure that creates an error handler for one kind of object. */
#define ERRHANDLER(name, NAME_, in_c, call) \
    void name##_(void *errhandler_fn, MPI_Fint *errhandler, MPI_Fint *ierror) \
    { \
        MPI_Errhandler c_errhandler = MPI_ERRHANDLER_NULL; \
        void *function = in_c(errhandler_fn); \
        const int rc = function ? call(function, &c_errhandler) : MPI_ERR_NO_MEM; \
        if (rc == MPI_SUCCESS) \
            *errhandler = Errhandler_c2f(c_errhandler); \
        RESULT(rc); \
    } \
    NAMES(name, NAME_)
ERRHANDLER(mpi_comm_create_errhandler, MPI_COMM_CREATE_ERRHANDLER, wi4go_fortran_comm_handler, CALL(MPI_Comm_create_errhandler))
ERRHANDLER(mpi_errhandler_create, MPI_ERRHANDLER_CREATE, wi4go_fortran_comm_handler, CALL(MPI_Comm_create_errhandler))
ERRHANDLER(mpi_file_create_errhandler, MPI_FILE_CREATE_ERRHANDLER, wi4go_fortran_file_handler, CALL(MPI_File_create_errhandler))
ERRHANDLER(mpi_session_create_errhandler, MPI_SESSION_CREATE_ERRHANDLER, wi4go_fortran_session_handler, CALL(MPI_Session_create_errhandler))
ERRHANDLER(mpi_win_create_errhandler, MPI_WIN_CREATE_ERRHANDLER, wi4go_fortran_win_handler, CALL(MPI_Win_create_errhandler))

/* ---- attributes ----
 *
 * C must see an attribute that Fortran has set as the address of an integer (MPI-5.0,
 * 19.3.7). So Fortran's value is stored in a struct attribute_cell, and the runtime's
 * attribute is the cell's address. When Fortran reads an attribute or a callback receives
 * one, its address is looked up in the table of cells. If it is there, Fortran has set the
 * attribute, and the cell has its value; if not, C has set it, and the address is the value.
 *
 * A cell belongs to its attribute. It is freed when the delete callback of a Fortran keyval
 * has succeeded. The runtime does not notify this library when it deletes an attribute of a
 * keyval that C has created; that cell is never freed.
 *
 * cells_mutex guards the chains and is held for one lookup or change only.
 */
struct attribute_cell {
    MPI_Aint value;      /* must be first: C reads it through the attribute, as an int too */
    struct attribute_cell *next; /* in the chain of the bucket */
};
#define BUCKETS 256
static struct attribute_cell *cells[BUCKETS];
static pthread_mutex_t cells_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Returns the link that points to the cell at this address, or the end of the chain if there
   is none. The caller holds cells_mutex. */
static struct attribute_cell **cell_link(const void *attribute)
{
    struct attribute_cell **p = &cells[(uintptr_t)attribute / 32 % BUCKETS];
    while (*p && *p != attribute)
        p = &(*p)->next;
    return p;
}

/* Returns the cell at the address that the attribute is; NULL if C has set the attribute. */
static struct attribute_cell *cell_of(const void *attribute)
{
    pthread_mutex_lock(&cells_mutex);
    struct attribute_cell *r = *cell_link(attribute);
    pthread_mutex_unlock(&cells_mutex);
    return r;
}

/* Returns a new cell with the value, entered in the table; NULL if memory is exhausted. */
static struct attribute_cell *cell_new(MPI_Aint value)
{
    struct attribute_cell *r = malloc(sizeof *r);
    if (!r)
        return NULL;
    pthread_mutex_lock(&cells_mutex);
    struct attribute_cell **p = cell_link(r);
    *r = (struct attribute_cell){value, NULL};
    *p = r;
    pthread_mutex_unlock(&cells_mutex);
    return r;
}

/* Takes a cell out of the table and frees it; r may be NULL. */
static void cell_free(struct attribute_cell *r)
{
    if (!r)
        return;
    pthread_mutex_lock(&cells_mutex);
    *cell_link(r) = r->next;
    pthread_mutex_unlock(&cells_mutex);
    free(r);
}

/* A keyval that Fortran has created; the runtime passes it to the C callbacks as their extra
   state. It is never freed, because only the runtime knows when the last attribute of a freed
   keyval is gone. */
struct keyval {
    void *copy, *remove; /* the program's copy and delete procedures */
    MPI_Aint extra;      /* their extra state */
    int is_default;      /* created by MPI_KEYVAL_CREATE: values are default INTEGERs */
};
typedef void copy_procedure(MPI_Fint *, MPI_Fint *, void *extra, void *in, void *out, MPI_Fint *flag, MPI_Fint *ierror);
typedef void delete_procedure(MPI_Fint *, MPI_Fint *, void *value, void *extra, MPI_Fint *ierror);

/* Returns the value of an attribute, whose cell is r if Fortran has set it. */
static MPI_Aint attribute_value(const struct attribute_cell *r, const void *attribute) { return r ? r->value : (MPI_Aint)attribute; }

/* Calls the program's copy procedure for an attribute. The copy counts as set by the language
   that set the original: it gets a cell of its own only if the original has one. */
static int copy_attribute(struct keyval *k, MPI_Fint object, MPI_Fint keyval, void *in, void **out, int *flag)
{
    const struct attribute_cell *r = cell_of(in);
    MPI_Aint value = attribute_value(r, in), copy = 0;
    MPI_Fint f_flag = 0, ierror = MPI_SUCCESS;
    if (k->is_default) {
        MPI_Fint extra = (MPI_Fint)k->extra, of = (MPI_Fint)value, to = 0;
        ((copy_procedure *)k->copy)(&object, &keyval, &extra, &of, &to, &f_flag, &ierror);
        copy = to;
    } else {
        ((copy_procedure *)k->copy)(&object, &keyval, &k->extra, &value, &copy, &f_flag, &ierror);
    }
    *flag = ierror == MPI_SUCCESS && f_flag != 0;
    if (*flag && !(*out = r ? (void *)cell_new(copy) : (void *)copy) && r)
        return MPI_ERR_NO_MEM;
    return ierror;
}

/* Calls the program's delete procedure for an attribute, and frees its cell if that succeeds. */
static int delete_attribute(struct keyval *k, MPI_Fint object, MPI_Fint keyval, void *attribute)
{
    struct attribute_cell *r = cell_of(attribute);
    MPI_Aint value = attribute_value(r, attribute);
    MPI_Fint ierror = MPI_SUCCESS;
    if (k->is_default) {
        MPI_Fint extra = (MPI_Fint)k->extra, of = (MPI_Fint)value;
        ((delete_procedure *)k->remove)(&object, &keyval, &of, &extra, &ierror);
    } else {
        ((delete_procedure *)k->remove)(&object, &keyval, &value, &k->extra, &ierror);
    }
    if (ierror == MPI_SUCCESS)
        cell_free(r);
    return ierror;
}

/* Returns the value that Fortran reads. A predefined attribute is a pointer to an integer, and
   Fortran reads the integer; MPI_WIN_BASE is an exception, and Fortran reads the address itself. */
static MPI_Aint read_attribute(int keyval, void *attribute)
{
    switch (keyval) {
    case MPI_TAG_UB: case MPI_HOST: case MPI_IO: case MPI_WTIME_IS_GLOBAL: case MPI_UNIVERSE_SIZE: case MPI_LASTUSEDCODE: case MPI_APPNUM:
    case MPI_WIN_DISP_UNIT: case MPI_WIN_CREATE_FLAVOR: case MPI_WIN_MODEL:
        return *(int *)attribute;
    case MPI_WIN_SIZE:
        return *(MPI_Aint *)attribute;
    }
    return attribute_value(cell_of(attribute), attribute);
}

/* Creates a keyval whose callbacks in C are copier and deleter, and whose extra state is a new
   struct keyval. Returns the result of create, or MPI_ERR_NO_MEM. */
static int fortran_keyval_new(int (*create)(void *, void *, int *, void *), void *copier, void *deleter, void *copy, void *remove, int *keyval,
                              MPI_Aint extra, int is_default)
{
    struct keyval *k = malloc(sizeof *k);
    if (!k)
        return MPI_ERR_NO_MEM;
    *k = (struct keyval){copy, remove, extra, is_default};
    const int rc = create(copier, deleter, keyval, k);
    if (rc != MPI_SUCCESS)
        free(k);
    return rc;
}

/* The body of a procedure that sets an attribute: to the address of a new cell. */
#define SET(call, Kind, object, keyval, value) \
    struct attribute_cell *r = cell_new(value); \
    const int rc = r ? call(INNER(MPI_##Kind##_f2c)(*(object)), C_KEYVAL(*(keyval)), r) : MPI_ERR_NO_MEM; \
    if (rc != MPI_SUCCESS) \
        cell_free(r); \
    RESULT(rc)

/* The body of a procedure that reads an attribute. */
#define GET(call, Kind, object, keyval, value, type, flag) \
    void *attribute = NULL; \
    const int rc = call(INNER(MPI_##Kind##_f2c)(*(object)), C_KEYVAL(*(keyval)), &attribute, flag); \
    if (rc == MPI_SUCCESS && (*(flag) = *(flag) != 0)) \
        *(value) = (type)read_attribute(C_KEYVAL(*(keyval)), attribute); \
    else if (rc == MPI_SUCCESS && NONE_IS_0) \
        *(value) = 0; \
    RESULT(rc)

/* Defines the callbacks in C and the procedures of attributes for one kind of object. */
#define ATTRIBUTES(name, NAME_, Kind, Type, create, set, get) \
    static int name##_copy(Type object, int keyval, void *k, void *in, void *out, int *flag) \
    { \
        return copy_attribute(k, INNER(MPI_##Kind##_c2f)(object), keyval, in, out, flag); \
    } \
    static int name##_delete(Type object, int keyval, void *attribute, void *k) \
    { \
        return delete_attribute(k, INNER(MPI_##Kind##_c2f)(object), keyval, attribute); \
    } \
    void name##_create_keyval_(void *copy, void *remove, MPI_Fint *keyval, const MPI_Aint *extra, MPI_Fint *ierror) \
    { \
        RESULT(fortran_keyval_new((int (*)(void *, void *, int *, void *))create, (void *)name##_copy, (void *)name##_delete, copy, remove, keyval, *extra, 0)); \
    } \
    NAMES(name##_create_keyval, NAME_##_CREATE_KEYVAL) \
    void name##_set_attr_(const MPI_Fint *object, const MPI_Fint *keyval, const MPI_Aint *value, MPI_Fint *ierror) \
    { \
        SET(set, Kind, object, keyval, *value); \
    } \
    NAMES(name##_set_attr, NAME_##_SET_ATTR) \
    void name##_get_attr_(const MPI_Fint *object, const MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *ierror) \
    { \
        GET(get, Kind, object, keyval, value, MPI_Aint, flag); \
    } \
    NAMES(name##_get_attr, NAME_##_GET_ATTR)
ATTRIBUTES(mpi_comm, MPI_COMM, Comm, MPI_Comm, CALL(MPI_Comm_create_keyval), PMPI_Comm_set_attr, PMPI_Comm_get_attr)
ATTRIBUTES(mpi_type, MPI_TYPE, Type, MPI_Datatype, CALL(MPI_Type_create_keyval), PMPI_Type_set_attr, PMPI_Type_get_attr)
ATTRIBUTES(mpi_win, MPI_WIN, Win, MPI_Win, CALL(MPI_Win_create_keyval), PMPI_Win_set_attr, PMPI_Win_get_attr)

/* The procedures of MPI-1, whose values are default INTEGERs. */
void mpi_keyval_create_(void *copy, void *remove, MPI_Fint *keyval, const MPI_Fint *extra, MPI_Fint *ierror)
{
    RESULT(fortran_keyval_new((int (*)(void *, void *, int *, void *))CALL(MPI_Comm_create_keyval), (void *)mpi_comm_copy, (void *)mpi_comm_delete,
                              copy, remove, keyval, *extra, 1));
}
NAMES(mpi_keyval_create, MPI_KEYVAL_CREATE)

void mpi_attr_put_(const MPI_Fint *comm, const MPI_Fint *keyval, const MPI_Fint *value, MPI_Fint *ierror)
{
    SET(PMPI_Comm_set_attr, Comm, comm, keyval, *value);
}
NAMES(mpi_attr_put, MPI_ATTR_PUT)

void mpi_attr_get_(const MPI_Fint *comm, const MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *ierror)
{
    GET(PMPI_Comm_get_attr, Comm, comm, keyval, value, MPI_Fint, flag);
}
NAMES(mpi_attr_get, MPI_ATTR_GET)

/* ---- the predefined callbacks (MPI-5.0, 7.7.2) ---- */

#undef MPI_COMM_DUP_FN
#undef MPI_COMM_NULL_COPY_FN
#undef MPI_COMM_NULL_DELETE_FN
#undef MPI_TYPE_DUP_FN
#undef MPI_TYPE_NULL_COPY_FN
#undef MPI_TYPE_NULL_DELETE_FN
#undef MPI_WIN_DUP_FN
#undef MPI_WIN_NULL_COPY_FN
#undef MPI_WIN_NULL_DELETE_FN
#undef MPI_DUP_FN
#undef MPI_NULL_COPY_FN
#undef MPI_NULL_DELETE_FN
#undef MPI_CONVERSION_FN_NULL
#define PREDEFINED(x, X) NAMES_F77(x, X) NAME(__mpi_f08_callbacks_MOD_##x, x##_)

/* Defines the predefined copy and delete procedures for one kind of object. */
#define CALLBACKS(infix, INFIX, integer) \
    void mpi##infix##_dup_fn_(MPI_Fint *object, MPI_Fint *keyval, integer *extra, integer *in, integer *out, MPI_Fint *flag, MPI_Fint *ierror) \
    { \
        (void)object, (void)keyval, (void)extra; \
        *out = *in; \
        *flag = 1; \
        *ierror = MPI_SUCCESS; \
    } \
    PREDEFINED(mpi##infix##_dup_fn, MPI##INFIX##_DUP_FN) \
    void mpi##infix##_null_copy_fn_(MPI_Fint *object, MPI_Fint *keyval, integer *extra, integer *in, integer *out, MPI_Fint *flag, MPI_Fint *ierror) \
    { \
        (void)object, (void)keyval, (void)extra, (void)in, (void)out; \
        *flag = 0; \
        *ierror = MPI_SUCCESS; \
    } \
    PREDEFINED(mpi##infix##_null_copy_fn, MPI##INFIX##_NULL_COPY_FN) \
    void mpi##infix##_null_delete_fn_(MPI_Fint *object, MPI_Fint *keyval, integer *value, integer *extra, MPI_Fint *ierror) \
    { \
        (void)object, (void)keyval, (void)value, (void)extra; \
        *ierror = MPI_SUCCESS; \
    } \
    PREDEFINED(mpi##infix##_null_delete_fn, MPI##INFIX##_NULL_DELETE_FN)
CALLBACKS(_comm, _COMM, MPI_Aint)
CALLBACKS(_type, _TYPE, MPI_Aint)
CALLBACKS(_win, _WIN, MPI_Aint)
CALLBACKS(, , MPI_Fint)

/* The constant for "no conversion" (MPI-5.0, 14.5.3). Only its address matters; it is never called. */
void mpi_conversion_fn_null_(void) { }
PREDEFINED(mpi_conversion_fn_null, MPI_CONVERSION_FN_NULL)

/* Reports whether a procedure is that constant. The function can have two addresses: a program
   that is not position-independent has its own address for a name that it refers to, and it may
   refer to only one of the two names. */
static int is_conversion_null(const void *function)
{
    return function == (void *)mpi_conversion_fn_null_ || function == (void *)__mpi_f08_callbacks_MOD_mpi_conversion_fn_null;
}

/* ---- data representations ---- */

/* A data representation that Fortran has registered: the extra state of the C callbacks. It is
   never freed, because MPI lacks a function to unregister one. */
struct datarep {
    void *read, *write, *extent; /* the program's procedures */
    MPI_Aint extra;              /* their extra state */
};
typedef void conversion_procedure(void *userbuf, MPI_Fint *datatype, MPI_Fint *count, void *filebuf, MPI_Offset *position, MPI_Aint *extra, MPI_Fint *ierror);
typedef void extent_procedure(MPI_Fint *datatype, MPI_Aint *extent, MPI_Aint *extra, MPI_Fint *ierror);

/* Calls the program's conversion procedure with Fortran arguments, and returns its ierror. */
static int fortran_datarep_convert(void *function, struct datarep *d, void *userbuf, MPI_Datatype datatype, int count, void *filebuf, MPI_Offset position)
{
    MPI_Fint f_datatype = INNER(MPI_Type_c2f)(datatype), f_count = count, ierror = MPI_SUCCESS;
    ((conversion_procedure *)function)(userbuf, &f_datatype, &f_count, filebuf, &position, &d->extra, &ierror);
    return ierror;
}

static int fortran_datarep_read(void *userbuf, MPI_Datatype datatype, int count, void *filebuf, MPI_Offset position, void *d)
{
    return fortran_datarep_convert(((struct datarep *)d)->read, d, userbuf, datatype, count, filebuf, position);
}

static int fortran_datarep_write(void *userbuf, MPI_Datatype datatype, int count, void *filebuf, MPI_Offset position, void *d)
{
    return fortran_datarep_convert(((struct datarep *)d)->write, d, userbuf, datatype, count, filebuf, position);
}

static int fortran_datarep_extent(MPI_Datatype datatype, MPI_Aint *extent, void *state)
{
    struct datarep *d = state;
    MPI_Fint f_datatype = INNER(MPI_Type_c2f)(datatype), ierror = MPI_SUCCESS;
    ((extent_procedure *)d->extent)(&f_datatype, extent, &d->extra, &ierror);
    return ierror;
}

void mpi_register_datarep_(const char *datarep, void *read, void *write, void *extent, const MPI_Aint *extra, MPI_Fint *ierror, int length)
{
    ARRAY(char, c_datarep, STRING_SIZE(length))
    struct datarep *d = malloc(sizeof *d);
    if (!d) {
        RESULT(MPI_ERR_NO_MEM);
        return;
    }
    *d = (struct datarep){read, write, extent, *extra};
    string_in(c_datarep, datarep, length);
    const int rc = CALL(MPI_Register_datarep)(c_datarep, is_conversion_null(read) ? NULL : fortran_datarep_read,
                                         is_conversion_null(write) ? NULL : fortran_datarep_write, fortran_datarep_extent, d);
    if (rc != MPI_SUCCESS)
        free(d);
    RESULT(rc);
}
NAMES(mpi_register_datarep, MPI_REGISTER_DATAREP)

/* ---- generalized requests ---- */

/* A generalized request of a Fortran program: the extra state of the C callbacks.
   fortran_grequest_free, the last callback of a request, frees it. */
struct grequest {
    void *query, *free, *cancel; /* the program's procedures */
    /* extra is passed to the procedures. It is the caller's variable, as natively in both
       families, because programs have the procedures change it; with KEEPS_EXTRA_STATE it is
       &kept. kept is the value of the variable when the request was started. */
    MPI_Aint *extra, kept;
};

static int fortran_grequest_query(void *state, MPI_Status *status)
{
    struct grequest *g = state;
    MPI_Fint ierror = MPI_SUCCESS;
    ((void (*)(MPI_Aint *, void *, MPI_Fint *))g->query)(g->extra, status, &ierror);
    return ierror;
}

static int fortran_grequest_free(void *state)
{
    struct grequest *g = state;
    MPI_Fint ierror = MPI_SUCCESS;
    ((void (*)(MPI_Aint *, MPI_Fint *))g->free)(g->extra, &ierror);
    free(g);
    return ierror;
}

static int fortran_grequest_cancel(void *state, int complete)
{
    struct grequest *g = state;
    MPI_Fint f_complete = complete != 0, ierror = MPI_SUCCESS;
    ((void (*)(MPI_Aint *, MPI_Fint *, MPI_Fint *))g->cancel)(g->extra, &f_complete, &ierror);
    return ierror;
}

void mpi_grequest_start_(void *query, void *release_, void *cancel, MPI_Aint *extra, MPI_Fint *request, MPI_Fint *ierror)
{
    struct grequest *g = malloc(sizeof *g);
    MPI_Request c_request = MPI_REQUEST_NULL;
    if (!g) {
        RESULT(MPI_ERR_NO_MEM);
        return;
    }
    *g = (struct grequest){query, release_, cancel, KEEPS_EXTRA_STATE ? &g->kept : extra, *extra};
    const int rc = CALL(MPI_Grequest_start)(fortran_grequest_query, fortran_grequest_free, fortran_grequest_cancel, g, &c_request);
    if (rc == MPI_SUCCESS)
        *request = INNER(MPI_Request_c2f)(c_request);
    else
        free(g);
    RESULT(rc);
}
NAMES(mpi_grequest_start, MPI_GREQUEST_START)

/* ---- processes ---- */

/* Returns an array of C strings, ended by NULL, from n CHARACTERs that are `stride` bytes apart.
   If n is negative, the array ends before the first one of blanks (MPI-5.0, 11.8.2). The array
   is one block, which the caller frees; NULL if memory is exhausted. */
static char **strings_in(const char *f, int length, size_t stride, int n)
{
    if (n < 0) {
        const char *at = f;
        for (n = 0; trimmed(at, length) > 0; n++)
            at += stride;
    }
    char **c = malloc(((size_t)n + 1) * sizeof *c + (size_t)n * (size_t)STRING_SIZE(length));
    if (!c)
        return NULL;
    char *text = (char *)(c + n + 1);
    for (int i = 0; i < n; i++) {
        c[i] = text + (size_t)i * (size_t)STRING_SIZE(length);
        string_in(c[i], f + (size_t)i * stride, length);
    }
    c[n] = NULL;
    return c;
}

/* Reports whether this process is the root. Commands and arguments are valid only there. */
static int is_spawn_root(MPI_Comm comm, int root)
{
    int rank = MPI_PROC_NULL;
    INNER(MPI_Comm_rank)(comm, &rank);
    return rank == root;
}

void mpi_comm_spawn_(const char *command, const char *argv, const MPI_Fint *maxprocs, const MPI_Fint *info, const MPI_Fint *root,
                     const MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *errcodes, MPI_Fint *ierror, int command_length, int argv_length)
{
    MPI_Comm c_comm = INNER(MPI_Comm_f2c)(*comm), c_intercomm = MPI_COMM_NULL;
    const int root_here = is_spawn_root(c_comm, *root), no_argv = NO_ARGV(argv) || !root_here;
    ARRAY(char, c_command, STRING_SIZE(command_length))
    char **c_argv __attribute__((cleanup(free_pointed))) = no_argv ? NULL : strings_in(argv, argv_length, (size_t)argv_length, -1);
    *c_command = 0;
    if (root_here)
        string_in(c_command, command, command_length);
    const int rc = !no_argv && !c_argv ? MPI_ERR_NO_MEM
                                       : CALL(MPI_Comm_spawn)(c_command, no_argv ? MPI_ARGV_NULL : c_argv, *maxprocs, Info_f2c(*info), *root, c_comm,
                                                         &c_intercomm, NO_ERRCODES(errcodes) ? MPI_ERRCODES_IGNORE : errcodes);
    if (rc == MPI_SUCCESS)
        *intercomm = INNER(MPI_Comm_c2f)(c_intercomm);
    RESULT(rc);
}
NAMES(mpi_comm_spawn, MPI_COMM_SPAWN)

/* Frees an array of string arrays, ended by NULL. For __attribute__((cleanup)). */
static void free_lists(char ****lists)
{
    for (char ***list = *lists; list && *list; list++)
        free(*list);
    free(*lists);
}

/* Argument j of command i is argvs(i, j), and the first index is the faster one; so the arguments
   of one command are count CHARACTERs apart. */
void mpi_comm_spawn_multiple_(const MPI_Fint *count, const char *commands, const char *argvs, const MPI_Fint *maxprocs, const MPI_Fint *infos,
                              const MPI_Fint *root, const MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *errcodes, MPI_Fint *ierror,
                              int commands_length, int argvs_length)
{
    MPI_Comm c_comm = INNER(MPI_Comm_f2c)(*comm), c_intercomm = MPI_COMM_NULL;
    const int n = is_spawn_root(c_comm, *root) ? *count : 0, no_argvs = NO_ARGVS(argvs) || n == 0;
    ARRAY(MPI_Info, c_infos, n)
    char **c_commands __attribute__((cleanup(free_pointed))) = strings_in(commands, commands_length, (size_t)commands_length, n);
    char ***c_argvs __attribute__((cleanup(free_lists))) = no_argvs ? NULL : calloc((size_t)n + 1, sizeof *c_argvs);
    int enough = c_commands && (no_argvs || c_argvs);
    for (int i = 0; i < n && enough; i++) {
        c_infos[i] = Info_f2c(infos[i]);
        if (!no_argvs)
            enough = (c_argvs[i] = strings_in(argvs + (size_t)i * (size_t)argvs_length, argvs_length, (size_t)n * (size_t)argvs_length, -1)) != NULL;
    }
    const int rc = !enough ? MPI_ERR_NO_MEM
                           : CALL(MPI_Comm_spawn_multiple)(*count, c_commands, no_argvs ? MPI_ARGVS_NULL : c_argvs, maxprocs, c_infos, *root, c_comm,
                                                      &c_intercomm, NO_ERRCODES(errcodes) ? MPI_ERRCODES_IGNORE : errcodes);
    if (rc == MPI_SUCCESS)
        *intercomm = INNER(MPI_Comm_c2f)(c_intercomm);
    RESULT(rc);
}
NAMES(mpi_comm_spawn_multiple, MPI_COMM_SPAWN_MULTIPLE)

#ifdef PROFILING
#include "fortran_names.h" /* generated: the names of these procedures in mpi_f08 */
#endif

/* ---- registration with the front ---- */

/* Defines the pointer of the inner door (inner.h) for one function. It points to a place in
   this library that holds the profiling name, until the front redirects it. */
#define INNER_HERE(name) \
    static __typeof__(P##name) *const here_##name = P##name; \
    __typeof__(P##name) *const *wi4go_inner_##name = &here_##name;
INNER_FUNCTIONS(INNER_HERE)

#define INNER_ROW(name) {#name, (void *)&wi4go_inner_##name},
static const struct wi4go_inner_function inner_functions[] = {INNER_FUNCTIONS(INNER_ROW)};
/* Weak: older fronts do not have it. */
extern __typeof__(wi4go_fortran_inner) wi4go_fortran_inner __attribute__((weak));

/* Registers the functions of the inner door and the direct procedures with the front. */
__attribute__((constructor)) static void register_library(void)
{
    if (wi4go_fortran_inner)
        wi4go_fortran_inner(inner_functions, sizeof inner_functions / sizeof *inner_functions);
    static struct wi4go_fortran_library library = {
        .form = WI4GO_FORTRAN_FORM,
        .procedures = wi4go_fortran_procedures,
        .entries = wi4go_fortran_entries,
        .constants = FORTRAN_CONSTANTS,
        .described_constants = DESCRIBED_CONSTANTS,
    };
    library.n = wi4go_fortran_direct;
    wi4go_fortran_begins(&library);
}
