! Features of files and windows that procedures.F90 and further.F90 do not cover: all ways to read and write, the
! program's data representations, memory as an address and as a C pointer, windows without a size, and all
! synchronization.
#include "check.h"
#include "checks.h"

module counts
  use checks
  implicit none
  integer :: a(64), b(64), deleted = 0, handled = 0, seen = -1 ! module variables, so that a compiler assumes that every call may change them
  integer(8) :: state = 7
  logical :: refuses = .false.
end module

module callbacks
  use counts
  implicit none
contains
  ! of a data representation in which nothing is written
  subroutine converting(memory, datatype, n, file, position, extra, ierror)
    use, intrinsic :: iso_c_binding
    IN_BINDING
#ifdef F08
    type(c_ptr), value :: memory, file
#else
    integer :: memory, file
#endif
    IS_HANDLE(MPI_Datatype) :: datatype
    integer :: n, ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra
    call exit(1)
  end subroutine

  subroutine extent_in_file(datatype, extent, extra, ierror)
    IN_BINDING
    IS_HANDLE(MPI_Datatype) :: datatype
    integer(MPI_ADDRESS_KIND) :: extent, extra
    integer :: ierror
    call exit(1)
  end subroutine

  subroutine copy(win, keyval, extra, in, out, flag, ierror)
    IN_BINDING
    IS_HANDLE(MPI_Win) :: win
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    call exit(1) ! attributes of windows are not copied
  end subroutine

  subroutine remove(win, keyval, value, extra, ierror)
    IN_BINDING
    IS_HANDLE(MPI_Win) :: win
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    seen = NUMBER(win)
    deleted = deleted + int(value + extra)
    ierror = merge(MPI_ERR_OTHER, MPI_SUCCESS, refuses)
  end subroutine

  subroutine on_file(file, code)
    IN_BINDING
    IS_HANDLE(MPI_File) :: file
    integer :: code
    if (file /= MPI_FILE_NULL .and. code == MPI_ERR_OTHER) handled = handled + 1
  end subroutine

  subroutine on_window(win, code)
    IN_BINDING
    IS_HANDLE(MPI_Win) :: win
    integer :: code
    if (win /= MPI_WIN_NULL .and. code == MPI_ERR_OTHER) handled = handled + 10
  end subroutine
end module

program storage
  USE_MPI
  use, intrinsic :: iso_c_binding
  use counts
  use callbacks
  implicit none
  INCLUDE_MPI
  IS_HANDLE(MPI_File) :: file
  IS_HANDLE(MPI_Request) :: request
  IS_HANDLE(MPI_Win) :: win
  IS_STATUS(status)
  integer :: rank, size, next, previous, n, i, ierror
  integer(MPI_OFFSET_KIND) :: offset, here
  integer(MPI_ADDRESS_KIND) :: bytes, at
  logical :: flag

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  a = [(100 * rank + i, i = 1, 64)]
  if (wanted('files')) call files()
  if (wanted('pointers')) call pointers()
  if (wanted('representations')) call representations()
  if (wanted('memory')) call memory()
  if (wanted('windows')) call windows()
  if (wanted('window-attributes')) call window_attributes()
  if (wanted('window-names')) call window_names()
  if (wanted('requests')) call requests()
  if (wanted('epochs')) call epochs()
  if (wanted('dynamic')) call dynamic()
  if (wanted('synchronized')) call synchronized()
  call MPI_Reduce(passed, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0, a)', n, ' checks passed'
  call MPI_Finalize(ierror)
