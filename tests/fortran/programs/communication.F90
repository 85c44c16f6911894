! Communication that procedures.F90 and frequent.F90 do not cover: the other send modes, collective calls with counts
! for each rank and nonblocking ones, topologies and their neighbors, intercommunicators. -DFOUR adds persistent and
! partitioned communication of MPI-4.0.
#include "check.h"
#include "checks.h"

module counts
  use checks
  implicit none
  integer :: a(64), b(64), c(64), room(512) ! module variables, so that a compiler assumes that every call may change them
end module

program communication
  USE_MPI
  use counts
  implicit none
  INCLUDE_MPI
  IS_HANDLE(MPI_Comm) :: comm
  IS_HANDLE(MPI_Request) :: request, requests(2)
  IS_STATUS(status)
  integer :: rank, size, next, previous, n, i, ierror
  integer, allocatable :: ones(:), twos(:), places(:)
  logical :: flag

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  allocate (ones(2 * size), twos(size), places(size))
  ones = 1
  twos = 2
  places = [(2 * (size - i), i = 1, size)] ! in reverse order of ranks
  comm = MPI_COMM_WORLD
  if (wanted('messages')) call messages()
  if (wanted('collectives')) call collectives()
  if (wanted('graphs')) call graphs()
  if (wanted('rings')) call rings()
  if (wanted('grids')) call grids()
  if (wanted('groups')) call groups()
  if (wanted('intercommunicators') .and. size > 1) call intercommunicators()
#ifdef FOUR
  if (wanted('persistent')) call persistent()
  if (wanted('persistent-gather')) call persistent_gather()
  if (wanted('later')) call later()
  if (wanted('partitioned')) call partitioned()
#endif
  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize(ierror)
contains
  ! Fills the arrays with this rank's numbers, which no other rank has.
  subroutine fill()
    a = [(100 * rank + i, i = 1, 64)]
    b = -1
    c = -1
  end subroutine

  subroutine wait()
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    CHECK(ierror == MPI_SUCCESS .and. request == MPI_REQUEST_NULL)
  end subroutine

  subroutine messages()
    IS_HANDLE(MPI_Message) :: message
    integer :: mode
    call MPI_Buffer_attach(room, 2048, ierror)
    do mode = 1, 3
      call fill()
      call MPI_Recv_init(b, 4, MPI_INTEGER, previous, mode, comm, requests(1), ierror)
      if (mode == 1) call MPI_Bsend_init(a, 4, MPI_INTEGER, next, mode, comm, requests(2), ierror)
      if (mode == 2) call MPI_Ssend_init(a, 4, MPI_INTEGER, next, mode, comm, requests(2), ierror)
      if (mode == 3) call MPI_Rsend_init(a, 4, MPI_INTEGER, next, mode, comm, requests(2), ierror)
      do i = 1, 2
        a(1) = 100 * rank + i
        call MPI_Start(requests(1), ierror)
        call MPI_Barrier(comm, ierror)
        call MPI_Start(requests(2), ierror)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
        CHECK(b(1) == 100 * previous + i .and. b(4) == 100 * previous + 4 .and. b(5) == -1)
      end do
      call MPI_Request_free(requests(1), ierror)
      call MPI_Request_free(requests(2), ierror)
    end do
    call detach_room()

    call fill()
    call MPI_Isend(a, 3, MPI_INTEGER, next, 5, comm, request, ierror)
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(MPI_ANY_SOURCE, 5, comm, flag, status, ierror)
    end do
    call MPI_Get_count(status, MPI_INTEGER, n, ierror)
    CHECK(n == 3 .and. SOURCE(status) == previous .and. TAG(status) == 5)
    call MPI_Mprobe(previous, MPI_ANY_TAG, comm, message, status, ierror)
    call MPI_Imrecv(b, 4, MPI_INTEGER, message, requests(1), ierror)
    CHECK(message == MPI_MESSAGE_NULL .and. TAG(status) == 5)
    flag = .false.
    do while (.not. flag)
      call MPI_Request_get_status(requests(1), flag, status, ierror)
    end do
    CHECK(SOURCE(status) == previous .and. requests(1) /= MPI_REQUEST_NULL)
    call MPI_Wait(requests(1), status, ierror)
    call MPI_Get_count(status, MPI_INTEGER, n, ierror)
    CHECK(n == 3 .and. b(3) == 100 * previous + 3 .and. b(4) == -1)
    call wait()
    call MPI_Request_get_status(MPI_REQUEST_NULL, flag, status, ierror)
    CHECK(flag .and. SOURCE(status) == MPI_ANY_SOURCE)
    call MPI_Mprobe(MPI_PROC_NULL, 1, comm, message, status, ierror)
    CHECK(message == MPI_MESSAGE_NO_PROC .and. SOURCE(status) == MPI_PROC_NULL)
    call MPI_Mrecv(b, 1, MPI_INTEGER, message, status, ierror)
    CHECK(message == MPI_MESSAGE_NULL .and. TAG(status) == MPI_ANY_TAG)
    call MPI_Comm_get_parent(comm, ierror)
    CHECK(comm == MPI_COMM_NULL)
    comm = MPI_COMM_WORLD
  end subroutine

  subroutine detach_room()
