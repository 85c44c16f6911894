/* Error classes of later versions of MPI, and the removal of error classes, codes and strings
   that the program has added (MPI-5.0, 9.4 and 9.5).

   State: a table of texts, written while the runtime loads, and a list of the classes and codes
   that the program has added. The mutex protects the list, which owns its texts. An entry is
   removed in the order that the standard requires: its text first, and a class after its codes. */
#include "emulate.h"
#include <limits.h>

/* By number: the texts of classes of this family's mpi.h that the library does not have. */
static const char *later_texts[1100];

/* Stores the text of a class that the library lacks. Returns 1. */
static int note_class(int class, const char *text)
{
    if ((size_t)class < sizeof later_texts / sizeof *later_texts)
        later_texts[class] = text;
    return 1;
}

/* Returns the text of a class that the library lacks, or NULL. */
static const char *later_class(int code) { return (size_t)code < sizeof later_texts / sizeof *later_texts ? later_texts[code] : NULL; }

/* Each row names a function that came with the same version of MPI as the class. */
int wi4go_needs_layer_errors(const struct wi4go_pair *pair)
{
    const struct {
        int class, known;
        const char *text;
    } rows[] = {
        {MPI_ERR_PROC_ABORTED, RUNTIME_HAS(MPI_Session_init), "MPI_ERR_PROC_ABORTED: a peer process has aborted"},
        {MPI_ERR_VALUE_TOO_LARGE, RUNTIME_HAS(MPI_Session_init), "MPI_ERR_VALUE_TOO_LARGE: a value is too large to be stored"},
        {MPI_ERR_SESSION, RUNTIME_HAS(MPI_Session_init), "MPI_ERR_SESSION: invalid session"},
        {MPI_ERR_ERRHANDLER, RUNTIME_HAS(MPI_Remove_error_class), "MPI_ERR_ERRHANDLER: invalid error handler"},
        {MPI_ERR_ABI, RUNTIME_HAS(MPI_Abi_get_version), "MPI_ERR_ABI: invalid call of a function about the ABI"},
        {MPI_T_ERR_NOT_SUPPORTED, RUNTIME_HAS(MPI_T_event_get_num), "MPI_T_ERR_NOT_SUPPORTED: not supported"},
        {MPI_T_ERR_NOT_ACCESSIBLE, RUNTIME_HAS(MPI_Remove_error_class), "MPI_T_ERR_NOT_ACCESSIBLE: not accessible"},
#ifdef MPIX_ERR_PROC_FAILED
        {MPIX_ERR_PROC_FAILED, RUNTIME_HAS(MPIX_Comm_revoke), "MPIX_ERR_PROC_FAILED: a process has failed"},
        {MPIX_ERR_PROC_FAILED_PENDING, RUNTIME_HAS(MPIX_Comm_revoke), "MPIX_ERR_PROC_FAILED_PENDING: a process that may be the sender has failed"},
        {MPIX_ERR_REVOKED, RUNTIME_HAS(MPIX_Comm_revoke), "MPIX_ERR_REVOKED: the communicator was revoked"},
#endif
    };
    int differ = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!rows[i].known)
            differ = note_class(rows[i].class, rows[i].text);
    for (const struct wi4go_class *c = pair->lacked_classes; c->text; c++)
        differ = note_class(c->number, c->text);
    return differ;
}

int errors_MPI_Error_class(int errorcode, int *errorclass)
{
    if (later_class(errorcode)) {
        *errorclass = errorcode;
        return MPI_SUCCESS;
    }
    const int rc = BELOW(errors, MPI_Error_class)(errorcode, errorclass);
    const int added = !rc && *errorclass == MPI_ERR_UNKNOWN ? wi4go_added_class(errorcode, NULL) : -1; /* Open MPI 4.1 returns it for a class of the program */
    if (added >= 0)
        *errorclass = added;
    return rc;
}

/* The library does not know such a class, so the code belongs to MPI_ERR_OTHER there. */
int errors_MPI_Add_error_code(int errorclass, int *errorcode)
{
    return BELOW(errors, MPI_Add_error_code)(later_class(errorclass) ? MPI_ERR_OTHER : errorclass, errorcode);
}

