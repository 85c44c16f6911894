! About eighty procedures, each with a result that shows its effect.
#include "check.h"
#include "checks.h"

module shared
  use checks
  implicit none
  integer :: handled = 0, copied = 0, deleted = 0, queried = 0, freed = 0
  integer(8) :: extra
  integer :: a(8), b(8), c(4), d(4) ! here and not in a procedure: calls may change them although they are not arguments
  integer, allocatable :: window(:) ! likewise
end module

module callbacks
  use, intrinsic :: iso_c_binding
  use shared
  implicit none
contains
  ! the first of two integers; does not commute
#ifdef F08
  subroutine first(in, inout, n, datatype)
    IN_BINDING
    type(c_ptr), value :: in, inout
    integer :: n
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(in, a, [n])
    call c_f_pointer(inout, b, [n])
#else
  subroutine first(a, b, n, datatype)
    IN_BINDING
    integer :: n, datatype
    integer :: a(n), b(n)
#endif
    if (datatype == MPI_INTEGER) b = a
  end subroutine

  subroutine on_error(comm, code)
    IN_BINDING
    IS_HANDLE(MPI_Comm) :: comm
    integer :: code
    if (code /= MPI_SUCCESS .and. comm /= MPI_COMM_NULL) handled = handled + 1
  end subroutine

  subroutine copy(comm, keyval, extra, in, out, flag, ierror)
    IN_BINDING
    IS_HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    copied = copied + 1
    out = in + extra
    flag = comm /= MPI_COMM_NULL
    ierror = MPI_SUCCESS
  end subroutine

  subroutine remove(comm, keyval, value, extra, ierror)
    IN_BINDING
    IS_HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    deleted = deleted + int(value)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine query(extra, status, ierror)
    IN_BINDING
    integer(MPI_ADDRESS_KIND) :: extra
    IS_STATUS(status)
    integer :: ierror
    queried = queried + int(extra)
    call MPI_Status_set_elements(status, MPI_INTEGER, 7, ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    SOURCE(status) = MPI_UNDEFINED
    TAG(status) = 5
  end subroutine

  subroutine release(extra, ierror)
    IN_BINDING
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: ierror
    freed = freed + int(extra)
    extra = extra + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra, complete, ierror)
    IN_BINDING
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program procedures
  USE_MPI
  use, intrinsic :: iso_c_binding
  use shared
  use callbacks
  implicit none
  INCLUDE_MPI
  integer :: rank, size, next, previous, level, version, subversion, n, i, code, keyval, ierror
  integer :: grid(4, 4), counts(2), displacements(2), dims(2), coords(2), reached(1), table(6), got(6)
  integer, allocatable :: all(:)
  integer(MPI_ADDRESS_KIND) :: at, at2, extent, lower, attribute
  integer(MPI_OFFSET_KIND) :: offset
  real(8) :: t
  logical :: flag, periods(2)
  character(20) :: name
  character(MPI_MAX_LIBRARY_VERSION_STRING) :: library
  character(MPI_MAX_ERROR_STRING) :: message
  character(MPI_MAX_PROCESSOR_NAME) :: processor
  character(MPI_MAX_OBJECT_NAME) :: object
  character(MPI_MAX_INFO_KEY) :: key
  IS_HANDLE(MPI_Comm) :: comm, half, ring, weighted
  IS_HANDLE(MPI_Group) :: group, empty
  IS_HANDLE(MPI_Datatype) :: column, record, types(2)
  IS_HANDLE(MPI_Op) :: op
  IS_HANDLE(MPI_Request) :: request, requests(4)
  IS_HANDLE(MPI_Info) :: info
  IS_HANDLE(MPI_File) :: file
  IS_HANDLE(MPI_Win) :: win
  IS_HANDLE(MPI_Errhandler) :: errhandler, before
  IS_HANDLE(MPI_Message) :: msg
  IS_STATUS(status)
  IS_STATUSES(statuses, 4)

  call MPI_Init_thread(MPI_THREAD_FUNNELED, level, ierror)
  CHECK(ierror == MPI_SUCCESS .and. level >= MPI_THREAD_SINGLE)
  call MPI_Initialized(flag, ierror)
  CHECK(flag)
  call MPI_Finalized(flag, ierror)
  CHECK(.not. flag)
  call MPI_Is_thread_main(flag, ierror)
  CHECK(flag)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  CHECK(rank >= 0 .and. rank < size)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  call MPI_Get_version(version, subversion, ierror)
  CHECK(version >= 3)
  library = repeat('?', len(library))
  call MPI_Get_library_version(library, n, ierror)
  CHECK(n > 5 .and. index(library, '?') == 0 .and. len_trim(library) > 5)
  call MPI_Get_processor_name(processor, n, ierror)
  CHECK(n > 0 .and. len_trim(processor) == n)
  t = MPI_Wtime()
  CHECK(MPI_Wtime() >= t .and. MPI_Wtick() > 0)

  ! point-to-point
  a = [(100 * rank + i, i = 1, 8)]
  b = -1
  call MPI_Sendrecv(a, 8, MPI_INTEGER, next, 3, b, 8, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, status, ierror)
  CHECK(all8(b, 100 * previous))
  CHECK(SOURCE(status) == previous .and. TAG(status) == 3)
  call MPI_Get_count(status, MPI_INTEGER, n, ierror)
  CHECK(n == 8)
  call MPI_Get_elements(status, MPI_REAL, n, ierror)
  CHECK(n == 8)
  call MPI_Get_count(status, MPI_DOUBLE_COMPLEX, n, ierror)
  CHECK(n == 2)
  call MPI_Test_cancelled(status, flag, ierror)
  CHECK(.not. flag)
  b = -1
  call MPI_Irecv(b, 8, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request, ierror)
  call MPI_Send(a, 8, MPI_INTEGER, next, 4, MPI_COMM_WORLD, ierror)
  call MPI_Wait(request, status, ierror)
  CHECK(request == MPI_REQUEST_NULL .and. all8(b, 100 * previous) .and. TAG(status) == 4)
  call MPI_Isend(a, 4, MPI_INTEGER, next, 5, MPI_COMM_WORLD, request, ierror)
  call MPI_Probe(previous, 5, MPI_COMM_WORLD, status, ierror)
  call MPI_Get_count(status, MPI_INTEGER, n, ierror)
  CHECK(n == 4)
  flag = .false.
  do while (.not. flag)
    call MPI_Improbe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, flag, msg, status, ierror)
  end do
  call MPI_Mrecv(b, 8, MPI_INTEGER, msg, MPI_STATUS_IGNORE, ierror)
  CHECK(msg == MPI_MESSAGE_NULL .and. b(4) == 100 * previous + 4)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_Sendrecv_replace(a, 8, MPI_INTEGER, next, 1, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  CHECK(all8(a, 100 * previous))
  a = [(100 * rank + i, i = 1, 8)]
  call MPI_Recv(b, 8, MPI_INTEGER, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierror)
  CHECK(SOURCE(status) == MPI_PROC_NULL .and. TAG(status) == MPI_ANY_TAG)

  ! completions: indices from 1, including null requests
  do i = 1, 2
    call MPI_Irecv(b(i), 1, MPI_INTEGER, previous, i, MPI_COMM_WORLD, requests(i), ierror)
    call MPI_Isend(a(i), 1, MPI_INTEGER, next, i, MPI_COMM_WORLD, requests(i + 2), ierror)
  end do
  call MPI_Waitall(4, requests, statuses, ierror)
  CHECK(SOURCE_AT(statuses, 1) == previous .and. TAG_AT(statuses, 2) == 2)
  CHECK(b(2) == 100 * previous + 2 .and. requests(4) == MPI_REQUEST_NULL)
  requests = MPI_REQUEST_NULL
  call MPI_Irecv(b(3), 1, MPI_INTEGER, previous, 9, MPI_COMM_WORLD, requests(3), ierror)
  call MPI_Send(a(3), 1, MPI_INTEGER, next, 9, MPI_COMM_WORLD, ierror)
  call MPI_Waitany(4, requests, n, status, ierror)
  CHECK(TAG(status) == 9 .and. b(3) == 100 * previous + 3)
#ifndef MPICH /* 4.0 counts from 0 in mpi_f08, and to MPI_UNDEFINED in the other two bindings */
  CHECK(n == 3)
  call MPI_Waitany(4, requests, n, MPI_STATUS_IGNORE, ierror)
  CHECK(n == MPI_UNDEFINED)
  call MPI_Testany(4, requests, n, flag, MPI_STATUS_IGNORE, ierror)
  CHECK(flag .and. n == MPI_UNDEFINED)
#endif
  call MPI_Irecv(b(4), 1, MPI_INTEGER, previous, 10, MPI_COMM_WORLD, requests(4), ierror)
  call MPI_Send(a(4), 1, MPI_INTEGER, next, 10, MPI_COMM_WORLD, ierror)
  call MPI_Waitsome(4, requests, n, table, statuses, ierror)
  CHECK(n == 1 .and. TAG_AT(statuses, 1) == 10)
#ifndef MPICH
  CHECK(table(1) == 4)
#endif
  call MPI_Testsome(4, requests, n, table, MPI_STATUSES_IGNORE, ierror)
  CHECK(n == MPI_UNDEFINED)
  call MPI_Testall(4, requests, flag, MPI_STATUSES_IGNORE, ierror)
  CHECK(flag)
  call MPI_Test(requests(1), flag, status, ierror)
  CHECK(flag .and. SOURCE(status) == MPI_ANY_SOURCE)
  call MPI_Send_init(a, 1, MPI_INTEGER, next, 11, MPI_COMM_WORLD, requests(1), ierror)
  call MPI_Recv_init(b, 1, MPI_INTEGER, previous, 11, MPI_COMM_WORLD, requests(2), ierror)
  do i = 1, 2
    a(1) = 1000 * i + rank
    call MPI_Startall(2, requests, ierror)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    CHECK(b(1) == 1000 * i + previous .and. requests(1) /= MPI_REQUEST_NULL)
  end do
  call MPI_Request_free(requests(1), ierror)
  call MPI_Request_free(requests(2), ierror)
  CHECK(requests(2) == MPI_REQUEST_NULL)
  call MPI_Irecv(b, 1, MPI_INTEGER, previous, 12, MPI_COMM_WORLD, request, ierror)
  call MPI_Cancel(request, ierror)
  call MPI_Wait(request, status, ierror)
  call MPI_Test_cancelled(status, flag, ierror)
  CHECK(flag)
  extra = 3
  call MPI_Grequest_start(query, release, cancel, extra, request, ierror)
  call MPI_Grequest_complete(request, ierror)
  call MPI_Wait(request, status, ierror)
  call MPI_Get_count(status, MPI_INTEGER, n, ierror)
  CHECK(queried == 3 .and. freed == 3 .and. n == 7 .and. TAG(status) == 5)
#ifdef MPIABI
  CHECK(extra == 3) ! callbacks get their own variable
#else
  CHECK(extra == 4) ! the variable itself
#endif

  ! datatypes, sections, BOTTOM
  grid = reshape([(i, i = 1, 16)], [4, 4])
  call MPI_Type_vector(4, 1, 4, MPI_INTEGER, column, ierror)
  call MPI_Type_commit(column, ierror)
  call MPI_Type_size(column, n, ierror)
  call MPI_Type_get_extent(column, lower, extent, ierror)
  CHECK(n == 16 .and. lower == 0 .and. extent == 52)
  call MPI_Sendrecv(grid(2, 1), 1, column, next, 1, b, 4, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, status, ierror)
  CHECK(b(1) == 2 .and. b(2) == 6 .and. b(4) == 14)
#ifdef F08
  if (MPI_SUBARRAYS_SUPPORTED) then
    call MPI_Irecv(b(1:7:2), 4, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, request, ierror)
    call MPI_Send(grid(3, :), 4, MPI_INTEGER, next, 2, MPI_COMM_WORLD, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    CHECK(b(1) == 3 .and. b(3) == 7 .and. b(7) == 15)
  end if
#endif
  call MPI_Sendrecv(a(8:1:-1), 8, MPI_INTEGER, next, 1, b, 8, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, status, ierror)
  CHECK(b(1) == 100 * previous + 8 .and. b(7) == 100 * previous + 2)
  call MPI_Get_address(c(1), at, ierror)
  call MPI_Get_address(d(1), at2, ierror)
  types = MPI_INTEGER
  call MPI_Type_create_struct(2, [2, 1], [at, at2], types, record, ierror)
  call MPI_Type_commit(record, ierror)
  c = rank
  d = rank + 7
  call MPI_Sendrecv(MPI_BOTTOM, 1, record, next, 1, b, 3, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, status, ierror)
  CHECK(b(1) == previous .and. b(2) == previous .and. b(3) == previous + 7)
  call MPI_Type_free(record, ierror)
  CHECK(record == MPI_DATATYPE_NULL)
  call MPI_Type_create_subarray(2, [4, 4], [2, 2], [1, 1], MPI_ORDER_FORTRAN, MPI_INTEGER, record, ierror)
  call MPI_Type_commit(record, ierror)
  n = 0
  call MPI_Pack(grid, 1, record, table, 24, n, MPI_COMM_WORLD, ierror)
  i = 0
  call MPI_Unpack(table, n, i, b, 4, MPI_INTEGER, MPI_COMM_WORLD, ierror)
  CHECK(n == i .and. b(1) == 6 .and. b(2) == 7 .and. b(3) == 10 .and. b(4) == 11)
  call MPI_Type_get_envelope(record, n, i, level, code, ierror)
  CHECK(n == 8 .and. i == 0 .and. level == 1 .and. code == MPI_COMBINER_SUBARRAY)
  call MPI_Type_set_name(record, 'the inner four  ', ierror)
  object = '?'
  call MPI_Type_get_name(record, object, n, ierror)
  CHECK(n == 14 .and. object == 'the inner four')
  call MPI_Type_free(record, ierror)

  ! collective operations
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  b(1) = merge(42, 0, rank == 0)
  call MPI_Bcast(b, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  CHECK(b(1) == 42)
  a(1:2) = [rank, -rank]
  call MPI_Allreduce(MPI_IN_PLACE, a, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  CHECK(a(1) == size * (size - 1) / 2 .and. a(2) == -a(1))
  call MPI_Op_create(first, .false., op, ierror)
  call MPI_Op_commutative(op, flag, ierror)
  CHECK(.not. flag)
  a = rank + 1
  call MPI_Reduce(a, b, 8, MPI_INTEGER, op, 0, MPI_COMM_WORLD, ierror)
  CHECK(rank /= 0 .or. (b(1) == 1 .and. b(8) == 1))
  call MPI_Op_free(op, ierror)
  CHECK(op == MPI_OP_NULL)
  allocate (all(size))
  call MPI_Allgather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
  CHECK(all(size) == size - 1)
  call MPI_Iallreduce(rank, n, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  CHECK(n == size - 1)
  call exchange_all()

  ! groups and communicators
  call MPI_Comm_group(MPI_COMM_WORLD, group, ierror)
  call MPI_Group_incl(group, 1, [size - 1], empty, ierror)
  call MPI_Group_translate_ranks(empty, 1, [0], group, reached, ierror)
  CHECK(reached(1) == size - 1)
  call MPI_Group_free(empty, ierror)
  call MPI_Group_free(group, ierror)
  CHECK(group == MPI_GROUP_NULL)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierror)
  call MPI_Comm_size(half, n, ierror)
  CHECK(n == (size + 1 - mod(rank, 2)) / 2)
  call MPI_Comm_dup(half, comm, ierror)
  call MPI_Comm_compare(half, comm, n, ierror)
  CHECK(n == MPI_CONGRUENT)
  call MPI_Comm_set_name(comm, 'half', ierror)
  call MPI_Comm_get_name(comm, object, n, ierror)
  CHECK(n == 4 .and. object == 'half')
  call MPI_Comm_test_inter(comm, flag, ierror)
  CHECK(.not. flag)
  call MPI_Comm_free(comm, ierror)
  call MPI_Comm_free(half, ierror)
  CHECK(half == MPI_COMM_NULL)

  ! attributes
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, attribute, flag, ierror)
  CHECK(flag .and. attribute >= 32767)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, attribute, flag, ierror)
  CHECK(.not. flag .or. attribute == 0 .or. attribute == 1)
  extra = 1
  call MPI_Comm_create_keyval(copy, remove, keyval, extra, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
  call MPI_Comm_get_attr(comm, keyval, attribute, flag, ierror)
  CHECK(.not. flag)
  attribute = 5
  call MPI_Comm_set_attr(comm, keyval, attribute, ierror)
  call MPI_Comm_dup(comm, half, ierror)
  call MPI_Comm_get_attr(half, keyval, attribute, flag, ierror)
  CHECK(flag .and. attribute == 6 .and. copied == 1)
  call MPI_Comm_delete_attr(half, keyval, ierror)
  CHECK(deleted == 6)
  attribute = 2
  call MPI_Comm_set_attr(comm, keyval, attribute, ierror)
  CHECK(deleted == 11)
  call MPI_Comm_free(half, ierror)
  call MPI_Comm_free(comm, ierror)
  CHECK(deleted == 13)
  call MPI_Comm_free_keyval(keyval, ierror)
  CHECK(keyval == MPI_KEYVAL_INVALID)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra, ierror)
  attribute = -3
  call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, attribute, ierror)
  call MPI_Comm_dup(MPI_COMM_SELF, comm, ierror)
  call MPI_Comm_get_attr(comm, keyval, attribute, flag, ierror)
  CHECK(flag .and. attribute == -3)
  call MPI_Comm_free(comm, ierror)
  call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval, ierror)
  call MPI_Comm_free_keyval(keyval, ierror)
  call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyval, extra, ierror)
  attribute = 2_8**40
  call MPI_Type_set_attr(column, keyval, attribute, ierror)
  call MPI_Type_dup(column, record, ierror)
  attribute = 0
  call MPI_Type_get_attr(record, keyval, attribute, flag, ierror)
  CHECK(flag .and. attribute == 2_8**40)
  call MPI_Type_free(record, ierror)
  call MPI_Type_free(column, ierror)
  call MPI_Type_free_keyval(keyval, ierror)

  ! topologies
  dims = 0
  call MPI_Dims_create(size, 2, dims, ierror)
  CHECK(product(dims) == size)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], [.true.], .false., ring, ierror)
  call MPI_Cart_shift(ring, 0, 1, n, i, ierror)
  CHECK(n == previous .and. i == next)
  call MPI_Cart_get(ring, 1, dims, periods, coords, ierror)
  CHECK(dims(1) == size .and. periods(1) .and. coords(1) == rank)
  call MPI_Topo_test(ring, n, ierror)
  CHECK(n == MPI_CART)
  b(1:2) = -1
  call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, b, 1, MPI_INTEGER, ring, ierror)
  CHECK(b(1) == previous .and. b(2) == next)
  call MPI_Comm_free(ring, ierror)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [previous], MPI_UNWEIGHTED, 1, [next], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., weighted, ierror)
  call MPI_Dist_graph_neighbors_count(weighted, n, i, flag, ierror)
  CHECK(n == 1 .and. i == 1 .and. .not. flag)
  call MPI_Dist_graph_neighbors(weighted, 1, counts, MPI_UNWEIGHTED, 1, displacements, MPI_UNWEIGHTED, ierror)
  CHECK(counts(1) == previous .and. displacements(1) == next)
  call MPI_Comm_free(weighted, ierror)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, counts, MPI_WEIGHTS_EMPTY, 0, counts, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., weighted, ierror)
  call MPI_Dist_graph_neighbors_count(weighted, n, i, flag, ierror)
  CHECK(n == 0 .and. i == 0 .and. flag)
  call MPI_Comm_free(weighted, ierror)

  ! infos: blanks at both ends are ignored
  call MPI_Info_create(info, ierror)
  call MPI_Info_set(info, '  key ', ' a value  ', ierror)
  call MPI_Info_get_nkeys(info, n, ierror)
  CHECK(n == 1)
  key = '?'
  call MPI_Info_get_nthkey(info, 0, key, ierror)
  CHECK(key == 'key')
  call MPI_Info_get_valuelen(info, 'key', n, flag, ierror)
  CHECK(flag .and. n == 7)
  name = repeat('?', 20)
  call MPI_Info_get(info, 'key', 20, name, flag, ierror)
  CHECK(flag .and. name == 'a value')
  call MPI_Info_get(info, 'no key', 20, name, flag, ierror)
  CHECK(.not. flag)
  call MPI_Info_delete(info, 'key', ierror)
  call MPI_Info_free(info, ierror)
  CHECK(info == MPI_INFO_NULL)

  ! errors
  call MPI_Comm_get_errhandler(MPI_COMM_WORLD, before, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call MPI_Send(a, 1, MPI_INTEGER, size + 5, 1, MPI_COMM_WORLD, ierror)
  call MPI_Error_class(ierror, code, n)
  CHECK(ierror /= MPI_SUCCESS .and. code == MPI_ERR_RANK)
  message = repeat('?', len(message))
  call MPI_Error_string(ierror, message, n, i)
  CHECK(n > 3 .and. index(message, '?') == 0)
  call MPI_Comm_create_errhandler(on_error, errhandler, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler, ierror)
  call MPI_Errhandler_free(errhandler, ierror)
  CHECK(errhandler == MPI_ERRHANDLER_NULL)
  call MPI_Send(a, 1, MPI_INTEGER, size + 5, 1, MPI_COMM_WORLD, ierror)
  CHECK(handled == 1)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, before, ierror)
  call MPI_Add_error_class(code, ierror)
  call MPI_Add_error_code(code, n, ierror)
  call MPI_Add_error_string(n, 'one of ours', ierror)
  call MPI_Error_string(n, message, i, ierror)
  CHECK(message == 'one of ours' .and. i == 11)

