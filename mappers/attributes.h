/*
 * Keyvals and attributes (MPI-5.0, 7.7). A keyval that the program makes gets a
 * record with its callbacks; the record lives until the keyval is freed and
 * the last attribute under it is gone.
 *
 * Gives: keyvals of the program: MPI_Comm_create_keyval, MPI_Comm_get_attr and theirs;
 * wi4go_keyval records.
 * Needs: pair.h, errors.h, handles.h, callbacks.h, thunk.h.
 */
#ifndef WI4GO_ATTRIBUTES_H
#define WI4GO_ATTRIBUTES_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "callbacks.h"
#include "thunk.h"
#include <pthread.h>

#if A_LANGUAGE_HOOKS
int MPIR_Dup_fn(int object, int keyval, void *extra, void *in, void *out, int *flag);
#endif

struct keyval {
    int r_keyval;
    int references;       /* the keyval itself and each attribute */
    int freed;            /* by the program */
    struct wi4go_keyval user;
    struct keyval *next;
};

#define KEYVAL_BUCKETS 64
static struct keyval *keyvals[KEYVAL_BUCKETS];
static pthread_mutex_t keyvals_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct keyval **keyval_place(int r_keyval)
{
    struct keyval **p = &keyvals[(unsigned)r_keyval % KEYVAL_BUCKETS];
    while (*p && (*p)->r_keyval != r_keyval)
        p = &(*p)->next;
    return p;
}

/* The keyval's record with one more reference; NULL for one that is not ours. */
static struct keyval *keyval_hold(int r_keyval)
{
    pthread_mutex_lock(&keyvals_mutex);
    struct keyval *k = *keyval_place(r_keyval);
    if (k)
        __atomic_add_fetch(&k->references, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&keyvals_mutex);
    return k;
}

static void keyval_unhold(struct keyval *k)
{
    if (!k)
        return;
    pthread_mutex_lock(&keyvals_mutex);
    const int last = !__atomic_sub_fetch(&k->references, 1, __ATOMIC_RELAXED);
    if (last) {
        struct keyval **p = &keyvals[(unsigned)k->r_keyval % KEYVAL_BUCKETS];
        while (*p != k)
            p = &(*p)->next;
        *p = k->next;
    }
    pthread_mutex_unlock(&keyvals_mutex);
    if (last) {
        free(k->user.memory);
        free(k);
    }
}

/*
 * What Fortran has set is a record with the integer (MPI-5.0, 19.3.7): C reads the
 * integer's address, which no record has, so that a record is known by its own.
 */
struct fortran_value {
    enum wi4go_setter set_by;
    MPI_Aint value;
    struct fortran_value *next;
};
#define FORTRAN_VALUES 256
static struct fortran_value *fortran_values[FORTRAN_VALUES];
static int fortran_sets; /* has there ever been one? */

static struct fortran_value **fortran_place(const void *attribute)
{
    struct fortran_value **p = &fortran_values[(uintptr_t)attribute / 32 % FORTRAN_VALUES];
    while (*p && *p != attribute)
        p = &(*p)->next;
    return p;
}

/* The record that the attribute is; NULL where C has set it. */
static struct fortran_value *set_by_fortran(const void *attribute)
{
    if (likely(!__atomic_load_n(&fortran_sets, __ATOMIC_ACQUIRE)))
        return NULL;
    pthread_mutex_lock(&keyvals_mutex);
    struct fortran_value *v = *fortran_place(attribute);
    pthread_mutex_unlock(&keyvals_mutex);
    return v;
}

/* What a C function gets of the attribute. */
static void *c_value(void *attribute)
{
    struct fortran_value *v = set_by_fortran(attribute);
    return unlikely(v != NULL) ? &v->value : attribute;
}

#if A_LANGUAGE_HOOKS
/* A record; NULL when memory is exhausted. */
static struct fortran_value *fortran_value(enum wi4go_setter set_by, MPI_Aint value)
{
    struct fortran_value *v = malloc(sizeof *v);
    if (!v)
        return NULL;
    pthread_mutex_lock(&keyvals_mutex);
    struct fortran_value **p = fortran_place(v);
    *v = (struct fortran_value){set_by, value, NULL};
    *p = v;
    __atomic_store_n(&fortran_sets, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&keyvals_mutex);
    return v;
}
#endif

