/*
 * The constructors of datatypes with large counts (MPI-5.0, 5.1) over a library that lacks them.
 * Such a datatype is built from others. The arguments of the program are kept with it, for
 * MPI_Type_get_envelope_c and MPI_Type_get_contents_c.
 *
 * They are the value of an attribute of the datatype, which owns them and is freed with it. The
 * only other state is the attribute's keyval, made once by pthread_once, so there is no lock.
 *
 * Gives: via_int_MPI_Type_create_struct_c and its kind.
 * Needs: large.h.
 */
#ifndef WI4GO_LARGE_TYPES_H
#define WI4GO_LARGE_TYPES_H
#include "large.h"

/* ---- the arguments that a datatype was made with ---- */

/* The arguments of the constructor of a datatype. The arrays follow the structure in the same
   memory. */
struct type_arguments {
    int combiner, integers;      /* MPI_COMBINER_…; the length of integer */
    MPI_Count counts, datatypes; /* the lengths of count and datatype */
    int *integer;
    MPI_Count *count;
    MPI_Datatype *datatype;   /* for each of the program's datatypes, a datatype of one element, which keeps it alive */
};

static int arguments_keyval;
static pthread_once_t arguments_once = PTHREAD_ONCE_INIT;

/* Frees the arguments, and the datatypes that they keep alive. */
static void arguments_free(struct type_arguments *m)
{
    for (MPI_Count i = 0; i < m->datatypes; i++)
        if (m->datatype[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&m->datatype[i]);
    free(m);
}

/* The delete callback: the attribute is freed with the datatype. */
static int arguments_delete(MPI_Datatype datatype, int keyval, void *value, void *extra)
{
    (void)datatype, (void)keyval, (void)extra;
    arguments_free(value);
    return 0;
}

/* Makes the keyval. Copies of a datatype have a combiner of their own, so they do not inherit the
   attribute. */
static void create_arguments_keyval(void)
{
    MPI_Type_create_keyval((void *)MPI_TYPE_NULL_COPY_FN, (void *)arguments_delete, &arguments_keyval, NULL);
}

/* Returns the arguments that a datatype was made with, or NULL if it was made without large
   counts. */
static struct type_arguments *arguments_of(MPI_Datatype datatype)
{
    void *value = NULL;
    int found = 0;
    pthread_once(&arguments_once, create_arguments_keyval);
    return datatype != MPI_DATATYPE_NULL && !MPI_Type_get_attr(datatype, arguments_keyval, &value, &found) && found ? value : NULL;
}

/* Arrays of the program's arguments, in the order of the arguments. */
struct integers {
    int n;
    const int *array;
};
struct counts {
    MPI_Count n;
    const MPI_Count *array;
};
/* Shorthand for these arrays; ONE is a single count. */
#define INTEGERS(n, array) (struct integers){n, array}
#define COUNTS(n, array) (struct counts){n, array}
#define ONE(value) COUNTS(1, &(value))

/* Attaches the program's arguments to a new datatype. rc is the result of making it, and is
   returned unchanged if it is an error. If memory is exhausted, frees the datatype and returns an
   error code. */
static int attach_arguments(int rc, MPI_Datatype *newtype, int combiner, const struct integers integers[3], const struct counts counts[3],
                            MPI_Count datatypes, const MPI_Datatype *datatype)
{
    size_t n_integers = 0, n_counts = 0;
    if (rc)
        return rc;
    for (int i = 0; i < 3; i++) {
        n_integers += (size_t)integers[i].n;
        n_counts += (size_t)counts[i].n;
    }
    struct type_arguments *m = calloc(1, sizeof *m + n_counts * sizeof *m->count + (size_t)datatypes * sizeof *m->datatype + n_integers * sizeof *m->integer);
    if (!m) {
        MPI_Type_free(newtype);
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_NO_MEM);
    }
    m->combiner = combiner;
    m->count = (void *)(m + 1);
    m->datatype = (void *)(m->count + n_counts);
    m->integer = (void *)(m->datatype + datatypes);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < integers[i].n; j++)
            m->integer[m->integers++] = integers[i].array[j];
        for (MPI_Count j = 0; j < counts[i].n; j++)
            m->count[m->counts++] = counts[i].array[j];
    }
    for (; m->datatypes < datatypes && !rc; m->datatypes++) {
        m->datatype[m->datatypes] = MPI_DATATYPE_NULL;
        rc = MPI_Type_contiguous(1, datatype[m->datatypes], &m->datatype[m->datatypes]);
    }
    pthread_once(&arguments_once, create_arguments_keyval);
    if (!rc)
        rc = MPI_Type_set_attr(*newtype, arguments_keyval, m);
    if (rc) {
        arguments_free(m);
        MPI_Type_free(newtype);
    }
    return rc;
}
/* Calls attach_arguments for the datatype in `newtype`. */
#define ATTACH_ARGUMENTS(rc, combiner, i, c, n, d) \
    attach_arguments(rc, newtype, MPI_COMBINER_##combiner, (const struct integers[3])i, (const struct counts[3])c, n, d)
#define LIST(...) {__VA_ARGS__}

int via_int_MPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses,
                                     MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner)
{
    const struct type_arguments *m = arguments_of(datatype);
    int integers = 0, addresses = 0, datatypes = 0, rc = 0;
    if (!m)
        rc = MPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, combiner);
    if (rc)
        return rc;
    if (m)
        *combiner = m->combiner;
    *num_integers = m ? m->integers : integers;
    *num_addresses = addresses;
    *num_large_counts = m ? m->counts : 0;
    *num_datatypes = m ? m->datatypes : datatypes;
    return 0;
}

