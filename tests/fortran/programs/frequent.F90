! The procedures that programs call most often, each with arguments that their direct calls handle and with arguments
! that these leave to the general code: predefined and dynamic handles, wildcard and null ranks and tags, buffers in
! place and at MPI_BOTTOM, of several dimensions, of zero size and with gaps, ignored statuses; in mpi_f08 without the
! error code.
#include "check.h"
#include "checks.h"
#if defined(F08)
#define LAST )
#define ADDRESS type(c_ptr)
#else
#define LAST , ierror)
#define ADDRESS integer(MPI_ADDRESS_KIND) /* MPICH's mpif.h puts the buffer's address there */
#endif

module counts
  use checks
  implicit none
  integer :: a(64), b(64), memory(64) ! module variables, so that a compiler assumes that every call may change them
end module

program frequent
  use, intrinsic :: iso_c_binding, only: c_ptr
  USE_MPI
  use counts
  implicit none
  INCLUDE_MPI
  ADDRESS :: detached
  IS_HANDLE(MPI_Comm) :: comm
  IS_HANDLE(MPI_Datatype) :: two
  IS_STATUS(status)
  integer :: rank, size, next, previous, round, n, ierror

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank LAST
  call MPI_Comm_size(MPI_COMM_WORLD, size LAST
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  comm = MPI_COMM_WORLD
  two = MPI_2INTEGER
  do round = 1, 3
    if (round == 2) then ! dynamic handles
      call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
      call MPI_Type_contiguous(2, MPI_INTEGER, two, ierror)
      call MPI_Type_commit(two, ierror)
    end if
    call messages()
    call requests()
    call collectives()
    call windows()
    call absolute()
    call shapes()
    call waits()
    call failed()
  end do
  call MPI_Type_free(two, ierror)
  call MPI_Comm_free(comm, ierror)
  call ended()
  call many()

  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize(ierror)
contains
  ! Fills the arrays with this rank's numbers.
  subroutine fill()
    integer :: i
    a = [(100 * rank + i, i = 1, 64)]
    b = -1
  end subroutine

  ! Reports whether exactly this many numbers of a rank have arrived.
  logical function came(from, many)
    integer, intent(in) :: from, many
    integer :: i
    came = all(b(:many) == [(100 * from + i, i = 1, many)]) .and. all(b(many + 1:) == -1)
  end function

  subroutine received(from, with, many)
    integer, intent(in) :: from, with, many
    CHECK(came(from, 2 * many))
    CHECK(SOURCE(status) == from .and. TAG(status) == with)
    call MPI_Get_count(status, two, n LAST
    CHECK(n == many)
    call MPI_Get_count(status, MPI_INTEGER, n LAST
    CHECK(n == 2 * many)
  end subroutine

  ! A call that starts nothing returns an error.
  subroutine failed()
    IS_HANDLE(MPI_Request) :: request
    integer :: class
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierror)
    call MPI_Isend(a, -1, two, next, 1, comm, request, ierror)
    CHECK(ierror /= MPI_SUCCESS)
    call MPI_Error_class(ierror, class LAST
    CHECK(class == MPI_ERR_COUNT)
    call MPI_Irecv(b, 1, two, previous, 1, comm, request, ierror)
    call MPI_Cancel(request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Irecv(b, -1, two, previous, 1, comm, request, ierror)
    call MPI_Error_class(ierror, class LAST
    CHECK(class == MPI_ERR_COUNT)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL, ierror)
  end subroutine

  subroutine messages()
    IS_HANDLE(MPI_Request) :: request
    integer, save :: buffer(512)
    integer(MPI_ADDRESS_KIND) :: at
    integer :: mode, with
    call MPI_Buffer_attach(buffer, 2048, ierror)
    do mode = 1, 4
      call fill()
      with = 8191 * mode ! as small as the integers of handles, and larger
      call MPI_Irecv(b, 4, two, previous, with, comm, request LAST
      call MPI_Barrier(comm LAST
      if (mode == 1) call MPI_Send(a, 2, two, next, with, comm LAST
      if (mode == 2) call MPI_Bsend(a, 2, two, next, with, comm LAST
      if (mode == 3) call MPI_Rsend(a, 2, two, next, with, comm LAST
      if (mode == 4) call MPI_Ssend(a, 2, two, next, with, comm LAST
      call MPI_Wait(request, status, ierror)
      call received(previous, with, 2)
      if (mode == 1) call MPI_Send(a, 2, two, MPI_PROC_NULL, mode, comm LAST
      if (mode == 2) call MPI_Bsend(a, 2, two, MPI_PROC_NULL, mode, comm LAST
      if (mode == 3) call MPI_Rsend(a, 2, two, MPI_PROC_NULL, mode, comm LAST
      if (mode == 4) call MPI_Ssend(a, 2, two, MPI_PROC_NULL, mode, comm LAST
    end do
    do mode = 1, 5
      call fill()
      call MPI_Bsend(a, 3, two, next, mode, comm LAST
      if (mode == 1) call MPI_Probe(previous, mode, comm, status LAST
      if (mode == 2) call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status LAST
      if (mode == 3) call MPI_Probe(previous, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE LAST
      if (mode == 4) call MPI_Probe(MPI_ANY_SOURCE, mode, comm, status LAST
      if (mode == 1) call MPI_Recv(b, 3, two, previous, mode, comm, status LAST
      if (mode == 2) call MPI_Recv(b, 3, two, SOURCE(status), TAG(status), comm, status LAST
      if (mode == 3) call MPI_Recv(b, 4, two, MPI_ANY_SOURCE, mode, comm, status LAST
      if (mode == 4) call MPI_Recv(b, 4, two, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status LAST
      if (mode == 5) then
        call MPI_Recv(b, 6, MPI_INTEGER, previous, mode, comm, MPI_STATUS_IGNORE LAST
        CHECK(came(previous, 6))
      else
        call received(previous, mode, 3)
      end if
    end do
    call MPI_Recv(b, 4, two, MPI_PROC_NULL, MPI_ANY_TAG, comm, status LAST
    call MPI_Get_count(status, two, n LAST
    CHECK(SOURCE(status) == MPI_PROC_NULL .and. TAG(status) == MPI_ANY_TAG .and. n == 0)
    call MPI_Recv(b, 4, two, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE LAST
    call MPI_Buffer_detach(detached, n, ierror)
#if !defined(F08) && !defined(OPENMPI)
    call MPI_Get_address(buffer, at, ierror)
    CHECK(detached == at)
#endif

    do mode = 1, 4
      call fill()
      if (mode == 1) call MPI_Sendrecv(a, 2, two, next, 5, b, 3, two, previous, 5, comm, status LAST
      if (mode == 2) call MPI_Sendrecv(a, 2, two, next, 5, b, 3, two, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status LAST
      if (mode == 3) call MPI_Sendrecv(a, 4, MPI_INTEGER, next, 5, b, 2, two, previous, 5, comm, status LAST
      if (mode < 4) then
        call received(previous, 5, 2)
      else
        call MPI_Sendrecv(a, 2, two, next, 5, b, 4, MPI_INTEGER, previous, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE LAST
        CHECK(came(previous, 4))
      end if
    end do
    call fill()
    call MPI_Sendrecv(a, 2, two, MPI_PROC_NULL, 5, b, 3, two, MPI_PROC_NULL, 5, comm, status LAST
    CHECK(came(0, 0) .and. SOURCE(status) == MPI_PROC_NULL)
    b(:2) = a(:2)
    call MPI_Sendrecv_replace(b, 1, two, next, 6, previous, 6, comm, status LAST
    call received(previous, 6, 1)
    call fill()
    b(:4) = a(:4)
    call MPI_Sendrecv_replace(b, 2, two, next, 6, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE LAST
    CHECK(came(previous, 4))
    call MPI_Sendrecv_replace(b, 2, two, MPI_PROC_NULL, 6, MPI_PROC_NULL, 6, comm, status LAST
    CHECK(came(previous, 4) .and. SOURCE(status) == MPI_PROC_NULL)
  end subroutine

  subroutine requests()
    IS_HANDLE(MPI_Request) :: both(2), crowd(5)
    IS_STATUSES(statuses, 5)
    integer, save :: buffer(512)
    integer :: mode
    call MPI_Buffer_attach(buffer, 2048, ierror)
    do mode = 1, 4
      call fill()
      if (mode < 3) call MPI_Irecv(b, 3, two, previous, mode, comm, both(1) LAST
      if (mode == 3) call MPI_Irecv(b, 3, two, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, both(1) LAST
      if (mode == 4) call MPI_Irecv(b, 6, MPI_INTEGER, MPI_ANY_SOURCE, mode, comm, both(1) LAST
      call MPI_Barrier(comm LAST
      if (mode == 1) call MPI_Isend(a, 2, two, next, mode, comm, both(2) LAST
      if (mode == 2) call MPI_Ibsend(a, 2, two, next, mode, comm, both(2) LAST
      if (mode == 3) call MPI_Irsend(a, 2, two, next, mode, comm, both(2) LAST
      if (mode == 4) call MPI_Issend(a, 2, two, next, mode, comm, both(2) LAST
      if (mode == 4) then
        call MPI_Waitall(2, both, MPI_STATUSES_IGNORE LAST
        CHECK(came(previous, 4))
      else
        call MPI_Waitall(2, both, statuses LAST
        CHECK(SOURCE_AT(statuses, 1) == previous .and. TAG_AT(statuses, 1) == mode)
        CHECK(came(previous, 4))
      end if
      CHECK(both(1) == MPI_REQUEST_NULL .and. both(2) == MPI_REQUEST_NULL)
      call MPI_Waitall(2, both, statuses LAST ! with null requests
      CHECK(SOURCE_AT(statuses, 1) == MPI_ANY_SOURCE .and. TAG_AT(statuses, 2) == MPI_ANY_TAG)
      if (mode == 1) call MPI_Isend(a, 2, two, MPI_PROC_NULL, mode, comm, both(2) LAST
      if (mode == 2) call MPI_Ibsend(a, 2, two, MPI_PROC_NULL, mode, comm, both(2) LAST
      if (mode == 3) call MPI_Irsend(a, 2, two, MPI_PROC_NULL, mode, comm, both(2) LAST
      if (mode == 4) call MPI_Issend(a, 2, two, MPI_PROC_NULL, mode, comm, both(2) LAST
      call MPI_Irecv(b, 3, two, MPI_PROC_NULL, mode, comm, both(1) LAST
      call MPI_Waitall(2, both, statuses LAST
      CHECK(SOURCE_AT(statuses, 1) == MPI_PROC_NULL .and. came(previous, 4))
    end do
    call MPI_Buffer_detach(detached, n, ierror)
    call fill()
    do n = 1, 2
      call MPI_Irecv(b(2 * n - 1), 1, two, previous, n, comm, crowd(n) LAST
      call MPI_Isend(a(2 * n - 1), 1, two, next, n, comm, crowd(6 - n) LAST
    end do
    crowd(3) = MPI_REQUEST_NULL
    call MPI_Waitall(5, crowd, statuses LAST
    CHECK(came(previous, 4) .and. TAG_AT(statuses, 2) == 2 .and. SOURCE_AT(statuses, 3) == MPI_ANY_SOURCE)
    do n = 1, 5
      CHECK(crowd(n) == MPI_REQUEST_NULL)
    end do
    call MPI_Waitall(0, crowd, statuses LAST
  end subroutine

  subroutine collectives()
    integer :: i, total, before
    total = size * (size - 1) / 2
    before = rank * (rank - 1) / 2
    call fill()
    if (rank == size - 1) b(:4) = a(:4)
    call MPI_Bcast(b, 2, two, size - 1, comm LAST
    CHECK(came(size - 1, 4))

    call fill()
    call MPI_Reduce(a, b, 2, MPI_INTEGER, MPI_SUM, 0, comm LAST
    if (rank == 0) b(:2) = (b(:2) - 100 * total) / size
    CHECK(rank /= 0 .and. came(0, 0) .or. rank == 0 .and. came(0, 2))
    if (rank == 0) then
      b(:2) = a(:2)
      call MPI_Reduce(MPI_IN_PLACE, b, 2, MPI_INTEGER, MPI_MAX, 0, comm LAST
      CHECK(came(size - 1, 2))
    else
      call MPI_Reduce(a, b, 2, MPI_INTEGER, MPI_MAX, 0, comm LAST
    end if
    call fill()
    call MPI_Allreduce(a, b, 2, MPI_INTEGER, MPI_MAX, comm LAST
    CHECK(came(size - 1, 2))
    call MPI_Allreduce(MPI_IN_PLACE, a, 3, MPI_INTEGER, MPI_MIN, comm LAST
    CHECK(all(a(:4) == [1, 2, 3, 100 * rank + 4]))
    call fill()
    call MPI_Scan(a, b, 2, MPI_INTEGER, MPI_MAX, comm LAST
    CHECK(came(rank, 2))
    call MPI_Scan(MPI_IN_PLACE, a, 1, MPI_INTEGER, MPI_SUM, comm LAST
    CHECK(a(1) == 100 * (before + rank) + rank + 1)
    call fill()
    call MPI_Exscan(a, b, 2, MPI_INTEGER, MPI_MAX, comm LAST
    if (rank > 0) then
      CHECK(came(rank - 1, 2))
    end if
    call MPI_Exscan(MPI_IN_PLACE, a, 1, MPI_INTEGER, MPI_SUM, comm LAST
    CHECK(rank == 0 .or. a(1) == 100 * before + rank)
    call fill()
    call MPI_Reduce_scatter_block(a, b, 2, MPI_INTEGER, MPI_SUM, comm LAST
    CHECK(b(2) == 100 * total + size * (2 * rank + 2) .and. b(3) == -1)
    call MPI_Reduce_scatter_block(MPI_IN_PLACE, a, 1, MPI_INTEGER, MPI_SUM, comm LAST
    CHECK(a(1) == 100 * total + size * (rank + 1))

    call fill()
    call MPI_Gather(a, 1, two, b, 2, MPI_INTEGER, 0, comm LAST
    CHECK(rank /= 0 .or. all(b(:2 * size) == [(100 * ((i - 1) / 2) + 1 + mod(i - 1, 2), i = 1, 2 * size)]))
    if (rank == 0) then
      b(3:) = -1
      call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, two, 0, comm LAST
      CHECK(b(2 * size) == 100 * (size - 1) + 2)
    else
      call MPI_Gather(a, 2, MPI_INTEGER, b, 1, two, 0, comm LAST
    end if
    call fill()
    call MPI_Scatter(a, 1, two, b, 2, MPI_INTEGER, 0, comm LAST
    CHECK(b(2) == 2 * rank + 2 .and. b(3) == -1)
    if (rank == 0) then
      call MPI_Scatter(a, 1, two, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, comm LAST
    else
      call MPI_Scatter(a, 1, two, b, 1, two, 0, comm LAST
      CHECK(b(1) == 2 * rank + 1)
    end if
    call fill()
    call MPI_Allgather(a, 1, two, b, 1, two, comm LAST
    CHECK(all(b(:2 * size) == [(100 * ((i - 1) / 2) + 1 + mod(i - 1, 2), i = 1, 2 * size)]))
    b = -1
    b(2 * rank + 1:2 * rank + 2) = a(:2)
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, two, comm LAST
    CHECK(b(2 * size) == 100 * (size - 1) + 2 .and. b(1) == 1)
    call fill()
    call MPI_Alltoall(a, 1, two, b, 1, two, comm LAST
    CHECK(all(b(1:2 * size:2) == [(100 * i + 2 * rank + 1, i = 0, size - 1)]))
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 2, MPI_INTEGER, comm LAST
    CHECK(all(a(1:2 * size:2) == [(100 * i + 2 * rank + 1, i = 0, size - 1)]))
  end subroutine

  subroutine windows()
    IS_HANDLE(MPI_Win) :: window
    integer(MPI_ADDRESS_KIND) :: bytes, at
#ifndef EMBEDDED /* it has no windows and no files */
    bytes = 256
    memory = 0
    call fill()
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, comm, window, ierror)
    call MPI_Win_fence(0, window, ierror)
    at = 3
    call MPI_Put(a, 1, two, next, at, 2, MPI_INTEGER, window LAST
    call MPI_Put(a, 1, two, MPI_PROC_NULL, at, 2, MPI_INTEGER, window LAST
    call MPI_Win_fence(0, window, ierror)
    CHECK(all(memory(3:6) == [0, 100 * previous + 1, 100 * previous + 2, 0]))
    call MPI_Win_fence(0, window, ierror) ! all ranks have read
    call MPI_Accumulate(a, 2, MPI_INTEGER, next, at, 2, MPI_INTEGER, MPI_SUM, window LAST
    call MPI_Win_fence(0, window, ierror)
    CHECK(all(memory(3:6) == [0, 200 * previous + 2, 200 * previous + 4, 0]))
    call MPI_Get(b, 2, MPI_INTEGER, previous, at, 1, two, window LAST
    call MPI_Win_fence(0, window, ierror)
    at = mod(previous + size - 1, size)
    CHECK(b(1) == 200 * at + 2 .and. b(2) == 200 * at + 4 .and. b(3) == -1)
    call MPI_Win_free(window, ierror)
#endif
  end subroutine

  ! A datatype with absolute addresses is sent and received at MPI_BOTTOM.
  subroutine absolute()
    IS_HANDLE(MPI_Datatype) :: from, to
    IS_HANDLE(MPI_Request) :: request
    integer(MPI_ADDRESS_KIND) :: at(2)
    call fill()
    call MPI_Get_address(a(1), at(1), ierror)
    call MPI_Get_address(a(2), at(2), ierror)
    call MPI_Type_create_hindexed(2, [1, 1], at, MPI_INTEGER, from, ierror)
    call MPI_Get_address(b(1), at(1), ierror)
    call MPI_Get_address(b(2), at(2), ierror)
    call MPI_Type_create_hindexed(2, [1, 1], at, MPI_INTEGER, to, ierror)
    call MPI_Type_commit(from, ierror)
    call MPI_Type_commit(to, ierror)
    call MPI_Irecv(MPI_BOTTOM, 1, to, previous, 7, comm, request LAST
    call MPI_Send(MPI_BOTTOM, 1, from, next, 7, comm LAST
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    CHECK(came(previous, 2))
    b = -1
    call MPI_Isend(MPI_BOTTOM, 1, from, next, 7, comm, request LAST
    call MPI_Recv(MPI_BOTTOM, 1, to, previous, 7, comm, MPI_STATUS_IGNORE LAST
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    CHECK(came(previous, 2))
    b = -1
    call MPI_Sendrecv(MPI_BOTTOM, 1, from, next, 8, MPI_BOTTOM, 1, to, previous, 8, comm, MPI_STATUS_IGNORE LAST
    CHECK(came(previous, 2))
    b = -1
    if (rank == 0) b(:2) = a(:2)
    call MPI_Bcast(MPI_BOTTOM, 1, to, 0, comm LAST
    CHECK(came(0, 2))
    b = -1
    call MPI_Alltoall(a, 1, two, b, 1, two, comm LAST
    call MPI_Type_free(from, ierror)
    call MPI_Type_free(to, ierror)
  end subroutine

  ! Buffers of one element, of two dimensions, with gaps, in reverse order, and of components of a derived type, in
  ! place of the arrays above.
  subroutine shapes()
    integer :: table(4, 4), one, i
    type pair
      sequence
      integer :: first, second
    end type
    type(pair) :: pairs(8)
    call fill()
    table = -1
    call MPI_Sendrecv(reshape(a(:16), [4, 4]), 16, MPI_INTEGER, next, 1, table, 8, two, previous, 1, comm, status LAST
    CHECK(all(reshape(table, [16]) == [(100 * previous + i, i = 1, 16)]))
    call MPI_Sendrecv(table(2, :), 4, MPI_INTEGER, next, 2, b(1:7:2), 4, MPI_INTEGER, previous, 2, comm, MPI_STATUS_IGNORE LAST
    i = mod(previous + size - 1, size)
    CHECK(all(b(1:7:2) == 100 * i + [2, 6, 10, 14]) .and. all(b(2:8:2) == -1))
    call MPI_Sendrecv(a(8:1:-1), 8, MPI_INTEGER, next, 3, b(1:8), 4, two, previous, 3, comm, status LAST
    CHECK(all(b(1:8) == [(100 * previous + i, i = 8, 1, -1)]))
    pairs = pair(-1, -1)
    call MPI_Sendrecv(a, 8, MPI_INTEGER, next, 4, pairs%second, 8, MPI_INTEGER, previous, 4, comm, status LAST
    CHECK(all(pairs%second == [(100 * previous + i, i = 1, 8)]) .and. all(pairs%first == -1))
    b(1:16) = -1
    if (rank == 0) then
      do i = 1, size - 1
        call MPI_Send(pairs%second, 8, MPI_INTEGER, i, 5, comm LAST
        call MPI_Send(a(16:2:-2), 8, MPI_INTEGER, i, 5, comm LAST
        call MPI_Send(a(5), 1, two, i, 5, comm LAST
      end do
    else
      call MPI_Recv(b(16:2:-2), 8, MPI_INTEGER, 0, 5, comm, status LAST
      CHECK(all(b(16:2:-2) == [(100 * (size - 1) + i, i = 1, 8)]))
      call MPI_Recv(table(:2, :), 8, MPI_INTEGER, 0, 5, comm, MPI_STATUS_IGNORE LAST
      CHECK(all(reshape(table(:2, :), [8]) == [(i, i = 16, 2, -2)]))
      call MPI_Recv(b(20), 1, two, 0, 5, comm, status LAST
      CHECK(all(b(20:21) == [5, 6]))
    end if
    one = rank
    call MPI_Bcast(one, 1, MPI_INTEGER, size - 1, comm LAST
    CHECK(one == size - 1)
    if (rank == 0) table = 7
    call MPI_Bcast(table, 8, two, 0, comm LAST
    CHECK(all(table == 7))
    if (rank == 0) table(3, :) = 9
    call MPI_Bcast(table(3, :), 4, MPI_INTEGER, 0, comm LAST
    CHECK(all(table(3, :) == 9) .and. all(table(4, :) == 7))
    call MPI_Allreduce(rank + 1, one, 1, MPI_INTEGER, MPI_SUM, comm LAST
    CHECK(one == size * (size + 1) / 2)
    one = rank
    call MPI_Allreduce(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_MAX, comm LAST
    CHECK(one == size - 1)
    table = rank
    call MPI_Allreduce(MPI_IN_PLACE, table, 16, MPI_INTEGER, MPI_MAX, comm LAST
    CHECK(all(table == size - 1))
    table = rank
    call MPI_Allreduce(table(1, :), table(2, :), 4, MPI_INTEGER, MPI_SUM, comm LAST
    CHECK(all(table(2, :) == size * (size - 1) / 2) .and. all(table(3, :) == rank))
    table = rank
    call MPI_Allreduce(MPI_IN_PLACE, table(2, :), 4, MPI_INTEGER, MPI_SUM, comm LAST
    CHECK(all(table(2, :) == size * (size - 1) / 2) .and. all(table(1, :) == rank))
    call MPI_Reduce(a(1), one, 1, MPI_INTEGER, MPI_MAX, 0, comm LAST
    if (rank == 0) then
      CHECK(one == 100 * (size - 1) + 1)
    end if
    call MPI_Scan(1, one, 1, MPI_INTEGER, MPI_SUM, comm LAST
    CHECK(one == rank + 1)
    call MPI_Exscan(1, one, 1, MPI_INTEGER, MPI_SUM, comm LAST
    if (rank > 0) then
      CHECK(one == rank)
    end if
    b = -1
    call MPI_Gather(rank, 1, MPI_INTEGER, b(2 * size:1:-2), 1, MPI_INTEGER, 0, comm LAST
    if (rank == 0) then
      CHECK(all(b(2 * size:1:-2) == [(i, i = 0, size - 1)]) .and. all(b(1:2 * size:2) == -1))
    end if
    call MPI_Scatter(b(2 * size:1:-2), 1, MPI_INTEGER, one, 1, MPI_INTEGER, 0, comm LAST
    CHECK(one == rank)
    call MPI_Allgather(rank, 1, MPI_INTEGER, b, 1, MPI_INTEGER, comm LAST
    CHECK(all(b(:size) == [(i, i = 0, size - 1)]))
    call MPI_Alltoall(b(size:1:-1), 1, MPI_INTEGER, b(11:11 + size - 1), 1, MPI_INTEGER, comm LAST
    CHECK(all(b(11:11 + size - 1) == size - 1 - rank))
    b(:size) = b(size:1:-1)
    call MPI_Reduce_scatter_block(b, one, 1, MPI_INTEGER, MPI_SUM, comm LAST
    CHECK(one == size * (size - 1 - rank))
    call MPI_Sendrecv(a(:0), 0, MPI_INTEGER, next, 6, b(5:4), 0, two, previous, 6, comm, status LAST
    call MPI_Get_count(status, two, n LAST
    CHECK(n == 0)
  end subroutine

  ! One request at a time: complete, incomplete, null, persistent, failed.
  subroutine waits()
    IS_HANDLE(MPI_Request) :: request, other
    logical :: flag
    integer :: i
    do i = 1, 2
      call fill()
      call MPI_Iprobe(previous, 10, comm, flag, status LAST
      CHECK(.not. flag)
      call MPI_Irecv(b, 4, two, previous, 10, comm, request LAST
      call MPI_Test(request, flag, status LAST
      CHECK(.not. flag .and. request /= MPI_REQUEST_NULL)
      call MPI_Test(request, flag, MPI_STATUS_IGNORE LAST
      CHECK(.not. flag .and. request /= MPI_REQUEST_NULL)
      call MPI_Barrier(comm LAST
      call MPI_Isend(a, 2, two, next, 10, comm, other LAST
      if (i == 1) then
        call MPI_Wait(request, status LAST
      else
        flag = .false.
        do while (.not. flag)
          call MPI_Test(request, flag, status LAST
        end do
      end if
      CHECK(request == MPI_REQUEST_NULL)
      call received(previous, 10, 2)
      call MPI_Wait(other, MPI_STATUS_IGNORE LAST
      CHECK(other == MPI_REQUEST_NULL)
      if (i == 1) then
        call MPI_Wait(request, status LAST
      else
        call MPI_Test(request, flag, status LAST
        CHECK(flag)
      end if
      CHECK(request == MPI_REQUEST_NULL .and. SOURCE(status) == MPI_ANY_SOURCE .and. TAG(status) == MPI_ANY_TAG)
      call MPI_Get_count(status, two, n LAST
      CHECK(n == 0)
      call MPI_Irecv(b, 4, two, MPI_PROC_NULL, 10, comm, request LAST
      call MPI_Wait(request, status LAST
      CHECK(SOURCE(status) == MPI_PROC_NULL .and. TAG(status) == MPI_ANY_TAG .and. request == MPI_REQUEST_NULL)
      call MPI_Barrier(comm LAST
    end do
    call MPI_Iprobe(MPI_PROC_NULL, 10, comm, flag, status LAST
    CHECK(flag .and. SOURCE(status) == MPI_PROC_NULL)
    call MPI_Isend(a, 3, two, next, 11, comm, other LAST
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, flag, status LAST
    end do
    CHECK(SOURCE(status) == previous .and. TAG(status) == 11)
    call MPI_Iprobe(previous, 11, comm, flag, MPI_STATUS_IGNORE LAST
    CHECK(flag)
    call MPI_Recv(b, 3, two, previous, 11, comm, status LAST
    call MPI_Wait(other, status LAST
    CHECK(other == MPI_REQUEST_NULL)
    call MPI_Recv_init(b, 3, two, previous, 12, comm, request, ierror)
    call MPI_Send_init(a, 3, two, next, 12, comm, other, ierror)
    do i = 1, 3
      call fill()
      call MPI_Start(request, ierror)
      call MPI_Start(other, ierror)
      call MPI_Wait(request, status LAST
      call received(previous, 12, 3)
      flag = .false.
      do while (.not. flag)
        call MPI_Test(other, flag, MPI_STATUS_IGNORE LAST
      end do
      CHECK(request /= MPI_REQUEST_NULL .and. other /= MPI_REQUEST_NULL)
    end do
    call MPI_Request_free(request, ierror)
    call MPI_Request_free(other, ierror)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror) ! MPICH's for requests
    call MPI_Irecv(b, 1, MPI_INTEGER, previous, 13, comm, request, ierror)
    call MPI_Barrier(comm LAST
    call MPI_Send(a, 2, MPI_INTEGER, next, 13, comm, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Error_class(ierror, n, ierror)
    CHECK(n == MPI_ERR_TRUNCATE)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Barrier(comm LAST
  end subroutine

  ! A freed communicator is refused, and a new one that reuses its handle is not.
  subroutine ended()
    IS_HANDLE(MPI_Comm) :: one, old
    integer :: i
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
    do i = 1, 2
      call MPI_Comm_dup(MPI_COMM_SELF, one, ierror)
      b = -1
      call MPI_Sendrecv(a, 2, MPI_INTEGER, 0, 9, b, 2, MPI_INTEGER, 0, 9, one, MPI_STATUS_IGNORE, ierror)
      CHECK(ierror == MPI_SUCCESS .and. came(rank, 2))
      old = one
      call MPI_Comm_free(one, ierror)
      call MPI_Send(a, 2, MPI_INTEGER, 0, 9, old, ierror)
      CHECK(ierror /= MPI_SUCCESS)
    end do
  end subroutine

  ! So many handles that some share a slot in the cache of integers.
  subroutine many()
    IS_HANDLE(MPI_Comm) :: comms(12)
    IS_HANDLE(MPI_Datatype) :: types(24)
    integer :: i
    do i = 1, 24
      call MPI_Type_contiguous(i, MPI_INTEGER, types(i), ierror)
      call MPI_Type_commit(types(i), ierror)
    end do
    do i = 1, 12
      call MPI_Comm_dup(MPI_COMM_SELF, comms(i), ierror)
    end do
    do i = 1, 24
      b = -1
      associate (one => comms(1 + mod(i, 12)))
        call MPI_Sendrecv(a, 1, types(i), 0, i, b, i, MPI_INTEGER, 0, i, one, MPI_STATUS_IGNORE, ierror)
        CHECK(came(rank, i))
        b = -1
        call MPI_Bcast(a, 1, types(i), 0, one, ierror)
        call MPI_Sendrecv(a, i, MPI_INTEGER, 0, i, b, 1, types(i), 0, i, one, MPI_STATUS_IGNORE, ierror)
        CHECK(came(rank, i))
      end associate
    end do
    do i = 1, 24
      call MPI_Type_free(types(i), ierror)
    end do
    do i = 1, 12
      call MPI_Comm_free(comms(i), ierror)
    end do
  end subroutine
end program
