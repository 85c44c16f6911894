
int via_int_@function@(@parameters@)
{
    EXCHANGE x = {0};
    const int wrong = @fill@(&x, @given@);
    if (unlikely(wrong))
        return wi4go_raise(WI4GO_COMM, @comm@, wrong);
    return @call@(x.send.buffer, x.send.counts, x.send.@displs@, x.send.types, (void *)x.recv.buffer, x.recv.counts, x.recv.@displs@, x.recv.types, @comm@);
}
