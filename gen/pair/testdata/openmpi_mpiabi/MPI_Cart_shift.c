/* MPI_Cart_shift: MPI 3.1, topologies. */
HIDDEN FOR_SIZE int PAIR(A_MPI_Cart_shift)(A_MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest)
{
    R_MPI_Comm r_comm = COMM_a2r(comm);
    int rc = R_MPI_Cart_shift(r_comm, direction, disp, rank_source, rank_dest);
    if (unlikely(rc))
        return error_r2a(rc);
    if (rank_source) *rank_source = RANK_r2a(*rank_source);
    if (rank_dest) *rank_dest = RANK_r2a(*rank_dest);
    return 0;
}
