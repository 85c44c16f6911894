/*
 * Runs the cases that the command line selects, and writes the verdict of each
 * (results.h).
 */
#define _GNU_SOURCE
#include "layouts.h"
#include "verify.h"

#include <dlfcn.h>
#include <stdarg.h>

/* Ends the program with an error of the command line or the environment: as a line of the
   report if that is open, else on stderr. Does not return. */
static void refuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (is_open()) {
        put_line("error ", format, args);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
    } else {
        fprintf(stderr, "verify: ");
        vfprintf(stderr, format, args);
        fprintf(stderr, "\n");
    }
    va_end(args);
    exit(2);
}

/* ---- cases ---- */

enum { MOST = 64 };
#define TABLE_NAME(name) TABLE_TEXT(name)
#define TABLE_TEXT(name) #name

/* The options; results to pairs have the values of the options of the same name. */
static struct {
    const char *results, *tests, *signatures, *counts, *pairs, *one; /* one is the value of --case, or NULL if not given */
    const char *sample;                                              /* not NULL: a small part of the cases (in_sample) */
    const char *layouts;                                             /* paths of libraries, separated by commas, or NULL */
    long skip;                                                       /* cases to leave out at the beginning */
} options = {.pairs = "few", .signatures = "all", .counts = "1,64"};

/* A signature with its name; both are never freed. */
typedef struct {
    char *name;
    DTP_signature_t *of;
} signature;

static signature *signatures; /* num_signatures, allocated */
static int counts[MOST], num_signatures, num_counts;
static int chosen[256];      /* by test: not 0 if it is selected */
static int only_s = -1, only_r = -1; /* the layouts of --case, or -1 for all */
static int objects;          /* the number of layouts in each pool */
static long number;          /* number of the next case */
static const char *file;     /* see place */

/* Returns the name of the only type of a signature, or "" for a struct. */
static const char *type_name(const signature *s)
{
    static char name[64];
    snprintf(name, sizeof name, "%.*s", s->of->n == 1 ? (int)strcspn(s->name, "*") : 0, s->name);
    return name;
}

/* Reports whether a test has cases of a signature. */
static int takes(const test *t, const signature *s)
{
    /* Not arithmetic: types that are not numbers, and types so small that sums overflow,
       because libraries saturate or wrap. */
    static const char *const others[] = {"MPI_CHAR", "MPI_WCHAR", "MPI_BYTE", "MPI_UNSIGNED_CHAR", "MPI_INT8_T", "MPI_UINT8_T",
                                         "MPI_UNSIGNED_SHORT", "MPI_UINT16_T"};
    int number = s->of->n == 1 && !has_pair(s->name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        number = number && strcmp(type_name(s), others[i]) != 0;
    switch (t->takes) {
    case ANY: return 1;
    case NO_PAIRS: return !has_pair(s->name);
    case ONE_TYPE: return s->of->n == 1;
    default: return number;
    }
}

/* Reports whether layouts s and r are a case of a test. */
static int is_case(const test *t, int s, int r)
{
    if (t->over == SIGNATURES)
        return s == 0 && r == 0;
    if (only_s >= 0)
        return s == only_s && r == only_r;
    if (t->over == OBJECTS)
        return s == r;
    if (strcmp(options.pairs, "all") == 0)
        return 1;
    if (r == (s + 1) % objects)
        return 1;
    return strcmp(options.pairs, "some") == 0 && (r == s || r == 0);
}

/* Reports whether layouts s and r are in a sample of a test's cases: those that follow each other. */
static int in_sample(const test *t, int s, int r) { return t->over == SIGNATURES || s == r || r == (s + 1) % objects; }

/* Frees all objects of a pool that exist. */
static void free_objects(DTP_t p)
{
    for (int i = 0; i < p->DTP_num_objs; i++)
        if (p->DTP_obj_array[i].DTP_obj_private)
            DTP_obj_free(p, i);
}

/* Runs the cases of a test with one signature and one count. The pools are made for
   the first case that is not skipped. */
static void run_group(const test *t, const signature *s, int count)
{
    char function[64];
    snprintf(function, sizeof function, "%.*s", (int)strcspn(t->name, ":"), t->name);
    place p = {.basic = s->of->n == 1 ? s->of->types[0] : MPI_DATATYPE_NULL, .type = type_name(s), .name = s->name, .signature = s->of,
               .count = count, .function = function, .file = file};
    for (int i = 0, begun = 0; i < objects * objects; i++) {
        p.s = i / objects;
        p.r = i % objects;
        if (!is_case(t, p.s, p.r) || number++ < options.skip || (options.sample && !in_sample(t, p.s, p.r)))
            continue;
        if (!begun++) {
            int rc = DTP_pool_create_signature(s->of, count, &p.from);
            if (rc != DTP_SUCCESS || (rc = DTP_pool_create_signature(s->of, count * t->times, &p.to)) != DTP_SUCCESS)
                refuse("%s × %d: %s", s->name, count, DTP_error_string(rc));
            p.elements = DTP_pool_elements(p.from);
            put("group %s/%s/%d", t->name, s->name, count);
        }
        put("case %ld %d %d", number - 1, p.s, p.r);
        p.number = (int)(number % 1000);
        is_judged = 0;
        t->run(&p, t->variant);
        free_objects(p.from);
        free_objects(p.to);
    }
    if (p.from) {
        DTP_pool_free(p.from);
        DTP_pool_free(p.to);
    }
}

/* Reports whether a test is selected and there are enough ranks. */
static int runs(int t) { return chosen[t] && tests[t].ranks <= size; }

/* Writes the lines "test" and "total". */
static void announce(void)
{
    long total = 0;
    for (int t = 0; t < num_tests; t++) {
        long group = 0, groups = 0;
        if (!runs(t))
            continue;
        for (int i = 0; i < objects * objects; i++)
            group += is_case(&tests[t], i / objects, i % objects);
        for (int s = 0; s < num_signatures; s++)
            groups += takes(&tests[t], &signatures[s]) ? num_counts : 0;
        put("test %s %ld %ld", tests[t].name, groups * group, group);
        total += groups * group;
    }
    put("total %ld", total);
}

/* Runs all cases, in an order that is the same on all ranks; in a sample, only the first signature
   of each test. */
static void run_all(void)
{
    for (int t = 0; t < num_tests; t++)
        for (int s = 0, taken = 0; s < num_signatures && !(options.sample && taken); s++) {
            taken = runs(t) && takes(&tests[t], &signatures[s]);
            for (int c = 0; c < num_counts && taken; c++)
                run_group(&tests[t], &signatures[s], counts[c]);
        }
}

/* ---- the command line ---- */

/* Selects the tests of a list of tests and chapters, separated by commas. */
static void choose_tests(const char *list)
{
    char *words = strdup(list), *rest = NULL;
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        int found = 0;
        for (int t = 0; t < num_tests; t++)
            if (strcmp(word, tests[t].name) == 0 || strcmp(word, tests[t].chapter) == 0)
                found = chosen[t] = 1;
        if (!found)
            refuse("no test or chapter is called %s: --list shows them", word);
    }
    free(words);
}