static void fortran_forget(struct fortran_value *v)
{
    if (likely(!v))
        return;
    pthread_mutex_lock(&keyvals_mutex);
    *fortran_place(v) = v->next;
    pthread_mutex_unlock(&keyvals_mutex);
    free(v);
}

/*
 * The program's callbacks of a keyval. A C function copies what Fortran has set by
 * its address, and gives a value of C's; MPI_COMM_DUP_FN and its kin, and those
 * behind a proxy, give one of the language that it was set in.
 */
#if A_LANGUAGE_HOOKS
static int dup_integer(void *function, int object, int keyval, void *extra, int set_by, void *in, void **out, int *flag)
{
    (void)function, (void)object, (void)keyval, (void)extra, (void)set_by;
    *out = in;
    *flag = 1;
    return 0;
}
#endif

static int call_copy(const struct wi4go_keyval *user, int64_t object, int keyval, void *in, void *out, int *flag)
{
#if A_LANGUAGE_HOOKS
    struct fortran_value *v = set_by_fortran(in);
    wi4go_copy_proxy *proxy = v && user->copy == (void *)MPIR_Dup_fn ? dup_integer : user->copy_proxy;
    if (proxy) {
        void *copy = NULL;
        int rc = proxy(user->copy, (int)object, keyval, user->extra, v ? v->set_by : SET_BY_C, v ? (void *)v->value : in, &copy, flag);
        if (!rc && *flag && v && !(copy = fortran_value(v->set_by, (MPI_Aint)copy)))
            return A_MPI_ERR_NO_MEM;
        *(void **)out = copy;
        return rc;
    }
#endif
    return ((int (*)(A_MPI_Comm, int, void *, void *, void *, int *))user->copy)((A_MPI_Comm)object, keyval, user->extra, c_value(in), out, flag);
}

static int call_delete(const struct wi4go_keyval *user, int64_t object, int keyval, void *value)
{
#if A_LANGUAGE_HOOKS
    struct fortran_value *v = set_by_fortran(value);
    if (user->delete_proxy)
        return user->delete_proxy(user->remove, (int)object, keyval, v ? v->set_by : SET_BY_C, v ? (void *)v->value : value, user->extra);
#endif
    return ((int (*)(A_MPI_Comm, int, void *, void *))user->remove)((A_MPI_Comm)object, keyval, c_value(value), user->extra);
}

#define ATTRIBUTE_CALLBACKS(name, KIND, Type) \
    static int name##_copy(R_##Type object, int keyval, void *record, void *in, void *out, int *flag) \
    { \
        struct keyval *k = record; \
        int transient, rc; \
        *flag = 0; \
        if (!k->user.copy) \
            return 0; \
        A_##Type a = KIND##_r2a_callback(object, &transient); \
        rc = OUTSIDE(call_copy(&k->user, (int64_t)a, (int)KEYVAL_r2a(keyval), in, out, flag)); \
        if (transient) \
            KIND##_drop(a); \
        if (!rc && *flag) \
            __atomic_add_fetch(&k->references, 1, __ATOMIC_RELAXED); \
        return unlikely(rc) ? error_a2r(rc) : 0; \
    } \
    static int name##_delete(R_##Type object, int keyval, void *value, void *record) \
    { \
        struct keyval *k = record; \
        int transient, rc = 0; \
        if (k->user.remove) { \
            A_##Type a = KIND##_r2a_callback(object, &transient); \
            rc = OUTSIDE(call_delete(&k->user, (int64_t)a, (int)KEYVAL_r2a(keyval), value)); \
            if (transient) \
                KIND##_drop(a); \
        } \
        if (!rc) { \
            fortran_forget(set_by_fortran(value)); \
            keyval_unhold(k); \
        } \
        return unlikely(rc) ? error_a2r(rc) : 0; \
    }

ATTRIBUTE_CALLBACKS(comm, COMM, MPI_Comm)
ATTRIBUTE_CALLBACKS(type, DATATYPE, MPI_Datatype)
ATTRIBUTE_CALLBACKS(win, WIN, MPI_Win)

#if A_DUP_FN_IS_VALUE
/* MPI_COMM_DUP_FN and its kin are no functions in the standard ABI but the number
   1 (MPI-5.0, 20.3.8). */
