/* A program for the standard ABI in C and in C++, which runs on any MPI library, with functions from every version of
   MPI. Prints one line for each rank. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void largest(void *in, void *inout, int *length, MPI_Datatype *datatype)
{
    int *a = (int *)in, *b = (int *)inout;
    (void)datatype;
    for (int i = 0; i < *length; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

int main(int argc, char **argv)
{
    int rank, size, token, sum = 0, most, major, minor, bad = 0;
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(version, &token);

    token = rank;
    MPI_Status status;
    MPI_Sendrecv_replace(&token, 1, MPI_INT, (rank + 1) % size, 7, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &status);
    bad += token != (rank + size - 1) % size || status.MPI_SOURCE != token || status.MPI_TAG != 7;

    MPI_Allreduce_c(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    bad += sum != size * (size - 1) / 2;
    MPI_Op op;
    MPI_Op_create(largest, 1, &op);
    MPI_Allreduce(&rank, &most, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    bad += most != size - 1;

    /* Removed by MPI-3.0. */
    MPI_Aint extent;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_extent(pair, &extent);
    bad += extent != 2 * sizeof(int);
    MPI_Type_free(&pair);

    bad += MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_SELF)) != MPI_COMM_SELF;
    /* Extensions that differ between libraries. No library here supports GPU memory. */
    int gpu = 1;
    bad += MPIX_Query_cuda_support() || MPIX_Query_ze_support() || MPIX_Query_hip_support() || MPIX_Query_rocm_support();
    const int kinds[] = {MPIX_GPU_SUPPORT_CUDA, MPIX_GPU_SUPPORT_ZE, MPIX_GPU_SUPPORT_HIP};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++, gpu = 1)
        bad += MPIX_GPU_query_support(kinds[i], &gpu) != MPI_SUCCESS || gpu;
    MPI_Abi_get_version(&major, &minor);
    bad += major != MPI_ABI_VERSION;
    printf("rank %d of %d on %s: %s\n", rank, size, strstr(version, "MPICH") ? "MPICH" : "Open MPI", bad ? "WRONG" : "right");
    MPI_Finalize();
    return bad;
}