contains
  subroutine wait()
    call MPI_Wait(request, status, ierror)
    CHECK(ierror == MPI_SUCCESS .and. request == MPI_REQUEST_NULL)
  end subroutine

  ! Checks that the status counts this many integers.
  subroutine moved(many)
    integer, intent(in) :: many
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Get_count(status, MPI_INTEGER, n, ierror)
    CHECK(n == many)
  end subroutine

  ! Checks that b has exactly this many numbers of a rank.
  subroutine came(from, many)
    integer, intent(in) :: from, many
    call moved(many)
    CHECK(all(b(:many) == [(100 * from + i, i = 1, many)]) .and. b(many + 1) == -1)
    b = -1
  end subroutine

  subroutine open(name, mode)
    character(*), intent(in) :: name
    integer, intent(in) :: mode
    call MPI_File_open(MPI_COMM_WORLD, name, ior(MPI_MODE_DELETE_ON_CLOSE, ior(MPI_MODE_CREATE, mode)), MPI_INFO_NULL, file, ierror)
    CHECK(ierror == MPI_SUCCESS)
    b = -1
  end subroutine

  ! Makes data that other ranks have written readable.
  subroutine settle()
    call MPI_File_sync(file, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_File_sync(file, ierror)
  end subroutine

  subroutine files()
    IS_HANDLE(MPI_Datatype) :: part
    IS_HANDLE(MPI_Errhandler) :: errhandler, set
    IS_HANDLE(MPI_Group) :: group
    IS_HANDLE(MPI_Info) :: info
    integer(MPI_ADDRESS_KIND) :: extent
    call open('storage.out  ', MPI_MODE_RDWR)
    call MPI_File_get_amode(file, n, ierror)
    CHECK(iand(n, MPI_MODE_RDWR) == MPI_MODE_RDWR .and. iand(n, MPI_MODE_RDONLY) == 0)
    call MPI_File_get_group(file, group, ierror)
    call MPI_Group_size(group, n, ierror)
    CHECK(n == size)
    call MPI_Group_free(group, ierror)
    call MPI_File_get_type_extent(file, MPI_INTEGER, extent, ierror)
    CHECK(extent == 4)
    call MPI_File_create_errhandler(on_file, errhandler, ierror)
    call MPI_File_set_errhandler(file, errhandler, ierror)
    call MPI_File_get_errhandler(file, set, ierror)
    CHECK(set == errhandler)
    handled = 0
    call MPI_File_call_errhandler(file, MPI_ERR_OTHER, ierror)
    CHECK(handled == 1)
    call MPI_File_set_errhandler(file, MPI_ERRORS_RETURN, ierror)
    call MPI_Errhandler_free(errhandler, ierror)
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, 'access_style', 'write_once', ierror)
    call MPI_File_set_info(file, info, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Info_free(info, ierror)
    offset = 400
    call MPI_File_preallocate(file, offset, ierror)
    call MPI_File_set_size(file, offset / 4, ierror)
    call settle()
    call MPI_File_get_size(file, offset, ierror)
    CHECK(offset == 100)
    call MPI_File_set_atomicity(file, .true., ierror)
    call MPI_File_get_atomicity(file, flag, ierror)
    CHECK(flag)
    call MPI_File_set_atomicity(file, .false., ierror)

    ! each rank its own part, by all calls with an offset
    offset = 256 * rank
    call MPI_File_write_at(file, offset, a, 3, MPI_INTEGER, status, ierror)
    call moved(3)
    call MPI_File_iread_at(file, offset, b, 3, MPI_INTEGER, request, ierror)
    call wait()
    call came(rank, 3)
    call MPI_File_iwrite_at(file, offset, a, 4, MPI_INTEGER, request, ierror)
    call wait()
    call moved(4)
    call MPI_File_iwrite_at_all(file, offset, a, 5, MPI_INTEGER, request, ierror)
    call wait()
    call moved(5)
    call MPI_File_iread_at_all(file, offset, b, 5, MPI_INTEGER, request, ierror)
    call wait()
    call came(rank, 5)
    call MPI_File_write_at_all_begin(file, offset, a, 6, MPI_INTEGER, ierror)
    call MPI_File_write_at_all_end(file, a, status, ierror)
    call moved(6)
    call settle()
    offset = 256 * next
    call MPI_File_read_at(file, offset, b, 6, MPI_INTEGER, status, ierror)
    call came(next, 6)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)

    ! each rank has every size-th integer of the view
    call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND * size, part, ierror)
    call MPI_Type_commit(part, ierror)
    offset = 4 * rank
    call MPI_File_set_view(file, offset, MPI_INTEGER, part, 'native', MPI_INFO_NULL, ierror)
    offset = 5
    call MPI_File_get_byte_offset(file, offset, here, ierror)
    CHECK(here == 4 * (rank + 5 * size))
    call MPI_File_write(file, a, 2, MPI_INTEGER, status, ierror)
    call moved(2)
    call MPI_File_iwrite(file, a(3:), 1, MPI_INTEGER, request, ierror)
    call wait()
    call MPI_File_iwrite_all(file, a(4:), 1, MPI_INTEGER, request, ierror)
    call wait()
    call MPI_File_write_all_begin(file, a(5:), 1, MPI_INTEGER, ierror)
    call MPI_File_write_all_end(file, a(5:), status, ierror)
    call moved(1)
    call MPI_File_get_position(file, offset, ierror)
    CHECK(offset == 5)
    call settle()
    offset = -5
    call MPI_File_seek(file, offset, MPI_SEEK_CUR, ierror)
    call MPI_File_read(file, b, 1, MPI_INTEGER, status, ierror)
    call came(rank, 1)
    call MPI_File_iread(file, b, 1, MPI_INTEGER, request, ierror)
    call wait()
    CHECK(b(1) == a(2) .and. b(2) == -1)
    call MPI_File_iread_all(file, b, 1, MPI_INTEGER, request, ierror)
    call wait()
    CHECK(b(1) == a(3) .and. b(2) == -1)
    call MPI_File_read_all_begin(file, b, 1, MPI_INTEGER, ierror)
    call MPI_File_read_all_end(file, b, status, ierror)
    CHECK(b(1) == a(4) .and. b(2) == -1)
    call MPI_File_read_all(file, b, 1, MPI_INTEGER, status, ierror)
    call moved(1)
    CHECK(b(1) == a(5) .and. b(2) == -1)
    offset = 0
    call MPI_File_set_view(file, offset, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierror)
    call MPI_File_read_at_all(file, 4_MPI_OFFSET_KIND * size, b, size, MPI_INTEGER, status, ierror)
    CHECK(all(b(:size) == [(100 * i + 5, i = 0, size - 1)]))
    call MPI_Type_free(part, ierror)
    call MPI_File_close(file, ierror)
    CHECK(file == MPI_FILE_NULL)
  end subroutine

  ! A shared pointer: any rank may be first, unless the order is by ranks.
  subroutine pointers()
    call open('storage.shared', MPI_MODE_RDWR)
    call MPI_File_write_ordered_begin(file, a, 2, MPI_INTEGER, ierror)
    call MPI_File_write_ordered_end(file, a, status, ierror)
    call moved(2)
    call settle()
    offset = 0
    call MPI_File_seek_shared(file, offset, MPI_SEEK_SET, ierror)
    call MPI_File_read_ordered_begin(file, b, 2, MPI_INTEGER, ierror)
    call MPI_File_read_ordered_end(file, b, status, ierror)
    call came(rank, 2)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_File_seek_shared(file, offset, MPI_SEEK_SET, ierror)
    call MPI_File_write_shared(file, a, 1, MPI_INTEGER, status, ierror)
    call moved(1)
    call MPI_File_iwrite_shared(file, a, 1, MPI_INTEGER, request, ierror)
    call wait()
    call settle()
    call MPI_File_get_position_shared(file, offset, ierror)
    CHECK(offset == 8 * size)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    offset = 0
    call MPI_File_seek_shared(file, offset, MPI_SEEK_SET, ierror)
    call MPI_File_read_shared(file, b, 1, MPI_INTEGER, status, ierror)
    call moved(1)
    call MPI_File_iread_shared(file, b(2), 1, MPI_INTEGER, request, ierror)
    call wait()
    CHECK(mod(b(1), 100) == 1 .and. mod(b(2), 100) == 1 .and. b(3) == -1)
    call MPI_Reduce(b(1) + b(2), n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
    CHECK(rank > 0 .or. n == 100 * size * (size - 1) + 2 * size)
    call MPI_File_close(file, ierror)
  end subroutine

  ! A name can be registered once. A library may refuse conversion functions, and all here do.
  subroutine representations()
#if defined(MPICH) && defined(MOD) /* whose module does not declare it */
    external :: MPI_CONVERSION_FN_NULL
#endif
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: class
    extra = 7
    call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror) ! MPICH has them since 4.1
    call MPI_Register_datarep('as it is  ', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_in_file, extra, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Register_datarep('as it is', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_in_file, extra, ierror)
    call MPI_Error_class(ierror, class, n)
    CHECK(class == MPI_ERR_DUP_DATAREP)
    call MPI_Register_datarep('another', converting, converting, extent_in_file, extra, ierror)
    call MPI_Error_class(ierror, class, n)
    CHECK(class == MPI_ERR_CONVERSION .or. class == MPI_ERR_UNSUPPORTED_DATAREP)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
  end subroutine

  ! Memory as a C pointer in each binding; in mpif.h and `use mpi` as an address, too.
  subroutine memory()
    type(c_ptr) :: pointer
    integer, pointer :: values(:)
    integer :: unit
    bytes = 64
    pointer = c_null_ptr
    call MPI_Alloc_mem(bytes, MPI_INFO_NULL, pointer, ierror)
    CHECK(ierror == MPI_SUCCESS .and. c_associated(pointer))
    call c_f_pointer(pointer, values, [10])
    values = rank
    call MPI_Free_mem(values, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, pointer, win, ierror)
    call written_by_previous(transfer(pointer, at))
    call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, pointer, win, ierror)
    call MPI_Win_shared_query(win, rank, bytes, unit, pointer, ierror)
    CHECK(bytes >= 64 .and. unit == 4)
    call written_by_previous(transfer(pointer, at))