#ifdef F08
    block
      use, intrinsic :: iso_c_binding
      type(c_ptr) :: memory
      integer(MPI_ADDRESS_KIND) :: at
      call MPI_Buffer_detach(memory, n, ierror)
      call MPI_Get_address(room, at, ierror)
      CHECK(transfer(memory, at) == at) ! a compiler may evaluate c_associated to false, because no call got the address
    end block
#else
    call MPI_Buffer_detach(room, n, ierror)
#endif
    CHECK(n == 2048)
  end subroutine

  ! Reports whether x has two numbers of each rank, in reverse order of ranks.
  logical function in_order(x)
    integer, intent(in) :: x(:)
    in_order = all([(x(places(i) + 1) == 100 * (i - 1) + 1 .and. x(places(i) + 2) == 100 * (i - 1) + 2, i = 1, size)])
  end function

  subroutine collectives()
    call fill()
    call MPI_Allgatherv(a, 2, MPI_INTEGER, b, twos, places, MPI_INTEGER, comm, ierror)
    CHECK(in_order(b) .and. b(2 * size + 1) == -1)
    b(places(rank + 1) + 1) = a(1)
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, twos, places, MPI_INTEGER, comm, ierror)
    CHECK(ierror == MPI_SUCCESS .and. in_order(b))
    call fill()
    call MPI_Iallgatherv(a, 2, MPI_INTEGER, b, twos, places, MPI_INTEGER, comm, request, ierror)
    call wait()
    CHECK(in_order(b))
    call fill()
    call MPI_Gatherv(a, 2, MPI_INTEGER, b, twos, places, MPI_INTEGER, size - 1, comm, ierror)
    CHECK(rank < size - 1 .or. in_order(b))
    call MPI_Scatterv(b, twos, places, MPI_INTEGER, c, 2, MPI_INTEGER, size - 1, comm, ierror)
    CHECK(c(1) == a(1) .and. c(2) == a(2) .and. c(3) == -1)
    call fill()
    call MPI_Igatherv(a, 2, MPI_INTEGER, b, twos, places, MPI_INTEGER, 0, comm, request, ierror)
    call wait()
    CHECK(rank > 0 .or. in_order(b))
    call MPI_Iscatterv(b, twos, places, MPI_INTEGER, c, 2, MPI_INTEGER, 0, comm, request, ierror)
    call wait()
    CHECK(c(1) == a(1) .and. c(2) == a(2) .and. c(3) == -1)

    call fill()
    call MPI_Alltoallv(a, ones, [(i, i = 0, size - 1)], MPI_INTEGER, b, ones, places, MPI_INTEGER, comm, ierror)
    CHECK(all([(b(places(i) + 1) == 100 * (i - 1) + rank + 1, i = 1, size)]) .and. b(2) == -1)
    b = -1
    call MPI_Ialltoallv(a, ones, places, MPI_INTEGER, b, ones, places, MPI_INTEGER, comm, request, ierror)
    call wait()
    CHECK(all([(b(places(i) + 1) == 100 * (i - 1) + places(rank + 1) + 1, i = 1, size)]))
    b = -1
    call MPI_Reduce_scatter(a, b, twos, MPI_INTEGER, MPI_MAX, comm, ierror)
    CHECK(b(1) == 100 * (size - 1) + 2 * rank + 1 .and. b(2) == b(1) + 1 .and. b(3) == -1)
    b = -1
    call MPI_Ireduce_scatter(a, b, twos, MPI_INTEGER, MPI_MIN, comm, request, ierror)
    call wait()
    CHECK(b(1) == 2 * rank + 1 .and. b(2) == 2 * rank + 2 .and. b(3) == -1)
    b = -1
    call MPI_Ireduce_scatter_block(a, b, 1, MPI_INTEGER, MPI_MIN, comm, request, ierror)
    call wait()
    CHECK(b(1) == rank + 1 .and. b(2) == -1)

    ! for each element, the number of elements before it
    call MPI_Iscan(MPI_IN_PLACE, a, 2, MPI_INTEGER, MPI_SUM, comm, request, ierror)
    call wait()
    CHECK(a(1) == 50 * rank * (rank + 1) + rank + 1)
    call fill()
    call MPI_Iexscan(a, b, 1, MPI_INTEGER, MPI_SUM, comm, request, ierror)
    call wait()
    CHECK(rank == 0 .or. b(1) == 50 * rank * (rank - 1) + rank)
    call MPI_Ireduce(a, c, 1, MPI_INTEGER, MPI_SUM, 0, comm, request, ierror)
    call wait()
    CHECK(rank > 0 .or. c(1) == 50 * size * (size - 1) + size)
    call fill()
    call MPI_Igather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, 0, comm, request, ierror)
    call wait()
    CHECK(rank > 0 .or. all(b(:size) == [(100 * (i - 1) + 1, i = 1, size)]))
    call MPI_Iscatter(b, 1, MPI_INTEGER, c, 1, MPI_INTEGER, 0, comm, request, ierror)
    call wait()
    CHECK(c(1) == a(1))
    call MPI_Iallgather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, comm, request, ierror)
    call wait()
    CHECK(all(b(:size) == [(100 * (i - 1) + 1, i = 1, size)]))
    call MPI_Ialltoall(b, 1, MPI_INTEGER, c, 1, MPI_INTEGER, comm, request, ierror)
    call wait()
    CHECK(all(c(:size) == 100 * rank + 1))
    call MPI_Ibcast(c, 1, MPI_INTEGER, size - 1, comm, request, ierror)
    call wait()
    CHECK(c(1) == 100 * (size - 1) + 1)
    call MPI_Ibarrier(comm, request, ierror)
    call wait()

    ! pairs of a value and its location
    call places_of_extremes()
  end subroutine

  subroutine places_of_extremes()
    real :: x(2), y(2)
    real(8) :: v(2), w(2)
    integer :: k(2)
    x = [real(rank), 10.0 + rank]
    call MPI_Allreduce(x, y, 1, MPI_2REAL, MPI_MAXLOC, comm, ierror)
    CHECK(nint(y(1)) == size - 1 .and. nint(y(2)) == 9 + size)
    v = [-1d0 * rank, 20d0 + rank]
    call MPI_Allreduce(v, w, 1, MPI_2DOUBLE_PRECISION, MPI_MINLOC, comm, ierror)
    CHECK(nint(w(1)) == 1 - size .and. nint(w(2)) == 19 + size)
    call MPI_Allreduce([7, rank], k, 1, MPI_2INTEGER, MPI_MAXLOC, comm, ierror)
    CHECK(k(1) == 7 .and. k(2) == 0)
    call MPI_Allreduce(rank == 0, flag, 1, MPI_LOGICAL, MPI_LOR, comm, ierror)
    CHECK(flag)
    call MPI_Allreduce(rank == 0, flag, 1, MPI_LOGICAL, MPI_LAND, comm, ierror)
    CHECK(flag .eqv. size == 1)
  end subroutine

  ! Ranks are in pairs; a rank without a partner is its own.
  subroutine graphs()
    IS_HANDLE(MPI_Comm) :: graph
    integer :: index(size), edges(size), other, k
    index = [(k, k = 1, size)]
    edges = [(merge(ieor(k, 1), k, ieor(k, 1) < size), k = 0, size - 1)]
    other = edges(rank + 1)
    call MPI_Graph_create(comm, size, index, edges, .false., graph, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Topo_test(graph, n, ierror)
    CHECK(n == MPI_GRAPH)
    call MPI_Graphdims_get(graph, n, i, ierror)
    CHECK(n == size .and. i == size)
    call MPI_Graph_get(graph, size, size, b, c, ierror)
    CHECK(all(b(:size) == index) .and. all(c(:size) == edges))
    call MPI_Graph_neighbors_count(graph, rank, n, ierror)
    call MPI_Graph_neighbors(graph, rank, 1, b, ierror)
    CHECK(n == 1 .and. b(1) == other)
    call MPI_Graph_map(comm, size, index, edges, n, ierror)
    CHECK(n >= 0 .and. n < size)
    call neighbours(graph, other)
    call MPI_Comm_free(graph, ierror)
  end subroutine

  ! Each rank sends only to the next one.
  subroutine rings()
    IS_HANDLE(MPI_Comm) :: ring
    call MPI_Dist_graph_create(comm, 1, [rank], [1], [next], [rank + 3], MPI_INFO_NULL, .false., ring, ierror)
    call MPI_Dist_graph_neighbors(ring, 1, b(1:1), b(2:2), 1, c(1:1), c(2:2), ierror)
    CHECK(b(1) == previous .and. b(2) == previous + 3 .and. c(1) == next .and. c(2) == rank + 3)
    call neighbours(ring, previous)
    call MPI_Comm_free(ring, ierror)
  end subroutine

  subroutine grids()
    IS_HANDLE(MPI_Comm) :: grid
    integer :: dims(2), coords(2)
    logical :: periods(2)
    call MPI_Cart_create(comm, 2, [1, size], [.false., .true.], .false., grid, ierror)
    call MPI_Cartdim_get(grid, n, ierror)
    call MPI_Cart_coords(grid, rank, 2, coords, ierror)
    CHECK(n == 2 .and. coords(1) == 0 .and. coords(2) == rank)
    call MPI_Cart_rank(grid, [0, size + 1], n, ierror)
    CHECK(n == mod(1, size))
    call MPI_Cart_map(comm, 2, [1, size], [.false., .true.], n, ierror)
    CHECK(n >= 0 .and. n < size)
    call MPI_Cart_get(grid, 2, dims, periods, coords, ierror)
    CHECK(dims(2) == size .and. periods(2) .and. .not. periods(1))
    call MPI_Comm_free(grid, ierror)
  end subroutine

  ! Each neighborhood call, with one neighbor on each side.
  subroutine neighbours(graph, source)
    IS_HANDLE(MPI_Comm), intent(in) :: graph
    integer, intent(in) :: source
    IS_HANDLE(MPI_Datatype) :: types(1)
    integer(MPI_ADDRESS_KIND) :: bytes(1)
    integer :: first, k
    types = MPI_INTEGER
    bytes = 8
    first = 100 * source + 1
    do k = 1, 2
      call fill()
      if (k == 1) call MPI_Neighbor_allgather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, graph, ierror)
      if (k == 2) call MPI_Ineighbor_allgather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, graph, request, ierror)
      if (k == 2) call wait()
      CHECK(b(1) == first .and. b(2) == -1)
      b = -1
      if (k == 1) call MPI_Neighbor_allgatherv(a, 2, MPI_INTEGER, b, [2], [3], MPI_INTEGER, graph, ierror)
      if (k == 2) call MPI_Ineighbor_allgatherv(a, 2, MPI_INTEGER, b, twos, places(size:), MPI_INTEGER, graph, request, ierror)
      if (k == 2) call wait()
      if (k == 1) b(1:2) = b(4:5)
      CHECK(b(1) == first .and. b(2) == first + 1 .and. b(3) == -1)
      b = -1
      if (k == 1) call MPI_Neighbor_alltoall(a, 2, MPI_INTEGER, b, 2, MPI_INTEGER, graph, ierror)
      if (k == 2) call MPI_Ineighbor_alltoall(a, 2, MPI_INTEGER, b, 2, MPI_INTEGER, graph, request, ierror)
      if (k == 2) call wait()
      CHECK(b(1) == first .and. b(2) == first + 1 .and. b(3) == -1)
      b = -1
      if (k == 1) call MPI_Neighbor_alltoallv(a, ones, twos, MPI_INTEGER, b, ones, twos, MPI_INTEGER, graph, ierror)
      if (k == 2) call MPI_Ineighbor_alltoallv(a, ones, twos, MPI_INTEGER, b, ones, twos, MPI_INTEGER, graph, request, ierror)
      if (k == 2) call wait()
      CHECK(b(3) == first + 2 .and. b(2) == -1 .and. b(4) == -1)
      b = -1
      if (k == 1) call MPI_Neighbor_alltoallw(a, ones, bytes, types, b, ones, bytes, types, graph, ierror)
      if (k == 2) call MPI_Ineighbor_alltoallw(a, ones, bytes, types, b, ones, bytes, types, graph, request, ierror)
      if (k == 2) call wait()
      CHECK(b(3) == first + 2 .and. b(2) == -1 .and. b(4) == -1)
    end do
  end subroutine

  subroutine groups()
    IS_HANDLE(MPI_Group) :: all, first, rest, both
    IS_HANDLE(MPI_Comm) :: alone, told
    IS_HANDLE(MPI_Info) :: info
    integer :: triple(3, 1)
    call MPI_Comm_group(comm, all, ierror)
    call MPI_Group_incl(all, 1, [0], first, ierror)
    call MPI_Group_excl(all, 1, [0], rest, ierror)
    CHECK(in_group(rest) == size - 1)
    call MPI_Group_union(rest, first, both, ierror)
    call MPI_Group_compare(both, all, n, ierror)
    CHECK(n == merge(MPI_IDENT, MPI_SIMILAR, size == 1))
    call MPI_Group_free(both, ierror)
    call MPI_Group_intersection(first, rest, both, ierror)
    CHECK(both == MPI_GROUP_EMPTY .or. in_group(both) == 0)
    call MPI_Group_difference(all, rest, both, ierror)
    call MPI_Group_compare(both, first, n, ierror)
    CHECK(n == MPI_IDENT)
    call MPI_Group_free(both, ierror)
    triple(:, 1) = [0, size - 1, 2]
    call MPI_Group_range_excl(all, 1, triple, both, ierror)
    CHECK(in_group(both) == size / 2)
    call MPI_Comm_create(comm, first, alone, ierror)
    CHECK((rank == 0) .eqv. (alone /= MPI_COMM_NULL))
    if (rank == 0) call MPI_Comm_free(alone, ierror)
    call MPI_Group_free(all, ierror)
    call MPI_Group_free(first, ierror)
    if (size > 1) call MPI_Group_free(rest, ierror)
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, 'mpi_assert_no_any_tag', 'false', ierror)
    call MPI_Comm_dup_with_info(comm, info, told, ierror)
    call MPI_Comm_set_info(told, info, ierror)
    call MPI_Info_free(info, ierror)
    call MPI_Comm_get_info(told, info, ierror)
    CHECK(ierror == MPI_SUCCESS .and. info /= MPI_INFO_NULL)
    call MPI_Info_free(info, ierror)
    call MPI_Comm_free(told, ierror)
    CHECK(told == MPI_COMM_NULL)
  end subroutine

  integer function in_group(group)
    IS_HANDLE(MPI_Group), intent(in) :: group
    call MPI_Group_size(group, in_group, ierror)
  end function

  ! Between rank 0 and the others.
  subroutine intercommunicators()
    IS_HANDLE(MPI_Comm) :: side, inter, twin, merged
    IS_HANDLE(MPI_Group) :: group
    IS_HANDLE(MPI_Datatype) :: types(size)
    integer :: others, root, at(size)
    call MPI_Comm_split(comm, merge(0, 1, rank == 0), rank, side, ierror)
    call MPI_Intercomm_create(side, 0, comm, merge(1, 0, rank == 0), 7, inter, ierror)
    CHECK(ierror == MPI_SUCCESS)
    others = merge(size - 1, 1, rank == 0)
    call MPI_Comm_test_inter(inter, flag, ierror)
    call MPI_Comm_remote_size(inter, n, ierror)
    CHECK(flag .and. n == others)
    call MPI_Comm_remote_group(inter, group, ierror)
    CHECK(in_group(group) == others)
    call MPI_Group_free(group, ierror)
    call MPI_Comm_dup(inter, twin, ierror)
    call MPI_Comm_compare(inter, twin, n, ierror)
    CHECK(n == MPI_CONGRUENT)

    call fill()
    if (rank < 2) call MPI_Sendrecv(a, 2, MPI_INTEGER, 0, 1, b, 2, MPI_INTEGER, 0, 1, twin, status, ierror)
    CHECK(rank > 1 .or. (b(2) == 100 * (1 - rank) + 2 .and. SOURCE(status) == 0))
    root = merge(MPI_ROOT, 0, rank == 0)
    b = merge(a, -1, rank == 0)
    call MPI_Bcast(b, 2, MPI_INTEGER, root, twin, ierror)
    CHECK(b(1) == 1 .and. b(2) == 2)
    n = -1
    call MPI_Reduce(rank, n, 1, MPI_INTEGER, MPI_SUM, root, twin, ierror)
    CHECK(n == merge(size * (size - 1) / 2, -1, rank == 0))
    call MPI_Allgather(rank, 1, MPI_INTEGER, b, 1, MPI_INTEGER, twin, ierror)
    CHECK(all(b(:others) == merge([(i, i = 1, others)], 0, rank == 0)))
    ! one datatype for each member of the other group
    types = MPI_INTEGER
    at = [(4 * (i - 1), i = 1, size)]
    b = -1
    call MPI_Alltoallw(a, ones, at, types, b, ones, at, types, twin, ierror)
    CHECK(b(1) == merge(101, max(rank, 1), rank == 0) .and. b(others + 1) == -1)
    b = -1
    call MPI_Ialltoallw(a, ones, at, types, b, ones, at, types, twin, request, ierror)
    call wait()
    CHECK(b(1) == merge(101, max(rank, 1), rank == 0) .and. b(others + 1) == -1)

    call MPI_Intercomm_merge(inter, rank == 0, merged, ierror)
    call MPI_Comm_rank(merged, n, ierror)
    CHECK(n == merge(size - 1, rank - 1, rank == 0))
    call MPI_Comm_free(merged, ierror)
    call MPI_Comm_free(twin, ierror)
    call MPI_Comm_free(inter, ierror)
    call MPI_Comm_free(side, ierror)
    CHECK(inter == MPI_COMM_NULL)
  end subroutine

