/* Infos, datatypes and data representations (MPI-5.0, 10, 5.1 and 14.5.3). No shared state. The
   structure of a data representation is never freed, because the library keeps it forever, too. */
#include "emulate.h"

int E_MPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
    int length = 0;
    const int room = *buflen;
    if (room < 0 || (room && !value))
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_ARG);
    int rc = MPI_Info_get_valuelen(info, key, &length, flag);
    if (rc || !*flag)
        return rc;
    *buflen = length + 1;
    if (room <= 0)
        return MPI_SUCCESS;
    /* Some libraries refuse to cut a value, so read it whole. */
    char *whole = malloc((size_t)length + 1);
    if (!whole)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_NO_MEM);
    rc = MPI_Info_get(info, key, length, whole, flag);
    if (!rc) {
        const size_t n = (size_t)(length < room ? length : room - 1);
        memcpy(value, whole, n);
        value[n] = 0;
    }
    free(whole);
    return rc;
}

/* Returns a copy of MPI_INFO_ENV. The library reads the command line when it is initialized,
   which has happened by now: see world_MPI_Info_create. */
int E_MPI_Info_create_env(int argc, char **argv, MPI_Info *info)
{
    (void)argc, (void)argv;
    int rc = MPI_Info_create(info);
    if (!rc)
        rc = MPI_Info_free(info);
    return rc ? rc : MPI_Info_dup(MPI_INFO_ENV, info);
}

/* Returns an info with the one resource that MPI-3.1 has (MPI_COMM_TYPE_SHARED). */
int E_MPI_Get_hw_resource_info(MPI_Info *hw_info)
{
    int rc = MPI_Info_create(hw_info);
    return rc ? rc : MPI_Info_set(*hw_info, "mpi_shared_memory", "true");
}

int E_MPI_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype *pair_type)
{
    const MPI_Datatype pairs[][3] = {
        {MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},
        {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
        {MPI_LONG, MPI_INT, MPI_LONG_INT},
        {MPI_SHORT, MPI_INT, MPI_SHORT_INT},
        {MPI_INT, MPI_INT, MPI_2INT},
        {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
        {MPI_REAL, MPI_REAL, MPI_2REAL},
        {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_2DOUBLE_PRECISION},
        {MPI_INTEGER, MPI_INTEGER, MPI_2INTEGER},
    };
    if (value_type == MPI_DATATYPE_NULL || index_type == MPI_DATATYPE_NULL)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_TYPE);
    *pair_type = MPI_DATATYPE_NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == value_type && pairs[i][1] == index_type)
            *pair_type = pairs[i][2];
    return MPI_SUCCESS;
}

/* ---- a data representation whose functions take large counts ---- */

typedef int conversion(void *userbuf, MPI_Datatype datatype, MPI_Count count, void *filebuf, MPI_Offset position, void *extra_state);
typedef int file_extent(MPI_Datatype datatype, MPI_Aint *extent, void *extra_state);

/* The functions that the program registered. */
struct datarep {
    conversion *read, *write;
    file_extent *extent;
    void *extra_state;
};

/* These are registered with the library, and call the program's functions with large counts. */
static int read_by(void *userbuf, MPI_Datatype datatype, int count, void *filebuf, MPI_Offset position, void *datarep)
{
    const struct datarep *d = datarep;
    return d->read(userbuf, datatype, count, filebuf, position, d->extra_state);
}
static int write_by(void *userbuf, MPI_Datatype datatype, int count, void *filebuf, MPI_Offset position, void *datarep)
{
    const struct datarep *d = datarep;
    return d->write(userbuf, datatype, count, filebuf, position, d->extra_state);
}
static int extent_by(MPI_Datatype datatype, MPI_Aint *extent, void *datarep)
{
    const struct datarep *d = datarep;
    return d->extent(datatype, extent, d->extra_state);
}

/* The counts of the library's calls fit an int, because the library converts the data of one of
   its own calls at a time. */
int E_MPI_Register_datarep_c(const char *datarep, void *read_conversion_fn, void *write_conversion_fn, void *dtype_file_extent_fn,
                             void *extra_state)
{
    struct datarep *d = malloc(sizeof *d);
    if (!d)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_NO_MEM);
    *d = (struct datarep){(conversion *)read_conversion_fn, (conversion *)write_conversion_fn, (file_extent *)dtype_file_extent_fn,
                          extra_state};
    int rc = MPI_Register_datarep(datarep, read_conversion_fn ? (void *)read_by : MPI_CONVERSION_FN_NULL,
                                  write_conversion_fn ? (void *)write_by : MPI_CONVERSION_FN_NULL,
                                  dtype_file_extent_fn ? (void *)extent_by : NULL, d);
    if (rc)
        free(d);
    return rc;
}