#ifndef F08
    bytes = 64
    at = 0
    call MPI_Alloc_mem(bytes, MPI_INFO_NULL, at, ierror)
    CHECK(ierror == MPI_SUCCESS .and. at /= 0)
    call c_f_pointer(transfer(at, pointer), values, [10])
    values = rank
    call MPI_Free_mem(values, ierror)
    at = 0
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, at, win, ierror)
    call written_by_previous(at)
    at = 0
    call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, at, win, ierror)
    call MPI_Win_shared_query(win, rank, bytes, unit, at, ierror)
    CHECK(bytes >= 64 .and. unit == 4)
    call written_by_previous(at)
#endif
  end subroutine

  ! Checks that the window's memory is at that address, and frees the window.
  subroutine written_by_previous(address)
    integer(MPI_ADDRESS_KIND), intent(in) :: address
    type(c_ptr) :: pointer
    integer, pointer :: values(:)
    integer(MPI_ADDRESS_KIND) :: base
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Win_get_attr(win, MPI_WIN_BASE, base, flag, ierror)
    CHECK(flag .and. base == address)
    pointer = transfer(address, pointer)
    call c_f_pointer(pointer, values, [10])
    values = -1
    call MPI_Win_fence(0, win, ierror)
    at = 9
    call MPI_Put(rank, 1, MPI_INTEGER, next, at, 1, MPI_INTEGER, win, ierror)
    call MPI_Win_fence(0, win, ierror)
    CHECK(values(10) == previous .and. values(9) == -1)
    call MPI_Win_free(win, ierror)
    CHECK(win == MPI_WIN_NULL)
  end subroutine

  subroutine make_window()
    b = -1
    bytes = 256
    call MPI_Win_create(b, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    CHECK(ierror == MPI_SUCCESS)
  end subroutine

  subroutine windows()
    IS_HANDLE(MPI_Errhandler) :: errhandler, set
    IS_HANDLE(MPI_Group) :: group
    IS_HANDLE(MPI_Info) :: info
    integer(MPI_ADDRESS_KIND) :: value
    call make_window()
    call MPI_Win_get_group(win, group, ierror)
    call MPI_Group_rank(group, n, ierror)
    CHECK(n == rank)
    call MPI_Group_free(group, ierror)
    call MPI_Win_create_errhandler(on_window, errhandler, ierror)
    call MPI_Win_set_errhandler(win, errhandler, ierror)
    call MPI_Win_get_errhandler(win, set, ierror)
    CHECK(set == errhandler)
    handled = 0
    call MPI_Win_call_errhandler(win, MPI_ERR_OTHER, ierror)
    CHECK(handled == 10)
    call MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN, ierror)
    call MPI_Errhandler_free(errhandler, ierror)
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, 'no_locks', 'false', ierror)
    call MPI_Win_set_info(win, info, ierror)
    call MPI_Info_free(info, ierror)
    call MPI_Win_get_info(win, info, ierror)
    CHECK(ierror == MPI_SUCCESS .and. info /= MPI_INFO_NULL)
    call MPI_Info_free(info, ierror)
    call MPI_Win_get_attr(win, MPI_WIN_MODEL, value, flag, ierror)
    CHECK(flag .and. (value == MPI_WIN_UNIFIED .or. value == MPI_WIN_SEPARATE))
    call MPI_Win_sync(win, ierror)
    call MPI_Win_free(win, ierror)
  end subroutine

  ! One attribute refuses to be deleted.
  subroutine window_attributes()
    integer :: keyval
    integer(MPI_ADDRESS_KIND) :: value
    call make_window()
    call MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN, ierror)
    call MPI_Win_create_keyval(copy, remove, keyval, state, ierror)
    value = 20
    deleted = 0
    call MPI_Win_set_attr(win, keyval, value, ierror)
    call MPI_Win_delete_attr(win, keyval, ierror)
    CHECK(ierror == MPI_SUCCESS .and. deleted == 27)
    CHECK(seen == NUMBER(win))
    call MPI_Win_get_attr(win, keyval, value, flag, ierror)
    CHECK(.not. flag)
    value = -30
    call MPI_Win_set_attr(win, keyval, value, ierror)
    refuses = .true.
    call MPI_Win_delete_attr(win, keyval, ierror)
    CHECK(ierror /= MPI_SUCCESS .and. deleted == 4)
    value = 0
    call MPI_Win_get_attr(win, keyval, value, flag, ierror)
    CHECK(flag .and. value == -30)
    refuses = .false.
    call MPI_Win_delete_attr(win, keyval, ierror)
    CHECK(ierror == MPI_SUCCESS .and. deleted == -19)
    call MPI_Win_free_keyval(keyval, ierror)
    CHECK(keyval == MPI_KEYVAL_INVALID)
    value = 1
    call MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, keyval, state, ierror)
    call MPI_Win_set_attr(win, keyval, value, ierror)
    call MPI_Win_delete_attr(win, keyval, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Win_free_keyval(keyval, ierror)
    call MPI_Win_free(win, ierror)
  end subroutine

  subroutine window_names()
    character(MPI_MAX_OBJECT_NAME) :: name
    call make_window()
    call MPI_Win_set_name(win, 'a window', ierror)
    call MPI_Win_get_name(win, name, n, ierror)
    CHECK(n == 8 .and. name == 'a window')
    call MPI_Win_free(win, ierror)
  end subroutine

  subroutine requests()
    call make_window()
    call MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win, ierror)
    at = 1
    call MPI_Rput(a, 2, MPI_INTEGER, next, at, 2, MPI_INTEGER, win, request, ierror)
    call wait()
    call MPI_Win_flush(next, win, ierror)
    call MPI_Rget(a(11), 2, MPI_INTEGER, next, at, 2, MPI_INTEGER, win, request, ierror)
    call wait()
    CHECK(a(11) == a(1) .and. a(12) == a(2))
    call MPI_Rget_accumulate(a, 1, MPI_INTEGER, a(11), 1, MPI_INTEGER, next, at, 1, MPI_INTEGER, MPI_SUM, win, request, ierror)
    call wait()
    CHECK(a(11) == a(1))
    call MPI_Win_flush_local(next, win, ierror)
    call MPI_Win_flush_local_all(win, ierror)
    call MPI_Win_flush_all(win, ierror)
    call MPI_Win_unlock(next, win, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win, ierror)
    CHECK(b(2) == 2 * (100 * previous + 1) .and. b(3) == 100 * previous + 2 .and. b(1) == -1)
    call MPI_Win_unlock(rank, win, ierror)
    call MPI_Win_free(win, ierror)
    a = [(100 * rank + i, i = 1, 64)]
  end subroutine

  ! From each rank to the next one: post, start, complete, wait.
  subroutine epochs()
    IS_HANDLE(MPI_Group) :: all, to, from
    call make_window()
    call MPI_Comm_group(MPI_COMM_WORLD, all, ierror)
    call MPI_Group_incl(all, 1, [next], to, ierror)
    call MPI_Group_incl(all, 1, [previous], from, ierror)
    do i = 1, 2
      call MPI_Win_post(from, 0, win, ierror)
      call MPI_Win_start(to, 0, win, ierror)
      at = i
      call MPI_Accumulate(a, 1, MPI_INTEGER, next, at, 1, MPI_INTEGER, MPI_SUM, win, ierror)
      call MPI_Win_complete(win, ierror)
      if (i == 1) call MPI_Win_wait(win, ierror)
      flag = i == 1
      do while (.not. flag)
        call MPI_Win_test(win, flag, ierror)
      end do
      CHECK(b(i + 1) == 100 * previous .and. b(i + 2) == -1)
    end do
    call MPI_Group_free(all, ierror)
    call MPI_Group_free(to, ierror)
    call MPI_Group_free(from, ierror)
    call MPI_Win_free(win, ierror)
  end subroutine

  ! Displacements are addresses of the target.
  subroutine dynamic()
    integer(MPI_ADDRESS_KIND) :: there
