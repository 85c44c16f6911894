! Objects that other programs do not cover: handles that are compared and converted, MPI_SIZEOF, the arguments of
! callbacks and callbacks that refuse, MPI-1's objects, infos, names, and spawning with ignored codes and arguments.
#include "check.h"
#include "checks.h"

module counts
  use checks
  implicit none
  integer :: copied = 0, deleted = 0, handled = 0, cancelled = 0, asked = 0, calls = 0
  integer(8) :: state = 3
  logical :: refuses = .false., told = .false.
  integer :: room(8)
end module

module callbacks
  use, intrinsic :: iso_c_binding
  use counts
  implicit none
contains
  subroutine copy(object, keyval, extra, in, out, flag, ierror)
    IN_BINDING
    IS_HANDLE(MPI_Comm) :: object
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    copied = copied + 1
    out = in * extra
    flag = in > 0 ! others are not copied
    ierror = merge(MPI_ERR_OTHER, MPI_SUCCESS, refuses)
  end subroutine

  subroutine remove(object, keyval, value, extra, ierror)
    IN_BINDING
    IS_HANDLE(MPI_Comm) :: object
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
    asked = asked + 1
    call MPI_Status_set_elements_x(status, MPI_INTEGER, 2_MPI_COUNT_KIND, ierror)
    call MPI_Status_set_cancelled(status, cancelled > 0, ierror)
    SOURCE(status) = int(extra)
    TAG(status) = 8
    ierror = MPI_SUCCESS
  end subroutine

  subroutine release(extra, ierror)
    IN_BINDING
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: ierror
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra, complete, ierror)
    IN_BINDING
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierror
    cancelled = cancelled + merge(10, 1, complete)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine on_error(comm, code)
    IN_BINDING
    IS_HANDLE(MPI_Comm) :: comm
    integer :: code
    handled = NUMBER(comm)
    told = code == MPI_ERR_OTHER
  end subroutine

  ! the sum, for some kinds of numbers
#ifdef F08
  subroutine add(in, inout, n, datatype)
    IN_BINDING
    type(c_ptr), value :: in, inout
    integer :: n
    type(MPI_Datatype) :: datatype
    real(8), pointer :: x(:), y(:)
    integer, pointer :: i(:), j(:)
    call c_f_pointer(in, x, [n])
    call c_f_pointer(inout, y, [n])
    call c_f_pointer(in, i, [n])
    call c_f_pointer(inout, j, [n])
    if (datatype == MPI_DOUBLE_PRECISION) y = x + y
    if (datatype == MPI_INTEGER) j = i + j
    calls = calls + 1
  end subroutine
#else
  subroutine add(in, inout, n, datatype)
    IN_BINDING
    integer :: n, datatype
    real(8), target :: in(n), inout(n)
    integer, pointer :: i(:), j(:)
    call c_f_pointer(c_loc(in), i, [n])
    call c_f_pointer(c_loc(inout), j, [n])
    if (datatype == MPI_DOUBLE_PRECISION) inout = in + inout
    if (datatype == MPI_INTEGER) j = i + j
    calls = calls + 1
  end subroutine
#endif
end module

program objects
  USE_MPI
  use, intrinsic :: iso_c_binding
  use counts
  use callbacks
  implicit none
  INCLUDE_MPI
  integer :: rank, size, n, i, keyval, class, ierror
  integer(MPI_ADDRESS_KIND) :: value
  logical :: flag
  IS_HANDLE(MPI_Comm) :: comm, twin, parent
  IS_HANDLE(MPI_Datatype) :: datatype, other
  IS_HANDLE(MPI_Errhandler) :: errhandler, set
  IS_HANDLE(MPI_Info) :: info, second
  IS_HANDLE(MPI_Op) :: op
  IS_HANDLE(MPI_Request) :: request, requests(2)
  IS_STATUS(status)
  IS_STATUSES(statuses, 2)

  call MPI_Init_thread(MPI_THREAD_SINGLE, n, ierror)
  call MPI_Comm_get_parent(parent, ierror)
  if (parent /= MPI_COMM_NULL) then ! a child prints the number of its arguments, without the program's name
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    n = 0
    do i = 1, command_argument_count()
      n = n + merge(0, 1, is_chapter(i))
    end do
    if (rank == 0) call MPI_Send(n, 1, MPI_INTEGER, 0, 1, parent, ierror)
    call MPI_Comm_disconnect(parent, ierror)
    call MPI_Finalize(ierror)
    call exit(0)
  end if
  call MPI_Query_thread(i, ierror)
  CHECK(i == n)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  if (wanted('handles')) call handles()
  if (wanted('sizes')) call sizes()
  if (wanted('datatypes')) call datatypes()
  if (wanted('attributes')) call attributes()
  if (wanted('requests')) call generalized()
  if (wanted('operations')) call operations()
  if (wanted('errors')) call errors()
  if (wanted('infos')) call infos()
  if (wanted('cut-infos')) call cut_infos()
