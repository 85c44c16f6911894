/* Pools, objects, values and checks. The layouts are in layouts.c. */
#include "dtpools.h"
#include "layouts.h"

#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

/* ---- the basic types ---- */

/* A basic type. The functions handle an element as its C type. */
typedef struct {
    const char *name;                                      /* "MPI_INT" */
    size_t size;                                           /* size of an element in bytes */
    void (*put)(void *at, int value);                      /* writes an element */
    int (*same)(const void *at, int value);                /* reports whether an element equals the value */
    void (*show)(const void *at, char *text, size_t size); /* writes an element's value as text */
} kind;

/* Defines the functions of a basic type: `assign` sets x to value, `equal` compares x and y,
   and the other arguments print x. */
#define KIND(name, T, assign, equal, ...)                                                                 \
    static void put_##name(void *at, int value)                                                           \
    {                                                                                                     \
        T x;                                                                                              \
        memset(&x, 0, sizeof x);                                                                          \
        assign;                                                                                           \
        memcpy(at, &x, sizeof x);                                                                         \
    }                                                                                                     \
    static int same_##name(const void *at, int value)                                                     \
    {                                                                                                     \
        T x, y;                                                                                           \
        memcpy(&y, at, sizeof y);                                                                         \
        assign;                                                                                           \
        return equal;                                                                                     \
    }                                                                                                     \
    static void show_##name(const void *at, char *text, size_t size)                                      \
    {                                                                                                     \
        T x;                                                                                              \
        memcpy(&x, at, sizeof x);                                                                         \
        snprintf(text, size, __VA_ARGS__);                                                                \
    }
#define INTEGER(name, T) KIND(name, T, x = (T)value, x == y, "%lld", (long long)x)
#define FLOATING(name, T) KIND(name, T, x = (T)value, x == y, "%.21Lg", (long double)x)
#define COMPLEX(name, T)                                                                                  \
    KIND(name, T _Complex, x = (T)value + 2 * (T)value * I, x == y, "%.21Lg%+.21Lgi",           \
         (long double)creall(x), (long double)cimagl(x))
#define PAIR(name, T)                                                                                     \
    typedef struct {                                                                                      \
        T value;                                                                                          \
        int index;                                                                                        \
    } name##_pair;                                                                                        \
    KIND(name, name##_pair, (x.value = (T)value, x.index = (int)((unsigned)value + 1)),                   \
         x.value == y.value && x.index == y.index, "{%.21Lg, %d}", (long double)x.value, x.index)

/* The list of basic types, with their C types, by kind of type. */
#define BASIC_TYPES(INTEGER, FLOATING, COMPLEX, PAIR)                                                     \
    INTEGER(CHAR, char)                                                                                   \
    INTEGER(BYTE, unsigned char)                                                                          \
    INTEGER(WCHAR, wchar_t)                                                                               \
    INTEGER(SHORT, short)                                                                                 \
    INTEGER(INT, int)                                                                                     \
    INTEGER(LONG, long)                                                                                   \
    INTEGER(LONG_LONG_INT, long long)                                                                     \
    INTEGER(UNSIGNED_CHAR, unsigned char)                                                                 \
    INTEGER(UNSIGNED_SHORT, unsigned short)                                                               \
    INTEGER(UNSIGNED, unsigned)                                                                           \
    INTEGER(UNSIGNED_LONG, unsigned long)                                                                 \
    INTEGER(UNSIGNED_LONG_LONG, unsigned long long)                                                       \
    FLOATING(FLOAT, float)                                                                                \
    FLOATING(DOUBLE, double)                                                                              \
    FLOATING(LONG_DOUBLE, long double)                                                                    \
    INTEGER(INT8_T, int8_t)                                                                               \
    INTEGER(INT16_T, int16_t)                                                                             \
    INTEGER(INT32_T, int32_t)                                                                             \
    INTEGER(INT64_T, int64_t)                                                                             \
    INTEGER(UINT8_T, uint8_t)                                                                             \
    INTEGER(UINT16_T, uint16_t)                                                                           \
    INTEGER(UINT32_T, uint32_t)                                                                           \
    INTEGER(UINT64_T, uint64_t)                                                                           \
    COMPLEX(C_COMPLEX, float)                                                                             \
    COMPLEX(C_FLOAT_COMPLEX, float)                                                                       \
    COMPLEX(C_DOUBLE_COMPLEX, double)                                                                     \
    COMPLEX(C_LONG_DOUBLE_COMPLEX, long double)                                                           \
    PAIR(FLOAT_INT, float)                                                                                \
    PAIR(DOUBLE_INT, double)                                                                              \
    PAIR(LONG_INT, long)                                                                                  \
    PAIR(2INT, int)                                                                                       \
    PAIR(SHORT_INT, short)                                                                                \
    PAIR(LONG_DOUBLE_INT, long double)

