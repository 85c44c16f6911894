/*
 * Functions whose only object is a status (MPI-5.0, 19.3.5 and 3.2.5). The Fortran forms of a
 * status have the layout of the C status of the program's family, as integers, so none of
 * these functions needs the runtime.
 *
 * Gives: MPI_Status_c2f, MPI_Status_get_source and their kind.
 * Needs: pair.h, raise_error.h.
 */
#ifndef WI4GO_STATUS_FIELDS_H
#define WI4GO_STATUS_FIELDS_H
#include "pair.h"
#include "raise_error.h"

/* F_IGNORED reports whether a status is one of Fortran's constants for an ignored status. */
#if !A_STANDARD
extern void *f_status_ignore __asm__("MPI_F_STATUS_IGNORE"), *f_statuses_ignore __asm__("MPI_F_STATUSES_IGNORE");
#define F_IGNORED(status) ((status) == f_status_ignore || (status) == f_statuses_ignore)
#else
#define F_IGNORED(status) 0
#endif

/* Copies a status and returns 0. An ignored status cannot be copied (MPI-5.0, 19.3.5), so this
   raises and returns an error for it; C's constants for it are 0 and 1. */
static int copy_status(void *to, const void *from)
{
    if (unlikely((uintptr_t)from <= 1 || F_IGNORED(from) || !to))
        return raise_error(WI4GO_NO_OBJECT, 0, ERR_IGNORED);
    memcpy(to, from, sizeof(A_MPI_Status));
    return 0;
}

static int A_MPI_Status_c2f(const A_MPI_Status *c_status, MPI_Fint *f_status) { return copy_status(f_status, c_status); }
static int A_MPI_Status_f2c(const MPI_Fint *f_status, A_MPI_Status *c_status) { return copy_status(c_status, f_status); }
static int A_MPI_Status_c2f08(const A_MPI_Status *c_status, A_MPI_F08_status *f08_status) { return copy_status(f08_status, c_status); }
static int A_MPI_Status_f082c(const A_MPI_F08_status *f08_status, A_MPI_Status *c_status) { return copy_status(c_status, f08_status); }
static int A_MPI_Status_f082f(const A_MPI_F08_status *f08_status, MPI_Fint *f_status) { return copy_status(f_status, f08_status); }
static int A_MPI_Status_f2f08(const MPI_Fint *f_status, A_MPI_F08_status *f08_status) { return copy_status(f08_status, f_status); }

/* Defines the functions that get and set a field of a status. */
#define STATUS_FIELD(name, parameter, FIELD) \
    static int A_MPI_Status_get_##name(const A_MPI_Status *status, int *parameter) \
    { \
        if (unlikely(!status || !parameter)) \
            return raise_error(WI4GO_NO_OBJECT, 0, A_MPI_ERR_ARG); \
        *parameter = status->FIELD; \
        return 0; \
    } \
    static int A_MPI_Status_set_##name(A_MPI_Status *status, int parameter) \
    { \
        if (unlikely(!status)) \
            return raise_error(WI4GO_NO_OBJECT, 0, A_MPI_ERR_ARG); \
        status->FIELD = parameter; \
        return 0; \
    }
STATUS_FIELD(source, source, MPI_SOURCE)
STATUS_FIELD(tag, tag, MPI_TAG)
STATUS_FIELD(error, err, MPI_ERROR)
#endif
