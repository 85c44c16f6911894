static void *other_MPI_Get_count;
static inline __attribute__((always_inline)) int inside_MPI_Get_count(const A_MPI_Status *status, R_MPI_Datatype r_datatype, int *count)
{
    R_MPI_Status r_status;
    if (!NO_STATUS(status)) status_a2r_count(status, &r_status);
    int rc = R_MPI_Get_count(NO_STATUS(status) ? NULL : &r_status, r_datatype, count);
    if (unlikely(rc))
        return error_r2a(rc);
    return 0;
}
static void fortran_MPI_Get_count(const MPI_Fint *status, const MPI_Fint *datatype, int *count, MPI_Fint *ierror)
{
    const R_MPI_Datatype r_datatype = DATATYPE_f2r(*datatype);
    const int rc = inside_MPI_Get_count((const A_MPI_Status *)status, r_datatype, count);
    if (likely(ierror != NULL))
        *ierror = rc;
}
