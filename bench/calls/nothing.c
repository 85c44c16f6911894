/*
 * nothing.c: MPI whose functions return at once, in C and in all bindings of Fortran. What a
 * call of them takes is what it takes in the program itself, whose arguments in Fortran are
 * addresses and descriptors.
 */
#define ALIAS(of, name) int name() __attribute__((alias(#of)));
#define NOTHING(C, fortran) \
	int C() { return 0; } \
	ALIAS(C, P##C) ALIAS(C, fortran##_) ALIAS(C, fortran##__) ALIAS(C, fortran##_f08_) \
	ALIAS(C, fortran##_f08ts_) ALIAS(C, fortran##_f08ts)

NOTHING(MPI_Init, mpi_init)
NOTHING(MPI_Finalize, mpi_finalize)
NOTHING(MPI_Barrier, mpi_barrier)
NOTHING(MPI_Comm_rank, mpi_comm_rank)
NOTHING(MPI_Comm_dup, mpi_comm_dup)
NOTHING(MPI_Comm_free, mpi_comm_free)
NOTHING(MPI_Comm_c2f, mpi_comm_c2f)
NOTHING(MPI_Type_c2f, mpi_type_c2f)
NOTHING(MPI_Comm_toint, mpi_comm_toint)
NOTHING(MPI_Type_toint, mpi_type_toint)
NOTHING(MPI_Type_contiguous, mpi_type_contiguous)
NOTHING(MPI_Type_commit, mpi_type_commit)
NOTHING(MPI_Type_free, mpi_type_free)
NOTHING(MPI_Op_create, mpi_op_create)
NOTHING(MPI_Op_free, mpi_op_free)
NOTHING(MPI_Get_count, mpi_get_count)
NOTHING(MPI_Send, mpi_send)
NOTHING(MPI_Recv, mpi_recv)
NOTHING(MPI_Isend, mpi_isend)
NOTHING(MPI_Irecv, mpi_irecv)
NOTHING(MPI_Wait, mpi_wait)
NOTHING(MPI_Test, mpi_test)
NOTHING(MPI_Iprobe, mpi_iprobe)
NOTHING(MPI_Waitall, mpi_waitall)
NOTHING(MPI_Sendrecv, mpi_sendrecv)
NOTHING(MPI_Allreduce, mpi_allreduce)

int MPI_Comm_size(void *comm, int *size) {
	(void)comm;
	*size = 1; /* the rows are for one rank */
	return 0;
}
