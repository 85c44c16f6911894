/* Functions that C programs of Open MPI 6 call and programs of Open MPI 5 could not: large counts, and additions of
   MPI-4.1 and 5.0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed;
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: wrong\n", __LINE__); \
            exit(1); \
        } \
        passed++; \
    } while (0)

static void sum(void *in, void *inout, MPI_Count *n, MPI_Datatype *type)
{
    CHECK(*type == MPI_INT);
    for (MPI_Count i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank, size, flag, major, minor, class;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;

    /* large counts: messages, datatypes, collective calls, windows */
    int a[8], b[8];
    MPI_Count n;
    MPI_Status status;
    MPI_Request requests[2];
    for (int i = 0; i < 8; i++)
        a[i] = 10 * rank + i;
    MPI_Sendrecv_c(a, 8, MPI_INT, next, 1, b, 8, MPI_INT, before, 1, MPI_COMM_WORLD, &status);
    CHECK(b[7] == 10 * before + 7);
    MPI_Get_count_c(&status, MPI_INT, &n);
    CHECK(n == 8);
    MPI_Datatype even;
    MPI_Type_vector_c(4, 1, 2, MPI_INT, &even);
    MPI_Type_commit(&even);
    MPI_Type_size_c(even, &n);
    CHECK(n == 16);
    memset(b, 0, sizeof b);
    MPI_Irecv_c(b, 4, MPI_INT, before, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend_c(a, 1, even, next, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(b[3] == 10 * before + 6 && b[4] == 0);
    MPI_Count integers, addresses, large, types;
    int combiner;
    MPI_Type_get_envelope_c(even, &integers, &addresses, &large, &types, &combiner);
    CHECK(combiner == MPI_COMBINER_VECTOR && types == 1);
    MPI_Type_free(&even);
    MPI_Op op;
    MPI_Op_create_c(sum, 1, &op);
    MPI_Allreduce_c(a, b, 8, MPI_INT, op, MPI_COMM_WORLD);
    CHECK(b[1] == size + 5 * size * (size - 1));
    MPI_Op_free(&op);
    MPI_Count counts[16];
    MPI_Aint displacements[16];
    int all[16];
    for (int i = 0; i < size; i++)
        counts[i] = 1, displacements[i] = i;
    MPI_Allgatherv_c(&rank, 1, MPI_INT, all, counts, displacements, MPI_INT, MPI_COMM_WORLD);
    CHECK(all[size - 1] == size - 1);
    MPI_Win win;
    int shown[64] = {-1};
    MPI_Win_create_c(shown, sizeof shown, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put_c(&rank, 1, MPI_INT, next, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    CHECK(shown[0] == before);
    MPI_Win_free(&win);

    /* MPI-4.1: a status's fields, several requests at once, buffers, removing errors */
    CHECK(!MPI_Status_set_source(&status, 3) && !MPI_Status_get_source(&status, &flag) && flag == 3);
    CHECK(!MPI_Status_set_tag(&status, 4) && !MPI_Status_get_tag(&status, &flag) && flag == 4);
    requests[0] = requests[1] = MPI_REQUEST_NULL;
    MPI_Request_get_status_all(2, requests, &flag, MPI_STATUSES_IGNORE);
    CHECK(flag);
    MPI_Comm twin;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    char buffer[4096];
    void *back;
    MPI_Comm_attach_buffer(twin, buffer, sizeof buffer);
    MPI_Bsend_c(&rank, 1, MPI_INT, next, 5, twin);
    MPI_Recv_c(b, 1, MPI_INT, before, 5, twin, MPI_STATUS_IGNORE);
    CHECK(b[0] == before);
    MPI_Comm_flush_buffer(twin);
    MPI_Comm_detach_buffer_c(twin, &back, &n);
    CHECK(back == buffer && n == sizeof buffer);
    MPI_Comm_attach_buffer(twin, MPI_BUFFER_AUTOMATIC, 0);
    MPI_Bsend(&rank, 1, MPI_INT, next, 6, twin);
    MPI_Recv(b, 1, MPI_INT, before, 6, twin, MPI_STATUS_IGNORE);
    MPI_Comm_detach_buffer(twin, &back, &flag);
    CHECK(back == MPI_BUFFER_AUTOMATIC);
    CHECK(!MPI_Add_error_class(&class) && !MPI_Remove_error_class(class));

    /* MPI-5.0: integers of handles, and the queries about the ABI, which is not the standard's */
    CHECK(MPI_Comm_toint(MPI_COMM_WORLD) == MPI_Comm_c2f(MPI_COMM_WORLD) && MPI_Comm_fromint(MPI_Comm_toint(twin)) == twin);
    CHECK(MPI_Type_fromint(MPI_Type_toint(MPI_INT)) == MPI_INT && MPI_Session_toint(MPI_SESSION_NULL) == 0);
    CHECK(!MPI_Abi_get_version(&major, &minor) && major == -1 && minor == -1);
    MPI_Info info;
    CHECK(!MPI_Abi_get_info(&info) && !MPI_Info_get_nkeys(info, &flag) && flag == 3);
    MPI_Info_free(&info);
    MPI_Comm_free(&twin);

    if (rank == 0)
        printf("%d checks passed\n", passed);
    MPI_Finalize();
}