static int dup_value(int64_t object, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)object, (void)keyval, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return 0;
}
#define COPY_FUNCTION(copy) ((copy) == (void *)1 ? (void *)dup_value : (copy))
#else
#define COPY_FUNCTION(copy) (copy)
#endif

static int create_keyval(int (*create)(void *, void *, int *, void *), void *copier, void *deleter,
                         void *copy, void *remove, int *keyval, void *extra)
{
    struct keyval *k = calloc(1, sizeof *k);
    if (!k)
        return A_MPI_ERR_NO_MEM;
    k->references = 1;
    k->user.copy = COPY_FUNCTION(copy);
    k->user.remove = remove;
    k->user.extra = extra;
    int rc = create(copier, deleter, keyval ? &k->r_keyval : NULL, k);
    if (unlikely(rc)) {
        free(k);
        return error_r2a(rc);
    }
    pthread_mutex_lock(&keyvals_mutex);
    struct keyval **p = &keyvals[(unsigned)k->r_keyval % KEYVAL_BUCKETS];
    k->next = *p;
    *p = k;
    pthread_mutex_unlock(&keyvals_mutex);
    *keyval = (int)KEYVAL_r2a(k->r_keyval);
    return 0;
}

static int A_MPI_Comm_create_keyval(void *comm_copy_attr_fn, void *comm_delete_attr_fn, int *comm_keyval, void *extra_state)
{
    return create_keyval(R_MPI_Comm_create_keyval, (void *)comm_copy, (void *)comm_delete, comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state);
}
static int A_MPI_Keyval_create(void *copy_fn, void *delete_fn, int *keyval, void *extra_state)
{
    return create_keyval(R_MPI_Comm_create_keyval, (void *)comm_copy, (void *)comm_delete, copy_fn, delete_fn, keyval, extra_state);
}
static int A_MPI_Type_create_keyval(void *type_copy_attr_fn, void *type_delete_attr_fn, int *type_keyval, void *extra_state)
{
    return create_keyval(R_MPI_Type_create_keyval, (void *)type_copy, (void *)type_delete, type_copy_attr_fn, type_delete_attr_fn, type_keyval, extra_state);
}
static int A_MPI_Win_create_keyval(void *win_copy_attr_fn, void *win_delete_attr_fn, int *win_keyval, void *extra_state)
{
    return create_keyval(R_MPI_Win_create_keyval, (void *)win_copy, (void *)win_delete, win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state);
}

/* A keyval may be freed again by the callback that deletes its last attribute. */
static int free_keyval(int (*release)(int *), int *keyval)
{
    if (unlikely(!keyval))
        return error_r2a(release(NULL));
    int r_keyval = (int)KEYVAL_a2r(*keyval);
    struct keyval *k = keyval_hold(r_keyval);
    int rc = release(&r_keyval);
    if (likely(!rc && k) && !__atomic_exchange_n(&k->freed, 1, __ATOMIC_RELAXED))
        keyval_unhold(k);
    keyval_unhold(k);
    if (unlikely(rc))
        return error_r2a(rc);
    *keyval = A_MPI_KEYVAL_INVALID;
    return 0;
}

static int A_MPI_Comm_free_keyval(int *comm_keyval) { return free_keyval(R_MPI_Comm_free_keyval, comm_keyval); }
static int A_MPI_Keyval_free(int *keyval) { return free_keyval(R_MPI_Comm_free_keyval, keyval); }
static int A_MPI_Type_free_keyval(int *type_keyval) { return free_keyval(R_MPI_Type_free_keyval, type_keyval); }
static int A_MPI_Win_free_keyval(int *win_keyval) { return free_keyval(R_MPI_Win_free_keyval, win_keyval); }

/* Of a keyval that was freed MPICH may keep a record, which names ours. */
#define SET_ATTRIBUTE(call, r_object, key, value) \
    int r_keyval = (int)KEYVAL_a2r(key); \
    struct keyval *k = keyval_hold(r_keyval); \
    int rc = call(r_object, likely(k != NULL) || r_keyval != key ? r_keyval : R_MPI_KEYVAL_INVALID, value); \
    if (likely(!rc)) \
        return 0; \
    keyval_unhold(k); \
    return error_r2a(rc)

