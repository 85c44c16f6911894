static void *library_MPI_Irecv;
static __attribute__((noinline)) void unusual_MPI_Irecv(void *buf, const int *count, const MPI_Fint *datatype, const int *source, const int *tag, const MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    ((__typeof__(unusual_MPI_Irecv) *)library_MPI_Irecv)(buf, count, datatype, source, tag, comm, request, ierror);
    DATATYPE_cache_enter(*datatype);
    COMM_cache_enter(*comm);
}
static inline __attribute__((always_inline)) int inside_MPI_Irecv(void *buf, int count, R_MPI_Datatype r_datatype, int source, int tag, R_MPI_Comm r_comm, MPI_Fint *request)
{
    R_MPI_Request r_request;
    int rc = R_MPI_Irecv(buf, count, r_datatype, RANK_a2r(source), TAG_a2r(tag), r_comm, &r_request);
    if (unlikely(rc))
        return error_r2a(rc);
    *request = REQUEST_r2f_started(r_request);
    return 0;
}
HIDDEN void direct_MPI_Irecv(void *buf, const int *count, const MPI_Fint *datatype, const int *source, const int *tag, const MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror);
HIDDEN void direct_MPI_Irecv(void *buf, const int *count, const MPI_Fint *datatype, const int *source, const int *tag, const MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    const R_MPI_Datatype r_datatype = DATATYPE_f2r(*datatype);
    const R_MPI_Comm r_comm = COMM_f2r(*comm);
    if (unlikely(!(r_datatype && r_comm))) {
        unusual_MPI_Irecv(buf, count, datatype, source, tag, comm, request, ierror);
        return;
    }
    const int rc = inside_MPI_Irecv(fortran_buffer(buf), *count, r_datatype, *source, *tag, r_comm, request);
    *ierror = rc;
}
