! The functions that MPI-3.0 removed, in Fortran.
program removed
  implicit none
  include 'mpif.h'
  integer :: ierr, t, e, lb, ub, ext, a, b(4), c, errh, old, disp(2), types(2), lens(2)
  integer :: seen
  external handler
  common /count/ seen
  seen = 0
  call MPI_INIT(ierr)
  call MPI_TYPE_HVECTOR(3, 1, 8, MPI_INTEGER, t, ierr)
  call MPI_TYPE_EXTENT(t, ext, ierr)
  call MPI_TYPE_LB(t, lb, ierr)
  call MPI_TYPE_UB(t, ub, ierr)
  if (ext /= 20 .or. lb /= 0 .or. ub /= 20) stop 1
  call MPI_TYPE_FREE(t, ierr)
  lens = (/ 1, 2 /); disp = (/ 4, 16 /)
  call MPI_TYPE_HINDEXED(2, lens, disp, MPI_INTEGER, t, ierr)
  call MPI_TYPE_LB(t, lb, ierr)
  call MPI_TYPE_UB(t, ub, ierr)
  if (lb /= 4 .or. ub /= 24) stop 2
  call MPI_TYPE_FREE(t, ierr)
  types = (/ MPI_INTEGER, MPI_DOUBLE_PRECISION /); disp = (/ 0, 8 /)
  call MPI_TYPE_STRUCT(2, lens, disp, types, t, ierr)
  call MPI_TYPE_EXTENT(t, ext, ierr)
  if (ext /= 24) stop 3
  call MPI_TYPE_FREE(t, ierr)
  call MPI_ERRHANDLER_CREATE(handler, errh, ierr)
  call MPI_ERRHANDLER_SET(MPI_COMM_WORLD, errh, ierr)
  call MPI_ERRHANDLER_GET(MPI_COMM_WORLD, old, ierr)
  call MPI_ERRHANDLER_FREE(errh, ierr)
  call MPI_ERRHANDLER_FREE(old, ierr)
  call MPI_SEND(b, 1, MPI_INTEGER, 99, 0, MPI_COMM_WORLD, ierr)
  if (seen /= 1) stop 4
  call MPI_FINALIZE(ierr)
  print '(a)', 'removed: right'
end program
subroutine handler(comm, code)
  integer :: comm, code, seen
  common /count/ seen
  seen = seen + 1
end subroutine
