/*
 * Random nested datatypes against a model that keeps the list of all basic elements, by the
 * definitions of the standard: bounds, packing, unpacking, external32, and the device's view of a
 * datatype as a stream, which may be split at any byte.
 *
 *   types_layout SEED COUNT
 */
#include "types_check.h"
#include "types_memory.h"

#ifdef EMBEDDED
#include "embedded/types/types.h"
#endif

#ifdef EMBEDDED
/* Two pieces at every position, and many pieces of random sizes. */
static void check_splits(MPI_Datatype handle, int count, const char *buffer, const char *stream, int bytes, int act, struct memory target, const char *expected, uint64_t *random)
{
    const MPIR_DATATYPE *type = &((struct type *)handle)->device;
    const long offset = target.buffer - target.bytes;
    char *got = malloc((size_t)bytes + 1);
    for (int split = -3; split <= bytes; split++) {
        memset(got, 0, (size_t)bytes + 1);
        for (int at = 0, n; at < bytes; at += n) {
            n = split < 0 ? 1 + (int)(random_next(random) % 19) : at < split ? split - at : bytes - at;
            if (n > bytes - at)
                n = bytes - at;
            type->ops->pack(type, buffer, count, act, at, got + at, n);
        }
        same_bytes("split pack", stream, got, (size_t)bytes);
        memset(target.bytes, 0, target.size);
        for (int at = 0, n; at < bytes; at += n) {
            n = split < 0 ? 1 + (int)(random_next(random) % 19) : at < split ? split - at : bytes - at;
            if (n > bytes - at)
                n = bytes - at;
            type->ops->unpack(type, target.bytes + offset, count, act, at, stream + at, n);
        }
        same_bytes("split unpack", expected, target.bytes, target.size);
    }
    free(got);
}

/* The native bytes of the first bytes of an XDR stream: those of its complete elements. */
static void check_native(MPI_Datatype handle, const struct model *m)
{
    const MPIR_DATATYPE *type = &((struct type *)handle)->device;
    int64_t native = 0, xdr = 0;
    EQUAL(stream_size(m, 1, TO_XDR), type->xdr_size);
    for (int e = 0; e < 2 * m->n; e++) {
        int basic = m->entry[e % m->n].basic;
        for (int part = 0; part < size_in(basic, TO_XDR); part++)
            EQUAL(native, type->ops->native(type, xdr + part));
        native += size_in(basic, TO_NATIVE);
        xdr += size_in(basic, TO_XDR);
    }
    EQUAL(native, type->ops->native(type, xdr));
}
#endif

/* Packs and unpacks in one representation. */
static void check_stream(MPI_Datatype type, const struct model *m, int count, int to, bool splits, uint64_t *random)
{
    struct memory source = memory_for(m, count), target = memory_for(m, count), model = memory_for(m, count);
    int bytes = stream_size(m, count, to), position = 3;
    MPI_Aint place = 3;
    char *stream = calloc(1, (size_t)bytes + 8), *got = calloc(1, (size_t)bytes + 8);
    fill(source, m, count, random);
    model_pack(m, count, source.buffer, stream + 3, to);
    if (to == TO_NATIVE) {
        MUST(MPI_Pack(source.buffer, count, type, got, bytes + 3, &position, MPI_COMM_WORLD));
        EQUAL(bytes + 3, position);
    } else if (to == TO_EXTERNAL32) {
        MUST(MPI_Pack_external("external32", source.buffer, count, type, got, bytes + 3, &place));
        EQUAL(bytes + 3, place);
    }
    if (to != TO_XDR)
        same_bytes(to ? "external32" : "pack", stream, got, (size_t)bytes + 8);
    model_unpack(m, count, model.buffer, stream + 3, to);
    position = 3, place = 3;
    if (to == TO_NATIVE)
        MUST(MPI_Unpack(stream, bytes + 3, &position, target.buffer, count, type, MPI_COMM_WORLD));
    else if (to == TO_EXTERNAL32)
        MUST(MPI_Unpack_external("external32", stream, bytes + 3, &place, target.buffer, count, type));
    if (to != TO_XDR && !overlaps(m, count))
        same_bytes("unpack", model.bytes, target.bytes, target.size);
#ifdef EMBEDDED
    if (splits && bytes < 300 && !overlaps(m, count))
        check_splits(type, count, source.buffer, stream + 3, bytes, to == TO_XDR ? MPID_MSG_XDR : MPID_MSG_OK, target, model.bytes, random);
#endif
    free(source.bytes);
    free(target.bytes);
    free(model.bytes);
    free(stream);
    free(got);
}