static int A_MPI_Comm_set_attr(A_MPI_Comm comm, int comm_keyval, void *attribute_val)
{
    SET_ATTRIBUTE(R_MPI_Comm_set_attr, COMM_a2r(comm), comm_keyval, attribute_val);
}
static int A_MPI_Attr_put(A_MPI_Comm comm, int keyval, void *attribute_val)
{
    SET_ATTRIBUTE(R_MPI_Comm_set_attr, COMM_a2r(comm), keyval, attribute_val);
}
static int A_MPI_Type_set_attr(A_MPI_Datatype datatype, int type_keyval, void *attribute_val)
{
    SET_ATTRIBUTE(R_MPI_Type_set_attr, DATATYPE_a2r(datatype), type_keyval, attribute_val);
}
static int A_MPI_Win_set_attr(A_MPI_Win win, int win_keyval, void *attribute_val)
{
    SET_ATTRIBUTE(R_MPI_Win_set_attr, WIN_a2r(win), win_keyval, attribute_val);
}

/* The value behind a predefined keyval is a pointer to an int that means a rank
   or a constant (MPI-5.0, 9.1.2 and 12.2.6): a pointer to the application's. */
static int *constant_at(int value)
{
    static int values[64]; /* by value + 32: written with what it already holds */
    static const int offset = 32;
    int *p = &values[(value + offset) & 63];
    *p = value;
    return p;
}

#ifndef KEYVAL_standard
#define KEYVAL_standard(key) (key) /* neither side has a draft */
#endif

static void translate_attribute(int keyval, int **value)
{
    static int last_used_code;
    int r = **value, a = r;
    switch (keyval) {
    case A_MPI_HOST:
    case A_MPI_IO:
        a = (int)RANK_r2a(r);
        break;
    case A_MPI_WIN_CREATE_FLAVOR:
        a = (int)WIN_FLAVOR_r2a(r);
        break;
    case A_MPI_WIN_MODEL:
        a = (int)WIN_MODEL_r2a(r);
        break;
    case A_MPI_LASTUSEDCODE:
        last_used_code = r <= R_MPI_ERR_LASTCODE ? A_MPI_ERR_LASTCODE : error_r2a(r);
        *value = &last_used_code;
        return;
    }
    if (a != r)
        *value = constant_at(a);
}

#define GET_ATTRIBUTE(call, key, attribute, flag) \
    int rc = call; \
    if (unlikely(rc)) \
        return error_r2a(rc); \
    if (*(flag)) \
        switch (KEYVAL_standard(key)) { \
        case A_MPI_HOST: case A_MPI_IO: case A_MPI_LASTUSEDCODE: case A_MPI_WIN_CREATE_FLAVOR: case A_MPI_WIN_MODEL: \
            translate_attribute((int)KEYVAL_standard(key), (int **)(attribute)); \
        } \
    return 0

/* A predefined keyval that the runtime's family lacks, like Open MPI's MPI_FT. */
static int lacks_keyval(int keyval) { return KEYVAL_a2r(keyval) == R_MPI_KEYVAL_INVALID && keyval != A_MPI_KEYVAL_INVALID; }

/* No communicator has such an attribute. */
static int lacked_attribute(A_MPI_Comm comm, int *flag)
{
    int inter, rc = R_MPI_Comm_test_inter(COMM_a2r(comm), &inter);
    *flag = 0;
    return unlikely(rc) ? error_r2a(rc) : 0;
}

/* The attribute as it is in the runtime, but for predefined ones. */
static int comm_attribute(A_MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    if (unlikely(lacks_keyval(keyval)) && flag)
        return lacked_attribute(comm, flag);
    GET_ATTRIBUTE(R_MPI_Comm_get_attr(COMM_a2r(comm), (int)KEYVAL_a2r(keyval), attribute, flag), keyval, attribute, flag);
}
static int type_attribute(A_MPI_Datatype datatype, int keyval, void *attribute, int *flag)
{
    int rc = R_MPI_Type_get_attr(DATATYPE_a2r(datatype), (int)KEYVAL_a2r(keyval), attribute, flag);
    return unlikely(rc) ? error_r2a(rc) : 0;
}
static int win_attribute(A_MPI_Win win, int keyval, void *attribute, int *flag)
{
    GET_ATTRIBUTE(R_MPI_Win_get_attr(WIN_a2r(win), (int)KEYVAL_a2r(keyval), attribute, flag), keyval, attribute, flag);
}

