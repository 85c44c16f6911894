/* Signatures by name, and the lists of signatures in the environment. There is no state. */
#include "types.h"
#include "basic_types.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n,"; /* separators in lists of signatures */

/* ---- one signature ---- */

/* Returns the number that a text is, or 0 unless it is one from 1 to INT_MAX. */
static int count_from_text(const char *text)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    return *text < '0' || *text > '9' || *end || errno || n < 1 || n > INT_MAX ? 0 : (int)n;
}

/* Fills in member m of the signature `name` from its word, which it modifies. Returns a DTP code, for DTP_ERR_TYPE with a
   message in text. */
static int read_member(const char *name, int m, char *word, DTP_signature_t *s, char *text, size_t size)
{
    char *count = strchr(word, '*');
    if (count)
        *count++ = 0;
    s->types[m] = DTP_type_of(word);
    s->counts[m] = count ? count_from_text(count) : 1;
    const char *whole = s->n > 1 ? name : "", *colon = s->n > 1 ? ": " : "";
    if (!*word)
        snprintf(text, size, "%s: member %d has no name: write a struct as MPI_INT*3+MPI_DOUBLE", *name ? name : "an empty type", m + 1);
    else if (s->types[m] == MPI_DATATYPE_NULL) {
        const char *like = DTP_type_like(word);
        snprintf(text, size, "%s%s%s is not a basic type of the pools: %s%s%suse MPI_CHAR, MPI_INT, … (dtpools.h)", whole, colon, word,
                 like ? "did you mean " : "", like ? like : "", like ? "? " : "");
    } else if (!s->counts[m])
        snprintf(text, size, "%s%s%s*%s: \"%s\" is not a count: write a number from 1 to %d after one *", whole, colon, word, count,
                 count, INT_MAX);
    else if (s->counts[m] > INT_MAX - s->elements)
        snprintf(text, size, "%s: all members together have more than %d elements: reduce the counts", name, INT_MAX);
    else {
        s->elements += s->counts[m];
        return DTP_SUCCESS;
    }
    return DTP_ERR_TYPE;
}

/* Makes the signature and its arrays in one allocation. */
int DTP_signature_parse(const char *name, DTP_signature_t **made, char *text, size_t size)
{
    int n = 1, rc = DTP_SUCCESS;
    if (made)
        *made = NULL;
    if (!name || !made || (!text && size > 0))
        return DTP_ERR_ARG;
    if (size > 0)
        *text = 0;
    for (const char *at = name; (at = strchr(at, '+')); at++)
        n++;
    DTP_signature_t *s = malloc(sizeof *s + (size_t)n * (sizeof *s->types + sizeof *s->counts));
    char *words = strdup(name), *rest = words;
    if (!s || !words) {
        free(s);
        free(words);
        return DTP_ERR_SIZE;
    }
    s->n = n;
    s->elements = 0;
    s->types = (MPI_Datatype *)(s + 1);
    s->counts = (int *)(s->types + n);
    for (int m = 0; rc == DTP_SUCCESS && m < n; m++)
        rc = read_member(name, m, strsep(&rest, "+"), s, text, size);
    free(words);
    if (rc == DTP_SUCCESS)
        *made = s;
    else
        free(s);
    return rc;
}

/* Makes a pool of one type without the detour by a struct. */
int DTP_pool_create_signature(const DTP_signature_t *signature, int count, DTP_t *dtp)
{
    if (dtp)
        *dtp = NULL;
    if (!signature || !dtp || count < 1)
        return DTP_ERR_ARG;
    if (signature->elements > INT_MAX / count)
        return DTP_ERR_SIZE;
    if (signature->n == 1)
        return DTP_pool_create(signature->types[0], signature->counts[0] * count, dtp);
    int *counts = malloc((size_t)signature->n * sizeof *counts);
    if (!counts)
        return DTP_ERR_SIZE;
    for (int i = 0; i < signature->n; i++)
        counts[i] = signature->counts[i] * count;
    int rc = DTP_pool_create_struct(signature->n, signature->types, counts, dtp);
    free(counts);
    return rc;
}

/* ---- lists ---- */

/* A list of names of signatures. */
typedef struct {
    char **names; /* n names and NULL; owned, and so is each name */
    int n;
} list;

/* Reports whether a list has a name. */
static int has_name(const list *l, const char *name)
{
    for (int i = 0; i < l->n; i++)
        if (strcmp(l->names[i], name) == 0)
            return 1;
    return 0;
}

/* Appends a name, unless the list has it. Returns DTP_SUCCESS or DTP_ERR_SIZE. */
static int append_name(list *l, const char *name)
{
    if (l->names && has_name(l, name))
        return DTP_SUCCESS;
    char **more = realloc(l->names, ((size_t)l->n + 2) * sizeof *more), *copy = more ? strdup(name) : NULL;
    if (more)
        l->names = more;
    if (!copy)
        return DTP_ERR_SIZE;
    more[l->n++] = copy;
    more[l->n] = NULL;
    return DTP_SUCCESS;
}

/* Appends the signatures in a text, which it modifies. If one is not valid, writes a message about `origin` to text and returns
   DTP_ERR_ENV. */
