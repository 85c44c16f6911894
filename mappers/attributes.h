/*
 * Keyvals and attributes (MPI-5.0, 7.7).
 *
 * Ownership: each keyval that the program creates owns a struct keyval with the program's
 * callbacks. The runtime gets the front's callbacks and the struct as their extra state. The
 * struct counts references: one for the keyval until the program frees it, and one for each
 * attribute under it. Without references it is unused, and serves for another keyval later. A
 * keyval whose callbacks do nothing is plain if the runtime knows such callbacks as null pointers:
 * the runtime gets those, its attributes are not counted, and its struct stays in the table until
 * the runtime gives its number to another keyval. An integer that Fortran sets as an attribute is in a struct fortran_value, which lives as long as
 * the attribute.
 *
 * Locking: keyvals_mutex protects the tables of both, and the end of a last reference. To find a
 * keyval and to count references takes no lock: a struct keeps its memory, and a reference to it is
 * taken before its number is compared. A search that meets a change of the table finds nothing,
 * and is repeated with the lock.
 *
 * Gives: keyvals of the program: MPI_Comm_create_keyval, MPI_Comm_get_attr and theirs;
 * struct wi4go_keyval.
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

/* A keyval that the program created, or an unused struct. */
struct keyval {
    int r_keyval;             /* the runtime's keyval, by which the table is hashed */
    int references;           /* one for the keyval until it is freed, one for each attribute; 0 in an unused entry */
    int freed;                /* 1 once the program has freed the keyval, or another uses a plain one's number */
    int plain;                /* 1 if the runtime has null pointers for the callbacks */
    struct wi4go_keyval user; /* the program's callbacks and extra state */
    struct keyval *next;      /* in the same bucket, or the next unused struct */
};

#define KEYVAL_BUCKETS 64
static struct keyval *keyvals[KEYVAL_BUCKETS];
static struct keyval *unused_keyvals;
static pthread_mutex_t keyvals_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Returns the bucket of the runtime's keyval. */
static inline struct keyval **keyval_bucket(int r_keyval) { return &keyvals[(unsigned)r_keyval % KEYVAL_BUCKETS]; }

/* Returns the struct that contains the runtime's keyval, or NULL. Without keyvals_mutex, the struct may
   be another keyval's by now, and NULL may be wrong. */
static inline struct keyval *keyval_find(int r_keyval)
{
    struct keyval *k = __atomic_load_n(keyval_bucket(r_keyval), __ATOMIC_ACQUIRE);
    while (k && unlikely(__atomic_load_n(&k->r_keyval, __ATOMIC_RELAXED) != r_keyval))
        k = __atomic_load_n(&k->next, __ATOMIC_ACQUIRE);
    return k;
}

/* Gives a reference back. After the last one, the struct leaves the table, and the memory to free is
   returned. The caller holds keyvals_mutex. */
static void *keyval_put(struct keyval *k)
{
    if (__atomic_sub_fetch(&k->references, 1, __ATOMIC_ACQ_REL))
        return NULL;
    struct keyval **p = keyval_bucket(k->r_keyval);
    while (*p != k)
        p = &(*p)->next;
    __atomic_store_n(p, k->next, __ATOMIC_RELEASE);
    __atomic_store_n(&k->next, unused_keyvals, __ATOMIC_RELEASE);
    unused_keyvals = k;
    return k->user.memory;
}

/* Gives the last reference back, unless another thread has taken one in the meantime. */
static __attribute__((noinline)) void keyval_release_last(struct keyval *k)
{
    pthread_mutex_lock(&keyvals_mutex);
    void *memory = keyval_put(k);
    pthread_mutex_unlock(&keyvals_mutex);
    free(memory);
}

/* Gives a reference back. k may be NULL. */
static inline void keyval_release(struct keyval *k)
{
    if (!k)
        return;
    int n = __atomic_load_n(&k->references, __ATOMIC_RELAXED);
    while (likely(n > 1))
        if (likely(__atomic_compare_exchange_n(&k->references, &n, n - 1, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)))
            return;
    keyval_release_last(k);
}

/* Takes a reference to a struct, unless it is unused. Returns 1 if it has. */
static inline int keyval_take(struct keyval *k)
{
    int n = __atomic_load_n(&k->references, __ATOMIC_RELAXED);
    while (likely(n))
        if (likely(__atomic_compare_exchange_n(&k->references, &n, n + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)))
            return 1;
    return 0;
}