/* An error class or code that the program has added and not removed. */
struct added {
    int number, class;      /* for a class, both are the same */
    char *text;             /* owned; it must be removed first. NULL: none */
    struct added *next;
};
static struct added *list;
static int least = INT_MAX; /* the lowest number that has been in the list, so that other numbers need no search */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Returns the pointer to the entry of a class or code, or to the NULL at the end. The caller
   holds the mutex. */
static struct added **added_find(int number)
{
    struct added **p = &list;
    while (*p && (*p)->number != number)
        p = &(*p)->next;
    return p;
}

int wi4go_added_class(int number, char *string)
{
    int class = -1;
    if (number < __atomic_load_n(&least, __ATOMIC_RELAXED))
        return class;
    pthread_mutex_lock(&mutex); /* another thread may remove the text */
    const struct added *a = *added_find(number);
    if (a && string)
        strcpy(string, a->text ? a->text : "");
    if (a && (!string || a->text))
        class = a->class;
    pthread_mutex_unlock(&mutex);
    return class;
}

int errors_MPI_Error_string(int errorcode, char *string, int *resultlen)
{
    const char *const text = later_class(errorcode);
    if (text)
        strcpy(string, text);
    else if (!string || !resultlen || wi4go_added_class(errorcode, string) < 0)
        return BELOW(errors, MPI_Error_string)(errorcode, string, resultlen);
    *resultlen = (int)strlen(string);
    return MPI_SUCCESS;
}

/* Enters a new class or code. */
static void added_enter(int number, int class)
{
    struct added *a = malloc(sizeof *a);
    if (!a)
        wi4go_die("out of memory for an error class");
    pthread_mutex_lock(&mutex);
    *a = (struct added){number, class, NULL, list};
    list = a;
    if (number < least)
        __atomic_store_n(&least, number, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&mutex);
}

int removal_MPI_Add_error_class(int *errorclass)
{
    int rc = BELOW(removal, MPI_Add_error_class)(errorclass);
    if (!rc)
        added_enter(*errorclass, *errorclass);
    return rc;
}

int removal_MPI_Add_error_code(int errorclass, int *errorcode)
{
    int rc = BELOW(removal, MPI_Add_error_code)(errorclass, errorcode);
    if (!rc)
        added_enter(*errorcode, errorclass);
    return rc;
}

int wi4go_added_set_text(int number, const char *text)
{
    pthread_mutex_lock(&mutex);
    struct added *a = *added_find(number);
    if (a) {
        free(a->text);
        a->text = text ? strdup(text) : NULL;
    }
    pthread_mutex_unlock(&mutex);
    return a != NULL;
}

/* Passes as much of a string as the library takes, and keeps the whole one if it is longer. */
int removal_MPI_Add_error_string(int errorcode, const char *string)
{
    const size_t room = (size_t)wi4go_pair->limits.error_string;
    const char *all = string;
    char part[MPI_MAX_ERROR_STRING];
    if (string && strlen(string) >= room && strlen(string) < MPI_MAX_ERROR_STRING) {
        memcpy(part, string, room - 1);
        part[room - 1] = 0;
        string = part;
    }
    int rc = BELOW(removal, MPI_Add_error_string)(errorcode, string);
    if (!rc)
        wi4go_added_set_text(errorcode, all && *all ? all : NULL);
    return rc;
}

int wi4go_added_remove(int number, int is_class)
{
    pthread_mutex_lock(&mutex);
    struct added **p = added_find(number), *a = *p;
    int allowed = a && !a->text && (a->number == a->class) == is_class;
    for (struct added *code = list; allowed && is_class && code; code = code->next)
        allowed = code == a || code->class != number;
    if (allowed) {
        *p = a->next;
        free(a->text);
        free(a);
    }
    pthread_mutex_unlock(&mutex);
    return allowed;
}

/* Follow a removal that the library has served. */
int removal_MPI_Remove_error_class(int errorclass)
{
    const int rc = BELOW(removal, MPI_Remove_error_class)(errorclass);
    if (!rc)
        wi4go_added_remove(errorclass, 1);
    return rc;
}

int removal_MPI_Remove_error_code(int errorcode)
{
    const int rc = BELOW(removal, MPI_Remove_error_code)(errorcode);
    if (!rc)
        wi4go_added_remove(errorcode, 0);
    return rc;
}

int removal_MPI_Remove_error_string(int errorcode)
{
    const int rc = BELOW(removal, MPI_Remove_error_string)(errorcode);
    if (!rc)
        wi4go_added_set_text(errorcode, NULL);
    return rc;
}
