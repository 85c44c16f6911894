
static int begin_@function@(struct persistent *r, @begins@)
{
    if (!r->exchange) {
        r->exchange = exchange_new();
        const int wrong = @fill@(r->exchange, @given@);
        if (unlikely(wrong)) {
            exchange_free(r);
            return wi4go_raise(WI4GO_COMM, @comm@, wrong);
        }
    }
    const struct exchange *x = separate_buffers(r->exchange);
    return @call@(x->send.buffer, x->send.counts, x->send.@displs@, x->send.types, (void *)x->recv.buffer, x->recv.counts, x->recv.@displs@, x->recv.types, @comm@, &r->request.inner[0]);
}

int via_int_@function@(@parameters@)
{
    struct persistent *r = (struct persistent *)wi4go_request_new(&exchange_kind, 0);
    return finish_start(r, begin_@function@(r, @given@), @request@);
}