/* Does the work of keyval_retain with the lock. */
static __attribute__((noinline)) struct keyval *keyval_retain_locked(int r_keyval)
{
    pthread_mutex_lock(&keyvals_mutex);
    struct keyval *k = keyval_find(r_keyval);
    if (k && !keyval_take(k))
        k = NULL;
    pthread_mutex_unlock(&keyvals_mutex);
    return k;
}

/* Takes a reference to the struct of the runtime's keyval and returns it, or returns NULL if
   the program did not create the keyval. */
static inline struct keyval *keyval_retain(int r_keyval)
{
    struct keyval *k = keyval_find(r_keyval);
    if (likely(k && keyval_take(k))) {
        if (likely(__atomic_load_n(&k->r_keyval, __ATOMIC_RELAXED) == r_keyval))
            return k;
        keyval_release(k);
    }
    return keyval_retain_locked(r_keyval);
}

/* Reports whether the runtime's keyval is plain. It takes no reference: the keyval lives during the
   program's call, and its struct at least as long. */
static inline int is_plain_keyval(int r_keyval)
{
    struct keyval *k = R_NULL_FUNCTIONS_ARE_0 ? keyval_find(r_keyval) : NULL;
    return k && __atomic_load_n(&k->references, __ATOMIC_ACQUIRE) && __atomic_load_n(&k->plain, __ATOMIC_RELAXED) &&
           __atomic_load_n(&k->r_keyval, __ATOMIC_RELAXED) == r_keyval;
}

/* Returns an unused struct, which is not in the table, or NULL if memory is exhausted. */
static struct keyval *keyval_new(void)
{
    pthread_mutex_lock(&keyvals_mutex);
    struct keyval *k = unused_keyvals;
    if (k)
        unused_keyvals = k->next;
    pthread_mutex_unlock(&keyvals_mutex);
    return k ? k : calloc(1, sizeof *k);
}

/* Enters a struct as the runtime's keyval, with one reference. A plain keyval that had the same number
   has ended. */
static void keyval_enter(struct keyval *k, int r_keyval)
{
    void *memory = NULL;
    pthread_mutex_lock(&keyvals_mutex);
    struct keyval **bucket = keyval_bucket(r_keyval), *old = *bucket;
    while (old && !(old->r_keyval == r_keyval && old->plain && !old->freed))
        old = old->next;
    if (old) {
        old->freed = 1;
        memory = keyval_put(old);
    }
    __atomic_store_n(&k->r_keyval, r_keyval, __ATOMIC_RELAXED);
    __atomic_store_n(&k->next, *bucket, __ATOMIC_RELAXED);
    __atomic_store_n(&k->references, 1, __ATOMIC_RELEASE); /* from now on it can be found */
    __atomic_store_n(bucket, k, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&keyvals_mutex);
    free(memory);
}

/* Takes back a struct that keyval_new has returned. */
static void keyval_discard(struct keyval *k)
{
    pthread_mutex_lock(&keyvals_mutex);
    __atomic_store_n(&k->next, unused_keyvals, __ATOMIC_RELEASE);
    unused_keyvals = k;
    pthread_mutex_unlock(&keyvals_mutex);
}

/*
 * An attribute that Fortran set (MPI-5.0, 19.3.7). The runtime stores the address of this
 * struct. C reads the address of `value` instead. No struct begins there, so a program in C
 * that sets the address it has read is not mistaken for Fortran: an attribute was set by
 * Fortran if and only if it is the address of a struct in the table.
 */
struct fortran_value {
    enum wi4go_setter set_by;   /* the Fortran call that set it */
    MPI_Aint value;             /* Fortran's integer */
    struct fortran_value *next; /* in the same bucket */
    struct fortran_value *next_kept; /* in the same bucket of kept_values */
};
#define FORTRAN_VALUES 256
static struct fortran_value *fortran_values[FORTRAN_VALUES];
static int fortran_has_set; /* 1 once Fortran has set an attribute; until then look-ups skip the lock */

/* Returns the link to the struct at an attribute's address, or the link that ends its bucket.
   The caller holds keyvals_mutex. */
static struct fortran_value **fortran_value_link(const void *attribute)
{
    struct fortran_value **p = &fortran_values[(uintptr_t)attribute / 32 % FORTRAN_VALUES];
    while (*p && *p != attribute)
        p = &(*p)->next;
    return p;
}

