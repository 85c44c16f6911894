/* MPI_Isend: MPI 3.1, point-to-point. */
HIDDEN int PAIR(A_MPI_Isend)(const void *buf, int count, A_MPI_Datatype datatype, int dest, int tag, A_MPI_Comm comm, A_MPI_Request *request)
{
    R_MPI_Datatype r_datatype = DATATYPE_a2r(datatype);
    R_MPI_Comm r_comm = COMM_a2r(comm);
    R_MPI_Request r_request;
    int rc = R_MPI_Isend(buf, count, r_datatype, RANK_a2r(dest), TAG_a2r(tag), r_comm, request ? &r_request : NULL);
    if (unlikely(rc))
        return error_r2a(rc);
    *request = REQUEST_r2a_started(r_request);
    return 0;
}
