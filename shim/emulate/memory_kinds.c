/*
 * Kinds of memory (MPI-5.0, 11.4.3) of an emulated session: the value of mpi_memory_alloc_kinds, a
 * list with commas, in which restrictors follow a kind after colons. There is no state, and no
 * lock.
 */
#include "emulate.h"

/* A kind of memory and its restrictors. */
struct memory_kind {
    const char *name, *restrictors[4];
    int (*handled)(void); /* reports whether the library handles it. May be NULL: then every library does */
};

/* Report whether the library handles the memory of a kind of GPU. A family without the query has
   no library that does. */
static int handles_cuda(void)
{
#if defined MPIX_Query_cuda_support
    return MPIX_Query_cuda_support();
#else
    return 0;
#endif
}
static int handles_rocm(void)
{
#if defined MPIX_Query_rocm_support
    return MPIX_Query_rocm_support();
#elif defined MPIX_Query_hip_support
    return MPIX_Query_hip_support();
#else
    return 0;
#endif
}
static int handles_level_zero(void)
{
#if defined MPIX_Query_ze_support
    return MPIX_Query_ze_support();
#else
    return 0;
#endif
}

static const struct memory_kind all_kinds[] = {
    {"system", {NULL}, NULL},
    {"mpi", {"alloc_mem", "win_allocate", "win_allocate_shared"}, NULL},
    {"cuda", {"host", "device", "managed"}, handles_cuda},
    {"rocm", {"host", "device", "managed"}, handles_rocm},
    {"level_zero", {"host", "device", "shared"}, handles_level_zero},
};

/* Reports whether a text of n characters is a word. */
static int is_word(const char *text, size_t n, const char *word) { return strlen(word) == n && !strncmp(text, word, n); }

/* Reports whether a text of n characters is a restrictor of the kind. */
static int restricts(const struct memory_kind *kind, const char *text, size_t n)
{
    for (const char *const *r = kind->restrictors; *r; r++)
        if (is_word(text, n, *r))
            return 1;
    return 0;
}

/* Reports whether the library supports an item of the list, of n characters: a kind with any
   number of its restrictors. */
static int is_supported(const char *item, size_t n)
{
    size_t length = strcspn(item, ":,");
    const struct memory_kind *kind = all_kinds, *const end = kind + sizeof all_kinds / sizeof *all_kinds;
    while (kind < end && !is_word(item, length, kind->name))
        kind++;
    if (kind == end)
        return 0;
    for (size_t at = length; at < n; at += length) {
        length = strcspn(item + ++at, ":,");
        if (!restricts(kind, item + at, length))
            return 0;
    }
    return !kind->handled || kind->handled();
}

/* Returns the requested kinds that the library supports, after the kinds that the standard
   requires, which are always there, as in MPICH. Returns NULL when memory is exhausted. */
static char *supported(const char *requested)
{
    static const char required[] = "mpi,system";
    char *granted = malloc(sizeof required + strlen(requested) + 1), *end = granted;
    if (!granted)
        return NULL;
    end = stpcpy(end, required);
    for (size_t n; *requested; requested += n + (requested[n] == ',')) {
        n = strcspn(requested, ",");
        if (is_word(requested, n, "mpi") || is_word(requested, n, "system") || !is_supported(requested, n))
            continue;
        *end++ = ',';
        end = stpncpy(end, requested, n);
        *end = 0;
    }
    return granted;
}

char *wi4go_memory_kinds(MPI_Info info)
{
    int length = 0, flag = 0;
    if (info != MPI_INFO_NULL)
        MPI_Info_get_valuelen(info, WI4GO_MEMORY_KINDS, &length, &flag);
    if (!flag)
        return supported("");
    char *requested = malloc((size_t)length + 1);
    if (!requested)
        return NULL;
    MPI_Info_get(info, WI4GO_MEMORY_KINDS, length, requested, &flag);
    char *kinds = supported(flag ? requested : "");
    free(requested);
    return kinds;
}
