/* Installs the layers, and decides which of them a library needs: wi4go_needs_layer_LAYER reports
   whether the pair's library needs the layer. See emulate.h. It has no state: layers are
   installed while the runtime loads, or under their own lock. */
#include "emulate.h"
#include "parts.h"

int wi4go_raise(enum wi4go_object object, int64_t handle, int error_class)
{
    return wi4go_pair->raise(object, (long)handle, error_class);
}

int wi4go_needs_layer_errors(const struct wi4go_pair *pair) { return wi4go_error_classes_differ(pair); }

int wi4go_needs_layer_world(const struct wi4go_pair *pair) { return !RUNTIME_HAS(MPI_Session_init); }

int wi4go_needs_layer_resources(const struct wi4go_pair *pair) { return wi4go_split_types_differ(pair); }

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

int wi4go_needs_layer_handle_report(const struct wi4go_pair *pair) { return wi4go_handle_report_wanted(); }

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