static void check_bounds(MPI_Datatype type, const struct model *m)
{
    MPI_Count lb = -1, extent = -1, bytes = -1;
    long low = 0, high = 0;
    for (int e = 0; e < m->n; e++) {
        long at = m->entry[e].at, end = at + basics[m->entry[e].basic].size;
        low = !e || at < low ? at : low;
        high = !e || end > high ? end : high;
    }
    MUST(MPI_Type_size_x(type, &bytes));
    EQUAL(stream_size(m, 1, TO_NATIVE), bytes);
    MUST(MPI_Type_get_extent_x(type, &lb, &extent));
    EQUAL(m->lb, lb);
    EQUAL(m->ub - m->lb, extent);
    MUST(MPI_Type_get_true_extent_x(type, &lb, &extent));
    EQUAL(low, lb);
    EQUAL(high - low, extent);
}

/* Counts of elements for a message of each length. */
static void check_elements(MPI_Datatype type, const struct model *m)
{
    MPI_Status status;
    memset(&status, 0, sizeof status);
    int bytes = 0, size = stream_size(m, 1, TO_NATIVE);
    for (int e = 0; m->n && e <= 2 * m->n; e++) {
        int count = -1;
        MUST(MPI_Status_set_elements(&status, MPI_BYTE, bytes));
        MUST(MPI_Get_elements(&status, type, &count));
        EQUAL(e, count);
        MUST(MPI_Get_count(&status, type, &count));
        EQUAL(bytes % size ? MPI_UNDEFINED : bytes / size, count);
        if (size_in(m->entry[e % m->n].basic, TO_NATIVE) > 1) {
            MUST(MPI_Status_set_elements(&status, MPI_BYTE, bytes + 1));
            MUST(MPI_Get_elements(&status, type, &count));
            EQUAL(MPI_UNDEFINED, count);
        }
        MUST(MPI_Status_set_elements(&status, type, e));
        MUST(MPI_Get_elements(&status, MPI_BYTE, &count));
        EQUAL(bytes, count);
        bytes += size_in(m->entry[e % m->n].basic, TO_NATIVE);
    }
}

static void check_type(uint64_t *random)
{
    static struct model m;
    MPI_Datatype type = random_type(&m, 1 + (int)(random_next(random) % 4), random);
    MUST(MPI_Type_commit(&type));
    check_bounds(type, &m);
    check_elements(type, &m);
    for (int count = 0; count < 4; count += 1 + (int)(random_next(random) % 2)) {
        check_stream(type, &m, count, TO_NATIVE, count < 3, random);
        if (!overlaps(&m, count)) {
            check_stream(type, &m, count, TO_EXTERNAL32, false, random);
            check_stream(type, &m, count, TO_XDR, count < 3, random);
        }
    }
#ifdef EMBEDDED
    check_native(type, &m);
#endif
    MUST(MPI_Type_free(&type));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    uint64_t random = 0x9e3779b97f4a7c15ull * (uint64_t)(argc > 1 ? atoi(argv[1]) : 1);
    int count = argc > 2 ? atoi(argv[2]) : 1000;
    for (int i = 0; i < count; i++)
        check_type(&random);
    return right("types_layout");
}
