/*
 * MPI_Type_get_contents (MPI-5.0, 5.1.13). The meaning of the integers that it returns depends
 * on the constructor (combiner) of the datatype.
 *
 * Gives: MPI_Type_get_contents, MPI_Type_get_contents_c.
 * Needs: pair.h, errors.h, handles.h.
 */
#ifndef WI4GO_TYPE_CONTENTS_H
#define WI4GO_TYPE_CONTENTS_H
#include "pair.h"
#include "errors.h"
#include "handles.h"

/* Converts the storage order at an index, unless the index is outside the n integers. */
static void convert_each_order(int *integers, int n, int at)
{
    if (at < n)
        integers[at] = (int)ORDER_r2a(integers[at]);
}

/* Converts the constants among the n integers of a datatype, which are the arguments of
   MPI_Type_create_darray or MPI_Type_create_subarray; other combiners have none. combiner is
   the runtime's. large is nonzero if the sizes are in the array of large counts instead. */
static void convert_integers(int combiner, int *integers, int n, int large)
{
    if (combiner == R_MPI_COMBINER_SUBARRAY && n > 0)
        convert_each_order(integers, n, large ? 1 : 1 + 3 * integers[0]);
    if (combiner == R_MPI_COMBINER_DARRAY && n > 2) {
        int dims = integers[2], at = large ? 3 : 3 + dims;
        for (int i = 0; i < dims && at + dims + i < n; i++) {
            integers[at + i] = (int)DISTRIBUTION_r2a(integers[at + i]);
            integers[at + dims + i] = (int)DISTRIBUTION_ARG_r2a(integers[at + dims + i]);
        }
        convert_each_order(integers, n, at + 3 * dims);
    }
}

/* Stores the program's handles of the n datatypes that MPI_Type_get_contents returned: predefined
   ones, or new ones that the program owns. Members of one type that follow each other are looked up
   once, unless each handle is a reference to count. */
static inline __attribute__((always_inline)) void contents_r2a(A_MPI_Datatype *to, const R_MPI_Datatype *from, int64_t n)
{
    for (int64_t i = 0; i < n;) {
        const R_MPI_Datatype r = from[i];
#if A_HANDLE_BITS == 32
        const uint32_t known = ht_known(&table_DATATYPE, (void *)(intptr_t)r);
        if (unlikely(!known || (known & HT_KIND_MASK) == table_DATATYPE.kind)) {
            uint32_t own = 0;
            if (known)
                own = ht_refer(&table_DATATYPE, known, (void *)(intptr_t)r) ? known : 0;
            else if (r)
                own = ht_insert_new(&table_DATATYPE, (void *)(intptr_t)r);
            to[i++] = likely(own) ? (A_MPI_Datatype)own : DATATYPE_r2a(r);
            continue;
        }
        const A_MPI_Datatype handle = (A_MPI_Datatype)known;
#else
        const A_MPI_Datatype handle = DATATYPE_r2a(r);
#endif
        do
            to[i++] = handle;
        while (i < n && from[i] == r);
    }
}

/* The most datatypes of a call for which the runtime's array is on the stack. */
#define LOCAL_TYPES 64

/* Stores the null handle at the end of the runtime's array: the runtime stores the handles that
   there are. If the last one is still null, their number is read from the envelope. Open MPI, whose
   handles are pointers, accesses all elements. */
static inline void contents_clear(R_MPI_Datatype *r, int64_t n)
{
    const R_MPI_Datatype null = R_MPI_DATATYPE_NULL;
    if (R_HANDLE_BITS == 32 && n > 0)
        r[n - 1] = null;
    else
        for (int64_t i = 0; i < n; i++)
            r[i] = null;
}

/* Reports whether an array with room for n integers can contain the arguments of
   MPI_Type_create_subarray or MPI_Type_create_darray. If it cannot, the datatype has another
   combiner, and the envelope need not be read. The elements above those that the runtime has
   written may have any value. */
static int can_have_constants(const int *integers, int64_t n)
{
    const int64_t ndims = integers[0], dims = integers[2];
    if (ndims > 0 && 2 + 3 * ndims <= n) {
        const int order = integers[1 + 3 * ndims];
        if (order == R_MPI_ORDER_C || order == R_MPI_ORDER_FORTRAN)
            return 1;
    }
    if (dims <= 0 || 4 + 4 * dims > n)
        return 0;
    const int order = integers[3 + 4 * dims];
    if (order != R_MPI_ORDER_C && order != R_MPI_ORDER_FORTRAN)
        return 0;
    uint64_t processes = 1;
    for (int64_t i = 3 + 3 * dims; i < 3 + 4 * dims; i++)
        processes *= (unsigned)integers[i];
    /* The product of the positive numbers of processes is the size (MPI-5.0, 5.1.4). */
    return !processes || processes == (unsigned)integers[0];
}
/* The large-count variant gives the sizes in the array of large counts if the program has room there,
   so then the envelope decides. Constructors with constants have at least LEAST_INTEGERS without it. */
