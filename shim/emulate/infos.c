/*
 * Infos after the library is finalized (MPI-5.0, 11.4.1), over a library of MPI-3.1, which ends the
 * process then. The layer `world` lists the infos that the program has. Before the library is
 * finalized, their entries are copied, and the layer `infos` serves the calls that follow. An info
 * that is created then gets a number of its own as its handle.
 *
 * The mutex protects the list, which owns its entries and their texts.
 */
#include "emulate.h"

struct entry { char *key, *value; };
struct kept_info {
    MPI_Info handle;
    MPI_Fint number;       /* the library's number in Fortran; 0 until it is finalized */
    struct entry *entries; /* empty until the library is finalized */
    int n;
    struct kept_info *next;
};
static struct kept_info *list;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int serial; /* the number of infos created here */

/* The first handle of an info created here, minus 1, and its number in Fortran. No library has
   such handles: they have the kind of MPI_INFO_NULL in MPICH's bit layout, or bit 61 if handles are
   addresses. */
#if HANDLE_BITS == 32
#define HANDLE_FIRST ((MPI_Info)MPI_INFO_NULL)
#else
#define HANDLE_FIRST ((MPI_Info)1 << 61)
#endif
#define FORTRAN_FIRST (-(1 << 29))
#define MOST (1 << 26) /* infos created here */

int wi4go_needs_layer_infos(const struct wi4go_pair *pair) { return wi4go_needs_layer_world(pair) && !wi4go_library_is_up(); }

/* Returns memory for n elements. */
static void *allocate(void *former, size_t n, size_t size)
{
    void *made = realloc(former, n * size);
    if (!made)
        wi4go_die("out of memory for an info object");
    return made;
}

static char *copy_text(const char *text) { return strcpy(allocate(NULL, strlen(text) + 1, 1), text); }

/* Returns the pointer to an info in the list, or to the NULL at the end. The caller holds the mutex. */
static struct kept_info **kept_at(MPI_Info handle)
{
    struct kept_info **p = &list;
    while (*p && (*p)->handle != handle)
        p = &(*p)->next;
    return p;
}

/* Returns the info of a handle, or NULL. */
static struct kept_info *kept_find(MPI_Info handle)
{
    pthread_mutex_lock(&mutex);
    struct kept_info *const found = *kept_at(handle);
    pthread_mutex_unlock(&mutex);
    return found;
}

static void kept_enter(MPI_Info handle)
{
    struct kept_info *made = allocate(NULL, 1, sizeof *made);
    pthread_mutex_lock(&mutex);
    *made = (struct kept_info){handle, 0, NULL, 0, list};
    list = made;
    pthread_mutex_unlock(&mutex);
}

/* Removes an info from the list. Reports whether it was there. */
static int kept_leave(MPI_Info handle)
{
    pthread_mutex_lock(&mutex);
    struct kept_info **p = kept_at(handle), *left = *p;
    if (left)
        *p = left->next;
    pthread_mutex_unlock(&mutex);
    for (int i = 0; left && i < left->n; i++) {
        free(left->entries[i].key);
        free(left->entries[i].value);
    }
    if (left)
        free(left->entries);
    free(left);
    return left != NULL;
}

int wi4go_info_note(int rc, const MPI_Info *info)
{
    if (!rc && *info != MPI_INFO_NULL)
        kept_enter(*info);
    return rc;
}

void wi4go_info_forget(MPI_Info info) { kept_leave(info); }

/* Returns the index of a key, or n. */
static int index_of(const struct kept_info *info, const char *key)
{
    int i = 0;
    while (i < info->n && strcmp(info->entries[i].key, key))
        i++;
    return i;
}

static void kept_set(struct kept_info *info, const char *key, const char *value)
{
    const int i = index_of(info, key);
    if (i == info->n) {
        info->entries = allocate(info->entries, (size_t)++info->n, sizeof *info->entries);
        info->entries[i].key = copy_text(key);
    } else
        free(info->entries[i].value);
    info->entries[i].value = copy_text(value);
}

