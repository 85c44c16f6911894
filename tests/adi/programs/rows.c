/* Runs one row of the interface as a job: `rows A2`. Prints "A2: right". */
#include "rows.h"

#include "check.h"

static const struct row {
    const char *name;
    void (*run)(void);
    bool sleeps; /* waits go to sleep at once */
} rows[] = {
    {"A2", row_A2, false}, {"A3", row_A3, false}, {"A4", row_A4, false}, {"A6", row_A6, false}, {"A7", row_A7, false}, {"A8", row_A8, false},
    {"A9", row_A9, false}, {"A10", row_A10, true}, {"A11", row_A11, false}, {"A12", row_A12, false}, {"A13", row_A13, false},
    {"A15", row_A15, false}, {"A16", row_A16, false}, {"A18", row_A18, false}, {"A19", row_A19, false}, {"A20", row_A20, false},
    {"A21", row_A21, false}, {"A23", row_A23, false}, {"A26", row_A26, false}, {"A28", row_A28, false}, {"A29", row_A29, false},
};

static int rank_main(int argc, char **argv)
{
    struct MPID_Config config;
    int err = UNTOUCHED;
    const struct row *row = NULL;
    for (size_t i = 0; argc > 1 && i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, argv[1]))
            row = &rows[i];
    if (!row) {
        fprintf(stderr, "rows: %s is not a row\n", argc > 1 ? argv[1] : "nothing");
        return 2;
    }
    MPID_Config_init(&config);
    if (row->sleeps)
        config.spin_us = 0;
    MPID_Init(&argc, &argv, &config, &err);
    EQUAL(UNTOUCHED, err);
    row->run();
    meet();
    if (MPID_MyWorldRank == 0)
        printf("%s: right\n", row->name);
    fflush(stdout);
    MPID_End();
    return 0;
}

int main(int argc, char **argv) { return adi_main(argc, argv, 2, rank_main); }