#define DEFINE_INTEGER(name, T) INTEGER(of_##name, T)
#define DEFINE_FLOATING(name, T) FLOATING(of_##name, T)
#define DEFINE_COMPLEX(name, T) COMPLEX(of_##name, T)
#define DEFINE_PAIR(name, T) PAIR(of_##name, T)
BASIC_TYPES(DEFINE_INTEGER, DEFINE_FLOATING, DEFINE_COMPLEX, DEFINE_PAIR)

#define ENTRY(name, T) {"MPI_" #name, sizeof(T), put_of_##name, same_of_##name, show_of_##name},
#define ENTRY_COMPLEX(name, T) ENTRY(name, T _Complex)
#define ENTRY_PAIR(name, T) ENTRY(name, of_##name##_pair)
static const kind kinds[DTP_NUM_TYPES] = {BASIC_TYPES(ENTRY, ENTRY, ENTRY_COMPLEX, ENTRY_PAIR)};

/* Returns the handle of a basic type. The handles cannot be in a static table, because
   they are not constant expressions in every library. */
static MPI_Datatype basic_handle(const kind *k)
{
#define HANDLE(name, T) MPI_##name,
    MPI_Datatype handles[DTP_NUM_TYPES] = {BASIC_TYPES(HANDLE, HANDLE, HANDLE, HANDLE)};
    return handles[k - kinds];
}

/* Returns the basic type of a handle, or NULL. */
static const kind *basic_type(MPI_Datatype type)
{
    for (const kind *k = kinds; k < kinds + DTP_NUM_TYPES; k++)
        if (basic_handle(k) == type)
            return k;
    return NULL;
}

const char *DTP_type_name(MPI_Datatype type)
{
    const kind *k = basic_type(type);
    return k ? k->name : NULL;
}

MPI_Datatype DTP_type_of(const char *name)
{
    for (const kind *k = kinds; name && k < kinds + DTP_NUM_TYPES; k++)
        if (strcmp(k->name, name) == 0)
            return basic_handle(k);
    return MPI_DATATYPE_NULL;
}

/* Reports whether two words are equal except for the case of letters and at most one letter too many,
   too few or wrong, or two neighbors swapped. */
static int nearly_equal(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++;
    if (strcasecmp(a, b) == 0 || (*a && strcasecmp(a + 1, b) == 0) || (*b && strcasecmp(a, b + 1) == 0))
        return 1;
    if (!*a || !*b)
        return 0;
    int swapped = a[1] && b[1] && tolower((unsigned char)a[0]) == tolower((unsigned char)b[1]) &&
                  tolower((unsigned char)a[1]) == tolower((unsigned char)b[0]);
    return strcasecmp(a + 1, b + 1) == 0 || (swapped && strcasecmp(a + 2, b + 2) == 0);
}

/* Returns a name for the hint about a misspelt one. A name that differs only in case or prefix comes before a nearly
 * equal one. */