#ifdef FOUR
  subroutine start(name)
    character(*), intent(in) :: name
    if (ierror /= MPI_SUCCESS) print '(a)', name
    CHECK(ierror == MPI_SUCCESS .and. request /= MPI_REQUEST_NULL)
    do i = 1, 2
      b = -1
      call MPI_Start(request, ierror)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
      CHECK(ierror == MPI_SUCCESS .and. request /= MPI_REQUEST_NULL)
    end do
    call MPI_Request_free(request, ierror)
  end subroutine

  subroutine persistent()
    IS_HANDLE(MPI_Comm) :: ring
    IS_HANDLE(MPI_Datatype) :: types(size)
    IS_HANDLE(MPI_Info) :: info
    integer :: at(size)
    integer(MPI_ADDRESS_KIND) :: bytes(2)
    info = MPI_INFO_NULL
    types = MPI_INTEGER
    at = [(4 * (i - 1), i = 1, size)]
    bytes = [8, 0]
    call fill()
    call MPI_Barrier_init(comm, info, request, ierror)
    call start('MPI_Barrier_init')
    call MPI_Alltoall_init(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, comm, info, request, ierror)
    call start('MPI_Alltoall_init')
    CHECK(all(b(:size) == [(100 * (i - 1) + rank + 1, i = 1, size)]))
    call MPI_Alltoallv_init(a, ones, places, MPI_INTEGER, b, ones, places, MPI_INTEGER, comm, info, request, ierror)
    call start('MPI_Alltoallv_init')
    CHECK(all([(b(places(i) + 1) == 100 * (i - 1) + places(rank + 1) + 1, i = 1, size)]))
    call MPI_Alltoallw_init(a, ones, at, types, b, ones, at, types, comm, info, request, ierror)
    call start('MPI_Alltoallw_init')
    CHECK(all(b(:size) == [(100 * (i - 1) + rank + 1, i = 1, size)]))
    call MPI_Reduce_init(a, b, 1, MPI_INTEGER, MPI_MAX, 0, comm, info, request, ierror)
    call start('MPI_Reduce_init')
    CHECK(rank > 0 .or. b(1) == 100 * (size - 1) + 1)
    call MPI_Reduce_scatter_init(a, b, twos, MPI_INTEGER, MPI_MAX, comm, info, request, ierror)
    call start('MPI_Reduce_scatter_init')
    CHECK(b(1) == 100 * (size - 1) + 2 * rank + 1 .and. b(3) == -1)
    call MPI_Reduce_scatter_block_init(a, b, 1, MPI_INTEGER, MPI_MAX, comm, info, request, ierror)
    call start('MPI_Reduce_scatter_block_init')
    CHECK(b(1) == 100 * (size - 1) + rank + 1)
    call MPI_Scan_init(a, b, 1, MPI_INTEGER, MPI_MAX, comm, info, request, ierror)
    call start('MPI_Scan_init')
    CHECK(b(1) == a(1))
    call MPI_Exscan_init(a, b, 1, MPI_INTEGER, MPI_MAX, comm, info, request, ierror)
    call start('MPI_Exscan_init')
    CHECK(rank == 0 .or. b(1) == 100 * (rank - 1) + 1)
    c = a
    call MPI_Bcast_init(c, 2, MPI_INTEGER, size - 1, comm, info, request, ierror)
    call start('MPI_Bcast_init')
    CHECK(c(1) == 100 * (size - 1) + 1 .and. c(3) == a(3))

    call MPI_Dist_graph_create_adjacent(comm, 1, [previous], MPI_UNWEIGHTED, 1, [next], MPI_UNWEIGHTED, info, .false., ring, ierror)
    call MPI_Neighbor_allgather_init(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, ring, info, request, ierror)
    call start('MPI_Neighbor_allgather_init')
    CHECK(b(1) == 100 * previous + 1 .and. b(2) == -1)
    call MPI_Neighbor_allgatherv_init(a, 1, MPI_INTEGER, b, ones, [2], MPI_INTEGER, ring, info, request, ierror)
    call start('MPI_Neighbor_allgatherv_init')
    CHECK(b(3) == 100 * previous + 1 .and. b(2) == -1)
    call MPI_Neighbor_alltoall_init(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, ring, info, request, ierror)
    call start('MPI_Neighbor_alltoall_init')
    CHECK(b(1) == 100 * previous + 1)
    call MPI_Neighbor_alltoallv_init(a, ones, [4], MPI_INTEGER, b, ones, [2], MPI_INTEGER, ring, info, request, ierror)
    call start('MPI_Neighbor_alltoallv_init')
    CHECK(b(3) == 100 * previous + 5)
    call MPI_Neighbor_alltoallw_init(a, ones, bytes, types, b, ones, bytes, types, ring, info, request, ierror)
    call start('MPI_Neighbor_alltoallw_init')
    CHECK(b(3) == 100 * previous + 3)
    call MPI_Comm_free(ring, ierror)
  end subroutine

  subroutine persistent_gather()
    IS_HANDLE(MPI_Info) :: info
    info = MPI_INFO_NULL
    call fill()
    call MPI_Allgather_init(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, comm, info, request, ierror)
    call start('MPI_Allgather_init')
    CHECK(all(b(:size) == [(100 * (i - 1) + 1, i = 1, size)]))
    call MPI_Allgatherv_init(a, 2, MPI_INTEGER, b, twos, places, MPI_INTEGER, comm, info, request, ierror)
    call start('MPI_Allgatherv_init')
    CHECK(in_order(b))
    call MPI_Gather_init(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, 0, comm, info, request, ierror)
    call start('MPI_Gather_init')
    CHECK(rank > 0 .or. all(b(:size) == [(100 * (i - 1) + 1, i = 1, size)]))
    call MPI_Gatherv_init(a, 2, MPI_INTEGER, b, twos, places, MPI_INTEGER, 0, comm, info, request, ierror)
    call start('MPI_Gatherv_init')
    CHECK(rank > 0 .or. in_order(b))
    call MPI_Scatter_init(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, 0, comm, info, request, ierror)
    call start('MPI_Scatter_init')
    CHECK(b(1) == rank + 1)
    call MPI_Scatterv_init(a, twos, places, MPI_INTEGER, b, 2, MPI_INTEGER, 0, comm, info, request, ierror)
    call start('MPI_Scatterv_init')
    CHECK(b(1) == places(rank + 1) + 1 .and. b(2) == b(1) + 1)
  end subroutine

  subroutine later()
    IS_HANDLE(MPI_Comm) :: twin
    call fill()
    call MPI_Isendrecv_replace(a, 2, MPI_INTEGER, next, 3, previous, 3, comm, request, ierror)
    call wait()
    CHECK(a(1) == 100 * previous + 1 .and. a(3) == 100 * rank + 3)
    call MPI_Comm_idup_with_info(comm, MPI_INFO_NULL, twin, request, ierror)
    call wait()
    call MPI_Comm_size(twin, n, ierror)
    CHECK(n == size)
    call MPI_Comm_free(twin, ierror)
  end subroutine

  ! Partitions count from 0 in Fortran, too. Their counts are of kind MPI_COUNT_KIND.
  subroutine partitioned()
    integer(MPI_COUNT_KIND) :: two
