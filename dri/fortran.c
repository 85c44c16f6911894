/* The functions of the module dri_f08 whose arguments in Fortran differ from C's: handles of MPI, which are integers there,
 * and texts, which are padded with blanks. All others are C's own functions. dri_f08.f90 declares both; no other file needs
 * these names. There is no state. */
#include "internal.h"
#include <string.h>

PUBLIC DRI_layout const dri_f08_packed_0 = DRI_LAYOUT_PACKED_0, dri_f08_packed_01 = DRI_LAYOUT_PACKED_01,
                        dri_f08_packed_10 = DRI_LAYOUT_PACKED_10, dri_f08_packed_012 = DRI_LAYOUT_PACKED_012,
                        dri_f08_packed_021 = DRI_LAYOUT_PACKED_021, dri_f08_packed_102 = DRI_LAYOUT_PACKED_102,
                        dri_f08_packed_120 = DRI_LAYOUT_PACKED_120, dri_f08_packed_201 = DRI_LAYOUT_PACKED_201,
                        dri_f08_packed_210 = DRI_LAYOUT_PACKED_210;

PUBLIC int dri_f08_init(void)
{
    return DRI_init(NULL, NULL);
}

PUBLIC int dri_f08_init_comm(const MPI_Fint *comm)
{
    int started = 0;
    MPI(MPI_Initialized, &started);
    return DRI_init_comm(started ? MPI_Comm_f2c(*comm) : MPI_COMM_NULL);
}

PUBLIC int dri_f08_gdo_create(int n, const MPI_Fint *type, const MPI_Count sizes[], DRI_gdo *gdo)
{
    TRY(dri_ready());
    return DRI_gdo_create(n, MPI_Type_f2c(*type), sizes, gdo);
}

PUBLIC int dri_f08_gdo_query(DRI_gdo gdo, int *n, MPI_Fint *type, MPI_Count sizes[])
{
    MPI_Datatype own;
    int class = DRI_gdo_query(gdo, n, &own, sizes);
    if (!class && type)
        *type = MPI_Type_c2f(own);
    return class;
}

/* Copies a text to a Fortran variable of `size` characters: cuts it off, or pads it with blanks. */
static void pad_text(const char *text, char *to, int size)
{
    size_t length = strnlen(text, size > 0 ? size : 0);
    memcpy(to, text, length);
    if (size > 0)
        memset(to + length, ' ', size - length);
}

PUBLIC void dri_f08_error_string(int error, char *string, int size)
{
    pad_text(DRI_error_string(error), string, size);
}

PUBLIC int dri_f08_xfer_query(DRI_xfer xfer, int *role, int *n_buffs, int *next, MPI_Count *bytes, char *method, int size)
{
    const char *text;
    int class = DRI_xfer_query(xfer, role, n_buffs, next, bytes, &text);
    if (!class && method)
        pad_text(text, method, size);
    return class;
}
