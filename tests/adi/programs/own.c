/* Sends N messages of 8 bytes to the rank itself and receives them, to be counted in instructions:
 * `own WAY N`. */
#include "check.h"

/* The message arrives before its receive. */
static void unexpected(long i, long *got)
{
    int err = UNTOUCHED;
    MPID_SendContig(NULL, &i, sizeof i, 0, 1, 0, 0, MPID_MSGFORM_OK, &err);
    MPID_RecvContig(NULL, got, sizeof *got, 0, 1, 0, NULL, &err);
    EQUAL(UNTOUCHED, err);
}

static void posted(long i, long *got)
{
    int err = UNTOUCHED;
    MPIR_RHANDLE request;
    MPID_IrecvContig(NULL, got, sizeof *got, 0, 1, 0, &request, &err);
    MPID_SendContig(NULL, &i, sizeof i, 0, 1, 0, 0, MPID_MSGFORM_OK, &err);
    MPID_RecvComplete(&request, NULL, &err);
    EQUAL(UNTOUCHED, err);
}

static void at_once(long i, long *got)
{
    int err = UNTOUCHED;
    MPID_Status status;
    EQUAL(1, MPID_SendrecvOwn(&i, sizeof i, 0, 1, got, sizeof *got, MPID_ANY_SOURCE, 1, 0, &status, &err));
    EQUAL(UNTOUCHED, err);
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*run)(long i, long *got); } ways[] = {{"unexpected", unexpected}, {"posted", posted}, {"at-once", at_once}};
    int err = UNTOUCHED;
    long n = argc > 2 ? atol(argv[2]) : 0, got = -1;
    MPID_Init(&argc, &argv, NULL, &err);
    for (size_t way = 0; argc > 1 && way < sizeof ways / sizeof *ways; way++)
        for (long i = 0; i < n && !strcmp(ways[way].name, argv[1]); i++) {
            ways[way].run(i, &got);
            EQUAL(i, got);
        }
    EQUAL(UNTOUCHED, err);
    EQUAL(n - 1, got);
    MPID_End();
    return 0;
}
