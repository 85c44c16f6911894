/*
 * Memory objects: `memory NAME [BYTES | alone]` runs one of the jobs below, alone: without a
 * launcher. The memory of the job is measured by the blocks of
 * its descriptor.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "heap.h"
#include "state.h"

enum { MB = 1 << 20, CONTEXT = 8 };

static int descriptor_of_job(void) { return adi_self->memory->fd; }

/* Returns the bytes that the job's memory takes. */
static long long bytes_taken(void)
{
    struct stat stat;
    CHECK(fstat(descriptor_of_job(), &stat) == 0);
    return 512LL * stat.st_blocks;
}

/* Sends a number to a rank, or receives one from it. */
static void send_number(int number, int to)
{
    int err = UNTOUCHED;
    MPID_SendContig(NULL, &number, sizeof number, MPID_MyWorldRank, 1, CONTEXT, to, MPID_MSGFORM_OK, &err);
    EQUAL(UNTOUCHED, err);
}
static int receive_number(int from)
{
    int err = UNTOUCHED, number = -2;
    MPID_RecvContig(NULL, &number, sizeof number, from, 1, CONTEXT, NULL, &err);
    EQUAL(UNTOUCHED, err);
    return number;
}

/* Rank 0 takes an object for all ranks, which all map. */
static char *take_for_all(int64_t bytes, bool optional, int *number, uint64_t *first)
{
    int err = UNTOUCHED;
    uint64_t size;
    if (MPID_MyWorldRank == 0) {
        *number = MPID_Memory_take(bytes, MPID_MyWorldSize, optional, "an object of the test", &err);
        EQUAL(UNTOUCHED, err);
        for (int rank = 1; rank < MPID_MyWorldSize; rank++)
            send_number(*number, rank);
    } else {
        *number = receive_number(0);
    }
    char *memory = MPID_Memory_map(*number, &size, first, &err);
    EQUAL(UNTOUCHED, err);
    CHECK(memory && (int64_t)size == bytes);
    return memory;
}

static void drop(int number, uint64_t mark)
{
    MPID_Memory_unmap(number, mark);
    MPID_Memory_drop(number, 1);
}

static char *take_alone(int64_t bytes, bool optional, int *number)
{
    int err = UNTOUCHED;
    uint64_t size, first;
    *number = MPID_Memory_take(bytes, 1, optional, "an object of one rank", &err);
    char *memory = *number < 0 ? NULL : MPID_Memory_map(*number, &size, &first, &err);
    EQUAL(UNTOUCHED, err);
    return memory;
}

/* ---- jobs ---- */

/* What one rank writes, the others read; the last drop gives the pages back; a new object is all zeros. */
static void come_and_go(void)
{
    long long before = bytes_taken();
    meet();
    for (int round = 0; round < 20; round++) {
        int number;
        uint64_t first;
        int64_t bytes = (int64_t)(1 + round % 5) * MB + 100;
        char *memory = take_for_all(bytes, false, &number, &first);
        EQUAL(0, first);
        CHECK(bytes_taken() >= before + bytes);
        for (int64_t i = MPID_MyWorldRank; i < bytes; i += 997)
            EQUAL(0, memory[i]);
        meet();
        memory[MPID_MyWorldRank] = (char)(MPID_MyWorldRank + 1);
        meet();
        for (int rank = 0; rank < MPID_MyWorldSize; rank++)
            EQUAL(rank + 1, memory[rank]);
        if (MPID_MyWorldRank == 0)
            memset(memory + bytes / 2, 7, (size_t)(bytes / 3));
        meet();
        drop(number, 5);
        meet();
        CHECK(bytes_taken() < before + MB);
        meet();
    }
}

/* An optional object stays for its next use, and its users learn the highest mark of its earlier ones. The bytes that are kept are
 * bounded, and so are those in use. */
