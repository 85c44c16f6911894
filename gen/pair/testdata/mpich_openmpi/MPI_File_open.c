/* MPI_File_open: MPI 3.1, io. */
HIDDEN FOR_SIZE __attribute__((noinline)) int PAIR(fallback_MPI_File_open)(A_MPI_Comm comm, const char *filename, int amode, A_MPI_Info info, A_MPI_File *fh)
{
    R_MPI_Comm r_comm = COMM_a2r(comm);
    R_MPI_Info r_info = INFO_a2r(info);
    R_MPI_File r_fh = NO_HANDLE(R_MPI_File);
    int rc = R_MPI_File_open(r_comm, filename, amode, r_info, fh ? &r_fh : NULL);
    if (unlikely(rc)) {
        if (fh && r_fh == R_MPI_FILE_NULL) *fh = FILE_r2a(r_fh);
        return error_r2a(rc);
    }
    if (fh && r_fh != NO_HANDLE(R_MPI_File)) *fh = FILE_r2a(r_fh);
    return 0;
}
HIDDEN FOR_SIZE int PAIR(A_MPI_File_open)(A_MPI_Comm comm, const char *filename, int amode, A_MPI_Info info, A_MPI_File *fh)
{
    const char *tables = tables_address();
    if (unlikely(!(COMM_hit_in(tables, comm) && INFO_hit_in(tables, info))))
        return PAIR(fallback_MPI_File_open)(comm, filename, amode, info, fh);
    R_MPI_Comm r_comm = COMM_at_in(tables, comm);
    R_MPI_Info r_info = INFO_at_in(tables, info);
    R_MPI_File r_fh = NO_HANDLE(R_MPI_File);
    int rc = R_MPI_File_open(r_comm, filename, amode, r_info, fh ? &r_fh : NULL);
    if (unlikely(rc)) {
        if (fh && r_fh == R_MPI_FILE_NULL) *fh = FILE_r2a(r_fh);
        return error_r2a(rc);
    }
    if (fh && r_fh != NO_HANDLE(R_MPI_File)) *fh = FILE_r2a(r_fh);
    return 0;
}