#ifndef EMBEDDED /* it has no windows and no files */
  ! windows (MPICH 4.0 assumes that their memory begins at a multiple of 16 bytes, even if it does not)
  allocate (window(4))
  window = -1
  at = 16
  call MPI_Win_create(window, at, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, attribute, flag, ierror)
  CHECK(flag .and. attribute == 16)
  call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, attribute, flag, ierror)
  CHECK(flag .and. attribute == 4)
  call MPI_Win_get_attr(win, MPI_WIN_BASE, attribute, flag, ierror)
  call MPI_Get_address(window, at2, ierror)
  CHECK(flag .and. attribute == at2)
  call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, attribute, flag, ierror)
  CHECK(flag .and. attribute == MPI_WIN_FLAVOR_CREATE)
  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, keyval, extra, ierror)
  attribute = 77
  call MPI_Win_set_attr(win, keyval, attribute, ierror)
  attribute = 0
  call MPI_Win_get_attr(win, keyval, attribute, flag, ierror)
  CHECK(flag .and. attribute == 77)
  call MPI_Win_free_keyval(keyval, ierror)
  call MPI_Win_fence(0, win, ierror)
  at = 2
  call MPI_Put(rank, 1, MPI_INTEGER, next, at, 1, MPI_INTEGER, win, ierror)
  call MPI_Win_fence(0, win, ierror)
  CHECK(window(3) == previous .and. window(2) == -1)
  call MPI_Win_free(win, ierror)
  CHECK(win == MPI_WIN_NULL)

  ! a file
  call MPI_File_open(MPI_COMM_WORLD, 'numbers  ', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierror)
  CHECK(ierror == MPI_SUCCESS)
  offset = 4 * rank
  call MPI_File_write_at_all(file, offset, rank, 1, MPI_INTEGER, status, ierror)
  call MPI_Get_count(status, MPI_INTEGER, n, ierror)
  CHECK(n == 1)
  call MPI_File_sync(file, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  offset = 0
  call MPI_File_set_view(file, offset, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierror)
  all = -1
  call MPI_File_read_at(file, offset, all, size, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
  CHECK(all(1) == 0 .and. all(size) == size - 1)
  call MPI_File_get_size(file, offset, ierror)
  CHECK(offset == 4 * size)
  call MPI_File_close(file, ierror)
  CHECK(file == MPI_FILE_NULL)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  if (rank == 0) call MPI_File_delete('numbers', MPI_INFO_NULL, ierror)
  CHECK(ierror == MPI_SUCCESS)
#endif

  call frequent()
  call complete_all()
  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize(ierror)
contains
  logical function all8(x, base)
    integer, intent(in) :: x(8), base
    integer :: k
    all8 = .true.
    do k = 1, 8
      all8 = all8 .and. x(k) == base + k
    end do
  end function

  ! Frequent calls with objects that are created and freed, wildcards and constants. A freed communicator is an error.
  subroutine frequent()
    IS_HANDLE(MPI_Comm) :: other, over
    IS_HANDLE(MPI_Datatype) :: two
    IS_HANDLE(MPI_Request) :: sending
    IS_STATUS(received)
    integer :: k, code
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
    do k = 1, 3
      call MPI_Comm_dup(MPI_COMM_WORLD, other, ierror)
      call MPI_Type_contiguous(k, MPI_INTEGER, two, ierror)
      call MPI_Type_commit(two, ierror)
      over = other
      c = [k, k + 1, k + 2, k + 3]
      d = 0
      call MPI_Isend(c, 1, two, rank, k, other, sending, ierror)
      call MPI_Recv(d, 1, two, MPI_ANY_SOURCE, MPI_ANY_TAG, other, received, ierror)
      CHECK(ierror == MPI_SUCCESS .and. SOURCE(received) == rank .and. TAG(received) == k)
      CHECK(.not. any(d(:k) /= c(:k)) .and. .not. any(d(k + 1:) /= 0))
      call MPI_Wait(sending, MPI_STATUS_IGNORE, ierror)
      call MPI_Get_count(received, two, code, ierror)
      CHECK(code == 1)
      call MPI_Get_count(received, MPI_INTEGER, code, ierror)
      CHECK(code == k)
      call MPI_Recv(d, 1, two, MPI_PROC_NULL, 0, other, received, ierror)
      CHECK(ierror == MPI_SUCCESS .and. SOURCE(received) == MPI_PROC_NULL)
      c = 1
      call MPI_Allreduce(MPI_IN_PLACE, c, 4, MPI_INTEGER, MPI_SUM, other, ierror)
      CHECK(.not. any(c /= size))
      call MPI_Send(c, -1, two, rank, 0, other, ierror)
      CHECK(ierror /= MPI_SUCCESS)
      call MPI_Type_free(two, ierror)
      call MPI_Comm_free(other, ierror)
      call MPI_Comm_size(over, code, ierror)
      CHECK(ierror /= MPI_SUCCESS)
    end do
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL, ierror)
  end subroutine

  ! Requests of several kinds completed together: a persistent one, a null one, one with arrays that wi4go tracks; then
  ! one that fails.
  subroutine complete_all()
    integer :: ones(size), bytes(size), from(size), to(size), k
    IS_HANDLE(MPI_Datatype) :: kinds(size)
    IS_HANDLE(MPI_Request) :: several(4), staying
    IS_STATUSES(said, 4)
    ones = 1
    bytes = [(4 * k, k = 0, size - 1)]
    kinds = MPI_INTEGER
    call MPI_Recv_init(d, 4, MPI_INTEGER, rank, 5, MPI_COMM_WORLD, several(1), ierror)
    staying = several(1)
    several(2) = MPI_REQUEST_NULL
    do k = 1, 4
      d = 0
      call MPI_Start(several(1), ierror)
      c = k
      call MPI_Isend(c, k, MPI_INTEGER, rank, 5, MPI_COMM_WORLD, several(3), ierror)
      several(4) = MPI_REQUEST_NULL
      if (k == 2) call MPI_Ialltoallw(from, ones, bytes, kinds, to, ones, bytes, kinds, MPI_COMM_WORLD, several(4), ierror)
      if (k == 3) then
        call MPI_Waitall(4, several, MPI_STATUSES_IGNORE, ierror)
      else
        call MPI_Waitall(4, several, said, ierror)
        CHECK(SOURCE_AT(said, 1) == rank .and. TAG_AT(said, 1) == 5)
      end if
      CHECK(ierror == MPI_SUCCESS .and. sum(d) == k * k)
      CHECK(several(1) == staying .and. several(2) == MPI_REQUEST_NULL)
      CHECK(several(3) == MPI_REQUEST_NULL .and. several(4) == MPI_REQUEST_NULL)
      from = 10 * k
    end do
    call MPI_Request_free(several(1), ierror)
    CHECK(several(1) == MPI_REQUEST_NULL)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
    call MPI_Irecv(d, 1, MPI_INTEGER, rank, 6, MPI_COMM_WORLD, several(1), ierror)
    call MPI_Send(c, 2, MPI_INTEGER, rank, 6, MPI_COMM_WORLD, ierror)
    call MPI_Waitall(2, several, said, ierror)
    call MPI_Error_class(ierror, k, n)
    CHECK(k == MPI_ERR_IN_STATUS .or. k == MPI_SUCCESS) ! Open MPI 4 loses the error if the message had already arrived
    CHECK(several(1) == MPI_REQUEST_NULL .and. several(2) == MPI_REQUEST_NULL)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL, ierror)
  end subroutine

  ! Each rank sends its number to each other rank, with a datatype for each.
  subroutine exchange_all()
    integer :: ones(size), bytes(size), from(size), to(size), k
    IS_HANDLE(MPI_Datatype) :: kinds(size)
    ones = 1
    bytes = [(4 * k, k = 0, size - 1)]
    from = [(100 * rank + k, k = 0, size - 1)]
    to = -1
    kinds = MPI_INTEGER
    call MPI_Alltoallw(from, ones, bytes, kinds, to, ones, bytes, kinds, MPI_COMM_WORLD, ierror)
    CHECK(to(size) == 100 * (size - 1) + rank)
  end subroutine
end program
