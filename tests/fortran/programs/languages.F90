! Handles, statuses and callbacks across languages (MPI-5.0, 19.3): one language creates objects, the other uses and
! completes them. languages.c has the C side.
#include "check.h"
#include "checks.h"

module counts
  use checks
  implicit none
  integer :: handled = 0, copied = 0, seen = 0
end module

module callbacks
  use, intrinsic :: iso_c_binding
  use counts
  implicit none
contains
  ! the smallest number, only of integers
#ifdef F08
  subroutine smallest(in, inout, n, datatype)
    IN_BINDING
    type(c_ptr), value :: in, inout
    integer :: n
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(in, a, [n])
    call c_f_pointer(inout, b, [n])
#else
  subroutine smallest(a, b, n, datatype)
    IN_BINDING
    integer :: n, datatype
    integer :: a(n), b(n)
#endif
    if (datatype == MPI_INTEGER) b = min(a, b)
  end subroutine

  subroutine on_error(comm, code)
    IN_BINDING
    IS_HANDLE(MPI_Comm) :: comm
    integer :: code
    if (code == MPI_ERR_OTHER) handled = NUMBER(comm)
  end subroutine

  subroutine copy(comm, keyval, extra, in, out, flag, ierror)
    IN_BINDING
    IS_HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    copied = copied + 1
    seen = NUMBER(comm)
    out = in + extra
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
end module

program languages
  USE_MPI
  use, intrinsic :: iso_c_binding
  use counts
  use callbacks
  implicit none
  INCLUDE_MPI
  interface
    subroutine c_receive(comm, datatype, source, tag, values, count, status) bind(c)
      import
      integer(c_int), value :: comm, datatype, source, tag, count
      integer(c_int) :: values(*)
      type(c_ptr), value :: status
    end subroutine
    subroutine c_read(status, datatype, read) bind(c)
      import
      type(c_ptr), value :: status
      integer(c_int), value :: datatype
      integer(c_int) :: read(4)
    end subroutine
    integer(c_int) function c_send(comm, datatype, values, count, target, tag) bind(c)
      import
      integer(c_int), value :: comm, datatype, count, target, tag
      integer(c_int) :: values(*)
    end function
    subroutine c_start(request) bind(c)
      import
      integer(c_int) :: request
    end subroutine
    subroutine c_wait(request, status) bind(c)
      import
      integer(c_int) :: request
      type(c_ptr), value :: status
    end subroutine
    subroutine c_receive_message(message, values, count) bind(c)
      import
      integer(c_int) :: message, values(*)
      integer(c_int), value :: count
    end subroutine
    integer(c_int) function c_three(datatype) bind(c)
      import
      integer(c_int), value :: datatype
    end function
    integer(c_int) function c_operation() bind(c)
      import
    end function
    integer(c_int) function c_reduce(comm, datatype, op, number) bind(c)
      import
      integer(c_int), value :: comm, datatype, op, number
    end function
    integer(c_int) function c_group_size(group) bind(c)
      import
      integer(c_int), value :: group
    end function
    integer(c_int) function c_last(comm) bind(c)
      import
      integer(c_int), value :: comm
    end function
    integer(c_int) function c_duplicate(comm) bind(c)
      import
      integer(c_int), value :: comm
    end function
    integer(c_int) function c_info(info) bind(c)
      import
      integer(c_int), value :: info
    end function
    integer(c_int) function c_new_info() bind(c)
      import
    end function
    integer(c_int) function c_errhandler() bind(c)
      import
    end function
    integer(c_int) function c_handled() bind(c)
      import
    end function
    subroutine c_call_errhandler(comm, errhandler) bind(c)
      import
      integer(c_int), value :: comm, errhandler
    end subroutine
    subroutine c_put(win, to, number) bind(c)
      import
      integer(c_int), value :: win, to, number
    end subroutine
    subroutine c_write(file, at, number, status) bind(c)
      import
      integer(c_int), value :: file, at, number
      type(c_ptr), value :: status
    end subroutine
  end interface
  integer, external :: c_ignores
  integer :: rank, size, next, previous, n, keyval, ierror, a(6), b(6), read(4)
  integer, allocatable :: window(:)
  integer(MPI_ADDRESS_KIND) :: extra, value
  integer(MPI_OFFSET_KIND) :: offset
  logical :: flag
  character(20) :: text
  IS_HANDLE(MPI_Comm) :: comm, twin
  IS_HANDLE(MPI_Datatype) :: three
  IS_HANDLE(MPI_Errhandler) :: errhandler
  IS_HANDLE(MPI_File) :: file
  IS_HANDLE(MPI_Group) :: group
  IS_HANDLE(MPI_Info) :: info
  IS_HANDLE(MPI_Message) :: message
  IS_HANDLE(MPI_Op) :: op
  IS_HANDLE(MPI_Request) :: request
  IS_HANDLE(MPI_Win) :: win
  IS_STATUS(status)
  target :: status

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)

  ! statuses: of C's calls in Fortran, of Fortran's in C
  a = [(10 * rank + n, n = 1, 6)]
  b = -1
  call MPI_Isend(a, 5, MPI_INTEGER, next, 7, comm, request, ierror)
  call c_receive(NUMBER(comm), NUMBER(MPI_INTEGER), MPI_ANY_SOURCE, MPI_ANY_TAG, b, 6, c_loc(status))
  CHECK(SOURCE(status) == previous .and. TAG(status) == 7 .and. b(5) == 10 * previous + 5)
  call MPI_Get_count(status, MPI_INTEGER, n, ierror)
  CHECK(n == 5)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_Sendrecv(a, 4, MPI_INTEGER, next, 8, b, 6, MPI_INTEGER, previous, 8, comm, status, ierror)
  call c_read(c_loc(status), NUMBER(MPI_INTEGER), read)
  CHECK(read(1) == previous .and. read(2) == 8 .and. read(3) == 4 .and. read(4) == 0)
  call MPI_Recv(b, 1, MPI_INTEGER, MPI_PROC_NULL, MPI_ANY_TAG, comm, status, ierror)
  call c_read(c_loc(status), NUMBER(MPI_INTEGER), read)
  CHECK(read(1) == MPI_PROC_NULL .and. read(2) == MPI_ANY_TAG .and. read(3) == 0)
