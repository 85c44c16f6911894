/* Packing (row A19 of docs/adi.md). No state. */
#include "data.h"

void MPID_Pack_size(int64_t count, MPIR_DATATYPE *type, MPID_Msg_pack_t msgact, int64_t *size) { *size = adi_stream_bytes(type, count, msgact); }

void MPID_Pack(const void *src, int64_t count, MPIR_DATATYPE *type, void *dest, int64_t maxcount, int64_t *position, struct MPIR_COMMUNICATOR *comm, int partner, MPID_Msgrep_t msgrep, MPID_Msg_pack_t msgact, int *err)
{
    struct adi_data data = {.buf = (char *)(uintptr_t)src, .count = count, .type = type, .act = msgact};
    int64_t bytes = adi_stream_bytes(type, count, msgact);
    if (bytes > maxcount - *position) {
        *err = MPIR_ERR_TRUNCATE;
        return;
    }
    adi_copy_out(&data, 0, (char *)dest + *position, bytes);
    *position += bytes;
}

void MPID_Unpack(const void *src, int64_t maxcount, MPID_Msgrep_t msgrep, int64_t *in_position, void *dest, int64_t count, MPIR_DATATYPE *type, int64_t *out_position, struct MPIR_COMMUNICATOR *comm, int partner, int *err)
{
    MPID_Msg_pack_t act;
    MPID_Msg_act(comm, partner, type, msgrep, &act);
    struct adi_data data = {.buf = (char *)dest + *out_position, .count = count, .type = type, .act = act};
    int64_t bytes = adi_stream_bytes(type, count, act);
    if (bytes > maxcount - *in_position) {
        *err = MPIR_ERR_TRUNCATE;
        return;
    }
    adi_copy_in(&data, 0, (const char *)src + *in_position, bytes);
    *in_position += bytes;
    *out_position += count * type->extent;
}