const char *DTP_type_like(const char *name)
{
    static const char prefix[] = "MPI_";
    const size_t skipped = sizeof prefix - 1;
    for (const kind *k = kinds; name && k < kinds + DTP_NUM_TYPES; k++)
        if (strcasecmp(k->name, name) == 0 || strcasecmp(k->name + skipped, name) == 0)
            return k->name;
    for (const kind *k = kinds; name && k < kinds + DTP_NUM_TYPES; k++)
        if (nearly_equal(k->name, name))
            return k->name;
    return NULL;
}

/* ---- the environment ---- */

static const char blanks[] = " \t\r\n,"; /* separators in lists of types */

/* Sets marked[i] for each basic type i in a list, which it modifies. If a name is unknown,
   writes a message about `variable` to text and returns DTP_ERR_ENV. */
static int mark(char *words, int *marked, const char *variable, char *text, size_t size)
{
    char *rest = NULL;
    for (char *word = strtok_r(words, blanks, &rest); word; word = strtok_r(NULL, blanks, &rest)) {
        int i = 0;
        while (i < DTP_NUM_TYPES && strcmp(kinds[i].name, word) != 0)
            i++;
        if (i == DTP_NUM_TYPES) {
            const char *like = DTP_type_like(word);
            snprintf(text, size, "%s: %s is not a basic type of the pools: %s%s%suse MPI_CHAR, MPI_INT, … (dtpools.h)", variable, word,
                     like ? "did you mean " : "", like ? like : "", like ? "? " : "");
            return DTP_ERR_ENV;
        }
        marked[i] = 1;
    }
    return DTP_SUCCESS;
}

/* Marks the types that the lines of a file name. */
static int mark_file(const char *name, int *marked, char *text, size_t size)
{
    char line[256], variable[512];
    FILE *file = fopen(name, "r");
    int rc = DTP_SUCCESS;
    for (int number = 1; file && rc == DTP_SUCCESS && fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "#")] = 0;
        snprintf(variable, sizeof variable, "DTP_DATATYPE_FILE: %s:%d", name, number);
        rc = mark(line, marked, variable, text, size);
    }
    if (!file || ferror(file)) {
        snprintf(text, size, "DTP_DATATYPE_FILE: cannot read %s: %s", name, strerror(errno));
        rc = DTP_ERR_ENV;
    }
    if (file)
        fclose(file);
    return rc;
}

int DTP_runtime_types(int *n, MPI_Datatype *types, char *text, size_t size)
{
    int listed[DTP_NUM_TYPES] = {0}, limited[DTP_NUM_TYPES] = {0}, rc = DTP_SUCCESS;
    const char *file = getenv("DTP_DATATYPE_FILE"), *only = getenv("DTP_RUNTIME_TYPES");
    if (!n || !types || (!text && size > 0))
        return DTP_ERR_ARG;
    if (size > 0)
        *text = 0;
    if (file)
        rc = mark_file(file, listed, text, size);
    if (rc == DTP_SUCCESS && only) {
        char *words = strdup(only);
        rc = words ? mark(words, limited, "DTP_RUNTIME_TYPES", text, size) : DTP_ERR_SIZE;
        free(words);
    }
    if (rc != DTP_SUCCESS)
        return rc;
    *n = 0;
    for (int i = 0; i < DTP_NUM_TYPES; i++)
        if ((!file || listed[i]) && (!only || limited[i]))
            types[(*n)++] = basic_handle(&kinds[i]);
    if (*n == 0) {
        snprintf(text, size, "%s: the list has no types", only ? "DTP_RUNTIME_TYPES" : "DTP_DATATYPE_FILE");
        return DTP_ERR_ENV;
    }
    return DTP_SUCCESS;
}

/* Stores the number of objects of a pool. Returns DTP_ERR_ENV if DTP_NUM_OBJS is not a
   valid number. */