/* Returns the struct of an attribute that Fortran set, or NULL if C set it. Only a family whose
   Fortran library sets attributes by functions of their own has such structs. */
static inline struct fortran_value *set_by_fortran(const void *attribute)
{
    if (!A_LANGUAGE_HOOKS || likely(!__atomic_load_n(&fortran_has_set, __ATOMIC_ACQUIRE)))
        return NULL;
    pthread_mutex_lock(&keyvals_mutex);
    struct fortran_value *v = *fortran_value_link(attribute);
    pthread_mutex_unlock(&keyvals_mutex);
    return v;
}

/* Returns the value that a C function gets for the attribute. */
static inline void *c_value(void *attribute)
{
    struct fortran_value *v = set_by_fortran(attribute);
    return unlikely(v != NULL) ? &v->value : attribute;
}

#if A_LANGUAGE_HOOKS
/* Creates and enters the struct of an attribute that Fortran sets. Returns NULL if memory is
   exhausted. */
static struct fortran_value *fortran_value_new(enum wi4go_setter set_by, MPI_Aint value)
{
    struct fortran_value *v = malloc(sizeof *v);
    if (!v)
        return NULL;
    pthread_mutex_lock(&keyvals_mutex);
    struct fortran_value **p = fortran_value_link(v);
    *v = (struct fortran_value){.set_by = set_by, .value = value};
    *p = v;
    __atomic_store_n(&fortran_has_set, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&keyvals_mutex);
    return v;
}

/* Returns the struct of an attribute that Fortran sets under a plain keyval, or NULL if memory is
   exhausted. The end of such an attribute goes unnoticed, so the struct is never freed, and serves for
   every attribute with the value. */
#define KEPT_VALUES 64
static struct fortran_value *kept_values[KEPT_VALUES];
static struct fortran_value *fortran_value_kept(enum wi4go_setter set_by, MPI_Aint value)
{
    struct fortran_value **bucket = &kept_values[(uintptr_t)value % KEPT_VALUES];
    pthread_mutex_lock(&keyvals_mutex);
    struct fortran_value *v = *bucket;
    while (v && !(v->set_by == set_by && v->value == value))
        v = v->next_kept;
    pthread_mutex_unlock(&keyvals_mutex);
    if (v || !(v = fortran_value_new(set_by, value)))
        return v;
    pthread_mutex_lock(&keyvals_mutex);
    v->next_kept = *bucket;
    *bucket = v;
    pthread_mutex_unlock(&keyvals_mutex);
    return v;
}
#endif

/* Removes and frees the struct of an attribute that has ended. v may be NULL. */
static void fortran_value_free(struct fortran_value *v)
{
    if (likely(!v))
        return;
    pthread_mutex_lock(&keyvals_mutex);
    *fortran_value_link(v) = v->next;
    pthread_mutex_unlock(&keyvals_mutex);
    free(v);
}

/*
 * Calls of the program's copy and delete functions. A C function gets the address of a value
 * that Fortran set, and the value it returns counts as set by C. MPI_COMM_DUP_FN and similar
 * functions return a value of the language that set the attribute. So do functions that are called
 * through a proxy of MPICH's C++ or Fortran library.
 */
#if A_LANGUAGE_HOOKS
/* Copies a value that Fortran set, in place of MPI_COMM_DUP_FN and similar functions. */
static int dup_integer(void *function, int object, int keyval, void *extra, int set_by, void *in, void **out, int *flag)
{
    (void)function, (void)object, (void)keyval, (void)extra, (void)set_by;
    *out = in;
    *flag = 1;
    return 0;
}
#endif

/* Calls the program's copy function and writes the new attribute to *(void **)out. If Fortran
   set the old one and a proxy copies it, the new one is a new struct fortran_value. object and
   keyval are the program's. Returns the program's error code. */
static int call_copy(const struct wi4go_keyval *user, int64_t object, int keyval, void *in, void *out, int *flag)
{
#if A_LANGUAGE_HOOKS
    struct fortran_value *v = set_by_fortran(in);
    wi4go_copy_proxy *proxy = v && user->copy == (void *)MPIR_Dup_fn ? dup_integer : user->copy_proxy;
    if (proxy) {
        void *copy = NULL;
        int rc = proxy(user->copy, (int)object, keyval, user->extra, v ? v->set_by : SET_BY_C, v ? (void *)v->value : in, &copy, flag);
        if (!rc && *flag && v && !(copy = fortran_value_new(v->set_by, (MPI_Aint)copy)))
            return A_MPI_ERR_NO_MEM;
        *(void **)out = copy;
        return rc;
    }
#endif
    return ((int (*)(A_MPI_Comm, int, void *, void *, void *, int *))user->copy)((A_MPI_Comm)object, keyval, user->extra, c_value(in), out, flag);
}