int via_int_MPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts,
                                     MPI_Count max_datatypes, int *array_of_integers, MPI_Aint *array_of_addresses,
                                     MPI_Count *array_of_large_counts, MPI_Datatype *array_of_datatypes)
{
    const struct type_arguments *m = arguments_of(datatype);
    int rc = 0, one;
    MPI_Aint none;
    if (!m) /* the lengths only limit how much is written */
        return MPI_Type_get_contents(datatype, max_integers < INT_MAX ? (int)max_integers : INT_MAX,
                                       max_addresses < INT_MAX ? (int)max_addresses : INT_MAX,
                                       max_datatypes < INT_MAX ? (int)max_datatypes : INT_MAX,
                                       array_of_integers, array_of_addresses, array_of_datatypes);
    if (max_integers < m->integers || max_large_counts < m->counts || max_datatypes < m->datatypes)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_ARG);
    if (m->integers)
        memcpy(array_of_integers, m->integer, (size_t)m->integers * sizeof *m->integer);
    if (m->counts)
        memcpy(array_of_large_counts, m->count, (size_t)m->counts * sizeof *m->count);
    for (MPI_Count i = 0; i < m->datatypes && !rc; i++)
        rc = MPI_Type_get_contents(m->datatype[i], 1, 0, 1, &one, &none, &array_of_datatypes[i]);
    return rc;
}

/* ---- blocks ---- */

/* Writes the extent of a datatype, the distance of its elements. Returns 0, or an error class. */
static int step_of(MPI_Datatype datatype, MPI_Aint *extent)
{
    return out_of_range(0, datatype, extent);
}

/* Makes a datatype of count blocks of blocklength elements, each block `stride` bytes after the
   previous one. Returns an error code. */
static int strided(MPI_Count count, MPI_Count blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    MPI_Aint extent;
    MPI_Count span;
    MPI_Datatype block;
    int wrong = out_of_range(blocklength, oldtype, &extent);
    if (!wrong && (count < 0 || __builtin_mul_overflow(count, stride, &span)))
        wrong = MPI_ERR_COUNT;
    if (wrong)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, wrong);
    if (FITS(count) && FITS(blocklength))
        return MPI_Type_create_hvector((int)count, (int)blocklength, stride, oldtype, newtype);
    int rc = repeat_type(blocklength, extent, oldtype, &block);
    if (rc)
        return rc;
    rc = repeat_type(count, stride, block, newtype);
    MPI_Type_free(&block);
    return rc;
}

