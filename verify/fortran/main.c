/*
 * Runs the Fortran cases that the command line selects. It accepts the command line of
 * verify/main.c, but uses no datatype pools: a case is a test, a Fortran type and a count.
 */
#include "binding.h"

/* The types that --signatures may name. */
static const kind kinds[] = {
    {"MPI_INTEGER", F_MPI_INTEGER, 4}, {"MPI_DOUBLE_PRECISION", F_MPI_DOUBLE_PRECISION, 8}, {"MPI_CHARACTER", F_MPI_CHARACTER, 1},
    {"MPI_COMPLEX", F_MPI_COMPLEX, 8}, {"MPI_REAL", F_MPI_REAL, 4},                         {"MPI_LOGICAL", F_MPI_LOGICAL, 4},
    {"MPI_DOUBLE_COMPLEX", F_MPI_DOUBLE_COMPLEX, 16},
};
enum { KINDS = sizeof kinds / sizeof *kinds, MOST = 64 }; /* MOST: types, and counts, of a run */

/* ---- the command line ---- */

/* The options. --pairs is accepted and ignored. */
static struct {
    const char *results, *tests, *signatures, *counts, *pairs, *one;
    const char *sample; /* not NULL: only the first type of each test */
    long skip;
} options = {.signatures = "MPI_INTEGER", .counts = "1"};

static const kind *types[MOST];
static MPI_Fint counts[MOST];
static int num_types, num_counts, chosen[64]; /* chosen: by test, not 0 if it is selected */

/* Ends the program with an error of the command line: as a line of the report if that is
   open, else on stderr. Does not return. */
static void refuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (is_open()) {
        put_line("error ", format, args);
        PLAIN(barrier)(INT(F_MPI_COMM_WORLD), &ierror);
        PLAIN(finalize)(&ierror);
    } else {
        fprintf(stderr, "verify: ");
        vfprintf(stderr, format, args);
        fprintf(stderr, "\n");
    }
    va_end(args);
    exit(2);
}

/* Selects a test, or all tests by the name of the chapter. */
static void add_test(const char *word)
{
    int found = 0;
    for (int t = 0; t < num_tests; t++)
        if (strcmp(word, tests[t].name) == 0 || strcmp(word, CHAPTER) == 0)
            found = chosen[t] = 1;
    if (!found)
        refuse("no test or chapter is called %s: --list shows them", word);
}

/* Selects a type. */
static void add_type(const char *word)
{
    for (int i = 0; i < KINDS; i++)
        if (strcmp(word, kinds[i].name) == 0 && num_types < MOST) {
            types[num_types++] = &kinds[i];
            return;
        }
    refuse("%s is not a type of the tests in Fortran: use MPI_INTEGER, MPI_DOUBLE_PRECISION, …", word);
}

/* Selects a count. */
static void add_count(const char *word)
{
    char *end;
    long n = strtol(word, &end, 10);
    if (*end || n < 1 || n > 1 << 24 || num_counts == MOST)
        refuse("count %s: give a number from 1 to %d", word, 1 << 24);
    counts[num_counts++] = (MPI_Fint)n;
}

/* Calls take for each word of a list that is separated by commas. */
static void for_each_word(const char *list, void (*take)(const char *))
{
    char *words = strdup(list), *rest = NULL;
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        take(word);
    free(words);
}

/* Selects one case, TEST/TYPE/COUNT. Two more numbers may follow, and are ignored. */
static void choose_case(const char *name)
{
    char *words = strdup(name), *rest = words, *part[3] = {0};
    for (int i = 0; i < 3; i++)
        if (!(part[i] = strsep(&rest, "/")))
            refuse("case %s: write it as TEST/TYPE/COUNT", name);
    add_test(part[0]);
    add_type(part[1]);
    add_count(part[2]);
    free(words);
}

/* Reads the command line. */
static void read_options(int argc, char **argv)
{
    struct {
        const char *name, **to;
    } of[] = {{"--results", &options.results}, {"--tests", &options.tests}, {"--signatures", &options.signatures},
              {"--counts", &options.counts},   {"--pairs", &options.pairs}, {"--case", &options.one}, {"--sample", &options.sample}};
    for (int i = 1; i + 1 < argc; i += 2) {
        size_t k = 0;
        while (k < sizeof of / sizeof *of && strcmp(argv[i], of[k].name) != 0)
            k++;
        if (k < sizeof of / sizeof *of)
            *of[k].to = argv[i + 1];
        else if (strcmp(argv[i], "--skip") == 0)
            options.skip = atol(argv[i + 1]);
        else
            refuse("%s: the options are --list, --results DIR, --tests, --signatures, --counts, --case, --skip, --sample 1", argv[i]);
    }
    if (!options.results)
        refuse("--results DIR is missing: give it");
}

/* ---- the cases ---- */

/* Reports whether a test is selected and there are enough ranks. */
static int runs(int t) { return chosen[t] && tests[t].ranks <= size; }
/* Return the number of types and of counts that a test has cases for. */
static int types_of(const test *t) { return t->over ? num_types : 1; }
static int counts_of(const test *t) { return t->over ? num_counts : 1; }

/* Writes the lines "test" and "total". */
static void announce(void)
{
    int total = 0;
    for (int t = 0; t < num_tests; t++)
        if (runs(t)) {
            put("test %s %d 1", tests[t].name, types_of(&tests[t]) * counts_of(&tests[t]));
            total += types_of(&tests[t]) * counts_of(&tests[t]);
        }
    put("total %d", total);
}

/* Runs all cases, in an order that is the same on all ranks. */
static void run_all(void)
{
    long number = 0;
    for (int t = 0; t < num_tests; t++)
        for (int i = 0; runs(t) && i < (options.sample ? 1 : types_of(&tests[t])); i++)
            for (int c = 0; c < counts_of(&tests[t]); c++) {
                if (number++ < options.skip)
                    continue;
                put("group %s/%s/%d", tests[t].name, types[i]->name, counts[c]);
                put("case %ld 0 0", number - 1);
                is_judged = 0;
                tests[t].run(&(place){types[i], counts[c]});
            }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (int t = 0; t < num_tests; t++)
            printf("%s\t%s\t%d\n", tests[t].name, CHAPTER, tests[t].ranks);
        return 0;
    }
    read_options(argc, argv);
    /* Open the report before MPI_INIT, so that it exists if MPI_INIT fails. */
    file = open_results(options.results);
    const MPI_Fint world = F_MPI_COMM_WORLD, returned = F_MPI_ERRORS_RETURN;
    PLAIN(init)(&ierror);
    PLAIN(comm_rank)(&world, &rank, &ierror);
    PLAIN(comm_size)(&world, &size, &ierror);
    PLAIN(comm_set_errhandler)(&world, &returned, &ierror);
    PLAIN(comm_set_errhandler)(INT(F_MPI_COMM_SELF), &returned, &ierror);
    put("rank %d %d", rank, size);
    tell_signals();
    if (options.one) {
        choose_case(options.one);
    } else {
        for_each_word(options.tests ? options.tests : CHAPTER, add_test);
        for_each_word(options.signatures, add_type);
        for_each_word(options.counts, add_count);
    }
    announce();
    run_all();
    put("end");
    PLAIN(finalize)(&ierror);
    return 0;
}
