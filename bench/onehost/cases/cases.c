/*
 * cases.c: the cases of `make bench-adi` and `make bench-embedded`. One text for every MPI library
 * and, with -DADI, for the abstract device, which lacks collective operations.
 *
 *   cases FILE MILLISECONDS CORES [KIND:BYTES...]
 *
 * FILE: a page of zeros, for the cache line that ranks 0 and 1 bounce before and after each case.
 * MILLISECONDS: how long a case is measured. CORES: numbers with commas between; with as many
 * ranks as cores, each rank stays on its own. Prints for each case, in nanoseconds,
 *
 *   case KIND:BYTES LINE-BEFORE LINE-AFTER SHORTEST
 *
 * SHORTEST is the shortest of many batches, each of at most 0.3 ms unless its fewest operations take
 * longer: two, or with more than two ranks eight for each rank. In a shorter batch a rank may only be
 * catching up with the others. It is for one message, or in an exchange for one in each direction; for
 * `memory` it is 1000 times MB. Without a case the program only begins and ends. The lines are 0 with
 * other than two ranks. After a case a message of its length goes round and is compared.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "line.h"
#ifndef ADI
#include "memory.h"
#endif

enum { window = 64, most_bytes = 4 << 20, warm_up = 10, fewest_batches = 5, fewest_laps = 8 };
static const double batch_ns = 2.5e5; /* below 0.3 ms, because the first operations are not the shortest */

static _Alignas(4096) unsigned char in[most_bytes], out[most_bytes];
static outgoing sends[window];
static incoming receives[window];

/* ---- kinds: n operations with messages of a number of bytes ---- */

static void pingpong(long n, long bytes)
{
    while (n--) {
        if (self == 0) {
            send(out, bytes, 1);
            receive(in, bytes, 1);
        } else {
            receive(in, bytes, 0);
            send(out, bytes, 0);
        }
    }
}

static void send_window(long bytes)
{
    for (int i = 0; i < window; i++)
        start_send(out + i * bytes, bytes, 1 - self, &sends[i]);
    end_sends(window, sends);
}

static void receive_window(long bytes)
{
    for (int i = 0; i < window; i++)
        start_receive(in + i * bytes, bytes, 1 - self, &receives[i]);
    end_receives(window, receives);
}

static void send_windows(long n, long bytes)
{
    while (n--) {
        if (self == 0) {
            send_window(bytes);
            receive_window(bytes);
        } else {
            receive_window(bytes);
            send_window(bytes);
        }
    }
}

static void exchange_messages(long n, long bytes)
{
    while (n--) {
        start_receive(in, bytes, 1 - self, receives);
        start_send(out, bytes, 1 - self, sends);
        end_sends(1, sends);
        end_receives(1, receives);
    }
}

static void ring(long n, long bytes)
{
    int next = (self + 1) % ranks, previous = (self + ranks - 1) % ranks;
    while (n--) {
        if (self == 0)
            send(out, bytes, next);
        receive(in, bytes, previous);
        if (self != 0)
            send(in, bytes, next);
    }
}

static void no_messages(long n, long bytes) { (void)n, (void)bytes; }

#ifndef ADI
/* Roots take turns, so no rank runs ahead of the others. */
static void barriers(long n, long bytes)
{
    (void)bytes;
    while (n--)
        barrier();
}

static void broadcasts(long n, long bytes)
{
    for (long i = 0; i < n; i++)
        broadcast(out, bytes, (int)(i % ranks));
}

static void reductions(long n, long bytes)
{
    for (long i = 0; i < n; i++)
        reduce(out, in, bytes, (int)(i % ranks));
}

static void reductions_to_all(long n, long bytes)
{
    while (n--)
        allreduce(out, in, bytes);
}

static void exchanges_of_all(long n, long bytes)
{
    while (n--)
        exchange_all(out, in, bytes);
}

/* Lets all ranks talk to each other with messages of every size. */
static void talk(void)
{
    for (long bytes = 1; bytes <= most_bytes; bytes *= 4) {
        for (int step = 1; step < ranks; step++) {
            start_receive(in, bytes, (self + ranks - step) % ranks, receives);
            start_send(out, bytes, (self + step) % ranks, sends);
            end_sends(1, sends);
            end_receives(1, receives);
        }
        broadcast(out, bytes, 0);
        if (bytes >= 8)
            allreduce(out, in, bytes);
        if (bytes * ranks <= most_bytes)
            exchange_all(out, in, bytes);
    }
}

