/* MPI_Send: MPI 3.1, point-to-point. */
HIDDEN FOR_SIZE __attribute__((noinline)) int PAIR(fallback_MPI_Send)(const void *buf, int count, A_MPI_Datatype datatype, int dest, int tag, A_MPI_Comm comm)
{
    R_MPI_Datatype r_datatype = DATATYPE_a2r(datatype);
    R_MPI_Comm r_comm = COMM_a2r(comm);
    int rc = R_MPI_Send(buf, count, r_datatype, RANK_a2r(dest), tag, r_comm);
    if (unlikely(rc))
        return error_r2a(rc);
    return 0;
}
#if !FAST_PATHS
HIDDEN int PAIR(A_MPI_Send)(const void *buf, int count, A_MPI_Datatype datatype, int dest, int tag, A_MPI_Comm comm)
{
    const char *tables = tables_address();
    if (unlikely(!(DATATYPE_hit_in(tables, datatype) && COMM_hit_in(tables, comm))))
        return PAIR(fallback_MPI_Send)(buf, count, datatype, dest, tag, comm);
    R_MPI_Datatype r_datatype = DATATYPE_at_in(tables, datatype);
    R_MPI_Comm r_comm = COMM_at_in(tables, comm);
    int rc = R_MPI_Send(buf, count, r_datatype, RANK_a2r(dest), tag, r_comm);
    if (unlikely(rc))
        return error_r2a(rc);
    return 0;
}
#endif
