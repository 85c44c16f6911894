/* Generalized requests: query, free and cancel, with MPI calls from inside (MPI-3.1, 12.2). */
#include "check.h"

typedef struct {
    int queried, freed, cancelled, complete_at_cancel, value;
} state;

static int query(void *extra, MPI_Status *status)
{
    state *s = extra;
    int r = -1;
    s->queried++;
    MPI_Comm_rank(MPI_COMM_WORLD, &r); /* MPI can be called from here */
    CHECK_INT(r, rank);
    MPI_Status_set_elements(status, MPI_INT, s->value);
    MPI_Status_set_cancelled(status, s->cancelled > 0);
    status->MPI_SOURCE = s->value == 5 ? MPI_PROC_NULL : MPI_UNDEFINED;
    status->MPI_TAG = s->value + 100;
    return MPI_SUCCESS;
}

static int freeing(void *extra)
{
    state *s = extra;
    int flag = -1;
    s->freed++;
    MPI_Initialized(&flag);
    CHECK_INT(flag, 1);
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    state *s = extra;
    s->complete_at_cancel = complete;
    if (!complete)
        s->cancelled++;
    return MPI_SUCCESS;
}

static void check_status(const MPI_Status *status, const state *s)
{
    int count = -1, flag = -1;
    MUST(MPI_Get_count(status, MPI_INT, &count));
    CHECK_INT(count, s->value);
    MUST(MPI_Test_cancelled(status, &flag));
    CHECK_INT(flag, s->cancelled > 0);
    CHECK_INT(status->MPI_TAG, s->value + 100);
    CHECK_INT(status->MPI_SOURCE, s->value == 5 ? MPI_PROC_NULL : MPI_UNDEFINED);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Request request;
    MPI_Status status;
    int flag = -1;

    /* Wait. */
    state s = {.value = 5};
    MUST(MPI_Grequest_start(query, freeing, cancel, &s, &request));
    CHECK(request != MPI_REQUEST_NULL);
    MUST(MPI_Test(&request, &flag, &status));
    CHECK_INT(flag, 0);
    MUST(MPI_Grequest_complete(request));
    CHECK_INT(s.freed, 0);
    MUST(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL);
    CHECK_INT(s.queried, 1);
    CHECK_INT(s.freed, 1);
    check_status(&status, &s);

    /* Test. The query function is called even if the status is ignored. */
    s = (state){.value = 6};
    MUST(MPI_Grequest_start(query, freeing, cancel, &s, &request));
    MUST(MPI_Grequest_complete(request));
    MUST(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    CHECK_INT(flag, 1);
    CHECK_INT(s.queried, 1);
    CHECK_INT(s.freed, 1);

    /* Cancel before completion. */
    s = (state){.value = 7, .complete_at_cancel = -1};
    MUST(MPI_Grequest_start(query, freeing, cancel, &s, &request));
    MUST(MPI_Cancel(&request));
    CHECK_INT(s.complete_at_cancel, 0);
    CHECK_INT(s.cancelled, 1);
    MUST(MPI_Grequest_complete(request));
    MUST(MPI_Wait(&request, &status));
    check_status(&status, &s);
    CHECK_INT(s.freed, 1);

    /* Cancel after completion. */
    s = (state){.value = 8, .complete_at_cancel = -1};
    MUST(MPI_Grequest_start(query, freeing, cancel, &s, &request));
    MUST(MPI_Grequest_complete(request));
    MUST(MPI_Cancel(&request));
    CHECK(s.complete_at_cancel != 0 && s.complete_at_cancel != -1);
    MUST(MPI_Wait(&request, &status));
    check_status(&status, &s);

    /* Request_get_status queries and does not free. */
    s = (state){.value = 9};
    MUST(MPI_Grequest_start(query, freeing, cancel, &s, &request));
    MUST(MPI_Request_get_status(request, &flag, &status));
    CHECK_INT(flag, 0);
    MUST(MPI_Grequest_complete(request));
    MUST(MPI_Request_get_status(request, &flag, &status));
    CHECK_INT(flag, 1);
    CHECK_INT(s.queried, 1);
    CHECK_INT(s.freed, 0);
    check_status(&status, &s);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(s.freed, 1);

    /* Request_free: the request is freed when the operation is complete. */
    s = (state){.value = 10};
    MPI_Request kept;
    MUST(MPI_Grequest_start(query, freeing, cancel, &s, &request));
    kept = request;
    MUST(MPI_Grequest_complete(kept));
    MUST(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
    CHECK_INT(s.freed, 1);

    /* Several, among other requests, through Waitall, Waitany, Waitsome and Testall. */
    for (int how = 0; how < 4; how++) {
        enum { N = 4 };
        state states[N];
        MPI_Request requests[N + 1];
        MPI_Status statuses[N + 1];
        int in = -1, out = 3;
        for (int i = 0; i < N; i++) {
            states[i] = (state){.value = 20 + i};
            MUST(MPI_Grequest_start(query, freeing, cancel, &states[i], &requests[i]));
        }
        MUST(MPI_Irecv(&in, 1, MPI_INT, rank, 4, MPI_COMM_WORLD, &requests[N]));
        MUST(MPI_Send(&out, 1, MPI_INT, rank, 4, MPI_COMM_WORLD));
        for (int i = 0; i < N; i++)
            MUST(MPI_Grequest_complete(requests[i]));
        if (how == 0) {
            MUST(MPI_Waitall(N + 1, requests, statuses));
        } else if (how == 1) {
            for (int k = 0, index; k <= N; k++) {
                MUST(MPI_Waitany(N + 1, requests, &index, &status));
                CHECK(index >= 0 && index <= N);
                if (index >= 0 && index <= N)
                    statuses[index] = status;
            }
        } else if (how == 2) {
            for (int total = 0, outcount = 0, indices[N + 1]; total < N + 1; total += outcount) {
                MPI_Status some[N + 1];
                MUST(MPI_Waitsome(N + 1, requests, &outcount, indices, some));
                CHECK(outcount > 0);
                if (outcount <= 0)
                    break;
                for (int i = 0; i < outcount; i++)
                    statuses[indices[i]] = some[i];
            }
        } else {
            for (flag = 0; !flag;)
                MUST(MPI_Testall(N + 1, requests, &flag, statuses));
        }
        for (int i = 0; i < N; i++) {
            CHECK(requests[i] == MPI_REQUEST_NULL);
            CHECK_INT(states[i].freed, 1);
            CHECK(states[i].queried >= 1);
            check_status(&statuses[i], &states[i]);
        }
        CHECK_INT(in, 3);
        CHECK_INT(statuses[N].MPI_TAG, 4);
    }
    return check_done("greq_basic");
}
