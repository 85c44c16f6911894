/*
 * Info entries as long as the program's mpi.h allows, over a library whose limits are lower
 * (MPI-5.0, 10). Entries that the library refuses are kept here, in one list, in the order in
 * which they were set.
 *
 * An entry is either in the library or in this list. The list owns its keys and values, and frees
 * them with MPI_Info_delete, MPI_Info_free or a new value. The mutex protects the list. If the
 * list is empty, look-ups read one pointer and take no lock.
 */
#include "emulate.h"

/* An entry that the library does not have. */
struct entry {
    MPI_Info info;
    char *key, *value;
    struct entry *next;
};
static struct entry *entries;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The largest number of characters of a value. MPICH accepts one more than fits with a final 0,
   and its mpi_f08 reports that size. */
enum { MOST = MPI_MAX_INFO_VAL };

/* Reports whether a text does not fit in `room` bytes. */
static int is_long(const char *text, int room) { return text && strlen(text) >= (size_t)room; }
/* Reports whether a key is too long for the library, but not for the program. */
static int long_key(const char *key)
{
    return is_long(key, wi4go_pair->limits.info_key) && !is_long(key, MPI_MAX_INFO_KEY);
}

/* Returns the pointer to an info's entry, or to the NULL at the end. key may be NULL: any entry
   of the info. The caller holds the mutex. */
static struct entry **entry_find(MPI_Info info, const char *key)
{
    struct entry **p = &entries;
    while (*p && ((*p)->info != info || (key && strcmp((*p)->key, key))))
        p = &(*p)->next;
    return p;
}

/* Removes an info's entries with this key, or all if it is NULL. Reports whether there were any. */
static int entry_remove(MPI_Info info, const char *key)
{
    int found = 0;
    pthread_mutex_lock(&mutex);
    for (struct entry **p; *(p = entry_find(info, key)); found = 1) {
        struct entry *e = *p;
        *p = e->next;
        free(e->key);
        free(e->value);
        free(e);
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

/* Appends an entry to the list, and replaces one with the same key. */
static void entry_add(MPI_Info info, const char *key, const char *value)
{
    struct entry *e = malloc(sizeof *e);
    if (!e || !(e->key = strdup(key)) || !(e->value = strdup(value)))
        wi4go_die("out of memory for an info object");
    e->info = info;
    e->next = NULL;
    entry_remove(info, key);
    pthread_mutex_lock(&mutex);
    struct entry **end = &entries;
    while (*end)
        end = &(*end)->next;
    *end = e;
    pthread_mutex_unlock(&mutex);
}

/* Looks for an entry in the list. Returns the length of its value, or -1 if there is none. Copies
   up to `room` characters of the value and a final 0, unless value is NULL. */
static int entry_value(MPI_Info info, const char *key, char *value, int room)
{
    int length = -1;
    if (!key || !__atomic_load_n(&entries, __ATOMIC_RELAXED))
        return length;
    pthread_mutex_lock(&mutex);
    const struct entry *e = *entry_find(info, key);
    if (e) {
        length = (int)strlen(e->value);
        if (value && room >= 0) {
            const size_t n = (size_t)(length < room ? length : room);
            memcpy(value, e->value, n);
            value[n] = 0;
        }
    }
    pthread_mutex_unlock(&mutex);
    return length;
}

/* Sets the entry in the library or in the list, and removes it from the other. */
int limits_MPI_Info_set(MPI_Info info, const char *key, const char *value)
{
    int n, flag = 0;
    const int ours = value && !is_long(value, MOST + 1) && !is_long(key, MPI_MAX_INFO_KEY) &&
                     (long_key(key) || (key && *key && is_long(value, wi4go_pair->limits.info_value)));
    int rc = ours ? BELOW(limits, MPI_Info_get_nkeys)(info, &n) : BELOW(limits, MPI_Info_set)(info, key, value);
    if (rc)
        return rc;
    if (!ours) {
        entry_remove(info, key);
        return rc;
    }
    if (!long_key(key) && !BELOW(limits, MPI_Info_get_valuelen)(info, key, &n, &flag) && flag)
        BELOW(limits, MPI_Info_delete)(info, key);
    entry_add(info, key, value);
    return rc;
}

int limits_MPI_Info_delete(MPI_Info info, const char *key)
{
    int n;
    if (key && entry_remove(info, key))
        return MPI_SUCCESS;
    if (!long_key(key))
        return BELOW(limits, MPI_Info_delete)(info, key);
    int rc = BELOW(limits, MPI_Info_get_nkeys)(info, &n);
    return rc ? rc : wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_INFO_NOKEY);
}

/* Answers for a long key that is not in the list: it is in no info. The library would call it an
   error. Returns an error code if the info itself is invalid. */
static int answer_absent(MPI_Info info, int *flag)
{
    int n;
    *flag = 0;
    return BELOW(limits, MPI_Info_get_nkeys)(info, &n);
}

int limits_MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    if (entry_value(info, key, value, valuelen) < 0)
        return long_key(key) ? answer_absent(info, flag) : BELOW(limits, MPI_Info_get)(info, key, valuelen, value, flag);
    *flag = 1;
    return MPI_SUCCESS;
}

