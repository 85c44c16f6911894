/*
 * The data of messages: streams of bytes of the user's memory (data.c).
 *
 * Gives: adi_stream_bytes, adi_copy_out, adi_copy_in, adi_room, adi_block_of_data, adi_native_count, adi_set_status.
 * Needs: state.h.
 */
#ifndef WI4GO_DATA_H
#define WI4GO_DATA_H

#include "state.h"

/* Returns the number of bytes of count elements in the stream that act makes. */
int64_t adi_stream_bytes(const MPIR_DATATYPE *type, int64_t count, int act);
void adi_copy_out(const struct adi_data *data, int64_t at, void *dest, int64_t n);
void adi_copy_in(const struct adi_data *data, int64_t at, const void *src, int64_t n);
/* Returns how many bytes of a stream in a representation a receive has room for. */
int64_t adi_room(MPIR_RHANDLE *request, int32_t source, int msgrep);
/* Returns the first byte of data that is one block, or NULL if it is not. */
char *adi_block_of_data(const struct adi_data *data);
int64_t adi_native_count(const struct adi_data *data, int msgrep, int64_t bytes);
/* Stores a message's envelope in a receive, and how many of its bytes fit. Returns that number. */
static inline int64_t adi_set_status(MPIR_RHANDLE *request, int32_t source, int32_t tag, int msgrep, int64_t bytes)
{
    const struct adi_data *data = &request->device.data;
    int64_t room = adi_unlikely(data->type) ? adi_room(request, source, msgrep) : data->len, fits = bytes < room ? bytes : room;
    request->s.MPI_SOURCE = source;
    request->s.MPI_TAG = tag;
    request->s.MPI_ERROR = bytes > room ? MPIR_ERR_TRUNCATE : MPID_SUCCESS;
    request->s.msgrep = msgrep;
    request->s.count = adi_unlikely(data->type) ? adi_native_count(data, msgrep, fits) : fits;
    return fits;
}

#endif
