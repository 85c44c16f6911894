! Features of mpi_f08 that procedures.F90 does not cover: omitted ierror, sections, handles that are compared and
! stored in CLASS(*) and in arrays, callbacks with its types, buffers and windows as C pointers. -DFIVE adds the
! procedures of Open MPI 5's module, by the names that it calls.
#include "checks.h"

module counts
  use checks
  implicit none
  integer :: handled = 0, copied = 0, deleted = 0
end module

module callbacks
  use mpi_f08
  use, intrinsic :: iso_c_binding
  use counts
  implicit none
  type(MPI_Datatype) :: pairs
contains
  ! composes (a, b) with (c, d), two linear functions; does not commute
  subroutine compose(in, inout, n, datatype)
    type(c_ptr), value :: in, inout
    integer :: n, k
    type(MPI_Datatype) :: datatype
    integer, pointer :: x(:, :), y(:, :)
    call c_f_pointer(in, x, [2, n])
    call c_f_pointer(inout, y, [2, n])
    if (datatype /= pairs) return
    do k = 1, n
      y(:, k) = [y(1, k) * x(1, k), y(1, k) * x(2, k) + y(2, k)]
    end do
  end subroutine

  subroutine on_window_error(win, code)
    type(MPI_Win) :: win
    integer :: code
    if (win /= MPI_WIN_NULL .and. code == MPI_ERR_OTHER) handled = handled + 100
  end subroutine

  subroutine on_file_error(file, code)
    type(MPI_File) :: file
    integer :: code
    if (code /= MPI_SUCCESS) handled = handled + 10
  end subroutine

  subroutine on_session_error(session, code)
    integer :: session, code ! Open MPI 4's module has no TYPE(MPI_Session)
    if (code /= MPI_SUCCESS) handled = handled + 1000
  end subroutine

  subroutine copy_of_type(datatype, keyval, extra, in, out, flag, ierror)
    type(MPI_Datatype) :: datatype
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    copied = copied + 1
    out = 2 * in + extra
    flag = datatype /= MPI_DATATYPE_NULL
    ierror = MPI_SUCCESS
  end subroutine

  subroutine remove_of_type(datatype, keyval, value, extra, ierror)
    type(MPI_Datatype) :: datatype
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    deleted = deleted + int(value)
    ierror = MPI_SUCCESS
  end subroutine
end module

program modern
  use mpi_f08
  use, intrinsic :: iso_c_binding
  use counts
  use callbacks
  implicit none
  integer, parameter :: many = 150
  integer :: rank, size, next, previous, n, i, j, keyval, ierror, combiner
  integer :: a(many), b(many), indices(many), integers(8), two(2), grid(6, 5), other(6, 5), weights(2), from(2), to(2)
  integer :: room(200)
  integer, pointer :: shared(:), lines(:, :)
  integer(MPI_ADDRESS_KIND) :: bytes, value, extra, at, addresses(4), lower, extent
  integer(MPI_OFFSET_KIND) :: offset
  integer(MPI_COUNT_KIND) :: long
  logical :: flag, periods(2)
  type(c_ptr) :: memory
  type(MPI_Comm) :: comm, twin, comms(2)
  type(MPI_Datatype) :: datatype, types(3), contents(3), before
  type(MPI_Errhandler) :: errhandler
  type(MPI_File) :: file
  type(MPI_Group) :: group, half
  type(MPI_Info) :: info, used
  type(MPI_Op) :: op
  type(MPI_Request) :: requests(many), request
  type(MPI_Status) :: status, statuses(many)
  type(MPI_Win) :: win
  character(1000) :: filler, got
  character(MPI_MAX_OBJECT_NAME) :: name
  character(12) :: short, arguments(3)
  character(512) :: self
  class(*), allocatable :: anything
  type :: particle
    sequence
    real(8) :: place(3)
    integer :: kind
    character(4) :: label
  end type
  type(particle) :: sent(3), received(3)
#ifdef FIVE
  integer :: session, group5, comm5
