/* Tests of datatypes: the properties that the library reports, and derived operations. */
#include "verify.h"

#include <complex.h>
#include <stdint.h>
#include <wchar.h>

/* Returns the bytes of data of a basic type in C, without padding; -1 if it is unknown. */
static int bytes_of(const char *name)
{
    static const struct {
        const char *name;
        size_t bytes;
    } all[] = {
        {"MPI_CHAR", sizeof(char)}, {"MPI_BYTE", 1}, {"MPI_WCHAR", sizeof(wchar_t)}, {"MPI_SHORT", sizeof(short)},
        {"MPI_INT", sizeof(int)}, {"MPI_LONG", sizeof(long)}, {"MPI_LONG_LONG_INT", sizeof(long long)},
        {"MPI_UNSIGNED_CHAR", sizeof(char)}, {"MPI_UNSIGNED_SHORT", sizeof(short)}, {"MPI_UNSIGNED", sizeof(int)},
        {"MPI_UNSIGNED_LONG", sizeof(long)}, {"MPI_UNSIGNED_LONG_LONG", sizeof(long long)}, {"MPI_FLOAT", sizeof(float)},
        {"MPI_DOUBLE", sizeof(double)}, {"MPI_LONG_DOUBLE", sizeof(long double)}, {"MPI_INT8_T", 1}, {"MPI_INT16_T", 2},
        {"MPI_INT32_T", 4}, {"MPI_INT64_T", 8}, {"MPI_UINT8_T", 1}, {"MPI_UINT16_T", 2}, {"MPI_UINT32_T", 4}, {"MPI_UINT64_T", 8},
        {"MPI_C_COMPLEX", sizeof(float _Complex)}, {"MPI_C_FLOAT_COMPLEX", sizeof(float _Complex)},
        {"MPI_C_DOUBLE_COMPLEX", sizeof(double _Complex)}, {"MPI_C_LONG_DOUBLE_COMPLEX", sizeof(long double _Complex)},
        {"MPI_FLOAT_INT", sizeof(float) + sizeof(int)}, {"MPI_DOUBLE_INT", sizeof(double) + sizeof(int)},
        {"MPI_LONG_INT", sizeof(long) + sizeof(int)}, {"MPI_2INT", 2 * sizeof(int)}, {"MPI_SHORT_INT", sizeof(short) + sizeof(int)},
        {"MPI_LONG_DOUBLE_INT", sizeof(long double) + sizeof(int)},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0)
            return (int)all[i].bytes;
    return -1;
}

/* Returns the bytes of data of a whole object. */
static long object_bytes(const place *p)
{
    long all = 0;
    for (int i = 0; i < p->signature->n; i++)
        all += (long)bytes_of(DTP_type_name(p->signature->types[i])) * p->signature->counts[i] * p->count;
    return all;
}

/* The size of an object's datatype and of the basic type. */
void types_size(const place *p, int unused)
{
    int bytes = -1;
    DTP_obj_t *o = object(p->from, p->s, 0, 0);
    if (!o)
        return;
    MUST(MPI_Type_size(o->DTP_obj_type, &bytes));
    EXPECT("the size of all of the type", (long)bytes * o->DTP_obj_count, object_bytes(p));
    if (p->basic == MPI_DATATYPE_NULL)
        return;
    MUST(MPI_Type_size(p->basic, &bytes));
    EXPECT("the size of the basic type", bytes, bytes_of(p->type));
}

/* The extent covers exactly the object's buffer. */
void types_extent(const place *p, int unused)
{
    MPI_Aint lb = -1, extent = -1;
    DTP_obj_t *o = object(p->from, p->s, 0, 0);
    if (!o)
        return;
    MUST(MPI_Type_get_extent(o->DTP_obj_type, &lb, &extent));
    EXPECT("the lower bound", lb, 0);
    extent *= o->DTP_obj_count;
    if (p->basic != MPI_DATATYPE_NULL)
        EXPECT("the extent of all of the type", extent, o->DTP_obj_bufsize);
    else if (extent < (MPI_Aint)o->DTP_obj_bufsize || extent > (MPI_Aint)o->DTP_obj_bufsize + 15) /* a struct may end with padding */
        wrong("the extent of a struct of %zu bytes is %ld", o->DTP_obj_bufsize, (long)extent);
}