void wi4go_infos_keep(void)
{
    char key[MPI_MAX_INFO_KEY + 1], *value = allocate(NULL, MPI_MAX_INFO_VAL + 1, 1);
    kept_enter(MPI_INFO_ENV);
    for (struct kept_info *info = list; info; info = info->next) {
        int n = 0, flag = 0;
        if (MPI_Info_get_nkeys(info->handle, &n))
            continue;
        info->number = MPI_Info_c2f(info->handle);
        for (int i = 0; i < n; i++)
            if (!MPI_Info_get_nthkey(info->handle, i, key) && !MPI_Info_get(info->handle, key, MPI_MAX_INFO_VAL, value, &flag) && flag)
                kept_set(info, key, value);
    }
    free(value);
}

/* ---- the calls that follow ---- */

/* Reports whether the library may be initialized, so that the function below does it. */
static int is_before(void)
{
    int down = 0;
    MPI_Finalized(&down);
    return !down;
}

/* Declares `kept`, the info of a handle, or leaves the function: to the function below if the
   library may be initialized, with an error if there is no such info. */
#define KEPT(kept, info, below) \
    if (is_before()) \
        return below; \
    struct kept_info *const kept = kept_find(info); \
    if (!kept) \
        return MPI_ERR_INFO

static int info_create(MPI_Info *info)
{
    if (!info || serial == MOST)
        return MPI_ERR_ARG;
    *info = HANDLE_FIRST + __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED);
    kept_enter(*info);
    return MPI_SUCCESS;
}

int infos_MPI_Info_create(MPI_Info *info) { return is_before() ? BELOW(infos, MPI_Info_create)(info) : info_create(info); }

int infos_MPI_Info_free(MPI_Info *info)
{
    if (is_before())
        return BELOW(infos, MPI_Info_free)(info);
    if (!info || !kept_leave(*info))
        return MPI_ERR_INFO;
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

int infos_MPI_Info_dup(MPI_Info info, MPI_Info *newinfo)
{
    KEPT(kept, info, BELOW(infos, MPI_Info_dup)(info, newinfo));
    int rc = info_create(newinfo);
    for (int i = 0; !rc && i < kept->n; i++)
        kept_set(kept_find(*newinfo), kept->entries[i].key, kept->entries[i].value);
    return rc;
}

int infos_MPI_Info_set(MPI_Info info, const char *key, const char *value)
{
    KEPT(kept, info, BELOW(infos, MPI_Info_set)(info, key, value));
    if (!key || !*key || strlen(key) >= MPI_MAX_INFO_KEY)
        return MPI_ERR_INFO_KEY;
    if (!value || strlen(value) > MPI_MAX_INFO_VAL)
        return MPI_ERR_INFO_VALUE;
    kept_set(kept, key, value);
    return MPI_SUCCESS;
}

int infos_MPI_Info_delete(MPI_Info info, const char *key)
{
    KEPT(kept, info, BELOW(infos, MPI_Info_delete)(info, key));
    if (!key)
        return MPI_ERR_INFO_KEY;
    const int i = index_of(kept, key);
    if (i == kept->n)
        return MPI_ERR_INFO_NOKEY;
    free(kept->entries[i].key);
    free(kept->entries[i].value);
    memmove(kept->entries + i, kept->entries + i + 1, (size_t)(--kept->n - i) * sizeof *kept->entries);
    return MPI_SUCCESS;
}

int infos_MPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag)
{
    KEPT(kept, info, BELOW(infos, MPI_Info_get_valuelen)(info, key, valuelen, flag));
    if (!key || !valuelen || !flag)
        return MPI_ERR_ARG;
    const int i = index_of(kept, key);
    *flag = i < kept->n;
    if (*flag)
        *valuelen = (int)strlen(kept->entries[i].value);
    return MPI_SUCCESS;
}

