/* Messages that are too long for some of several receives, among null, inactive, persistent and good requests in all
   positions, in every call that completes several requests, with and without statuses (MPI-3.1, 3.7.5). */
#include "check.h"

/* n: null, g: a good receive, P: a persistent one, t: a receive that is too short, s: a send. Each pattern has one t
   and no inactive request: Open MPI frees all failed requests, and mistakes an inactive one for a failed one that had
   the same memory. */
static const char *const patterns[] = {
    "t",   "tg",  "gt",   "nt",   "tn",     "ngt",   "tgn",      "ntg",        "stg",          "gts", "Ptn",
    "nnt", "tP",  "tnng", "gggt", "tgggn",  "sgtsgs", "ngPtPgn", "ggggtggggg", "ggggggggggggt", "nnnnnnnnnnnnnt",
};
static const char *const names[] = {"Waitall", "Testall", "Waitsome", "Testsome", "Waitany", "Testany", "Wait"};
enum { WAITALL, TESTALL, WAITSOME, TESTSOME, WAITANY, TESTANY, WAIT, CALLS, MAX = 16, UNTOUCHED = 987654321 };

static const char *pattern;
static int call, ignore, next, prev, data[4] = {1, 2, 3, 4}, in[MAX][4];
static MPI_Request requests[MAX], before[MAX];
static int errors[MAX], done[MAX]; /* the number of errors and completions reported for each request */

