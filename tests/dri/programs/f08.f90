! Each function of the module dri_f08, and a corner turn whose columns are written as turn.c writes them: f08 PREFIX.
module checks
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use dri_f08
  implicit none
  integer :: rank, size
contains
  subroutine ok(class, what)
    integer, intent(in) :: class
    character(*), intent(in) :: what
    character(512) :: text
    if (class == DRI_SUCCESS) return
    call DRI_error_string(class, text, len(text))
    print '(a,": ",a)', what, trim(text)
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine

  subroutine check(is, what)
    logical, intent(in) :: is
    character(*), intent(in) :: what
    if (is) return
    print '("rank ",i0,": wrong: ",a)', rank, what
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine

  ! The call must have failed with this class and a text that contains the word.
  subroutine fails(got, class, word)
    integer, intent(in) :: got, class
    character(*), intent(in) :: word
    character(512) :: text
    call DRI_error_string(got, text, len(text))
    call check(got == class .and. index(text, word) > 0, word // ': ' // trim(text))
  end subroutine

  integer(c_int) function keep(index, proc, state) bind(C)
    integer(c_int), value :: index, proc
    type(c_ptr), value :: state
    integer(c_int), pointer :: wanted
    call c_f_pointer(state, wanted)
    keep = merge(1, 0, proc == wanted .and. index == wanted)
  end function
end module

program f08
  use checks
  implicit none
  integer, parameter :: rows = 63, columns = 40
  type(DRI_gdo) :: array, part_of, line
  type(DRI_group) :: everybody, one, halves(2)
  type(DRI_dist) :: by_rows, by_columns
  type(DRI_xfer) :: turn
  type(DRI_part) :: part, other
  type(DRI_part_tuple) :: r(2), c(2)
  type(c_ptr) :: in(1), out(1)
  real(c_float), pointer :: source(:,:), columns_here(:,:)
  character(200) :: prefix
  character(8) :: short
  integer :: i, j, n, flag, unit, procs(0:63)
  integer(c_int64_t) :: sizes(2), bytes

  call fails(DRI_gdo_create(1, MPI_REAL, [8_c_int64_t], array), DRI_ERR_STATE, 'DRI_init')
  call ok(DRI_init(), 'init')
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  procs(:size - 1) = [(i, i = 0, size - 1)]
  call ok(DRI_group_create(size, procs, everybody), 'group')
  call objects()
  call groups()
  call parts()
  call corner_turn()
  call steps()
  call ok(DRI_group_destroy(everybody), 'destroy')
  call check(.not. c_associated(everybody%address), 'a destroyed handle')
  call ok(DRI_finalize(), 'finalize')
  if (rank == 0) print '(a)', 'f08: right'
contains
  subroutine objects()
    type(MPI_Datatype) :: type
    type(DRI_layout) :: layout
    integer :: order(2)
    integer(c_int64_t) :: strides(2)
    call ok(DRI_initialized(flag), 'initialized')
    call check(flag == 1, 'initialized')
    call fails(DRI_init_comm(MPI_COMM_WORLD), DRI_ERR_STATE, 'already')
    call ok(DRI_gdo_create(2, MPI_DOUBLE_PRECISION, [7_c_int64_t, 5_c_int64_t], array), 'gdo')
    call ok(DRI_gdo_query(array, n, type, sizes), 'query')
    call check(n == 2 .and. type == MPI_DOUBLE_PRECISION .and. all(sizes == [7, 5]), 'a global data object')
    call ok(DRI_gdo_sub(array, [1_c_int64_t, 1_c_int64_t], [3_c_int64_t, 4_c_int64_t], part_of), 'sub')
    call ok(DRI_gdo_query(part_of, sizes=sizes), 'query')
    call check(all(sizes == [3, 4]), 'a part of the object')
    call fails(DRI_gdo_create(2, MPI_DATATYPE_NULL, sizes, line), DRI_ERR_ARG, 'MPI_DATATYPE_NULL')
    call ok(DRI_layout_packed(2, [1, 0], layout), 'packed')
    call ok(DRI_layout_query(layout, n, strides, order), 'query')
    call check(n == 2 .and. all(strides == 0) .and. all(order == [1, 0]), 'a packed layout')
    call ok(DRI_layout_destroy(layout), 'destroy')
    call ok(DRI_layout_create(2, [1_c_int64_t, 9_c_int64_t], layout), 'strides')
    call ok(DRI_layout_query(layout, strides=strides), 'query')
    call check(all(strides == [1, 9]), 'a layout with strides')
    call ok(DRI_layout_destroy(layout), 'destroy')
    call ok(DRI_layout_query(DRI_LAYOUT_PACKED_201, n, order=procs(61:63)), 'query')
    call check(n == 3 .and. all(procs(61:63) == [2, 0, 1]), 'a predefined layout')
    call fails(DRI_layout_create(2, [0_c_int64_t, 9_c_int64_t], layout), DRI_ERR_LAYOUT, 'stride 0')
    call DRI_error_string(DRI_ERR_NOMEM, short, len(short))
    call check(short == 'no memor', 'a text that is cut off')
    call ok(DRI_gdo_destroy(part_of), 'destroy')
  end subroutine

  subroutine groups()
    integer, target :: wanted
    call ok(DRI_group_subset(everybody, 1, [size - 1], one), 'subset')
    call ok(DRI_group_query(one, n, procs(63)), 'query')
    call check(n == 1 .and. procs(63) == size - 1, 'a subset')
    call ok(DRI_group_destroy(one), 'destroy')
    wanted = rank
    call ok(DRI_group_filter(everybody, c_funloc(keep), c_loc(wanted), one), 'filter')
    call ok(DRI_group_query(one, n, procs(63)), 'query')
    call check(n == 1 .and. procs(63) == rank, 'a filtered group')
    call ok(DRI_group_destroy(one), 'destroy')
    if (size < 2) return
    call ok(DRI_group_split(everybody, 2, [1, size - 1], halves), 'split')
    call ok(DRI_group_query(halves(2), n), 'query')
    call check(n == size - 1, 'the second group')
    call ok(DRI_group_destroy(halves(1)), 'destroy')
    call ok(DRI_group_destroy(halves(2)), 'destroy')
    call ok(DRI_group_split(everybody, 1, groups=halves), 'split')
    call ok(DRI_group_destroy(halves(1)), 'destroy')
  end subroutine

  subroutine parts()
    call ok(DRI_part_create(2, [DRI_part_tuple(0, 1, 2, 1), DRI_part_tuple(1, 0, 4, 0)], part), 'part')
    call ok(DRI_part_swap(part, 0, 1, other), 'swap')
    call ok(DRI_part_query(other, n, flag, 0, r), 'query')
    call check(n == 2 .and. flag == 1 .and. r(1)%right_x == 4 .and. r(2)%left_x == 1 .and. r(2)%right_v == 1, 'a swapped part')
    call ok(DRI_part_destroy(other), 'destroy')
    call ok(DRI_part_widen(part, left_v=[2_c_int64_t, 0_c_int64_t], widened=other), 'widen')
    call ok(DRI_part_query(other, block=0, tuples=r), 'query')
    call check(r(1)%left_v == 2 .and. r(1)%right_v == 1, 'a wider part')
    call ok(DRI_part_destroy(other), 'destroy')
    call ok(DRI_part_destroy(part), 'destroy')
    call ok(DRI_part_default(array, everybody, part), 'default')
    call ok(DRI_gdo_create(2, MPI_REAL, [14_c_int64_t, 10_c_int64_t], part_of), 'gdo')
    call ok(DRI_part_scale(part, array, part_of, other), 'scale')
    call ok(DRI_part_query(part, block=0, tuples=r), 'query')
    call ok(DRI_part_query(other, block=0, tuples=c), 'query')
    call check(c(1)%left_x == 2 * r(1)%left_x .and. c(2)%right_x == 9, 'a scaled part')
    call ok(DRI_part_destroy(other), 'destroy')
    call ok(DRI_part_regrid(part, array, everybody, [size, 1], other), 'regrid')
    call ok(DRI_part_destroy(other), 'destroy')
    call ok(DRI_part_regrid(part, array, everybody, regridded=other), 'regrid')
    call ok(DRI_part_destroy(other), 'destroy')
    call ok(DRI_part_destroy(part), 'destroy')
    call ok(DRI_gdo_destroy(part_of), 'destroy')
    call ok(DRI_gdo_destroy(array), 'destroy')
  end subroutine

  ! A distribution in blocks of one dimension.
  type(DRI_dist) function blocks(along)
    integer, intent(in) :: along
    type(DRI_part_rule) :: rules(0:1)
    rules(along)%kind = DRI_BLOCK
    call ok(DRI_part_rules(array, everybody, rules=rules, part=part), 'rules')
    call ok(DRI_dist_create(array, part, everybody, blocks), 'dist')
    call ok(DRI_part_destroy(part), 'destroy')
  end function

  subroutine corner_turn()
    character(40) :: method
    call ok(DRI_gdo_create(2, MPI_REAL, [int(rows, c_int64_t), int(columns, c_int64_t)], array), 'gdo')
    by_rows = blocks(0)
    by_columns = blocks(1)
    in = c_null_ptr
    out = c_null_ptr
    call ok(DRI_xfer_create_clique('turn' // c_null_char, by_rows, DRI_LAYOUT_PACKED_10, 1, in, by_columns, &
                                   DRI_LAYOUT_PACKED_01, 1, out, turn), 'clique')
    call ok(DRI_dist_query(by_rows, rank, n, 0, r), 'query')
    call ok(DRI_dist_query(by_columns, rank, block=0, tuples=c), 'query')
    call c_f_pointer(in(1), source, [columns, int(r(1)%right_x - r(1)%left_x + 1)])
    call c_f_pointer(out(1), columns_here, [rows, int(c(2)%right_x - c(2)%left_x + 1)])
    do j = 1, ubound(source, 2)
      do i = 1, columns
        source(i, j) = real((r(1)%left_x + j - 1) * columns + i - 1) / 7
      end do
    end do
    call ok(DRI_do('turn' // c_null_char, turn), 'do')
    call ok(DRI_dist_bytes(by_columns, DRI_LAYOUT_PACKED_01, bytes), 'bytes')
    call check(bytes == 4 * rows * ubound(columns_here, 2), 'the size of the buffer')
    call get_command_argument(1, prefix)
    write (method, '(i0)') rank
    open (newunit=unit, file=trim(prefix) // trim(method), access='stream', form='unformatted', status='replace')
    write (unit) columns_here
    close (unit)
    flag = DRI_DESTINATION
    call ok(DRI_xfer_query(turn, flag, n, i, bytes, method, len(method)), 'query')
    call check(n == 1 .and. i == 0 .and. bytes == 4 * rows * ubound(columns_here, 2) .and. index(method, 'self') == 1, 'the query')
  end subroutine

  ! The same transfer in steps, and another one with memory of the program.
  subroutine steps()
    integer, allocatable, target :: memory(:)
    type(c_ptr) :: at
    integer, pointer :: now(:)
    columns_here = 0
    call ok(DRI_start(turn), 'start')
    flag = 0
    do while (flag == 0)
      call ok(DRI_test(turn, flag), 'test')
    end do
    call check(columns_here(rows, 1) == real((rows - 1) * columns + int(c(2)%left_x)) / 7, 'an element')
    call ok(DRI_start(turn), 'start')
    call ok(DRI_wait(turn), 'wait')
    call fails(DRI_do('trun' // c_null_char, turn), DRI_ERR_NAME, 'turn')
    call ok(DRI_do(xfer=turn), 'do')
    call ok(DRI_xfer_destroy(turn), 'destroy')
    call ok(DRI_dist_destroy(by_rows), 'destroy')
    call ok(DRI_dist_destroy(by_columns), 'destroy')
    call ok(DRI_gdo_destroy(array), 'destroy')
    if (size < 2 .or. rank > 1) return
    call ok(DRI_gdo_create(1, MPI_INTEGER, [6_c_int64_t], array), 'gdo')
    call ok(DRI_group_create(1, [rank], one), 'group')
    call ok(DRI_part_default(array, one, part), 'part')
    call ok(DRI_dist_create(array, part, one, by_rows), 'dist')
    allocate (memory(12))
    memory = [(rank * 100 + i, i = 1, 12)]
    in(1) = c_loc(memory)
    if (rank == 0) then
      call ok(DRI_xfer_register('steps' // c_null_char, DRI_SOURCE, by_rows, DRI_LAYOUT_PACKED_0, 1, in, turn), 'register')
      call ok(DRI_xfer_partners(turn, 1), 'partners')
      call ok(DRI_xfer_commit(1, [turn]), 'commit')
      call ok(DRI_xfer_rebase(turn, 6_c_int64_t), 'rebase')
      call ok(DRI_do(xfer=turn), 'do')
    else
      call ok(DRI_xfer_create('steps' // c_null_char, DRI_DESTINATION, by_rows, DRI_LAYOUT_PACKED_0, 1, in, turn), 'create')
      call ok(DRI_xfer_rebase_end(turn, DRI_DESTINATION, 3_c_int64_t), 'rebase')
      call ok(DRI_acquire(turn, DRI_DESTINATION, at, n), 'acquire')
      call c_f_pointer(at, now, [6])
      call check(all(now == [(i, i = 7, 12)]) .and. n == 0 .and. memory(4) == 7 .and. memory(3) == 103, 'the second half')
      call ok(DRI_release(turn, DRI_DESTINATION), 'release')
    end if
    call ok(DRI_xfer_destroy(turn), 'destroy')
    call ok(DRI_dist_destroy(by_rows), 'destroy')
    call ok(DRI_part_destroy(part), 'destroy')
    call ok(DRI_group_destroy(one), 'destroy')
    call ok(DRI_gdo_destroy(array), 'destroy')
  end subroutine
end program
