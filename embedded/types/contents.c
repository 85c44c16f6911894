/*
 * The arguments that a datatype was made with (MPI-5.0, 5.1.13). They do not change after its creation. No state, no
 * locks.
 */
#include "layout.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/handles.h"

/* Refuses the functions without _c for a datatype that the functions with _c have made. */
static int check_small(const struct type *type, const char *function)
{
    if (type->contents && type->contents->counts)
        return em_error(MPI_ERR_TYPE, "the datatype has large counts: call %s_c", function);
    return MPI_SUCCESS;
}

/* Fails for a datatype that was made with large counts, whose contents do not fit into ints. */
int em_Type_get_envelope(struct type *datatype, int *num_integers, int *num_addresses, int *num_datatypes, int *combiner)
{
    MPI_Count integers, addresses, counts, types;
    int err = check_small(datatype, "MPI_Type_get_envelope");
    if (err != MPI_SUCCESS)
        return err;
    em_Type_get_envelope_c(datatype, &integers, &addresses, &counts, &types, combiner);
    *num_integers = (int)integers;
    *num_addresses = (int)addresses;
    *num_datatypes = (int)types;
    return MPI_SUCCESS;
}

/* Works for every datatype. A predefined one is MPI_COMBINER_NAMED without arguments. */
int em_Type_get_envelope_c(struct type *datatype, MPI_Count *num_integers, MPI_Count *num_addresses, MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner)
{
    static const struct contents named = {.combiner = MPI_COMBINER_NAMED};
    const struct contents *contents = datatype->contents ? datatype->contents : &named;
    *num_integers = contents->integers;
    *num_addresses = contents->addresses;
    *num_large_counts = contents->counts;
    *num_datatypes = contents->types;
    *combiner = contents->combiner;
    return MPI_SUCCESS;
}

/* Stores handles of the n datatypes: of predefined ones their own, of others those of new equal datatypes. */
static int give_types(const struct contents *contents, MPI_Datatype *types)
{
    for (int64_t i = 0; i < contents->types; i++) {
        struct type *type = contents->type[i];
        if (!type->head.predefined && !(type = em_type_equal(type))) {
            while (i-- > 0)
                if (!contents->type[i]->head.predefined)
                    em_type_release(em_type_of(types[i]));
            return em_type_no_memory();
        }
        types[i] = em_type_handle(type);
    }
    return MPI_SUCCESS;
}

/* The variant for int counts. It fails for a datatype that was made with large counts. */
int em_Type_get_contents(struct type *datatype, int max_integers, int max_addresses, int max_datatypes, int *array_of_integers, MPI_Aint *array_of_addresses, MPI_Datatype *array_of_datatypes)
{
    int err = check_small(datatype, "MPI_Type_get_contents");
    if (err != MPI_SUCCESS)
        return err;
    return em_Type_get_contents_c(datatype, max_integers, max_addresses, 0, max_datatypes, array_of_integers, array_of_addresses, NULL, array_of_datatypes);
}

/* Writes the arguments of the constructor. The program must free the datatypes that are not predefined (MPI-5.0,
 * 5.1.13). */
int em_Type_get_contents_c(struct type *datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts, MPI_Count max_datatypes, int *array_of_integers, MPI_Aint *array_of_addresses, MPI_Count *array_of_large_counts, MPI_Datatype *array_of_datatypes)
{
    const struct contents *contents = datatype->contents;
    if (!contents)
        return em_error(MPI_ERR_TYPE, "%s is predefined and has no contents", datatype->name);
    if (max_integers < contents->integers || max_addresses < contents->addresses || max_large_counts < contents->counts || max_datatypes < contents->types)
        return em_error(MPI_ERR_ARG, "an array is shorter than MPI_Type_get_envelope returns");
    if ((contents->integers && !array_of_integers) || (contents->addresses && !array_of_addresses) || (contents->counts && !array_of_large_counts) || (contents->types && !array_of_datatypes))
        return em_error(MPI_ERR_ARG, "an array is a null pointer");
    int err = give_types(contents, array_of_datatypes);
    if (err != MPI_SUCCESS)
        return err;
    for (int64_t i = 0; i < contents->integers; i++)
        array_of_integers[i] = contents->integer[i];
    for (int64_t i = 0; i < contents->addresses; i++)
        array_of_addresses[i] = (MPI_Aint)contents->address[i];
    for (int64_t i = 0; i < contents->counts; i++)
        array_of_large_counts[i] = contents->count[i];
    return MPI_SUCCESS;
}
