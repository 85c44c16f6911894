! outside: the clock, error texts, infos and added errors before MPI_INIT, between and after MPI_FINALIZE; prints "ok".
program outside
  implicit none
  include 'mpif.h'
  integer :: ierror, failures = 0
  double precision :: first

  first = mpi_wtime()
  call all_calls('before')
  call mpi_init(ierror)
  call all_calls('between')
  call mpi_finalize(ierror)
  call all_calls('after')
  if (failures == 0) print '(a)', 'ok'

contains

  subroutine must(condition, when, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: when, what
    if (.not. condition) then
      print '(3a)', when, ': ', what
      failures = failures + 1
    end if
  end subroutine

  subroutine all_calls(when)
    character(len=*), intent(in) :: when
    character(len=MPI_MAX_ERROR_STRING) :: text
    character(len=64) :: value
    integer :: length, class, info, other, version, subversion, n
    logical :: flag
    call must(mpi_wtime() - first > -5 .and. mpi_wtime() - first < 60, when, 'the clock')
    call must(mpi_wtick() > 0 .and. mpi_wtick() < 1, when, 'the resolution of the clock')
    call mpi_get_version(version, subversion, ierror)
    call must(ierror == MPI_SUCCESS .and. version >= 3, when, 'the version')
    call mpi_error_class(MPI_ERR_TRUNCATE, class, ierror)
    call must(ierror == MPI_SUCCESS .and. class == MPI_ERR_TRUNCATE, when, 'a class')
    call mpi_error_string(MPI_ERR_TRUNCATE, text, length, ierror)
    call must(ierror == MPI_SUCCESS .and. length > 0, when, 'the text of a class')
    call mpi_add_error_class(class, ierror)
    call must(ierror == MPI_SUCCESS, when, 'a class is added')
    call mpi_add_error_string(class, 'of the program', ierror)
    call mpi_error_string(class, text, length, ierror)
    call must(ierror == MPI_SUCCESS .and. text(1:length) == 'of the program', when, 'the text of an added class')
    call mpi_info_create(info, ierror)
    call must(ierror == MPI_SUCCESS, when, 'an info is created')
    call mpi_info_set(info, 'color', 'red', ierror)
    call mpi_info_dup(info, other, ierror)
    call mpi_info_get(other, 'color', 64, value, flag, ierror)
    call must(flag .and. value == 'red', when, 'the value of a key')
    call mpi_info_get_nkeys(other, n, ierror)
    call must(n == 1, when, 'the number of keys')
    call mpi_info_free(info, ierror)
    call mpi_info_free(other, ierror)
    call must(ierror == MPI_SUCCESS .and. other == MPI_INFO_NULL, when, 'an info is freed')
  end subroutine
end program
