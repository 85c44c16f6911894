/*
 * Error classes, codes and texts while the library is down (MPI-5.0, 9.5). No library can add any
 * then, and libraries of MPI-3.1 end the process even in queries. The front gives the numbers of its
 * own to what the program adds, in a range that no library uses, and answers for them from then on:
 * so the layer `codes` stays while the library is up if the program has added something.
 *
 * The mutex protects the list, which owns its texts.
 */
#include "emulate.h"
#include "error_texts.h"

/* The first number, and the number of numbers. */
enum { FIRST = 0x50000000, MOST = 1 << 20 };

/* A class, a code, or a code of the library's with a text that was set while it was down. */
struct own_code {
    int number, class;         /* for a class, both are the same */
    char *text;                /* owned, or NULL */
    struct own_code *next;
};
static struct own_code *list;
static int last = FIRST;       /* the last number that was given */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static const struct { int class; const char *text; } classes[] = {WI4GO_ERROR_TEXTS};

int wi4go_needs_layer_codes(const struct wi4go_pair *pair)
{
    (void)pair;
    return !wi4go_library_is_up() || __atomic_load_n(&list, __ATOMIC_RELAXED);
}

/* Reports whether the function below can be called: libraries of MPI-4.0 answer queries at any time. */
static int can_query(void) { return wi4go_library_is_up() || RUNTIME_HAS(MPI_Session_init); }

/* Returns the text of a predefined class, or NULL. */
static const char *class_text(int class)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].class == class)
            return classes[i].text;
    return NULL;
}

/* Returns the pointer to an entry, or to the NULL at the end. The caller holds the mutex. */
static struct own_code **own_at(int number)
{
    struct own_code **p = &list;
    while (*p && (*p)->number != number)
        p = &(*p)->next;
    return p;
}

/* Returns the class of an entry, or -1 if there is none. Copies its text if string is not NULL; a
   code without a text has none. */
static int own_class(int number, char *string)
{
    pthread_mutex_lock(&mutex);
    const struct own_code *own = *own_at(number);
    const int class = own ? own->class : -1;
    if (own && string)
        strcpy(string, own->text ? own->text : "");
    pthread_mutex_unlock(&mutex);
    return class;
}

/* Adds an entry. Returns 0, or an error class. */
static int own_add(int number, int class, const char *text)
{
    struct own_code *made = malloc(sizeof *made);
    char *own_text = text ? strdup(text) : NULL;
    if (!made || (text && !own_text)) {
        free(made);
        return MPI_ERR_NO_MEM;
    }
    pthread_mutex_lock(&mutex);
    *made = (struct own_code){number, class, own_text, list};
    __atomic_store_n(&list, made, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&mutex);
    return MPI_SUCCESS;
}

/* Returns the class of a class or code that the program has added, or -1, and copies its text if
   string is not NULL. A library that is down does not have its own any more. */
static int known_class(int number, char *string)
{
    const int class = own_class(number, string);
    return class >= 0 || wi4go_library_is_up() ? class : wi4go_added_class(number, string);
}

int codes_MPI_Error_class(int errorcode, int *errorclass)
{
    const int class = known_class(errorcode, NULL);
    if (class < 0 && can_query())
        return BELOW(codes, MPI_Error_class)(errorcode, errorclass);
    if (!errorclass)
        return MPI_ERR_ARG;
    *errorclass = class >= 0 ? class : class_text(errorcode) ? errorcode : MPI_ERR_UNKNOWN;
    return MPI_SUCCESS;
}

int codes_MPI_Error_string(int errorcode, char *string, int *resultlen)
{
    if (!string || !resultlen)
        return can_query() ? BELOW(codes, MPI_Error_string)(errorcode, string, resultlen) : MPI_ERR_ARG;
    if (known_class(errorcode, string) < 0) {
        if (can_query())
            return BELOW(codes, MPI_Error_string)(errorcode, string, resultlen);
        strcpy(string, class_text(class_text(errorcode) ? errorcode : MPI_ERR_UNKNOWN));
    }
    *resultlen = (int)strlen(string);
    return MPI_SUCCESS;
}

/* Returns a new number, or 0. */
static int new_number(void) { return last < FIRST + MOST ? __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED) : 0; }

int codes_MPI_Add_error_class(int *errorclass)
{
    if (wi4go_library_is_up())
        return BELOW(codes, MPI_Add_error_class)(errorclass);
    const int number = new_number();
    if (!errorclass || !number)
        return MPI_ERR_ARG;
    *errorclass = number;
    return own_add(number, number, NULL);
}

int codes_MPI_Add_error_code(int errorclass, int *errorcode)
{
    if (wi4go_library_is_up() && own_class(errorclass, NULL) < 0)
        return BELOW(codes, MPI_Add_error_code)(errorclass, errorcode);
    const int number = new_number();
    if (!errorcode || !number)
        return MPI_ERR_ARG;
    *errorcode = number;
    return own_add(number, errorclass, NULL);
}

