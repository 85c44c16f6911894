/* The names that the program imports from an MPI library, for the linker. */
#define NAME(name) \
    void name(void) \
    { \
    }
NAME(MPI_Init)
NAME(MPI_Finalize)
NAME(MPI_Comm_rank)
NAME(MPI_Comm_size)
NAME(MPI_Allreduce)
NAME(PMPI_Allreduce)
NAME(MPI_Get_library_version)
char ompi_mpi_comm_world[1], ompi_mpi_int[1], ompi_mpi_op_sum[1];
