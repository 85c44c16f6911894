! What each program checks, and how often: the last line that it prints has the number.
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
end module