/* The true extent covers the data and stays within the buffer. */
void types_true_extent(const place *p, int unused)
{
    MPI_Aint lb = -1, extent = -1;
    DTP_obj_t *o = object(p->from, p->s, 0, 0);
    if (!o)
        return;
    MUST(MPI_Type_get_true_extent(o->DTP_obj_type, &lb, &extent));
    extent *= o->DTP_obj_count;
    if (lb < 0 || extent < object_bytes(p) || lb + extent > (MPI_Aint)o->DTP_obj_bufsize)
        wrong("the true lower bound %ld and extent %ld of %ld bytes of data in a buffer of %zu", (long)lb, (long)extent, object_bytes(p),
              o->DTP_obj_bufsize);
}

/* A resized datatype reports the given bounds. */
void types_resized(const place *p, int unused)
{
    MPI_Datatype type;
    MPI_Aint lb, extent;
    DTP_obj_t *o = object(p->from, p->s, 0, 0);
    if (!o)
        return;
    MUST(MPI_Type_create_resized(o->DTP_obj_type, -8, (MPI_Aint)o->DTP_obj_bufsize + 24, &type));
    MUST(MPI_Type_get_extent(type, &lb, &extent));
    EXPECT("the lower bound", lb, -8);
    EXPECT("the extent", extent, o->DTP_obj_bufsize + 24);
    MUST(MPI_Type_free(&type));
    EXPECT("the type that is freed is MPI_DATATYPE_NULL", type == MPI_DATATYPE_NULL, 1);
}

/* Reports whether a library may return the name `other` for the type `name`. */
static int is_alias(const char *name, const char *other)
{
    static const char *const same[][2] = {{"MPI_LONG_LONG_INT", "MPI_LONG_LONG"},
                                          {"MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX"},
                                          {"MPI_C_FLOAT_COMPLEX", "MPI_C_COMPLEX"}};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, same[i][0]) == 0 && strcmp(other, same[i][1]) == 0)
            return 1;
    return strcmp(name, other) == 0;
}

/* The name of a predefined type, and a name that the test sets. */
void types_names(const place *p, int unused)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = -1;
    DTP_obj_t *o = object(p->from, p->s, 0, 0);
    if (!o)
        return;
    if (p->basic != MPI_DATATYPE_NULL) {
        MUST(MPI_Type_get_name(p->basic, name, &length));
        if (!is_alias(p->type, name))
            wrong("the name of %s is %s", p->type, name);
        EXPECT("the length of the name", length, strlen(name));
    }
    if (o->DTP_obj_type == p->basic)
        return;
    MUST(MPI_Type_set_name(o->DTP_obj_type, "a type"));
    MUST(MPI_Type_get_name(o->DTP_obj_type, name, &length));
    if (strcmp(name, "a type") != 0 || length != 6)
        wrong("the name that was set is \"%s\" of length %d", name, length);
}

/* Sends object s to this process itself, receives it into r as another type, and checks r. */
static void send_to_self(const place *p, const DTP_obj_t *s, const DTP_obj_t *r, MPI_Datatype type)
{
    MPI_Status status;
    MUST(MPI_Sendrecv(BUFFER(s), 0, 1, r->DTP_obj_buf, r->DTP_obj_count, type, 0, 1, MPI_COMM_SELF, &status));
    check(p->to, p->r, value(p, rank), 1, p->elements, "the buffer received");
}

/* A duplicate has the same size and receives the same data. */
void types_dup(const place *p, int unused)
{
    MPI_Datatype copy;
    int bytes = -1, of_copy = -2;
    DTP_obj_t *s = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!s || !r)
        return;
    MUST(MPI_Type_dup(r->DTP_obj_type, &copy));
    MUST(MPI_Type_size(r->DTP_obj_type, &bytes));
    MUST(MPI_Type_size(copy, &of_copy));
    EXPECT("the size of the copy", of_copy, bytes);
    send_to_self(p, s, r, copy);
    MUST(MPI_Type_free(&copy));
}

/* The calls of the callbacks below: their number, and the arguments of the last one. */
static struct {
    int copies, deletions;
    MPI_Datatype type;
    void *value, *extra;
} calls;