#endif

  call MPI_Init
  call MPI_Comm_get_parent(comm)
  if (comm /= MPI_COMM_NULL) then ! a child prints its arguments
    two = [command_argument_count(), 0]
    call get_command_argument(1, short)
    if (short == 'one') two(2) = 1
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    if (rank == 0) call MPI_Send(two, 2, MPI_INTEGER, 0, 1, comm)
    call MPI_Comm_disconnect(comm)
    call MPI_Finalize
    call exit(0)
  end if
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)

  ! handles
  comms = [MPI_COMM_WORLD, MPI_COMM_SELF]
  CHECK(comms(1) == MPI_COMM_WORLD .and. comms(1) /= comms(2) .and. .not. (comms(2) /= MPI_COMM_SELF))
  CHECK(MPI_INTEGER /= MPI_REAL .and. MPI_SUM == MPI_SUM .and. MPI_INFO_NULL == MPI_INFO_NULL .and. MPI_GROUP_EMPTY /= MPI_GROUP_NULL)
  CHECK(MPI_REQUEST_NULL == MPI_REQUEST_NULL .and. MPI_MESSAGE_NULL /= MPI_MESSAGE_NO_PROC .and. MPI_WIN_NULL == MPI_WIN_NULL)
  CHECK(MPI_ERRORS_RETURN /= MPI_ERRORS_ARE_FATAL .and. MPI_FILE_NULL == MPI_FILE_NULL)
  CHECK(bits(MPI_COMM_WORLD) == 32 .and. bits(status) == 32 * MPI_STATUS_SIZE)
  allocate (anything, source=MPI_INTEGER)
  CHECK(storage_size(anything) == 32)
  deallocate (anything)

  ! sections: a blocking call gets a copy if they are not contiguous
  grid = reshape([(100 * rank + i, i = 1, 30)], [6, 5])
  other = -1
  call MPI_Sendrecv(grid(2:6:2, 1:5:2), 9, MPI_INTEGER, next, 1, other(1:3, 1:3), 9, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  do j = 1, 3
    CHECK(all(other(1:3, j) == [(100 * previous + 12 * (j - 1) + 2 * i, i = 1, 3)]))
  end do
  CHECK(other(4, 1) == -1 .and. all(other(:, 4) == -1))
  call MPI_Sendrecv(grid(6:1:-1, 5), 6, MPI_INTEGER, next, 2, other(:, 5), 6, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, status)
  CHECK(all(other(:, 5) == [(100 * previous + 30 - i, i = 0, 5)]) .and. status%MPI_SOURCE == previous .and. status%MPI_TAG == 2)
  if (rank == 0 .and. size > 1) call MPI_Send(grid(3, :), 5, MPI_INTEGER, next, 3, MPI_COMM_WORLD)
  if (rank == 1) then
    call MPI_Recv(other(4, 5:1:-1), 5, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
    CHECK(all(other(4, :) == [(100 * status%MPI_SOURCE + 27 - 6 * i, i = 0, 4)]))
  end if
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Irecv(other(:, 2), 6, MPI_INTEGER, previous, 4, MPI_COMM_WORLD, request)
  call MPI_Ssend(grid(:, 2), 6, MPI_INTEGER, next, 4, MPI_COMM_WORLD)
  call MPI_Wait(request, status)
  CHECK(all(other(:, 2) == [(100 * previous + 6 + i, i = 1, 6)]))

  ! completions: index arrays from 1, arrays of handles and of statuses, long and short
  a = [(1000 * rank + i, i = 1, many)]
  b = -1
  do i = 1, many / 2
    call MPI_Irecv(b(i), 1, MPI_INTEGER, previous, i, MPI_COMM_WORLD, requests(2 * i - 1))
    call MPI_Isend(a(i), 1, MPI_INTEGER, next, i, MPI_COMM_WORLD, requests(2 * i))
  end do
  call MPI_Waitall(many, requests, statuses)
  do i = 1, many / 2
    CHECK(b(i) == 1000 * previous + i .and. statuses(2 * i - 1)%MPI_TAG == i .and. statuses(2 * i - 1)%MPI_SOURCE == previous)
    CHECK(requests(2 * i) == MPI_REQUEST_NULL)
  end do
  call MPI_Get_count(statuses(many - 1), MPI_INTEGER, n)
  call MPI_Get_elements_x(statuses(1), MPI_INTEGER, long)
  CHECK(n == 1 .and. long == 1)
  do i = 1, 4
    call MPI_Irecv(b(i), 1, MPI_INTEGER, previous, 20 + i, MPI_COMM_WORLD, requests(2 * i))
  end do
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Send(a(3), 1, MPI_INTEGER, next, 23, MPI_COMM_WORLD)
  call MPI_Waitany(8, requests, n, status)
  CHECK(n == 6 .and. status%MPI_TAG == 23 .and. requests(6) == MPI_REQUEST_NULL .and. requests(4) /= MPI_REQUEST_NULL)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Send(a(1), 1, MPI_INTEGER, next, 21, MPI_COMM_WORLD)
  flag = .false.
  do while (.not. flag)
    call MPI_Testany(8, requests, n, flag, status)
  end do
  CHECK(n == 2 .and. b(1) == 1000 * previous + 1)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Send(a(2), 1, MPI_INTEGER, next, 22, MPI_COMM_WORLD)
  call MPI_Send(a(4), 1, MPI_INTEGER, next, 24, MPI_COMM_WORLD)
  j = 0
  do while (j < 2)
    call MPI_Testsome(8, requests, n, indices, statuses)
    do i = 1, n
      CHECK(indices(i) == 4 .or. indices(i) == 8)
      CHECK(statuses(i)%MPI_TAG == 20 + indices(i) / 2)
    end do
    j = j + n
  end do
  call MPI_Testsome(8, requests, n, indices, MPI_STATUSES_IGNORE)
  CHECK(n == MPI_UNDEFINED)
  call MPI_Waitany(8, requests, n, MPI_STATUS_IGNORE)
  CHECK(n == MPI_UNDEFINED)
  call MPI_Testall(8, requests, flag, statuses)
  CHECK(flag .and. statuses(8)%MPI_SOURCE == MPI_ANY_SOURCE)

  ! a derived type of a derived type
  sent = [(particle([1d0 * i, 2d0 * i, rank * 1d0], i + 10 * rank, 'p' // achar(48 + i)), i = 1, 3)]
  received = particle([0, 0, 0], 0, '')
  call MPI_Get_address(sent(1), at)
  call MPI_Get_address(sent(1)%place, addresses(1))
  call MPI_Get_address(sent(1)%kind, addresses(2))
  call MPI_Get_address(sent(1)%label, addresses(3))
  call MPI_Get_address(sent(2), addresses(4))
  extent = MPI_Aint_diff(addresses(4), at)
  do i = 1, 3
    addresses(i) = MPI_Aint_diff(addresses(i), at)
  end do
  types = [MPI_DOUBLE_PRECISION, MPI_INTEGER, MPI_CHARACTER]
  call MPI_Type_create_struct(3, [3, 1, 4], addresses(1:3), types, before)
  lower = 0
  call MPI_Type_create_resized(before, lower, extent, datatype)
  call MPI_Type_commit(datatype)
  call MPI_Sendrecv(sent, 3, datatype, next, 5, received, 3, datatype, previous, 5, MPI_COMM_WORLD, status)
  CHECK(received(3)%kind == 3 + 10 * previous .and. received(2)%label == 'p2' .and. received(1)%place(3) == previous)
  call MPI_Get_count(status, datatype, n)
  call MPI_Get_elements(status, datatype, i)
  CHECK(n == 3 .and. i == 24)
  call MPI_Type_get_envelope(before, i, j, n, combiner)
  CHECK(i == 4 .and. j == 3 .and. n == 3 .and. combiner == MPI_COMBINER_STRUCT)
  integers = 0
  addresses = -1
  call MPI_Type_get_contents(before, 4, 3, 3, integers, addresses, contents)
  CHECK(all(integers(1:4) == [3, 3, 1, 4]) .and. addresses(2) == 24 .and. contents(1) == MPI_DOUBLE_PRECISION .and. contents(3) == MPI_CHARACTER)
  call MPI_Type_set_name(datatype, 'particle   ')
  call MPI_Type_get_name(datatype, name, n)
  CHECK(n == 8 .and. name == 'particle')
  extra = 1
  call MPI_Type_create_keyval(copy_of_type, remove_of_type, keyval, extra)
  value = 20
  call MPI_Type_set_attr(datatype, keyval, value)
  call MPI_Type_dup(datatype, types(1))
  call MPI_Type_get_attr(types(1), keyval, value, flag)
  CHECK(flag .and. value == 41 .and. copied == 1)
  call MPI_Type_free(types(1))
  call MPI_Type_delete_attr(datatype, keyval)
  CHECK(deleted == 61)
  call MPI_Type_free_keyval(keyval)
  call MPI_Type_free(datatype)
  call MPI_Type_free(before)
  CHECK(before == MPI_DATATYPE_NULL)
  call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, datatype)
  call MPI_Type_size(datatype, n)
  CHECK(n == 8)
  call MPI_Sizeof(grid, n, ierror)
  CHECK(n == 4 .and. ierror == MPI_SUCCESS)
  call MPI_Sizeof((1d0, 1d0), n)
  CHECK(n == 16)

  ! an operation that does not commute, of a derived type
  call MPI_Type_contiguous(2, MPI_INTEGER, pairs)
  call MPI_Type_commit(pairs)
  call MPI_Op_create(compose, .false., op)
  two = [2, rank + 1]
  call MPI_Allreduce(MPI_IN_PLACE, two, 1, pairs, op, MPI_COMM_WORLD)
  from = [2, 1]
  do i = 1, size - 1
    from = [2 * from(1), 2 * from(2) + i + 1]
  end do
  CHECK(all(two == from))
  two = [3, 4]
  call MPI_Reduce_local([5, 6], two, 1, pairs, op)
  CHECK(all(two == [15, 22]))
  call MPI_Op_free(op)
  call MPI_Type_free(pairs)
  call MPI_Scan(rank + 1, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  CHECK(n == (rank + 1) * (rank + 2) / 2)

  ! communicators, groups, topologies
  call MPI_Comm_group(MPI_COMM_WORLD, group)
  call MPI_Group_range_incl(group, 1, reshape([0, size - 1, 1], [3, 1]), half)
  call MPI_Group_compare(group, half, n)
  CHECK(n == MPI_IDENT)
  call MPI_Group_free(half)
  call MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, comm)
  call MPI_Group_free(group)
  call MPI_Comm_set_name(comm, '  a name ')
  call MPI_Comm_get_name(comm, name, n)
  CHECK(name(n:n) == 'e' .and. index(name, 'a name') > 0 .and. len_trim(name) == n)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra)
  value = -2_8**40
  call MPI_Comm_set_attr(comm, keyval, value)
  call MPI_Comm_idup(comm, twin, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  value = 0
  call MPI_Comm_get_attr(twin, keyval, value, flag)
  CHECK(flag .and. value == -2_8**40)
  call MPI_Comm_free_keyval(keyval)
  call MPI_Comm_free(twin)
  call MPI_Comm_free(comm)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [size, 1], [.true., .false.], .false., comm)
  call MPI_Cart_get(comm, 2, two, periods, from)
  CHECK(two(1) == size .and. periods(1) .and. .not. periods(2) .and. from(1) == rank)
  call MPI_Cart_sub(comm, [.false., .true.], twin)
  call MPI_Comm_size(twin, n)
  CHECK(n == 1)
  call MPI_Comm_free(twin)
  call MPI_Comm_free(comm)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [previous], [7], 1, [next], [8], MPI_INFO_NULL, .false., comm)
  call MPI_Dist_graph_neighbors(comm, 1, from, two, 1, to, weights)
  CHECK(from(1) == previous .and. two(1) == 7 .and. to(1) == next .and. weights(1) == 8)
  addresses(1) = 0
  call MPI_Neighbor_alltoallw([rank], [1], addresses, [MPI_INTEGER], two, [1], addresses, [MPI_INTEGER], comm)
  CHECK(two(1) == previous)
  call MPI_Comm_free(comm)
  call PMPI_Comm_size(MPI_COMM_WORLD, n)
  CHECK(n == size)

  ! memory and windows
  call MPI_Buffer_attach(room, 800)
  call MPI_Bsend(a, 10, MPI_INTEGER, next, 6, MPI_COMM_WORLD)
  call MPI_Recv(b, 10, MPI_INTEGER, previous, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  memory = c_null_ptr
  call MPI_Buffer_detach(memory, n)
  call MPI_Get_address(room, at)
  CHECK(n == 800 .and. transfer(memory, at) == at)
  bytes = 400
  call MPI_Alloc_mem(bytes, MPI_INFO_NULL, memory)
  call c_f_pointer(memory, shared, [100])
  shared = rank
  call MPI_Free_mem(shared)
#ifndef EMBEDDED /* it has no windows and no files */
  if (size > 1) then ! Open MPI 4.1.4 creates no window for one rank
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win)
    call c_f_pointer(memory, shared, [100])
    shared = [(100 * rank + i, i = 1, 100)]
    call MPI_Win_set_name(win, 'window')
    call MPI_Win_get_name(win, name, n)
#ifdef TRANSLATED /* in mpi_f08 Open MPI 4.1.4 gives one letter, and whatever was behind it */
    CHECK(n == 6 .and. name == 'window')
#endif
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag)
    CHECK(flag .and. transfer(memory, value) == value)
    call MPI_Win_fence(0, win)
    at = 4
    call MPI_Get(b, 2, MPI_INTEGER, next, at, 2, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    CHECK(b(1) == 100 * next + 5 .and. b(2) == 100 * next + 6)
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win)
    at = 9
    call MPI_Fetch_and_op(1, n, MPI_INTEGER, 0, at, MPI_SUM, win)
    call MPI_Win_unlock(0, win)
    CHECK(n >= 10 .and. n < 10 + size)
    call MPI_Win_create_errhandler(on_window_error, errhandler)
    call MPI_Win_set_errhandler(win, errhandler)
    call MPI_Win_call_errhandler(win, MPI_ERR_OTHER)
    CHECK(handled == 100)
    call MPI_Errhandler_free(errhandler)
    call MPI_Win_free(win)
  end if
  handled = 0
#endif

  ! infos: blanks at both ends are ignored
  filler = repeat('v', 200)
  call MPI_Info_create(info)
  call MPI_Info_set(info, ' long ', filler)
  call MPI_Info_set(info, 'b', '  x y ')
  call MPI_Info_get(info, '  long', 1000, got, flag)
  CHECK(flag .and. got == filler)
  short = repeat('?', 12)
  call MPI_Info_get(info, 'b ', 12, short, flag)
  CHECK(flag .and. short == 'x y')
  short = 'kept'
  call MPI_Info_get(info, 'c', 12, short, flag)
  CHECK(.not. flag .and. short == 'kept')

#ifndef EMBEDDED /* it has no windows and no files */
  ! files
  call MPI_File_create_errhandler(on_file_error, errhandler)
  call MPI_File_set_errhandler(MPI_FILE_NULL, errhandler)
  call MPI_File_open(MPI_COMM_SELF, 'no/such/file  ', MPI_MODE_RDONLY, MPI_INFO_NULL, file)
  CHECK(handled == 10)
  call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN)
  call MPI_Errhandler_free(errhandler)
  call MPI_File_open(MPI_COMM_WORLD, 'modern.out ', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), info, file, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call MPI_Info_free(info)
  call MPI_Type_vector(5, 2, 2 * size, MPI_INTEGER, datatype)
  call MPI_Type_commit(datatype)
  offset = 8 * rank
  call MPI_File_set_view(file, offset, MPI_INTEGER, datatype, 'native  ', MPI_INFO_NULL)
  call MPI_File_get_view(file, offset, before, types(1), short)
  CHECK(offset == 8 * rank .and. before == MPI_INTEGER .and. short == 'native')
  call MPI_Type_free(types(1))
  call MPI_File_write_all(file, a, 10, MPI_INTEGER, status)
  call MPI_Get_count(status, MPI_INTEGER, n)
  CHECK(n == 10)
  offset = 0
  b = -1
  call MPI_File_read_at_all_begin(file, offset, b, 10, MPI_INTEGER)
  call MPI_File_read_at_all_end(file, b, status)
  CHECK(b(1) == 1000 * rank + 1 .and. b(10) == 1000 * rank + 10 .and. b(11) == -1)
  call MPI_File_iread_at(file, offset, b, 5, MPI_INTEGER, request)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_INTEGER, n)
  CHECK(n == 5)
  call MPI_File_get_position(file, offset)
  CHECK(offset == 10)
  call MPI_File_get_atomicity(file, flag)
  CHECK(.not. flag)
  call MPI_File_get_info(file, used)
  call MPI_Info_free(used)
  ! A rank may return from a collective write before another has written (MPI-5.0, 14.6.1).
  call MPI_File_sync(file)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_File_get_size(file, offset)
  CHECK(offset == 40 * size)
  call MPI_File_close(file)
  CHECK(file == MPI_FILE_NULL)
  call MPI_Type_free(datatype)
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 0) call MPI_File_delete('modern.out', MPI_INFO_NULL)
#endif