#if defined(MPICH) && defined(MPIF) /* whose mpif.h does not declare it */
    integer(MPI_ADDRESS_KIND), external :: MPI_Aint_add
#endif
    b = -1
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    CHECK(ierror == MPI_SUCCESS)
    bytes = 256
    call MPI_Win_attach(win, b, bytes, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Get_address(b, at, ierror)
    call MPI_Sendrecv(at, 1, MPI_AINT, previous, 1, there, 1, MPI_AINT, next, 1, MPI_COMM_WORLD, status, ierror)
    call MPI_Win_fence(0, win, ierror)
    there = MPI_Aint_add(there, 8_MPI_ADDRESS_KIND)
    call MPI_Put(a, 2, MPI_INTEGER, next, there, 2, MPI_INTEGER, win, ierror)
    call MPI_Win_fence(0, win, ierror)
    CHECK(b(3) == 100 * previous + 1 .and. b(4) == 100 * previous + 2 .and. b(2) == -1)
    call MPI_Win_detach(win, b, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Win_free(win, ierror)
  end subroutine

  ! Memory that other ranks have changed here is read again.
  subroutine synchronized()
    integer :: mine(8)
    mine = a(:8)
    call MPI_F_sync_reg(mine)
    CHECK(all(mine == a(:8)))
#ifdef F08
    call MPI_F_sync_reg(mine(1:8:2))
    call PMPI_F_sync_reg(mine(1))
    CHECK(all(mine == a(:8)))
#endif
  end subroutine
end program
