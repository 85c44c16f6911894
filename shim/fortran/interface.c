/*
 * Procedures that only libwi4go_fortran has, in addition to the ones shared with the
 * Fortran libraries of the families: mpi_f08 with C pointers and with large counts.
 *
 * State: data representations, which are never freed. Nothing is locked.
 */
#include "descriptor.h"

/* Does nothing; only the call matters (MPI-5.0, 19.1.17). */
void mpi_f_sync_reg_f08ts(struct descriptor *buf);
void mpi_f_sync_reg_f08ts(struct descriptor *buf) { (void)buf; }
NAME(pmpi_f_sync_reg_f08ts, mpi_f_sync_reg_f08ts)

/* ---- mpi_f08 returns addresses as C pointers (MPI-5.0, 3.6, 9.2, 12.2.2) ---- */

/* Declares the profiling name of a procedure of mpi_f08. */
#define F08(name) NAME(p##name, name)

/* Returns rc. If the detached buffer is MPI_BUFFER_AUTOMATIC, stores the Fortran constant
   instead of the C one. */
static int detached(int rc, void **buffer_addr)
{
    if (rc == MPI_SUCCESS && *buffer_addr == MPI_BUFFER_AUTOMATIC)
        *buffer_addr = &wi4go_fortran_buffer_automatic_;
    return rc;
}
void mpi_buffer_detach_f08_(void **buffer_addr, MPI_Fint *size, MPI_Fint *ierror) { RESULT(detached(PMPI_Buffer_detach(buffer_addr, size), buffer_addr)); }
F08(mpi_buffer_detach_f08_)
void mpi_buffer_detach_c_f08_(void **buffer_addr, MPI_Count *size, MPI_Fint *ierror) { RESULT(detached(PMPI_Buffer_detach_c(buffer_addr, size), buffer_addr)); }
F08(mpi_buffer_detach_c_f08_)