/* Makes a datatype of n blocks at any displacements, in bytes. step is 1 if each block has a
   datatype of its own, 0 if all have the first. The library makes a single block, or as many
   small ones as a call takes. More blocks are split in two halves, made in the same way. Returns
   an error code. */
static int blocks(MPI_Count n, const MPI_Count *lengths, const MPI_Count *displacements, const MPI_Datatype *types, int step, MPI_Datatype *newtype)
{
    int small = FITS(n), rc = 0;
    for (MPI_Count i = 0; i < n && small; i++)
        small = FITS(lengths[i]);
    if (small) {
        NARROWED(lengths, n);
        const MPI_Aint *at = (const MPI_Aint *)displacements;
        return step ? MPI_Type_create_struct((int)n, narrow_lengths.array, at, types, newtype)
                    : MPI_Type_create_hindexed((int)n, narrow_lengths.array, at, *types, newtype);
    }
    if (n == 1) {
        MPI_Aint extent;
        MPI_Datatype block;
        int wrong = out_of_range(*lengths, *types, &extent);
        if (wrong)
            return wi4go_raise(WI4GO_NO_OBJECT, 0, wrong);
        rc = repeat_type(*lengths, extent, *types, &block);
        if (rc)
            return rc;
        rc = MPI_Type_create_hindexed(1, (int[]){1}, (const MPI_Aint *)displacements, block, newtype);
        MPI_Type_free(&block);
        return rc;
    }
    MPI_Datatype half[2];
    const MPI_Count middle = n / 2;
    rc = blocks(middle, lengths, displacements, types, step, &half[0]);
    if (rc)
        return rc;
    rc = blocks(n - middle, lengths + middle, displacements + middle, types + (step ? middle : 0), step, &half[1]);
    if (!rc) {
        rc = join_types(half[0], half[1], 0, newtype);
        MPI_Type_free(&half[1]);
    }
    MPI_Type_free(&half[0]);
    return rc;
}

/* Does the same with displacements in units of `unit` bytes. If `lengths` is NULL, all blocks
   have the length `length`. */
static int scaled_blocks(MPI_Count n, const MPI_Count *lengths, MPI_Count length, const MPI_Count *displacements, MPI_Aint unit,
                         const MPI_Datatype *type, MPI_Datatype *newtype)
{
    if (n < 0)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_COUNT);
    if (*type == MPI_DATATYPE_NULL)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_TYPE);
    const size_t bytes = (size_t)(n ? n : 1) * sizeof(MPI_Count);
    MPI_Count *at = wi4go_scratch_alloc(bytes), *each = wi4go_scratch_alloc(bytes);
    int wrong = 0;
    for (MPI_Count i = 0; i < n; i++) {
        if (__builtin_mul_overflow(displacements[i], unit, &at[i]))
            wrong = MPI_ERR_ARG;
        each[i] = lengths ? lengths[i] : length;
        if (each[i] < 0)
            wrong = MPI_ERR_COUNT;
    }
    int rc = wrong ? wi4go_raise(WI4GO_NO_OBJECT, 0, wrong) : blocks(n, each, at, type, 0, newtype);
    wi4go_scratch_free(each, bytes);
    wi4go_scratch_free(at, bytes);
    return rc;
}

/* ---- the constructors ---- */

int via_int_MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    MPI_Aint extent = 0;
    int wrong = out_of_range(count, oldtype, &extent);
    int rc = wrong         ? wi4go_raise(WI4GO_NO_OBJECT, 0, wrong)
             : FITS(count) ? MPI_Type_contiguous((int)count, oldtype, newtype)
                           : repeat_type(count, extent, oldtype, newtype);
    return ATTACH_ARGUMENTS(rc, CONTIGUOUS, {}, LIST(ONE(count)), 1, &oldtype);
}

int via_int_MPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    MPI_Aint extent = 0, distance = 0;
    int wrong = step_of(oldtype, &extent);
    if (!wrong && __builtin_mul_overflow(stride, extent, &distance))
        wrong = MPI_ERR_ARG;
    int rc = wrong ? wi4go_raise(WI4GO_NO_OBJECT, 0, wrong) : strided(count, blocklength, distance, oldtype, newtype);
    return ATTACH_ARGUMENTS(rc, VECTOR, {}, LIST(ONE(count), ONE(blocklength), ONE(stride)), 1, &oldtype);
}