static int number_of_objects(int *n)
{
    const char *set = getenv("DTP_NUM_OBJS");
    char *end = NULL;
    *n = dtp_num_layouts;
    if (!set)
        return DTP_SUCCESS;
    errno = 0;
    long most = strtol(set, &end, 10);
    if (end == set || *end || errno || most == 0 || most < -1)
        return DTP_ERR_ENV;
    if (most > 0 && most < *n)
        *n = (int)most;
    return DTP_SUCCESS;
}

/* ---- pools ---- */

/* A member of a struct, or the only one of another signature. */
typedef struct {
    MPI_Datatype type;
    const kind *kind;
    int count; /* elements */
} member;

/* The signature of a pool. */
struct DTP_private {
    int members, elements; /* elements: of all members */
    int is_struct;         /* made by DTP_pool_create_struct */
    member member[];
};

/* GUARD: the bytes before and after each buffer that must not change. GAP: the least
   number of such bytes between the members of a struct. ALIGN: of a member. */
enum { GUARD = 64, ALIGN = 16, GAP = 16 };

/* Returns the value of a byte that must not change, by its offset from the first guard
   byte. */
static unsigned char pattern(size_t at)
{
    return (unsigned char)(0xA5 + at * 7);
}

/* Makes a pool with n members. */
static int pool_create(int n, const MPI_Datatype *types, const int *counts, int is_struct, DTP_t *dtp)
{
    int objects, rc;
    if (dtp)
        *dtp = NULL;
    if (!dtp || n < 1 || !types || !counts)
        return DTP_ERR_ARG;
    if ((rc = number_of_objects(&objects)) != DTP_SUCCESS)
        return rc;
    DTP_t pool = calloc(1, sizeof *pool);
    struct DTP_private *p = calloc(1, sizeof *p + (size_t)n * sizeof *p->member);
    DTP_obj_t *array = calloc((size_t)objects, sizeof *array);
    if (!pool || !p || !array)
        rc = DTP_ERR_SIZE;
    for (int i = 0; rc == DTP_SUCCESS && i < n; i++) {
        const kind *k = basic_type(types[i]);
        if (counts[i] < 1)
            rc = DTP_ERR_ARG;
        else if (!k)
            rc = DTP_ERR_TYPE;
        else if (counts[i] > INT_MAX - p->elements)
            rc = DTP_ERR_SIZE;
        else {
            p->member[i] = (member){types[i], k, counts[i]};
            p->elements += counts[i];
        }
    }
    if (rc != DTP_SUCCESS) {
        free(pool);
        free(p);
        free(array);
        return rc;
    }
    p->members = n;
    p->is_struct = is_struct;
    for (int i = 0; i < objects; i++)
        array[i].DTP_obj_type = MPI_DATATYPE_NULL;
    *pool = (struct DTP){objects, array, p};
    *dtp = pool;
    return DTP_SUCCESS;
}

int DTP_pool_create(MPI_Datatype basic_type, int basic_count, DTP_t *dtp)
{
    return pool_create(1, &basic_type, &basic_count, 0, dtp);
}

int DTP_pool_create_struct(int n, MPI_Datatype *basic_types, int *basic_counts, DTP_t *dtp)
{
    return pool_create(n, basic_types, basic_counts, 1, dtp);
}

/* Frees the remaining objects. Returns DTP_ERR_MPI if one of them failed, after freeing all. */
int DTP_pool_free(DTP_t dtp)
{
    int rc = DTP_SUCCESS;
    if (!dtp)
        return DTP_ERR_ARG;
    for (int i = 0; i < dtp->DTP_num_objs; i++)
        if (dtp->DTP_obj_array[i].DTP_obj_private && DTP_obj_free(dtp, i) != DTP_SUCCESS)
            rc = DTP_ERR_MPI;
    free(dtp->DTP_obj_array);
    free(dtp->DTP_private);
    free(dtp);
    return rc;
}

int DTP_pool_elements(DTP_t dtp)
{
    return dtp ? dtp->DTP_private->elements : 0;
}

/* ---- objects ---- */

