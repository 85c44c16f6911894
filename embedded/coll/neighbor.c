/* Collective operations among the neighbors of a topology (MPI-5.0, 8.6). No state, no locks. */
#include "coll.h"

/*
 * Messages between two ranks arrive in the order in which they were sent. If both neighbors of a
 * dimension are the same rank, the message that it has sent in the negative direction belongs to
 * the neighbor in the positive direction, so these are received first (MPI-5.0, example 8.11).
 */
void em_make_neighbor(struct schedule *s, const struct collective *c)
{
    const struct topology *t = c->comm->topology;
    for (int i = 0; i < t->sources; i++) {
        int j = t->kind == MPI_CART ? i ^ 1 : i;
        if (t->source[j] != MPI_PROC_NULL)
            em_receive_block(s, side_block(&c->receive, j), t->source[j]);
    }
    for (int i = 0; i < t->destinations; i++)
        if (t->destination[i] != MPI_PROC_NULL)
            em_send_block(s, side_block(&c->send, i), t->destination[i]);
}
