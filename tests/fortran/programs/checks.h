! What each program checks, and how often: the last line that it prints has the number.
! The arguments of a program with chapters name those that it leaves out; behind "only",
! those that it does.
#define CHECK(condition) call check(condition, __LINE__)

module checks
  implicit none
  integer :: passed = 0
contains
  subroutine check(right, line)
    logical, intent(in) :: right
    integer, intent(in) :: line
    if (.not. right) then
      print '(a, i0, a)', 'line ', line, ': wrong'
      call exit(1)
    end if
    passed = passed + 1
  end subroutine

  logical function wanted(chapter)
    character(*), intent(in) :: chapter
    character(32) :: word
    integer :: i
    logical :: is_named
    is_named = .false.
    do i = 1, command_argument_count()
      call get_command_argument(i, word)
      is_named = is_named .or. word == chapter
    end do
    call get_command_argument(1, word)
    wanted = is_named .eqv. word == 'only'
  end function
end module
