! Negative integers that stand for no request are refused as the library refuses them, by the program's error handler,
! whatever requests existed before.
#include "check.h"

program refused
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer, parameter :: numbers(*) = [-1, -2, -12345, -1342177280, -1409286145, -huge(1)]
  IS_HANDLE(MPI_Request) :: request, both(2)
  IS_STATUS(status)
  IS_STATUSES(statuses, 2)
  integer :: i, n, passed, ierror
  logical :: flag

  passed = 0
  call MPI_Init(ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
  do i = 1, 2
    do n = 1, size(numbers)
      NUMBER(request) = numbers(n)
      call MPI_Wait(request, status, ierror)
      call refuses('Wait')
      call MPI_Test(request, flag, status, ierror)
      call refuses('Test')
      call MPI_Start(request, ierror)
      call refuses('Start')
      both = MPI_REQUEST_NULL
      NUMBER(both(2)) = numbers(n)
      call MPI_Waitall(2, both, statuses, ierror)
      call refuses('Waitall')
    end do
    call MPI_Irecv(n, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, request, ierror)
    call MPI_Wait(request, status, ierror)
    call MPI_Recv_init(n, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request, ierror)
    call MPI_Request_free(request, ierror)
  end do
  print '(i0, a)', passed, ' checks passed'
  call MPI_Finalize(ierror)
contains
  subroutine refuses(call)
    character(*), intent(in) :: call
    integer :: class, e
    call MPI_Error_class(ierror, class, e)
    if (class /= MPI_ERR_REQUEST) then
      print '(a, a, i0, a, i0)', call, ' of request ', numbers(n), ': error class ', class
      call exit(1)
    end if
    passed = passed + 1
  end subroutine
end program