#define EXPECT(cond) \
    ((cond) ? (void)0 : check_fail(__FILE__, __LINE__, "%s, %s, %d: %s", names[call], pattern, ignore, #cond))

static int of(int i, const char *kinds) { return strchr(kinds, pattern[i]) != NULL; }

static void begin(int n)
{
    memset(in, 0, sizeof in);
    memset(errors, 0, sizeof errors);
    memset(done, 0, sizeof done);
    for (int i = 0; i < n; i++) {
        const int room = of(i, "t") ? 2 : 4;
        if (of(i, "n"))
            requests[i] = MPI_REQUEST_NULL;
        else if (of(i, "P"))
            MUST(MPI_Recv_init(in[i], room, MPI_INT, prev, i, MPI_COMM_WORLD, &requests[i]));
        else if (of(i, "gt"))
            MUST(MPI_Irecv(in[i], room, MPI_INT, prev, i, MPI_COMM_WORLD, &requests[i]));
        if (of(i, "P"))
            MUST(MPI_Start(&requests[i]));
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD)); /* all receives are posted */
    for (int i = 0; i < n; i++)
        if (of(i, "s"))
            MUST(MPI_Isend(data, 0, MPI_INT, next, 100, MPI_COMM_WORLD, &requests[i]));
        else if (of(i, "gtP"))
            MUST(MPI_Send(data, 4, MPI_INT, next, i, MPI_COMM_WORLD));
    memcpy(before, requests, sizeof before);
}

static void over(int i, int failed)
{
    done[i]++;
    errors[i] += failed;
    EXPECT(requests[i] == (of(i, "P") ? before[i] : MPI_REQUEST_NULL));
}

/* Checks the status of a request that did not fail. */
static void good(int i, const MPI_Status *status)
{
    int count = -1;
    if (of(i, "gP")) {
        EXPECT(status->MPI_SOURCE == prev && status->MPI_TAG == i);
        MUST(MPI_Get_count(status, MPI_INT, &count));
        EXPECT(count == 4);
    } else if (of(i, "n")) {
        EXPECT(status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG);
        MUST(MPI_Get_count(status, MPI_INT, &count));
        EXPECT(count == 0);
    }
}

static void blank(MPI_Status *statuses, int n)
{
    memset(statuses, 0x55, n * sizeof *statuses);
    for (int i = 0; i < n; i++)
        statuses[i].MPI_ERROR = UNTOUCHED;
}

static void alone(int i)
{
    MPI_Status status;
    blank(&status, 1);
    const int code = MPI_Wait(&requests[i], &status);
    if (of(i, "t"))
        EXPECT(check_class(code) == MPI_ERR_TRUNCATE);
    else
        EXPECT(code == MPI_SUCCESS);
    if (!of(i, "n"))
        over(i, code != MPI_SUCCESS);
    if (code == MPI_SUCCESS)
        good(i, &status);
}

static void all(int n)
{
    MPI_Status statuses[MAX], *given = ignore ? MPI_STATUSES_IGNORE : statuses;
    int code = MPI_SUCCESS, flag = 0;
    blank(statuses, MAX);
    if (call == WAITALL)
        code = MPI_Waitall(n, requests, given);
    else
        while (!flag && code == MPI_SUCCESS)
            code = MPI_Testall(n, requests, &flag, given);
    /* Open MPI 5.0 returns the error itself if there are no statuses. */
    EXPECT(check_class(code) == MPI_ERR_IN_STATUS || (ignore && check_class(code) == MPI_ERR_TRUNCATE));
    for (int i = n; i < MAX; i++)
        EXPECT(statuses[i].MPI_ERROR == UNTOUCHED);
    for (int i = 0; i < n; i++) {
        const int class = ignore || statuses[i].MPI_ERROR == UNTOUCHED ? -1 : check_class(statuses[i].MPI_ERROR);
        if (ignore) {
            EXPECT(statuses[i].MPI_ERROR == UNTOUCHED);
            if (of(i, "P")) /* complete or not, no call has reported it */
                MUST(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
            if (of(i, "gts") && requests[i] != MPI_REQUEST_NULL)
                alone(i);
            else if (!of(i, "n"))
                over(i, of(i, "t"));
        } else if (class == MPI_ERR_PENDING) {
            EXPECT(of(i, "gPts"));
            alone(i);
        } else {
            /* MPICH 4.0.2 leaves the status of a null request unchanged. */
            EXPECT(class == (of(i, "t") ? MPI_ERR_TRUNCATE : MPI_SUCCESS) || (class == -1 && of(i, "n")));
            if (!of(i, "n"))
                over(i, class == MPI_ERR_TRUNCATE);
            if (!of(i, "t") && class != -1)
                good(i, &statuses[i]);
        }
    }
}

static void some(int n)
{
    MPI_Status statuses[MAX], *given = ignore ? MPI_STATUSES_IGNORE : statuses;
    int outcount = 0, indices[MAX];
    for (;;) {
        blank(statuses, MAX);
        outcount = -77;
        const int code = call == WAITSOME ? MPI_Waitsome(n, requests, &outcount, indices, given)
                                          : MPI_Testsome(n, requests, &outcount, indices, given);
        if (code != MPI_SUCCESS)
            EXPECT(check_class(code) == MPI_ERR_IN_STATUS);
        if (outcount == MPI_UNDEFINED)
            break;
        EXPECT(outcount >= (call == WAITSOME) && outcount <= n);
        if (outcount < 0 || outcount > n)
            break;
        for (int k = 0, failed = 0; k < outcount; k++) {
            const int i = indices[k];
            EXPECT(i >= 0 && i < n && !of(i, "n"));
            over(i, code != MPI_SUCCESS && of(i, "t"));
            failed += of(i, "t");
            if (code == MPI_SUCCESS || ignore)
                EXPECT(statuses[k].MPI_ERROR == UNTOUCHED || statuses[k].MPI_ERROR == MPI_SUCCESS);
            else
                EXPECT(check_class(statuses[k].MPI_ERROR) == (of(i, "t") ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
            if (!ignore && !of(i, "t"))
                good(i, &statuses[k]);
            if (k == outcount - 1)
                EXPECT((failed > 0) == (code != MPI_SUCCESS));
        }
        for (int k = outcount; k < MAX && !ignore; k++)
            EXPECT(statuses[k].MPI_ERROR == UNTOUCHED);
    }
}

static void any(int n)
{
    for (;;) {
        MPI_Status status;
        int i = -77, flag = 0, code = MPI_SUCCESS;
        blank(&status, 1);
        if (call == WAITANY)
            code = MPI_Waitany(n, requests, &i, ignore ? MPI_STATUS_IGNORE : &status);
        else
            while (!flag && code == MPI_SUCCESS)
                code = MPI_Testany(n, requests, &i, &flag, ignore ? MPI_STATUS_IGNORE : &status);
        if (i == MPI_UNDEFINED)
            break;
        EXPECT(i >= 0 && i < n && !of(i, "n"));
        if (i < 0 || i >= n)
            break;
        EXPECT(check_class(code) == (of(i, "t") ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
        over(i, code != MPI_SUCCESS);
        if (!ignore && code == MPI_SUCCESS)
            good(i, &status);
    }
}

static void finish(int n)
{
    for (int i = 0; i < n; i++) {
        EXPECT(done[i] == !of(i, "n"));
        EXPECT(errors[i] == of(i, "t"));
        EXPECT(in[i][3] == (of(i, "gP") ? 4 : 0));
        if (of(i, "P"))
            MUST(MPI_Request_free(&requests[i]));
        if (of(i, "s"))
            MUST(MPI_Recv(data, 0, MPI_INT, prev, 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    next = (rank + 1) % size;
    prev = (rank + size - 1) % size;
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    /* Open MPI does not detect truncation of a message from the rank to itself: see p2p_truncate_self. */
    for (unsigned p = 0; p < sizeof patterns / sizeof *patterns && size > 1; p++)
        for (call = 0; call < CALLS; call++)
            for (ignore = 0; ignore < 2; ignore++) {
                pattern = patterns[p];
                const int n = (int)strlen(pattern);
                begin(n);
                if (call <= TESTALL)
                    all(n);
                else if (call <= TESTSOME)
                    some(n);
                else if (call <= TESTANY)
                    any(n);
                else
                    for (int i = 0; i < n; i++)
                        alone(i);
                finish(n);
            }
    return check_done("p2p_in_status");
}
