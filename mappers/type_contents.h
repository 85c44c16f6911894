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

static int A_MPI_Type_get_contents(A_MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
                                   int *array_of_integers, MPI_Aint *array_of_addresses, A_MPI_Datatype *array_of_datatypes)
{
    R_MPI_Datatype r_datatype = DATATYPE_a2r(datatype);
    int integers = 0, addresses = 0, datatypes = 0, combiner = 0;
    int rc = R_MPI_Type_get_envelope(r_datatype, &integers, &addresses, &datatypes, &combiner);
    if (unlikely(rc))
        return error_r2a(rc);
    if (array_of_datatypes && max_datatypes > datatypes) /* Open MPI 4.1 accesses max_datatypes elements */
        max_datatypes = datatypes;
    size_t bytes = max_datatypes > 0 ? (size_t)max_datatypes * sizeof(R_MPI_Datatype) : 0;
    R_MPI_Datatype *r = wi4go_scratch_alloc(bytes);
    rc = R_MPI_Type_get_contents(r_datatype, max_integers, max_addresses, max_datatypes,
                                        array_of_integers, array_of_addresses, array_of_datatypes ? r : NULL);
    if (likely(!rc)) {
        convert_integers(combiner, array_of_integers, integers, 0);
        for (int i = 0; i < datatypes; i++)
            array_of_datatypes[i] = DATATYPE_r2a(r[i]);
    }
    wi4go_scratch_free(r, bytes);
    return likely(!rc) ? 0 : error_r2a(rc);
}

static int A_MPI_Type_get_contents_c(A_MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts,
                                     MPI_Count max_datatypes, int *array_of_integers, MPI_Aint *array_of_addresses,
                                     MPI_Count *array_of_large_counts, A_MPI_Datatype *array_of_datatypes)
{
    R_MPI_Datatype r_datatype = DATATYPE_a2r(datatype);
    MPI_Count integers = 0, addresses = 0, large_counts = 0, datatypes = 0;
    int combiner = 0;
    int rc = R_MPI_Type_get_envelope_c(r_datatype, &integers, &addresses, &large_counts, &datatypes, &combiner);
    if (unlikely(rc))
        return error_r2a(rc);
    if (array_of_datatypes && max_datatypes > datatypes) /* Open MPI 4.1 accesses max_datatypes elements */
        max_datatypes = datatypes;
    size_t bytes = max_datatypes > 0 ? (size_t)max_datatypes * sizeof(R_MPI_Datatype) : 0;
    R_MPI_Datatype *r = wi4go_scratch_alloc(bytes);
    rc = R_MPI_Type_get_contents_c(r_datatype, max_integers, max_addresses, max_large_counts, max_datatypes,
                                          array_of_integers, array_of_addresses, array_of_large_counts, array_of_datatypes ? r : NULL);
    if (likely(!rc)) {
        convert_integers(combiner, array_of_integers, (int)integers, large_counts > 0);
        for (MPI_Count i = 0; i < datatypes; i++)
            array_of_datatypes[i] = DATATYPE_r2a(r[i]);
    }
    wi4go_scratch_free(r, bytes);
    return likely(!rc) ? 0 : error_r2a(rc);
}
#endif
