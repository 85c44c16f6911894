/* Packing (MPI-5.0, 5.2), and copies between datatypes. No state, no locks. */
#include "layout.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/state.h"

#include <string.h>

/* Stores the bytes of count elements in a representation, or returns an error if they exceed 64 bits. */
static int stream_bytes(int64_t count, const struct type *type, int to, int64_t *bytes)
{
    if (__builtin_mul_overflow(count, type->layout->size[to], bytes))
        return em_error(MPI_ERR_VALUE_TOO_LARGE, "%lld elements of %lld bytes", (long long)count, (long long)type->layout->size[to]);
    return MPI_SUCCESS;
}

/* Moves the position over count elements in a buffer of `size` bytes and stores where they begin. */
static int take_place(int64_t count, const struct type *type, int to, int64_t size, int64_t *position, int64_t *start, int64_t *bytes)
{
    int err = stream_bytes(count, type, to, bytes);
    if (err != MPI_SUCCESS)
        return err;
    if (size < 0 || *position < 0 || *position > size)
        return em_error(MPI_ERR_ARG, "position %lld in a buffer of %lld bytes", (long long)*position, (long long)size);
    if (*bytes > size - *position)
        return em_error(MPI_ERR_TRUNCATE, "%lld bytes do not fit between position %lld and the end of the buffer at %lld", (long long)*bytes, (long long)*position, (long long)size);
    *start = *position;
    *position += *bytes;
    return MPI_SUCCESS;
}

/* Packs or unpacks count elements at a position of a buffer, in a representation, and moves the position. Returns an error code. */
static int pack_or_unpack(bool pack, int to, void *memory, int64_t count, struct type *type, void *buffer, int64_t size, int64_t *position)
{
    int64_t start = 0, bytes = 0;
    int err = take_place(count, type, to, size, position, &start, &bytes);
    if (err != MPI_SUCCESS || bytes == 0)
        return err;
    if (!buffer)
        return em_error(MPI_ERR_BUFFER, "the buffer of packed data is a null pointer");
    struct cursor cursor = {.pack = pack, .to = (uint8_t)to, .stream = (char *)buffer + start, .left = bytes};
    if (to != NATIVE)
        em_pack_converted(&cursor, count, type->device.extent, type->layout, memory);
    else if (pack)
        type->device.ops->pack(&type->device, memory, count, MPID_MSG_OK, 0, cursor.stream, bytes);
    else
        type->device.ops->unpack(&type->device, memory, count, MPID_MSG_OK, 0, cursor.stream, bytes);
    return MPI_SUCCESS;
}

/* Returns the representation of packed data: the same as for messages, because packed data may be received as other datatypes. */
static int packed(void) { return em->converts ? XDR : NATIVE; }

int em_Pack(const void *inbuf, int64_t incount, struct type *datatype, void *outbuf, int64_t outsize, int64_t *position, struct comm *comm)
{
    return pack_or_unpack(true, packed(), (void *)(uintptr_t)inbuf, incount, datatype, outbuf, outsize, position);
}

int em_Unpack(const void *inbuf, int64_t insize, int64_t *position, void *outbuf, int64_t outcount, struct type *datatype, struct comm *comm)
{
    return pack_or_unpack(false, packed(), outbuf, outcount, datatype, (void *)(uintptr_t)inbuf, insize, position);
}

int em_Pack_size(int64_t incount, struct type *datatype, struct comm *comm, int64_t *size)
{
    return stream_bytes(incount, datatype, packed(), size);
}

/* The only representation that the standard defines for these functions is external32. */
static int check_datarep(const char *datarep)
{
    if (!datarep || strcmp(datarep, "external32"))
        return em_error(MPI_ERR_ARG, "datarep is \"%s\", not \"external32\"", datarep ? datarep : "");
    return MPI_SUCCESS;
}

int em_Pack_external(const char *datarep, const void *inbuf, int64_t incount, struct type *datatype, void *outbuf, int64_t outsize, int64_t *position)
{
    int err = check_datarep(datarep);
    return err == MPI_SUCCESS ? pack_or_unpack(true, EXTERNAL32, (void *)(uintptr_t)inbuf, incount, datatype, outbuf, outsize, position) : err;
}

int em_Unpack_external(const char *datarep, const void *inbuf, int64_t insize, int64_t *position, void *outbuf, int64_t outcount, struct type *datatype)
{
    int err = check_datarep(datarep);
    return err == MPI_SUCCESS ? pack_or_unpack(false, EXTERNAL32, outbuf, outcount, datatype, (void *)(uintptr_t)inbuf, insize, position) : err;
}

int em_Pack_external_size(const char *datarep, int64_t incount, struct type *datatype, int64_t *size)
{
    int err = check_datarep(datarep);
    return err == MPI_SUCCESS ? stream_bytes(incount, datatype, EXTERNAL32, size) : err;
}

/* ---- copies ---- */

/* Copies between two datatypes in one process, through a piece on the stack unless one of them is contiguous. Copies
 * what fits after MPI_ERR_TRUNCATE. */
int em_copy(const void *from, int64_t scount, struct type *stype, void *to, int64_t rcount, struct type *rtype)
{
    enum { PIECE = 16384 };
    char piece[PIECE];
    const MPIR_DATATYPE *source = &stype->device, *dest = &rtype->device;
    int64_t bytes = scount * source->size, room = rcount * dest->size;
    int err = MPI_SUCCESS;
    if (bytes > room) {
        err = em_error(MPI_ERR_TRUNCATE, "%lld bytes for a buffer of %lld", (long long)bytes, (long long)room);
        bytes = room;
    }
    if (bytes == 0)
        return err;
    if (dest->is_contig) {
        source->ops->pack(source, from, scount, MPID_MSG_OK, 0, em_plus(to, dest->true_lb), bytes);
    } else if (source->is_contig) {
        dest->ops->unpack(dest, to, rcount, MPID_MSG_OK, 0, em_plus(from, source->true_lb), bytes);
    } else {
        for (int64_t at = 0; at < bytes; at += PIECE) {
            int64_t n = bytes - at < PIECE ? bytes - at : PIECE;
            source->ops->pack(source, from, scount, MPID_MSG_OK, at, piece, n);
            dest->ops->unpack(dest, to, rcount, MPID_MSG_OK, at, piece, n);
        }
    }
    return err;
}
