! Features that procedures.F90 does not cover: external32, Fortran's own datatypes, distributed arrays, shared windows
! as C pointers, accumulations, shared file pointers, spawning of several commands, ports, and MPI-1's error handlers.
#include "check.h"
#include "checks.h"

module counts
  use checks
  implicit none
  integer :: handled = 0
contains
  subroutine on_error(comm, code)
    IN_BINDING
    IS_HANDLE(MPI_Comm) :: comm
    integer :: code
    if (code == MPI_ERR_OTHER) handled = handled + 1
  end subroutine
end module

program further
  USE_MPI
  use, intrinsic :: iso_c_binding
  use counts
  implicit none
  INCLUDE_MPI
  integer :: rank, size, next, previous, n, unit, ierror, i, a(4), b(4), codes(2), maxprocs(2)
  integer(1) :: bytes(16)
  integer, allocatable :: window(:), all(:)
  integer, pointer :: shared(:)
  real(8) :: x(2), y(2)
  complex(4) :: z
  integer(MPI_ADDRESS_KIND) :: length, at, lower, extent
  integer(MPI_OFFSET_KIND) :: offset
  logical :: flag
  type(c_ptr) :: memory
  character(20) :: representation
  character(512) :: commands(2), self
  character(8) :: arguments(2, 2)
  character(MPI_MAX_PORT_NAME) :: port
  IS_HANDLE(MPI_Comm) :: comm, node
  IS_HANDLE(MPI_Datatype) :: datatype, element, filetype
  IS_HANDLE(MPI_Errhandler) :: errhandler
  IS_HANDLE(MPI_File) :: file
  IS_HANDLE(MPI_Info) :: infos(2)
  IS_HANDLE(MPI_Request) :: request
  IS_HANDLE(MPI_Win) :: win
  IS_STATUS(status)

  call MPI_Init(ierror)
  call MPI_Comm_get_parent(comm, ierror)
  if (comm /= MPI_COMM_NULL) then ! a child prints the number of its command, and its argument
    call get_command_argument(1, self)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, at, flag, ierror)
    n = merge(int(at), -1, self == merge('first ', 'second', at == 0))
    call MPI_Gather(n, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, comm, ierror)
    call MPI_Comm_disconnect(comm, ierror)
    call MPI_Finalize(ierror)
    call exit(0)
  end if
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  allocate (window(4), all(2 * size))
  call MPI_Pcontrol(1)

  ! external32: big-endian
  call MPI_Pack_external_size('external32', 3, MPI_INTEGER, length, ierror)
  CHECK(length == 12)
  a = [1, -2, 258, 7]
  at = 0
  call MPI_Pack_external('external32  ', a, 3, MPI_INTEGER, bytes, length, at, ierror)
  CHECK(at == 12 .and. all_of(bytes(1:4), [0, 0, 0, 1]) .and. all_of(bytes(5:8), [-1, -1, -1, -2]) .and. all_of(bytes(9:12), [0, 0, 1, 2]))
  at = 0
  b = 0
  call MPI_Unpack_external('external32', bytes, length, at, b, 3, MPI_INTEGER, ierror)
  CHECK(at == 12 .and. .not. any(b(:3) /= a(:3)) .and. b(4) == 0)

  ! datatypes of Fortran's kinds
  call MPI_Type_create_f90_real(15, 300, datatype, ierror)
  call MPI_Type_size(datatype, n, ierror)
  CHECK(n == 8)
  x = [rank + 0.5d0, -1d300]
  call MPI_Sendrecv(x, 2, datatype, next, 1, y, 2, datatype, previous, 1, MPI_COMM_WORLD, status, ierror)
  CHECK(y(1) == previous + 0.5d0 .and. y(2) == -1d300)
  call MPI_Type_create_f90_complex(6, MPI_UNDEFINED, datatype, ierror)
  call MPI_Type_size(datatype, n, ierror)
  CHECK(n == 8)
  call MPI_Bcast(z, 1, datatype, 0, MPI_COMM_WORLD, ierror)
  call MPI_Type_create_f90_integer(9, datatype, ierror)
  call MPI_Type_get_extent(datatype, lower, extent, ierror)
  CHECK(lower == 0 .and. extent == 4)
  call MPI_Type_get_envelope(datatype, n, i, unit, codes(1), ierror)
  CHECK(n == 1 .and. i == 0 .and. unit == 0 .and. codes(1) == MPI_COMBINER_F90_INTEGER)
  call MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, datatype, ierror)
  call MPI_Type_size(datatype, n, ierror)
  CHECK(n == 8)