/* The positions of the elements of one member in an object. */
typedef struct {
    dtp_shape shape;
    size_t offset, bytes; /* from the beginning of the buffer; in all */
} part;

/* The internal data of an object. */
typedef struct {
    unsigned char *memory; /* guard, buffer, guard; owned */
    part part[];           /* one for each member */
} private;

/* Returns DTP_ERR_ARG or DTP_ERR_INDEX unless the object is in the pool. */
static int check_index(DTP_t dtp, int obj_idx)
{
    if (!dtp)
        return DTP_ERR_ARG;
    return obj_idx < 0 || obj_idx >= dtp->DTP_num_objs ? DTP_ERR_INDEX : DTP_SUCCESS;
}

int DTP_obj_describe(DTP_t dtp, int obj_idx, char *text, size_t size)
{
    int rc = check_index(dtp, obj_idx);
    if (rc == DTP_SUCCESS && !text)
        rc = DTP_ERR_ARG;
    if (rc != DTP_SUCCESS)
        return rc;
    const dtp_layout *l = &dtp_layouts[obj_idx];
    const struct DTP_private *p = dtp->DTP_private;
    int at = snprintf(text, size, "%s, %s", l->group, l->name);
    for (int i = 0; i < p->members && at > 0 && (size_t)at < size; i++) {
        dtp_shape s = dtp_shape_of(l, p->member[i].count);
        at += snprintf(text + at, size - (size_t)at, "%s count %lld, blklen %lld, stride %lld", i ? ";" : ":", (long long)s.count,
                       (long long)s.blklen, (long long)s.stride);
    }
    return DTP_SUCCESS;
}

/* Computes the positions of all members' elements in a layout. Returns the size of the
   buffer in bytes, or 0 if it is too large. */
static size_t lay_out(const struct DTP_private *p, const dtp_layout *layout, part *parts)
{
    size_t end = 0;
    for (int i = 0; i < p->members; i++) {
        dtp_shape s = dtp_shape_of(layout, p->member[i].count);
        MPI_Count rows = s.rows ? s.rows : s.count;
        /* The constructors have parameters of type int for displacements and lengths. */
        if ((double)rows * (double)s.stride > INT_MAX)
            return 0;
        size_t span = (size_t)(s.rows ? s.rows * s.stride : dtp_place(&s, p->member[i].count - 1) + 1);
        size_t offset = i == 0 ? 0 : (end + GAP + ALIGN - 1) / ALIGN * ALIGN;
        parts[i] = (part){s, offset, span * p->member[i].kind->size};
        end = offset + parts[i].bytes;
    }
    return end;
}

/* Returns the address of element k of member i. */
static unsigned char *element_address(const DTP_obj_t *o, const struct DTP_private *p, int i, int k)
{
    const part *at = &((private *)o->DTP_obj_private)->part[i];
    return (unsigned char *)o->DTP_obj_buf + at->offset + (size_t)dtp_place(&at->shape, k) * p->member[i].kind->size;
}

/* Returns the value of element i, wrapping around on overflow. */
static int element_value(int start, int stride, int i)
{
    return (int)((unsigned)start + (unsigned)stride * (unsigned)i);
}

/* Makes the datatype of a struct of the members' datatypes. Returns an MPI error code. */
static int make_struct(const struct DTP_private *p, const dtp_layout *layout, const part *parts, MPI_Datatype *type)
{
    size_t n = (size_t)p->members;
    MPI_Datatype *types = malloc(n * sizeof *types);
    MPI_Aint *places = malloc(n * sizeof *places);
    int *counts = malloc(n * sizeof *counts), made = 0, rc = types && places && counts ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    for (; rc == MPI_SUCCESS && made < p->members; made++) {
        const member *m = &p->member[made];
        places[made] = (MPI_Aint)parts[made].offset;
        rc = layout->make(&parts[made].shape, m->type, m->kind->size, &types[made], &counts[made]);
    }
    if (rc == MPI_SUCCESS)
        rc = MPI_Type_create_struct(p->members, counts, places, types, type);
    else if (made > 0)
        made--;
    while (made-- > 0)
        if (types[made] != p->member[made].type)
            MPI_Type_free(&types[made]);
    free(types);
    free(places);
    free(counts);
    return rc;
}

