/* A library of the MPICH family with the few functions that program.c calls. It has one rank, and stops with a message
   on any argument that is not MPICH's. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int count_lo, count_hi_and_cancelled, MPI_SOURCE, MPI_TAG, MPI_ERROR; } Status;
enum { WORLD = 0x44000000, DUPLICATE = (int)0x84000001, INT = 0x4c000405, SUM = 0x58000003, USER = (int)0x98000000,
       NO_REQUEST = 0x2c000000, REQUEST = (int)0xac000001, ANY_SOURCE = -2 };

#define EXPECT(what, value) \
    ((what) == (value) ? (void)0 : (fprintf(stderr, "%s: %s is %lx\n", __func__, #what, (long)(what)), exit(3)))

void *MPI_UNWEIGHTED; /* identifies a library of this family */
static int message, kept;
static void (*operation)(void *, void *, int *, int *);

int PMPI_Init(int *argc, char ***argv) { (void)argc, (void)argv; return 0; }
int MPI_Init(int *argc, char ***argv) __attribute__((weak, alias("PMPI_Init")));
int PMPI_Finalize(void) { return 0; }
int PMPI_Comm_rank(int comm, int *rank) { if (comm != DUPLICATE) EXPECT(comm, WORLD); *rank = 0; return 0; }
int PMPI_Comm_dup(int comm, int *new) { EXPECT(comm, WORLD); *new = DUPLICATE; return 0; }
int PMPI_Comm_free(int *comm) { EXPECT(*comm, DUPLICATE); *comm = 0x04000000; return 0; }

int PMPI_Send(const void *buffer, int count, int type, int to, int tag, int comm)
{
    EXPECT(count, 1), EXPECT(type, INT), EXPECT(to, 0), EXPECT(tag, 7), EXPECT(comm, DUPLICATE);
    message = *(const int *)buffer;
    return 0;
}

int PMPI_Recv(void *buffer, int count, int type, int from, int tag, int comm, Status *status)
{
    EXPECT(count, 1), EXPECT(type, INT), EXPECT(from, ANY_SOURCE), EXPECT(tag, 7), EXPECT(comm, DUPLICATE);
    raise(SIGUSR1); /* arrives while a call is inside the library */
    *(int *)buffer = message;
    *status = (Status){4, 0, 0, 7, status->MPI_ERROR};
    return 0;
}

int PMPI_Sendrecv(const void *out, int n_out, int type_out, int to, int tag_out, void *in, int n_in, int type_in, int from, int tag_in,
                  int comm, Status *status)
{
    EXPECT(n_out, 1), EXPECT(type_out, INT), EXPECT(to, 0), EXPECT(tag_out, 3), EXPECT(comm, DUPLICATE);
    EXPECT(n_in, 1), EXPECT(type_in, INT), EXPECT(from, ANY_SOURCE), EXPECT(tag_in, 4);
    memcpy(in, out, sizeof(int));
    *status = (Status){4, 0, 0, 4, status->MPI_ERROR};
    return 0;
}

int PMPI_Isend(const void *buffer, int count, int type, int to, int tag, int comm, int *request)
{
    kept = *(const int *)buffer;
    EXPECT(count, 1), EXPECT(type, INT), EXPECT(to, 0), EXPECT(tag, 8), EXPECT(comm, WORLD);
    *request = REQUEST;
    return 0;
}

int PMPI_Waitall(int n, int *requests, Status *statuses)
{
    EXPECT(n, 2), EXPECT(requests[0], REQUEST), EXPECT(requests[1], NO_REQUEST);
    EXPECT(statuses, (Status *)1);
    requests[0] = NO_REQUEST;
    return 0;
}

int PMPI_Op_create(void *function, int commutes, int *op) { EXPECT(commutes, 1); operation = function; *op = USER; return 0; }
int PMPI_Op_free(int *op) { EXPECT(*op, USER); *op = 0x18000000; return 0; }

/* Calls MPI by its global name with the library's own arguments, as runtimes do. The front must pass the call back
   unchanged. */
int MPI_Comm_rank(int, int *) __attribute__((weak));

int PMPI_Allreduce(const void *in, void *out, int count, int type, int op, int comm)
{
    int rank = -1, internal = DUPLICATE;
    EXPECT(type, INT), EXPECT(comm, WORLD);
    if (MPI_Comm_rank)
        EXPECT(MPI_Comm_rank(internal, &rank), 0), EXPECT(rank, 0);
    if (op == USER)
        operation((void *)in, out, &count, &type);
    else {
        EXPECT(op, SUM);
        memcpy(out, in, sizeof(int) * (size_t)count);
    }
    return 0;
}