#ifndef EMBEDDED /* it has no windows and no files */
  ! shared memory as C pointers
  call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, node, ierror)
  call MPI_Comm_size(node, n, ierror)
  CHECK(n == size)
  length = 16
  call MPI_Win_allocate_shared(length, 4, MPI_INFO_NULL, node, memory, win, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call c_f_pointer(memory, shared, [4])
  shared = [(10 * rank + i, i = 1, 4)]
  call MPI_Win_fence(0, win, ierror)
  length = 0
  call MPI_Win_shared_query(win, previous, length, unit, memory, ierror)
  CHECK(length == 16 .and. unit == 4)
  call c_f_pointer(memory, shared, [4])
  CHECK(shared(1) == 10 * previous + 1 .and. shared(4) == 10 * previous + 4)
  call MPI_Win_fence(0, win, ierror)
  call MPI_Win_free(win, ierror)
  call MPI_Comm_free(node, ierror)

  ! accumulations
  window = [rank, 0, 0, 5]
  length = 16
  call MPI_Win_create(window, length, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
  call MPI_Win_lock_all(0, win, ierror)
  at = 1
  a(1) = rank + 1
  call MPI_Get_accumulate(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, 0, at, 1, MPI_INTEGER, MPI_SUM, win, ierror)
  call MPI_Win_flush(0, win, ierror)
  at = 3
  call MPI_Compare_and_swap(rank + 10, 5, n, MPI_INTEGER, next, at, win, ierror)
  at = 2
  call MPI_Raccumulate(a, 1, MPI_INTEGER, next, at, 1, MPI_INTEGER, MPI_REPLACE, win, request, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_Win_unlock_all(win, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win, ierror)
  CHECK(n == 5 .and. window(4) == previous + 10 .and. window(3) == previous + 1)
  CHECK(b(1) >= 0 .and. (rank /= 0 .or. window(2) == size * (size + 1) / 2))
  call MPI_Win_unlock(rank, win, ierror)
  call MPI_Win_free(win, ierror)

  ! a file: a distributed array as its view, shared pointers, external32
  call MPI_File_open(MPI_COMM_WORLD, 'further.out', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call MPI_Type_create_darray(size, rank, 1, [2 * size], [MPI_DISTRIBUTE_CYCLIC], [MPI_DISTRIBUTE_DFLT_DARG], [size], MPI_ORDER_FORTRAN, MPI_INTEGER, filetype, ierror)
  call MPI_Type_commit(filetype, ierror)
  offset = 0
  call MPI_File_set_view(file, offset, MPI_INTEGER, filetype, 'native', MPI_INFO_NULL, ierror)
  a = [rank, rank + size, 0, 0]
  call MPI_File_write_all(file, a, 2, MPI_INTEGER, status, ierror)
  call MPI_File_set_view(file, offset, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierror)
  call MPI_File_sync(file, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  all = -1
  call MPI_File_read_at_all(file, offset, all, 2 * size, MPI_INTEGER, status, ierror)
  CHECK(.not. any(all /= [(i, i = 0, 2 * size - 1)]))
  call MPI_File_write_ordered(file, rank + 50, 1, MPI_INTEGER, status, ierror)
  call MPI_Get_count(status, MPI_INTEGER, n, ierror)
  CHECK(n == 1)
  call MPI_File_get_position_shared(file, offset, ierror)
  CHECK(offset == size)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  offset = 0
  call MPI_File_seek_shared(file, offset, MPI_SEEK_SET, ierror)
  call MPI_File_read_ordered(file, n, 1, MPI_INTEGER, status, ierror)
  CHECK(n == rank + 50)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_File_set_view(file, offset, MPI_INTEGER, MPI_INTEGER, 'external32 ', MPI_INFO_NULL, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call MPI_File_get_view(file, offset, element, datatype, representation, ierror)
  CHECK(element == MPI_INTEGER .and. representation == 'external32')
  offset = rank
  call MPI_File_write_at_all(file, offset, 258, 1, MPI_INTEGER, status, ierror)
  call MPI_File_read_at_all(file, offset, n, 1, MPI_INTEGER, status, ierror)
  CHECK(n == 258)
  offset = 0
  call MPI_File_set_view(file, offset, MPI_BYTE, MPI_BYTE, 'native', MPI_INFO_NULL, ierror)
  offset = 4 * rank
  call MPI_File_read_at(file, offset, bytes, 4, MPI_BYTE, status, ierror)
  CHECK(all_of(bytes(1:4), [0, 0, 1, 2]))
  call MPI_File_close(file, ierror)
  call MPI_Type_free(filetype, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  if (rank == 0) call MPI_File_delete('further.out', MPI_INFO_NULL, ierror)
#endif

#ifndef F08
  ! MPI-1's error handlers
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
  call MPI_Errhandler_create(on_error, errhandler, ierror)
  call MPI_Errhandler_set(comm, errhandler, ierror)
  call MPI_Errhandler_free(errhandler, ierror)
  call MPI_Errhandler_get(comm, errhandler, ierror)
  CHECK(errhandler /= MPI_ERRHANDLER_NULL)
  call MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER, ierror)
  CHECK(handled == 1)
  call MPI_Errhandler_free(errhandler, ierror)
  call MPI_Comm_free(comm, ierror)
#endif

#ifdef SPAWN /* Debian's MPICH has none, natively neither */
  call get_command_argument(0, self)
  commands = self
  arguments = ' '
  arguments(:, 1) = [character(8) :: 'first', 'second']
  maxprocs = 1
  infos = MPI_INFO_NULL
  codes = -1
  call MPI_Comm_spawn_multiple(2, commands, arguments, maxprocs, infos, 0, MPI_COMM_WORLD, comm, codes, ierror)
  CHECK(ierror == MPI_SUCCESS .and. .not. any(codes /= MPI_SUCCESS))
  b = -1
  call MPI_Gather(n, 0, MPI_INTEGER, b, 1, MPI_INTEGER, merge(MPI_ROOT, MPI_PROC_NULL, rank == 0), comm, ierror)
  CHECK(rank /= 0 .or. (b(1) == 0 .and. b(2) == 1))
  call MPI_Comm_disconnect(comm, ierror)
#endif

#ifdef PORTS /* MPICH 5.0 may have no room for a port's name, natively neither */
  if (rank == 0) then
    call MPI_Open_port(MPI_INFO_NULL, port, ierror)
    CHECK(len_trim(port) > 0)
    call MPI_Send(port, len(port), MPI_CHARACTER, 1, 2, MPI_COMM_WORLD, ierror)
    call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, comm, ierror)
    call MPI_Close_port(port, ierror)
  else if (rank == 1) then
    call MPI_Recv(port, len(port), MPI_CHARACTER, 0, 2, MPI_COMM_WORLD, status, ierror)
    call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, comm, ierror)
  end if
  if (rank < 2) then
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, 0, 3, n, 1, MPI_INTEGER, 0, 3, comm, status, ierror)
    CHECK(n == 1 - rank)
    call MPI_Comm_disconnect(comm, ierror)
  end if
#endif

  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize(ierror)
contains
  logical function all_of(bytes, numbers)
    integer(1), intent(in) :: bytes(4)
    integer, intent(in) :: numbers(4)
    all_of = .not. any(bytes /= numbers)
  end function
end program
