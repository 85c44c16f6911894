! Features of mpif.h and `use mpi` that procedures.F90 does not cover: MPI-1's names, MPI_SIZEOF, arrays of strings, C
! pointers, and arrays longer than a call's preallocated space.
#include "check.h"
#include "checks.h"

module counts
  use checks
  implicit none
  integer :: handled = 0
contains
  subroutine on_file_error(file, code)
    integer :: file, code
    if (code /= 0) handled = handled + 10
  end subroutine

  subroutine on_window_error(win, code)
    integer :: win, code
    if (code /= 0) handled = handled + 100
  end subroutine
end module

program classic
  USE_MPI
  use, intrinsic :: iso_c_binding
  use counts
  implicit none
  INCLUDE_MPI
  integer, parameter :: many = 200
  integer :: rank, size, next, previous, n, i, address, address2, extent, ierror
  integer :: a(many), b(many), requests(many), statuses(MPI_STATUS_SIZE, many), indices(many), status(MPI_STATUS_SIZE)
  integer :: record, types(2), two(2), comm, child, parent, info, file, win, errhandler, request, combiner, integers(8), kinds(1), codes(2)
  integer(MPI_ADDRESS_KIND) :: bytes, address_sized, addresses(1)
  integer, pointer :: shared(:)
  type(c_ptr) :: memory
  logical :: flag, periods(2), kept(2)
  character(1000) :: long, got
  character(8) :: arguments(3), commands(2), table(2, 3)
  character(512) :: self
  common /placed/ a, b

  call MPI_Init(ierror)
  call MPI_Comm_get_parent(parent, ierror)
  if (parent /= MPI_COMM_NULL) then ! a child prints its arguments
    two = 0
    two(1) = command_argument_count()
    call get_command_argument(1, arguments(1))
    if (arguments(1) == 'one') two(2) = 1
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    if (rank == 0) call MPI_Send(two, 2, MPI_INTEGER, 0, 1, parent, ierror)
    call MPI_Comm_disconnect(parent, ierror)
    call MPI_Finalize(ierror)
    call exit(0)
  end if
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)

  ! many requests at once
  a = [(1000 * rank + i, i = 1, many)]
  b = -1
  do i = 1, many / 2
    call MPI_Irecv(b(i), 1, MPI_INTEGER, previous, i, MPI_COMM_WORLD, requests(i), ierror)
    call MPI_Isend(a(i), 1, MPI_INTEGER, next, i, MPI_COMM_WORLD, requests(many / 2 + i), ierror)
  end do
  call MPI_Waitall(many, requests, statuses, ierror)
  CHECK(b(many / 2) == 1000 * previous + many / 2 .and. statuses(MPI_TAG, many / 2) == many / 2)
  do i = 1, many / 2
    call MPI_Irecv(b(i), 1, MPI_INTEGER, previous, i, MPI_COMM_WORLD, requests(i), ierror)
    call MPI_Isend(a(many / 2 + i), 1, MPI_INTEGER, next, i, MPI_COMM_WORLD, requests(many / 2 + i), ierror)
  end do
  i = 0
  do while (i < many)
    call MPI_Waitsome(many, requests, n, indices, statuses, ierror)
    CHECK(n > 0 .and. minval(indices(:n)) >= 1 .and. maxval(indices(:n)) <= many)
    CHECK(all(requests(indices(:n)) == MPI_REQUEST_NULL))
    i = i + n
  end do
  CHECK(b(1) == 1000 * previous + many / 2 + 1)

  ! MPI-1's datatypes
  call MPI_Type_hvector(3, 1, 8, MPI_INTEGER, record, ierror)
  call MPI_Type_commit(record, ierror)
  call MPI_Type_extent(record, extent, ierror)
  CHECK(extent == 20)
  call MPI_Type_ub(record, n, ierror)
  call MPI_Type_lb(record, i, ierror)
  CHECK(n == 20 .and. i == 0)
  call MPI_Sendrecv(a, 1, record, next, 1, b, 3, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, status, ierror)
  CHECK(b(1) == 1000 * previous + 1 .and. b(3) == 1000 * previous + 5)
  call MPI_Type_get_envelope(record, n, address, i, combiner, ierror)
  integers = 0
  call MPI_Type_get_contents(record, n, address, i, integers, addresses, kinds, ierror)
  CHECK(integers(1) == 3 .and. kinds(1) == MPI_INTEGER)
  call MPI_Type_free(record, ierror)
  two = [4, 16]
  types = [MPI_INTEGER, MPI_REAL]
  call MPI_Type_struct(2, [1, 2], two, types, record, ierror)
  call MPI_Type_size(record, n, ierror)
  call MPI_Type_extent(record, extent, ierror)
  CHECK(n == 12 .and. extent == 20)
  call MPI_Type_free(record, ierror)
  call MPI_Type_hindexed(2, [1, 1], two, MPI_INTEGER, record, ierror)
  call MPI_Type_extent(record, extent, ierror)
  CHECK(extent == 16)
  call MPI_Type_free(record, ierror)