#if defined(MPICH) && defined(MOD) /* 4.0 has an INTEGER there, in its module alone */
    integer :: here
#define IS_HERE here /= 0
#else
    logical :: here
#define IS_HERE here
#endif
    two = 2
    call fill()
    call MPI_Psend_init(a, 4, two, MPI_INTEGER, next, 9, comm, MPI_INFO_NULL, requests(1), ierror)
    call MPI_Precv_init(b, 4, two, MPI_INTEGER, previous, 9, comm, MPI_INFO_NULL, requests(2), ierror)
    CHECK(ierror == MPI_SUCCESS)
    do i = 1, 2
      b = -1
      call MPI_Startall(2, requests, ierror)
      call MPI_Pready_range(0, 1, requests(1), ierror)
      call MPI_Pready_list(1, [3], requests(1), ierror)
      call MPI_Parrived(requests(2), 2, here, ierror)
      CHECK(ierror == MPI_SUCCESS .and. .not. (IS_HERE))
      call MPI_Barrier(comm, ierror)
      call MPI_Pready(2, requests(1), ierror)
      do
        call MPI_Parrived(requests(2), 2, here, ierror)
        if (IS_HERE) exit
      end do
      CHECK(b(5) == 100 * previous + 5 .and. b(6) == 100 * previous + 6)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      CHECK(b(1) == 100 * previous + 1 .and. b(8) == 100 * previous + 8 .and. b(9) == -1)
    end do
    call MPI_Request_free(requests(1), ierror)
    call MPI_Request_free(requests(2), ierror)
  end subroutine
#endif
end program
