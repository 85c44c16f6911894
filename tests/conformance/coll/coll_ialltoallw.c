/*
 * Ialltoallw and similar functions with derived types whose handles are freed before completion (MPI-3.1, 4.1.9: a
 * freed type lives until pending communication is over).
 *
 * MPI-3.1 5.12 forbids the program to change the arrays of counts, displacements and types before completion, so the
 * arrays remain unchanged. The program frees copies of the handles in them.
 */
#include "check.h"

enum { MAX = 64, N = 5000 };

static int out[MAX * N], in[MAX * N];

static void exchange(int neighbours)
{
    int counts[MAX], displs[MAX];
    MPI_Aint aint_displs[MAX];
    MPI_Datatype send_types[MAX], receive_types[MAX], copies[MAX];
    MPI_Request request;
    MPI_Comm comm = MPI_COMM_WORLD;
    int peers[MAX];
    for (int i = 0; i < size; i++) {
        peers[i] = i;
        counts[i] = 1;
        displs[i] = i * N * (int)sizeof(int);
        aint_displs[i] = displs[i];
        MUST(MPI_Type_vector(N / 2, 1, 2, MPI_INT, &send_types[i])); /* every second element */
        MUST(MPI_Type_commit(&send_types[i]));
        receive_types[i] = send_types[i];
        copies[i] = send_types[i];
        for (int j = 0; j < N; j++) {
            out[i * N + j] = 1000000 * rank + 10000 * i + j;
            in[i * N + j] = -1;
        }
    }
    if (neighbours) {
        MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, size, peers, MPI_UNWEIGHTED, size, peers, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 0, &comm));
        MUST(MPI_Ineighbor_alltoallw(out, counts, aint_displs, send_types, in, counts, aint_displs, receive_types,
                                     comm, &request));
    } else {
        MUST(MPI_Ialltoallw(out, counts, displs, send_types, in, counts, displs, receive_types, comm, &request));
    }
    for (int i = 0; i < size; i++)
        MUST(MPI_Type_free(&copies[i]));
    /* New types may reuse the handles of the freed ones. */
    MPI_Datatype others[MAX];
    for (int i = 0; i < size; i++) {
        MUST(MPI_Type_contiguous(i + 1, MPI_CHAR, &others[i]));
        MUST(MPI_Type_commit(&others[i]));
    }
    if (rank % 2) {
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        for (int flag = 0; !flag;)
            MUST(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    }
    CHECK(request == MPI_REQUEST_NULL);
    for (int i = 0; i < size; i++) {
        int bytes = -1;
        MUST(MPI_Type_size(others[i], &bytes));
        CHECK_INT(bytes, i + 1);
        MUST(MPI_Type_free(&others[i]));
        CHECK_INT(in[i * N], 1000000 * i + 10000 * rank);
        CHECK_INT(in[i * N + 1], -1);
        CHECK_INT(in[i * N + N - 2], 1000000 * i + 10000 * rank + N - 2);
    }
    if (neighbours)
        MUST(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int i = 0; i < 5; i++)
        exchange(0);
    for (int i = 0; i < 5; i++)
        exchange(1);

    /* Many at once, completed together with point-to-point requests. */
    enum { MANY = 20 };
    static int send[MANY][MAX], receive[MANY][MAX], counts[MAX], displs[MAX];
    static MPI_Datatype types[MANY][MAX];
    MPI_Request requests[2 * MANY];
    int sent[MANY], received[MANY];
    for (int k = 0; k < MANY; k++) {
        for (int i = 0; i < size; i++) {
            send[k][i] = 1000 * k + 10 * rank + i;
            counts[i] = 1;
            displs[i] = i * (int)sizeof(int);
            types[k][i] = i % 2 ? MPI_INT : MPI_UNSIGNED;
        }
        /* The type signatures agree: the data that rank i sends to an even rank is unsigned there. */
        MPI_Datatype by_rank[MAX];
        for (int i = 0; i < size; i++)
            by_rank[i] = rank % 2 ? MPI_INT : MPI_UNSIGNED;
        static MPI_Datatype receive_types[MAX];
        memcpy(receive_types, by_rank, sizeof by_rank);
        MUST(MPI_Ialltoallw(send[k], counts, displs, types[k], receive[k], counts, displs, receive_types,
                            MPI_COMM_WORLD, &requests[2 * k]));
        sent[k] = k;
        MUST(MPI_Irecv(&received[k], 1, MPI_INT, rank, k, MPI_COMM_WORLD, &requests[2 * k + 1]));
        MUST(MPI_Send(&sent[k], 1, MPI_INT, rank, k, MPI_COMM_WORLD));
    }
    MUST(MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE));
    for (int k = 0; k < MANY; k++) {
        CHECK(requests[2 * k] == MPI_REQUEST_NULL && requests[2 * k + 1] == MPI_REQUEST_NULL);
        CHECK_INT(received[k], k);
        for (int i = 0; i < size; i++)
            CHECK_INT(receive[k][i], 1000 * k + 10 * i + rank);
    }
    return check_done("coll_ialltoallw");
}