int DTP_obj_create(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count)
{
    int rc = check_index(dtp, obj_idx);
    if (rc != DTP_SUCCESS)
        return rc;
    const struct DTP_private *p = dtp->DTP_private;
    const dtp_layout *layout = &dtp_layouts[obj_idx];
    DTP_obj_t *o = &dtp->DTP_obj_array[obj_idx];
    if (val_count < 0 || val_count > p->elements)
        return DTP_ERR_ARG;
    if (o->DTP_obj_private)
        return DTP_ERR_STATE;

    private *own = malloc(sizeof *own + (size_t)p->members * sizeof *own->part);
    size_t bytes = own ? lay_out(p, layout, own->part) : 0;
    if (bytes == 0 || !(own->memory = malloc(bytes + 2 * GUARD))) {
        free(own);
        return DTP_ERR_SIZE;
    }
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int count = 1;
    if (p->is_struct)
        rc = make_struct(p, layout, own->part, &type);
    else
        rc = layout->make(&own->part->shape, p->member->type, p->member->kind->size, &type, &count);
    if (rc == MPI_SUCCESS && type != p->member->type)
        rc = MPI_Type_commit(&type);
    if (rc != MPI_SUCCESS) {
        free(own->memory);
        free(own);
        return DTP_ERR_MPI;
    }
    for (size_t i = 0; i < bytes + 2 * GUARD; i++)
        own->memory[i] = pattern(i);
    *o = (DTP_obj_t){own->memory + GUARD, count, type, bytes, own};
    for (int i = 0, n = 0; i < p->members; i++)
        for (int k = 0; k < p->member[i].count && n < val_count; k++, n++)
            p->member[i].kind->put(element_address(o, p, i, k), element_value(val_start, val_stride, n));
    return DTP_SUCCESS;
}

/* Frees the datatype and the buffer. The object can be created again. */
int DTP_obj_free(DTP_t dtp, int obj_idx)
{
    int rc = check_index(dtp, obj_idx);
    if (rc != DTP_SUCCESS)
        return rc;
    DTP_obj_t *o = &dtp->DTP_obj_array[obj_idx];
    private *own = o->DTP_obj_private;
    if (!own)
        return DTP_ERR_STATE;
    if (!basic_type(o->DTP_obj_type) && MPI_Type_free(&o->DTP_obj_type) != MPI_SUCCESS)
        rc = DTP_ERR_MPI;
    free(own->memory);
    free(own);
    *o = (DTP_obj_t){.DTP_obj_type = MPI_DATATYPE_NULL};
    return rc;
}

/* ---- checks ---- */

/* Returns the first offset from `from` to `to` - 1, counted from the first guard byte, at
   which the memory differs from the pattern, or `to` if there is none. */
static size_t touched(const unsigned char *memory, size_t from, size_t to)
{
    while (from < to && memory[from] == pattern(from))
        from++;
    return from;
}

/* Writes a description of element n of the object, element k of member i, which should
   have the value. */
static void report_element(const DTP_obj_t *o, const struct DTP_private *p, int i, int k, int n, int value, char *text, size_t size)
{
    const member *m = &p->member[i];
    unsigned char right[sizeof(long double _Complex)] = {0};
    char expected[96], there[96], in[48] = "";
    unsigned char *at = element_address(o, p, i, k);
    m->kind->put(right, value);
    m->kind->show(right, expected, sizeof expected);
    m->kind->show(at, there, sizeof there);
    if (p->is_struct)
        snprintf(in, sizeof in, "element %d of member %d, ", k, i);
    snprintf(text, size, "element %d of %d (%s%s, at byte %zu) is %s, expected %s", n, p->elements, in, m->kind->name,
             (size_t)(at - (unsigned char *)o->DTP_obj_buf), there, expected);
}

