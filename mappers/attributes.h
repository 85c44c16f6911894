/*
 * Keyvals and attributes (MPI-5.0, 7.7). A keyval that the program makes gets a
 * record with its callbacks; the record lives until the keyval is freed and
 * the last attribute under it is gone.
 */
#include "callbacks.h"
#include <pthread.h>

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

#define ATTRIBUTE_CALLBACKS(name, KIND, Type) \
    static int name##_copy(R_##Type object, int keyval, void *record, void *in, void *out, int *flag) \
    { \
        struct keyval *k = record; \
        int transient, rc; \
        *flag = 0; \
        if (!k->user.copy) \
            return 0; \
        A_##Type a = KIND##_r2a_callback(object, &transient); \
        rc = ((int (*)(A_##Type, int, void *, void *, void *, int *))k->user.copy)(a, (int)KEYVAL_r2a(keyval), k->user.extra, in, out, flag); \
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
            rc = ((int (*)(A_##Type, int, void *, void *))k->user.remove)(a, (int)KEYVAL_r2a(keyval), value, k->user.extra); \
            if (transient) \
                KIND##_drop(a); \
        } \
        if (!rc) \
            keyval_unhold(k); \
        return unlikely(rc) ? error_a2r(rc) : 0; \
    }

ATTRIBUTE_CALLBACKS(comm, COMM, MPI_Comm)
ATTRIBUTE_CALLBACKS(type, DATATYPE, MPI_Datatype)
ATTRIBUTE_CALLBACKS(win, WIN, MPI_Win)

#if A_IS_mpiabi
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

#define GET_ATTRIBUTE(call, r_object, key, value, flag) \
    int rc = call(r_object, (int)KEYVAL_a2r(key), value, flag); \
    if (unlikely(rc)) \
        return error_r2a(rc); \
    if (*(flag)) \
        switch (KEYVAL_standard(key)) { \
        case A_MPI_HOST: case A_MPI_IO: case A_MPI_LASTUSEDCODE: case A_MPI_WIN_CREATE_FLAVOR: case A_MPI_WIN_MODEL: \
            translate_attribute((int)KEYVAL_standard(key), value); \
        } \
    return 0

static int A_MPI_Comm_get_attr(A_MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag)
{
    GET_ATTRIBUTE(R_MPI_Comm_get_attr, COMM_a2r(comm), comm_keyval, attribute_val, flag);
}
static int A_MPI_Attr_get(A_MPI_Comm comm, int keyval, void *attribute_val, int *flag)
{
    GET_ATTRIBUTE(R_MPI_Comm_get_attr, COMM_a2r(comm), keyval, attribute_val, flag);
}
static int A_MPI_Win_get_attr(A_MPI_Win win, int win_keyval, void *attribute_val, int *flag)
{
    GET_ATTRIBUTE(R_MPI_Win_get_attr, WIN_a2r(win), win_keyval, attribute_val, flag);
}

/* ---- for the C++ bindings ---- */

static struct wi4go_keyval *keyval_callbacks(int keyval)
{
    pthread_mutex_lock(&keyvals_mutex);
    struct keyval *k = *keyval_place((int)KEYVAL_a2r(keyval));
    pthread_mutex_unlock(&keyvals_mutex);
    return k ? &k->user : NULL;
}

static const struct wi4go_cxx cxx = {
    .last = last_callback,
    .keyval = keyval_callbacks,
#if A_IS_openmpi
    .define_operation = define_operation,
    .create_errhandler = create_errhandler,
#endif
};