/* Adds a signature by its name, as DTP_signature_parse accepts it, unless it is there already. */
static void add_signature(const char *name)
{
    char text[512];
    for (int i = 0; i < num_signatures; i++)
        if (strcmp(signatures[i].name, name) == 0)
            return;
    signatures = realloc(signatures, ((size_t)num_signatures + 1) * sizeof *signatures);
    signature *s = signatures ? &signatures[num_signatures] : NULL;
    if (!s || !(s->name = strdup(name)))
        refuse("no memory for the signature %s: name fewer", name);
    int rc = DTP_signature_parse(name, &s->of, text, sizeof text);
    if (rc != DTP_SUCCESS)
        refuse("%s", rc == DTP_ERR_TYPE ? text : DTP_error_string(rc));
    num_signatures++;
}

/* Reports whether a list of names has all types of a signature. */
static int has_types(char **names, const signature *s)
{
    for (int i = 0; i < s->of->n; i++) {
        int k = 0;
        while (names[k] && strcmp(names[k], DTP_type_name(s->of->types[i])) != 0)
            k++;
        if (!names[k])
            return 0;
    }
    return 1;
}

/* Selects the signatures of a list, in which `all` means each basic type. If the environment names signatures
   (DTP_RUNTIME_TYPES, DTP_DATATYPE_FILE), these are selected instead, and the structs of the list that have no other types. */
static void choose_signatures(const char *list)
{
    char text[512], **names, *words = strdup(list), *rest = NULL;
    int n, named = getenv("DTP_RUNTIME_TYPES") || getenv("DTP_DATATYPE_FILE");
    int rc = DTP_runtime_signatures(&n, &names, text, sizeof text);
    if (rc != DTP_SUCCESS)
        refuse("%s", rc == DTP_ERR_ENV ? text : DTP_error_string(rc));
    for (int i = 0; named && i < n; i++)
        add_signature(names[i]);
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        if (strcmp(word, "all") == 0) {
            for (int i = 0; !named && i < n; i++)
                add_signature(names[i]);
            continue;
        }
        int before = num_signatures;
        add_signature(word);
        const signature *s = &signatures[num_signatures - 1];
        if (named && num_signatures > before && (s->of->n == 1 || !has_types(names, s)))
            num_signatures--;
    }
    DTP_names_free(names);
    free(words);
}

/* ---- layouts ---- */