/* Copies an attribute as its value plus 1. */
static int copy_value(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag)
{
    calls.copies++;
    calls.type = type;
    calls.value = in;
    calls.extra = extra;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

/* Records its arguments for the case that deletes the attribute. */
static int delete_value(MPI_Datatype type, int key, void *value, void *extra)
{
    calls.deletions++;
    calls.type = type;
    calls.value = value;
    calls.extra = extra;
    return MPI_SUCCESS;
}

/* Attributes of a datatype, with the calls of their callbacks. */
void types_attributes(const place *p, int unused)
{
    static char values[4], extra;
    MPI_Datatype type, copy;
    int key, flag = -1;
    void *got = NULL;
    DTP_obj_t *o = object(p->from, p->s, 0, 0);
    if (!o)
        return;
    memset(&calls, 0, sizeof calls);
    MUST(MPI_Type_contiguous(2, o->DTP_obj_type, &type));
    MUST(MPI_Type_create_keyval(copy_value, delete_value, &key, &extra));
    MUST(MPI_Type_get_attr(type, key, &got, &flag));
    EXPECT("the flag of an attribute that is not set", flag, 0);
    MUST(MPI_Type_set_attr(type, key, &values[0]));
    MUST(MPI_Type_get_attr(type, key, &got, &flag));
    EXPECT("the flag of an attribute that is set", flag, 1);
    EXPECT("the attribute has the value that was set", got == &values[0], 1);
    MUST(MPI_Type_dup(type, &copy));
    EXPECT("the calls of the copy function", calls.copies, 1);
    EXPECT("the copy function gets the type", calls.type == type, 1);
    EXPECT("the copy function gets the value", calls.value == &values[0], 1);
    EXPECT("the copy function gets the extra state", calls.extra == &extra, 1);
    MUST(MPI_Type_get_attr(copy, key, &got, &flag));
    EXPECT("the attribute of the copy has the function's value", flag && got == &values[1], 1);
    MUST(MPI_Type_delete_attr(type, key));
    EXPECT("the calls of the delete function", calls.deletions, 1);
    EXPECT("the delete function gets the type", calls.type == type, 1);
    EXPECT("the delete function gets the value", calls.value == &values[0], 1);
    MPI_Datatype freed = copy;
    MUST(MPI_Type_free(&copy));
    EXPECT("the calls of the delete function, after the copy was freed", calls.deletions, 2);
    EXPECT("the delete function gets the copy", calls.type == freed, 1);
    EXPECT("the delete function gets the copy's value", calls.value == &values[1], 1);
    EXPECT("the delete function gets the extra state", calls.extra == &extra, 1);
    MUST(MPI_Type_free_keyval(&key));
    EXPECT("the key that is freed is MPI_KEYVAL_INVALID", key, MPI_KEYVAL_INVALID);
    MUST(MPI_Type_free(&type));
}

/* Returns the combiner that the envelope of a layout must have, by the layout's
   description; MPI_UNDEFINED for a layout that --layouts has added. */
static int combiner_of(DTP_t pool, int index)
{
    static const struct {
        const char *name;
        int combiner;
    } all[] = {
        {", basic:", MPI_COMBINER_NAMED}, {", contiguous:", MPI_COMBINER_CONTIGUOUS}, {", vector:", MPI_COMBINER_VECTOR},
        {", hvector:", MPI_COMBINER_HVECTOR}, {", indexed:", MPI_COMBINER_INDEXED}, {", hindexed:", MPI_COMBINER_HINDEXED},
        {", block-indexed:", MPI_COMBINER_INDEXED_BLOCK}, {", block-hindexed:", MPI_COMBINER_HINDEXED_BLOCK},
        {", subarray C:", MPI_COMBINER_SUBARRAY}, {", subarray Fortran:", MPI_COMBINER_SUBARRAY},
    };
    char text[256] = "";
    DTP_obj_describe(pool, index, text, sizeof text);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strstr(text, all[i].name))
            return all[i].combiner;
    return MPI_UNDEFINED;
}

/* The envelope of an object's datatype. */
void types_envelope(const place *p, int unused)
{
    int integers = -1, addresses = -1, types = -1, combiner = -1;
    DTP_obj_t *o = object(p->from, p->s, 0, 0);
    if (!o)
        return;
    MUST(MPI_Type_get_envelope(o->DTP_obj_type, &integers, &addresses, &types, &combiner));
    int expected = p->basic == MPI_DATATYPE_NULL ? MPI_COMBINER_STRUCT : combiner_of(p->from, p->s);
    if (expected != MPI_UNDEFINED)
        EXPECT("the combiner", combiner, expected);
    if (combiner == MPI_COMBINER_VECTOR) {
        EXPECT("the integers of a vector", integers, 3);
        EXPECT("the addresses of a vector", addresses, 0);
        EXPECT("the types of a vector", types, 1);
    }
}

