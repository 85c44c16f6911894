/*
 * Events of the tool interface (MPI-5.0, 15.3.8). The runtime calls functions of the front,
 * which convert the level of safety, because each family has its own numbers for it, and then
 * call the program's functions.
 *
 * Ownership: a struct event holds the program's functions of one registration. The first call
 * that registers a function creates it, and it lives until the runtime reports that the
 * registration is freed (call_free_handler). Locking: events_mutex protects the list of structs.
 *
 * Gives: MPI_T_event_register_callback and its kind.
 * Needs: pair.h, errors.h, handles.h, callbacks.h, thunk.h, tool_handles.h.
 */
#ifndef WI4GO_TOOL_EVENTS_H
#define WI4GO_TOOL_EVENTS_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "callbacks.h"
#include "thunk.h"
#include "tool_handles.h"

#ifdef A_MPI_T_CB_REQUIRE_NONE
#define SAFETY_LEVELS 4

/* The program's function for a level of safety. */
struct event_callback {
    void (*call)(void *, void *, int, void *);
    void *user_data;
};

/* The program's functions of a registration. */
struct event {
    void *registration;                                   /* the runtime's and the program's handle */
    struct event_callback callbacks[SAFETY_LEVELS];       /* indexed by safety_index */
    void (*dropped)(MPI_Count, void *, int, int, void *); /* called after events were dropped, if not NULL */
    void (*freed)(void *, int, void *);                   /* called when the registration is freed, if not NULL */
    void *freed_data;                                     /* the user data of freed */
    struct event *next;
};
static struct event *events;
static pthread_mutex_t events_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Returns the struct of a registration, which is created if there is none, or NULL if memory is
   exhausted. */
static struct event *event_find_or_create(void *registration)
{
    pthread_mutex_lock(&events_mutex);
    struct event *e = events;
    while (e && e->registration != registration)
        e = e->next;
    if (!e && (e = calloc(1, sizeof *e))) {
        e->registration = registration;
        e->next = events;
        events = e;
    }
    pthread_mutex_unlock(&events_mutex);
    return e;
}

/* Removes and frees the struct of a registration. */
static void event_free(struct event *e)
{
    pthread_mutex_lock(&events_mutex);
    struct event **p = &events;
    while (*p && *p != e)
        p = &(*p)->next;
    if (*p)
        *p = e->next;
    pthread_mutex_unlock(&events_mutex);
    free(e);
}

/* Calls the program's function for an event. The runtime's user data is a struct event_callback. */
static void call_event_callback(void *instance, void *registration, int safety, void *state)
{
    struct event_callback *c = state;
    OUTSIDE((c->call(instance, registration, (int)T_CB_SAFETY_r2a(safety), c->user_data), 0));
}

/* Calls the program's function for dropped events. The runtime's user data is the struct
   event_callback of the level. */
static void call_dropped_handler(MPI_Count count, void *registration, int source, int safety, void *state)
{
    struct event *e = event_find_or_create(registration);
    struct event_callback *c = state;
    if (e && e->dropped)
        OUTSIDE((e->dropped(count, registration, source, (int)T_CB_SAFETY_r2a(safety), c ? c->user_data : NULL), 0));
}

/* Ends a registration, then calls the program's function. The runtime's user data is the struct
   event. */
static void call_free_handler(void *registration, int safety, void *state)
{
    struct event *e = state;
    void (*call)(void *, int, void *) = e->freed;
    void *user_data = e->freed_data;
    event_free(e);
    unbind(registration);
    if (call)
        OUTSIDE((call(registration, (int)T_CB_SAFETY_r2a(safety), user_data), 0));
}

/* Returns the index of a program's level of safety, from 0 to SAFETY_LEVELS - 1. */
static int safety_index(int safety)
{
    switch (safety) {
    case A_MPI_T_CB_REQUIRE_NONE: return 0;
    case A_MPI_T_CB_REQUIRE_MPI_RESTRICTED: return 1;
    case A_MPI_T_CB_REQUIRE_THREAD_SAFE: return 2;
    default: return 3;
    }
}