/* Adds the layouts of the libraries in a list that is separated by commas (layouts.h). */
static void add_layouts(const char *list)
{
    char *words = strdup(list), *rest = NULL;
    for (char *path = strtok_r(words, ",", &rest); path; path = strtok_r(NULL, ",", &rest)) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            refuse("--layouts %s: cannot be opened: %s: compile it with the mpicc of the tests' family, with -shared -fPIC", path,
                   dlerror());
        const dtp_layout *table = dlsym(library, TABLE_NAME(DTP_ADDED_LAYOUTS));
        if (!table)
            refuse("--layouts %s: has no table %s: define DTP_ADDED_LAYOUTS with the layouts.h of this wi4go", path,
                   TABLE_NAME(DTP_ADDED_LAYOUTS));
        int n = 0;
        while (table[n].name)
            n++;
        if (DTP_layouts_add(table, n) != DTP_SUCCESS)
            refuse("--layouts %s: the table has no layout, or a layout without a group, set, place or make: complete it", path);
    }
    free(words);
}

/* Selects the counts of a list. */
static void choose_counts(const char *list)
{
    char *words = strdup(list), *rest = NULL;
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        char *end;
        long n = strtol(word, &end, 10);
        if (*end || n < 1 || n > 1 << 24)
            refuse("count %s: give a number from 1 to %d", word, 1 << 24);
        if (num_counts == MOST)
            refuse("more than %d counts", MOST);
        counts[num_counts++] = (int)n;
    }
    if (num_counts == 0)
        refuse("no count");
    free(words);
}

/* Selects one case, TEST/SIGNATURE/COUNT/SENDER/RECEIVER, or the group of cases without
   the two layouts. */
static void choose_case(const char *name)
{
    char *words = strdup(name), *rest = words, *part[5] = {0}, *end;
    int n = 0;
    while (n < 5 && (part[n] = strsep(&rest, "/")))
        n++;
    if (rest || (n != 3 && n != 5))
        refuse("case %s: write it as TEST/SIGNATURE/COUNT or TEST/SIGNATURE/COUNT/SENDER/RECEIVER", name);
    choose_tests(part[0]);
    add_signature(part[1]);
    choose_counts(part[2]);
    for (int i = 3; i < n; i++) {
        long index = strtol(part[i], &end, 10);
        if (!*part[i] || *end || index < 0 || index > 1000)
            refuse("case %s: %s is not the number of a layout", name, part[i]);
        *(i == 3 ? &only_s : &only_r) = (int)index;
    }
    free(words);
}

/* Reads the command line. */
static void read_options(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        struct {
            const char *name, **to;
        } of[] = {{"--results", &options.results}, {"--tests", &options.tests}, {"--signatures", &options.signatures},
                  {"--counts", &options.counts},   {"--pairs", &options.pairs}, {"--case", &options.one}, {"--sample", &options.sample},
                  {"--layouts", &options.layouts}};
        size_t k = 0;
        while (k < sizeof of / sizeof *of && strcmp(argv[i], of[k].name) != 0)
            k++;
        if (k < sizeof of / sizeof *of && value)
            *of[k].to = value;
        else if (strcmp(argv[i], "--skip") == 0 && value)
            options.skip = atol(value);
        else
            refuse("%s: the options are --list, --results DIR, --tests, --signatures, --counts, --pairs few|some|all, --case, --skip, --sample 1, --layouts FILE.so", argv[i]);
        i++;
    }
    if (!options.results)
        refuse("--results DIR is missing: give it");
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (int t = 0; t < num_tests; t++)
            printf("%s\t%s\t%d\n", tests[t].name, tests[t].chapter, tests[t].ranks);
        return 0;
    }
    read_options(argc, argv);
    /* Open the report before MPI_Init, so that it exists if MPI_Init fails. */
    file = open_results(options.results);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    put("rank %d %d", rank, size);
    tell_signals();

    if (options.one) {
        choose_case(options.one);
    } else {
        for (int t = 0; t < num_tests && !options.tests; t++)
            chosen[t] = 1;
        if (options.tests)
            choose_tests(options.tests);
        choose_signatures(options.signatures);
        choose_counts(options.counts);
    }
    if (strcmp(options.pairs, "few") != 0 && strcmp(options.pairs, "some") != 0 && strcmp(options.pairs, "all") != 0)
        refuse("--pairs %s: give few, some or all", options.pairs);
    if (options.layouts)
        add_layouts(options.layouts);
    /* Every pool contains the same number of layouts. */
    DTP_t any;
    int rc = DTP_pool_create(MPI_INT, 1, &any);
    if (rc == DTP_ERR_ENV)
        refuse("DTP_NUM_OBJS=%s: set it to the number of layouts of a pool, from 1, or to -1 for all", getenv("DTP_NUM_OBJS"));
    if (rc != DTP_SUCCESS)
        refuse("%s", DTP_error_string(rc));
    objects = any->DTP_num_objs;
    DTP_pool_free(any);
    if (only_s >= objects || only_r >= objects)
        refuse("case %s: no such layout: a pool has the layouts 0 to %d", options.one, objects - 1);

    announce();
    run_all();
    put("end");
    MPI_Finalize();
    return 0;
}