#ifdef SPAWN /* Debian's MPICH has none, natively neither */
  call get_command_argument(0, self)
  arguments = [character(12) :: 'one', 'two', ' ']
  call MPI_Comm_spawn(self, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, comm, MPI_ERRCODES_IGNORE)
  if (rank == 0) then
    call MPI_Recv(two, 2, MPI_INTEGER, 0, 1, comm, MPI_STATUS_IGNORE)
    CHECK(all(two == [2, 1]))
  end if
  call MPI_Comm_disconnect(comm)
  call MPI_Comm_spawn(self, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, comm, integers)
  if (rank == 0) then
    call MPI_Recv(two, 2, MPI_INTEGER, 0, 1, comm, MPI_STATUS_IGNORE)
    CHECK(all(two == 0) .and. integers(1) == MPI_SUCCESS)
  end if
  call MPI_Comm_disconnect(comm)
#endif

#ifdef FIVE
  call five()
#endif
  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize
contains
  integer function bits(x)
    class(*), intent(in) :: x
    bits = storage_size(x)
  end function

#ifdef FIVE
  subroutine five()
    external :: mpi_info_create_env_f08, mpi_info_get_string_f08, mpi_status_f2f08_f08, mpi_status_f082f_f08, mpi_isendrecv_f08, mpi_allreduce_init_f08, &
      mpi_psend_init_f08, mpi_precv_init_f08, mpi_pready_f08, mpi_parrived_f08, mpi_session_init_f08, mpi_session_get_num_psets_f08, &
      mpi_session_get_nth_pset_f08, mpi_session_get_pset_info_f08, mpi_session_get_info_f08, mpi_group_from_session_pset_f08, &
      mpi_comm_create_from_group_f08, mpi_session_create_errhandler_f08, mpi_session_set_errhandler_f08, mpi_session_get_errhandler_f08, &
      mpi_session_call_errhandler_f08, mpi_session_finalize_f08, mpi_comm_idup_with_info_f08
    integer :: numbers(MPI_STATUS_SIZE), sets, length, session_errhandler, kept
    integer(MPI_COUNT_KIND) :: part
    character(64) :: set
    character(3) :: cut
    logical :: found

    call mpi_info_create_env_f08(info, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Info_set(info, 'key', 'a value')
    length = 0
    call mpi_info_get_string_f08(info, ' key ', length, cut, flag, ierror)
    CHECK(flag .and. length == 7)
    length = 64
    call mpi_info_get_string_f08(info, 'key', length, set, flag, ierror)
    CHECK(flag .and. length == 7 .and. set == 'a value')
    length = 3
    call mpi_info_get_string_f08(info, 'key', length, cut, flag, ierror)
    CHECK(flag .and. length == 7 .and. cut == 'a v')
    length = 5
    call mpi_info_get_string_f08(info, 'no key', length, set, flag, ierror)
    CHECK(.not. flag .and. set == 'a value')
    call MPI_Info_free(info)

    call mpi_isendrecv_f08(rank, 1, MPI_INTEGER, next, 31, n, 1, MPI_INTEGER, previous, 31, MPI_COMM_WORLD, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE) ! MPICH's status is empty
    CHECK(n == previous)
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, next, 31, n, 1, MPI_INTEGER, previous, 31, MPI_COMM_WORLD, status)
    call mpi_status_f082f_f08(status, numbers, ierror)
    CHECK(numbers(MPI_SOURCE) == previous .and. numbers(MPI_TAG) == 31)
    numbers(MPI_TAG) = 99
    call mpi_status_f2f08_f08(numbers, status, ierror)
    CHECK(status%MPI_TAG == 99)
    call mpi_allreduce_init_f08([rank], two, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    do i = 1, 2
      call MPI_Start(request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
    end do
    CHECK(two(1) == size * (size - 1) / 2)
    call MPI_Request_free(request)
    part = 5
    b = -1
    call mpi_psend_init_f08(a, 2, part, MPI_INTEGER, next, 32, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), ierror)
    call mpi_precv_init_f08(b, 2, part, MPI_INTEGER, previous, 32, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2), ierror)
    call MPI_Startall(2, requests)
    call mpi_pready_f08(0, requests(1), ierror)
    call mpi_pready_f08(1, requests(1), ierror)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    CHECK(b(1) == 1000 * previous + 1 .and. b(10) == 1000 * previous + 10 .and. b(11) == -1)
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))

    ! a session, whose handle is an INTEGER here
    call mpi_session_init_f08(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call mpi_session_get_num_psets_f08(session, MPI_INFO_NULL, sets, ierror)
    CHECK(sets >= 2)
    found = .false.
    do i = 0, sets - 1 ! a library may have more, and in another order
      length = 0
      call mpi_session_get_nth_pset_f08(session, MPI_INFO_NULL, i, length, set, ierror)
      CHECK(length > 0 .and. length <= 64)
      kept = length
      set = repeat('?', 64)
      call mpi_session_get_nth_pset_f08(session, MPI_INFO_NULL, i, length, set, ierror)
      CHECK(length == kept .and. len_trim(set) == length)
      found = found .or. set == 'mpi://WORLD'
    end do
    CHECK(found)
    call mpi_session_get_pset_info_f08(session, 'mpi://WORLD  ', used, ierror)
    length = 12
    call mpi_info_get_string_f08(used, 'mpi_size', length, short, flag, ierror)
    read (short, *) n
    CHECK(flag .and. n == size)
    call MPI_Info_free(used)
    call mpi_session_get_info_f08(session, used, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Info_free(used)
    call mpi_group_from_session_pset_f08(session, ' mpi://WORLD', group5, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call mpi_comm_create_from_group_f08(group5, 'tag of it', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm5, ierror)
    CHECK(ierror == MPI_SUCCESS)
    comm%MPI_VAL = comm5
    call MPI_Allreduce(1, n, 1, MPI_INTEGER, MPI_SUM, comm)
    CHECK(n == size)
    call MPI_Comm_free(comm)
    group%MPI_VAL = group5
    call MPI_Group_free(group)
    call mpi_session_create_errhandler_f08(on_session_error, errhandler, ierror)
    call mpi_session_set_errhandler_f08(session, errhandler, ierror)
    call mpi_session_get_errhandler_f08(session, session_errhandler, ierror)
    CHECK(session_errhandler /= MPI_ERRHANDLER_NULL%MPI_VAL)
    handled = 0
    call mpi_session_call_errhandler_f08(session, MPI_ERR_OTHER, ierror)
    CHECK(handled == 1000)
    call MPI_Errhandler_free(errhandler)
    call mpi_session_finalize_f08(session, ierror)
    CHECK(ierror == MPI_SUCCESS)
  end subroutine
#endif
end program
