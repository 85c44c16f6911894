static void *library_MPI_Recv;
static __attribute__((noinline)) void unusual_MPI_Recv(void *buf, const int *count, const MPI_Fint *datatype, const int *source, const int *tag, const MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
{
    ((__typeof__(unusual_MPI_Recv) *)library_MPI_Recv)(buf, count, datatype, source, tag, comm, status, ierror);
    DATATYPE_cache_enter(*datatype);
    COMM_cache_enter(*comm);
}
static inline __attribute__((always_inline)) int inside_MPI_Recv(void *buf, int count, R_MPI_Datatype r_datatype, int source, int tag, R_MPI_Comm r_comm, A_MPI_Status *status)
{
    R_MPI_Status r_status;
    status_unset(&r_status);
    int rc = R_MPI_Recv(buf, count, r_datatype, RANK_a2r(source), TAG_a2r(tag), r_comm, &r_status);
    if (unlikely(rc)) {
        if (!is_fortran_status_ignore(status) && status_is_set(&r_status)) status_r2a_special(&r_status, status);
        return error_r2a(rc);
    }
    if (!is_fortran_status_ignore(status)) status_r2a(&r_status, status);
    return 0;
}
HIDDEN void direct_MPI_Recv(void *buf, const int *count, const MPI_Fint *datatype, const int *source, const int *tag, const MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror);
HIDDEN void direct_MPI_Recv(void *buf, const int *count, const MPI_Fint *datatype, const int *source, const int *tag, const MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
{
    const R_MPI_Datatype r_datatype = DATATYPE_f2r(*datatype);
    const R_MPI_Comm r_comm = COMM_f2r(*comm);
    if (unlikely(!(r_datatype && r_comm))) {
        unusual_MPI_Recv(buf, count, datatype, source, tag, comm, status, ierror);
        return;
    }
    const int rc = inside_MPI_Recv(fortran_buffer(buf), *count, r_datatype, *source, *tag, r_comm, (A_MPI_Status *)status);
    *ierror = rc;
}
