/* Messages that may go from memory to memory: `direct FILE`. FILE, with the rank appended, is for the device's
 * debugging output. Prints how many messages rank 0 has received so. With ADI_HUGE=1, and if the system makes huge pages,
 * it must have taken the pieces of some from the back and of others from the front. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "check.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

enum { CONTEXT = 6, BLOCK = 2 << 20, MOST = 5 << 20, ROUNDS = 60, FLYING = 3 };

static unsigned char byte_of(int from, int round, int64_t at) { return (unsigned char)(at * 7 + at / 4096 + from * 31 + round); }

static void fill(unsigned char *data, int from, int round, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        data[i] = byte_of(from, round, i);
}

static void check(const unsigned char *data, int from, int round, int64_t n, int64_t room)
{
    for (int64_t i = 0; i < n; i++)
        if (data[i] != byte_of(from, round, i))
            EQUAL(-1, i);
    for (int64_t i = n; i < room && i < n + 4096; i++)
        EQUAL(255, data[i]);
}

static int64_t length_of(int from, int round, int i)
{
    static const int64_t lengths[] = {MOST, 600001, 131072, 1 << 20, 70000, 2097153, 131073, 1, 524288, 20000};
    return lengths[(from * 3 + round + i * 7) % (int)(sizeof lengths / sizeof *lengths)];
}

/* Both ranks send some messages at once. Some are truncated, some meet a receive that is there already. */
static void exchange(int round, unsigned char *sent[FLYING], unsigned char *received[FLYING])
{
    int me = MPID_MyWorldRank, other = 1 - me, err = UNTOUCHED;
    MPIR_SHANDLE sends[FLYING];
    MPIR_RHANDLE receives[FLYING];
    for (int i = 0; i < FLYING; i++) {
        fill(sent[i], me, round, length_of(me, round, i));
        memset(received[i], 255, MOST);
    }
    for (int step = 0; step < 2; step++)
        for (int i = 0; i < FLYING; i++) {
            int64_t room = length_of(other, round, i) / (round % 5 == 4 ? 2 : 1);
            if ((round + me + step) % 2)
                MPID_IsendContig(NULL, sent[i], length_of(me, round, i), me, i, CONTEXT, other, MPID_MSGFORM_OK, &sends[i], &err);
            else
                MPID_IrecvContig(NULL, received[i], room, other, i, CONTEXT, &receives[i], &err);
        }
    EQUAL(UNTOUCHED, err);
    for (int i = FLYING - 1; i >= 0; i--) {
        MPID_Status status;
        int64_t length = length_of(other, round, i), room = length / (round % 5 == 4 ? 2 : 1);
        MPID_RecvComplete(&receives[i], &status, &err);
        EQUAL(room < length ? MPIR_ERR_TRUNCATE : UNTOUCHED, err);
        err = UNTOUCHED;
        EQUAL(room, status.count);
        check(received[i], other, round, room, MOST);
    }
    for (int i = 0; i < FLYING; i++) {
        MPID_SendComplete(&sends[i], &err);
        EQUAL(UNTOUCHED, err);
        memset(sent[i], 0, MOST); /* the memory is this rank's again */
    }
}

/* Returns MOST bytes so many bytes after the beginning of a huge page, with no memory around them. */
static unsigned char *allocate(int64_t place)
{
    char *start = mmap(NULL, MOST + 3 * BLOCK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(start != MAP_FAILED);
    start += BLOCK - (uintptr_t)start % BLOCK + place;
    EQUAL(0, mprotect(start, MOST, PROT_READ | PROT_WRITE));
    return (unsigned char *)start;
}

/* Reports whether huge pages can be made here. */
static bool makes_huge_pages(void)
{
    char setting[64] = "";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (!file || !fgets(setting, sizeof setting, file) || strstr(setting, "[never]"))
        return false;
    fclose(file);
    unsigned char *data = allocate(0);
    memset(data, 1, MOST);
    return madvise(data, BLOCK, MADV_COLLAPSE) == 0;
}

/* Returns how many lines of a debugging file have a text. */
static int lines_with(const char *name, const char *text)
{
    char line[256];
    int n = 0;
    FILE *file = fopen(name, "r");
    CHECK(file);
    while (fgets(line, sizeof line, file))
        n += strstr(line, text) != NULL;
    fclose(file);
    return n;
}

static int rank_main(int argc, char **argv)
{
    int err = UNTOUCHED;
    unsigned char *sent[FLYING], *received[FLYING];
    char name[4096];
    CHECK(argc == 2);
    MPID_Init(&argc, &argv, NULL, &err);
    EQUAL(UNTOUCHED, err);
    snprintf(name, sizeof name, "%s.%d", argv[1], MPID_MyWorldRank);
    MPID_SetDebugFile(name);
    MPID_SetDebugFlag(1);
    for (int i = 0; i < FLYING; i++) {
        /* Small pages are after the huge ones of a buffer that begins with a huge page, else before. */
        sent[i] = allocate(i % 2 ? 0 : BLOCK / 2);
        received[i] = allocate(i % 2 ? BLOCK / 2 : 0);
    }
    for (int round = 0; round < ROUNDS; round++)
        exchange(round, sent, received);
    MPID_SetDebugFlag(0);
    const char *huge = getenv("ADI_HUGE");
    if (huge && !strcmp(huge, "1") && makes_huge_pages()) {
        CHECK(lines_with(name, " flags 8\n") > 0);  /* answers ADI_DIRECT */
        CHECK(lines_with(name, " flags 24\n") > 0); /* and ADI_BACK */
    }
    if (MPID_MyWorldRank == 0)
        printf("%d of %d messages: right\n", lines_with(name, ": read to rank"), ROUNDS * FLYING);
    fflush(stdout);
    MPID_End();
    return 0;
}

int main(int argc, char **argv) { return adi_main(argc, argv, 2, rank_main); }
