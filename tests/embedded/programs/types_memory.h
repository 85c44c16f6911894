/*
 * Memory with the data of random datatypes, and its stream by the model.
 *
 * Gives: struct memory, memory_for, fill, model_pack, model_unpack, same_bytes.
 * Needs: types_model.h.
 */
#ifndef WI4GO_TYPES_MEMORY_H
#define WI4GO_TYPES_MEMORY_H

#include "types_model.h"

/* A program's memory for some instances of a datatype. */
struct memory {
    char *bytes;  /* owned */
    char *buffer; /* the address that MPI gets */
    size_t size;
};

static struct memory memory_for(const struct model *m, int count)
{
    long low = 0, high = 0;
    for (int i = 0; i < count; i++)
        for (int e = 0; e < m->n; e++) {
            long at = i * (m->ub - m->lb) + m->entry[e].at, end = at + basics[m->entry[e].basic].size;
            low = at < low ? at : low;
            high = end > high ? end : high;
        }
    struct memory memory = {.size = (size_t)(high - low + 32)};
    memory.bytes = calloc(1, memory.size);
    memory.buffer = memory.bytes + (16 - low % 16) % 16 - low;
    return memory;
}

/* Fills the memory with bytes, and the elements with valid values. */
static void fill(struct memory memory, const struct model *m, int count, uint64_t *random)
{
    for (size_t i = 0; i < memory.size; i++)
        memory.bytes[i] = (char)(random_next(random) >> 20);
    for (int i = 0; i < count; i++)
        for (int e = 0; e < m->n; e++)
            set_valid(m->entry[e].basic, memory.buffer + i * (m->ub - m->lb) + m->entry[e].at, random);
}

static int stream_size(const struct model *m, int count, int to)
{
    int bytes = 0;
    for (int e = 0; e < m->n; e++)
        bytes += size_in(m->entry[e].basic, to);
    return bytes * count;
}

/* Writes the stream in a representation, element by element. */
static void model_pack(const struct model *m, int count, const char *buffer, char *stream, int to)
{
    for (int i = 0; i < count; i++)
        for (int e = 0; e < m->n; e++) {
            convert(m->entry[e].basic, buffer + i * (m->ub - m->lb) + m->entry[e].at, stream, to);
            stream += size_in(m->entry[e].basic, to);
        }
}

static void model_unpack(const struct model *m, int count, char *buffer, const char *stream, int from)
{
    for (int i = 0; i < count; i++)
        for (int e = 0; e < m->n; e++) {
            convert_back(m->entry[e].basic, stream, buffer + i * (m->ub - m->lb) + m->entry[e].at, from);
            stream += size_in(m->entry[e].basic, from);
        }
}

static void same_bytes(const char *what, const char *expected, const char *got, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (expected[i] != got[i]) {
            fprintf(stderr, "%s: byte %zu of %zu is %02x instead of %02x\n", what, i, n, got[i] & 0xff, expected[i] & 0xff);
            exit(9);
        }
}

#endif
