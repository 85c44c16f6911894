int checked_@function@(@parameters@)
{
    if (unlikely(@null@))
        return wi4go_raise(@raised@, MPI_ERR_ARG);
    return @given@(@arguments@);
}
