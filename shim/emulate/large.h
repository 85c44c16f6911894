/*
 * Large-count functions (MPI-4.0, 2.5.8) over a library that lacks them. A count that fits an int
 * is passed to the function with int counts. A larger one becomes one datatype of that many
 * elements, by the construction of BigMPI, or several calls. narrow.c defines a function for each,
 * made by the generator if it follows from the arguments. The others are in large_types.h,
 * exchange.h and reduce.h, which build on this file.
 *
 * Arrays and datatypes made here are freed at the end of the scope (NARROWED, LARGE), except the
 * datatype of a nonblocking file operation, which its request owns. The only shared state is a
 * communicator for messages of the process to itself; its mutex is held during each message.
 *
 * Gives: FITS, REFUSE, narrowed and the other parts of functions with large counts.
 * Needs: emulate.h.
 */
#ifndef WI4GO_LARGE_H
#define WI4GO_LARGE_H
#include "emulate.h"
#include <limits.h>

/* The function to call if the large count cannot be expressed: it raises
   MPI_ERR_UNSUPPORTED_OPERATION. */
#define REFUSE(function) ((__typeof__(via_int_##function) *)wi4go_missing_entries[SLOT_##function])
/* Reports whether a count can be passed as an int. A negative count does not fit, so that it is
   refused together with counts that are too large. */
#define FITS(count) likely((uint64_t)(count) <= (uint64_t)wi4go_max_count)
/* Reports whether a value fits an int; it may be negative. */
#define FITS_INT(value) ((value) == (int)(value))

/* An array of 64-bit numbers, copied to an array of int in scratch memory. */
struct narrowed {
    int *array;
    size_t bytes;
    int fits; /* 1: all numbers fit an int */
};

/* Returns the copy of n numbers; narrowed_free frees it. from may be NULL. */
static struct narrowed narrowed(const int64_t *from, int64_t n)
{
    struct narrowed x = {NULL, 0, 1};
    if (!from)
        return x;
    x.bytes = (n > 0 ? (size_t)n : 1) * sizeof(int);
    x.array = wi4go_scratch_alloc(x.bytes);
    for (int64_t i = 0; i < n; i++) {
        x.array[i] = (int)from[i];
        x.fits &= FITS_INT(from[i]);
    }
    return x;
}

static void narrowed_free(struct narrowed *x)
{
    if (x->array)
        wi4go_scratch_free(x->array, x->bytes);
}
/* Declares narrow_NAME, the copy of the array NAME, which lasts until the end of the scope. */
#define NARROWED(name, n) \
    __attribute__((cleanup(narrowed_free))) struct narrowed narrow_##name = narrowed((const int64_t *)name, n)

/* ---- one datatype in place of many elements ---- */

/*
 * Makes a datatype of two others, the second one `distance` bytes after the first. Its bounds are
 * the outer bounds of the two. A structure's own bounds would be rounded up to the compiler's
 * alignment (MPI-5.0, 5.1.6). Returns an error code.
 */
static int join_types(MPI_Datatype first, MPI_Datatype second, MPI_Aint distance, MPI_Datatype *newtype)
{
    MPI_Aint lb[2], extent[2];
    MPI_Datatype beside;
    int rc = MPI_Type_get_extent(first, &lb[0], &extent[0]);
    if (!rc)
        rc = MPI_Type_get_extent(second, &lb[1], &extent[1]);
    if (!rc)
        rc = MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, distance}, (MPI_Datatype[]){first, second}, &beside);
    if (rc)
        return rc;
    MPI_Aint lowest = lb[0], end = lb[0] + extent[0];
    const MPI_Aint other = lb[1] + distance, other_end = other + extent[1];
    const int empty = !lb[0] && !extent[0], other_empty = !lb[1] && !extent[1]; /* an empty datatype occupies no position */
    if (empty || (other < lowest && !other_empty))
        lowest = other;
    if (empty || (other_end > end && !other_empty))
        end = other_end;
    rc = MPI_Type_create_resized(beside, lowest, end - lowest, newtype);
    MPI_Type_free(&beside);
    return rc;
}

/* Makes a datatype of n elements, each `stride` bytes after the previous one: blocks of as many
   elements as a call takes, joined with the remainder. Returns an error code. */
static int repeat_type(MPI_Count n, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    if (FITS(n))
        return MPI_Type_create_hvector((int)n, 1, stride, oldtype, newtype);
    /* The blocks may be too many for one call too: then they are repeated in the same way. */
    const MPI_Count blocks = n / wi4go_max_count, rest = n % wi4go_max_count;
    MPI_Datatype block, whole, remainder;
    int rc = MPI_Type_create_hvector((int)wi4go_max_count, 1, stride, oldtype, &block);
    if (rc)
        return rc;
    rc = repeat_type(blocks, stride * wi4go_max_count, block, &whole);
    MPI_Type_free(&block);
    if (rc || !rest) {
        *newtype = whole;
        return rc;
    }
    rc = MPI_Type_create_hvector((int)rest, 1, stride, oldtype, &remainder);
    if (!rc) {
        rc = join_types(whole, remainder, stride * wi4go_max_count * blocks, newtype);
        MPI_Type_free(&remainder);
    }
    MPI_Type_free(&whole);
    return rc;
}

