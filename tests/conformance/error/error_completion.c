/* Failures that appear at completion: user error handlers of two communicators, requests of both, and generalized
   requests whose query returns a code of the program, in every completion function (MPI-3.1, 3.7.5, 8.3, 12.2). */
#include "check.h"

static MPI_Comm comms[2];
static int calls[2], last_code;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0, r = -1;
    CHECK(*comm == comms[0] || *comm == comms[1]);
    calls[*comm == comms[1]]++;
    last_code = *code;
    MUST(MPI_Error_string(*code, text, &length));
    CHECK(length > 0);
    MUST(MPI_Comm_rank(*comm, &r));
    CHECK_INT(r, rank);
}

/* A message of 3 elements for a receive of 1 element, posted first, on one communicator, then a good message on the
   other. */
static void begin(int which, MPI_Request *r, int *in)
{
    static const int data[3] = {1, 2, 3};
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    MUST(MPI_Irecv(in, 1, MPI_INT, prev, 1, comms[which], &r[0]));
    MUST(MPI_Irecv(in + 4, 3, MPI_INT, prev, 2, comms[!which], &r[1]));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Send(data, 3, MPI_INT, next, 1, comms[which]));
    MUST(MPI_Send(data, 3, MPI_INT, next, 2, comms[!which]));
    calls[0] = calls[1] = 0;
    last_code = MPI_SUCCESS;
}

static void truncated(int which, int how)
{
    int in[8] = {0}, flag = 0, index = -1, outcount = 0, indices[2], code = MPI_SUCCESS, done = 0;
    MPI_Request r[2];
    MPI_Status s[2];
    begin(which, r, in);
    const int single = how < 4;
    switch (how) {
    case 0:
        code = MPI_Wait(&r[0], s);
        break;
    case 1:
        while (!flag && code == MPI_SUCCESS)
            code = MPI_Test(&r[0], &flag, s);
        break;
    case 2:
        code = MPI_Waitany(1, r, &index, s);
        break;
    case 3:
        while (!flag && code == MPI_SUCCESS)
            code = MPI_Testany(1, r, &index, &flag, s);
        break;
    case 4:
        code = MPI_Waitall(2, r, s);
        break;
    case 5:
        while (!flag && code == MPI_SUCCESS)
            code = MPI_Testall(2, r, &flag, s);
        break;
    case 6:
        while (code == MPI_SUCCESS && done < 2) {
            code = MPI_Waitsome(2, r, &outcount, indices, s);
            done += outcount;
        }
        break;
    case 7:
        while (code == MPI_SUCCESS && done < 2) {
            code = MPI_Testsome(2, r, &outcount, indices, s);
            done += outcount;
        }
    }
    CHECK_CLASS(code, single ? MPI_ERR_TRUNCATE : MPI_ERR_IN_STATUS);
    CHECK(r[0] == MPI_REQUEST_NULL);
    CHECK(calls[0] + calls[1] <= 1); /* MPICH calls the handler of MPI_COMM_WORLD or MPI_COMM_SELF */
    if (calls[0] + calls[1] > 0) {
        const int class = check_class(last_code);
        CHECK(calls[which] == 1 || !single);
        CHECK(class == MPI_ERR_TRUNCATE || (class == MPI_ERR_IN_STATUS && !single));
    }
    if (r[1] != MPI_REQUEST_NULL)
        MUST(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
    CHECK_INT(in[6], 3);
}

/* Three generalized requests. The query of the second one fails. */
static int query(void *state, MPI_Status *status)
{
    MUST(MPI_Status_set_elements(status, MPI_INT, 1));
    MUST(MPI_Status_set_cancelled(status, 0));
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = 33;
    return *(int *)state;
}
static int freed(void *state) { return (void)state, MPI_SUCCESS; }
static int cancel(void *state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }

static void came(int code, int want)
{
    const int class = check_class(code);
    CHECK(class == want || (want != MPI_SUCCESS && class == MPI_ERR_OTHER)); /* MPICH's class for it */
}

static void generalized(int how, int user_code, int user_class)
{
    int codes[3] = {MPI_SUCCESS, user_code, MPI_SUCCESS}, flag = 0, outcount = 0, indices[3], failed = 0, index = -1;
    MPI_Request r[3];
    MPI_Status s[3];
    for (int i = 0; i < 3; i++) {
        s[i].MPI_ERROR = 4711;
        MUST(MPI_Grequest_start(query, freed, cancel, &codes[i], &r[i]));
        MUST(MPI_Grequest_complete(r[i]));
    }
    int code = MPI_SUCCESS;
    if (how < 2) {
        code = how ? MPI_Testall(3, r, &flag, s) : MPI_Waitall(3, r, s);
        CHECK_CLASS(code, MPI_ERR_IN_STATUS);
        for (int i = 0; i < 3; i++) {
            if (check_class(s[i].MPI_ERROR) == MPI_ERR_PENDING)
                continue;
            came(s[i].MPI_ERROR, i == 1 ? user_class : MPI_SUCCESS);
            failed += s[i].MPI_ERROR != MPI_SUCCESS;
        }
    } else if (how < 4) {
        code = how == 2 ? MPI_Waitsome(3, r, &outcount, indices, s) : MPI_Testsome(3, r, &outcount, indices, s);
        CHECK_CLASS(code, MPI_ERR_IN_STATUS);
        CHECK_INT(outcount, 3);
        for (int i = 0; i < outcount; i++) {
            came(s[i].MPI_ERROR, indices[i] == 1 ? user_class : MPI_SUCCESS);
            failed += s[i].MPI_ERROR != MPI_SUCCESS;
        }
    } else {
        for (int i = 0; i < 3; i++) {
            code = how == 4 ? MPI_Waitany(3, r, &index, s) : MPI_Testany(3, r, &index, &flag, s);
            CHECK_CLASS(code, index == 1 ? user_class : MPI_SUCCESS);
            failed += code != MPI_SUCCESS;
        }
    }
    CHECK_INT(failed, 1);
    for (int i = 0; i < 3; i++)
        if (r[i] != MPI_REQUEST_NULL)
            MPI_Wait(&r[i], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int user_class, user_code;
    MPI_Errhandler handler;
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_create_errhandler(on_error, &handler));
    for (int i = 0; i < 2; i++) {
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
        MUST(MPI_Comm_set_errhandler(comms[i], handler));
    }
    MUST(MPI_Errhandler_free(&handler));
    /* Open MPI does not detect truncation of a message from the rank to itself: see p2p_truncate_self. */
    for (int how = 0; how < 8 && size > 1; how++)
        for (int which = 0; which < 2; which++)
            truncated(which, how);
    MUST(MPI_Add_error_class(&user_class));
    MUST(MPI_Add_error_code(user_class, &user_code));
    for (int how = 0; how < 6; how++) {
        generalized(how, user_code, user_class);
        generalized(how, MPI_ERR_ARG, MPI_ERR_ARG);
    }
    for (int i = 0; i < 2; i++)
        MUST(MPI_Comm_free(&comms[i]));
    return check_done("error_completion");
}
