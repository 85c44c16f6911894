/*
 * newer: functions of MPI-4.0 and later with wrong arguments, each of them once, on one rank, and the error class that
 * each returns.
 *
 *   newer FIRST
 *
 * The output has the form of misuse.c's.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "misuse.h"

static int data[64], more[64], zero[4], one[4] = {1, 1, 1, 1}, minus[4] = {-1, -1, -1, -1};
static MPI_Count many[4] = {1, 1, 1, 1}, few[4] = {-1, -1, -1, -1};
static MPI_Aint aints[4];
static MPI_Datatype ints[4], nulls[4], raw;
static MPI_Comm comm = MPI_COMM_NULL;
static MPI_Request request = MPI_REQUEST_NULL;
static MPI_Status status;
static int a, b;
static char text[100];

/* Frees the object that a call has created, if its handle is valid. */
static int made(int code)
{
    if (code == MPI_SUCCESS && request != MPI_REQUEST_NULL)
        MPI_Request_free(&request);
    request = MPI_REQUEST_NULL;
    return code;
}
#define INIT(call) CALL("", #call, made(call), class_name)

#define ONE(Name, args) \
    INIT(MPI_##Name##_init(args, MPI_COMM_NULL, MPI_INFO_NULL, &request)); \
    INIT(MPI_##Name##_init(args, MPI_COMM_SELF, MPI_INFO_NULL, NULL)); \
    INIT(MPI_##Name##_init(args, MPI_COMM_SELF, OF_BITS(MPI_Info, (MPI_Comm){MPI_COMM_WORLD}), &request)); \
    INIT(MPI_##Name##_init(args, OF_BITS(MPI_Comm, (MPI_Datatype){MPI_INT}), MPI_INFO_NULL, &request));
#define BAD(Name, ...) INIT(MPI_##Name##_init(__VA_ARGS__, MPI_COMM_SELF, MPI_INFO_NULL, &request));
#define ARGS(...) __VA_ARGS__

static void persistent(void)
{
    INIT(MPI_Barrier_init(MPI_COMM_NULL, MPI_INFO_NULL, &request));
    INIT(MPI_Barrier_init(MPI_COMM_SELF, MPI_INFO_NULL, NULL));
    ONE(Bcast, ARGS(data, 1, MPI_INT, 0))
    BAD(Bcast, data, -1, MPI_INT, 0)
    BAD(Bcast, data, 1, MPI_DATATYPE_NULL, 0)
    BAD(Bcast, data, 1, MPI_INT, 7)
    BAD(Bcast, data, 1, MPI_INT, -9)
    BAD(Bcast, data, 1, raw, 0)
    ONE(Allreduce, ARGS(data, more, 1, MPI_INT, MPI_SUM))
    BAD(Allreduce, data, more, -1, MPI_INT, MPI_SUM)
    BAD(Allreduce, data, more, 1, MPI_DATATYPE_NULL, MPI_SUM)
    BAD(Allreduce, data, more, 1, MPI_INT, MPI_OP_NULL)
    BAD(Allreduce, data, more, 1, MPI_FLOAT, MPI_BAND)
    BAD(Allreduce, data, data, 1, MPI_INT, MPI_SUM)
    ONE(Reduce, ARGS(data, more, 1, MPI_INT, MPI_SUM, 0))
    BAD(Reduce, data, more, 1, MPI_INT, MPI_OP_NULL, 0)
    BAD(Reduce, data, more, 1, MPI_INT, MPI_SUM, 3)
    BAD(Reduce, data, more, -1, MPI_INT, MPI_SUM, 0)
    ONE(Scan, ARGS(data, more, 1, MPI_INT, MPI_SUM))
    BAD(Scan, data, more, 1, MPI_INT, MPI_OP_NULL)
    ONE(Exscan, ARGS(data, more, 1, MPI_INT, MPI_SUM))
    BAD(Exscan, data, more, -1, MPI_INT, MPI_SUM)
    ONE(Reduce_scatter, ARGS(data, more, one, MPI_INT, MPI_SUM))
    BAD(Reduce_scatter, data, more, minus, MPI_INT, MPI_SUM)
    BAD(Reduce_scatter, data, more, NULL, MPI_INT, MPI_SUM)
    ONE(Reduce_scatter_block, ARGS(data, more, 1, MPI_INT, MPI_SUM))
    BAD(Reduce_scatter_block, data, more, -1, MPI_INT, MPI_SUM)
    ONE(Gather, ARGS(data, 1, MPI_INT, more, 1, MPI_INT, 0))
    BAD(Gather, data, -1, MPI_INT, more, 1, MPI_INT, 0)
    BAD(Gather, data, 1, MPI_INT, more, -1, MPI_INT, 0)
    BAD(Gather, data, 1, MPI_INT, more, 1, MPI_DATATYPE_NULL, 0)
    BAD(Gather, data, 1, MPI_INT, more, 1, MPI_INT, 5)
    ONE(Gatherv, ARGS(data, 1, MPI_INT, more, one, zero, MPI_INT, 0))
    BAD(Gatherv, data, 1, MPI_INT, more, minus, zero, MPI_INT, 0)
    BAD(Gatherv, data, 1, MPI_INT, more, NULL, zero, MPI_INT, 0)
    BAD(Gatherv, data, 1, MPI_INT, more, one, NULL, MPI_INT, 0)
    ONE(Scatter, ARGS(data, 1, MPI_INT, more, 1, MPI_INT, 0))
    BAD(Scatter, data, 1, MPI_DATATYPE_NULL, more, 1, MPI_INT, 0)
    ONE(Scatterv, ARGS(data, one, zero, MPI_INT, more, 1, MPI_INT, 0))
    BAD(Scatterv, data, minus, zero, MPI_INT, more, 1, MPI_INT, 0)
    BAD(Scatterv, data, NULL, zero, MPI_INT, more, 1, MPI_INT, 0)
    ONE(Allgather, ARGS(data, 1, MPI_INT, more, 1, MPI_INT))
    BAD(Allgather, data, 1, MPI_INT, more, -1, MPI_INT)
    ONE(Allgatherv, ARGS(data, 1, MPI_INT, more, one, zero, MPI_INT))
    BAD(Allgatherv, data, 1, MPI_INT, more, NULL, zero, MPI_INT)
    BAD(Allgatherv, data, 1, MPI_INT, more, minus, zero, MPI_INT)
    ONE(Alltoall, ARGS(data, 1, MPI_INT, more, 1, MPI_INT))
    BAD(Alltoall, data, 1, MPI_DATATYPE_NULL, more, 1, MPI_INT)
    ONE(Alltoallv, ARGS(data, one, zero, MPI_INT, more, one, zero, MPI_INT))
    BAD(Alltoallv, data, NULL, zero, MPI_INT, more, one, zero, MPI_INT)
    BAD(Alltoallv, data, minus, zero, MPI_INT, more, one, zero, MPI_INT)
    ONE(Alltoallw, ARGS(data, one, zero, ints, more, one, zero, ints))
    BAD(Alltoallw, data, one, zero, nulls, more, one, zero, ints)
    BAD(Alltoallw, data, one, zero, NULL, more, one, zero, ints)
    BAD(Alltoallw, data, NULL, zero, ints, more, one, zero, ints)
    INIT(MPI_Neighbor_allgather_init(data, 1, MPI_INT, more, 1, MPI_INT, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Neighbor_allgather_init(data, -1, MPI_INT, more, 1, MPI_INT, comm, MPI_INFO_NULL, &request));
    INIT(MPI_Neighbor_allgather_init(data, 1, MPI_INT, more, 1, MPI_INT, MPI_COMM_NULL, MPI_INFO_NULL, &request));
    INIT(MPI_Neighbor_allgatherv_init(data, 1, MPI_INT, more, one, zero, MPI_DATATYPE_NULL, comm, MPI_INFO_NULL, &request));
    INIT(MPI_Neighbor_allgatherv_init(data, 1, MPI_INT, more, NULL, zero, MPI_INT, comm, MPI_INFO_NULL, &request));
    INIT(MPI_Neighbor_alltoall_init(data, 1, MPI_INT, more, 1, MPI_INT, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Neighbor_alltoallv_init(data, NULL, zero, MPI_INT, more, one, zero, MPI_INT, comm, MPI_INFO_NULL, &request));
    INIT(MPI_Neighbor_alltoallw_init(data, one, aints, nulls, more, one, aints, ints, comm, MPI_INFO_NULL, &request));
    INIT(MPI_Neighbor_alltoallw_init(data, one, aints, NULL, more, one, aints, ints, comm, MPI_INFO_NULL, &request));
    INIT(MPI_Neighbor_alltoallw_init(data, one, NULL, ints, more, one, aints, ints, comm, MPI_INFO_NULL, &request));
    /* The life of a request. */
    MPI_Request stale;
    MPI_Bcast_init(data, 1, MPI_INT, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request);
    TRY(MPI_Start(&request));
    TRY(MPI_Wait(&request, &status));
    TRY(MPI_Wait(&request, &status));
    TRY(MPI_Cancel(&request));
    stale = request;
    TRY(MPI_Request_free(&request));
    TRY(MPI_Start(&request));
    TRY(MPI_Request_free(&request));
    request = stale;
    FREED(MPI_Start(&request)); request = stale;
    FREED(MPI_Test(&request, &a, &status)); request = stale;
    FREED(MPI_Request_free(&request)); request = stale;
    FREED(MPI_Cancel(&request));
    request = MPI_REQUEST_NULL;
}

static void partitioned(void)
{
    INIT(MPI_Psend_init(data, 2, 1, MPI_INT, 0, 1, MPI_COMM_NULL, MPI_INFO_NULL, &request));
    INIT(MPI_Psend_init(data, -1, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Psend_init(data, 2, -1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Psend_init(data, 2, 1, MPI_DATATYPE_NULL, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Psend_init(data, 2, 1, raw, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Psend_init(data, 2, 1, MPI_INT, 9, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Psend_init(data, 2, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Psend_init(data, 2, 1, MPI_INT, 0, -5, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Psend_init(data, 2, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, NULL));
    INIT(MPI_Precv_init(data, 2, 1, MPI_INT, 0, 1, MPI_COMM_NULL, MPI_INFO_NULL, &request));
    INIT(MPI_Precv_init(data, -1, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Precv_init(data, 2, -1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Precv_init(data, 2, 1, MPI_DATATYPE_NULL, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Precv_init(data, 2, 1, MPI_INT, 9, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Precv_init(data, 2, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    INIT(MPI_Precv_init(data, 2, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, NULL));
    TRY(MPI_Pready(0, MPI_REQUEST_NULL));
    TRY(MPI_Pready_range(0, 1, MPI_REQUEST_NULL));
    TRY(MPI_Pready_list(1, zero, MPI_REQUEST_NULL));
    TRY(MPI_Parrived(MPI_REQUEST_NULL, 0, &a));
    MPI_Request send, receive, plain;
    MPI_Psend_init(data, 2, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &send);
    MPI_Precv_init(more, 2, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &receive);
    MPI_Send_init(data, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &plain);
    TRY(MPI_Pready(0, send));
    TRY(MPI_Pready(0, plain));
    TRY(MPI_Parrived(plain, 0, &a));
    TRY(MPI_Parrived(receive, 0, &a));
    MPI_Start(&receive);
    MPI_Start(&send);
    TRY(MPI_Pready(2, send));
    TRY(MPI_Pready(-1, send));
    TRY(MPI_Pready_range(1, 0, send));
    TRY(MPI_Pready_range(0, 5, send));
    TRY(MPI_Pready_list(-1, zero, send));
    TRY(MPI_Pready_list(1, minus, send));
    TRY(MPI_Pready_list(1, NULL, send));
    TRY(MPI_Pready(0, receive));
    TRY(MPI_Parrived(send, 0, &a));
    TRY(MPI_Parrived(receive, 2, &a));
    TRY(MPI_Parrived(receive, -1, &a));
    TRY(MPI_Parrived(receive, 0, NULL));
    TRY(MPI_Pready_range(0, 1, send));
    TRY(MPI_Wait(&send, &status));
    TRY(MPI_Wait(&receive, &status));
    MPI_Request stale = send;
    TRY(MPI_Request_free(&send));
    TRY(MPI_Request_free(&receive));
    FREED(MPI_Pready(0, stale));
    MPI_Request_free(&plain);
}

static void messages(void)
{
    INIT(MPI_Isendrecv(data, 1, MPI_INT, 0, 0, more, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &request));
    INIT(MPI_Isendrecv(data, -1, MPI_INT, 0, 0, more, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv(data, 1, MPI_INT, 0, 0, more, -1, MPI_INT, 0, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv(data, 1, MPI_DATATYPE_NULL, 0, 0, more, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv(data, 1, MPI_INT, 0, 0, more, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv(data, 1, MPI_INT, 9, 0, more, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv(data, 1, MPI_INT, 0, 0, more, 1, MPI_INT, 9, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv(data, 1, MPI_INT, 0, -7, more, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv(data, 1, MPI_INT, 0, 0, more, 1, MPI_INT, 0, -7, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv(data, 1, MPI_INT, MPI_PROC_NULL, 0, more, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, NULL));
    INIT(MPI_Isendrecv_replace(data, 1, MPI_INT, 0, 0, 0, 0, MPI_COMM_NULL, &request));
    INIT(MPI_Isendrecv_replace(data, -1, MPI_INT, 0, 0, 0, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv_replace(data, 1, MPI_DATATYPE_NULL, 0, 0, 0, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv_replace(data, 1, MPI_INT, 9, 0, 0, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv_replace(data, 1, MPI_INT, 0, 0, 9, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isendrecv_replace(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, MPI_COMM_SELF, NULL));
}

static void large(void)
{
    MPI_Count count;
    MPI_Datatype t = MPI_DATATYPE_NULL;
    TRY(MPI_Send_c(data, -1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF));
    TRY(MPI_Send_c(data, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_SELF));
    TRY(MPI_Send_c(data, 1, MPI_INT, 8, 0, MPI_COMM_SELF));
    TRY(MPI_Send_c(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_NULL));
    TRY(MPI_Recv_c(data, -1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &status));
    TRY(MPI_Recv_c(data, 1, MPI_INT, 8, 0, MPI_COMM_SELF, &status));
    INIT(MPI_Isend_c(data, -1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request));
    INIT(MPI_Isend_c(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, NULL));
    INIT(MPI_Irecv_c(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, NULL));
    TRY(MPI_Bcast_c(data, -1, MPI_INT, 0, MPI_COMM_SELF));
    TRY(MPI_Bcast_c(data, 1, MPI_INT, 3, MPI_COMM_SELF));
    TRY(MPI_Allreduce_c(data, more, -1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
    TRY(MPI_Allreduce_c(data, more, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_SELF));
    TRY(MPI_Allreduce_c(data, more, 1, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_SELF));
    TRY(MPI_Allgatherv_c(data, 1, MPI_INT, more, few, aints, MPI_INT, MPI_COMM_SELF));
    TRY(MPI_Allgatherv_c(data, 1, MPI_INT, more, NULL, aints, MPI_INT, MPI_COMM_SELF));
    TRY(MPI_Alltoallv_c(data, NULL, aints, MPI_INT, more, many, aints, MPI_INT, MPI_COMM_SELF));
    TRY(MPI_Alltoallv_c(data, few, aints, MPI_INT, more, many, aints, MPI_INT, MPI_COMM_SELF));
    TRY(MPI_Alltoallw_c(data, many, aints, nulls, more, many, aints, ints, MPI_COMM_SELF));
    TRY(MPI_Type_contiguous_c(-1, MPI_INT, &t));
    TRY(MPI_Type_contiguous_c(1, MPI_DATATYPE_NULL, &t));
    TRY(MPI_Type_contiguous_c(1, MPI_INT, NULL));
    TRY(MPI_Type_vector_c(-1, 1, 1, MPI_INT, &t));
    TRY(MPI_Type_vector_c(1, -1, 1, MPI_INT, &t));
    TRY(MPI_Type_indexed_c(-1, many, many, MPI_INT, &t));
    TRY(MPI_Type_indexed_c(1, few, many, MPI_INT, &t));
    TRY(MPI_Type_indexed_c(1, NULL, many, MPI_INT, &t));
    TRY(MPI_Type_create_struct_c(1, many, many, nulls, &t));
    TRY(MPI_Type_create_struct_c(-1, many, many, ints, &t));
    TRY(MPI_Type_create_subarray_c(1, many, few, many, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_resized_c(MPI_DATATYPE_NULL, 0, 4, &t));
    TRY(MPI_Type_size_c(MPI_DATATYPE_NULL, &count));
    TRY(MPI_Type_size_c(MPI_INT, NULL));
    TRY(MPI_Type_get_extent_c(MPI_DATATYPE_NULL, &count, &count));
    TRY(MPI_Type_get_envelope_c(MPI_DATATYPE_NULL, &count, &count, &count, &count, &a));
    TRY(MPI_Type_get_contents_c(MPI_INT, 0, 0, 0, 0, NULL, NULL, NULL, NULL));
    TRY(MPI_Get_count_c(&status, MPI_DATATYPE_NULL, &count));
    TRY(MPI_Get_elements_c(&status, MPI_DATATYPE_NULL, &count));
    TRY(MPI_Status_set_elements_c(&status, MPI_DATATYPE_NULL, 1));
    TRY(MPI_Status_set_elements_c(&status, MPI_INT, -1));
    TRY(MPI_Pack_c(data, -1, MPI_INT, text, 100, &count, MPI_COMM_SELF));
    TRY(MPI_Pack_size_c(-1, MPI_INT, MPI_COMM_SELF, &count));
    TRY(MPI_Pack_size_c(1, MPI_INT, MPI_COMM_NULL, &count));
    TRY(MPI_Buffer_attach_c(NULL, -1));
    MPI_Win win;
    void *base;
    TRY(MPI_Win_create_c(data, -1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    TRY(MPI_Win_create_c(data, 8, -1, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    TRY(MPI_Win_create_c(data, 8, 1, MPI_INFO_NULL, MPI_COMM_NULL, &win));
    TRY(MPI_Win_allocate_c(-1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win));
    MPI_Win_create(data, sizeof data, 4, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    TRY(MPI_Put_c(more, -1, MPI_INT, 0, 0, 1, MPI_INT, win));
    TRY(MPI_Put_c(more, 1, MPI_INT, 5, 0, 1, MPI_INT, win));
    TRY(MPI_Put_c(more, 1, MPI_INT, 0, 0, -1, MPI_INT, win));
    TRY(MPI_Put_c(more, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win));
    TRY(MPI_Get_c(more, -1, MPI_INT, 0, 0, 1, MPI_INT, win));
    TRY(MPI_Accumulate_c(more, -1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    TRY(MPI_Accumulate_c(more, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win));
    TRY(MPI_Get_accumulate_c(more, 1, MPI_INT, data, -1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, "newer.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    TRY(MPI_File_write_at_c(file, -1, data, 1, MPI_INT, &status));
    TRY(MPI_File_write_at_c(file, 0, data, -1, MPI_INT, &status));
    TRY(MPI_File_write_at_c(file, 0, data, 1, MPI_DATATYPE_NULL, &status));
    TRY(MPI_File_write_c(MPI_FILE_NULL, data, 1, MPI_INT, &status));
    TRY(MPI_File_read_at_all_c(file, 0, data, -1, MPI_INT, &status));
    TRY(MPI_File_get_type_extent_c(file, MPI_DATATYPE_NULL, &count));
    TRY(MPI_File_get_type_extent_c(MPI_FILE_NULL, MPI_INT, &count));
    MPI_File_close(&file);
    TRY(MPI_Op_create_c(NULL, 1, &(MPI_Op){MPI_OP_NULL}));
}

static void queries(void)
{
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL}, bad[2];
    MPI_Status statuses[3];
    int indices[3];
    bad[0] = OF_BITS(MPI_Request, (MPI_Comm){MPI_COMM_WORLD});
    bad[1] = MPI_REQUEST_NULL;
    TRY(MPI_Request_get_status_all(-1, requests, &a, statuses));
    TRY(MPI_Request_get_status_all(2, NULL, &a, statuses));
    TRY(MPI_Request_get_status_all(2, requests, NULL, statuses));
    TRY(MPI_Request_get_status_all(2, requests, &a, statuses));
    TRY(MPI_Request_get_status_any(-1, requests, &a, &b, &status));
    TRY(MPI_Request_get_status_any(2, NULL, &a, &b, &status));
    TRY(MPI_Request_get_status_any(2, requests, NULL, &b, &status));
    TRY(MPI_Request_get_status_any(2, requests, &a, NULL, &status));
    TRY(MPI_Request_get_status_some(-1, requests, &a, indices, statuses));
    TRY(MPI_Request_get_status_some(2, NULL, &a, indices, statuses));
    TRY(MPI_Request_get_status_some(2, requests, NULL, indices, statuses));
    TRY(MPI_Request_get_status_some(2, requests, &a, NULL, statuses));
    NONE(MPI_Request_get_status_all(2, bad, &a, statuses));
    NONE(MPI_Request_get_status_any(2, bad, &a, &b, &status));
    NONE(MPI_Request_get_status_some(2, bad, &a, indices, statuses));
    TRY(MPI_Status_get_error(&status, NULL));
    TRY(MPI_Status_get_source(&status, NULL));
    TRY(MPI_Status_get_tag(&status, NULL));
    TRY(MPI_Status_get_source(NULL, &a));
    TRY(MPI_Status_set_error(NULL, 1));
    TRY(MPI_Status_set_source(NULL, 1));
    TRY(MPI_Status_set_tag(NULL, 1));
    TRY(MPI_Status_set_source(&status, 1));
    TRY(MPI_Type_get_value_index(MPI_DATATYPE_NULL, MPI_INT, &(MPI_Datatype){MPI_DATATYPE_NULL}));
    TRY(MPI_Type_get_value_index(MPI_INT, MPI_DATATYPE_NULL, &(MPI_Datatype){MPI_DATATYPE_NULL}));
    TRY(MPI_Type_get_value_index(MPI_INT, MPI_INT, NULL));
    TRY(MPI_Remove_error_class(MPI_ERR_ARG));
    TRY(MPI_Remove_error_class(-1));
    TRY(MPI_Remove_error_class(1 << 28));
    TRY(MPI_Remove_error_code(MPI_ERR_ARG));
    TRY(MPI_Remove_error_code(1 << 28));
    TRY(MPI_Remove_error_string(MPI_ERR_ARG));
    TRY(MPI_Remove_error_string(1 << 28));
    MPI_Info info, env;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    a = 10;
    TRY(MPI_Info_get_string(MPI_INFO_NULL, "key", &a, text, &b));
    TRY(MPI_Info_get_string(info, NULL, &a, text, &b));
    TRY(MPI_Info_get_string(info, "", &a, text, &b));
    TRY(MPI_Info_get_string(info, "key", NULL, text, &b));
    TRY(MPI_Info_get_string(info, "key", &a, NULL, &b)); a = 10;
    TRY(MPI_Info_get_string(info, "key", &a, text, NULL)); a = -4;
    TRY(MPI_Info_get_string(info, "key", &a, text, &b)); a = 0;
    TRY(MPI_Info_get_string(info, "key", &a, NULL, &b)); a = 10;
    TRY(MPI_Info_get_string(info, "none", &a, text, &b));
    TRY(MPI_Info_create_env(0, NULL, NULL));
    TRY(MPI_Info_create_env(0, NULL, &env));
    TRY(MPI_Get_hw_resource_info(NULL));
    MPI_Info_free(&info);
    MPI_Comm copy;
    INIT(MPI_Comm_idup_with_info(MPI_COMM_NULL, MPI_INFO_NULL, &copy, &request));
    INIT(MPI_Comm_idup_with_info(MPI_COMM_SELF, MPI_INFO_NULL, NULL, &request));
    INIT(MPI_Comm_idup_with_info(MPI_COMM_SELF, MPI_INFO_NULL, &copy, NULL));
    INIT(MPI_Comm_idup_with_info(MPI_COMM_SELF, OF_BITS(MPI_Info, (MPI_Comm){MPI_COMM_WORLD}), &copy, &request));
}

static void buffers(void)
{
    void *address;
    TRY(MPI_Buffer_flush());
    TRY(MPI_Buffer_iflush(NULL));
    TRY(MPI_Comm_attach_buffer(MPI_COMM_NULL, text, 100));
    TRY(MPI_Comm_attach_buffer(MPI_COMM_SELF, text, -1));
    TRY(MPI_Comm_attach_buffer(MPI_COMM_SELF, NULL, 100));
    TRY(MPI_Comm_detach_buffer(MPI_COMM_NULL, &address, &a));
    TRY(MPI_Comm_detach_buffer(MPI_COMM_SELF, &address, &a));
    MPI_Comm_attach_buffer(MPI_COMM_SELF, data, sizeof data);
    TRY(MPI_Comm_attach_buffer(MPI_COMM_SELF, more, sizeof more));
    TRY(MPI_Comm_detach_buffer(MPI_COMM_SELF, NULL, &a));
    TRY(MPI_Comm_detach_buffer(MPI_COMM_SELF, &address, NULL));
    TRY(MPI_Comm_detach_buffer(MPI_COMM_SELF, &address, &a));
    TRY(MPI_Comm_flush_buffer(MPI_COMM_NULL));
    TRY(MPI_Comm_flush_buffer(MPI_COMM_SELF));
    TRY(MPI_Comm_iflush_buffer(MPI_COMM_NULL, &request));
    TRY(MPI_Comm_iflush_buffer(MPI_COMM_SELF, NULL));
    TRY(MPI_Session_attach_buffer(MPI_SESSION_NULL, text, 100));
    TRY(MPI_Session_detach_buffer(MPI_SESSION_NULL, &address, &a));
    TRY(MPI_Session_flush_buffer(MPI_SESSION_NULL));
    TRY(MPI_Session_iflush_buffer(MPI_SESSION_NULL, &request));
}

static void sessions(void)
{
    MPI_Session session, stale;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Info info;
    MPI_Comm made_comm = MPI_COMM_NULL;
    MPI_Errhandler handler;
    TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRHANDLER_NULL, &session));
    TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, NULL));
    TRY(MPI_Session_finalize(NULL));
    TRY(MPI_Session_finalize(&(MPI_Session){MPI_SESSION_NULL}));
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    TRY(MPI_Session_get_num_psets(MPI_SESSION_NULL, MPI_INFO_NULL, &a));
    TRY(MPI_Session_get_num_psets(session, MPI_INFO_NULL, NULL));
    a = sizeof text;
    TRY(MPI_Session_get_nth_pset(MPI_SESSION_NULL, MPI_INFO_NULL, 0, &a, text));
    TRY(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, -1, &a, text));
    TRY(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 99, &a, text));
    TRY(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, NULL, text));
    TRY(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &a, NULL));
    a = -1;
    TRY(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &a, text));
    TRY(MPI_Session_get_pset_info(MPI_SESSION_NULL, "mpi://WORLD", &info));
    TRY(MPI_Session_get_pset_info(session, NULL, &info));
    TRY(MPI_Session_get_pset_info(session, "none", &info));
    TRY(MPI_Session_get_pset_info(session, "mpi://WORLD", NULL));
    TRY(MPI_Session_get_info(MPI_SESSION_NULL, &info));
    TRY(MPI_Session_get_info(session, NULL));
    TRY(MPI_Group_from_session_pset(MPI_SESSION_NULL, "mpi://SELF", &group));
    TRY(MPI_Group_from_session_pset(session, "none", &group));
    TRY(MPI_Group_from_session_pset(session, NULL, &group));
    TRY(MPI_Group_from_session_pset(session, "mpi://SELF", NULL));
    TRY(MPI_Session_set_errhandler(MPI_SESSION_NULL, MPI_ERRORS_RETURN));
    TRY(MPI_Session_set_errhandler(session, MPI_ERRHANDLER_NULL));
    TRY(MPI_Session_get_errhandler(MPI_SESSION_NULL, &handler));
    TRY(MPI_Session_get_errhandler(session, NULL));
    TRY(MPI_Session_call_errhandler(MPI_SESSION_NULL, MPI_ERR_ARG));
    TRY(MPI_Session_create_errhandler(NULL, &handler));
    MPI_Group_from_session_pset(session, "mpi://SELF", &group);
    TRY(MPI_Comm_create_from_group(MPI_GROUP_NULL, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made_comm));
    TRY(MPI_Comm_create_from_group(group, NULL, MPI_INFO_NULL, MPI_ERRORS_RETURN, &made_comm));
    TRY(MPI_Comm_create_from_group(group, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, NULL));
    TRY(MPI_Comm_create_from_group(group, "tag", MPI_INFO_NULL, MPI_ERRHANDLER_NULL, &made_comm));
    TRY(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made_comm));
    TRY(MPI_Intercomm_create_from_groups(MPI_GROUP_NULL, 0, group, 0, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made_comm));
    TRY(MPI_Intercomm_create_from_groups(group, 5, group, 0, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made_comm));
    TRY(MPI_Intercomm_create_from_groups(group, 0, MPI_GROUP_NULL, 0, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made_comm));
    TRY(MPI_Intercomm_create_from_groups(group, 0, group, 0, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, NULL));
    MPI_Group_free(&group);
    stale = session;
    TRY(MPI_Session_finalize(&session));
    FREED(MPI_Session_get_num_psets(stale, MPI_INFO_NULL, &a));
    FREED(MPI_Session_finalize(&stale));
}

int main(int argc, char **argv)
{
    int period = 0, dim = 1;
    first = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Cart_create(MPI_COMM_SELF, 1, &dim, &period, 0, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < 4; i++) {
        ints[i] = MPI_INT;
        nulls[i] = MPI_DATATYPE_NULL;
    }
    MPI_Type_contiguous(2, MPI_INT, &raw);
    messages();
    persistent();
    partitioned();
    large();
    queries();
    buffers();
    sessions();
    printf("done\n");
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