/* Returns 0, or an error class if the datatype is null, or if count elements of it do not fit the
   address space. Writes the datatype's extent. */
static int out_of_range(MPI_Count count, MPI_Datatype datatype, MPI_Aint *extent)
{
    MPI_Aint lb = 0;
    MPI_Count bytes = 0, span;
    if (datatype == MPI_DATATYPE_NULL)
        return MPI_ERR_TYPE;
    if (MPI_Type_get_extent(datatype, &lb, extent) || MPI_Type_size_x(datatype, &bytes))
        return MPI_ERR_TYPE;
    return count < 0 || __builtin_mul_overflow(count, bytes, &span) || __builtin_mul_overflow(count, *extent, &span) ||
           __builtin_add_overflow(span, lb, &span) ? MPI_ERR_COUNT : 0;
}

/* A count and its datatype as the arguments of a call with int counts. */
struct large {
    int count, made;            /* made: 1 if the datatype was made here and must be freed */
    MPI_Datatype type;
    int wrong;                  /* an error class, or 0 */
};

/* Returns the arguments for count elements of a datatype. significant: the library reads these
   arguments at all. */
static struct large large(MPI_Count count, MPI_Datatype datatype, int significant)
{
    struct large x = {(int)count, 0, datatype, 0};
    MPI_Aint extent;
    if (FITS(count) || !significant) {
        if (!significant)
            x.count = 0;
        return x;
    }
    x.wrong = out_of_range(count, datatype, &extent);
    if (x.wrong)
        return x;
    x.count = 1;
    if (repeat_type(count, extent, datatype, &x.type)) {
        x.wrong = MPI_ERR_TYPE;
        return x;
    }
    x.made = 1;
    if (MPI_Type_commit(&x.type))
        x.wrong = MPI_ERR_TYPE;
    return x;
}

/* Frees the datatype. Allowed at once, even after a nonblocking start (MPI-5.0, 5.1.9), except
   for file operations. */
static void large_free(struct large *x)
{
    if (x->made)
        MPI_Type_free(&x->type);
}

/* A nonblocking file operation with a datatype made here. MPICH's operations read the datatype
   until they are over, but do not keep it alive. So the request is an emulated one, which owns
   the datatype. */
struct with_type {
    struct emulated request;
    struct large large;
};

static void with_type_discard(struct emulated *e) { large_free(&((struct with_type *)e)->large); }

/* Stores the request to return for `begun`, a file operation that was started with result rc.
   Moves the datatype into an emulated request if it was made here. Returns rc. */
static int large_retain(struct large *x, int rc, MPI_Request begun, MPI_Request *request)
{
    static const struct emulated_kind kind = {.size = sizeof(struct with_type), .discard = with_type_discard};
    *request = begun;
    if (rc || begun == MPI_REQUEST_NULL || !x->made)
        return rc;
    struct with_type *w = (struct with_type *)wi4go_request_new(&kind, 0);
    w->large = *x;
    x->made = 0;
    w->request.inner[0] = begun;
    *request = w->request.handle;
    return 0;
}
/* Declares the arguments for a large count, which last until the end of the scope. */
#define LARGE(name, count, type, significant) __attribute__((cleanup(large_free))) struct large name = large(count, type, significant)

/* ---- who takes part in a collective operation ---- */

/* Reports whether a communicator is an intercommunicator. */
static int is_inter(MPI_Comm comm)
{
    int inter = 0;
    MPI_Comm_test_inter(comm, &inter);
    return inter;
}

/* Returns the rank of this process. */
static int own_rank(MPI_Comm comm)
{
    int rank = -1;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

/* ---- messages of a process to itself ---- */

static MPI_Comm self_comm;
static pthread_once_t self_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t self_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Makes the communicator for these messages, so that they are separate from the program's. */
static void make_self(void)
{
    if (MPI_Comm_dup(MPI_COMM_SELF, &self_comm))
        self_comm = MPI_COMM_NULL;
}

/* Copies elements of one datatype to elements of another. Both have the same basic elements, or
   one is MPI_PACKED. Returns an error code that was raised already. */
static int copy_elements(const void *from, MPI_Count from_count, MPI_Datatype from_type, void *to, MPI_Count to_count, MPI_Datatype to_type)
{
    LARGE(out, from_count, from_type, 1);
    LARGE(in, to_count, to_type, 1);
    if (out.wrong || in.wrong)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, out.wrong ? out.wrong : in.wrong);
    pthread_once(&self_once, make_self);
    pthread_mutex_lock(&self_mutex);
    int rc = MPI_Sendrecv(from, out.count, out.type, 0, 0, to, in.count, in.type, 0, 0, self_comm, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&self_mutex);
    return rc;
}