int via_int_MPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = strided(count, blocklength, stride, oldtype, newtype);
    return ATTACH_ARGUMENTS(rc, HVECTOR, {}, LIST(ONE(count), ONE(blocklength), ONE(stride)), 1, &oldtype);
}

int via_int_MPI_Type_indexed_c(MPI_Count count, const MPI_Count *array_of_blocklengths, const MPI_Count *array_of_displacements,
                                MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    MPI_Aint extent = 0;
    step_of(oldtype, &extent);
    int rc = scaled_blocks(count, array_of_blocklengths, 0, array_of_displacements, extent, &oldtype, newtype);
    return ATTACH_ARGUMENTS(rc, INDEXED, {}, LIST(ONE(count), COUNTS(count, array_of_blocklengths), COUNTS(count, array_of_displacements)), 1, &oldtype);
}

int via_int_MPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count *array_of_blocklengths, const MPI_Count *array_of_displacements,
                                        MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = scaled_blocks(count, array_of_blocklengths, 0, array_of_displacements, 1, &oldtype, newtype);
    return ATTACH_ARGUMENTS(rc, HINDEXED, {}, LIST(ONE(count), COUNTS(count, array_of_blocklengths), COUNTS(count, array_of_displacements)), 1, &oldtype);
}

int via_int_MPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count *array_of_displacements,
                                             MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    MPI_Aint extent = 0;
    step_of(oldtype, &extent);
    int rc = scaled_blocks(count, NULL, blocklength, array_of_displacements, extent, &oldtype, newtype);
    return ATTACH_ARGUMENTS(rc, INDEXED_BLOCK, {}, LIST(ONE(count), ONE(blocklength), COUNTS(count, array_of_displacements)), 1, &oldtype);
}

int via_int_MPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count *array_of_displacements,
                                              MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = scaled_blocks(count, NULL, blocklength, array_of_displacements, 1, &oldtype, newtype);
    return ATTACH_ARGUMENTS(rc, HINDEXED_BLOCK, {}, LIST(ONE(count), ONE(blocklength), COUNTS(count, array_of_displacements)), 1, &oldtype);
}

int via_int_MPI_Type_create_struct_c(MPI_Count count, const MPI_Count *array_of_blocklengths, const MPI_Count *array_of_displacements,
                                      const MPI_Datatype *array_of_types, MPI_Datatype *newtype)
{
    int wrong = count < 0 ? MPI_ERR_COUNT : 0;
    for (MPI_Count i = 0; i < count && !wrong; i++)
        wrong = array_of_types[i] == MPI_DATATYPE_NULL ? MPI_ERR_TYPE : array_of_blocklengths[i] < 0 ? MPI_ERR_COUNT : 0;
    int rc = wrong ? wi4go_raise(WI4GO_NO_OBJECT, 0, wrong) : blocks(count, array_of_blocklengths, array_of_displacements, array_of_types, 1, newtype);
    return ATTACH_ARGUMENTS(rc, STRUCT, {}, LIST(ONE(count), COUNTS(count, array_of_blocklengths), COUNTS(count, array_of_displacements)), count, array_of_types);
}

int via_int_MPI_Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype *newtype)
{
    int rc = MPI_Type_create_resized(oldtype, lb, extent, newtype);
    return ATTACH_ARGUMENTS(rc, RESIZED, {}, LIST(ONE(lb), ONE(extent)), 1, &oldtype);
}

/* ---- arrays ---- */

/* A part of an array, which grows by one dimension at a time, beginning with the fastest. */
struct part {
    MPI_Datatype type;          /* the selected part */
    int ours;                   /* 1: type was made here and must be freed */
    MPI_Aint begin, whole;      /* in bytes: the position of the part, and the size of the whole array */
};

/* Replaces the part's datatype if rc is no error. Returns rc. */
static int part_is(struct part *p, int rc, MPI_Datatype type)
{
    if (rc)
        return rc;
    if (p->ours)
        MPI_Type_free(&p->type);
    p->type = type;
    p->ours = 1;
    return 0;
}

