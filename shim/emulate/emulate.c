/* Installs the layers, and decides which of them a library needs: wi4go_needs_layer_LAYER reports
   whether the pair's library needs the layer. See emulate.h. Its state is whether the library is
   up, which is read without a lock. Layers are installed while the runtime loads, or under their own
   lock. */
#include "emulate.h"
#include "parts.h"

static int up; /* 1: the library is initialized and not finalized */

int wi4go_library_is_up(void) { return __atomic_load_n(&up, __ATOMIC_ACQUIRE); }

void wi4go_library_set_up(int is_up)
{
    __atomic_store_n(&up, is_up, __ATOMIC_RELEASE);
    wi4go_layers_update(WI4GO_OUTSIDE);
}

int wi4go_needs_layer_world(const struct wi4go_pair *pair) { return !RUNTIME_HAS(MPI_Session_init); }

/* Returns true for MPICH 4.0 and 4.1: MPICH has sessions from 4.0 on, and from 4.2 on, which no
   longer refuses a null buffer, MPI_Buffer_flush. */
int wi4go_needs_layer_intercomm(const struct wi4go_pair *pair)
{
    return pair->root_send_refused && RUNTIME_HAS(MPI_Session_init) && !RUNTIME_HAS(MPI_Buffer_flush);
}

int wi4go_needs_layer_limits(const struct wi4go_pair *pair) { return pair->limits.info_key < MPI_MAX_INFO_KEY; }

int wi4go_needs_layer_buffers(const struct wi4go_pair *pair)
{
    return wi4go_slots[SLOT_MPI_Buffer_flush].emulation && !RUNTIME_HAS(MPI_Buffer_flush);
}

int wi4go_needs_layer_end(const struct wi4go_pair *pair) { return wi4go_needs_layer_buffers(pair) || wi4go_needs_layer_world(pair); }

void wi4go_layers_install(enum wi4go_moment moment)
{
    for (const struct wi4go_chain *c = wi4go_chain; c->name; c++)
        if (c->when == moment && (!c->is_needed || c->is_needed(wi4go_pair)))
            wi4go_layer_install(c->functions);
}

void wi4go_layers_update(enum wi4go_moment moment)
{
    for (const struct wi4go_chain *c = wi4go_chain; c->name; c++)
        if (c->when == moment)
            (c->is_needed(wi4go_pair) ? wi4go_layer_install : wi4go_layer_remove)(c->functions);
}

void wi4go_emulation_install(void)
{
    wi4go_layers_install(WI4GO_AT_LOAD);
    wi4go_layers_update(WI4GO_OUTSIDE);
}