#ifndef F08
  if (wanted('old')) call old()
#endif
#ifdef FOUR
  if (wanted('sessions')) call sessions()
#endif
  if (wanted('names')) call names()
  if (wanted('spawned')) call spawned()
  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize(ierror)
contains
  logical function is_chapter(i)
    integer, intent(in) :: i
    character(32) :: word
    call get_command_argument(i, word)
    is_chapter = word /= 'one' .and. word /= 'two'
  end function

#ifdef F08
  ! == and /= of each kind of handle, of arrays of handles, and through their integers.
  subroutine handles()
    type(MPI_Comm) :: comms(3)
    type(MPI_Datatype) :: t
    type(MPI_Errhandler) :: e
    type(MPI_File) :: f
    type(MPI_Group) :: g
    type(MPI_Info) :: k
    type(MPI_Message) :: m
    type(MPI_Op) :: o
    type(MPI_Request) :: r
    type(MPI_Win) :: w
    comms = [MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_WORLD]
    do i = 1, 3
      CHECK((comms(i) == MPI_COMM_WORLD) .neqv. (comms(i) /= MPI_COMM_WORLD))
      CHECK((comms(i) == MPI_COMM_SELF) .eqv. i == 2)
    end do
    t%MPI_VAL = MPI_REAL%MPI_VAL
    CHECK(t == MPI_REAL .and. .not. (t /= MPI_REAL) .and. t /= MPI_INTEGER .and. .not. (t == MPI_INTEGER))
    e%MPI_VAL = MPI_ERRORS_RETURN%MPI_VAL
    CHECK(e == MPI_ERRORS_RETURN .and. .not. (e /= MPI_ERRORS_RETURN) .and. e /= MPI_ERRORS_ARE_FATAL .and. .not. (e == MPI_ERRHANDLER_NULL))
    f%MPI_VAL = MPI_FILE_NULL%MPI_VAL
    CHECK(f == MPI_FILE_NULL .and. .not. (f /= MPI_FILE_NULL))
    f%MPI_VAL = f%MPI_VAL + 1
    CHECK(f /= MPI_FILE_NULL .and. .not. (f == MPI_FILE_NULL))
    g%MPI_VAL = MPI_GROUP_EMPTY%MPI_VAL
    CHECK(g == MPI_GROUP_EMPTY .and. .not. (g /= MPI_GROUP_EMPTY) .and. g /= MPI_GROUP_NULL .and. .not. (g == MPI_GROUP_NULL))
    k%MPI_VAL = MPI_INFO_ENV%MPI_VAL
    CHECK(k == MPI_INFO_ENV .and. .not. (k /= MPI_INFO_ENV) .and. k /= MPI_INFO_NULL .and. .not. (k == MPI_INFO_NULL))
    m%MPI_VAL = MPI_MESSAGE_NO_PROC%MPI_VAL
    CHECK(m == MPI_MESSAGE_NO_PROC .and. .not. (m /= MPI_MESSAGE_NO_PROC) .and. m /= MPI_MESSAGE_NULL .and. .not. (m == MPI_MESSAGE_NULL))
    o%MPI_VAL = MPI_MAX%MPI_VAL
    CHECK(o == MPI_MAX .and. .not. (o /= MPI_MAX) .and. o /= MPI_MIN .and. .not. (o == MPI_MIN))
    r%MPI_VAL = MPI_REQUEST_NULL%MPI_VAL
    CHECK(r == MPI_REQUEST_NULL .and. .not. (r /= MPI_REQUEST_NULL))
    r%MPI_VAL = r%MPI_VAL + 1
    CHECK(r /= MPI_REQUEST_NULL .and. .not. (r == MPI_REQUEST_NULL))
    w%MPI_VAL = MPI_WIN_NULL%MPI_VAL
    CHECK(w == MPI_WIN_NULL .and. .not. (w /= MPI_WIN_NULL))
    w%MPI_VAL = w%MPI_VAL + 1
    CHECK(w /= MPI_WIN_NULL .and. .not. (w == MPI_WIN_NULL))