/* For C: in place of a value of Fortran's its address. */
#define READ_ATTRIBUTE(name, object, keyval, value, flag) \
    int rc = name##_attribute(object, keyval, value, flag); \
    if (likely(!rc) && *(flag)) \
        *(void **)(value) = c_value(*(void **)(value)); \
    return rc

static int A_MPI_Comm_get_attr(A_MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag)
{
    READ_ATTRIBUTE(comm, comm, comm_keyval, attribute_val, flag);
}
static int A_MPI_Attr_get(A_MPI_Comm comm, int keyval, void *attribute_val, int *flag)
{
    READ_ATTRIBUTE(comm, comm, keyval, attribute_val, flag);
}
static int A_MPI_Type_get_attr(A_MPI_Datatype datatype, int type_keyval, void *attribute_val, int *flag)
{
    READ_ATTRIBUTE(type, datatype, type_keyval, attribute_val, flag);
}
static int A_MPI_Win_get_attr(A_MPI_Win win, int win_keyval, void *attribute_val, int *flag)
{
    READ_ATTRIBUTE(win, win, win_keyval, attribute_val, flag);
}

#if A_LANGUAGE_HOOKS
/* ---- for the Fortran library ---- */

/* Fortran's predefined keyvals are C's plus one; C's are odd. */
static int c_keyval(int keyval)
{
    const int predefined = ((unsigned)keyval & 0xc0000000) == 0x40000000;
    return predefined ? keyval - !(keyval & 1) : keyval;
}

/* What Fortran gets of the attribute: the integer that it has set or that C would
   find there, or the pointer that C has set or that is the window's base. */
static MPI_Aint value_in_fortran(int keyval, void *attribute)
{
    const struct fortran_value *v = set_by_fortran(attribute);
    if (v)
        return v->value;
    if (keyval == A_MPI_WIN_SIZE)
        return *(MPI_Aint *)attribute;
    return keyval == c_keyval(keyval + 1) && keyval != A_MPI_WIN_BASE ? *(int *)attribute : (MPI_Aint)attribute;
}

/* asked_by, set_by: enum wi4go_setter. Fortran's library narrows what a default
   INTEGER is to have. */
#define FORTRAN_ATTRIBUTE(Name, name, Type) \
    static int A_MPII_##Name##_get_attr(A_##Type object, int keyval, void *value, int *flag, int asked_by) \
    { \
        keyval = c_keyval(keyval); \
        if (asked_by == SET_BY_C) \
            return A_MPI_##Name##_get_attr(object, keyval, value, flag); \
        void *attribute = NULL; \
        int rc = name##_attribute(object, keyval, &attribute, flag); \
        if (likely(!rc) && *flag) \
            *(MPI_Aint *)value = value_in_fortran(keyval, attribute); \
        return rc; \
    } \
    static int A_MPII_##Name##_set_attr(A_##Type object, int keyval, void *value, int set_by) \
    { \
        if (set_by == SET_BY_C) \
            return A_MPI_##Name##_set_attr(object, keyval, value); \
        struct fortran_value *v = fortran_value((enum wi4go_setter)set_by, (MPI_Aint)value); \
        int rc = v ? A_MPI_##Name##_set_attr(object, c_keyval(keyval), v) : A_MPI_ERR_NO_MEM; \
        if (unlikely(rc)) \
            fortran_forget(v); \
        return rc; \
    }
FORTRAN_ATTRIBUTE(Comm, comm, MPI_Comm)
FORTRAN_ATTRIBUTE(Type, type, MPI_Datatype)
FORTRAN_ATTRIBUTE(Win, win, MPI_Win)
#endif

/* ---- for the C++ bindings ---- */

static struct wi4go_keyval *keyval_callbacks(int keyval)
{
    pthread_mutex_lock(&keyvals_mutex);
    struct keyval *k = *keyval_place((int)KEYVAL_a2r(keyval));
    pthread_mutex_unlock(&keyvals_mutex);
    return k ? &k->user : NULL;
}

static const struct wi4go_cxx cxx = {
    .keyval = keyval_callbacks,
#if A_CXX_OBJECTS
    .define_operation = define_operation,
    .create_errhandler = create_errhandler,
#endif
};
#endif
