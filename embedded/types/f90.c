/*
 * Datatypes by precision and range (MPI-5.0, 19.1.5): they are predefined, and equal calls return
 * equal handles. em->f90 keeps them; its lock guards the list.
 */
#include "layout.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/handles.h"

#include <stdlib.h>

/* A kind of Fortran's numbers: the largest precision and exponent range of selected_real_kind, or
 * the range of selected_int_kind, in decimal digits. */
struct f90_kind {
    int precision, range;
    MPI_Datatype type;
};
static const struct f90_kind real_kinds[] = {
    {6, 37, MPI_REAL4},
    {15, 307, MPI_REAL8},
#if __LDBL_MANT_DIG__ == 64
    {18, 4931, MPI_LONG_DOUBLE},
#endif
    {33, 4931, MPI_REAL16},
};
static const struct f90_kind complex_kinds[] = {
    {6, 37, MPI_COMPLEX8},
    {15, 307, MPI_COMPLEX16},
#if __LDBL_MANT_DIG__ == 64
    {18, 4931, MPI_C_LONG_DOUBLE_COMPLEX},
#endif
    {33, 4931, MPI_COMPLEX32},
};
static const struct f90_kind integer_kinds[] = {
    {0, 2, MPI_INTEGER1}, {0, 4, MPI_INTEGER2}, {0, 9, MPI_INTEGER4}, {0, 18, MPI_INTEGER8}, {0, 38, MPI_INTEGER16},
};

/* Returns the datatype of an earlier call, or NULL. Needs the lock. */
static struct type *earlier_type(int combiner, int p, int r)
{
    for (int i = 0; i < em->f90.n; i++) {
        const struct contents *contents = em->f90.at[i]->contents;
        if (contents->combiner == combiner && contents->integer[0] == p && contents->integer[contents->integers - 1] == r)
            return em->f90.at[i];
    }
    return NULL;
}

/* Makes the datatype and adds it to the list. Returns NULL if memory is lacking. Needs the lock. */
static struct type *add_f90_type(int combiner, int p, int r, struct type *kind)
{
    struct type **list = realloc(em->f90.at, ((size_t)em->f90.n + 1) * sizeof(struct type *));
    if (!list)
        return NULL;
    em->f90.at = list;
    struct contents *contents = em_contents_new(combiner, combiner == MPI_COMBINER_F90_INTEGER ? 1 : 2, 0, 0, 0);
    struct type *type = contents ? em_type_equal(kind) : NULL;
    if (!type) {
        em_contents_release(contents);
        return NULL;
    }
    contents->integer[0] = p;
    contents->integer[contents->integers - 1] = r;
    type->contents = contents;
    type->head.predefined = true;
    return list[em->f90.n++] = type;
}

/* Returns the datatype of the first kind with this precision and range, and makes it if no call has done so before. The lock of
 * em->f90 is held meanwhile. */
static int f90_type(int combiner, int p, int r, const struct f90_kind *kinds, size_t n, MPI_Datatype *newtype)
{
    size_t i = 0;
    while (i < n && ((p != MPI_UNDEFINED && p > kinds[i].precision) || (r != MPI_UNDEFINED && r > kinds[i].range)))
        i++;
    if (i == n)
        return em_error(MPI_ERR_ARG, "no kind has a precision of %d and a range of %d digits", p, r);
    if (combiner == MPI_COMBINER_F90_INTEGER)
        p = r; /* it has one argument */
    MPID_THREAD_DS_LOCK(&em->f90, em->threads);
    struct type *type = earlier_type(combiner, p, r);
    if (!type)
        type = add_f90_type(combiner, p, r, em_type_of(kinds[i].type));
    MPID_THREAD_DS_UNLOCK(&em->f90, em->threads);
    if (!type)
        return em_type_no_memory();
    *newtype = em_type_handle(type);
    return MPI_SUCCESS;
}

/* Returns MPI_ERR_ARG if both are undefined or one is negative. */
static int check_digits(int p, int r)
{
    if ((p == MPI_UNDEFINED && r == MPI_UNDEFINED) || (p < 0 && p != MPI_UNDEFINED) || (r < 0 && r != MPI_UNDEFINED))
        return em_error(MPI_ERR_ARG, "a precision of %d and a range of %d digits", p, r);
    return MPI_SUCCESS;
}

int em_Type_create_f90_real(int p, int r, MPI_Datatype *newtype)
{
    int err = check_digits(p, r);
    return err == MPI_SUCCESS ? f90_type(MPI_COMBINER_F90_REAL, p, r, real_kinds, sizeof real_kinds / sizeof *real_kinds, newtype) : err;
}

int em_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype)
{
    int err = check_digits(p, r);
    return err == MPI_SUCCESS ? f90_type(MPI_COMBINER_F90_COMPLEX, p, r, complex_kinds, sizeof complex_kinds / sizeof *complex_kinds, newtype) : err;
}

int em_Type_create_f90_integer(int r, MPI_Datatype *newtype)
{
    int err = check_digits(0, r);
    return err == MPI_SUCCESS ? f90_type(MPI_COMBINER_F90_INTEGER, MPI_UNDEFINED, r, integer_kinds, sizeof integer_kinds / sizeof *integer_kinds, newtype) : err;
}

/* Frees the datatypes that the functions above have made. The program cannot free them, because they are predefined. */
void em_f90_end(void)
{
    for (int i = 0; i < em->f90.n; i++) {
        em->f90.at[i]->head.predefined = false;
        em_type_release(em->f90.at[i]);
    }
    free(em->f90.at);
    em->f90.at = NULL;
    em->f90.n = 0;
}
