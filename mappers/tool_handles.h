/*
 * MPI_T handles that are bound to an MPI object (MPI-5.0, 15.3.2). Only the binding of the
 * variable determines the kind of handle to which obj_handle points.
 *
 * Ownership: the runtime may keep the pointer to the object's handle, so the converted handle is
 * in a struct bound, which lives until the MPI_T handle is freed. Locking: bounds_mutex protects
 * the list of them.
 *
 * Gives: MPI_T_cvar_handle_alloc and its kind.
 * Needs: pair.h, errors.h, handles.h, request_handles.h.
 */
#ifndef WI4GO_TOOL_HANDLES_H
#define WI4GO_TOOL_HANDLES_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "request_handles.h"
#include <pthread.h>

/* A converted handle of an object to which an MPI_T handle is bound. */
struct bound {
    void *handle;            /* the MPI_T handle */
    union {
        R_MPI_Comm comm;
        R_MPI_Datatype datatype;
        R_MPI_Errhandler errhandler;
        R_MPI_File file;
        R_MPI_Group group;
        R_MPI_Info info;
        R_MPI_Message message;
        R_MPI_Op op;
        R_MPI_Request request;
        R_MPI_Win win;
    } object;
    struct bound *next;
};
static struct bound *bounds;
static pthread_mutex_t bounds_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Returns the pointer to pass as obj_handle. bind is the runtime's MPI_T_BIND_ constant. *b becomes
   the struct with the converted handle, which is not in the list yet, or NULL if nothing is
   converted. */
static void *bind_object(int bind, void *obj_handle, struct bound **b)
{
    *b = NULL;
    if (bind == R_MPI_T_BIND_NO_OBJECT || !obj_handle)
        return obj_handle;
    *b = calloc(1, sizeof **b);
    if (!*b)
        return obj_handle;
    switch (bind) {
    case R_MPI_T_BIND_MPI_COMM: (*b)->object.comm = COMM_a2r(*(A_MPI_Comm *)obj_handle); break;
    case R_MPI_T_BIND_MPI_DATATYPE: (*b)->object.datatype = DATATYPE_a2r(*(A_MPI_Datatype *)obj_handle); break;
    case R_MPI_T_BIND_MPI_ERRHANDLER: (*b)->object.errhandler = ERRHANDLER_a2r(*(A_MPI_Errhandler *)obj_handle); break;
    case R_MPI_T_BIND_MPI_FILE: (*b)->object.file = FILE_a2r(*(A_MPI_File *)obj_handle); break;
    case R_MPI_T_BIND_MPI_GROUP: (*b)->object.group = GROUP_a2r(*(A_MPI_Group *)obj_handle); break;
    case R_MPI_T_BIND_MPI_INFO: (*b)->object.info = INFO_a2r(*(A_MPI_Info *)obj_handle); break;
    case R_MPI_T_BIND_MPI_MESSAGE: (*b)->object.message = MESSAGE_a2r(*(A_MPI_Message *)obj_handle); break;
    case R_MPI_T_BIND_MPI_OP: (*b)->object.op = OP_a2r(*(A_MPI_Op *)obj_handle); break;
    case R_MPI_T_BIND_MPI_REQUEST: (*b)->object.request = REQUEST_a2r(*(A_MPI_Request *)obj_handle); break;
    case R_MPI_T_BIND_MPI_WIN: (*b)->object.win = WIN_a2r(*(A_MPI_Win *)obj_handle); break;
    }
    return &(*b)->object;
}

/* Enters a struct for a new MPI_T handle, or frees it if the call returned an error in rc. b may be
   NULL. Returns the program's error code. */
static int bound_enter(int rc, struct bound *b, void *handle)
{
    if (unlikely(rc)) {
        free(b);
        return error_r2a(rc);
    }
    if (b) {
        b->handle = handle;
        pthread_mutex_lock(&bounds_mutex);
        b->next = bounds;
        bounds = b;
        pthread_mutex_unlock(&bounds_mutex);
    }
    return 0;
}

/* Removes and frees the struct of an MPI_T handle, if there is one. */
static void unbind(void *handle)
{
    pthread_mutex_lock(&bounds_mutex);
    struct bound **p = &bounds;
    while (*p && (*p)->handle != handle)
        p = &(*p)->next;
    struct bound *b = *p;
    if (b)
        *p = b->next;
    pthread_mutex_unlock(&bounds_mutex);
    free(b);
}

/* Reports whether a variable has the index. number is the runtime's function that counts the
   variables. In the standard ABI, MPICH 5 crashes on a query with another index. */
static int has_variable(int (*number)(int *), int index)
{
    int n = 0;
    return !number(&n) && index >= 0 && index < n;
}
static int cvar_number(int *n) { return R_MPI_T_cvar_get_num(n); }
static int pvar_number(int *n) { return R_MPI_T_pvar_get_num(n); }

static int A_MPI_T_cvar_handle_alloc(int cvar_index, void *obj_handle, void **handle, int *count)
{
    char name[2], text[2];
    int name_len = sizeof name, text_len = sizeof text, verbosity, bind = R_MPI_T_BIND_NO_OBJECT, scope;
    R_MPI_Datatype datatype;
    void *set = NULL;
    struct bound *b;
    if (obj_handle && has_variable(cvar_number, cvar_index))
        R_MPI_T_cvar_get_info(cvar_index, name, &name_len, &verbosity, &datatype, &set, text, &text_len, &bind, &scope);
    void *object = bind_object(bind, obj_handle, &b);
    int rc = R_MPI_T_cvar_handle_alloc(cvar_index, object, handle, count);
    return bound_enter(rc, b, handle ? *handle : NULL);
}

static int A_MPI_T_cvar_handle_free(void **handle)
{
    void *old = handle ? *handle : NULL;
    int rc = R_MPI_T_cvar_handle_free(handle);
    if (unlikely(rc))
        return error_r2a(rc);
    unbind(old);
    return 0;
}

static int A_MPI_T_pvar_handle_alloc(void *session, int pvar_index, void *obj_handle, void **handle, int *count)
{
    char name[2], text[2];
    int name_len = sizeof name, text_len = sizeof text, verbosity, class, bind = R_MPI_T_BIND_NO_OBJECT, readonly, continuous, atomic;
    R_MPI_Datatype datatype;
    void *set = NULL;
    struct bound *b;
    if (obj_handle && has_variable(pvar_number, pvar_index))
        R_MPI_T_pvar_get_info(pvar_index, name, &name_len, &verbosity, &class, &datatype, &set, text, &text_len, &bind, &readonly, &continuous, &atomic);
    void *object = bind_object(bind, obj_handle, &b);
    int rc = R_MPI_T_pvar_handle_alloc(session, pvar_index, object, handle, count);
    return bound_enter(rc, b, handle ? *handle : NULL);
}

static int A_MPI_T_pvar_handle_free(void *session, void **handle)
{
    void *old = handle ? *handle : NULL;
    int rc = R_MPI_T_pvar_handle_free(session, handle);
    if (unlikely(rc))
        return error_r2a(rc);
    unbind(old);
    return 0;
}
#endif
