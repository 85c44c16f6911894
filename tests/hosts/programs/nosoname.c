/* A library without a soname. A program is linked with it by its path. */
#define NOTHING(name) int name(void) { return 0; }
NOTHING(MPI_Init) NOTHING(MPI_Finalize) NOTHING(MPI_Comm_rank) NOTHING(MPI_Comm_size) NOTHING(MPI_Sendrecv_replace)
NOTHING(MPI_Allreduce) NOTHING(MPI_Barrier) NOTHING(MPI_Get_processor_name) NOTHING(MPI_Get_library_version)
