/* MPI_Win_create: MPI 3.1, rma. */
HIDDEN FOR_SIZE int PAIR(A_MPI_Win_create)(void *base, MPI_Aint size, int disp_unit, A_MPI_Info info, A_MPI_Comm comm, A_MPI_Win *win)
{
    R_MPI_Info r_info = INFO_a2r(info);
    R_MPI_Comm r_comm = COMM_a2r(comm);
    R_MPI_Win r_win = NO_HANDLE(R_MPI_Win);
    int rc = R_MPI_Win_create(base, size, disp_unit, r_info, r_comm, win ? &r_win : NULL);
    if (unlikely(rc)) {
        if (win && r_win == R_MPI_WIN_NULL) *win = WIN_r2a(r_win);
        return error_r2a(rc);
    }
    if (win) *win = WIN_r2a(r_win);
    return 0;
}
