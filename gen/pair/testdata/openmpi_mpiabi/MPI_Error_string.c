/* MPI_Error_string: MPI 3.1, environment. */
HIDDEN FOR_SIZE int PAIR(A_MPI_Error_string)(int errorcode, char *string, int *resultlen)
{
    char r_string[R_MPI_MAX_ERROR_STRING + 1];
    r_string[0] = 0;
    int rc = R_MPI_Error_string(error_a2r(errorcode), string ? r_string : NULL, resultlen);
    if (unlikely(rc))
        return error_r2a(rc);
    cut_string(string, A_MPI_MAX_ERROR_STRING, r_string, resultlen);
    return 0;
}
