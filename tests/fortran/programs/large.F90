! Counts of kind MPI_COUNT_KIND in procedures of mpi_f08. The procedures have the same names as those with INTEGERs,
! except for callbacks.
#include "check.h"
#include "checks.h"

module counts
  use checks
  implicit none
  integer, parameter :: k = selected_int_kind(18)
  integer, target :: a(64), b(64), window(64) ! module variables, so that a compiler assumes that every call may change them
  integer(k) :: many = 0
end module

module callbacks
  use mpi_f08
  use, intrinsic :: iso_c_binding
  use counts
  implicit none
contains
  ! the larger of two integers
  subroutine largest(in, inout, n, datatype)
    type(c_ptr), value :: in, inout
    integer(MPI_COUNT_KIND) :: n
    type(MPI_Datatype) :: datatype
    integer, pointer :: x(:), y(:)
    call c_f_pointer(in, x, [n])
    call c_f_pointer(inout, y, [n])
    if (datatype == MPI_INTEGER) y = max(x, y)
    many = n
  end subroutine
end module

program large
  use mpi_f08
  use, intrinsic :: iso_c_binding
  use counts
  use callbacks
  implicit none
  integer :: rank, size, next, previous, n, i
  integer(k), allocatable :: ones(:), twos(:)
  integer(MPI_ADDRESS_KIND), allocatable :: places(:)
  integer(k) :: long
  type(MPI_Comm) :: comm
  type(MPI_Request) :: request, requests(2)
  type(MPI_Status) :: status

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  comm = MPI_COMM_WORLD
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  ones = [(1_k, i = 1, size)]
  twos = [(2_k, i = 1, size)]
  places = [(2_MPI_ADDRESS_KIND * (size - i), i = 1, size)] ! in reverse order of ranks
  if (wanted('messages')) call messages()
  if (wanted('collectives')) call collectives()
  if (wanted('alltoallw')) call alltoallw()
  if (wanted('neighbours')) call neighbours()
  if (wanted('later')) call later()
  if (wanted('windows')) call windows() ! MPI_Rget before persistent collectives, for Intel MPI: tests/conformance/rma/rma_reused.c
  if (wanted('persistent')) call persistent()
  if (wanted('persistent-gather')) call persistent_gather()
  if (wanted('datatypes')) call datatypes()
  if (wanted('contents')) call contents()
  if (wanted('packed')) call packed()
#ifndef MPICH /* 4.0 has none of these, and of MPI_Buffer_detach what gfortran 12 does not survive */
  if (wanted('operations')) call operations()
  if (wanted('files')) call files()
  if (wanted('buffers')) call buffers()
#endif
  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize()
