/* Calls functions of all kinds under a layer that counts (layer.c), and compares the layer's count of every slot with
   the calls that it made. Prints the differences. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

extern void observe(void), observe_no_more(void), watch_inner(const char *name);
extern long calls_observed(const char *name), calls_served(const char *name);
extern const char *slot_name(unsigned i);
extern int is_missing(const char *name);
extern int MPIX_Grequest_start(void *, void *, void *, void *, void *, void *, MPI_Request *);

extern void mpi_alltoallw_(void *, int *, int *, int *, void *, int *, int *, int *, int *, int *);
extern void mpi_comm_size_(int *, int *, int *);
extern void mpi_allreduce_(void *, void *, int *, int *, int *, int *, int *);
extern void mpi_waitall_(int *, int *, int *, int *);
extern void mpi_isend_(void *, int *, int *, int *, int *, int *, int *, int *);
extern void mpi_irecv_(void *, int *, int *, int *, int *, int *, int *, int *);

static struct { const char *name; long calls; } expected[64];

static void called(const char *name)
{
    int i = 0;
    while (expected[i].name && strcmp(expected[i].name, name))
        i++;
    expected[i].name = name;
    expected[i].calls++;
}
#define CALL(name, ...) (called(#name), name(__VA_ARGS__))

static int wrong;
#define CHECK(condition) ((condition) ? (void)0 : (void)(wrong++, printf("line %d: %s\n", __LINE__, #condition)))

static long of(const char *name)
{
    for (int i = 0; expected[i].name; i++)
        if (!strcmp(expected[i].name, name))
            return expected[i].calls;
    return 0;
}

static void compare(const char *when)
{
    for (unsigned i = 0; slot_name(i); i++)
        if (calls_observed(slot_name(i)) != of(slot_name(i))) {
            wrong++;
            printf("%s: %s: %ld calls, %ld observed\n", when, slot_name(i), of(slot_name(i)), calls_observed(slot_name(i)));
        }
}

/* Functions that the runtime has, that are emulated by others, and that it lacks. */
static void in_c(void)
{
    int rank = -1, one = 1, sum = 0, got = 0;
    MPI_Request request;
    MPI_Session session;
    CALL(MPI_Comm_rank, MPI_COMM_WORLD, &rank);
    CHECK(rank == 0);
    CALL(MPI_Allreduce, &one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == 1);
    CALL(MPI_Isendrecv, &one, 1, MPI_INT, 0, 3, &got, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CHECK(got == 1);
    CALL(MPI_Session_init, MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    CALL(MPI_Session_finalize, &session);
    CALL(MPI_Pcontrol, 1, 2.5);
    MPI_Datatype pair;
    CALL(MPI_Type_contiguous_c, (MPI_Count)2, MPI_INT, &pair);
    CALL(MPI_Type_free, &pair);
    CALL(MPI_Comm_set_errhandler, MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(is_missing("MPIX_Grequest_start"));
    CHECK(CALL(MPIX_Grequest_start, NULL, NULL, NULL, NULL, NULL, NULL, &request) != MPI_SUCCESS);
}

static void in_fortran(void)
{
    int comm = CALL(MPI_Comm_c2f, MPI_COMM_WORLD), type = CALL(MPI_Type_c2f, MPI_INT), op = CALL(MPI_Op_c2f, MPI_SUM);
    int size = 0, ierror = -1, one = 1, zero = 0, four = 4, to = 0, sum = 0, tag = 5, requests[2], n = 2, statuses[2 * MPI_F_STATUS_SIZE];
    called("MPI_Comm_size");
    mpi_comm_size_(&comm, &size, &ierror);
    CHECK(size == 1 && ierror == 0);
    called("MPI_Alltoallw");
    mpi_alltoallw_(&four, &one, &zero, &type, &to, &one, &zero, &type, &comm, &ierror);
    CHECK(to == 4 && ierror == 0);
    called("MPI_Allreduce");
    mpi_allreduce_(&four, &sum, &one, &type, &op, &comm, &ierror);
    CHECK(sum == 4 && ierror == 0);
    called("MPI_Irecv");
    mpi_irecv_(&to, &one, &type, &zero, &tag, &comm, &requests[0], &ierror);
    called("MPI_Isend");
    mpi_isend_(&one, &one, &type, &zero, &tag, &comm, &requests[1], &ierror);
    called("MPI_Waitall");
    mpi_waitall_(&n, requests, statuses, &ierror);
    CHECK(to == 1 && ierror == 0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    observe();
    compare("at first");
    watch_inner("MPI_Comm_test_inter"); /* which Fortran's MPI_Alltoallw calls, */
    watch_inner("MPI_Comm_f2c");        /* which all Fortran procedures with a communicator call, */
    watch_inner("MPI_Irecv");           /* and which the emulated MPI_Isendrecv calls */
    in_c();
    compare("in C");
    CHECK(calls_served("MPI_Irecv") == 1 && of("MPI_Irecv") == 0);
    in_fortran();
    compare("in Fortran");
    CHECK(calls_served("MPI_Comm_test_inter") > 0 && of("MPI_Comm_test_inter") == 0);
    CHECK(calls_served("MPI_Comm_f2c") > 0 && of("MPI_Comm_f2c") == 0);
    observe_no_more();
    {
        int rank = -1, size = 0, comm = MPI_Comm_c2f(MPI_COMM_WORLD), ierror;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        mpi_comm_size_(&comm, &size, &ierror);
        CHECK(rank == 0 && size == 1);
    }
    compare("when the layer is gone");
    MPI_Finalize();
    if (!wrong)
        printf("observed ok\n");
    return wrong != 0;
}