#ifdef MOD
  call MPI_Sizeof(extent, n, ierror)
  CHECK(n == 4)
  call MPI_Sizeof([1d0, 2d0], n, ierror)
  CHECK(n == 8)
#endif

  ! memory
  bytes = 40
  call MPI_Alloc_mem(bytes, MPI_INFO_NULL, memory, ierror)
  call c_f_pointer(memory, shared, [10])
  shared = 7
  call MPI_Free_mem(shared, ierror)
#ifndef EMBEDDED /* it has no windows and no files */
  call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call c_f_pointer(memory, shared, [10])
  shared = rank
  call MPI_Win_fence(0, win, ierror)
  address_sized = 3
  call MPI_Get(n, 1, MPI_INTEGER, next, address_sized, 1, MPI_INTEGER, win, ierror)
  call MPI_Win_fence(0, win, ierror)
  CHECK(n == next)
  call MPI_Win_create_errhandler(on_window_error, errhandler, ierror)
  call MPI_Win_set_errhandler(win, errhandler, ierror)
  call MPI_Win_call_errhandler(win, MPI_ERR_OTHER, ierror)
  CHECK(handled == 100)
  call MPI_Errhandler_free(errhandler, ierror)
  call MPI_Win_free(win, ierror)
#endif
  call MPI_Buffer_attach(a, 4 * many + MPI_BSEND_OVERHEAD, ierror)
  call MPI_Bsend(b, 1, MPI_INTEGER, next, 5, MPI_COMM_WORLD, ierror)
  call MPI_Recv(n, 1, MPI_INTEGER, previous, 5, MPI_COMM_WORLD, status, ierror)
  call MPI_Buffer_detach(b, n, ierror)
  CHECK(n == 4 * many + MPI_BSEND_OVERHEAD)

  ! strings
  long = repeat('v', 200)
  call MPI_Info_create(info, ierror)
  call MPI_Info_set(info, 'long', long, ierror)
  call MPI_Info_get(info, 'long ', 1000, got, flag, ierror)
  CHECK(flag .and. got == long)
  call MPI_Info_free(info, ierror)
#ifndef EMBEDDED /* it has no windows and no files */
  call MPI_File_create_errhandler(on_file_error, errhandler, ierror)
  call MPI_File_set_errhandler(MPI_FILE_NULL, errhandler, ierror) ! MPICH then returns success
  handled = 0
  call MPI_File_open(MPI_COMM_SELF, 'no/such/file', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierror)
  CHECK(handled == 10)
  call MPI_Errhandler_free(errhandler, ierror)
#endif

  ! logical arrays
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [size, 1], [.true., .false.], .false., comm, ierror)
  call MPI_Cart_get(comm, 2, two, periods, types, ierror)
  CHECK(two(1) == size .and. periods(1) .and. .not. periods(2))
  kept = [.false., .true.]
  call MPI_Cart_sub(comm, kept, child, ierror)
  call MPI_Comm_size(child, n, ierror)
  CHECK(n == 1)
  call MPI_Comm_free(child, ierror)
  call neighbours(comm)
  call MPI_Comm_free(comm, ierror)

  ! the profiling names
  call PMPI_Comm_size(MPI_COMM_WORLD, n, ierror)
  CHECK(n == size)

#ifdef SPAWN /* Debian's MPICH has none, natively neither */
  if (size > 1) then
    call get_command_argument(0, self)
    arguments = [character(8) :: 'one', 'two', ' ']
    call MPI_Comm_spawn(self, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, child, codes, ierror)
    CHECK(ierror == MPI_SUCCESS .and. codes(1) == MPI_SUCCESS)
    if (rank == 0) then
      call MPI_Recv(two, 2, MPI_INTEGER, 0, 1, child, status, ierror)
      CHECK(two(1) == 2 .and. two(2) == 1)
    end if
    call MPI_Comm_disconnect(child, ierror)
    CHECK(child == MPI_COMM_NULL)
  end if
#endif

  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize(ierror)
contains
  ! With one datatype for each of four neighbors.
  subroutine neighbours(comm)
    integer, intent(in) :: comm
    integer :: ones(4), types(4), from(4), to(4), k
    integer(MPI_ADDRESS_KIND) :: bytes(4)
    ones = [1, 1, 0, 0]
    types = MPI_INTEGER
    bytes = [(4 * k, k = 0, 3)]
    from = rank
    to = -1
#ifdef TRANSLATED /* Open MPI 4.1 reads as many datatypes as the communicator has members */
    call MPI_Neighbor_alltoallw(from, ones, bytes, types, to, ones, bytes, types, comm, ierror)
    CHECK(to(1) == previous .and. to(2) == next .and. to(3) == -1)
#endif
  end subroutine
end program
