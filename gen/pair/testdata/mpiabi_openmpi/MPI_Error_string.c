/* MPI_Error_string: MPI 3.1, environment. */
HIDDEN FOR_SIZE int PAIR(A_MPI_Error_string)(int errorcode, char *string, int *resultlen)
{
    int rc = R_MPI_Error_string(error_a2r(errorcode), string, resultlen);
    if (unlikely(rc))
        return error_r2a(rc);
    return 0;
}