/* Returns 1000 times the largest memory of a rank in MB, which the table shows as thousands of nanoseconds. */
static double largest_memory(void)
{
    double most, mine;
    talk();
    barrier();
    mine = memory_since() * 1000 / 1024;
    barrier();
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

#define COLLECTIVE {"memory", no_messages, 1}, {"alltoall", exchanges_of_all, 1}, {"barrier", barriers, 1}, {"bcast", broadcasts, 1}, {"reduce", reductions, 1}, {"allreduce", reductions_to_all, 1},
#else
#define COLLECTIVE
#endif


/* messages is the number of messages of one operation, or 0 for the number of ranks. */
static const struct kind {
    const char *name;
    void (*run)(long n, long bytes);
    int messages;
} kinds[] = {COLLECTIVE{"pingpong", pingpong, 2}, {"window", send_windows, 2 * window}, {"exchange", exchange_messages, 1}, {"ring", ring, 0}, {"line", no_messages, 1}};

/* ---- measuring ---- */

/* Lets every rank wait for all others. */
static void meet(void)
{
    char token = 0;
    for (int lap = 0; lap < 2; lap++) {
        if (self == 0)
            send(&token, 1, 1 % ranks);
        receive(&token, 1, (self + ranks - 1) % ranks);
        if (self != 0)
            send(&token, 1, (self + 1) % ranks);
    }
}

static double line_time(void)
{
    if (ranks != 2)
        return 0;
    meet();
    return line_ns(self);
}

/* Returns the time of n operations. */
static double timed(const struct kind *kind, long n, long bytes)
{
    double begin = now_ns();
    kind->run(n, bytes);
    return now_ns() - begin;
}

/* Measures for about a number of nanoseconds. Returns the time of one operation. Rank 0 decides
 * how many operations and batches there are. */
static double measure(const struct kind *kind, long bytes, double budget)
{
    double best = 1e18;
    long plan[2] = {0, 0}; /* operations of a batch, batches */
    for (int i = 0; i < warm_up; i++) { /* every rank is root once, because a root may return at once */
        double ns = timed(kind, ranks, bytes) / ranks;
        best = ns < best ? ns : best;
    }
    if (self == 0) {
        long laps = (long)(batch_ns / (best + 1)) / ranks, fewest = ranks > 2 ? fewest_laps : 1;
        plan[0] = (laps > fewest ? laps : fewest) * ranks;
        plan[1] = (long)(budget / (best * (double)plan[0] + 1));
        plan[1] = plan[1] < fewest_batches ? fewest_batches : plan[1];
        for (int other = 1; other < ranks; other++)
            send(plan, sizeof plan, other);
    } else {
        receive(plan, sizeof plan, 0);
    }
    for (best = 1e18; plan[1]--;) {
        double ns = timed(kind, plan[0], bytes) / (double)plan[0];
        best = ns < best ? ns : best;
    }
    return best;
}

/* Sends a message through all ranks, each of which compares it. */
static void compare_messages(long bytes)
{
    for (long i = 0; i < bytes; i++)
        out[i] = (unsigned char)(i * 31 + i / 251 + 7);
    memset(in, 0, (size_t)bytes);
    ring(1, bytes);
    if (memcmp(in, out, (size_t)bytes) != 0) {
        fprintf(stderr, "cases: rank %d has received wrong data in a message of %ld bytes\n", self, bytes);
        exit(1);
    }
}

static int print_usage(void)
{
    fprintf(stderr, "usage: cases FILE MILLISECONDS CORES [KIND:BYTES...]\n");
    return 2;
}

/* Measures one case, KIND:BYTES. Returns 0, or the exit code. */
static int measure_case(const char *name, double budget)
{
    const char *colon = strchr(name, ':');
    long bytes = colon ? atol(colon + 1) : -1;
    for (size_t i = 0; colon && i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *kind = &kinds[i];
        if (strlen(kind->name) != (size_t)(colon - name) || strncmp(kind->name, name, (size_t)(colon - name)) != 0)
            continue;
        if (bytes < 0 || bytes > most_bytes || (kind->run == send_windows && bytes * window > most_bytes))
            break;
        double before = line_time(), ns = kind->run == no_messages ? 0 : measure(kind, bytes, budget), after = line_time();
#ifndef ADI
        if (!strcmp(kind->name, "memory"))
            ns = largest_memory();
#endif
        compare_messages(bytes);
        if (self == 0) {
            printf("case %s %.1f %.1f %.1f\n", name, before, after, ns / (kind->messages ? kind->messages : ranks));
            fflush(stdout);
        }
        return 0;
    }
    fprintf(stderr, "cases: %s: no such case\n", name);
    return print_usage();
}

/* Keeps this rank on its core, if there are as many cores as ranks. Returns whether it could. */
static int bind_to_cores(const char *cores)
{
    int core[64], n = 0;
    for (char *end; n < 64; cores = end + 1) {
        core[n++] = (int)strtol(cores, &end, 10);
        if (*end != ',')
            break;
    }
    if (n != ranks)
        return 1;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)core[self], &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

static int cases_main(int argc, char **argv)
{
    int code = 0;
    if (argc > 4) {
        memset(out, 1, sizeof out);
        memset(in, 2, sizeof in);
#ifndef ADI
        memory_begin();
#endif
    }
    begin(&argc, &argv);
    if (argc < 4)
        return print_usage();
    if (!line_open(argv[1])) {
        perror(argv[1]);
        return 1;
    }
    if (!bind_to_cores(argv[3])) {
        perror("cases: cannot stay on a core");
        return 1;
    }
    for (int i = 4; i < argc && !code; i++)
        code = measure_case(argv[i], 1e6 * atof(argv[2]));
    if (!code)
        finish();
    return code;
}

int main(int argc, char **argv) { return RUN(argc, argv, cases_main); }
