
static int begin_@function@(struct persistent *r, @begins@)
{
    struct piece piece = {0, 0, 0};
    MPI_Aint extent = 0;
    int rc = 0, wrong = out_of_range(@count@, @datatype@, &extent);
    if (wrong)
        return wi4go_raise(WI4GO_COMM, @comm@, wrong);
    r->pieces = pieces_new(1, @count@);
    while (!rc && next_piece(&piece, @count@, extent))
        rc = @small@(@pieces@);
    return rc;
}

int via_int_@function@(@parameters@)
{
    if (likely(FITS(@count@)))
        return @small@(@whole@);
    struct persistent *r = reduction_new(@datatype@);
    return finish_start(r, begin_@function@(r, @given@), @request@);
}
