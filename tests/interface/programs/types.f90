! The contents of the modules other than procedures.
module with_mpi
  use mpi
  implicit none
contains
  function is_right() result(right)
    logical :: right
    type(MPI_Comm) :: comm
    integer :: bytes, ierror
    real(8) :: x(3, 2)
    character :: c
    comm%MPI_VAL = MPI_COMM_SELF
    right = comm == MPI_Comm(MPI_COMM_SELF) .and. comm /= MPI_Comm(MPI_COMM_WORLD)
    call MPI_Sizeof(x, bytes, ierror)
    right = right .and. bytes == 8 .and. ierror == MPI_SUCCESS
    call MPI_Sizeof(c, bytes, ierror)
    right = right .and. bytes == 1 .and. .not. MPI_SUBARRAYS_SUPPORTED
  end function
end module

program types
  use mpi_f08
  use with_mpi, only: is_right
  implicit none
  type pair
    type(MPI_Comm) :: comm
    type(MPI_Request) :: request = MPI_REQUEST_NULL
  end type
  type(pair) :: one, other
  type(MPI_Datatype) :: several(3)
  type(MPI_Status) :: status
  integer :: numbers(MPI_STATUS_SIZE), bytes
  call MPI_Init()
  one%comm = MPI_COMM_WORLD
  other = one
  several = MPI_INTEGER
  if (other%comm /= MPI_COMM_WORLD .or. .not. all(several == MPI_INTEGER)) stop 1
  if (other%request /= MPI_REQUEST_NULL) stop 2
  if (bits(one%comm) /= 32 .or. bits(status) /= 256 .or. bits(MPI_INFO_NULL) /= 32) stop 3
  status%MPI_TAG = 7
  call MPI_Status_f082f(status, numbers)
  if (numbers(MPI_TAG) /= 7) stop 4
  call MPI_Sizeof(numbers, bytes)
  if (bytes /= 4 .or. .not. is_right()) stop 5
  call MPI_Finalize()
  print '(a)', 'types: right'
contains
  integer function bits(any)
    class(*), intent(in) :: any
    bits = storage_size(any)
  end function
end program
