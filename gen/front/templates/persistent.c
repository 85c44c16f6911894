
struct args_@function@ {
    struct persistent base;
@members@};
static int start_@function@(struct emulated *request)
{
@begins@    return @started@(@arguments@);
}
static const struct emulated_kind kind_@function@ = {.size = sizeof(struct args_@function@), .start = start_@function@, @hooks@};
int E_@function@(@parameters@)
{
    struct args_@function@ *p;
    int rc = wi4go_persistent_new((struct persistent **)&p, &kind_@function@, @comm@, @neighbours@);
    if (rc)
        return rc;
@keep@    *@request@ = p->base.request.handle;
    return MPI_SUCCESS;
}
