/*
 * heap.h: prepares malloc's free blocks for programs whose instructions are counted.
 */
#include <stdlib.h>

/* Frees a block of every size from `smallest` to 8 KiB, as in a program that has run for a while. malloc keeps blocks
   above 1 KiB in bins of their own. The cost of malloc in a library then no longer depends on the blocks that happen to
   be free after MPI_Init. These differ between two runs under valgrind, even natively. */
static void fill_bins(int smallest) {
	enum { last = 8192, step = 16, most = last / step + 1 };
	static char *block[most], *volatile between; /* blocks that are not freed, so that free blocks are not joined */
	const int blocks = (last - smallest) / step + 1;
	for (int i = 0; i < blocks; i++) {
		block[i] = malloc(smallest + i * step);
		between = malloc(smallest + i * step);
	}
	for (int i = 0; i < blocks; i++)
		free(block[i]);
	(void)between;
}