static void reuse(void)
{
    int number, again;
    uint64_t first;
    take_for_all(100000, true, &number, &first);
    meet();
    drop(number, 10 + (uint64_t)MPID_MyWorldRank);
    meet();
    take_for_all(100000, true, &again, &first);
    EQUAL(number, again);
    EQUAL(10 + MPID_MyWorldSize - 1, first);
    meet();
    drop(again, 3); /* lower than an earlier one */
    meet();
    if (MPID_MyWorldRank == 0) {
        enum { MOST = 1000 };
        int err = UNTOUCHED, numbers[MOST], n = 0;
        long long before = bytes_taken();
        while (n < MOST && (numbers[n] = MPID_Memory_take(MB, 1, true, "optional", &err)) >= 0)
            n++;
        EQUAL(MPIR_ERR_EXHAUSTED, err);
        CHECK(n >= 4 && n <= 256);
        CHECK(MPID_Memory_optional() >= (int64_t)n * MB);
        while (n--)
            MPID_Memory_drop(numbers[n], 1);
        EQUAL(0, MPID_Memory_optional());
        CHECK(bytes_taken() < before + 20ll * MB);
    }
    meet();
}

/* All ranks get one object, which the first caller takes. */
static void of_all(void)
{
    int err = UNTOUCHED, number = MPID_Memory_of_all(100000, "of all ranks");
    uint64_t bytes, first;
    CHECK(number >= 0);
    atomic_int *count = MPID_Memory_map(number, &bytes, &first, &err);
    EQUAL(UNTOUCHED, err);
    atomic_fetch_add(count, 1);
    meet();
    EQUAL(MPID_MyWorldSize, atomic_load(count));
    meet();
    drop(number, 0);
}

/* All ranks take and drop objects of random sizes at once; each has its own bytes. */
static void crowd(void)
{
    enum { OWN = 40 };
    struct { int number; int64_t bytes; char *memory; } own[OWN];
    uint64_t random = 1234567u * (uint64_t)(MPID_MyWorldRank + 1);
    long long before = bytes_taken();
    meet();
    for (int i = 0; i < OWN; i++)
        own[i].memory = NULL;
    for (long round = 0; round < count_of(3000); round++) {
        int i = (int)(random_next(&random) % OWN);
        if (own[i].memory) {
            for (int64_t at = 0; at < own[i].bytes; at += 4000)
                EQUAL(MPID_MyWorldRank + 1, own[i].memory[at]);
            drop(own[i].number, 0);
            own[i].memory = NULL;
            continue;
        }
        own[i].bytes = (int64_t)(random_next(&random) % 200000) + 1;
        own[i].memory = take_alone(own[i].bytes, random_next(&random) % 2, &own[i].number);
        memset(own[i].memory, MPID_MyWorldRank + 1, (size_t)own[i].bytes);
    }
    for (int i = 0; i < OWN; i++)
        if (own[i].memory)
            drop(own[i].number, 0);
    meet();
    CHECK(bytes_taken() < before + 20ll * MB); /* spare objects stay */
    meet();
}

/* More objects than the table has entries: the next one is an error, and all can be taken again after they are dropped. */
static void many(void)
{
    enum { MOST = 5000 };
    static int numbers[MOST];
    for (int round = 0; round < 2; round++) {
        int err = UNTOUCHED, n = 0;
        while (n < MOST && (numbers[n] = MPID_Memory_take(1, 1, false, "small", &err)) >= 0)
            n++;
        EQUAL(MPIR_ERR_EXHAUSTED, err);
        CHECK(n > 4000 && n < MOST && n % 11);
        for (int i = 0; i < n; i++)
            MPID_Memory_drop(numbers[(long)i * 11 % n], 1);
        err = UNTOUCHED;
        int large = MPID_Memory_take(64 * MB, 1, false, "large", &err);
        EQUAL(UNTOUCHED, err);
        MPID_Memory_drop(large, 1);
    }
}

/* An object that is larger than the memory is an error, and leaves the job as it was. argument: its bytes. */
static void exhausted(const char *argument)
{
    int err = UNTOUCHED, number;
    long long before = bytes_taken();
    EQUAL(-1, MPID_Memory_take(atoll(argument), 1, false, "too large", &err));
    EQUAL(MPIR_ERR_EXHAUSTED, err);
    CHECK(bytes_taken() <= before + MB);
    char *memory = take_alone(MB, false, &number);
    memset(memory, 1, MB);
    drop(number, 0);
}

/* The program closes the descriptor, or opens a file of its own there. What is mapped stays usable; a new object is an error that
 * says so. */