#if !defined(F08) && !defined(MPIABI)
  CHECK(c_ignores(MPI_STATUS_IGNORE) == 1 .and. c_ignores(status) == 0)
#endif

  ! requests: C's completed in Fortran, Fortran's in C
  NUMBER(request) = c_send(NUMBER(comm), NUMBER(MPI_INTEGER), a, 2, next, 9)
  call MPI_Recv(b, 2, MPI_INTEGER, previous, 9, comm, status, ierror)
  CHECK(b(2) == 10 * previous + 2)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  CHECK(request == MPI_REQUEST_NULL)
  call MPI_Irecv(b, 3, MPI_INTEGER, previous, 10, comm, request, ierror)
  call MPI_Send(a, 3, MPI_INTEGER, next, 10, comm, ierror)
  call c_wait(NUMBER(request), c_loc(status))
  CHECK(request == MPI_REQUEST_NULL .and. TAG(status) == 10 .and. b(3) == 10 * previous + 3)
  call MPI_Recv_init(b, 4, MPI_INTEGER, previous, 11, comm, request, ierror)
  call c_start(NUMBER(request))
  call MPI_Send(a, 4, MPI_INTEGER, next, 11, comm, ierror)
  call c_wait(NUMBER(request), c_loc(status))
  CHECK(request /= MPI_REQUEST_NULL .and. TAG(status) == 11 .and. b(4) == 10 * previous + 4)
  call MPI_Request_free(request, ierror)
  call MPI_Isend(a, 2, MPI_INTEGER, next, 12, comm, request, ierror)
  call MPI_Mprobe(previous, 12, comm, message, status, ierror)
  b = -1
  call c_receive_message(NUMBER(message), b, 2)
  CHECK(message == MPI_MESSAGE_NULL .and. b(2) == 10 * previous + 2)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)

  ! datatypes and operations
  NUMBER(three) = c_three(NUMBER(MPI_INTEGER))
  call MPI_Type_size(three, n, ierror)
  CHECK(n == 12)
  call MPI_Sendrecv(a, 2, three, next, 13, b, 2, three, previous, 13, comm, status, ierror)
  call c_read(c_loc(status), NUMBER(three), read)
  CHECK(b(6) == 10 * previous + 6 .and. read(3) == 2)
  call MPI_Type_free(three, ierror)
  NUMBER(op) = c_operation()
  call MPI_Allreduce(rank, n, 1, MPI_INTEGER, op, comm, ierror)
  CHECK(n == size - 1)
  call MPI_Op_free(op, ierror)
  call MPI_Op_create(smallest, .true., op, ierror)
  CHECK(c_reduce(NUMBER(comm), NUMBER(MPI_INTEGER), NUMBER(op), rank + 5) == 5)
  call MPI_Op_free(op, ierror)
  CHECK(c_reduce(NUMBER(comm), NUMBER(MPI_INTEGER), NUMBER(MPI_SUM), 2) == 2 * size)

  ! groups, infos, communicators, with a Fortran callback that C causes
  call MPI_Comm_group(comm, group, ierror)
  CHECK(c_group_size(NUMBER(group)) == size)
  call MPI_Group_free(group, ierror)
  NUMBER(group) = c_last(NUMBER(comm))
  call MPI_Group_rank(group, n, ierror)
  CHECK(n == merge(0, MPI_UNDEFINED, rank == size - 1))
  call MPI_Group_free(group, ierror)
  CHECK(group == MPI_GROUP_NULL)
  call MPI_Info_create(info, ierror)
  call MPI_Info_set(info, ' fortran', ' a word ', ierror)
  CHECK(c_info(NUMBER(info)) == 6)
  call MPI_Info_get(info, 'c', 20, text, flag, ierror)
  CHECK(flag .and. text == 'a word')
  call MPI_Info_free(info, ierror)
  NUMBER(info) = c_new_info()
  call MPI_Info_get(info, 'c', 20, text, flag, ierror)
  CHECK(flag .and. text == 'made here')
  call MPI_Info_free(info, ierror)
  extra = 3
  call MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, keyval, extra, ierror)
  value = 4
  call MPI_Comm_set_attr(comm, keyval, value, ierror)
  NUMBER(twin) = c_duplicate(NUMBER(comm))
  CHECK(copied == 1 .and. seen == NUMBER(comm) .and. twin /= MPI_COMM_NULL)
  call MPI_Comm_get_attr(twin, keyval, value, flag, ierror)
  CHECK(flag .and. value == 7)
  call MPI_Comm_compare(comm, twin, n, ierror)
  CHECK(n == MPI_CONGRUENT)
  call MPI_Comm_free_keyval(keyval, ierror)

  ! error handlers
  NUMBER(errhandler) = c_errhandler()
  call MPI_Comm_set_errhandler(twin, errhandler, ierror)
  call MPI_Comm_call_errhandler(twin, MPI_ERR_OTHER, ierror)
  CHECK(c_handled() == size)
  call MPI_Errhandler_free(errhandler, ierror)
  call MPI_Comm_create_errhandler(on_error, errhandler, ierror)
  call c_call_errhandler(NUMBER(twin), NUMBER(errhandler))
  CHECK(handled == NUMBER(twin))
  call MPI_Errhandler_free(errhandler, ierror)
  call MPI_Comm_free(twin, ierror)

#ifndef EMBEDDED /* it has no windows and no files */
  ! a window and a file
  allocate (window(4))
  window = -1
  value = 16
  call MPI_Win_create(window, value, 4, MPI_INFO_NULL, comm, win, ierror)
  call c_put(NUMBER(win), next, rank)
  call MPI_Win_free(win, ierror)
  CHECK(window(2) == previous .and. window(1) == -1)
  call MPI_File_open(comm, 'languages.out', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call c_write(NUMBER(file), 4 * rank, 100 + rank, c_loc(status))
  call MPI_Get_count(status, MPI_INTEGER, n, ierror)
  CHECK(n == 1)
  offset = 4 * rank
  call MPI_File_read_at(file, offset, n, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
  CHECK(n == 100 + rank)
  call MPI_File_close(file, ierror)
  if (rank == 0) call MPI_File_delete('languages.out', MPI_INFO_NULL, ierror)
#endif

  call MPI_Comm_free(comm, ierror)
  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize(ierror)
end program
