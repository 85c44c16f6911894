! Sections of arrays as choice buffers of mpi_f08, in each kind of call.
module checks
  implicit none
  integer :: passed = 0
contains
  subroutine check(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (.not. right) then
      print '(3a)', 'sections.f90: ', what, ': wrong'
      call exit(1)
    end if
    passed = passed + 1
  end subroutine
end module

program sections
  use mpi_f08
  use checks
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, size, next, previous, i, j, k, n, ierror
  integer, asynchronous :: a(6, 5), b(6, 5), cube(4, 3, 4), other(4, 3, 4), line(40)
  integer :: few(4)
  integer, allocatable :: blocks(:, :)
  integer, pointer :: every(:)
  integer(MPI_COUNT_KIND) :: large
  integer(MPI_ADDRESS_KIND) :: lower, extent
  character(3) :: words(6), heard(6)
  character(20) :: name
  complex :: z(4)
  real :: parts(4)
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(MPI_Datatype) :: pair
  type(MPI_Win) :: win
  type(MPI_File) :: file
  type(c_ptr) :: memory

  call MPI_Init
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  call check(MPI_SUBARRAYS_SUPPORTED .and. MPI_ASYNC_PROTECTS_NONBLOCKING, 'constants')
  a = reshape([(i, i = 1, 30)], [6, 5])

  ! strided in both dimensions, then reversed
  b = 0
  call MPI_Sendrecv(a(1:6:2, 2:5:2), 6, MPI_INTEGER, next, 1, b(2:6:2, 1:2), 6, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, status)
  call check(all(b(2:6:2, 1:2) == a(1:6:2, 2:5:2)) .and. count(b /= 0) == 6, 'strided in two dimensions')
  call MPI_Get_count(status, MPI_INTEGER, n)
  call check(n == 6, 'count')
  call MPI_Get_elements(status, MPI_INTEGER, n)
  call check(n == 6, 'elements')
  b = 0
  call MPI_Irecv(b(:, 5), 6, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(a(6:1:-1, 3), 6, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call check(all(b(:, 5) == a(6:1:-1, 3)), 'reversed')
  b = 0
  call MPI_Irecv(b(2, :), 5, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(a(:, 5:1:-2), 18, MPI_INTEGER, MPI_PROC_NULL, 2, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(1, requests(2:2), MPI_STATUSES_IGNORE)
  call MPI_Send(a(3, 5:1:-1), 5, MPI_INTEGER, next, 2, MPI_COMM_WORLD)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call check(all(b(2, :) == a(3, 5:1:-1)) .and. count(b /= 0) == 5, 'rows')

  ! three dimensions; a part of a row, and of a plane
  cube = reshape([(i, i = 1, 48)], [4, 3, 4])
  do n = 1, 12
    other = 0
    line = 0
    call MPI_Irecv(other(4:1:-2, :, 1:4:2), n, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, requests(1))
    call MPI_Send(cube(1:3:2, 3:1:-1, 2:4:2), n, MPI_INTEGER, next, 3, MPI_COMM_WORLD)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    line(:12) = reshape(other(4:1:-2, :, 1:4:2), [12])
    call check(all(line(:n) == [(cube(1 + 2 * mod(i, 2), 3 - mod(i / 2, 3), 2 + 2 * (i / 6)), i = 0, n - 1)]), 'part of three dimensions')
    call check(count(other /= 0) == n, 'no more than that part')
  end do
  call MPI_Send(cube(1:3:2, 1, 1), 3, MPI_INTEGER, MPI_PROC_NULL, 3, MPI_COMM_WORLD, ierror)
  call check(ierror == MPI_ERR_BUFFER, 'more than the section has')

  ! another datatype than that for the elements
  b = 0
  call MPI_Sendrecv(a(:, 1:5:2), 18 * 4, MPI_BYTE, next, 4, b(:, 1:5:2), 72, MPI_BYTE, previous, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call check(all(b(:, 1:5:2) == a(:, 1:5:2)) .and. count(b /= 0) == 18, 'bytes')
  call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND, pair)
  call MPI_Type_commit(pair)
  call MPI_Type_get_extent(pair, lower, extent)
  call check(lower == 0 .and. extent == 8, 'extent')
  call MPI_Sendrecv(a(1:6:2, 1), 1, pair, next, 4, b, 1, MPI_INTEGER, previous, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call check(ierror == MPI_SUCCESS .and. b(1, 1) == 1, 'a datatype with gaps')
  call MPI_Isend(a(1:6:2, 1), 1, pair, MPI_PROC_NULL, 4, MPI_COMM_WORLD, requests(1), ierror)
  call check(ierror == MPI_ERR_BUFFER, 'a datatype with gaps without waiting')
  call MPI_Send(a(1:6:2, 1), 3, pair, MPI_PROC_NULL, 4, MPI_COMM_WORLD, ierror)
  call check(ierror == MPI_ERR_BUFFER, 'data behind the section')
  call MPI_Send(a(:, 1), 1, pair, MPI_PROC_NULL, 4, MPI_COMM_WORLD, ierror)
  call check(ierror == MPI_SUCCESS, 'the same without gaps in the buffer')
  call MPI_Type_free(pair)
  words = [('ab'//achar(96 + i), i = 1, 6)]
  heard = ''
  call MPI_Sendrecv(words(1:6:2), 9, MPI_CHARACTER, next, 5, heard(6:1:-2), 9, MPI_CHARACTER, previous, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call check(all(heard(6:1:-2) == words(1:6:2)) .and. all(heard(1:5:2) == ''), 'strings')
  call MPI_Sendrecv(words(:)(2:2), 6, MPI_CHARACTER, next, 5, heard(:)(3:3), 6, MPI_CHARACTER, previous, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call check(all(heard(:)(3:3) == 'b'), 'substrings')
  z = [(cmplx(i, -i), i = 1, 4)]
  call MPI_Sendrecv(z%im, 4, MPI_REAL, next, 6, parts, 4, MPI_REAL, previous, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call check(all(parts == [-1, -2, -3, -4]), 'parts')
  large = 3
  b = 0
  call MPI_Sendrecv(a(1:6:2, 1), large, MPI_INTEGER, next, 7, b(1, 1:3), large, MPI_INTEGER, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call check(all(b(1, 1:3) == a(1:6:2, 1)), 'large counts')

  ! collective: one rank's block by a datatype, the blocks of all ranks by a copy
  allocate (blocks(2, 2 * size))
  blocks = 0
  few = [rank, -7, rank + 100, -7]
  call MPI_Allgather(few(1:3:2), 2, MPI_INTEGER, blocks(2, :), 2, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(blocks(2, 1::2) == [(i, i = 0, size - 1)]) .and. all(blocks(2, 2::2) == [(100 + i, i = 0, size - 1)]) .and. all(blocks(1, :) == 0), 'allgather')
  few = -1
  blocks(1, :) = [(10 * rank + i / 2, i = 0, 2 * size - 1)]
  call MPI_Alltoall(blocks(1, :), 2, MPI_INTEGER, blocks(2, :), 2, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(blocks(2, 1::2) == [(10 * i + rank, i = 0, size - 1)]), 'alltoall')
  call MPI_Ialltoall(blocks(1, :), 2, MPI_INTEGER, blocks(2, :), 2, MPI_INTEGER, MPI_COMM_WORLD, requests(1), ierror)
  call check(ierror == MPI_ERR_BUFFER, 'blocks of several ranks without waiting')
  b = 0
  if (rank == 0) b(3, :) = [1, 2, 3, 4, 5]
  call MPI_Bcast(b(3, :), 5, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call check(all(b(3, :) == [1, 2, 3, 4, 5]) .and. count(b /= 0) == 5, 'bcast')
  call MPI_Allreduce(a(1, :), b(3, :), 5, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call check(ierror == MPI_SUCCESS .and. all(b(3, :) == size * a(1, :)), 'reductions')
  call MPI_Iallreduce(a(1, :), b(3, :), 5, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), ierror)
  call check(ierror == MPI_ERR_BUFFER .and. all(b(3, :) == size * a(1, :)), 'reductions without waiting')
  line = 1
  call MPI_Allreduce(MPI_IN_PLACE, line(3:5), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(all(line(3:5) == size) .and. line(2) == 1 .and. line(6) == 1, 'in place')

  ! packed and unpacked
  n = 0
  line = 0
  call MPI_Pack(a(2, :), 5, MPI_INTEGER, line(1:40:1), 160, n, MPI_COMM_WORLD)
  call MPI_Pack_external('external32', a(1:6:3, 1), 2, MPI_INTEGER, line(20:), 80_MPI_ADDRESS_KIND, extent)
  i = 0
  b = 0
  call MPI_Unpack(line, n, i, b(4, :), 5, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(b(4, :) == a(2, :)) .and. i == n, 'packed')

  ! the address of a section, and both halves of a file operation; each rank has a file of its own, as its close removes it
  call MPI_Get_address(a(3:6:2, 2), extent)
  call MPI_Get_address(a(3, 2), lower)
  call check(extent == lower, 'address')
  write (name, '(a, i0)') 'sections.data.', rank
  call MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE + MPI_MODE_UNIQUE_OPEN, MPI_INFO_NULL, file)
  call MPI_File_write_at_all_begin(file, 0_MPI_OFFSET_KIND, a(1:6:2, 2), 3, MPI_INTEGER)
  call MPI_File_write_at_all_end(file, a(1:6:2, 2), MPI_STATUS_IGNORE, ierror)
  call check(ierror == MPI_SUCCESS, 'written')
  line = 0
  call MPI_File_read_at(file, 0_MPI_OFFSET_KIND, line, 3, MPI_INTEGER, MPI_STATUS_IGNORE)
  call check(all(line(:4) == [7, 9, 11, 0]), 'file')
  call MPI_File_close(file)

  ! memory by its address, and a window
  extent = 64
  call MPI_Win_allocate(extent, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win)
  call c_f_pointer(memory, every, [16])
  every = 0
  call MPI_Win_fence(0, win)
  call MPI_Put(a(1:6:2, 2), 3, MPI_INTEGER, next, 1_MPI_ADDRESS_KIND, 3, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  call check(all(every(:5) == [0, 7, 9, 11, 0]), 'put')
  call MPI_Win_free(win)
  call MPI_Win_create(a(1:6:2, :), 60_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
  call check(ierror == MPI_ERR_BUFFER, 'a window')
  do j = 1, 2
    do k = 1, 2
      call MPI_Sizeof(a, n, ierror)
      call MPI_Type_size(MPI_INTEGER, i)
      call check(n == i, 'sizeof')
    end do
  end do

  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  call MPI_Finalize
  if (rank == 0) print '(i0, a)', n, ' checks passed'
end program