contains
  subroutine fill()
    a = [(100 * rank + i, i = 1, 64)]
    b = -1
  end subroutine

  subroutine counted(what)
    integer(k), intent(in) :: what
    call MPI_Get_count(status, MPI_INTEGER, long)
    CHECK(long == what)
    call MPI_Get_elements(status, MPI_INTEGER, long)
    CHECK(long == what)
  end subroutine

  subroutine messages()
    type(MPI_Message) :: message
    call fill()
    call MPI_Irecv(b, 4_k, MPI_INTEGER, previous, 1, comm, request)
    call MPI_Send(a, 3_k, MPI_INTEGER, next, 1, comm)
    call MPI_Wait(request, status)
    call counted(3_k)
    CHECK(b(3) == 100 * previous + 3 .and. b(4) == -1)
    call fill()
    call MPI_Isend(a, 2_k, MPI_INTEGER, next, 2, comm, request)
    call MPI_Recv(b, 4_k, MPI_INTEGER, previous, 2, comm, status)
    call counted(2_k)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Issend(a, 2_k, MPI_INTEGER, next, 3, comm, request)
    call MPI_Mprobe(previous, 3, comm, message, status)
    call MPI_Mrecv(b, 4_k, MPI_INTEGER, message, status)
    call counted(2_k)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Sendrecv_replace(a, 2_k, MPI_INTEGER, next, 4, previous, 4, comm, status)
    CHECK(a(2) == 100 * previous + 2 .and. a(3) == 100 * rank + 3)
    call MPI_Status_set_elements_x(status, MPI_INTEGER, 5_k)
    call counted(5_k)
    call MPI_Status_set_elements_x(status, MPI_BYTE, 2_k**33)
    call MPI_Get_count(status, MPI_BYTE, long)
    CHECK(long == 2_k**33)
    call MPI_Get_count(status, MPI_BYTE, n)
    CHECK(n == MPI_UNDEFINED)
  end subroutine

  logical function in_order(x)
    integer, intent(in) :: x(:)
    in_order = all([(x(places(i) + 1) == 100 * (i - 1) + 1 .and. x(places(i) + 2) == 100 * (i - 1) + 2, i = 1, size)])
  end function

  subroutine collectives()
    call fill()
    b(:2) = merge(a(:2), -1, rank == size - 1)
    call MPI_Bcast(b, 2_k, MPI_INTEGER, size - 1, comm)
    CHECK(b(1) == 100 * (size - 1) + 1 .and. b(2) == b(1) + 1)
    call MPI_Allreduce(a, b, 3_k, MPI_INTEGER, MPI_MIN, comm)
    CHECK(all(b(:3) == [1, 2, 3]))
    call MPI_Allreduce(MPI_IN_PLACE, b, 3_k, MPI_INTEGER, MPI_SUM, comm)
    CHECK(all(b(:3) == size * [1, 2, 3]))
    call MPI_Reduce(a, b, 2_k, MPI_INTEGER, MPI_MAX, 0, comm)
    CHECK(rank > 0 .or. b(2) == 100 * (size - 1) + 2)
    call MPI_Scan(a, b, 1_k, MPI_INTEGER, MPI_MAX, comm)
    CHECK(b(1) == a(1))
    b = -1
    call MPI_Gather(a, 2_k, MPI_INTEGER, b, 2_k, MPI_INTEGER, 0, comm)
    CHECK(rank > 0 .or. b(2 * size) == 100 * (size - 1) + 2)
    call MPI_Allgather(a, 1_k, MPI_INTEGER, b, 1_k, MPI_INTEGER, comm)
    CHECK(all(b(:size) == [(100 * (i - 1) + 1, i = 1, size)]))
    call MPI_Alltoall(b, 1_k, MPI_INTEGER, window, 1_k, MPI_INTEGER, comm)
    CHECK(all(window(:size) == 100 * rank + 1))
    b = -1
    call MPI_Gatherv(a, 2_k, MPI_INTEGER, b, twos, places, MPI_INTEGER, 0, comm)
    CHECK(rank > 0 .or. in_order(b))
    window = -1
    call MPI_Scatterv(b, twos, places, MPI_INTEGER, window, 2_k, MPI_INTEGER, 0, comm)
    CHECK(window(1) == a(1) .and. window(2) == a(2) .and. window(3) == -1)
    b = -1
    call MPI_Allgatherv(a, 2_k, MPI_INTEGER, b, twos, places, MPI_INTEGER, comm)
    CHECK(in_order(b) .and. b(2 * size + 1) == -1)
    b = -1
    call MPI_Alltoallv(a, ones, places, MPI_INTEGER, b, ones, places, MPI_INTEGER, comm)
    CHECK(all([(b(places(i) + 1) == 100 * (i - 1) + places(rank + 1) + 1, i = 1, size)]))
    b = -1
    call MPI_Reduce_scatter(a, b, twos, MPI_INTEGER, MPI_MAX, comm)
    CHECK(b(1) == 100 * (size - 1) + 2 * rank + 1 .and. b(3) == -1)
  end subroutine

  subroutine alltoallw()
    type(MPI_Datatype) :: types(size)
    integer(MPI_ADDRESS_KIND), asynchronous :: bytes(size)
    types = MPI_INTEGER
    bytes = 4 * places
    call fill()
    call MPI_Alltoallw(a, ones, bytes, types, b, ones, bytes, types, comm)
    CHECK(all([(b(places(i) + 1) == 100 * (i - 1) + places(rank + 1) + 1, i = 1, size)]))
    b = -1
    call MPI_Ialltoallw(a, ones, bytes, types, b, ones, bytes, types, comm, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    CHECK(all([(b(places(i) + 1) == 100 * (i - 1) + places(rank + 1) + 1, i = 1, size)]))
  end subroutine

  subroutine neighbours()
    type(MPI_Comm) :: ring
    type(MPI_Datatype) :: types(1)
    types = MPI_INTEGER
    call MPI_Dist_graph_create_adjacent(comm, 1, [previous], MPI_UNWEIGHTED, 1, [next], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring)
    call fill()
    call MPI_Neighbor_allgather(a, 2_k, MPI_INTEGER, b, 2_k, MPI_INTEGER, ring)
    CHECK(b(2) == 100 * previous + 2 .and. b(3) == -1)
    b = -1
    call MPI_Neighbor_alltoallv(a, [2_k], [4_MPI_ADDRESS_KIND], MPI_INTEGER, b, [2_k], [1_MPI_ADDRESS_KIND], MPI_INTEGER, ring)
    CHECK(b(2) == 100 * previous + 5 .and. b(3) == b(2) + 1 .and. b(1) == -1)
    b = -1
    call MPI_Neighbor_alltoallw(a, [2_k], [16_MPI_ADDRESS_KIND], types, b, [2_k], [4_MPI_ADDRESS_KIND], types, ring)
    CHECK(b(2) == 100 * previous + 5 .and. b(3) == b(2) + 1 .and. b(1) == -1)
    call MPI_Comm_free(ring)
  end subroutine

  subroutine later()
    call fill()
    call MPI_Ibcast(a, 1_k, MPI_INTEGER, 0, comm, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    CHECK(a(1) == 1)
    call MPI_Iallreduce(a(2), b, 1_k, MPI_INTEGER, MPI_MAX, comm, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    CHECK(b(1) == 100 * (size - 1) + 2)
    call fill()
    call MPI_Igatherv(a, 2_k, MPI_INTEGER, b, twos, places, MPI_INTEGER, 0, comm, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    CHECK(rank > 0 .or. in_order(b))
    call fill()
    call MPI_Ialltoallv(a, ones, places, MPI_INTEGER, b, ones, places, MPI_INTEGER, comm, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    CHECK(all([(b(places(i) + 1) == 100 * (i - 1) + places(rank + 1) + 1, i = 1, size)]))
    call MPI_Isendrecv(a, 1_k, MPI_INTEGER, next, 5, b, 1_k, MPI_INTEGER, previous, 5, comm, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    CHECK(b(1) == 100 * previous + 1)
  end subroutine

  subroutine twice()
    do i = 1, 2
      b = -1
      call MPI_Start(request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
    end do
    call MPI_Request_free(request)
  end subroutine

  subroutine persistent()
    call fill()
    call MPI_Send_init(a, 3_k, MPI_INTEGER, next, 6, comm, requests(1))
    call MPI_Recv_init(b, 4_k, MPI_INTEGER, previous, 6, comm, requests(2))
    call MPI_Startall(2, requests)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    CHECK(b(3) == 100 * previous + 3 .and. b(4) == -1)
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
    call MPI_Allreduce_init(a, b, 2_k, MPI_INTEGER, MPI_MAX, comm, MPI_INFO_NULL, request)
    call twice()
    CHECK(b(2) == 100 * (size - 1) + 2 .and. b(3) == -1)
    call MPI_Alltoallv_init(a, ones, places, MPI_INTEGER, b, ones, places, MPI_INTEGER, comm, MPI_INFO_NULL, request)
    call twice()
    CHECK(all([(b(places(i) + 1) == 100 * (i - 1) + places(rank + 1) + 1, i = 1, size)]))
    b = -1
    call MPI_Psend_init(a, 2, 3_k, MPI_INTEGER, next, 7, comm, MPI_INFO_NULL, requests(1))
    call MPI_Precv_init(b, 3, 2_k, MPI_INTEGER, previous, 7, comm, MPI_INFO_NULL, requests(2))
    call MPI_Startall(2, requests)
    call MPI_Pready_range(0, 1, requests(1))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    CHECK(b(6) == 100 * previous + 6 .and. b(7) == -1)
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
  end subroutine

  subroutine persistent_gather()
    call fill()
    call MPI_Gatherv_init(a, 2_k, MPI_INTEGER, b, twos, places, MPI_INTEGER, 0, comm, MPI_INFO_NULL, request)
    call twice()
    CHECK(rank > 0 .or. in_order(b))
  end subroutine

  subroutine extents(datatype, bytes, extent)
    type(MPI_Datatype), intent(inout) :: datatype
    integer(k), intent(in) :: bytes, extent
    integer(k) :: lower
    call MPI_Type_size(datatype, long)
    CHECK(long == bytes)
    call MPI_Type_get_extent(datatype, lower, long)
    CHECK(lower == 0 .and. long == extent)
    call MPI_Type_get_true_extent(datatype, lower, long)
    CHECK(long <= extent)
    call MPI_Type_free(datatype)
  end subroutine

  ! Some of them are larger than 32 bits can hold.
  subroutine datatypes()
    type(MPI_Datatype) :: datatype
    call MPI_Type_contiguous(2_k**31, MPI_INTEGER, datatype)
    call extents(datatype, 2_k**33, 2_k**33)
    call MPI_Type_vector(3_k, 2_k, 2_k**31, MPI_INTEGER, datatype)
    call extents(datatype, 24_k, 2_k**34 + 8)
    call MPI_Type_create_hvector(2_k, 1_k, 2_k**40, MPI_INTEGER, datatype)
    call extents(datatype, 8_k, 2_k**40 + 4)
    call MPI_Type_indexed(2_k, [1_k, 2_k], [0_k, 2_k**31], MPI_INTEGER, datatype)
    call extents(datatype, 12_k, 2_k**33 + 8)
    call MPI_Type_create_hindexed(2_k, [1_k, 2_k], [0_k, 16_k], MPI_INTEGER, datatype)
    call extents(datatype, 12_k, 24_k)
    call MPI_Type_create_indexed_block(2_k, 2_k, [0_k, 4_k], MPI_INTEGER, datatype)
    call extents(datatype, 16_k, 24_k)
    call MPI_Type_create_hindexed_block(2_k, 2_k, [0_k, 16_k], MPI_INTEGER, datatype)
    call extents(datatype, 16_k, 24_k)
    call MPI_Type_create_struct(2_k, [1_k, 1_k], [0_k, 8_k], [MPI_INTEGER, MPI_DOUBLE_PRECISION], datatype)
    call extents(datatype, 12_k, 16_k)
    call MPI_Type_create_resized(MPI_INTEGER, 0_k, 2_k**35, datatype)
    call extents(datatype, 4_k, 2_k**35)
    call MPI_Type_create_subarray(2, [4_k, 2_k**32], [2_k, 1_k], [0_k, 0_k], MPI_ORDER_FORTRAN, MPI_INTEGER, datatype)
    call extents(datatype, 8_k, 2_k**36)
  end subroutine

  subroutine contents()
    type(MPI_Datatype) :: datatype, types(2)
    integer(k) :: integers, addresses, large_counts, datatypes, counts(5)
    integer(MPI_ADDRESS_KIND) :: at(1)
    integer :: combiner, numbers(5)
    call MPI_Type_create_struct(2_k, [1_k, 3_k], [0_k, 8_k], [MPI_INTEGER, MPI_DOUBLE_PRECISION], datatype)
    call MPI_Type_get_envelope(datatype, integers, addresses, large_counts, datatypes, combiner)
    CHECK(combiner == MPI_COMBINER_STRUCT .and. integers == 0 .and. addresses == 0 .and. large_counts == 5 .and. datatypes == 2)
    call MPI_Type_get_contents(datatype, integers, addresses, large_counts, datatypes, numbers, at, counts, types)
    CHECK(all(counts == [2, 1, 3, 0, 8]) .and. types(1) == MPI_INTEGER .and. types(2) == MPI_DOUBLE_PRECISION)
    call MPI_Type_free(datatype)
    call MPI_Type_vector(3, 1, 2, MPI_INTEGER, datatype)
    call MPI_Type_get_envelope(datatype, integers, addresses, large_counts, datatypes, combiner)
    CHECK(combiner == MPI_COMBINER_VECTOR .and. integers == 3 .and. addresses == 0 .and. large_counts == 0 .and. datatypes == 1)
    call MPI_Type_free(datatype)
  end subroutine

  subroutine packed()
    integer(k) :: room, at
    character :: memory(256)
    call fill()
    call MPI_Pack_size(5_k, MPI_INTEGER, comm, room)
    CHECK(room >= 20 .and. room <= 256)
    at = 0
    call MPI_Pack(a, 5_k, MPI_INTEGER, memory, 256_k, at, comm)
    room = at
    at = 0
    call MPI_Unpack(memory, room, at, b, 5_k, MPI_INTEGER, comm)
    CHECK(at == room .and. all(b(:5) == a(:5)) .and. b(6) == -1)
    call MPI_Pack_external_size('external32', 5_k, MPI_INTEGER, room)
    CHECK(room == 20)
    at = 0
    call MPI_Pack_external('external32 ', a, 5_k, MPI_INTEGER, memory, room, at)
    CHECK(at == 20 .and. ichar(memory(4)) == mod(a(1), 256))
    at = 0
    b = -1
    call MPI_Unpack_external('external32', memory, room, at, b, 5_k, MPI_INTEGER)
    CHECK(all(b(:5) == a(:5)) .and. b(6) == -1)
  end subroutine

  subroutine touch(win)
    type(MPI_Win), intent(inout) :: win
    integer(MPI_ADDRESS_KIND) :: at
    call fill()
    call MPI_Win_fence(0, win)
    at = 2
    call MPI_Put(a, 2_k, MPI_INTEGER, next, at, 2_k, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call MPI_Get(b, 2_k, MPI_INTEGER, next, at, 2_k, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    CHECK(b(1) == a(1) .and. b(2) == a(2) .and. b(3) == -1)
    call MPI_Accumulate(a, 1_k, MPI_INTEGER, next, at, 1_k, MPI_INTEGER, MPI_SUM, win)
    call MPI_Win_fence(0, win)
    call MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win)
    call MPI_Rget(b, 1_k, MPI_INTEGER, next, at, 1_k, MPI_INTEGER, win, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Win_unlock(next, win)
    CHECK(b(1) == 2 * a(1))
    call MPI_Win_free(win)
  end subroutine

  ! Units of displacement have address kind.
  subroutine windows()
    type(MPI_Win) :: win
    type(c_ptr) :: memory
    integer, pointer :: values(:)
    integer(MPI_ADDRESS_KIND) :: bytes, unit, value
    logical :: flag
    bytes = 256
    unit = 4
    window = -1
    call MPI_Win_create(window, bytes, unit, MPI_INFO_NULL, comm, win)
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag)
    CHECK(flag .and. value == 4)
    call touch(win)
    CHECK(window(3) == 2 * (100 * previous + 1) .and. window(4) == 100 * previous + 2 .and. window(2) == -1)
    call MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, comm, memory, win)
    call c_f_pointer(memory, values, [64])
    values = -1
    call touch(win)
    call MPI_Win_allocate_shared(bytes, unit, MPI_INFO_NULL, comm, memory, win)
    call c_f_pointer(memory, values, [64])
    values = rank
    call MPI_Win_fence(0, win)
    unit = 0
    call MPI_Win_shared_query(win, next, bytes, unit, memory)
    call c_f_pointer(memory, values, [64])
    CHECK(bytes == 256 .and. unit == 4 .and. values(64) == next)
    call MPI_Win_fence(0, win)
    call MPI_Win_free(win)
  end subroutine

#ifndef MPICH
  subroutine operations()
    type(MPI_Op) :: op
    call MPI_Op_create_c(largest, .true., op)
    call fill()
    call MPI_Reduce_local(a, b, 4_k, MPI_INTEGER, op)
    CHECK(many == 4 .and. b(4) == a(4) .and. b(5) == -1)
    call MPI_Allreduce(a, b, 2_k, MPI_INTEGER, op, comm)
    CHECK(b(2) == 100 * (size - 1) + 2)
    call MPI_Allreduce(a, b, 3, MPI_INTEGER, op, comm) ! with an INTEGER count
    CHECK(b(3) == 100 * (size - 1) + 3)
    call MPI_Op_free(op)
    CHECK(op == MPI_OP_NULL)
  end subroutine

  subroutine files()
    type(MPI_File) :: file
    integer(MPI_OFFSET_KIND) :: offset
    call fill()
    call MPI_File_open(comm, 'large.out', ior(MPI_MODE_DELETE_ON_CLOSE, ior(MPI_MODE_CREATE, MPI_MODE_RDWR)), MPI_INFO_NULL, file)
    call MPI_File_get_type_extent(file, MPI_INTEGER, long)
    CHECK(long == 4)
    offset = 40 * rank
    call MPI_File_write_at(file, offset, a, 3_k, MPI_INTEGER, status)
    call counted(3_k)
    call MPI_File_read_at_all(file, offset, b, 3_k, MPI_INTEGER, status)
    call counted(3_k)
    CHECK(b(3) == a(3) .and. b(4) == -1)
    call MPI_File_seek(file, offset, MPI_SEEK_SET)
    call MPI_File_write(file, a(4:), 2_k, MPI_INTEGER, status)
    call MPI_File_seek(file, offset, MPI_SEEK_SET)
    call MPI_File_read(file, b, 2_k, MPI_INTEGER, status)
    call counted(2_k)
    CHECK(b(1) == a(4) .and. b(2) == a(5))
    call MPI_File_iwrite_at(file, offset, a, 1_k, MPI_INTEGER, request)
    call MPI_Wait(request, status)
    call counted(1_k)
    call MPI_File_write_at_all_begin(file, offset, a, 2_k, MPI_INTEGER)
    call MPI_File_write_at_all_end(file, a, status)
    call counted(2_k)
    call MPI_File_close(file)
  end subroutine

  subroutine buffers()
    type(c_ptr) :: memory
    integer(MPI_ADDRESS_KIND) :: at
    integer :: room(512)
    call fill()
    call MPI_Buffer_attach(room, 2048_k)
    call MPI_Bsend(a, 2_k, MPI_INTEGER, next, 8, comm)
    call MPI_Recv(b, 2_k, MPI_INTEGER, previous, 8, comm, status)
    call MPI_Buffer_detach(memory, long)
    call MPI_Get_address(room, at)
    CHECK(long == 2048 .and. transfer(memory, at) == at .and. b(2) == 100 * previous + 2)
  end subroutine
#endif
end program
