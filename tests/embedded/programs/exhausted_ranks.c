/*
 * One allocation of one of several ranks fails, at any place from MPI_Init to MPI_Finalize. Errors are fatal, so the job
 * either does its work or ends with the error.
 *
 *   exhausted_ranks RANK NUMBER
 *
 * A rank that is right prints the number of its allocations.
 */
#include "exhaust.h"

enum { LONG = 100000 };
static int rank, size, next, before;
static int out[LONG], in[LONG];

static void communicators(MPI_Comm comm)
{
    MPI_Comm parts[6];
    MPI_Group all, some;
    MPI_Request request;
    int dims[1] = {size}, periods[1] = {1}, sources[1] = {before}, destinations[1] = {next}, color = rank % 2;
    MPI_Comm_dup(comm, &parts[0]);
    MPI_Comm_split(comm, color, rank, &parts[1]);
    MPI_Comm_idup(comm, &parts[2], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Cart_create(comm, 1, dims, periods, 0, &parts[3]);
    MPI_Dist_graph_create_adjacent(comm, 1, sources, MPI_UNWEIGHTED, 1, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &parts[4]);
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, 1, &(int){0}, &some);
    MPI_Comm_create(comm, some, &parts[5]);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    if (size > 1) {
        MPI_Comm inter, merged;
        MPI_Intercomm_create(parts[1], 0, comm, !color, 5, &inter);
        MPI_Intercomm_merge(inter, color, &merged);
        MPI_Comm_free(&merged);
        MPI_Comm_free(&inter);
    }
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, parts[4]);
    for (int i = 0; i < 6; i++)
        if (parts[i] != MPI_COMM_NULL)
            MPI_Comm_free(&parts[i]);
}

static void messages(MPI_Comm comm)
{
    static char buffer[sizeof out + MPI_BSEND_OVERHEAD];
    MPI_Datatype column;
    MPI_Request requests[4];
    MPI_Status status;
    void *detached;
    int bytes;
    MPI_Type_vector(LONG / 4, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Isend(out, 1, column, next, 1, comm, &requests[0]); /* not expected */
    MPI_Isend(out, LONG, MPI_INT, next, 2, comm, &requests[1]);
    MPI_Barrier(comm);
    MPI_Probe(before, 2, comm, &status);
    MPI_Irecv(in, LONG, MPI_INT, before, 2, comm, &requests[2]);
    MPI_Irecv(in, 1, column, before, 1, comm, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&column);
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(out, LONG, MPI_INT, next, 3, comm);
    MPI_Recv(in, LONG, MPI_INT, before, 3, comm, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&detached, &bytes);
    MPI_Sendrecv_replace(in, LONG, MPI_INT, next, 4, before, 4, comm, MPI_STATUS_IGNORE);
}

static void add(void *from, void *to, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)to)[i] += ((int *)from)[i];
}

static void collectives(MPI_Comm comm)
{
    static int wide[4 * LONG];
    MPI_Request requests[3];
    MPI_Op op;
    MPI_Op_create(add, 0, &op);
    for (int k = 0, n = 1; k < 2; k++, n = LONG) {
        for (int i = 0; i < n; i++)
            out[i] = 1;
        MPI_Bcast(in, n, MPI_INT, 0, comm);
        MPI_Allreduce(out, in, n, MPI_INT, op, comm);
        EQUAL(size, in[n - 1]);
        MPI_Reduce(out, in, n, MPI_INT, MPI_SUM, 0, comm);
        MPI_Scan(out, in, n, MPI_INT, op, comm);
        MPI_Allgather(out, n, MPI_INT, wide, n, MPI_INT, comm);
        MPI_Alltoall(wide, n / 4 + 1, MPI_INT, in, n / 4 + 1, MPI_INT, comm);
        MPI_Iallreduce(out, in, n, MPI_INT, MPI_SUM, comm, &requests[0]);
        MPI_Iallgather(out, n, MPI_INT, wide, n, MPI_INT, comm, &requests[1]);
        MPI_Ibarrier(comm, &requests[2]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        EQUAL(size, in[n - 1]);
    }
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    const char *own = getenv("ADI_RANK");
    long number = atol(argv[2]), most = 1l << 40;
    left = atoi(argv[1]) == (own ? atoi(own) : 0) ? number : most;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    communicators(MPI_COMM_WORLD);
    messages(MPI_COMM_WORLD);
    collectives(MPI_COMM_WORLD);
    MPI_Finalize();
    printf("rank %d: right after %ld allocations\n", rank, left > most / 2 ? most - left : -1);
    return 0;
}