#ifdef MPICH /* where a handle is compared with a number as well */
    CHECK(MPI_COMM_WORLD == MPI_COMM_WORLD%MPI_VAL .and. MPI_COMM_SELF%MPI_VAL == MPI_COMM_SELF)
    CHECK(MPI_COMM_WORLD /= MPI_COMM_SELF%MPI_VAL .and. MPI_COMM_SELF%MPI_VAL /= MPI_COMM_WORLD)
    CHECK(MPI_INTEGER == MPI_INTEGER%MPI_VAL .and. MPI_SUM%MPI_VAL == MPI_SUM .and. MPI_INFO_NULL /= MPI_INFO_ENV%MPI_VAL)
#endif
#if defined(MPICH) || defined(MPIABI) /* statuses of one binding become those of the other */
    call convert_status()
#endif
  end subroutine

#if defined(MPICH) || defined(MPIABI)
  subroutine convert_status()
    integer :: numbers(MPI_STATUS_SIZE)
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, rank, 6, n, 1, MPI_INTEGER, rank, 6, MPI_COMM_WORLD, status, ierror)
    call MPI_Status_f082f(status, numbers, ierror)
    CHECK(numbers(MPI_SOURCE) == rank .and. numbers(MPI_TAG) == 6)
    status%MPI_TAG = 7
    numbers(MPI_TAG) = 9
    call MPI_Status_f2f08(numbers, status)
    CHECK(status%MPI_TAG == 9 .and. status%MPI_SOURCE == rank)
    call MPI_Get_count(status, MPI_INTEGER, n, ierror)
    CHECK(n == 1)
  end subroutine
#endif
#else
  ! The types of mpi_f08, with == and /=, are in `use mpi` too.
  subroutine handles()
#if defined(MOD) && !defined(OPENMPI) /* whose module has not the types */
    type(MPI_Comm) :: c
    type(MPI_Datatype) :: t, s
    type(MPI_Request) :: r
    c%MPI_VAL = MPI_COMM_SELF
    CHECK(c == MPI_Comm(MPI_COMM_SELF) .and. c /= MPI_Comm(MPI_COMM_WORLD))
    t%MPI_VAL = MPI_REAL
    s%MPI_VAL = MPI_INTEGER
    CHECK(t /= s .and. .not. (t == s) .and. t == t)
    r%MPI_VAL = MPI_REQUEST_NULL
    CHECK(r == MPI_Request(MPI_REQUEST_NULL))
#endif
    CHECK(MPI_COMM_WORLD /= MPI_COMM_SELF)
  end subroutine
#endif

  ! Arguments of every kind, scalar, of one dimension, and more. MPICH 4.0 has fewer: none in mpif.h, some in `use
  ! mpi`, all in mpi_f08, which accepts every array.
  subroutine sizes()
#if !(defined(MPICH) && defined(MPIF))
#define SIZE_IS(x, bytes) call MPI_Sizeof(x, n, ierror); CHECK(n == bytes .and. ierror == MPI_SUCCESS)
    character :: c, c1(2)
    logical :: l, l1(2)
    integer(1) :: b, b1(2)
    integer(2) :: s, s1(2)
    integer :: k, k1(2)
    integer(8) :: j, j1(2)
    real :: r, r1(2)
    real(8) :: d, d1(2)
    complex :: z, z1(2)
    SIZE_IS(c, 1)
    SIZE_IS(c1, 1)
    SIZE_IS(l, 4)
    SIZE_IS(l1, 4)
    SIZE_IS(b, 1)
    SIZE_IS(b1, 1)
    SIZE_IS(s, 2)
    SIZE_IS(s1, 2)
    SIZE_IS(k, 4)
    SIZE_IS(k1, 4)
    SIZE_IS(j, 8)
    SIZE_IS(j1, 8)
    SIZE_IS(r, 4)
    SIZE_IS(r1, 4)
    SIZE_IS(d, 8)
    SIZE_IS(d1, 8)
    SIZE_IS(z, 8)
    SIZE_IS(z1, 8)
