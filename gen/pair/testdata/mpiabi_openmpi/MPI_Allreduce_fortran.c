static void *other_MPI_Allreduce;
static __attribute__((noinline)) void unusual_MPI_Allreduce(const void *sendbuf, void *recvbuf, const int *count, const MPI_Fint *datatype, const MPI_Fint *op, const MPI_Fint *comm, MPI_Fint *ierror)
{
    ((__typeof__(unusual_MPI_Allreduce) *)other_MPI_Allreduce)(sendbuf, recvbuf, count, datatype, op, comm, ierror);
    DATATYPE_learn(*datatype);
    OP_learn(*op);
    COMM_learn(*comm);
}
static inline __attribute__((always_inline)) int inside_MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, R_MPI_Datatype r_datatype, R_MPI_Op r_op, R_MPI_Comm r_comm)
{
    int rc = R_MPI_Allreduce(BUFFER_OR_IN_PLACE_a2r(sendbuf), BUFFER_OR_IN_PLACE_a2r(recvbuf), count, r_datatype, r_op, r_comm);
    if (unlikely(rc))
        return error_r2a(rc);
    return 0;
}
static void fortran_MPI_Allreduce(const void *sendbuf, void *recvbuf, const int *count, const MPI_Fint *datatype, const MPI_Fint *op, const MPI_Fint *comm, MPI_Fint *ierror)
{
    const R_MPI_Datatype r_datatype = DATATYPE_f2r(*datatype);
    const R_MPI_Op r_op = OP_f2r(*op);
    const R_MPI_Comm r_comm = COMM_f2r(*comm);
    if (unlikely(!(r_datatype && r_op && r_comm))) {
        unusual_MPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm, ierror);
        return;
    }
    const int rc = inside_MPI_Allreduce(fortran_in_place(sendbuf), fortran_in_place(recvbuf), *count, r_datatype, r_op, r_comm);
    if (likely(ierror != NULL))
        *ierror = rc;
}
