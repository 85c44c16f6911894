/*
 * Names of objects (MPI-5.0, 7.8). The program may set a name that is longer than the runtime
 * keeps. The whole name is then an attribute of the object, under a keyval of the front's that
 * is created when it is first needed. The attribute owns the string: its delete callback frees
 * it, and a duplicate of the object does not get it.
 *
 * Gives: MPI_Comm_get_name, MPI_Comm_set_name and the same functions for the other kinds.
 * Needs: pair.h, errors.h, handles.h, cut_string.h.
 */
#ifndef WI4GO_OBJECT_NAMES_H
#define WI4GO_OBJECT_NAMES_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "cut_string.h"
#include <pthread.h>

/* Returns the name of a predefined datatype for which the runtime uses a similar one, as long as
   the name of that one is unchanged; otherwise NULL. name is the runtime's name. */
static const char *Type_predefined_name(A_MPI_Datatype datatype, const char *name)
{
    for (const struct similar_datatype *t = similar_datatypes; t->name; t++)
        if ((int64_t)datatype == (t->storage ? (int64_t)(intptr_t)t->storage : t->value) && !strcmp(t->of, name))
            return t->name;
    return NULL;
}
#define Comm_predefined_name(object, name) NULL
#define Win_predefined_name(object, name) NULL

/* Defines the functions that set and get the name of a kind of object. */
#define NAMES(Name, KIND) \
    static int Name##_name_keyval = R_MPI_KEYVAL_INVALID; \
    static int Name##_name_copy(R_MPI_##Name object, int keyval, void *extra, void *in, void *out, int *flag) \
    { \
        (void)object, (void)keyval, (void)extra, (void)in, (void)out; \
        *flag = 0; \
        return 0; \
    } \
    static int Name##_name_delete(R_MPI_##Name object, int keyval, void *name, void *extra) \
    { \
        (void)object, (void)keyval, (void)extra; \
        free(name); \
        return 0; \
    } \
    static void Name##_name_begin(void) \
    { \
        R_MPI_##Name##_create_keyval((void *)Name##_name_copy, (void *)Name##_name_delete, &Name##_name_keyval, NULL); \
    } \
    /* Returns the whole name if the runtime has cut it, otherwise NULL. */ \
    static char *Name##_name(R_MPI_##Name object) \
    { \
        char *whole = NULL; \
        int found = 0; \
        if (Name##_name_keyval == R_MPI_KEYVAL_INVALID || R_MPI_##Name##_get_attr(object, Name##_name_keyval, &whole, &found)) \
            return NULL; \
        return found ? whole : NULL; \
    } \
    static int A_MPI_##Name##_set_name(A_MPI_##Name object, const char *name) \
    { \
        static pthread_once_t once = PTHREAD_ONCE_INIT; \
        R_MPI_##Name r_object = KIND##_a2r(object); \
        int rc = R_MPI_##Name##_set_name(r_object, name); \
        if (unlikely(rc)) \
            return error_r2a(rc); \
        if (A_MPI_MAX_OBJECT_NAME > R_MPI_MAX_OBJECT_NAME && strlen(name) >= R_MPI_MAX_OBJECT_NAME) { \
            pthread_once(&once, Name##_name_begin); \
            char *whole = strndup(name, A_MPI_MAX_OBJECT_NAME - 1); \
            if (!whole || Name##_name_keyval == R_MPI_KEYVAL_INVALID || \
                R_MPI_##Name##_set_attr(r_object, Name##_name_keyval, whole)) \
                free(whole); \
        } else if (Name##_name(r_object)) { \
            R_MPI_##Name##_delete_attr(r_object, Name##_name_keyval); \
        } \
        return 0; \
    } \
    static int A_MPI_##Name##_get_name(A_MPI_##Name object, char *name, int *length) \
    { \
        R_MPI_##Name r_object = KIND##_a2r(object); \
        char r_name[R_MPI_MAX_OBJECT_NAME + 1]; \
        r_name[0] = 0; \
        int rc = R_MPI_##Name##_get_name(r_object, name ? r_name : NULL, length); \
        if (unlikely(rc)) \
            return error_r2a(rc); \
        const char *whole = Name##_name(r_object); \
        if (!whole) \
            whole = Name##_predefined_name(object, r_name); \
        if (whole && length) \
            *length = (int)strlen(whole); \
        cut_string(name, A_MPI_MAX_OBJECT_NAME, whole ? whole : r_name, length); \
        return 0; \
    }

NAMES(Comm, COMM)
NAMES(Win, WIN)
#define R_MPI_Type R_MPI_Datatype
#define A_MPI_Type A_MPI_Datatype
NAMES(Type, DATATYPE)
#endif