/* Makes a new type from the contents of `type`, recursively. *made is `type` itself if
   it is predefined; else the caller frees it. Returns an MPI error code. */
static int rebuild(MPI_Datatype type, MPI_Datatype *made)
{
    int ni, na, nt, combiner, rc;
    if ((rc = MPI_Type_get_envelope(type, &ni, &na, &nt, &combiner)) != MPI_SUCCESS)
        return rc;
    *made = type;
    if (combiner == MPI_COMBINER_NAMED)
        return MPI_SUCCESS;
    int i[ni + 1];
    MPI_Aint a[na + 1];
    MPI_Datatype old[nt + 1], t[nt + 1];
    if ((rc = MPI_Type_get_contents(type, ni, na, nt, i, a, old)) != MPI_SUCCESS)
        return rc;
    for (int k = 0; k < nt; k++)
        if ((rc = rebuild(old[k], &t[k])) != MPI_SUCCESS)
            return rc;
    switch (combiner) {
    case MPI_COMBINER_CONTIGUOUS: rc = MPI_Type_contiguous(i[0], t[0], made); break;
    case MPI_COMBINER_VECTOR: rc = MPI_Type_vector(i[0], i[1], i[2], t[0], made); break;
    case MPI_COMBINER_HVECTOR: rc = MPI_Type_create_hvector(i[0], i[1], a[0], t[0], made); break;
    case MPI_COMBINER_INDEXED: rc = MPI_Type_indexed(i[0], i + 1, i + 1 + i[0], t[0], made); break;
    case MPI_COMBINER_HINDEXED: rc = MPI_Type_create_hindexed(i[0], i + 1, a, t[0], made); break;
    case MPI_COMBINER_INDEXED_BLOCK: rc = MPI_Type_create_indexed_block(i[0], i[1], i + 2, t[0], made); break;
    case MPI_COMBINER_HINDEXED_BLOCK: rc = MPI_Type_create_hindexed_block(i[0], i[1], a, t[0], made); break;
    case MPI_COMBINER_SUBARRAY:
        rc = MPI_Type_create_subarray(i[0], i + 1, i + 1 + i[0], i + 1 + 2 * i[0], i[1 + 3 * i[0]], t[0], made);
        break;
    case MPI_COMBINER_STRUCT: rc = MPI_Type_create_struct(i[0], i + 1, a, t, made); break;
    case MPI_COMBINER_DUP: rc = MPI_Type_dup(t[0], made); break;
    case MPI_COMBINER_RESIZED: rc = MPI_Type_create_resized(t[0], a[0], a[1], made); break;
    default: return MPI_ERR_TYPE;
    }
    for (int k = 0; k < nt && rc == MPI_SUCCESS; k++) {
        if (t[k] == old[k])
            continue; /* predefined: nothing to free */
        if ((rc = MPI_Type_free(&t[k])) == MPI_SUCCESS)
            rc = MPI_Type_free(&old[k]);
    }
    return rc;
}

/* A type that is rebuilt from its contents receives the same data. */
void types_contents(const place *p, int unused)
{
    MPI_Datatype again;
    DTP_obj_t *s = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!s || !r)
        return;
    int rc = rebuild(r->DTP_obj_type, &again);
    if (rc != MPI_SUCCESS) {
        failed("MPI_Type_get_contents(", rc);
        return;
    }
    if (again != r->DTP_obj_type)
        MUST(MPI_Type_commit(&again));
    send_to_self(p, s, r, again);
    if (again != r->DTP_obj_type)
        MUST(MPI_Type_free(&again));
    if (p->basic == MPI_DATATYPE_NULL || r->DTP_obj_type == p->basic)
        return;
    int ni, na, nt, combiner;
    MUST(MPI_Type_get_envelope(r->DTP_obj_type, &ni, &na, &nt, &combiner));
    int integers[ni + 1];
    MPI_Aint addresses[na + 1];
    MPI_Datatype types[nt + 1];
    MUST(MPI_Type_get_contents(r->DTP_obj_type, ni, na, nt, integers, addresses, types));
    if (combiner_of(p->to, p->r) != MPI_UNDEFINED) {
        EXPECT("the type in the contents is the predefined one", types[0] == p->basic, 1);
        return;
    }
    for (int i = 0; i < nt; i++) { /* an added layout may have derived types in it, which belong to the caller */
        MUST(MPI_Type_get_envelope(types[i], &ni, &na, &(int){0}, &combiner));
        if (combiner != MPI_COMBINER_NAMED)
            MUST(MPI_Type_free(&types[i]));
    }
}

