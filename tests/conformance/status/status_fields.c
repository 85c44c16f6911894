/* The forms of a status (C, Fortran's array and mpi_f08's) with the positions of their fields, and the functions that
   set and get fields (MPI-3.1, 17.2.5; MPI-4.1, 3.2.5). */
#include "check.h"

#ifndef MPI_ABI_VERSION
#if MPI_VERSION >= 4
#pragma weak MPI_Status_c2f08
#pragma weak MPI_Status_f082c
#pragma weak MPI_Status_f082f
#pragma weak MPI_Status_f2f08
#endif

static const struct {
    int source, tag, error, count, cancelled;
} samples[] = {
    {0, 0, MPI_SUCCESS, 0, 0},
    {3, 17, MPI_ERR_TRUNCATE, 12345, 0},
    {MPI_PROC_NULL, MPI_ANY_TAG, MPI_ERR_OTHER, 0, 0},
    {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 1},
    {1, 32767, MPI_ERR_PENDING, 2147483647, 1},
};

static void is(const MPI_Status *status, unsigned i, int line)
{
    int count = -1, cancelled = -1;
    MUST(MPI_Get_elements(status, MPI_BYTE, &count));
    MUST(MPI_Test_cancelled(status, &cancelled));
    if (status->MPI_SOURCE != samples[i].source || status->MPI_TAG != samples[i].tag ||
        status->MPI_ERROR != samples[i].error || count != samples[i].count || cancelled != samples[i].cancelled)
        check_fail(__FILE__, line, "sample %u: %d %d %d %d %d", i, status->MPI_SOURCE, status->MPI_TAG, status->MPI_ERROR,
                   count, cancelled);
}
#define IS(status, i) is(status, i, __LINE__)

static void forms(void)
{
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        MPI_Status status, back;
        struct {
            MPI_Fint words[sizeof(MPI_Status) / sizeof(MPI_Fint)], guard;
        } f = {{0}, 4711};
        memset(&status, 0, sizeof status);
        status.MPI_SOURCE = samples[i].source;
        status.MPI_TAG = samples[i].tag;
        status.MPI_ERROR = samples[i].error;
        MUST(MPI_Status_set_elements(&status, MPI_BYTE, samples[i].count));
        MUST(MPI_Status_set_cancelled(&status, samples[i].cancelled));
        IS(&status, i);
        MUST(MPI_Status_c2f(&status, f.words));
        CHECK_INT(f.guard, 4711);
        memset(&back, 0x66, sizeof back);
        MUST(MPI_Status_f2c(f.words, &back));
        IS(&back, i);
#ifdef MPI_F_STATUS_SIZE
        CHECK_INT(MPI_F_STATUS_SIZE, sizeof(MPI_Status) / sizeof(MPI_Fint));
        CHECK_INT(f.words[MPI_F_SOURCE], samples[i].source);
        CHECK_INT(f.words[MPI_F_TAG], samples[i].tag);
        CHECK_INT(f.words[MPI_F_ERROR], samples[i].error);
#endif
#if MPI_VERSION >= 4
        if (!MPI_Status_c2f08) /* it is in another library */
            continue;
        MPI_F08_status f08, f08_back;
        MPI_Fint words[sizeof f.words / sizeof *f.words];
        memset(&f08, 0, sizeof f08);
        MUST(MPI_Status_c2f08(&status, &f08));
        CHECK_INT(f08.MPI_SOURCE, samples[i].source);
        CHECK_INT(f08.MPI_TAG, samples[i].tag);
        CHECK_INT(f08.MPI_ERROR, samples[i].error);
        memset(&back, 0x66, sizeof back);
        MUST(MPI_Status_f082c(&f08, &back));
        IS(&back, i);
        MUST(MPI_Status_f082f(&f08, words));
        memset(&back, 0x66, sizeof back);
        MUST(MPI_Status_f2c(words, &back));
        IS(&back, i);
        MUST(MPI_Status_f2f08(words, &f08_back));
        MUST(MPI_Status_f082c(&f08_back, &back));
        IS(&back, i);
#endif
    }
}
#endif

#ifndef MPI_ABI_VERSION
/* Converting MPI_STATUS_IGNORE is an error (MPI-3.1, 17.2.5), not a crash. */
static void ignored(void)
{
    MPI_Status status;
    MPI_Fint words[sizeof status / sizeof(MPI_Fint)];
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK(MPI_Status_c2f(MPI_STATUS_IGNORE, words) != MPI_SUCCESS);
    CHECK(MPI_Status_c2f(MPI_STATUSES_IGNORE, words) != MPI_SUCCESS);
    CHECK(MPI_Status_f2c(MPI_F_STATUS_IGNORE, &status) != MPI_SUCCESS);
    CHECK(MPI_Status_f2c(MPI_F_STATUSES_IGNORE, &status) != MPI_SUCCESS);
}
#endif

#if CHECK_HAVE(4, 1)
static void accessors(void)
{
    static const int values[] = {0, 5, MPI_ANY_SOURCE, MPI_PROC_NULL, 2147483647};
    MPI_Status status;
    int got = -77, count = -1;
    memset(&status, 0, sizeof status);
    MUST(MPI_Status_set_elements(&status, MPI_INT, 9));
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        MUST(MPI_Status_set_source(&status, values[i]));
        MUST(MPI_Status_set_tag(&status, 100 + (int)i));
        MUST(MPI_Status_set_error(&status, MPI_ERR_TAG));
        MUST(MPI_Status_get_source(&status, &got));
        CHECK(got == values[i] && status.MPI_SOURCE == values[i]);
        MUST(MPI_Status_get_tag(&status, &got));
        CHECK(got == 100 + (int)i && status.MPI_TAG == got);
        MUST(MPI_Status_get_error(&status, &got));
        CHECK(got == MPI_ERR_TAG && status.MPI_ERROR == got);
        MUST(MPI_Get_count(&status, MPI_INT, &count));
        CHECK_INT(count, 9);
    }
}
#endif

/* A message's status is converted to each form, and then queried. */
static void received(void)
{
    int data[6] = {0}, in[8], count = -1;
    MPI_Datatype pair;
    MPI_Status status;
    MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
    MUST(MPI_Type_commit(&pair));
    MUST(MPI_Sendrecv(data, 3, pair, rank, 8, in, 4, pair, rank, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
#ifndef MPI_ABI_VERSION
    MPI_Fint words[sizeof status / sizeof(MPI_Fint)];
    MUST(MPI_Status_c2f(&status, words));
    memset(&status, 0, sizeof status);
    MUST(MPI_Status_f2c(words, &status));
#endif
    MUST(MPI_Get_count(&status, pair, &count));
    CHECK_INT(count, 3);
    MUST(MPI_Get_elements(&status, pair, &count));
    CHECK_INT(count, 6);
    CHECK_INT(status.MPI_TAG, 8);
    MUST(MPI_Type_free(&pair));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#ifndef MPI_ABI_VERSION
    forms();
    ignored();
#endif
#if CHECK_HAVE(4, 1)
    accessors();
#endif
    received();
    return check_done("status_fields");
}
