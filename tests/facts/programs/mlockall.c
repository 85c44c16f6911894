/*
 * Memory that mlockall makes resident. The argument is the case:
 *   all      MCL_CURRENT and MCL_FUTURE: memory from before and after the call is resident
 *   current  only memory from before the call is resident
 *   limit    without the right to exceed the limit on locked memory, under a limit that the
 *            program's own memory fits
 *   low      the same, under a limit that it does not fit
 * Prints the resident memory in KB.
 */
#define _GNU_SOURCE
#include "fact.h"
#include <errno.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SIZE (8l << 20)
#define ONE_PAGE 4096

/* Returns the number of resident pages of a mapping of SIZE bytes. */
static int resident(void *at)
{
    static unsigned char pages[SIZE / ONE_PAGE];
    int n = 0;
    if (mincore(at, SIZE, pages))
        return -1;
    for (size_t i = 0; i < sizeof pages; i++)
        n += pages[i] & 1;
    return n;
}

static void *mapped(int protection)
{
    void *at = mmap(NULL, SIZE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(at != MAP_FAILED);
    return at;
}

/* Returns a value of /proc/self/status in KB. */
static long status(const char *name)
{
    char line[256];
    long value = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, name, strlen(name)))
            value = atol(line + strlen(name));
    if (f)
        fclose(f);
    return value;
}

/* Sets the limit on locked memory and gives up the right to exceed it. */
static void limited(rlim_t bytes)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    CHECK(!setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){bytes, bytes}));
    CHECK(!syscall(SYS_capget, &header, data));
    data[0].effective &= ~(1u << CAP_IPC_LOCK);
    data[0].permitted &= ~(1u << CAP_IPC_LOCK);
    CHECK(!syscall(SYS_capset, &header, data));
}

int main(int argc, char **argv)
{
    const int all = SIZE / ONE_PAGE;
    const char *kind = argc > 1 ? argv[1] : "";
    int future = strcmp(kind, "current") ? MCL_FUTURE : 0;
    char *before = mapped(PROT_READ | PROT_WRITE), *reserved = mapped(PROT_NONE);
    MUST(MPI_Init(&argc, &argv));
    CHECK(resident(before) == 0);
    if (!strcmp(kind, "limit"))
        limited(1200ul << 20);
    if (!strcmp(kind, "low"))
        limited(4ul << 20);
    errno = 0;
    if (!strcmp(kind, "low")) {
        CHECK(mlockall(MCL_CURRENT | MCL_FUTURE) == -1 && errno == ENOMEM);
        CHECK(resident(before) == 0);
    } else {
        CHECK(!mlockall(MCL_CURRENT | future));
        CHECK(resident(before) == all);
        CHECK(resident(mapped(PROT_READ | PROT_WRITE)) == (future ? all : 0));
        /* Memory that was reserved before is locked when it becomes accessible. */
        CHECK(!mprotect(reserved, SIZE, PROT_READ | PROT_WRITE));
        CHECK(resident(reserved) == all);
        printf("%ld\n", status("VmRSS:"));
    }
    CHECK(!munlockall());
    CHECK(status("VmLck:") == 0);
    MUST(MPI_Finalize());
    return fact_done();
}
