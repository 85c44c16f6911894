/* Error classes of later versions, and the removal of what the program has added
   (MPI-5.0, 9.4 and 9.5). */
#include "emulate.h"

/* Which classes of this family's mpi.h the library has not heard of; the last
   function of each row came with the same version. */
static const char *later_class(int code)
{
#ifdef MPI_ERR_PROC_ABORTED
    if (code == MPI_ERR_PROC_ABORTED && !RUNTIME_HAS(MPI_Session_init))
        return "MPI_ERR_PROC_ABORTED: a peer process has aborted";
#endif
#ifdef MPI_ERR_VALUE_TOO_LARGE
    if (code == MPI_ERR_VALUE_TOO_LARGE && !RUNTIME_HAS(MPI_Session_init))
        return "MPI_ERR_VALUE_TOO_LARGE: a value is too large to be stored";
#endif
#ifdef MPI_ERR_SESSION
    if (code == MPI_ERR_SESSION && !RUNTIME_HAS(MPI_Session_init))
        return "MPI_ERR_SESSION: invalid session";
#endif
#ifdef MPI_ERR_ERRHANDLER
    if (code == MPI_ERR_ERRHANDLER && !RUNTIME_HAS(MPI_Remove_error_class))
        return "MPI_ERR_ERRHANDLER: invalid error handler";
#endif
#ifdef MPI_ERR_ABI
    if (code == MPI_ERR_ABI && !RUNTIME_HAS(MPI_Abi_get_version))
        return "MPI_ERR_ABI: a call about the ABI that it does not allow";
#endif
    return NULL;
}

int errors_MPI_Error_class(int errorcode, int *errorclass)
{
    if (!later_class(errorcode))
        return BELOW(errors, MPI_Error_class)(errorcode, errorclass);
    *errorclass = errorcode;
    return MPI_SUCCESS;
}

/* What the program has added, and not removed yet. */
struct added {
    int number, class;      /* of a class both are the same */
    int has_text;
    char *text;             /* longer than the library takes, else NULL */
    struct added *next;
};
static struct added *list;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct added **find(int number)
{
    struct added **p = &list;
    while (*p && (*p)->number != number)
        p = &(*p)->next;
    return p;
}

int errors_MPI_Error_string(int errorcode, char *string, int *resultlen)
{
    pthread_mutex_lock(&mutex); /* another thread may take the text off */
    const struct added *a = *find(errorcode);
    const char *text = a && a->text ? a->text : later_class(errorcode);
    if (text)
        *resultlen = (int)strlen(strcpy(string, text));
    pthread_mutex_unlock(&mutex);
    return text ? MPI_SUCCESS : BELOW(errors, MPI_Error_string)(errorcode, string, resultlen);
}

static void add(int number, int class)
{
    struct added *a = malloc(sizeof *a);
    if (!a)
        wi4go_die("out of memory for an error class");
    pthread_mutex_lock(&mutex);
    *a = (struct added){number, class, 0, NULL, list};
    list = a;
    pthread_mutex_unlock(&mutex);
}

int removal_MPI_Add_error_class(int *errorclass)
{
    int rc = BELOW(removal, MPI_Add_error_class)(errorclass);
    if (!rc)
        add(*errorclass, *errorclass);
    return rc;
}

int removal_MPI_Add_error_code(int errorclass, int *errorcode)
{
    int rc = BELOW(removal, MPI_Add_error_code)(errorclass, errorcode);
    if (!rc)
        add(*errorcode, errorclass);
    return rc;
}

/* Whether it was there to take note of. */
static int note_text(int number, int has_text, const char *text)
{
    pthread_mutex_lock(&mutex);
    struct added *a = *find(number);
    if (a) {
        a->has_text = has_text;
        free(a->text);
        a->text = text ? strdup(text) : NULL;
    }
    pthread_mutex_unlock(&mutex);
    return a != NULL;
}

int removal_MPI_Add_error_string(int errorcode, const char *string)
{
    const size_t room = (size_t)wi4go_pair_in_use()->limits.error_string;
    const char *all = string;
    char part[MPI_MAX_ERROR_STRING];
    if (string && strlen(string) >= room && strlen(string) < MPI_MAX_ERROR_STRING) {
        memcpy(part, string, room - 1);
        part[room - 1] = 0;
        string = part;
    }
    int rc = BELOW(removal, MPI_Add_error_string)(errorcode, string);
    if (!rc)
        note_text(errorcode, *all != '\0', string == part ? all : NULL);
    return rc;
}

/* Takes it off the list, only when its text was removed, and a class only when it
   has no codes any more. */
static int take_off(int number, int is_class)
{
    pthread_mutex_lock(&mutex);
    struct added **p = find(number), *a = *p;
    int allowed = a && !a->has_text && (a->number == a->class) == is_class;
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

/* The runtime keeps the number, and never gives it out again. */
static int forget(int number, int is_class)
{
    return take_off(number, is_class) ? MPI_SUCCESS : wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_ARG);
}

int E_MPI_Remove_error_class(int errorclass) { return forget(errorclass, 1); }
int E_MPI_Remove_error_code(int errorcode) { return forget(errorcode, 0); }

int E_MPI_Remove_error_string(int errorcode)
{
    return note_text(errorcode, 0, NULL) ? MPI_Add_error_string(errorcode, "") : wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_ARG);
}