static int A_MPI_T_event_register_callback(void *event_registration, int cb_safety, A_MPI_Info info, void *user_data, void *event_cb_function)
{
    struct event *e = event_find_or_create(event_registration);
    if (!e)
        return A_MPI_T_ERR_MEMORY;
    struct event_callback *c = &e->callbacks[safety_index(cb_safety)];
    *c = (struct event_callback){(void (*)(void *, void *, int, void *))event_cb_function, user_data};
    int rc = R_MPI_T_event_register_callback(event_registration, (int)T_CB_SAFETY_a2r(cb_safety), INFO_a2r(info), c,
                                                    event_cb_function ? (void *)call_event_callback : NULL);
    return unlikely(rc) ? error_r2a(rc) : 0;
}

static int A_MPI_T_event_set_dropped_handler(void *event_registration, void *dropped_cb_function)
{
    struct event *e = event_find_or_create(event_registration);
    if (!e)
        return A_MPI_T_ERR_MEMORY;
    e->dropped = (void (*)(MPI_Count, void *, int, int, void *))dropped_cb_function;
    int rc = R_MPI_T_event_set_dropped_handler(event_registration, dropped_cb_function ? (void *)call_dropped_handler : NULL);
    return unlikely(rc) ? error_r2a(rc) : 0;
}

static int A_MPI_T_event_handle_free(void *event_registration, void *user_data, void *free_cb_function)
{
    struct event *e = event_find_or_create(event_registration);
    if (!e)
        return A_MPI_T_ERR_MEMORY;
    e->freed = (void (*)(void *, int, void *))free_cb_function;
    e->freed_data = user_data;
    int rc = R_MPI_T_event_handle_free(event_registration, e, (void *)call_free_handler);
    return unlikely(rc) ? error_r2a(rc) : 0;
}

/* Allocates a registration. The runtime may keep the pointer to the object, so the converted
   handle lives as long as the registration (tool_handles.h). */
static int A_MPI_T_event_handle_alloc(int event_index, void *obj_handle, A_MPI_Info info, void **event_registration)
{
    int bind = R_MPI_T_BIND_NO_OBJECT;
    struct bound *b;
    R_MPI_T_event_get_info(event_index, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &bind);
    void *object = bind_object(bind, obj_handle, &b);
    int rc = R_MPI_T_event_handle_alloc(event_index, object, INFO_a2r(info), event_registration);
    return bound_enter(rc, b, event_registration ? *event_registration : NULL);
}

static int A_MPI_T_event_get_info(int event_index, char *name, int *name_len, int *verbosity, A_MPI_Datatype *array_of_datatypes,
                                  MPI_Aint *array_of_displacements, int *num_elements, void **enumtype, A_MPI_Info *info, char *desc,
                                  int *desc_len, int *bind)
{
    size_t room = array_of_datatypes && num_elements && *num_elements > 0 ? (size_t)*num_elements : 0;
    R_MPI_Datatype *r = wi4go_scratch_alloc(room * sizeof *r);
    R_MPI_Info r_info = R_MPI_INFO_NULL;
    memset(r, 0, room * sizeof *r); /* MPICH 5 in the standard ABI converts all of them, even those it has not set */
    int rc = R_MPI_T_event_get_info(event_index, name, name_len, verbosity, array_of_datatypes ? r : NULL, array_of_displacements,
                                           num_elements, enumtype, info ? &r_info : NULL, desc, desc_len, bind);
    if (likely(!rc)) {
        for (size_t i = 0; i < room && i < (size_t)*num_elements; i++)
            array_of_datatypes[i] = DATATYPE_r2a(r[i]);
        if (verbosity)
            *verbosity = (int)T_VERBOSITY_r2a(*verbosity);
        if (bind)
            *bind = (int)T_BIND_r2a(*bind);
        if (info)
            *info = INFO_r2a(r_info);
    }
    wi4go_scratch_free(r, room * sizeof *r);
    return likely(!rc) ? 0 : error_r2a(rc);
}
#endif
#endif