/* Calls the program's delete function. object and keyval are the program's. Returns the
   program's error code. */
static int call_delete(const struct wi4go_keyval *user, int64_t object, int keyval, void *value)
{
#if A_LANGUAGE_HOOKS
    struct fortran_value *v = set_by_fortran(value);
    if (user->delete_proxy)
        return user->delete_proxy(user->remove, (int)object, keyval, v ? v->set_by : SET_BY_C, v ? (void *)v->value : value, user->extra);
#endif
    return ((int (*)(A_MPI_Comm, int, void *, void *))user->remove)((A_MPI_Comm)object, keyval, c_value(value), user->extra);
}

/* Defines the copy and delete functions that the runtime calls, with the struct keyval as extra
   state. They convert the handle, the keyval and the error code. A copied attribute takes a
   reference to the keyval, a deleted one gives its reference back. */
#define ATTRIBUTE_CALLBACKS(name, KIND, Type) \
    static int name##_copy(R_##Type object, int keyval, void *state, void *in, void *out, int *flag) \
    { \
        struct keyval *k = state; \
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
    static int name##_delete(R_##Type object, int keyval, void *value, void *state) \
    { \
        struct keyval *k = state; \
        int transient, rc = 0; \
        if (k->user.remove) { \
            A_##Type a = KIND##_r2a_callback(object, &transient); \
            rc = OUTSIDE(call_delete(&k->user, (int64_t)a, (int)KEYVAL_r2a(keyval), value)); \
            if (transient) \
                KIND##_drop(a); \
        } \
        if (!rc) { \
            fortran_value_free(set_by_fortran(value)); \
            keyval_release(k); \
        } \
        return unlikely(rc) ? error_a2r(rc) : 0; \
    }

ATTRIBUTE_CALLBACKS(comm, COMM, MPI_Comm)
ATTRIBUTE_CALLBACKS(type, DATATYPE, MPI_Datatype)
ATTRIBUTE_CALLBACKS(win, WIN, MPI_Win)

#if A_DUP_FN_IS_VALUE
/* Copies the attribute. In the standard ABI MPI_COMM_DUP_FN and similar functions are the number 1, not a
   function (MPI-5.0, 20.3.8). */
static int dup_value(int64_t object, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)object, (void)keyval, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return 0;
}
/* The function to call for the program's copy function. */
#define COPY_FUNCTION(copy) ((copy) == (void *)1 ? (void *)dup_value : (copy))
#else
#define COPY_FUNCTION(copy) (copy)
#endif

/* The front's functions for MPI_COMM_NULL_COPY_FN and similar callbacks, if those are functions. */
#define DECLARE_COPY(name) int name(void *object, int keyval, void *extra, void *in, void *out, int *flag);
#define DECLARE_DELETE(name) int name(void *object, int keyval, void *value, void *extra);
A_NULL_COPY_FUNCTIONS(DECLARE_COPY)
A_NULL_DELETE_FUNCTIONS(DECLARE_DELETE)

/* Returns the function to call for a callback of the program, or NULL if that does nothing. */
static void *callback_or_null(void *function)
{
#define IS_NULL_FUNCTION(name) if (function == (void *)name) return NULL;
    A_NULL_COPY_FUNCTIONS(IS_NULL_FUNCTION)
    A_NULL_DELETE_FUNCTIONS(IS_NULL_FUNCTION)
    return function;
}

/* Creates a keyval and enters its struct. create is the runtime's function; copier and deleter
   are the front's callbacks; copy, remove and extra are the program's. A null keyval is passed
   on for the runtime to refuse. Returns the program's error code. */
