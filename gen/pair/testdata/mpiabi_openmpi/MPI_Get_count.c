/* MPI_Get_count: MPI 3.1, point-to-point. */
HIDDEN AFTER_FAST_PATH int PAIR(A_MPI_Get_count)(const A_MPI_Status *status, A_MPI_Datatype datatype, int *count)
{
    R_MPI_Status r_status;
    if (!NO_STATUS(status)) status_a2r_count(status, &r_status);
    R_MPI_Datatype r_datatype = DATATYPE_a2r(datatype);
    int rc = R_MPI_Get_count(NO_STATUS(status) ? NULL : &r_status, r_datatype, count);
    if (unlikely(rc))
        return error_r2a(rc);
    return 0;
}
