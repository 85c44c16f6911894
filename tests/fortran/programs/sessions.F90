! A program with only a session, without MPI_Init, in mpi_f08 of Open MPI 5 by the names that its module calls, under
! Open MPI 4's module, in which a session is an INTEGER.
#include "checks.h"

module counts
  use checks
  implicit none
  integer :: handled = 0
contains
  subroutine on_error(session, code)
    integer :: session, code
    if (session /= 0 .and. code /= 0) handled = handled + 1
  end subroutine
end module

program sessions
  use mpi_f08
  use counts
  implicit none
  external :: mpi_session_init_f08, mpi_session_get_num_psets_f08, mpi_session_get_nth_pset_f08, mpi_group_from_session_pset_f08, &
    mpi_comm_create_from_group_f08, mpi_session_create_errhandler_f08, mpi_session_set_errhandler_f08, mpi_session_call_errhandler_f08, &
    mpi_session_finalize_f08, mpi_info_get_string_f08
  integer :: session, sets, length, rank, size, n, total, ierror
  type(MPI_Group) :: group
  type(MPI_Comm) :: comm
  type(MPI_Errhandler) :: errhandler
  type(MPI_Info) :: info
  character(32) :: text
  logical :: flag, found

  call mpi_session_init_f08(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierror)
  CHECK(ierror == MPI_SUCCESS .and. session /= 0)
  call mpi_session_get_num_psets_f08(session, MPI_INFO_NULL, sets, ierror)
  found = .false.
  do n = 0, sets - 1 ! a library may have more, and in another order
    length = 32
    call mpi_session_get_nth_pset_f08(session, MPI_INFO_NULL, n, length, text, ierror)
    found = found .or. text == 'mpi://WORLD'
  end do
  CHECK(found)
  call mpi_session_create_errhandler_f08(on_error, errhandler, ierror)
  call mpi_session_set_errhandler_f08(session, errhandler, ierror)
  call mpi_session_call_errhandler_f08(session, MPI_ERR_OTHER, ierror)
  CHECK(handled == 1)
  call MPI_Errhandler_free(errhandler)
  CHECK(errhandler == MPI_ERRHANDLER_NULL)
  call MPI_Info_create(info)
  call MPI_Info_set(info, ' key', 'some text ')
  length = 32
  call mpi_info_get_string_f08(info, 'key ', length, text, flag, ierror)
  CHECK(flag .and. text == 'some text')
  call MPI_Info_free(info)
  CHECK(info == MPI_INFO_NULL)
  call mpi_group_from_session_pset_f08(session, 'mpi://WORLD', group, ierror)
  call mpi_comm_create_from_group_f08(group, 'sessions', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call MPI_Comm_rank(comm, rank)
  call MPI_Comm_size(comm, size)
  call MPI_Allreduce(passed, total, 1, MPI_INTEGER, MPI_SUM, comm)
  CHECK(total == size * passed)
  call MPI_Comm_free(comm)
  call MPI_Group_free(group)
  call mpi_session_finalize_f08(session, ierror)
  CHECK(ierror == MPI_SUCCESS .and. session == 0)
  if (rank == 0) print '(i0, a)', passed, ' checks passed'
end program