static int append_words(list *l, char *words, const char *origin, char *text, size_t size)
{
    char *rest = NULL, why[512];
    int rc = DTP_SUCCESS;
    for (char *word = strtok_r(words, blanks, &rest); rc == DTP_SUCCESS && word; word = strtok_r(NULL, blanks, &rest)) {
        DTP_signature_t *s;
        rc = DTP_signature_parse(word, &s, why, sizeof why);
        if (rc == DTP_ERR_TYPE) {
            snprintf(text, size, "%s: %s", origin, why);
            return DTP_ERR_ENV;
        }
        free(s);
        if (rc == DTP_SUCCESS)
            rc = append_name(l, word);
    }
    return rc;
}

/* Appends the signatures in the lines of a file. */
static int append_file(list *l, const char *name, char *text, size_t size)
{
    char *line = NULL, origin[512];
    size_t room = 0;
    FILE *file = fopen(name, "r");
    int rc = DTP_SUCCESS;
    for (int number = 1; file && rc == DTP_SUCCESS && getline(&line, &room, file) >= 0; number++) {
        line[strcspn(line, "#")] = 0;
        snprintf(origin, sizeof origin, "DTP_DATATYPE_FILE: %s:%d", name, number);
        rc = append_words(l, line, origin, text, size);
    }
    if (!file || ferror(file)) {
        snprintf(text, size, "DTP_DATATYPE_FILE: cannot read %s: %s: set it to a readable file, or unset it", name, strerror(errno));
        rc = DTP_ERR_ENV;
    }
    free(line);
    if (file)
        fclose(file);
    return rc;
}

/* Reports whether a signature is in a list, or each type of its members is. */
static int covers(const list *l, const char *name)
{
    if (has_name(l, name))
        return 1;
    char *words = strdup(name), *rest = words;
    int all = words != NULL;
    for (char *word; all && (word = strsep(&rest, "+"));) {
        word[strcspn(word, "*")] = 0;
        all = has_name(l, word);
    }
    free(words);
    return all;
}

static void free_list(list *l)
{
    for (int i = 0; i < l->n; i++)
        free(l->names[i]);
    free(l->names);
}

void DTP_names_free(char **names)
{
    for (int i = 0; names && names[i]; i++)
        free(names[i]);
    free(names);
}

/* Appends to `both` the names of one list that the other list covers. */
static int append_covered(list *both, const list *one, const list *other)
{
    int rc = DTP_SUCCESS;
    for (int i = 0; rc == DTP_SUCCESS && i < one->n; i++)
        if (covers(other, one->names[i]))
            rc = append_name(both, one->names[i]);
    return rc;
}

/* The list of the file comes first, then the structs that only DTP_RUNTIME_TYPES names. */
int DTP_runtime_signatures(int *n, char ***names, char *text, size_t size)
{
    static const char *const configured[] = {DTP_SIGNATURE_LIST};
    const char *file = getenv("DTP_DATATYPE_FILE"), *only = getenv("DTP_RUNTIME_TYPES");
    list listed = {0}, limited = {0}, both = {0};
    int rc = DTP_SUCCESS;
    if (!n || !names || (!text && size > 0))
        return DTP_ERR_ARG;
    if (size > 0)
        *text = 0;
    if (file && *file)
        rc = append_file(&listed, file, text, size);
    else
        for (size_t i = 0; rc == DTP_SUCCESS && i < sizeof configured / sizeof *configured; i++)
            rc = append_name(&listed, configured[i]);
    if (rc == DTP_SUCCESS && only) {
        char *words = strdup(only);
        rc = words ? append_words(&limited, words, "DTP_RUNTIME_TYPES", text, size) : DTP_ERR_SIZE;
        free(words);
    }
    if (rc == DTP_SUCCESS)
        rc = append_covered(&both, &listed, only ? &limited : &listed);
    if (rc == DTP_SUCCESS && only)
        rc = append_covered(&both, &limited, &listed);
    free_list(&listed);
    free_list(&limited);
    if (rc == DTP_SUCCESS && both.n == 0) {
        snprintf(text, size, "%s: the list has no types: name one that %s has", only ? "DTP_RUNTIME_TYPES" : "DTP_DATATYPE_FILE",
                 file ? "DTP_DATATYPE_FILE" : "DTP_basic_types");
        rc = DTP_ERR_ENV;
    }
    if (rc != DTP_SUCCESS) {
        free_list(&both);
        return rc;
    }
    *n = both.n;
    *names = both.names;
    return DTP_SUCCESS;
}

/* Leaves out the structs of the list. */
int DTP_runtime_types(int *n, MPI_Datatype *types, char *text, size_t size)
{
    char **names;
    int all, rc;
    if (!n || !types)
        return DTP_ERR_ARG;
    if ((rc = DTP_runtime_signatures(&all, &names, text, size)) != DTP_SUCCESS)
        return rc;
    *n = 0;
    for (int i = 0; i < all; i++)
        if (DTP_type_of(names[i]) != MPI_DATATYPE_NULL)
            types[(*n)++] = DTP_type_of(names[i]);
    DTP_names_free(names);
    if (*n > 0)
        return DTP_SUCCESS;
    snprintf(text, size, "DTP_RUNTIME_TYPES, DTP_DATATYPE_FILE: the list has only structs: name a basic type, or call "
                         "DTP_runtime_signatures");
    return DTP_ERR_ENV;
}
