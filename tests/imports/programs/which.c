/* Prints the symbols of its library by which programs recognize an MPI library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    const char *const names[] = {
        "ompi_mpi_init", "ompi_mpi_comm_world", "ompi_mpi_comm_world_addr", "ompi_mpi_byte", "ompi_mpi_op_max",          /* PETSc, NEURON, CUDA-Q, NVSHMEM */
        "MPIR_Dup_fn", "MPIR_Err_create_code", "MPIR_Err_return_comm", "MPID_Abort", "MPID_Init", "MPIR_Comm_world",     /* PETSc and others, for MPICH */
        "MPIX_Query_cuda_support", "MPI_Init", "PMPI_Init", "no_such_function"};
    MPI_Init(&argc, &argv);
    void *const self = dlopen(SONAME, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        printf("rank: %s %s\n", names[i], self && dlsym(self, names[i]) ? "there" : "not there");
    MPI_Finalize();
    return 0;
}
