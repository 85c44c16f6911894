! A profiling library: procedures that replace the library's and call them by their profiling names.
module counted
  implicit none
  integer :: ranks = 0, sizes = 0, sends = 0
end module

subroutine MPI_Comm_rank_f08(comm, rank, ierror)
  use mpi_f08, only: MPI_Comm, PMPI_Comm_rank
  use counted
  implicit none
  type(MPI_Comm), intent(in) :: comm
  integer, intent(out) :: rank
  integer, optional, intent(out) :: ierror
  ranks = ranks + 1
  call PMPI_Comm_rank(comm, rank, ierror)
end subroutine

subroutine MPI_Comm_size(comm, size, ierror)
  use mpi, only: PMPI_Comm_size
  use counted
  implicit none
  integer :: comm, size, ierror
  sizes = sizes + 1
  call PMPI_Comm_size(comm, size, ierror)
end subroutine

subroutine MPI_Send(buf, count, datatype, dest, tag, comm, ierror)
  use mpi, only: PMPI_Send
  use counted
  implicit none
  integer :: buf(*), count, datatype, dest, tag, comm, ierror
  sends = sends + 1
  call PMPI_Send(buf, count, datatype, dest, tag, comm, ierror)
end subroutine

subroutine of_mpi()
  use mpi
  implicit none
  integer :: n, ierror, x(1) = 7
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
  call MPI_Send(x, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, ierror)
end subroutine

program profile
  use mpi_f08
  use counted
  implicit none
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call PMPI_Comm_rank(MPI_COMM_WORLD, rank)
  call of_mpi()
  call MPI_Finalize()
  if (ranks == 1 .and. sizes == 1 .and. sends == 1) print '(a)', 'profile: right'
end program