/* Adds a dimension of size elements, of which n are selected from `start` on. Returns an error
   code. */
static int part_range(struct part *p, MPI_Count size, MPI_Count n, MPI_Count start)
{
    MPI_Datatype type;
    int rc = repeat_type(n, p->whole, p->type, &type);
    rc = part_is(p, rc, type);
    p->begin += start * p->whole;
    p->whole *= size;
    return rc;
}

/* Adds a dimension whose elements are dealt out in blocks to the processes of the grid, and
   selects the blocks of `process` (5.1.4). Returns an error code. */
static int part_cyclic(struct part *p, MPI_Count size, MPI_Count block, int processes, int process)
{
    /* The process owns a block in each round of the grid, the first at `first`. `full` is the
       number of its whole blocks, and `rest` the length of a shorter one at the end. */
    const MPI_Count round = block * processes, first = block * process;
    const MPI_Count left = size > first ? size - first : 0;
    MPI_Count full = left / round, rest = left % round;
    if (rest >= block) {
        full++;
        rest = 0;
    }
    /* The distance of a block's elements is the size of the dimensions so far. */
    MPI_Datatype one, all, last, type;
    int rc = repeat_type(block, p->whole, p->type, &one);
    if (rc)
        return rc;
    rc = repeat_type(full, round * p->whole, one, &all);
    MPI_Type_free(&one);
    if (!rc && rest) {
        rc = repeat_type(rest, p->whole, p->type, &last);
        if (!rc) {
            rc = join_types(all, last, full * round * p->whole, &type);
            MPI_Type_free(&last);
        }
        MPI_Type_free(&all);
        all = type;
    }
    rc = part_is(p, rc, all);
    p->begin += first * p->whole;
    p->whole *= size;
    return rc;
}

/* Makes the final datatype: the part at its position in the whole array. Frees the part's
   datatype. Returns an error code. */
static int part_done(struct part *p, int rc, MPI_Datatype *newtype)
{
    MPI_Datatype placed;
    if (!rc)
        rc = MPI_Type_create_hindexed(1, (int[]){1}, &p->begin, p->type, &placed);
    if (!rc) {
        rc = MPI_Type_create_resized(placed, 0, p->whole, newtype);
        MPI_Type_free(&placed);
    }
    if (p->ours)
        MPI_Type_free(&p->type);
    return rc;
}

/* Begins with one element. Returns an error class if an array cannot have these sizes, else 0. */
static int part_begin(struct part *p, int ndims, const MPI_Count *sizes, MPI_Datatype oldtype)
{
    *p = (struct part){oldtype, 0, 0, 0};
    int wrong = step_of(oldtype, &p->whole);
    MPI_Count bytes = p->whole;
    for (int i = 0; i < ndims && !wrong; i++)
        if (sizes[i] < 1 || __builtin_mul_overflow(bytes, sizes[i], &bytes))
            wrong = MPI_ERR_ARG;
    return wrong;
}

int via_int_MPI_Type_create_subarray_c(int ndims, const MPI_Count *array_of_sizes, const MPI_Count *array_of_subsizes,
                                        const MPI_Count *array_of_starts, int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct part p;
    int rc = 0, wrong = ndims < 1 ? MPI_ERR_ARG : part_begin(&p, ndims, array_of_sizes, oldtype), small = 1;
    for (int i = 0; i < ndims && !wrong; i++) {
        small &= FITS(array_of_sizes[i]);
        if (array_of_subsizes[i] < 1 || array_of_starts[i] < 0 || array_of_starts[i] > array_of_sizes[i] - array_of_subsizes[i])
            wrong = MPI_ERR_ARG;
    }
    if (wrong)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, wrong);
    if (small) {
        NARROWED(array_of_sizes, ndims);
        NARROWED(array_of_subsizes, ndims);
        NARROWED(array_of_starts, ndims);
        rc = MPI_Type_create_subarray(ndims, narrow_array_of_sizes.array, narrow_array_of_subsizes.array, narrow_array_of_starts.array,
                                        order, oldtype, newtype);
    } else {
        for (int i = 0; i < ndims && !rc; i++) {
            const int d = order == MPI_ORDER_FORTRAN ? i : ndims - 1 - i;
            rc = part_range(&p, array_of_sizes[d], array_of_subsizes[d], array_of_starts[d]);
        }
        rc = part_done(&p, rc, newtype);
    }
    const int integers[2] = {ndims, order};
    return ATTACH_ARGUMENTS(rc, SUBARRAY, LIST(INTEGERS(2, integers)),
                            LIST(COUNTS(ndims, array_of_sizes), COUNTS(ndims, array_of_subsizes), COUNTS(ndims, array_of_starts)), 1, &oldtype);
}

