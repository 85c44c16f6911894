/*
 * Prints the chain of layers over a slot, in the order in which a call passes them: from the table by which the program
 * calls, link by link. It is linked into a front, which exports its functions.
 */
#include "emulate.h"
#include <stdio.h>

/* Returns the name of the layer that has installed this function over the slot, and writes its link; NULL: no layer. */
static const char *layer_of(unsigned slot, void *function, unsigned *link)
{
    for (const struct wi4go_chain *c = wi4go_chain; c->name; c++)
        for (const struct wi4go_layer *row = c->functions; row->function; row++)
            if (row->slot == slot && row->function == function) {
                *link = row->link;
                return c->name;
            }
    return NULL;
}

/* Prints a line for each slot with layers: the function, and the layers from the top. */
void print_chains(void);
void print_chains(void)
{
    for (unsigned slot = 0; slot < N_SLOTS; slot++) {
        unsigned link;
        void *at = wi4go_slot_publish(slot);
        const char *layer = layer_of(slot, at, &link);
        if (!layer || at != wi4go_A[slot])
            continue;
        printf("%s:", wi4go_slots[slot].name);
        for (; layer; at = wi4go_below[link], layer = layer_of(slot, at, &link))
            printf(" %s", layer);
        printf("\n");
    }
}