/* ---- packing (MPI-5.0, 5.2): both families pack without any header ---- */

/* Writes the size of the packed elements. Returns 0, or an error class. */
static int packed_size(MPI_Count count, MPI_Datatype datatype, MPI_Count *bytes)
{
    MPI_Aint extent;
    int wrong = out_of_range(count, datatype, &extent);
    MPI_Count each = 0;
    if (!wrong && MPI_Type_size_x(datatype, &each))
        wrong = MPI_ERR_TYPE;
    *bytes = each * count;
    return wrong;
}

int via_int_MPI_Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count *size)
{
    MPI_Count bytes = 0;
    int wrong = packed_size(incount, datatype, &bytes), small = 0;
    if (wrong)
        return wi4go_raise(WI4GO_COMM, comm, wrong);
    if (!FITS(incount) || !FITS(bytes)) {
        *size = bytes;
        return 0;
    }
    int rc = MPI_Pack_size((int)incount, datatype, comm, &small);
    if (!rc)
        *size = small;
    return rc;
}

int via_int_MPI_Pack_c(const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count outsize,
                        MPI_Count *position, MPI_Comm comm)
{
    MPI_Count bytes = 0;
    int rc = 0;
    if (FITS(incount) && FITS(outsize) && FITS(*position)) {
        int at = (int)*position;
        rc = MPI_Pack(inbuf, (int)incount, datatype, outbuf, (int)outsize, &at, comm);
        bytes = at - *position;
    } else {
        int wrong = packed_size(incount, datatype, &bytes);
        if (!wrong && (*position < 0 || outsize - *position < bytes))
            wrong = MPI_ERR_TRUNCATE;
        if (wrong)
            return wi4go_raise(WI4GO_COMM, comm, wrong);
        rc = copy_elements(inbuf, incount, datatype, (char *)outbuf + *position, bytes, MPI_PACKED);
    }
    if (!rc)
        *position += bytes;
    return rc;
}

int via_int_MPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
                          MPI_Datatype datatype, MPI_Comm comm)
{
    MPI_Count bytes = 0;
    int rc = 0;
    if (FITS(outcount) && FITS(insize) && FITS(*position)) {
        int at = (int)*position;
        rc = MPI_Unpack(inbuf, (int)insize, &at, outbuf, (int)outcount, datatype, comm);
        bytes = at - *position;
    } else {
        int wrong = packed_size(outcount, datatype, &bytes);
        if (!wrong && (*position < 0 || insize - *position < bytes))
            wrong = MPI_ERR_TRUNCATE;
        if (wrong)
            return wi4go_raise(WI4GO_COMM, comm, wrong);
        rc = copy_elements((const char *)inbuf + *position, bytes, MPI_PACKED, outbuf, outcount, datatype);
    }
    if (!rc)
        *position += bytes;
    return rc;
}

/* ---- received counts ---- */

/* If MPI_Get_count returns MPI_UNDEFINED, there may be too many elements for an int. A status
   holds bytes, so the count is computed from them. */
int via_int_MPI_Get_count_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    int small = MPI_UNDEFINED;
    MPI_Count each = 0, bytes = 0;
    int rc = MPI_Get_count(status, datatype, &small);
    if (rc)
        return rc;
    *count = small;
    if (likely(small != MPI_UNDEFINED))
        return 0;
    rc = MPI_Type_size_x(datatype, &each);
    if (!rc)
        rc = MPI_Get_elements_x(status, MPI_BYTE, &bytes);
    if (!rc && each > 0 && bytes >= 0 && bytes % each == 0)
        *count = bytes / each;
    return rc;
}

/* ---- callbacks ---- */

/* The handler of an operation with large counts: calls the program's function, which takes the
   length as an MPI_Count. */
static void widen_length(void *in, void *inout, const int *length, MPI_Datatype *datatype, void *unused, const struct wi4go_callback *c)
{
    (void)unused;
    MPI_Count n = *length;
    ((void (*)(void *, void *, MPI_Count *, MPI_Datatype *))c->call)(in, inout, &n, datatype);
}

int via_int_MPI_Op_create_c(void *user_fn, int commute, MPI_Op *op)
{
    void *function = user_fn ? wi4go_trampoline(LARGE_OPERATION, user_fn, (void *)widen_length) : NULL;
    return MPI_Op_create(function, commute, op);
}
#endif