/* Returns the position of a process in dimension d of the grid. The grid's last dimension varies
   fastest, whatever the order of the array. */
static int grid_place(int rank, int ndims, const int *sizes, int d)
{
    for (int i = ndims - 1; i > d; i--)
        rank /= sizes[i];
    return rank % sizes[d];
}

int via_int_MPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count *array_of_gsizes, const int *array_of_distribs,
                                      const int *array_of_dargs, const int *array_of_psizes, int order, MPI_Datatype oldtype,
                                      MPI_Datatype *newtype)
{
    struct part p;
    int rc = 0, wrong = ndims < 1 ? MPI_ERR_ARG : part_begin(&p, ndims, array_of_gsizes, oldtype), small = 1;
    for (int i = 0; i < ndims && !wrong; i++)
        small &= FITS(array_of_gsizes[i]);
    if (wrong)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, wrong);
    if (small) {
        NARROWED(array_of_gsizes, ndims);
        rc = MPI_Type_create_darray(size, rank, ndims, narrow_array_of_gsizes.array, array_of_distribs, array_of_dargs, array_of_psizes,
                                      order, oldtype, newtype);
    } else {
        MPI_Count grid = 1;
        for (int i = 0; i < ndims && !wrong; i++)
            if (array_of_psizes[i] < 1 || __builtin_mul_overflow(grid, array_of_psizes[i], &grid))
                wrong = MPI_ERR_ARG;
        if (wrong || grid != size || rank < 0 || rank >= size)
            return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_ARG);
        for (int i = 0; i < ndims && !rc; i++) {
            const int d = order == MPI_ORDER_FORTRAN ? i : ndims - 1 - i;
            const int place = grid_place(rank, ndims, array_of_psizes, d), kind = array_of_distribs[d];
            const MPI_Count whole = array_of_gsizes[d];
            MPI_Count block = array_of_dargs[d];
            if (array_of_dargs[d] == MPI_DISTRIBUTE_DFLT_DARG)
                block = kind == MPI_DISTRIBUTE_CYCLIC ? 1 : (whole + array_of_psizes[d] - 1) / array_of_psizes[d];
            if (kind == MPI_DISTRIBUTE_NONE)
                rc = part_range(&p, whole, whole, 0);
            else if (block < 1 || (kind == MPI_DISTRIBUTE_BLOCK && block * array_of_psizes[d] < whole))
                rc = wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_ARG);
            else
                rc = part_cyclic(&p, whole, block, array_of_psizes[d], place);
        }
        rc = part_done(&p, rc, newtype);
    }
    const int integers[3] = {size, rank, ndims};
    int *of_dimensions = wi4go_scratch_alloc((size_t)(3 * ndims + 1) * sizeof(int));
    memcpy(of_dimensions, array_of_distribs, (size_t)ndims * sizeof(int));
    memcpy(of_dimensions + ndims, array_of_dargs, (size_t)ndims * sizeof(int));
    memcpy(of_dimensions + 2 * ndims, array_of_psizes, (size_t)ndims * sizeof(int));
    of_dimensions[3 * ndims] = order;
    rc = ATTACH_ARGUMENTS(rc, DARRAY, LIST(INTEGERS(3, integers), INTEGERS(3 * ndims + 1, of_dimensions)), LIST(COUNTS(ndims, array_of_gsizes)), 1, &oldtype);
    wi4go_scratch_free(of_dimensions, (size_t)(3 * ndims + 1) * sizeof(int));
    return rc;
}
#endif
