/*
 * Of the MPICH family alone. Handles, but for files, and statuses are the same in C.
 */

/* What a procedure calls. Natively it is the name that C tools take. */
#define CALL(name) name

/* A predefined keyval is C's, which is odd, plus one. */
static inline int c_keyval(int keyval)
{
    const int predefined = ((unsigned)keyval & 0xc0000000) == 0x40000000;
    return predefined ? keyval - !(keyval & 1) : keyval;
}
#define C_KEYVAL(keyval) c_keyval(keyval)

/* A string loses the blanks at its end, those of infos at both. */
#define TRIMS_ALL 0

/* Process sets count from 1, in C from 0. */
#define FIRST_PSET 1

/* ---- constants that are addresses: common blocks, which may be the program's own ---- */

extern struct {
    MPI_Fint bottom, in_place, status_ignore[5];
} mpipriv1_;
extern struct {
    MPI_Fint statuses_ignore[5], errcodes_ignore;
} mpipriv2_;
extern struct {
    char argvs_null, argv_null;
} mpiprivc_;
extern MPI_Fint mpifcmb5_, mpifcmb9_, mpifcmba_;

#define BOTTOM(p) ((void *)(p) == &mpipriv1_.bottom ? MPI_BOTTOM : (void *)(p))
#define IN_PLACE(p) ((void *)(p) == &mpipriv1_.in_place ? MPI_IN_PLACE : BOTTOM(p))
#define ATTACHED(p) ((void *)(p) == &mpifcmba_ ? MPI_BUFFER_AUTOMATIC : BOTTOM(p))
#define WEIGHTS(p) ((p) == &mpifcmb5_ ? MPI_UNWEIGHTED : (p) == &mpifcmb9_ ? MPI_WEIGHTS_EMPTY : (p))
#define NO_STATUS(p) ((p) == mpipriv1_.status_ignore)
#define NO_STATUSES(p) ((p) == mpipriv2_.statuses_ignore)
#define NO_ERRCODES(p) ((p) == &mpipriv2_.errcodes_ignore)
#define NO_ARGV(p) ((p) == &mpiprivc_.argv_null)
#define NO_ARGVS(p) ((p) == &mpiprivc_.argvs_null)
