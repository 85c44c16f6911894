/* What all of the emulation needs: see emulate.h. */
#include "emulate.h"
#include "parts.h"

int wi4go_raise(enum wi4go_object object, int64_t handle, int error_class)
{
    return wi4go_pair->raise(object, (long)handle, error_class);
}

/* The layers, the lowest first. That of requests is put over them later
   (requests.c), when the program has one of ours. */
void wi4go_emulation_begins(const struct wi4go_pair *pair)
{
    if (wi4go_error_classes_differ(pair))
        wi4go_put_over(wi4go_layer_errors);
    if (!RUNTIME_HAS(MPI_Session_init))
        wi4go_put_over(wi4go_layer_world);
    if (wi4go_split_types_differ(pair))
        wi4go_put_over(wi4go_layer_resources);
    /* MPICH from 4.0 on has sessions, and since 4.2, which refuses nothing, this. */
    if (pair->root_send_refused && RUNTIME_HAS(MPI_Session_init) && !RUNTIME_HAS(MPI_Buffer_flush))
        wi4go_put_over(wi4go_layer_intercomm);
    if (pair->limits.info_key < MPI_MAX_INFO_KEY)
        wi4go_put_over(wi4go_layer_limits);
    const int our_buffers = wi4go_slots[SLOT_MPI_Buffer_flush].emulation && !RUNTIME_HAS(MPI_Buffer_flush);
    if (our_buffers)
        wi4go_put_over(wi4go_layer_buffers);
    if (our_buffers || !RUNTIME_HAS(MPI_Session_init))
        wi4go_put_over(wi4go_layer_end);
    if (wi4go_records_wanted())
        wi4go_put_over(wi4go_layer_records);
    if (wi4go_slots[SLOT_MPI_Remove_error_class].emulation && !RUNTIME_HAS(MPI_Remove_error_class))
        wi4go_put_over(wi4go_layer_removal);
}
