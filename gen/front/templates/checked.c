int checked_@function@(@parameters@)
{
    @refused@
    return @given@(@arguments@);
}
