! Declares the interfaces of a module mpi_f08, for a compiler without one: procedures whose buffers are addresses (Open
! MPI's) or descriptors (MPICH's).
#include "checks.h"

module handles
  use, intrinsic :: iso_c_binding
  implicit none
  type, bind(c) :: handle
    integer(c_int) :: number
  end type
end module

program descriptors
  use handles
  use checks
  implicit none
  include 'mpif.h'
  interface
#ifdef OPENMPI
#define sendrecv_replace mpi_sendrecv_replace_f08
#define BUFFER dimension(*)
#else
#define sendrecv_replace mpi_sendrecv_replace_f08ts
#define BUFFER dimension(..)
#endif
    subroutine sendrecv_replace(buffer, n, datatype, dest, sendtag, source, recvtag, comm, status, ierror)
      import handle, MPI_STATUS_SIZE
      type(*), BUFFER :: buffer
      integer, intent(in) :: n, dest, sendtag, source, recvtag
      type(handle), intent(in) :: datatype, comm
      integer :: status(MPI_STATUS_SIZE)
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  integer :: numbers(10), rank, size, next, previous, status(MPI_STATUS_SIZE), n, ierror

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  numbers = rank
  call sendrecv_replace(numbers, 10, handle(MPI_INTEGER), next, 1, previous, 1, handle(MPI_COMM_WORLD), status)
  CHECK(all(numbers == previous) .and. status(MPI_SOURCE) == previous)
  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize(ierror)
end program
