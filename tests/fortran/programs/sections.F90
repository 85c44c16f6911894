! Sections of arrays as choice buffers of mpi_f08, if MPI_SUBARRAYS_SUPPORTED is true: the section's elements are sent
! in their order, and only the section's elements are received into.
#include "checks.h"

program sections
  use mpi_f08
  use checks
  implicit none
  integer :: a(6, 5), b(6, 5), want(60), me, ranks, i, n, class, ierror
  integer, asynchronous :: v(60) ! also used as a window
  real(8) :: r(3, 4, 5), s(3, 4, 5)
  character(3) :: words(6), heard(6)
  integer(MPI_ADDRESS_KIND) :: zero = 0
  integer(MPI_COUNT_KIND) :: many
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(MPI_Datatype) :: pair, wide
  type(MPI_Win) :: win

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
#ifndef UNSAID /* Open MPI 6 takes sections, and its module does not say so */
  CHECK(MPI_SUBARRAYS_SUPPORTED)
#endif
  a = reshape([(100 * me + i, i = 1, 30)], [6, 5])
  r = reshape([(i * 0.5d0, i = 1, 60)], [3, 4, 5])

  ! every other element of a column
  v = -1
  call MPI_Sendrecv(a(2:6:2, 3), 3, MPI_INTEGER, me, 1, v, 60, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status)
  CHECK(all(v(1:3) == a(2:6:2, 3)) .and. v(4) == -1)
  call MPI_Get_count(status, MPI_INTEGER, n)
  CHECK(n == 3)
