! fortran.F90: the calls of `make bench` in Fortran; calls.c has the rows, and the same in C.
! -DF08 has them by mpi_f08, else mpif.h has them.
#ifdef F08
#define BINDING use mpi_f08
#define HANDLE(kind) type(kind)
#define STATUSES(n) type(MPI_Status), dimension(n)
#define NUMBER(handle) handle%MPI_VAL
#define AT(i) i
#else
#define BINDING include 'mpif.h'
#define HANDLE(kind) integer
#define STATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#define NUMBER(handle) handle
#define AT(i) 1, i
#endif
module calls
  BINDING
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Datatype) :: datatype
  HANDLE(MPI_Request) :: requests(2)
  STATUSES(2) :: statuses
  STATUSES(1) :: received
  integer :: n, sink, ierror, in(4), out(4)
  logical :: flag
end module

! From here on with these handles. A message of that many elements has been received.
subroutine fortran_on(c_comm, c_datatype, c_n) bind(c)
  use calls
  use, intrinsic :: iso_c_binding
  integer(c_int), value :: c_comm, c_datatype, c_n
  NUMBER(comm) = c_comm
  NUMBER(datatype) = c_datatype
  n = c_n
  call MPI_Sendrecv(out, n, datatype, 0, 1, in, n, datatype, 0, 1, comm, received(AT(1)), ierror)
end subroutine

subroutine fortran_comm_rank() bind(c)
  use calls
  call MPI_Comm_rank(comm, sink, ierror)
end subroutine

subroutine fortran_get_count() bind(c)
  use calls
  call MPI_Get_count(received(AT(1)), datatype, sink, ierror)
end subroutine

subroutine fortran_send() bind(c)
  use calls
  call MPI_Send(out, n, datatype, 0, 4, comm, ierror)
end subroutine

subroutine fortran_recv() bind(c)
  use calls
  call MPI_Recv(in, n, datatype, 0, 4, comm, MPI_STATUS_IGNORE, ierror)
end subroutine

subroutine fortran_recv_status() bind(c)
  use calls
  call MPI_Recv(in, n, datatype, 0, 4, comm, statuses(AT(1)), ierror)
end subroutine

subroutine fortran_isend() bind(c)
  use calls
  call MPI_Isend(out, n, datatype, 0, 4, comm, requests(2), ierror)
end subroutine

subroutine fortran_irecv() bind(c)
  use calls
  call MPI_Irecv(in, n, datatype, 0, 4, comm, requests(1), ierror)
end subroutine

subroutine fortran_wait_for(i) bind(c)
  use calls
  use, intrinsic :: iso_c_binding
  integer(c_int), value :: i
  call MPI_Wait(requests(i + 1), MPI_STATUS_IGNORE, ierror)
end subroutine

subroutine fortran_wait() bind(c)
  use calls
  call MPI_Wait(requests(1), statuses(AT(1)), ierror)
end subroutine

subroutine fortran_test() bind(c)
  use calls
  call MPI_Test(requests(1), flag, statuses(AT(1)), ierror)
end subroutine

subroutine fortran_iprobe() bind(c)
  use calls
  call MPI_Iprobe(0, 4, comm, flag, statuses(AT(1)), ierror)
end subroutine

subroutine fortran_waitall() bind(c)
  use calls
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
end subroutine

subroutine fortran_waitall_statuses() bind(c)
  use calls
  call MPI_Waitall(2, requests, statuses, ierror)
end subroutine

subroutine fortran_sendrecv() bind(c)
  use calls
  call MPI_Sendrecv(out, n, datatype, 0, 3, in, n, datatype, 0, 3, comm, statuses(AT(1)), ierror)
end subroutine

subroutine fortran_allreduce() bind(c)
  use calls
  call MPI_Allreduce(out, in, 1, MPI_INTEGER, MPI_SUM, comm, ierror)
end subroutine

subroutine fortran_allreduce_in_place() bind(c)
  use calls
  call MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_INTEGER, MPI_SUM, comm, ierror)
end subroutine
