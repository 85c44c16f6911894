/*
 * The representation of messages, and copies between messages and the user's memory. No state except
 * the rank's setting, no locks.
 */
#include <string.h>

#include "copy.h"
#include "data.h"

void MPID_Msg_rep(struct MPIR_COMMUNICATOR *comm, int partner, MPIR_DATATYPE *type, MPID_Msgrep_t *msgrep, MPID_Msg_pack_t *msgact)
{
    /* All hosts of a job are the same one, so the partner does not matter. */
    *msgrep = comm && comm->is_known ? (MPID_Msgrep_t)comm->msgrep : adi_self->config.msgrep;
    MPID_Msg_act(comm, partner, type, *msgrep, msgact);
}

void MPID_Msg_act(struct MPIR_COMMUNICATOR *comm, int partner, MPIR_DATATYPE *type, MPID_Msgrep_t msgrep, MPID_Msg_pack_t *msgact)
{
    *msgact = msgrep == MPID_MSGFORM_XDR ? MPID_MSG_XDR : MPID_MSG_OK;
}

int64_t adi_stream_bytes(const MPIR_DATATYPE *type, int64_t count, int act)
{
    return count * (act == MPID_MSG_XDR ? type->xdr_size : type->size);
}

char *adi_block_of_data(const struct adi_data *data)
{
    if (!data->type)
        return data->buf;
    return data->type->is_contig && data->act == MPID_MSG_OK ? (char *)((uintptr_t)data->buf + (uintptr_t)data->type->true_lb) : NULL;
}

void adi_copy_out(const struct adi_data *data, int64_t at, void *dest, int64_t n)
{
    const char *block;
    if (n == 0)
        return;
    if ((block = adi_block_of_data(data)))
        memcpy(dest, block + at, (size_t)n);
    else
        data->type->ops->pack(data->type, data->buf, data->count, data->act, at, dest, n);
}

void adi_copy_in(const struct adi_data *data, int64_t at, const void *src, int64_t n)
{
    char *block;
    if (n == 0)
        return;
    if ((block = adi_block_of_data(data)))
        memcpy(block + at, src, (size_t)n);
    else
        data->type->ops->unpack(data->type, data->buf, data->count, data->act, at, src, n);
}

void adi_copy_out_ring(const struct adi_data *data, int64_t at, char *dest, int64_t n, bool past)
{
    const char *block = n ? adi_block_of_data(data) : NULL;
    if (block)
        adi_copy_to_ring(dest, block + at, n, past);
    else
        adi_copy_out(data, at, dest, n);
}

void adi_copy_in_ring(const struct adi_data *data, int64_t at, char *src, int64_t n, enum adi_copy how)
{
    char *block = n ? adi_block_of_data(data) : NULL;
    if (block && (uintptr_t)src % 64 == 0)
        adi_copy_from_ring(block + at, src, n, how);
    else
        adi_copy_in(data, at, src, n);
}

int64_t adi_native_count(const struct adi_data *data, int msgrep, int64_t bytes)
{
    return data->type && msgrep == MPID_MSGFORM_XDR ? data->type->ops->native(data->type, bytes) : bytes;
}

int64_t adi_room(MPIR_RHANDLE *request, int32_t source, int msgrep)
{
    struct adi_data *data = &request->device.data;
    MPID_Msg_pack_t act;
    if (!data->type)
        return data->len;
    MPID_Msg_act(request->comm, source, data->type, msgrep, &act);
    data->act = act;
    return adi_stream_bytes(data->type, data->count, act);
}
