/* Functions that the front emulates over the embedded MPI. Prints the result on rank 0. */
#include <mpi.h>
#include <stdio.h>

static int bad;

static void persistent(int rank, int size)
{
    int sum = 0;
    MPI_Request request;
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 3; i++) {
        sum = 0;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        bad += sum != size * (size - 1) / 2;
    }
    MPI_Request_free(&request);
}

static void exchange(int rank, int size)
{
    int got = -1;
    MPI_Request request;
    MPI_Isendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 5, &got, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    bad += got != (rank + size - 1) % size;
}

static void partitioned(int rank, int size)
{
    int parts[4] = {rank, rank + 1, rank + 2, rank + 3}, got[4] = {-1, -1, -1, -1};
    const int from = (rank + size - 1) % size;
    MPI_Request requests[2];
    MPI_Psend_init(parts, 4, 1, MPI_INT, (rank + 1) % size, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(got, 4, 1, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Pready_range(0, 3, requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; i++)
        bad += got[i] != from + i;
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

/* Makes a communicator by a session. */
static void session(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int size = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "tag", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_size(comm, &size);
    bad += size < 1;
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}

int main(int argc, char **argv)
{
    int rank, size, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    persistent(rank, size);
    exchange(rank, size);
    partitioned(rank, size);
    session();
    MPI_Reduce(&bad, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("emulated: %s\n", all ? "WRONG" : "right");
    MPI_Finalize();
    return bad;
}
