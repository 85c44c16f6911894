! Sections of arrays in the memory of a device (device.h) as choice buffers of mpi_f08, which
! wi4go passes as a datatype, or as a copy that the MPI library packs. The argument is the
! directory with wi4go's libraries.
#define CHECK(x) call checked(x, __LINE__)

program device_sections
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine device_start(forbidden) bind(C)
      import :: c_char
      character(kind=c_char) :: forbidden(*)
    end subroutine
    function device_memory(ints) bind(C) result(p)
      import :: c_ptr, c_int
      integer(c_int), value :: ints
      type(c_ptr) :: p
    end function
    function device_host(p) bind(C) result(host)
      import :: c_ptr
      type(c_ptr), value :: p
      type(c_ptr) :: host
    end function
  end interface
  integer, pointer :: a(:, :), b(:, :), of_a(:, :), of_b(:, :) ! the last two are the open places of the first two
  integer :: me, ranks, i, at, checks = 0, failures = 0, all_failures
  character(1024) :: directory
  type(c_ptr) :: p

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call get_command_argument(1, directory)
  call device_start(trim(directory) // c_null_char)
  p = device_memory(30)
  call c_f_pointer(p, a, [6, 5])
  call c_f_pointer(device_host(p), of_a, [6, 5])
  p = device_memory(30)
  call c_f_pointer(p, b, [6, 5])
  call c_f_pointer(device_host(p), of_b, [6, 5])
  of_a = reshape([(100 * me + i, i = 1, 30)], [6, 5])

  ! one count and one datatype: a datatype
  of_b = -1
  call MPI_Sendrecv(a(::2, 2), 3, MPI_INTEGER, me, 1, b(1:3, 1), 3, MPI_INTEGER, me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  CHECK(all(of_b(1:3, 1) == of_a(::2, 2)) .and. count(of_b == -1) == 27)

  ! the packed data have a size only, so they are a copy
  of_b = -1
  at = 0
  call MPI_Pack(a(1:3, 1), 3, MPI_INTEGER, b(6:1:-2, 1:3:2), 24, at, MPI_COMM_WORLD)
  CHECK(at == 12 .and. all(of_b(6:1:-2, 1) == of_a(1:3, 1)) .and. count(of_b == -1) == 27)
  at = 0
  call MPI_Unpack(b(6:1:-2, 1:3:2), 24, at, b(1:3, 5), 3, MPI_INTEGER, MPI_COMM_WORLD)
  CHECK(at == 12 .and. all(of_b(1:3, 5) == of_a(1:3, 1)) .and. count(of_b == -1) == 24)

  ! a reduction takes its buffers in parts
  of_b = -1
  call MPI_Allreduce(a(::2, 3), b(::2, 4), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  CHECK(all(of_b(::2, 4) == [(100 * (ranks * (ranks - 1) / 2) + ranks * (12 + i), i = 1, 5, 2)]) .and. count(of_b == -1) == 27)

  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Finalize()
  if (me == 0 .and. all_failures == 0) print '(i0, a)', checks, ' checks passed'
  if (all_failures > 0) error stop 1
contains
  subroutine checked(right, line)
    logical, intent(in) :: right
    integer, intent(in) :: line
    checks = checks + 1
    if (right) return
    failures = failures + 1
    print '(a, i0, a, i0, 30i6)', 'line ', line, ', rank ', me, of_b
  end subroutine
end program
