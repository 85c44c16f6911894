/*
 * every.c: calls every function of MPI that the front of a family exports, for `make bench-all`.
 *
 *   every FIRST SELECTION     for callgrind, started with --collect-atstart=no
 *
 * The benchmark generates rows.h, which defines a function for each row. A row's function repeats its calls; only the
 * code in COUNT is collected. SELECTION contains a character for each row; rows for which it is not 1, and rows before FIRST, are left out.
 * Rank 0 prints a line before each row, and another one after it: "result counted", or the reason for which it was not.
 * A row that has been counted has `batches` dumps of `repeats` operations each, which are named "INDEX REPEATS".
 */
#define _GNU_SOURCE
#include MPI_H
#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
/* Without valgrind's header the program counts nothing. */
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#define CALLGRIND_ZERO_STATS ((void)0)
#define CALLGRIND_TOGGLE_COLLECT ((void)0)
#endif

/* Families lack some of the functions that need these. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"

/* The operations before the first dump, the dumps of a row, and the operations in each of them. */
enum { warming = 3, batches = 3, repeats = 4 };

/* Collects the instructions of some calls. */
#define COUNT(...) \
	do { \
		CALLGRIND_TOGGLE_COLLECT; \
		__VA_ARGS__; \
		CALLGRIND_TOGGLE_COLLECT; \
	} while (0)

#include "heap.h"
#include "every_objects.h"

/* ---- rows ---- */

struct row {
	const char *name;     /* for messages */
	const char *function; /* the function to look up */
	void (*run)(void *function, int times);
};

#include "rows.h"

enum { nrows = sizeof rows / sizeof rows[0] };

/* Measures a row. Returns 0 if the row was left. */
static int count_row(int i) {
	if (setjmp(abandoned))
		return 0;
	void *function = find(rows[i].function);
	rows[i].run(function, warming);
	for (int b = 0; b < batches; b++) {
		char name[32];
		snprintf(name, sizeof name, "%d %d", i, repeats);
		CALLGRIND_ZERO_STATS;
		rows[i].run(function, repeats);
		CALLGRIND_DUMP_STATS_AT(name);
	}
	return 1;
}

int main(int argc, char **argv) {
	if (argc < 3) {
		fprintf(stderr, "usage: every FIRST SELECTION\n");
		return 2;
	}
	const char *selection = argv[2];
	const int selected = (int)strlen(selection);
	int provided;
	MPI_Init(&argc, &argv);
	MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
	create_lasting_objects();
	for (int i = 0; i < 10; i++) /* more than malloc keeps for each thread */
		fill_bins(24);
	for (int i = atoi(argv[1]); i < nrows && i < selected; i++) {
		if (selection[i] != '1')
			continue;
		if (me == 0)
			dprintf(1, "row %d\n", i);
		const int counted = count_row(i);
		if (me == 0)
			dprintf(1, "result %s\n", counted ? "counted" : reason);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 0)
		dprintf(1, "done\n");
	_exit(0); /* without MPI_Finalize, because some objects are in use */
}