int codes_MPI_Add_error_string(int errorcode, const char *string)
{
    if (own_class(errorcode, NULL) < 0) {
        if (wi4go_library_is_up())
            return BELOW(codes, MPI_Add_error_string)(errorcode, string);
        if (class_text(errorcode)) /* a predefined class has its text */
            return MPI_ERR_ARG;
        int class = MPI_ERR_UNKNOWN;
        codes_MPI_Error_class(errorcode, &class);
        return own_add(errorcode, class, string);
    }
    if (!string || strlen(string) >= MPI_MAX_ERROR_STRING)
        return MPI_ERR_ARG;
    char *const text = strdup(string);
    if (!text)
        return MPI_ERR_NO_MEM;
    pthread_mutex_lock(&mutex);
    struct own_code *const own = *own_at(errorcode);
    char *const former = own ? own->text : text;
    if (own)
        own->text = text;
    pthread_mutex_unlock(&mutex);
    free(former);
    return MPI_SUCCESS;
}

/* Removes a class (is_class) or code that the program has added while the library was down. Returns
   an error class, or -1 if it was not added then. */
static int own_code_remove(int number, int is_class)
{
    pthread_mutex_lock(&mutex);
    struct own_code **p = own_at(number), *const own = *p;
    int allowed = own && !own->text && (own->number == own->class) == is_class;
    for (struct own_code *code = list; allowed && is_class && code; code = code->next)
        allowed = code == own || code->class != number;
    if (allowed)
        *p = own->next;
    pthread_mutex_unlock(&mutex);
    if (allowed)
        free(own);
    return !own ? -1 : allowed ? MPI_SUCCESS : MPI_ERR_ARG;
}

/* Removes the text of such a class or code. Returns the same. */
static int own_text_remove(int number)
{
    pthread_mutex_lock(&mutex);
    struct own_code *const own = *own_at(number);
    char *const text = own ? own->text : NULL;
    if (own)
        own->text = NULL;
    pthread_mutex_unlock(&mutex);
    free(text);
    return !own ? -1 : text ? MPI_SUCCESS : MPI_ERR_ARG;
}

/* Returns the result of a removal that the program's own list does not serve. The library frees
   its classes, codes and texts when it is finalized. */
static int removed(int own, int number, int (*below)(int))
{
    if (own >= 0)
        return own;
    return wi4go_library_is_up() ? below(number) : class_text(number) ? MPI_ERR_ARG : MPI_SUCCESS;
}

int codes_MPI_Remove_error_class(int errorclass)
{
    return removed(own_code_remove(errorclass, 1), errorclass, BELOW(codes, MPI_Remove_error_class));
}

int codes_MPI_Remove_error_code(int errorcode)
{
    return removed(own_code_remove(errorcode, 0), errorcode, BELOW(codes, MPI_Remove_error_code));
}

int codes_MPI_Remove_error_string(int errorcode)
{
    return removed(own_text_remove(errorcode), errorcode, BELOW(codes, MPI_Remove_error_string));
}

/* Raises the value of MPI_LASTUSEDCODE to the last number. Returns rc. */
static int last_used(int rc, int keyval, void *value, int *flag)
{
    if (!rc && keyval == MPI_LASTUSEDCODE && last > FIRST && (!*flag || **(int **)value < last)) {
        *(int **)value = &last;
        *flag = 1; /* MPICH 3.4 has no value before a class is added */
    }
    return rc;
}

int codes_MPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag)
{
    return last_used(BELOW(codes, MPI_Comm_get_attr)(comm, keyval, value, flag), keyval, value, flag);
}

int codes_MPI_Attr_get(MPI_Comm comm, int keyval, void *value, int *flag)
{
    return last_used(BELOW(codes, MPI_Attr_get)(comm, keyval, value, flag), keyval, value, flag);
}

/* ---- libraries without the functions that remove classes, codes and texts ---- */

/* Removes a class or code. The runtime keeps the number, and never issues it again. */
static int remove_added(int number, int is_class)
{
    const int own = own_code_remove(number, is_class);
    return own >= 0 ? own : wi4go_added_remove(number, is_class) ? MPI_SUCCESS : wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_ARG);
}

int E_MPI_Remove_error_class(int errorclass) { return remove_added(errorclass, 1); }
int E_MPI_Remove_error_code(int errorcode) { return remove_added(errorcode, 0); }

int E_MPI_Remove_error_string(int errorcode)
{
    const int own = own_text_remove(errorcode);
    if (own >= 0)
        return own;
    if (!wi4go_added_set_text(errorcode, NULL))
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_ARG);
    return wi4go_library_is_up() ? MPI_Add_error_string(errorcode, "") : MPI_SUCCESS;
}
