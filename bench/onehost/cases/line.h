/*
 * One cache line that two ranks bounce: the distance of their cores. The line is in a file that
 * both map, so that no MPI library has a part in it.
 *
 * Gives: line_open, line_ns, now_ns.
 * Needs: nothing.
 */
#ifndef WI4GO_BENCH_LINE_H
#define WI4GO_BENCH_LINE_H

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { line_batches = 30, line_bounces = 500 };

/* Even: rank 0's turn. Only grows. */
static atomic_uint *line_turn;
static unsigned line_count; /* bounces so far; the same in both ranks */

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Maps the file, which must have a page of zeros. Returns whether it could. */
static int line_open(const char *file)
{
    int fd = open(file, O_RDWR);
    if (fd < 0)
        return 0;
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    line_turn = memory;
    return memory != MAP_FAILED;
}

/* Bounces the line between the ranks 0 and 1, which both call this. Returns half of the shortest
 * round trip in nanoseconds; it is of use in rank 0. */
static double line_ns(int rank)
{
    double best = 1e18;
    for (int batch = 0; batch < line_batches; batch++) {
        double begin = now_ns();
        for (int i = 0; i < line_bounces; i++, line_count++) {
            unsigned mine = 2 * line_count + (unsigned)rank;
            while (atomic_load_explicit(line_turn, memory_order_acquire) != mine)
                ;
            atomic_store_explicit(line_turn, mine + 1, memory_order_release);
        }
        double ns = (now_ns() - begin) / line_bounces / 2;
        best = ns < best ? ns : best;
    }
    return best;
}

#endif