int limits_MPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag)
{
    const int length = entry_value(info, key, NULL, 0);
    if (length < 0)
        return long_key(key) ? answer_absent(info, flag) : BELOW(limits, MPI_Info_get_valuelen)(info, key, valuelen, flag);
    *valuelen = length;
    *flag = 1;
    return MPI_SUCCESS;
}

int limits_MPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
    const int length = entry_value(info, key, value, buflen ? *buflen - 1 : -1);
    if (length < 0)
        return long_key(key) ? answer_absent(info, flag) : BELOW(limits, MPI_Info_get_string)(info, key, buflen, value, flag);
    *buflen = length + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

/* Returns the key of the info's entry at index n of the list, or NULL if n is past the end. Adds
   the number of the info's entries to *count. */
static const char *key_at(MPI_Info info, int n, int *count)
{
    const char *key = NULL;
    pthread_mutex_lock(&mutex);
    for (const struct entry *e = entries; e; e = e->next)
        if (e->info == info) {
            if (n-- == 0)
                key = e->key;
            ++*count;
        }
    pthread_mutex_unlock(&mutex);
    return key;
}

int limits_MPI_Info_get_nkeys(MPI_Info info, int *nkeys)
{
    int rc = BELOW(limits, MPI_Info_get_nkeys)(info, nkeys);
    if (!rc)
        key_at(info, -1, nkeys);
    return rc;
}

int limits_MPI_Info_get_nthkey(MPI_Info info, int n, char *key)
{
    int below = 0, ours = 0;
    int rc = BELOW(limits, MPI_Info_get_nkeys)(info, &below);
    if (rc)
        return rc;
    const char *found = key && n >= below ? key_at(info, n - below, &ours) : NULL;
    if (!found)
        return BELOW(limits, MPI_Info_get_nthkey)(info, n, key);
    strcpy(key, found);
    return MPI_SUCCESS;
}

int limits_MPI_Info_dup(MPI_Info info, MPI_Info *newinfo)
{
    int rc = BELOW(limits, MPI_Info_dup)(info, newinfo), count = 0;
    const char *key;
    for (int i = 0; !rc && (key = key_at(info, i, &count)); i++) {
        char value[MOST + 1];
        entry_value(info, key, value, MOST);
        entry_add(*newinfo, key, value);
    }
    return rc;
}

int limits_MPI_Info_free(MPI_Info *info)
{
    const MPI_Info freed = info ? *info : MPI_INFO_NULL;
    int rc = BELOW(limits, MPI_Info_free)(info);
    if (!rc && __atomic_load_n(&entries, __ATOMIC_RELAXED))
        entry_remove(freed, NULL);
    return rc;
}