/* Defines the procedures that detach the buffer of one kind of object. */
#define DETACH(kind, Kind) \
    void mpi_##kind##_detach_buffer_f08_(const MPI_Fint *object, void **buffer_addr, MPI_Fint *size, MPI_Fint *ierror) \
    { \
        RESULT(detached(PMPI_##Kind##_detach_buffer(INNER(MPI_##Kind##_f2c)(*object), buffer_addr, size), buffer_addr)); \
    } \
    F08(mpi_##kind##_detach_buffer_f08_) \
    void mpi_##kind##_detach_buffer_c_f08_(const MPI_Fint *object, void **buffer_addr, MPI_Count *size, MPI_Fint *ierror) \
    { \
        RESULT(detached(PMPI_##Kind##_detach_buffer_c(INNER(MPI_##Kind##_f2c)(*object), buffer_addr, size), buffer_addr)); \
    } \
    F08(mpi_##kind##_detach_buffer_c_f08_)
DETACH(comm, Comm)
DETACH(session, Session)

/* Defines a procedure that allocates a window with large counts. */
#define ALLOCATE(name, call) \
    void name(const MPI_Aint *size, const MPI_Aint *disp_unit, const MPI_Fint *info, const MPI_Fint *comm, void *baseptr, MPI_Fint *win, MPI_Fint *ierror) \
    { \
        MPI_Win c_win = MPI_WIN_NULL; \
        const int rc = call(*size, *disp_unit, INNER(MPI_Info_f2c)(*info), INNER(MPI_Comm_f2c)(*comm), baseptr, &c_win); \
        if (rc == MPI_SUCCESS) \
            *win = INNER(MPI_Win_c2f)(c_win); \
        RESULT(rc); \
    } \
    F08(name)
ALLOCATE(mpi_win_allocate_c_f08_, PMPI_Win_allocate_c)
ALLOCATE(mpi_win_allocate_shared_c_f08_, PMPI_Win_allocate_shared_c)

void mpi_win_shared_query_c_f08_(const MPI_Fint *win, const MPI_Fint *rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr, MPI_Fint *ierror)
{
    RESULT(PMPI_Win_shared_query_c(INNER(MPI_Win_f2c)(*win), *rank, size, disp_unit, baseptr));
}
F08(mpi_win_shared_query_c_f08_)

/* ---- callbacks with large counts ---- */

/* A function of the front: returns a C operation with large counts that calls the Fortran
   procedure, or NULL if memory is exhausted. */
extern void *wi4go_fortran_operation_c(void *function);

void mpi_op_create_c_f08_(void *user_fn, const MPI_Fint *commute, MPI_Fint *op, MPI_Fint *ierror)
{
    MPI_Op c_op = MPI_OP_NULL;
    void *function = wi4go_fortran_operation_c(user_fn);
    const int rc = function ? PMPI_Op_create_c(function, *commute != 0, &c_op) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS)
        *op = INNER(MPI_Op_c2f)(c_op);
    RESULT(rc);
}
F08(mpi_op_create_c_f08_)

/* The constants for "no conversion" (MPI-5.0, 14.5.3). Only their addresses matter; they are
   never called. */
#undef MPI_CONVERSION_FN_NULL
#undef MPI_CONVERSION_FN_NULL_C
void mpi_conversion_fn_null_(void);
void mpi_conversion_fn_null_c_(void) { }
NAME(mpi_conversion_fn_null_c, mpi_conversion_fn_null_c_)
NAME(mpi_conversion_fn_null_c__, mpi_conversion_fn_null_c_)
NAME(MPI_CONVERSION_FN_NULL_C, mpi_conversion_fn_null_c_)

/* A data representation with large counts: the extra state of the C callbacks. It is never
   freed, because MPI lacks a function to unregister one. */
struct datarep {
    void *read, *write, *extent; /* the program's procedures */
    MPI_Aint extra;              /* their extra state */
};

/* Calls the program's conversion procedure with Fortran arguments, and returns its ierror. */
static int convert(void *function, struct datarep *d, void *userbuf, MPI_Datatype datatype, MPI_Count count, void *filebuf, MPI_Offset position)
{
    typedef void procedure(void *, MPI_Fint *, MPI_Count *, void *, MPI_Offset *, MPI_Aint *, MPI_Fint *);
    MPI_Fint f_datatype = INNER(MPI_Type_c2f)(datatype), ierror = MPI_SUCCESS;
    ((procedure *)function)(userbuf, &f_datatype, &count, filebuf, &position, &d->extra, &ierror);
    return ierror;
}

static int convert_read(void *userbuf, MPI_Datatype datatype, MPI_Count count, void *filebuf, MPI_Offset position, void *d)
{
    return convert(((struct datarep *)d)->read, d, userbuf, datatype, count, filebuf, position);
}

static int convert_write(void *userbuf, MPI_Datatype datatype, MPI_Count count, void *filebuf, MPI_Offset position, void *d)
{
    return convert(((struct datarep *)d)->write, d, userbuf, datatype, count, filebuf, position);
}

static int file_extent(MPI_Datatype datatype, MPI_Aint *extent, void *state)
{
    typedef void procedure(MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Fint *);
    struct datarep *d = state;
    MPI_Fint f_datatype = INNER(MPI_Type_c2f)(datatype), ierror = MPI_SUCCESS;
    ((procedure *)d->extent)(&f_datatype, extent, &d->extra, &ierror);
    return ierror;
}

/* Reports whether a conversion procedure is a real one. */
static int converts(const void *function) { return function != (void *)mpi_conversion_fn_null_c_ && function != (void *)mpi_conversion_fn_null_; }

void mpi_register_datarep_c_f08_(const char *datarep, void *read, void *write, void *extent, const MPI_Aint *extra, MPI_Fint *ierror, int length)
{
    ARRAY(char, c_datarep, STRING_SIZE(length))
    struct datarep *d = malloc(sizeof *d);
    if (!d) {
        RESULT(MPI_ERR_NO_MEM);
        return;
    }
    *d = (struct datarep){read, write, extent, *extra};
    string_in(c_datarep, datarep, length);
    const int rc = PMPI_Register_datarep_c(c_datarep, converts(read) ? convert_read : NULL, converts(write) ? convert_write : NULL, file_extent, d);
    if (rc != MPI_SUCCESS)
        free(d);
    RESULT(rc);
}
F08(mpi_register_datarep_c_f08_)
