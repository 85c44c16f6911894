/* A program of the Open MPI family. It declares the parts of that family's mpi.h that it uses, because there is no
   mpi.h for arm64 here. */
#include <signal.h>
#include <stdio.h>

typedef struct handle *Handle;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR, _cancelled; size_t _ucount; } Status;
extern struct handle ompi_mpi_comm_world, ompi_mpi_int, ompi_mpi_op_sum, ompi_request_null;
#define WORLD (&ompi_mpi_comm_world)
#define INT (&ompi_mpi_int)
#define SUM (&ompi_mpi_op_sum)
#define NO_REQUEST (&ompi_request_null)
enum { ANY_SOURCE = -1 };

int MPI_Initialized(int *), MPI_Init(int *, char ***), MPI_Finalize(void), MPI_Comm_rank(Handle, int *);
int MPI_Comm_dup(Handle, Handle *), MPI_Comm_free(Handle *);
int MPI_Send(const void *, int, Handle, int, int, Handle), MPI_Recv(void *, int, Handle, int, int, Handle, Status *);
int MPI_Isend(const void *, int, Handle, int, int, Handle, Handle *), MPI_Waitall(int, Handle *, Status *);
int MPI_Op_create(void (*)(void *, void *, int *, Handle *), int, Handle *), MPI_Op_free(Handle *);
int MPI_Sendrecv(const void *, int, Handle, int, int, void *, int, Handle, int, int, Handle, Status *);
int MPI_Allreduce(const void *, void *, int, Handle, Handle, Handle);

static int failures;
#define CHECK(condition) ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%d: %s\n", __LINE__, #condition)))

static void add(void *in, void *out, int *n, Handle *type)
{
    int rank = -1;
    CHECK(*n == 2 && *type == INT);
    CHECK(MPI_Comm_rank(WORLD, &rank) == 0 && rank == 0); /* a callback may call MPI */
    for (int i = 0; i < *n; i++)
        ((int *)out)[i] += ((int *)in)[i];
}

static Handle comm;
static int asked, last;

/* Runs while the library is in MPI_Recv. */
static void on_signal(int number)
{
    int rank = -1, out = 9, in = -1;
    Status status = {-5, -5, -5, -5, 99};
    asked++;
    CHECK(number == SIGUSR1);
    CHECK(MPI_Comm_rank(comm, &rank) == 0 && rank == 0);
    CHECK(MPI_Sendrecv(&out, 1, INT, 0, 3, &in, 1, INT, ANY_SOURCE, 4, comm, &status) == 0);
    CHECK(in == 9 && status.MPI_SOURCE == 0 && status.MPI_TAG == 4 && status._ucount == 4);
    last = 7;
    (void)MPI_Comm_rank(comm, &last);
}

int main(int argc, char **argv)
{
    int flag = -1, rank = -1, one[2] = {40, 41}, two[2] = {2, 3};
    Handle op, requests[2] = {0, NO_REQUEST};
    Status status = {-5, -5, -5, -5, 99};
    CHECK(MPI_Initialized(&flag) == 0 && flag == 0);
    CHECK(MPI_Init(&argc, &argv) == 0);
    CHECK(MPI_Comm_rank(WORLD, &rank) == 0 && rank == 0);
    CHECK(MPI_Comm_dup(WORLD, &comm) == 0);
    signal(SIGUSR1, on_signal);
    CHECK(MPI_Send(one, 1, INT, 0, 7, comm) == 0);
    CHECK(MPI_Recv(two, 1, INT, ANY_SOURCE, 7, comm, &status) == 0);
    CHECK(two[0] == 40 && two[1] == 3);
    CHECK(asked == 1 && last == 0);
    CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 7 && status.MPI_ERROR == -5 && status._ucount == 4 && status._cancelled == 0);
    CHECK(MPI_Isend(one, 1, INT, 0, 8, WORLD, requests) == 0 && requests[0] != NO_REQUEST);
    CHECK(MPI_Waitall(2, requests, NULL) == 0);
    CHECK(requests[0] == NO_REQUEST && requests[1] == NO_REQUEST);
    CHECK(MPI_Allreduce(one, two, 2, INT, SUM, WORLD) == 0 && two[0] == 40 && two[1] == 41);
    CHECK(MPI_Op_create(add, 1, &op) == 0);
    CHECK(MPI_Allreduce(one, two, 2, INT, op, WORLD) == 0 && two[0] == 80 && two[1] == 82);
    CHECK(MPI_Op_free(&op) == 0);
    CHECK(MPI_Comm_free(&comm) == 0);
    CHECK(MPI_Finalize() == 0);
    if (!failures)
        printf("arm64 ok\n");
    return failures != 0;
}