#endif
#if !defined(MPICH) || defined(F08)
    call further_sizes()
#endif
  end subroutine

#if !defined(MPICH) || defined(F08)
  subroutine further_sizes()
    complex(8) :: w, w1(2)
    real(16) :: q, q1(2)
    complex(16) :: v, v1(2)
    character :: c3(1, 1, 1)
    logical :: l2(1, 1)
    real(8) :: d2(1, 2), d3(1, 1, 1), d4(1, 1, 1, 1), d5(1, 1, 1, 1, 1), d6(1, 1, 1, 1, 1, 1), d7(1, 1, 1, 1, 1, 1, 1)
    integer(2) :: s8(1, 1, 1, 1, 1, 1, 1, 1), s15(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
    SIZE_IS(w, 16)
    SIZE_IS(w1, 16)
    SIZE_IS(q, 16)
    SIZE_IS(q1, 16)
    SIZE_IS(v, 32)
    SIZE_IS(v1, 32)
    SIZE_IS(c3, 1)
    SIZE_IS(l2, 4)
    SIZE_IS(d2, 8)
    SIZE_IS(d3, 8)
    SIZE_IS(d4, 8)
    SIZE_IS(d5, 8)
    SIZE_IS(d6, 8)
    SIZE_IS(d7, 8)
    SIZE_IS(s8, 2)
    SIZE_IS(s15, 2)
  end subroutine
#endif

  subroutine has_size(of, bytes)
    IS_HANDLE(MPI_Datatype), intent(in) :: of
    integer, intent(in) :: bytes
    call MPI_Type_size(of, n, ierror)
    CHECK(ierror == MPI_SUCCESS .and. n == bytes)
  end subroutine

  subroutine datatypes()
    integer(MPI_ADDRESS_KIND) :: at(3), lower, extent
    integer(MPI_COUNT_KIND) :: long, lower_x, extent_x
    integer :: integers(8), a(16), b(16), combiner
    IS_HANDLE(MPI_Datatype) :: types(2)
    call has_size(MPI_INTEGER1, 1)
    call has_size(MPI_INTEGER2, 2)
    call has_size(MPI_INTEGER4, 4)
    call has_size(MPI_INTEGER8, 8)
    call has_size(MPI_REAL4, 4)
    call has_size(MPI_REAL8, 8)
    call has_size(MPI_COMPLEX8, 8)
    call has_size(MPI_COMPLEX16, 16)
    call has_size(MPI_LOGICAL, 4)
    call has_size(MPI_2REAL, 8)
    call has_size(MPI_2DOUBLE_PRECISION, 16)
    call has_size(MPI_2INTEGER, 8)
    call has_size(MPI_AINT, MPI_ADDRESS_KIND)
    call has_size(MPI_OFFSET, MPI_OFFSET_KIND)
    call has_size(MPI_COUNT, MPI_COUNT_KIND)
    call has_size(MPI_PACKED, 1)
    a = [(i, i = 1, 16)]
    call MPI_Type_indexed(2, [1, 2], [3, 0], MPI_INTEGER, datatype, ierror)
    call MPI_Type_get_true_extent(datatype, lower, extent, ierror)
    CHECK(lower == 0 .and. extent == 16)
    call MPI_Type_free(datatype, ierror)
    call MPI_Type_create_indexed_block(2, 2, [6, 1], MPI_INTEGER, datatype, ierror)
    call MPI_Type_commit(datatype, ierror)
    call MPI_Sendrecv(a, 1, datatype, rank, 1, b, 4, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, status, ierror)
    CHECK(all(b(:4) == [7, 8, 2, 3]))
    call MPI_Type_free(datatype, ierror)
    at = [24, 0, 8]
    call MPI_Type_create_hindexed_block(3, 1, at, MPI_INTEGER, datatype, ierror)
    call MPI_Type_commit(datatype, ierror)
    call MPI_Sendrecv(a, 1, datatype, rank, 1, b, 4, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, status, ierror)
    CHECK(all(b(:3) == [7, 1, 3]))
    call MPI_Type_get_envelope(datatype, integers(1), integers(2), integers(3), combiner, ierror)
    CHECK(all(integers(:3) == [2, 3, 1]) .and. combiner == MPI_COMBINER_HINDEXED_BLOCK)
    at = 0
    call MPI_Type_get_contents(datatype, 2, 3, 1, integers, at, types, ierror)
    CHECK(integers(1) == 3 .and. integers(2) == 1 .and. all(at == [24, 0, 8]) .and. types(1) == MPI_INTEGER)
    call MPI_Pack_size(2, datatype, MPI_COMM_WORLD, n, ierror)
    CHECK(n >= 24)
    call MPI_Type_dup(datatype, other, ierror)
    call MPI_Type_get_envelope(other, integers(1), integers(2), integers(3), combiner, ierror)
    CHECK(combiner == MPI_COMBINER_DUP .and. integers(3) == 1)
    call MPI_Type_get_contents(other, 0, 0, 1, integers, at, types, ierror)
    call MPI_Type_size(types(1), n, ierror)
    CHECK(n == 12)
    call MPI_Type_free(types(1), ierror)
    call MPI_Type_free(other, ierror)
    call MPI_Type_free(datatype, ierror)
    call MPI_Type_create_hvector(2, 1, 12_MPI_ADDRESS_KIND, MPI_INTEGER, datatype, ierror)
    call MPI_Type_get_extent(datatype, lower, extent, ierror)
    CHECK(extent == 16)
    call MPI_Type_size_x(datatype, long, ierror)
    call MPI_Type_get_extent_x(datatype, lower_x, extent_x, ierror)
    CHECK(long == 8 .and. lower_x == 0 .and. extent_x == 16)
    call MPI_Type_get_true_extent_x(datatype, lower_x, extent_x, ierror)
    CHECK(lower_x == 0 .and. extent_x == 16)
    call MPI_Type_free(datatype, ierror)
  end subroutine

  ! One attribute is copied, one is not, and one refuses.
  subroutine attributes()
    copied = 0
    deleted = 0
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_create_keyval(copy, remove, keyval, state, ierror)
    value = 5
    call MPI_Comm_set_attr(comm, keyval, value, ierror)
    call MPI_Comm_dup(comm, twin, ierror)
    call MPI_Comm_get_attr(twin, keyval, value, flag, ierror)
    CHECK(copied == 1 .and. flag .and. value == 15)
    call MPI_Comm_free(twin, ierror)
    CHECK(deleted == 15)
    value = -5
    call MPI_Comm_set_attr(comm, keyval, value, ierror)
    CHECK(deleted == 20)
    call MPI_Comm_dup(comm, twin, ierror)
    call MPI_Comm_get_attr(twin, keyval, value, flag, ierror)
    CHECK(copied == 2 .and. .not. flag)
    call MPI_Comm_free(twin, ierror)
    CHECK(deleted == 20)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierror)
    refuses = .true.
    call MPI_Comm_dup(comm, twin, ierror)
    refuses = .false.
    CHECK(copied == 3 .and. ierror /= MPI_SUCCESS)
    call MPI_Comm_free_keyval(keyval, ierror)
    CHECK(keyval == MPI_KEYVAL_INVALID)
    call MPI_Comm_free(comm, ierror)
    CHECK(deleted == 15) ! after the last object is freed, not before

    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, state, ierror)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierror)
    call MPI_Comm_set_attr(comm, keyval, value, ierror)
    call MPI_Comm_dup(comm, twin, ierror)
    call MPI_Comm_get_attr(twin, keyval, value, flag, ierror)
    CHECK(.not. flag)
    call MPI_Comm_free(twin, ierror)
    call MPI_Comm_free(comm, ierror)
    call MPI_Comm_free_keyval(keyval, ierror)
    call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, keyval, state, ierror)
    call MPI_Type_dup(MPI_INTEGER, datatype, ierror)
    call MPI_Type_set_attr(datatype, keyval, value, ierror)
    call MPI_Type_dup(datatype, other, ierror)
    call MPI_Type_get_attr(other, keyval, value, flag, ierror)
    CHECK(.not. flag)
    call MPI_Type_free(other, ierror)
    call MPI_Type_free(datatype, ierror)
    call MPI_Type_free_keyval(keyval, ierror)
  end subroutine

  ! Several generalized requests: completed with others, cancelled before completion, freed.
  subroutine generalized()
    asked = 0
    deleted = 0
    cancelled = 0
    call MPI_Grequest_start(query, release, cancel, state, requests(1), ierror)
    call MPI_Irecv(room, 1, MPI_INTEGER, rank, 4, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Testall(2, requests, flag, statuses, ierror)
    CHECK(.not. flag)
    call MPI_Send(rank, 1, MPI_INTEGER, rank, 4, MPI_COMM_WORLD, ierror)
    call MPI_Grequest_complete(requests(1), ierror)
    call MPI_Waitall(2, requests, statuses, ierror)
    CHECK(ierror == MPI_SUCCESS .and. asked == 1 .and. deleted == 1 .and. requests(1) == MPI_REQUEST_NULL)
    CHECK(SOURCE_AT(statuses, 1) == 3 .and. TAG_AT(statuses, 1) == 8 .and. TAG_AT(statuses, 2) == 4)
    call MPI_Grequest_start(query, release, cancel, state, request, ierror)
    call MPI_Test(request, flag, MPI_STATUS_IGNORE, ierror)
    CHECK(.not. flag .and. request /= MPI_REQUEST_NULL)
    call MPI_Cancel(request, ierror)
    CHECK(cancelled == 1)
    call MPI_Grequest_complete(request, ierror)
    call MPI_Test(request, flag, status, ierror)
    CHECK(flag .and. request == MPI_REQUEST_NULL .and. asked == 2 .and. deleted == 2)
    call MPI_Test_cancelled(status, flag, ierror)
    CHECK(flag)
    call MPI_Get_elements(status, MPI_INTEGER, n, ierror)
    CHECK(n == 2)
    cancelled = 0
    call MPI_Grequest_start(query, release, cancel, state, request, ierror)
    call MPI_Grequest_complete(request, ierror)
    call MPI_Cancel(request, ierror)
    CHECK(cancelled == 10) ! complete by now
    call MPI_Request_free(request, ierror)
    CHECK(request == MPI_REQUEST_NULL .and. deleted == 3)
  end subroutine

  subroutine operations()
    real(8) :: x(3), y(3)
    x = [1d0, 2d0, rank * 1d0]
    calls = 0
    call MPI_Op_create(add, .true., op, ierror)
    call MPI_Op_commutative(op, flag, ierror)
    CHECK(flag)
    call MPI_Allreduce(x, y, 3, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD, ierror)
    CHECK(nint(y(2)) == 2 * size .and. nint(y(3)) == size * (size - 1) / 2)
    call MPI_Scan(rank + 1, n, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
    CHECK(n == (rank + 1) * (rank + 2) / 2)
    n = -1
    call MPI_Exscan(rank + 1, n, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
    CHECK(n == merge(-1, rank * (rank + 1) / 2, rank == 0))
    call MPI_Reduce_scatter_block([(i, i = 1, size)], n, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
    CHECK(n == size * (rank + 1))
    room(1) = rank
    call MPI_Ireduce(room, room(2), 1, MPI_INTEGER, op, 0, MPI_COMM_WORLD, request, ierror)
    call MPI_Op_free(op, ierror) ! while it is in use
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    CHECK(rank > 0 .or. room(2) == size * (size - 1) / 2)
    CHECK(op == MPI_OP_NULL .and. (size == 1 .or. rank < size - 1 .or. calls > 0))
  end subroutine

  subroutine errors()
    character(MPI_MAX_ERROR_STRING) :: message
    integer :: code, codes(2)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierror)
    call MPI_Comm_create_errhandler(on_error, errhandler, ierror)
    call MPI_Comm_set_errhandler(comm, errhandler, ierror)
    call MPI_Comm_get_errhandler(comm, set, ierror)
    CHECK(set == errhandler)
    call MPI_Errhandler_free(errhandler, ierror)
    call MPI_Errhandler_free(set, ierror)
    handled = -1
    call MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER, ierror)
    CHECK(handled == NUMBER(comm) .and. told)
    call MPI_Comm_dup(comm, twin, ierror) ! and so does its copy
    handled = -1
    call MPI_Comm_call_errhandler(twin, MPI_ERR_OTHER, ierror)
    CHECK(handled == NUMBER(twin))
    call MPI_Comm_free(twin, ierror)
    call MPI_Comm_free(comm, ierror)
    call MPI_Add_error_class(class, ierror)
    call MPI_Add_error_string(class, 'a class of ours   ', ierror)
    call MPI_Add_error_code(class, code, ierror)
    call MPI_Add_error_string(code, 'and a code', ierror)
    call MPI_Error_class(code, n, ierror)
    CHECK(n == class)
    message = repeat('?', len(message))
    call MPI_Error_string(class, message, n, ierror)
    CHECK(message == 'a class of ours' .and. n == 15)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, value, flag, ierror)
    CHECK(flag .and. value >= class)
  end subroutine

  subroutine infos()
    character(MPI_MAX_INFO_KEY) :: key
    character(MPI_MAX_INFO_VAL) :: text
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, 'a key  ', 'two words', ierror)
    call MPI_Info_set(info, '   second', repeat('x', len(text)), ierror)
    call MPI_Info_dup(info, second, ierror)
    call MPI_Info_delete(info, ' a key', ierror)
    call MPI_Info_get_nkeys(info, n, ierror)
    CHECK(n == 1)
    call MPI_Info_get_nthkey(info, 0, key, ierror)
    CHECK(key == 'second')
    call MPI_Info_get(info, 'second', len(text), text, flag, ierror)
    CHECK(flag .and. verify(text, 'x') == 0)
    call MPI_Info_free(info, ierror)
    call MPI_Info_get_nkeys(second, n, ierror)
    CHECK(n == 2)
    call MPI_Info_get_valuelen(second, ' a key ', n, flag, ierror)
    CHECK(flag .and. n == 9)
    n = -1
    call MPI_Info_get_valuelen(second, 'none', n, flag, ierror)
    CHECK(.not. flag)
    call MPI_Info_set(second, 'a key', ' other ', ierror)
    call MPI_Info_get(second, 'a key', len(text), text, flag, ierror)
    CHECK(flag .and. text == 'other')
    call MPI_Info_free(second, ierror)
  end subroutine

  ! A value that is longer than the variable.
  subroutine cut_infos()
    character(3) :: cut
    character(9) :: text
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, 'a key', 'two words', ierror)
    cut = '???'
    call MPI_Info_get(info, 'a key', 3, cut, flag, ierror)
    CHECK(flag .and. cut == 'two')
    text = '?'
    call MPI_Info_get(info, 'a key', 5, text, flag, ierror)
    CHECK(flag .and. text == 'two w')
    call MPI_Info_free(info, ierror)
  end subroutine

