! The procedures that codes call all the time, each with what their fast bodies serve and
! what these leave to others: handles that are predefined and made, ranks and tags for any
! and for none, buffers in place and at MPI_BOTTOM, statuses that are ignored; in mpi_f08
! without the error code.
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
  integer :: a(64), b(64), memory(64) ! here, so that a compiler takes them to change in every call
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
    if (round == 2) then ! handles of the library's own
      call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
      call MPI_Type_contiguous(2, MPI_INTEGER, two, ierror)
      call MPI_Type_commit(two, ierror)
    end if
    call messages()
    call requests()
    call collectives()
    call windows()
    call absolute()
  end do
  call MPI_Type_free(two, ierror)
  call MPI_Comm_free(comm, ierror)
  call ended()
  call many()

  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize(ierror)
contains
  ! The numbers of a rank.
  subroutine fill()
    integer :: i
    a = [(100 * rank + i, i = 1, 64)]
    b = -1
  end subroutine

  ! So many numbers of a rank have come, and no more.
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

  subroutine messages()
    IS_HANDLE(MPI_Request) :: request
    integer, save :: buffer(512)
    integer :: mode
    call MPI_Buffer_attach(buffer, 2048, ierror)
    do mode = 1, 4
      call fill()
      call MPI_Irecv(b, 4, two, previous, mode, comm, request LAST
      call MPI_Barrier(comm LAST
      if (mode == 1) call MPI_Send(a, 2, two, next, mode, comm LAST
      if (mode == 2) call MPI_Bsend(a, 2, two, next, mode, comm LAST
      if (mode == 3) call MPI_Rsend(a, 2, two, next, mode, comm LAST
      if (mode == 4) call MPI_Ssend(a, 2, two, next, mode, comm LAST
      call MPI_Wait(request, status, ierror)
      call received(previous, mode, 2)
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
      call MPI_Waitall(2, both, statuses LAST ! of null requests
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
    call MPI_Win_fence(0, window, ierror) ! all have looked
    call MPI_Accumulate(a, 2, MPI_INTEGER, next, at, 2, MPI_INTEGER, MPI_SUM, window LAST
    call MPI_Win_fence(0, window, ierror)
    CHECK(all(memory(3:6) == [0, 200 * previous + 2, 200 * previous + 4, 0]))
    call MPI_Get(b, 2, MPI_INTEGER, previous, at, 1, two, window LAST
    call MPI_Win_fence(0, window, ierror)
    at = mod(previous + size - 1, size)
    CHECK(b(1) == 200 * at + 2 .and. b(2) == 200 * at + 4 .and. b(3) == -1)
    call MPI_Win_free(window, ierror)
  end subroutine

  ! A datatype of absolute addresses is sent from, and received at, MPI_BOTTOM.
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

  ! A communicator that has ended is refused, and one that takes its place is not.
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

  ! So many handles that some have the same place where integers are looked up.
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