#define LEAST_INTEGERS 5
#define CAN_HAVE_CONSTANTS(integers, n, max_large_counts) \
    ((integers) && (n) >= 2 && ((max_large_counts) > 0 || ((n) >= LEAST_INTEGERS && can_have_constants(integers, n))))

/* Defines MPI_Type_get_contents or MPI_Type_get_contents_c. SIZE_PARAMETER to LARGE_AT are the
   arguments for the array of large counts and its size: as parameters, for the call, and for the
   envelope; LARGE is nonzero if the datatype has large counts, and MAX_LARGE is the size of their
   array. The envelope is read only if the integers can be those of a constructor with constants
   (CAN_HAVE_CONSTANTS), or if the program has room for more datatypes than there are or than
   LOCAL_TYPES. */
#define GET_CONTENTS(suffix, Count, MAX_LARGE, SIZE_PARAMETER, ARRAY_PARAMETER, SIZE, ARRAY, LARGE, LARGE_AT) \
    static __attribute__((noinline)) void convert_contents##suffix(R_MPI_Datatype r_datatype, int *array_of_integers) \
    { \
        Count integers = 0, addresses = 0, large_counts = 0, datatypes = 0; \
        int combiner = 0; \
        (void)large_counts; \
        if (!R_MPI_Type_get_envelope##suffix(r_datatype, &integers, &addresses, LARGE_AT &datatypes, &combiner)) \
            convert_integers(combiner, array_of_integers, (int)integers, LARGE); \
    } \
    static __attribute__((noinline)) int count_contents##suffix(R_MPI_Datatype r_datatype, Count *datatypes) \
    { \
        Count integers = 0, addresses = 0, large_counts = 0; \
        int combiner = 0; \
        (void)large_counts; \
        return R_MPI_Type_get_envelope##suffix(r_datatype, &integers, &addresses, LARGE_AT datatypes, &combiner); \
    } \
    static int A_MPI_Type_get_contents##suffix(A_MPI_Datatype datatype, Count max_integers, Count max_addresses, SIZE_PARAMETER Count max_datatypes, \
                                               int *array_of_integers, MPI_Aint *array_of_addresses, ARRAY_PARAMETER A_MPI_Datatype *array_of_datatypes) \
    { \
        R_MPI_Datatype r_datatype = DATATYPE_a2r(datatype), local[LOCAL_TYPES], *r = local; \
        if (unlikely(max_datatypes > LOCAL_TYPES) && array_of_datatypes) { \
            Count datatypes = 0; \
            int failed = count_contents##suffix(r_datatype, &datatypes); \
            if (unlikely(failed)) \
                return error_r2a(failed); \
            if (max_datatypes > datatypes) \
                max_datatypes = datatypes; \
            r = wi4go_scratch_alloc(max_datatypes > 0 ? (size_t)max_datatypes * sizeof *r : 0); \
        } \
        Count n = array_of_datatypes && max_datatypes > 0 ? max_datatypes : 0; \
        const size_t bytes = (size_t)n * sizeof *r; \
        contents_clear(r, n); \
        int rc = R_MPI_Type_get_contents##suffix(r_datatype, max_integers, max_addresses, SIZE max_datatypes, array_of_integers, array_of_addresses, ARRAY \
                                                 array_of_datatypes ? r : NULL); \
        if (likely(!rc)) { \
            Count datatypes = n; \
            if (n > 0 && unlikely(r[n - 1] == R_MPI_DATATYPE_NULL) && !count_contents##suffix(r_datatype, &datatypes) && datatypes < n) \
                n = datatypes; \
            contents_r2a(array_of_datatypes, r, n); \
            if (CAN_HAVE_CONSTANTS(array_of_integers, max_integers, MAX_LARGE)) \
                convert_contents##suffix(r_datatype, array_of_integers); \
        } \
        if (unlikely(r != local)) \
            wi4go_scratch_free(r, bytes); \
        return likely(!rc) ? 0 : error_r2a(rc); \
    }
#define NOTHING_MORE
#define SIZE_PARAMETER MPI_Count max_large_counts,
#define ARRAY_PARAMETER MPI_Count *array_of_large_counts,
#define SIZE_ARGUMENT max_large_counts,
#define ARRAY_ARGUMENT array_of_large_counts,
#define LARGE_ARGUMENT &large_counts,
GET_CONTENTS(, int, 0, NOTHING_MORE, NOTHING_MORE, NOTHING_MORE, NOTHING_MORE, 0, NOTHING_MORE)
GET_CONTENTS(_c, MPI_Count, max_large_counts, SIZE_PARAMETER, ARRAY_PARAMETER, SIZE_ARGUMENT, ARRAY_ARGUMENT, large_counts > 0, LARGE_ARGUMENT)
#endif