#ifndef F08
  ! MPI-1's addresses and keyvals, whose predefined procedures take INTEGERs.
  subroutine old()
    integer :: first, third, one
    call MPI_Address(room(1), first, ierror)
    call MPI_Address(room(3), third, ierror)
    CHECK(third - first == 8)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierror)
    call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, keyval, 0, ierror)
    call MPI_Attr_put(comm, keyval, -12, ierror)
    call MPI_Comm_dup(comm, twin, ierror)
    one = 0
    call MPI_Attr_get(twin, keyval, one, flag, ierror)
    CHECK(flag .and. one == -12)
    call MPI_Attr_delete(twin, keyval, ierror)
    call MPI_Attr_get(twin, keyval, one, flag, ierror)
    CHECK(.not. flag)
    call MPI_Comm_free(twin, ierror)
    call MPI_Attr_delete(comm, keyval, ierror)
    call MPI_Keyval_free(keyval, ierror)
    CHECK(keyval == MPI_KEYVAL_INVALID)
    call MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, keyval, 0, ierror)
    call MPI_Attr_put(comm, keyval, 7, ierror)
    call MPI_Comm_dup(comm, twin, ierror)
    call MPI_Attr_get(twin, keyval, one, flag, ierror)
    CHECK(.not. flag)
    call MPI_Comm_free(twin, ierror)
    call MPI_Comm_free(comm, ierror)
    call MPI_Keyval_free(keyval, ierror)
  end subroutine
