/*
 * The memory that MPI takes in a rank, for the case `memory`.
 *
 * Counted are pages that the process has written (anonymous memory and copies of file pages), its share of shared
 * memory, and the pages of the embedded MPI's library in memory. Pages of other libraries' files are not: how many
 * of them are in memory depends on the kernel's reading ahead, and all processes share them.
 *
 * Gives: memory_begin, memory_since.
 * Needs: calls.h.
 */
#ifndef WI4GO_BENCH_MEMORY_H
#define WI4GO_BENCH_MEMORY_H
#include <stdio.h>
#include <string.h>

/* Returns the memory of this process in KB, or a negative number if it cannot be read. With library, the pages of
   the embedded MPI's library count. */
static double memory_now(int library)
{
    FILE *f = fopen("/proc/self/smaps", "re");
    char line[4096], share[2] = "", name[4096] = "";
    double all = 0, rss = 0, kb;
    if (!f)
        return -1e9;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%*x-%*x %*2c%*c%1s %*s %*s %*s %4095s", share, name) >= 1 && strchr("ps", *share)) {
            if (!strchr(line, '/'))
                *name = 0;
        } else if (sscanf(line, "Rss: %lf", &kb) == 1) {
            rss = kb;
        } else if (sscanf(line, "Pss: %lf", &kb) == 1) {
            all += *share == 's' ? kb : 0;
        } else if (sscanf(line, "Anonymous: %lf", &kb) == 1) {
            all += *share == 'p' ? kb : 0;
            all += library && *share == 'p' && strstr(name, "/libwi4go-embedded.so") ? rss - kb : 0;
        }
    }
    fclose(f);
    return all;
}

static double memory_before; /* in KB, with the front and its core loaded, before MPI_Init */

/* Loads the front's core and the library, and stores the memory that the process has then. The program has already
   written its own memory. */
static void memory_begin(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    memory_before = memory_now(0);
}

/* Returns the memory in KB that this process has in addition to the memory before MPI_Init. */
static double memory_since(void) { return memory_now(1) - memory_before; }
#endif