static int create_keyval(int (*create)(void *, void *, int *, void *), void *copier, void *deleter,
                         void *copy, void *remove, int *keyval, void *extra)
{
    struct keyval *k = keyval_new();
    if (!k)
        return A_MPI_ERR_NO_MEM;
    int r_keyval = 0;
    k->freed = 0;
    k->user = (struct wi4go_keyval){.copy = callback_or_null(COPY_FUNCTION(copy)), .remove = callback_or_null(remove), .extra = extra};
    const int plain = R_NULL_FUNCTIONS_ARE_0 && !k->user.copy && !k->user.remove;
    __atomic_store_n(&k->plain, plain, __ATOMIC_RELAXED);
    int rc = create(plain ? NULL : copier, plain ? NULL : deleter, keyval ? &r_keyval : NULL, k);
    if (unlikely(rc)) {
        keyval_discard(k);
        return error_r2a(rc);
    }
    keyval_enter(k, r_keyval);
    *keyval = (int)KEYVAL_r2a(r_keyval);
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

/* Frees a keyval by the runtime's function. The callback that deletes the last attribute may
   free the keyval a second time, so `freed` ensures that the keyval's own reference is given
   back only once. Returns the program's error code. */
static int free_keyval(int (*release)(int *), int *keyval)
{
    if (unlikely(!keyval))
        return error_r2a(release(NULL));
    int r_keyval = (int)KEYVAL_a2r(*keyval);
    struct keyval *k = keyval_retain(r_keyval);
    int rc = release(&r_keyval);
    if (likely(!rc && k) && !k->plain && !__atomic_exchange_n(&k->freed, 1, __ATOMIC_RELAXED))
        keyval_release(k);
    keyval_release(k);
    if (unlikely(rc))
        return error_r2a(rc);
    *keyval = A_MPI_KEYVAL_INVALID;
    return 0;
}

static int A_MPI_Comm_free_keyval(int *comm_keyval) { return free_keyval(R_MPI_Comm_free_keyval, comm_keyval); }
static int A_MPI_Keyval_free(int *keyval) { return free_keyval(R_MPI_Comm_free_keyval, keyval); }
static int A_MPI_Type_free_keyval(int *type_keyval) { return free_keyval(R_MPI_Type_free_keyval, type_keyval); }
static int A_MPI_Win_free_keyval(int *win_keyval) { return free_keyval(R_MPI_Win_free_keyval, win_keyval); }

/* Sets an attribute by the runtime's function. The reference taken here becomes the
   attribute's, or is given back if the call fails. A keyval without a struct is either
   predefined, with another number on the runtime's side, or already freed. A freed one is
   passed as MPI_KEYVAL_INVALID, because MPICH may still have its object, with a pointer to the
   struct that was freed. A plain keyval needs none of this. */
#define SET_ATTRIBUTE(call, r_object, key, value) \
    int r_keyval = (int)KEYVAL_a2r(key); \
    if (likely(is_plain_keyval(r_keyval))) { \
        int failed = call(r_object, r_keyval, value); \
        return likely(!failed) ? 0 : error_r2a(failed); \
    } \
    struct keyval *k = keyval_retain(r_keyval); \
    int rc = call(r_object, likely(k != NULL) || r_keyval != key ? r_keyval : R_MPI_KEYVAL_INVALID, value); \
    if (likely(!rc)) \
        return 0; \
    keyval_release(k); \
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

/* Returns the address of an int with the value, which never changes and is never freed. The
   attribute under a predefined keyval is a pointer to a rank or a constant (MPI-5.0, 9.1.2 and
   12.2.6), and the program needs a pointer to its own. No lock is needed, because an element
   is only ever written with the value that it already holds. */
static int *constant_at(int value)
{
    static int values[64]; /* indexed by value + 32 */
    static const int offset = 32;
    int *p = &values[(value + offset) & 63];
    *p = value;
    return p;
}

/* The family's own number of a program's keyval, which may be a draft's. */
#ifndef KEYVAL_standard
#define KEYVAL_standard(key) (key) /* neither side uses a draft */
#define KEYVAL_standard_a2r KEYVAL_a2r
#endif

/* Makes *value, which points to the runtime's rank or constant, point to the program's. keyval
   is the program's, by its family's own number. */
static __attribute__((noinline)) void translate_attribute(int keyval, int **value)
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

/* Reports whether the value under a predefined keyval, by its family's own number, is converted. */
static inline int is_converted(int standard)
{
    switch (standard) {
    case A_MPI_HOST: case A_MPI_IO: case A_MPI_LASTUSEDCODE: case A_MPI_WIN_CREATE_FLAVOR: case A_MPI_WIN_MODEL:
        return 1;
    }
    return 0;
}

/* Reports whether a keyval has the same number on both sides, as those that programs create. */
#ifdef KEYVAL_a2r_usual
#define IS_USUAL(keyval) likely(KEYVAL_a2r_usual(keyval))
#else
#define IS_USUAL(keyval) 0 /* a pair of one family converts values under keyvals that are the same */
#endif

/* Answers that the communicator lacks an attribute under a predefined keyval that the runtime's
   family lacks, as Open MPI's MPI_FT is elsewhere. Returns the program's error code, which reports
   an invalid communicator. */
static __attribute__((noinline)) int lacked_attribute(A_MPI_Comm comm, int *flag)
{
    int inter, rc = R_MPI_Comm_test_inter(COMM_a2r(comm), &inter);
    *flag = 0;
    return unlikely(rc) ? error_r2a(rc) : 0;
}

/* Does the work of name##_predefined for a value that needs conversion, or a handle that is not
   found by the first look-up. standard is the program's keyval by its family's own number, and
   r_keyval the runtime's. */
#define CONVERTED_ATTRIBUTE(name, Name, KIND, Type) \
    static __attribute__((noinline)) int name##_converted(A_##Type object, int r_keyval, void *attribute, int *flag, int standard) \
    { \
        int rc = R_MPI_##Name##_get_attr(KIND##_a2r(object), r_keyval, attribute, flag); \
        if (unlikely(rc)) \
            return error_r2a(rc); \
        if ((r_keyval != standard || SAME_FAMILY) && is_converted(standard) && *flag) \
            translate_attribute(standard, attribute); \
        return 0; \
    }
CONVERTED_ATTRIBUTE(comm, Comm, COMM, MPI_Comm)
CONVERTED_ATTRIBUTE(win, Win, WIN, MPI_Win)

/* Reads an attribute by the runtime's function if neither its value nor the handle needs more than one
   look-up, so that no register has to survive a call. */
#if A_HANDLE_BITS == 32
#define NEEDS_MORE(KIND, object) unlikely(!KIND##_hit_in(tables_address(), object))
#define FOUND(KIND, object) KIND##_at_in(tables_address(), object)
#else
#define NEEDS_MORE(KIND, object) 0
#define FOUND(KIND, object) KIND##_a2r(object)
#endif
#define GET_PREDEFINED(name, Name, KIND, object, attribute, flag) \
    if (is_converted(standard) || NEEDS_MORE(KIND, object)) \
        return name##_converted(object, r_keyval, attribute, flag, standard); \
    int rc = R_MPI_##Name##_get_attr(FOUND(KIND, object), r_keyval, attribute, flag); \
    return unlikely(rc) ? error_r2a(rc) : 0

/* These three functions read an attribute under a keyval that may be predefined. They return the
   program's error code. Datatypes have no predefined keyvals. */
static __attribute__((noinline)) int comm_predefined(A_MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    const int standard = (int)KEYVAL_standard(keyval), r_keyval = (int)KEYVAL_standard_a2r(standard);
    if (unlikely(r_keyval == R_MPI_KEYVAL_INVALID) && keyval != A_MPI_KEYVAL_INVALID && flag)
        return lacked_attribute(comm, flag);
    GET_PREDEFINED(comm, Comm, COMM, comm, attribute, flag);
}
static __attribute__((noinline)) int type_predefined(A_MPI_Datatype datatype, int keyval, void *attribute, int *flag)
{
    int rc = R_MPI_Type_get_attr(DATATYPE_a2r(datatype), (int)KEYVAL_a2r(keyval), attribute, flag);
    return unlikely(rc) ? error_r2a(rc) : 0;
}
static __attribute__((noinline)) int win_predefined(A_MPI_Win win, int keyval, void *attribute, int *flag)
{
    const int standard = (int)KEYVAL_standard(keyval), r_keyval = (int)KEYVAL_standard_a2r(standard);
    GET_PREDEFINED(win, Win, WIN, win, attribute, flag);
}

/* Defines a function that reads an attribute as the runtime stores it, whatever the keyval. */
#define ATTRIBUTE(name, Name, KIND, Type) \
    static inline int name##_attribute(A_##Type object, int keyval, void *attribute, int *flag) \
    { \
        if (!IS_USUAL(keyval)) \
            return name##_predefined(object, keyval, attribute, flag); \
        int rc = R_MPI_##Name##_get_attr(KIND##_a2r(object), keyval, attribute, flag); \
        return unlikely(rc) ? error_r2a(rc) : 0; \
    }
ATTRIBUTE(comm, Comm, COMM, MPI_Comm)
ATTRIBUTE(type, Type, DATATYPE, MPI_Datatype)
ATTRIBUTE(win, Win, WIN, MPI_Win)

/* Defines a function that reads an attribute under a usual keyval for C, which gets the address of a
   value that Fortran set. It is a function of its own, so that a predefined keyval saves no
   registers for it. */
#if A_LANGUAGE_HOOKS
#define APART __attribute__((noinline))
#else
#define APART inline
#endif
#define USUAL_ATTRIBUTE(name, Name, KIND, Type) \
    static APART int name##_usual(A_##Type object, int keyval, void *attribute, int *flag) \
    { \
        int rc = R_MPI_##Name##_get_attr(KIND##_a2r(object), keyval, attribute, flag); \
        if (unlikely(rc)) \
            return error_r2a(rc); \
        if (A_LANGUAGE_HOOKS && *flag) \
            *(void **)attribute = c_value(*(void **)attribute); \
        return 0; \
    }
USUAL_ATTRIBUTE(comm, Comm, COMM, MPI_Comm)
USUAL_ATTRIBUTE(type, Type, DATATYPE, MPI_Datatype)
USUAL_ATTRIBUTE(win, Win, WIN, MPI_Win)
#undef APART

/* Reads an attribute for C. Fortran sets none under a predefined keyval. */
#define READ_ATTRIBUTE(name, object, keyval, value, flag) \
    if (!SAME_FAMILY) \
        return IS_USUAL(keyval) ? name##_usual(object, keyval, value, flag) : name##_predefined(object, keyval, value, flag); \
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

/* Returns the C number of a Fortran keyval. MPICH's predefined keyvals are odd in C, and one
   more in Fortran. Others are the same in both. */
static int keyval_from_fortran(int keyval)
{
    const int predefined = ((unsigned)keyval & 0xc0000000) == 0x40000000;
    return predefined ? keyval - !(keyval & 1) : keyval;
}

/* Returns the integer that Fortran reads for an attribute: the integer that Fortran set, the
   int or the size that a predefined attribute points to, the window's base, or the pointer that
   C set. keyval is C's. */
static MPI_Aint value_in_fortran(int keyval, void *attribute)
{
    const struct fortran_value *v = set_by_fortran(attribute);
    if (v)
        return v->value;
    if (keyval == A_MPI_WIN_SIZE)
        return *(MPI_Aint *)attribute;
    return keyval == keyval_from_fortran(keyval + 1) && keyval != A_MPI_WIN_BASE ? *(int *)attribute : (MPI_Aint)attribute;
}

/* Defines the functions by which MPICH's Fortran library reads and sets attributes. read_by
   and set_by are an enum wi4go_setter. The Fortran library itself narrows the value for a
   default INTEGER. */
#define FORTRAN_ATTRIBUTE(Name, name, Type) \
    static int A_MPII_##Name##_get_attr(A_##Type object, int keyval, void *value, int *flag, int read_by) \
    { \
        keyval = keyval_from_fortran(keyval); \
        if (read_by == SET_BY_C) \
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
        keyval = keyval_from_fortran(keyval); \
        const int plain = is_plain_keyval((int)KEYVAL_a2r(keyval)); \
        struct fortran_value *v = (plain ? fortran_value_kept : fortran_value_new)((enum wi4go_setter)set_by, (MPI_Aint)value); \
        int rc = v ? A_MPI_##Name##_set_attr(object, keyval, v) : A_MPI_ERR_NO_MEM; \
        if (unlikely(rc) && !plain) \
            fortran_value_free(v); \
        return rc; \
    }
FORTRAN_ATTRIBUTE(Comm, comm, MPI_Comm)
FORTRAN_ATTRIBUTE(Type, type, MPI_Datatype)
FORTRAN_ATTRIBUTE(Win, win, MPI_Win)
#endif

/* ---- for the C++ bindings ---- */

/* Returns the callbacks of the program's keyval, which the C++ library may alter, or NULL if
   the program did not create the keyval. */
static struct wi4go_keyval *keyval_callbacks(int keyval)
{
    pthread_mutex_lock(&keyvals_mutex);
    struct keyval *k = keyval_find((int)KEYVAL_a2r(keyval));
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
