/* MPI-4.0's send-receives fail among other requests, in every completion function, with all statuses (MPI-4.0, 3.7.5,
   3.10). */
#include "check.h"

#if HAVE_ISENDRECV
enum { WAITALL, TESTALL, WAITSOME, TESTSOME, WAITANY, TESTANY, WAIT, TEST, CALLS, N = 4, UNTOUCHED = 987654321 };
static const char *const names[] = {"Waitall", "Testall", "Waitsome", "Testsome", "Waitany", "Testany", "Wait", "Test"};
static int call, ignore, next, prev, bad;
static int in[N][4], out[4] = {1, 2, 3, 4}, failed[N], over[N];
static MPI_Request r[N];

#define EXPECT(cond) \
    ((cond) ? (void)0 : check_fail(__FILE__, __LINE__, "%s, %d bad, %d: %s", names[call], bad, ignore, #cond))

/* 0: a receive, 1: a send-receive, 2: a null request, 3: another send-receive. The message for the receive `bad` is too
   long. */
static void begin(void)
{
    memset(in, 0, sizeof in);
    memset(failed, 0, sizeof failed);
    memset(over, 0, sizeof over);
    MUST(MPI_Irecv(in[0], bad == 0 ? 2 : 4, MPI_INT, prev, 10, MPI_COMM_WORLD, &r[0]));
    MUST(MPI_Isendrecv(out, 4, MPI_INT, next, 1, in[1], bad == 1 ? 2 : 4, MPI_INT, prev, 1, MPI_COMM_WORLD, &r[1]));
    r[2] = MPI_REQUEST_NULL;
    MUST(MPI_Isendrecv(out, 4, MPI_INT, next, 3, in[3], bad == 3 ? 2 : 4, MPI_INT, prev, 3, MPI_COMM_WORLD, &r[3]));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Send(out, 4, MPI_INT, next, 10, MPI_COMM_WORLD));
}

static void ended(int i, int code)
{
    over[i]++;
    failed[i] += code != MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        EXPECT(check_class(code) == MPI_ERR_TRUNCATE);
    EXPECT(r[i] == MPI_REQUEST_NULL);
}

static void rest(int i)
{
    ended(i, MPI_Wait(&r[i], MPI_STATUS_IGNORE));
}

static void one(void)
{
    MPI_Status s[N], *given = ignore ? MPI_STATUSES_IGNORE : s;
    int code = MPI_SUCCESS, flag = 0, outcount = 0, indices[N], index = -1;
    begin();
    for (int i = 0; i < N; i++)
        s[i].MPI_ERROR = UNTOUCHED;
    if (call == WAITALL || call == TESTALL) {
        if (call == WAITALL)
            code = MPI_Waitall(N, r, given);
        else
            while (!flag && code == MPI_SUCCESS)
                code = MPI_Testall(N, r, &flag, given);
        EXPECT(check_class(code) == MPI_ERR_IN_STATUS || (ignore && check_class(code) == MPI_ERR_TRUNCATE));
        for (int i = 0; i < N; i++)
            if (i == 2)
                EXPECT(r[i] == MPI_REQUEST_NULL);
            else if (ignore && r[i] == MPI_REQUEST_NULL)
                ended(i, i == bad ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
            else if (code == MPI_SUCCESS)
                ended(i, code);
            else if (ignore || check_class(s[i].MPI_ERROR) == MPI_ERR_PENDING)
                rest(i);
            else
                ended(i, s[i].MPI_ERROR);
    } else if (call == WAITSOME || call == TESTSOME) {
        for (;;) {
            code = call == WAITSOME ? MPI_Waitsome(N, r, &outcount, indices, given)
                                    : MPI_Testsome(N, r, &outcount, indices, given);
            if (outcount == MPI_UNDEFINED)
                break;
            if (code != MPI_SUCCESS)
                EXPECT(check_class(code) == MPI_ERR_IN_STATUS);
            for (int k = 0; k < outcount; k++)
                ended(indices[k], code == MPI_SUCCESS                  ? MPI_SUCCESS
                                  : ignore && indices[k] == bad        ? MPI_ERR_TRUNCATE
                                  : ignore                             ? MPI_SUCCESS
                                                                       : s[k].MPI_ERROR);
        }
    } else if (call == WAITANY || call == TESTANY) {
        for (;;) {
            flag = 1;
            code = call == WAITANY ? MPI_Waitany(N, r, &index, ignore ? MPI_STATUS_IGNORE : s)
                                   : MPI_Testany(N, r, &index, &flag, ignore ? MPI_STATUS_IGNORE : s);
            if (code == MPI_SUCCESS && !flag)
                continue;
            if (index == MPI_UNDEFINED)
                break;
            ended(index, code);
        }
    } else {
        for (int i = 0; i < N; i++) {
            code = MPI_SUCCESS;
            flag = 0;
            if (call == WAIT)
                code = MPI_Wait(&r[i], ignore ? MPI_STATUS_IGNORE : &s[i]);
            else
                while (!flag && code == MPI_SUCCESS)
                    code = MPI_Test(&r[i], &flag, ignore ? MPI_STATUS_IGNORE : &s[i]);
            if (i != 2)
                ended(i, code);
        }
    }
    for (int i = 0; i < N; i++) {
        EXPECT(over[i] == (i != 2));
        EXPECT(failed[i] == (i == bad));
        EXPECT(in[i][3] == (i == 2 || i == bad ? 0 : 4));
    }
}

/* Two requests have failed before a call that reports one failure. The next call reports the other. */
static void two(void)
{
    for (int i = 0; i < 2; i++)
        MUST(MPI_Isendrecv(out, 4, MPI_INT, next, 20 + i, in[i], 2, MPI_INT, prev, 20 + i, MPI_COMM_WORLD, &r[i]));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < 2; i++) {
        int index = -1, flag = 0, code = MPI_SUCCESS;
        if (call == WAITANY)
            code = MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
        while (call == TESTANY && !flag && code == MPI_SUCCESS)
            code = MPI_Testany(2, r, &index, &flag, MPI_STATUS_IGNORE);
        EXPECT(check_class(code) == MPI_ERR_TRUNCATE);
    }
    EXPECT(r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_ISENDRECV
    next = (rank + 1) % size;
    prev = (rank + size - 1) % size;
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    static const int bads[] = {1, 3, 0};
    for (int b = 0; b < 3 && size > 1; b++)
        for (call = 0; call < CALLS; call++)
            for (ignore = 0; ignore < 2; ignore++) {
                bad = bads[b];
                one();
                MUST(MPI_Barrier(MPI_COMM_WORLD));
            }
    for (call = WAITANY; call <= TESTANY && size > 1; call++)
        two();
#endif
    return check_done("emul_errors");
}
