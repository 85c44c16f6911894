/* Messages that may go from memory to memory: `direct FILE`. FILE, with the rank appended, is for the device's
 * debugging output. Prints how many messages rank 0 has received so. */
#include "check.h"

enum { CONTEXT = 6, MOST = 5 << 20, ROUNDS = 60, FLYING = 3 };

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

/* Returns how many messages have arrived directly according to a debugging file. */
static int direct_messages(const char *name)
{
    char line[256];
    int n = 0;
    FILE *file = fopen(name, "r");
    CHECK(file);
    while (fgets(line, sizeof line, file))
        n += strstr(line, ": read to rank") != NULL;
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
        CHECK(sent[i] = malloc(MOST));
        CHECK(received[i] = malloc(MOST));
    }
    for (int round = 0; round < ROUNDS; round++)
        exchange(round, sent, received);
    MPID_SetDebugFlag(0);
    if (MPID_MyWorldRank == 0)
        printf("%d of %d messages: right\n", direct_messages(name), ROUNDS * FLYING);
    fflush(stdout);
    for (int i = 0; i < FLYING; i++) {
        free(sent[i]);
        free(received[i]);
    }
    MPID_End();
    return 0;
}

int main(int argc, char **argv) { return adi_main(argc, argv, 2, rank_main); }