static void closed(void)
{
    for (int replaced = 0; replaced < 2; replaced++) {
        int err = UNTOUCHED, number, fd = descriptor_of_job(), copy = fcntl(fd, F_DUPFD_CLOEXEC, 3), flags = FD_CLOEXEC;
        char *memory = take_alone(MB, false, &number);
        int own = open("/dev/null", O_RDONLY | O_CLOEXEC);
        CHECK(copy >= 0 && own >= 0);
        if (replaced)
            CHECK(dup2(own, fd) == fd);
        else
            close(fd);
        memset(memory, 1, MB);
        EQUAL(-1, MPID_Memory_take(MB, 1, false, "none", &err));
        EQUAL(MPIR_ERR_ARG, err);
        drop(number, 0);
        CHECK(dup2(copy, fd) == fd && fcntl(fd, F_SETFD, flags) == 0);
        close(copy);
        close(own);
        memory = take_alone(MB, false, &number); /* the same range is all zeros again */
        for (int i = 0; i < MB; i += 1000)
            EQUAL(0, memory[i]);
        drop(number, 0);
    }
}

/* A child that a rank forks has neither the objects nor the descriptor. A program that a rank executes lacks the descriptor. */
static void forks(void)
{
    int number, status;
    char *memory = take_alone(MB, false, &number);
    unsigned char resident;
    pid_t child = fork();
    if (child == 0) {
        int fd = descriptor_of_job();
        MPID_Leave();
        _exit(fcntl(fd, F_GETFD) >= 0 ? 3 : mincore(memory, 1, &resident) == 0 ? 4 : errno == ENOMEM ? 0 : 5);
    }
    CHECK(waitpid(child, &status, 0) == child);
    EQUAL(0, status);
    CHECK(fcntl(descriptor_of_job(), F_GETFD) & FD_CLOEXEC);
    EQUAL(0, memory[5]);
    drop(number, 0);
}

/* A rank is killed while it holds the lock of the heap: the others do not wait for it, but learn that the job is over. */
static void killed(void)
{
    int err = UNTOUCHED, number;
    meet();
    if (MPID_MyWorldRank == 1) {
        adi_heap_lock(adi_self->segment, MPID_MyWorldRank);
        kill(getpid(), SIGKILL);
    }
    while ((number = MPID_Memory_take(10000, 1, false, "short", &err)) >= 0)
        MPID_Memory_drop(number, 1);
    EQUAL(MPIR_ERR_PEER, err);
    wait_for_rank(1); /* ends this process with the message about the job */
}

/* A limit for the size of files: the heap is smaller or missing, which is an error of the call. */
static void limited(const char *argument)
{
    int err = UNTOUCHED, number = MPID_Memory_take(atoll(argument), 1, false, "limited", &err);
    if (number < 0)
        EQUAL(MPIR_ERR_EXHAUSTED, err);
    else
        MPID_Memory_drop(number, 1);
    printf("limited: %s\n", number < 0 ? "no object" : "an object");
}

static int rank_main(int argc, char **argv)
{
    int err = UNTOUCHED;
    const char *name = argc > 1 ? argv[1] : "", *argument = argc > 2 ? argv[2] : "";
    struct MPID_Config config;
    MPID_Config_init(&config);
    MPID_Init(NULL, NULL, &config, &err);
    EQUAL(UNTOUCHED, err);
    if (MPID_MyWorldSize == 1) { /* a rank alone has a descriptor from its first object on */
        int number;
        take_alone(1, false, &number);
        MPID_Memory_drop(number, 1);
    }
    static const struct { const char *name; void (*run)(void); } jobs[] = {{"come-and-go", come_and_go}, {"reuse", reuse}, {"of-all", of_all},
        {"crowd", crowd}, {"many", many}, {"closed", closed}, {"forks", forks}, {"killed", killed}};
    bool found = false;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (!strcmp(name, jobs[i].name)) {
            jobs[i].run();
            found = true;
        }
    if (!strcmp(name, "exhausted"))
        exhausted(argument);
    else if (!strcmp(name, "limited"))
        limited(argument);
    else
        CHECK(found);
    if (MPID_MyWorldSize > 1)
        meet();
    bool first = MPID_MyWorldRank == 0;
    MPID_End();
    if (first)
        printf("%s: right\n", name);
    return 0;
}

int main(int argc, char **argv)
{
    bool alone = argc > 2 && !strcmp(argv[2], "alone");
    return alone ? rank_main(argc, argv) : adi_main(argc, argv, 1, rank_main);
}