#ifdef TRANSLATED /* MPICH itself sends other elements where the first dimension has a stride */
  ! of two dimensions, with strides and reversed
  call MPI_Sendrecv(a(::2, 2:4), 9, MPI_INTEGER, me, 1, v, 60, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status)
  CHECK(all(v(1:9) == pack(a(::2, 2:4), .true.)))
  b = -1
  call MPI_Sendrecv(v, 9, MPI_INTEGER, me, 1, b(6:1:-2, 5:1:-2), 9, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status)
  CHECK(all(pack(b(6:1:-2, 5:1:-2), .true.) == v(1:9)) .and. count(b == -1) == 21)
  ! a part of it, and an empty one
  b = -1
  call MPI_Sendrecv(a(::2, 2:4), 4, MPI_INTEGER, me, 1, b(::5, :), 4, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status)
  want(1:10) = pack(b(::5, :), .true.)
  CHECK(all(want(1:4) == [a(1, 2), a(3, 2), a(5, 2), a(1, 3)]) .and. count(b == -1) == 26)
  call MPI_Sendrecv(a(::2, 2:4), 0, MPI_INTEGER, me, 1, b(::5, :), 0, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status)
  CHECK(count(b == -1) == 26)
  ! of three dimensions; as bytes
  s = 0
  call MPI_Sendrecv(r(::2, 4:1:-3, 2:5:3), 8, MPI_DOUBLE_PRECISION, me, 1, s(1:2, ::2, 4:5), 64, MPI_BYTE, me, 1, MPI_COMM_WORLD, status)
  CHECK(all(pack(s(1:2, ::2, 4:5), .true.) == pack(r(::2, 4:1:-3, 2:5:3), .true.)) .and. count(s == 0) == 52)
  ! two elements of a column at a time, and one datatype for three, with a gap
  call MPI_Sendrecv(a(3:6, ::2), 6, MPI_2INTEGER, me, 1, v, 12, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status)
  CHECK(all(v(1:12) == pack(a(3:6, ::2), .true.)))
  call MPI_Type_vector(2, 1, 2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  call MPI_Sendrecv(a(1:3, ::2), 3, pair, me, 1, v, 6, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status)
  CHECK(all(v(1:6) == pack(a(1:3:2, ::2), .true.)))
  ! a datatype that does not fit into an element or a column: by a copy
  call MPI_Sendrecv(a(1:6:2, 1:4), 4, pair, me, 1, v, 8, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status)
  want(1:12) = pack(a(1:6:2, 1:4), .true.)
  CHECK(all(v(1:8) == want([1, 3, 4, 6, 7, 9, 10, 12])))
  call MPI_Type_free(pair)
  ! a datatype whose extent is an element, and whose data lies in two: by a copy
  call MPI_Type_vector(2, 1, 2, MPI_INTEGER, wide)
  call MPI_Type_create_resized(wide, 0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND, pair)
  call MPI_Type_commit(pair)
  call MPI_Sendrecv(a(::2, 1:2), 2, pair, me, 1, v, 4, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status)
  want(1:6) = pack(a(::2, 1:2), .true.)
  CHECK(all(v(1:4) == want([1, 3, 2, 4])))
  call MPI_Type_free(pair)
  call MPI_Type_free(wide)
  ! characters
  words = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqr']
  heard = '...'
  call MPI_Sendrecv(words(6:2:-2), 9, MPI_CHARACTER, me, 1, heard(::2), 9, MPI_CHARACTER, me, 1, MPI_COMM_WORLD, status)
  CHECK(all(heard == ['pqr', '...', 'jkl', '...', 'def', '...']))

  ! nonblocking: the section itself, not a copy of it
  b = -1
  call MPI_Irecv(b(::2, 1:5:4), 6, MPI_INTEGER, me, 2, MPI_COMM_WORLD, requests(1))
  call MPI_Issend(a(2::2, 2:3), 6, MPI_INTEGER, me, 2, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  CHECK(all(b(::2, 1:5:4) == a(2::2, 2:3)) .and. count(b == -1) == 24)
  call MPI_Send_init(a(::3, ::2), 6, MPI_INTEGER, me, 3, MPI_COMM_WORLD, requests(1))
  do i = 1, 2
    a(1, 1) = 1000 * i
    call MPI_Start(requests(1))
    call MPI_Recv(v, 6, MPI_INTEGER, me, 3, MPI_COMM_WORLD, status)
    call MPI_Wait(requests(1), status)
    CHECK(all(v(1:6) == pack(a(::3, ::2), .true.)) .and. v(1) == 1000 * i)
  end do
  call MPI_Request_free(requests(1))

  ! collective calls, some of which use a section in parts
  b = -1
  if (me == 0) b(::2, :) = a(::2, :)
  call MPI_Bcast(b(::2, :), 15, MPI_INTEGER, 0, MPI_COMM_WORLD)
  CHECK(all(b(1, 2:5) == [7, 13, 19, 25]) .and. all(b(2::2, :) == -1))
  b = -1
  call MPI_Allgather(me + 5, 1, MPI_INTEGER, b(2, 1:2 * ranks:2), 1, MPI_INTEGER, MPI_COMM_WORLD)
  CHECK(all(b(2, 1:2 * ranks:2) == [(i + 4, i = 1, ranks)]) .and. count(b == -1) == 30 - ranks)
  b = -1
  call MPI_Allreduce(a(2:6:2, 2:3), b(2:6:2, 4:5), 6, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  CHECK(all(b(2:6:2, 4:5) == ranks * (a(2:6:2, 2:3) - 100 * me) + 50 * ranks * (ranks - 1)) .and. count(b == -1) == 24)
  b = -1
  call MPI_Scatter(a(1, :ranks), 1, MPI_INTEGER, b(3:5:2, 1), 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
  CHECK(count(b == -1) == 29)
  CHECK(me == 0 .or. b(3, 1) == 1 + 6 * me)

  ! one-sided, and to memory
#ifndef EMBEDDED /* it has no windows and no files */
  v = -1
  call MPI_Win_create(v, 240_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_fence(0, win)
  call MPI_Put(a(::2, 2:4), 9, MPI_INTEGER, me, zero, 9, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  CHECK(all(v(1:9) == pack(a(::2, 2:4), .true.)) .and. v(10) == -1)
  call MPI_Win_free(win)
#endif
  i = 0
  call MPI_Pack(a(::2, 3:1:-1), 9, MPI_INTEGER, v, 240, i, MPI_COMM_WORLD)
  n = i
  i = 0
  b = -1
  call MPI_Unpack(v, n, i, b(2::2, :3), 9, MPI_INTEGER, MPI_COMM_WORLD)
  CHECK(all(b(2::2, :3) == a(::2, 3:1:-1)) .and. i == n)

  ! large counts
  many = 9
  call MPI_Sendrecv(a(::2, 2:4), many, MPI_INTEGER, me, 1, v, many, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status)
  CHECK(all(v(1:9) == pack(a(::2, 2:4), .true.)))
  call MPI_Get_count(status, MPI_INTEGER, many)
  CHECK(many == 9)
  call MPI_Type_size(MPI_DOUBLE_PRECISION, many)
  CHECK(many == 8)
  call MPI_Type_vector(3_MPI_COUNT_KIND, 1_MPI_COUNT_KIND, 2_MPI_COUNT_KIND, MPI_INTEGER, pair)
  call MPI_Type_size(pair, many)
  CHECK(many == 12)
  call MPI_Type_free(pair)

  ! data that can be neither described nor copied is an error
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Iallreduce(a(::2, 1), v, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), ierror)
  call MPI_Error_class(ierror, class)
  CHECK(class == MPI_ERR_BUFFER)
#endif
  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  if (me == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize()
end program