#endif

#ifdef FOUR
  subroutine sessions()
#ifdef F08
    type(MPI_Session) :: session
#else
    integer :: session
#endif
    IS_HANDLE(MPI_Group) :: group
    integer :: sets, length
    character(32) :: text
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Session_get_num_psets(session, MPI_INFO_NULL, sets, ierror)
    CHECK(sets >= 2)
    call MPI_Group_from_session_pset(session, 'mpi://SELF  ', group, ierror)
    call MPI_Group_size(group, n, ierror)
    CHECK(n == 1)
    call MPI_Comm_create_from_group(group, 'objects', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm, ierror)
    call MPI_Allreduce(5, n, 1, MPI_INTEGER, MPI_SUM, comm, ierror)
    CHECK(n == 5)
    call MPI_Comm_free(comm, ierror)
    call MPI_Group_free(group, ierror)
    call MPI_Session_get_pset_info(session, 'mpi://WORLD', info, ierror)
    length = 32
    call MPI_Info_get_string(info, ' mpi_size', length, text, flag, ierror)
    read (text, *) n
    CHECK(flag .and. n == size .and. length == len_trim(text))
    call MPI_Info_free(info, ierror)
    call MPI_Session_finalize(session, ierror)
    CHECK(ierror == MPI_SUCCESS)
  end subroutine