int infos_MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    KEPT(kept, info, BELOW(infos, MPI_Info_get)(info, key, valuelen, value, flag));
    if (!key || valuelen < 0 || !value || !flag)
        return MPI_ERR_ARG;
    const int i = index_of(kept, key);
    *flag = i < kept->n;
    if (*flag) {
        const size_t length = strlen(kept->entries[i].value), n = length < (size_t)valuelen ? length : (size_t)valuelen;
        memcpy(value, kept->entries[i].value, n);
        value[n] = 0;
    }
    return MPI_SUCCESS;
}

int infos_MPI_Info_get_nkeys(MPI_Info info, int *nkeys)
{
    KEPT(kept, info, BELOW(infos, MPI_Info_get_nkeys)(info, nkeys));
    if (!nkeys)
        return MPI_ERR_ARG;
    *nkeys = kept->n;
    return MPI_SUCCESS;
}

int infos_MPI_Info_get_nthkey(MPI_Info info, int n, char *key)
{
    KEPT(kept, info, BELOW(infos, MPI_Info_get_nthkey)(info, n, key));
    if (n < 0 || n >= kept->n || !key)
        return MPI_ERR_ARG;
    strcpy(key, kept->entries[n].key);
    return MPI_SUCCESS;
}

/* Infos created here have numbers of their own in Fortran. is_made_here reports whether a handle is one
   of them; info_of returns the handle of a number, or MPI_INFO_NULL. */
static int is_made_here(MPI_Info info) { return info > HANDLE_FIRST && info <= HANDLE_FIRST + MOST; }

#if HANDLE_BITS == 32
static int number_of(MPI_Info info) { return info; }
static MPI_Info info_of(int number) { return is_made_here(number) ? number : MPI_INFO_NULL; }
#else
static int number_of(MPI_Info info) { return FORTRAN_FIRST + (int)(info - HANDLE_FIRST); }
static MPI_Info info_of(int number)
{
    return number > FORTRAN_FIRST && number <= FORTRAN_FIRST + MOST ? HANDLE_FIRST + (number - FORTRAN_FIRST) : MPI_INFO_NULL;
}
#endif

/* Returns the number of a kept info that the library has made, or 0. */
static MPI_Fint kept_number(MPI_Info info)
{
    const struct kept_info *const kept = kept_find(info);
    return kept ? kept->number : 0;
}

/* Returns the info of such a number, or MPI_INFO_NULL. */
static MPI_Info kept_of(MPI_Fint number)
{
    pthread_mutex_lock(&mutex);
    const struct kept_info *info = list;
    while (info && (!info->number || info->number != number))
        info = info->next;
    pthread_mutex_unlock(&mutex);
    return info ? info->handle : MPI_INFO_NULL;
}

/* Returns the number of an info that the library has no more, or 0, and the info of such a number, or
   MPI_INFO_NULL. */
static MPI_Fint gone_number(MPI_Info info) { return is_made_here(info) ? number_of(info) : kept_number(info); }
static MPI_Info gone_info(MPI_Fint number) { return info_of(number) != MPI_INFO_NULL ? info_of(number) : kept_of(number); }

MPI_Fint infos_MPI_Info_c2f(MPI_Info info)
{
    const MPI_Fint number = gone_number(info);
    return number ? number : BELOW(infos, MPI_Info_c2f)(info);
}

MPI_Info infos_MPI_Info_f2c(MPI_Fint info)
{
    const MPI_Info gone = gone_info(info);
    return gone != MPI_INFO_NULL ? gone : BELOW(infos, MPI_Info_f2c)(info);
}

int infos_MPI_Info_toint(MPI_Info info)
{
    const int number = gone_number(info);
    return number ? number : BELOW(infos, MPI_Info_toint)(info);
}

MPI_Info infos_MPI_Info_fromint(int info)
{
    const MPI_Info gone = gone_info(info);
    return gone != MPI_INFO_NULL ? gone : BELOW(infos, MPI_Info_fromint)(info);
}
