! ring.f90: the program of ring.c in Fortran.
program ring
  use mpi
  implicit none
  integer :: rank, ranks, carried, total, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  carried = 0
  if (rank > 0) call MPI_Recv(carried, 1, MPI_INTEGER, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  carried = carried + rank
  if (rank < ranks - 1) call MPI_Send(carried, 1, MPI_INTEGER, rank + 1, 7, MPI_COMM_WORLD, ierror)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (rank == ranks - 1) print '(i0,a,i0,a,i0)', ranks, ' ranks, ring ', carried, ', sum ', total
  call MPI_Finalize(ierror)
end program ring