#endif

  ! One rank publishes a name, the other looks it up, and then it is removed.
  subroutine names()
    character(MPI_MAX_PORT_NAME) :: port, found
    port = 'no port, but a text'
    found = repeat('?', len(found))
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
    if (rank == 0) call MPI_Publish_name('wi4go objects  ', MPI_INFO_NULL, port, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Lookup_name('wi4go objects', MPI_INFO_NULL, found, ierror)
    CHECK(ierror == MPI_SUCCESS .and. found == port)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (rank == 0) call MPI_Unpublish_name('wi4go objects ', MPI_INFO_NULL, port, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Lookup_name('wi4go objects', MPI_INFO_NULL, found, ierror)
    call MPI_Error_class(ierror, class, n)
    CHECK(class == MPI_ERR_NAME)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL, ierror)
  end subroutine

  ! With constants for ignored arguments, in both calls.
  subroutine spawned()
    character(512) :: self, commands(1)
    character(8) :: words(1, 3)
    integer :: codes(1)
    call get_command_argument(0, self)
    commands = self
    call MPI_Comm_spawn(self, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, comm, MPI_ERRCODES_IGNORE, ierror)
    call child_has(0)
    call MPI_Comm_spawn_multiple(1, commands, MPI_ARGVS_NULL, [1], [MPI_INFO_NULL], 0, MPI_COMM_WORLD, comm, MPI_ERRCODES_IGNORE, ierror)
    call child_has(0)
    words(1, :) = [character(8) :: 'one', 'two', ' ']
    codes = -1
    call MPI_Comm_spawn_multiple(1, commands, words, [1], [MPI_INFO_NULL], 0, MPI_COMM_WORLD, comm, codes, ierror)
    call child_has(2)
    CHECK(codes(1) == MPI_SUCCESS)
  end subroutine

  subroutine child_has(many)
    integer, intent(in) :: many
    CHECK(ierror == MPI_SUCCESS)
    n = -1
    if (rank == 0) call MPI_Recv(n, 1, MPI_INTEGER, 0, 1, comm, status, ierror)
    CHECK(n == merge(many, -1, rank == 0))
    call MPI_Comm_disconnect(comm, ierror)
    CHECK(comm == MPI_COMM_NULL)
  end subroutine
end program