/* Packs one layout and unpacks into another. */
void types_pack(const place *p, int unused)
{
    int bytes = -1, out = 0, in = 0;
    DTP_obj_t *s = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!s || !r)
        return;
    MUST(MPI_Pack_size(s->DTP_obj_count, s->DTP_obj_type, MPI_COMM_WORLD, &bytes));
    if (bytes < object_bytes(p)) {
        wrong("MPI_Pack_size is %d for %ld bytes", bytes, object_bytes(p));
        return;
    }
    char *packed = malloc((size_t)bytes);
    MUST(MPI_Pack(BUFFER(s), packed, bytes, &out, MPI_COMM_WORLD));
    if (out < object_bytes(p) || out > bytes)
        wrong("the position after MPI_Pack is %d for %ld bytes", out, object_bytes(p));
    MUST(MPI_Unpack(packed, out, &in, BUFFER(r), MPI_COMM_WORLD));
    EXPECT("the position after MPI_Unpack", in, out);
    check(p->to, p->r, value(p, rank), 1, p->elements, "the unpacked data");
    free(packed);
}

/* Reports whether the external32 representation of a type has the size of the internal
   one. Libraries deviate from the standard for the other types. */
static int is_portable(const char *name)
{
    static const char *const others[] = {"LONG", "WCHAR", "COMPLEX", "BYTE"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(name, others[i]))
            return 0;
    return strchr(name, '+') == NULL && !has_pair(name);
}

/* Packs and unpacks an object in external32. */
void types_pack_external(const place *p, int unused)
{
    MPI_Aint bytes = -1, out = 0, in = 0;
    if (!is_portable(p->name))
        return;
    DTP_obj_t *s = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!s || !r)
        return;
    MUST(MPI_Pack_external_size("external32", s->DTP_obj_count, s->DTP_obj_type, &bytes));
    EXPECT("MPI_Pack_external_size", bytes, object_bytes(p));
    char *packed = malloc((size_t)bytes);
    MUST(MPI_Pack_external("external32", BUFFER(s), packed, bytes, &out));
    EXPECT("the position after MPI_Pack_external", out, bytes);
    MUST(MPI_Unpack_external("external32", packed, out, &in, BUFFER(r)));
    EXPECT("the position after MPI_Unpack_external", in, out);
    check(p->to, p->r, value(p, rank), 1, p->elements, "the unpacked data");
    free(packed);
}

/* The counts of a message that is shorter than the receive buffer, and of a status that
   the program has filled in. There are no pair types, because some libraries count a pair
   as one element and some as two. */
void types_elements(const place *p, int unused)
{
    int some = p->elements / 2, count = -1;
    MPI_Status status;
    if (p->basic == MPI_DATATYPE_NULL)
        return;
    DTP_obj_t *s = object(p->from, 0, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!s || !r)
        return;
    MUST(MPI_Sendrecv(s->DTP_obj_buf, some, p->basic, 0, 1, BUFFER(r), 0, 1, MPI_COMM_SELF, &status));
    MUST(MPI_Get_elements(&status, r->DTP_obj_type, &count));
    EXPECT("MPI_Get_elements", count, some);
    MUST(MPI_Get_count(&status, r->DTP_obj_type, &count));
    EXPECT("MPI_Get_count of a part of the type", count, r->DTP_obj_type == p->basic ? some : some > 0 ? MPI_UNDEFINED : 0);
    check(p->to, p->r, value(p, rank), 1, some, "the received data");
    MUST(MPI_Status_set_elements(&status, p->basic, some + 3));
    MUST(MPI_Get_count(&status, p->basic, &count));
    EXPECT("MPI_Get_count after MPI_Status_set_elements", count, some + 3);
    MUST(MPI_Status_set_cancelled(&status, 1));
    MUST(MPI_Test_cancelled(&status, &count));
    EXPECT("MPI_Test_cancelled after MPI_Status_set_cancelled", count, 1);
}