/* Writes a description of a byte that has changed. Returns DTP_ERR_GAP or DTP_ERR_GUARD. */
static int report_byte(const DTP_obj_t *o, size_t at, char *text, size_t size)
{
    const unsigned char *memory = ((private *)o->DTP_obj_private)->memory;
    int in = at >= GUARD && at < GUARD + o->DTP_obj_bufsize;
    snprintf(text, size, "byte %lld of the buffer of %zu, %s, was written to: it is 0x%02x, expected 0x%02x",
             (long long)at - GUARD, o->DTP_obj_bufsize, in ? "between elements" : "outside it", memory[at], pattern(at));
    return in ? DTP_ERR_GAP : DTP_ERR_GUARD;
}

int DTP_obj_buf_check_report(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count, char *text, size_t size)
{
    int rc = check_index(dtp, obj_idx);
    if (rc != DTP_SUCCESS)
        return rc;
    const struct DTP_private *p = dtp->DTP_private;
    const DTP_obj_t *o = &dtp->DTP_obj_array[obj_idx];
    if (val_count < 0 || val_count > p->elements || (!text && size > 0))
        return DTP_ERR_ARG;
    if (!o->DTP_obj_private)
        return DTP_ERR_STATE;
    const unsigned char *memory = ((private *)o->DTP_obj_private)->memory;
    if (size > 0)
        *text = 0;
    for (int i = 0, n = 0; i < p->members; i++)
        for (int k = 0; k < p->member[i].count && n < val_count; k++, n++)
            if (!p->member[i].kind->same(element_address(o, p, i, k), element_value(val_start, val_stride, n))) {
                report_element(o, p, i, k, n, element_value(val_start, val_stride, n), text, size);
                return DTP_ERR_ELEMENT;
            }
    /* In all layouts, the elements follow each other in memory. So check the bytes from the
       end of one element to the beginning of the next. */
    size_t at = 0;
    for (int i = 0; i < p->members; i++)
        for (int k = 0; k < p->member[i].count; k++) {
            size_t next = (size_t)(element_address(o, p, i, k) - memory), found = touched(memory, at, next);
            if (found < next)
                return report_byte(o, found, text, size);
            at = next + p->member[i].kind->size;
        }
    size_t end = GUARD + o->DTP_obj_bufsize + GUARD, found = touched(memory, at, end);
    return found < end ? report_byte(o, found, text, size) : DTP_SUCCESS;
}

int DTP_obj_buf_check(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count)
{
    return DTP_obj_buf_check_report(dtp, obj_idx, val_start, val_stride, val_count, NULL, 0);
}

const char *DTP_error_string(int code)
{
    static const char *const words[] = {
        [DTP_SUCCESS] = "no error",
        [DTP_ERR_ARG] = "an argument is NULL, less than 1, or more than the pool has",
        [DTP_ERR_TYPE] = "the type is not one of the basic types",
        [DTP_ERR_INDEX] = "the pool has no object with that index",
        [DTP_ERR_STATE] = "the object exists already, or does not exist yet",
        [DTP_ERR_ENV] = "DTP_NUM_OBJS (-1, or at least 1), DTP_RUNTIME_TYPES or DTP_DATATYPE_FILE is invalid",
        [DTP_ERR_SIZE] = "the layout needs more memory than is available, or more than an int can count",
        [DTP_ERR_MPI] = "an MPI function failed",
        [DTP_ERR_ELEMENT] = "an element has a wrong value",
        [DTP_ERR_GAP] = "a byte between the elements was written to",
        [DTP_ERR_GUARD] = "a byte outside the buffer was written to",
    };
    return code < 0 || code > DTP_ERR_GUARD ? "not an error code of the datatype pools" : words[code];
}
