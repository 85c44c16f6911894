/* Parts of collective operations that several files use: the messages and copies of blocks. No state, no locks. */
#include "coll.h"

void em_send_block(struct schedule *s, struct block part, int dest)
{
    if (block_bytes(part))
        em_step_send(s, part.buf, part.count, part.type, dest);
}

void em_receive_block(struct schedule *s, struct block part, int source)
{
    if (block_bytes(part))
        em_step_recv(s, part.buf, part.count, part.type, source);
}

void em_move_block(struct schedule *s, struct block from, struct block to)
{
    em_step_copy(s, from.buf, from.count, from.type, to.buf, to.count, to.type);
}

void em_make_flat_scatter(struct schedule *s, const struct side *send, struct block own, int root)
{
    int n = em_schedule_comm(s)->size, me = em_schedule_comm(s)->rank;
    if (me != root) {
        em_receive_block(s, own, root);
        return;
    }
    for (int k = 1; k < n; k++)
        em_send_block(s, side_block(send, (me + k) % n), (me + k) % n);
    if (own.type)
        em_move_block(s, side_block(send, me), own);
}
