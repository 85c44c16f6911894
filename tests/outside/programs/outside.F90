! outside: the clock, error texts, infos, added errors and error handlers before MPI_INIT, between and after MPI_FINALIZE; prints "ok".
module notes
  implicit none
  integer :: calls = 0, last_comm = 0, last_code = 0
contains
  ! An error handler.
  subroutine note(comm, code)
    integer :: comm, code
    calls = calls + 1
    last_comm = comm
    last_code = code
  end subroutine
end module

program outside
  use notes
  implicit none
  include 'mpif.h'
  integer :: ierror, early, second, kept, failures = 0
  double precision :: first

  first = mpi_wtime()
  call all_calls('before')
  call mpi_comm_create_errhandler(note, early, ierror)
  call must(ierror == MPI_SUCCESS .and. early /= MPI_ERRHANDLER_NULL, 'before', 'an error handler is created')
  call mpi_comm_create_errhandler(note, second, ierror)
  call mpi_errhandler_free(second, ierror)
  call must(ierror == MPI_SUCCESS .and. second == MPI_ERRHANDLER_NULL, 'before', 'an error handler is freed')
  call mpi_info_create(kept, ierror)
  call mpi_info_set(kept, 'color', 'blue', ierror)
  call mpi_init(ierror)
  call all_calls('between')
  call early_handler
  call mpi_finalize(ierror)
  call all_calls('after')
  call kept_info
  call mpi_errhandler_free(early, ierror)
  call must(ierror == MPI_SUCCESS .and. early == MPI_ERRHANDLER_NULL, 'after', 'the error handler is freed')
  call mpi_comm_create_errhandler(note, second, ierror)
  call must(ierror == MPI_SUCCESS, 'after', 'an error handler is created')
  call mpi_errhandler_free(second, ierror)
  call must(ierror == MPI_SUCCESS .and. second == MPI_ERRHANDLER_NULL, 'after', 'an error handler is freed')
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

  ! The info that was created before MPI_INIT has its value after MPI_FINALIZE.
  subroutine kept_info
    character(len=64) :: value
    logical :: flag
    call mpi_info_get(kept, 'color', 64, value, flag, ierror)
    call must(flag .and. value == 'blue', 'after', 'the value of a key of a kept info')
    call mpi_info_free(kept, ierror)
    call must(ierror == MPI_SUCCESS .and. kept == MPI_INFO_NULL, 'after', 'a kept info is freed')
  end subroutine

  ! The error handler that was created before MPI_INIT serves a communicator.
  subroutine early_handler
    integer :: class, set
    call mpi_comm_set_errhandler(MPI_COMM_SELF, early, ierror)
    call must(ierror == MPI_SUCCESS, 'between', 'the error handler is set')
    call mpi_comm_get_errhandler(MPI_COMM_SELF, set, ierror)
    call must(ierror == MPI_SUCCESS .and. set == early, 'between', 'the error handler is returned')
    call mpi_errhandler_free(set, ierror)
    call mpi_comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER, ierror)
    call must(calls == 1 .and. last_comm == MPI_COMM_SELF, 'between', 'the error handler is called')
    call mpi_send(class, 1, MPI_INTEGER, 77, 1, MPI_COMM_SELF, ierror)
    call must(calls == 2, 'between', 'the error handler is called by an operation')
    call mpi_error_class(last_code, class, ierror)
    call must(class == MPI_ERR_RANK, 'between', 'the class of the error')
    call mpi_comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
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
