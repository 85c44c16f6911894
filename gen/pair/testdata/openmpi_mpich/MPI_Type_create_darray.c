/* MPI_Type_create_darray: MPI 3.1, datatypes. */
HIDDEN FOR_SIZE int PAIR(A_MPI_Type_create_darray)(int size, int rank, int ndims, const int *array_of_gsizes, const int *array_of_distribs, const int *array_of_dargs, const int *array_of_psizes, int order, A_MPI_Datatype oldtype, A_MPI_Datatype *newtype)
{
    size_t n_array_of_distribs = ndims > 0 && array_of_distribs ? (size_t)ndims : 0;
    int *r_array_of_distribs = wi4go_scratch_alloc(n_array_of_distribs * sizeof *r_array_of_distribs);
    for (size_t i = 0; i < n_array_of_distribs; i++) r_array_of_distribs[i] = DISTRIBUTION_a2r(array_of_distribs[i]);
    const int *r_array_of_dargs = array_of_dargs;
    const size_t n_array_of_dargs = array_of_dargs && unlikely(any_negative(array_of_dargs, ndims)) ? (size_t)ndims : 0;
    if (unlikely(n_array_of_dargs)) {
        int *to = wi4go_scratch_alloc(n_array_of_dargs * sizeof *to);
        for (size_t i = 0; i < n_array_of_dargs; i++) to[i] = DISTRIBUTION_ARG_a2r(array_of_dargs[i]);
        r_array_of_dargs = to;
    }
    R_MPI_Datatype r_oldtype = DATATYPE_a2r(oldtype);
    R_MPI_Datatype r_newtype = NO_HANDLE(R_MPI_Datatype);
    int rc = R_MPI_Type_create_darray(size, RANK_a2r(rank), ndims, array_of_gsizes, array_of_distribs ? r_array_of_distribs : NULL, r_array_of_dargs, array_of_psizes, ORDER_a2r(order), r_oldtype, newtype ? &r_newtype : NULL);
    if (unlikely(n_array_of_dargs)) wi4go_scratch_free((void *)r_array_of_dargs, n_array_of_dargs * sizeof *r_array_of_dargs);
    wi4go_scratch_free(r_array_of_distribs, n_array_of_distribs * sizeof *r_array_of_distribs);
    if (unlikely(rc)) {
        if (newtype && r_newtype == R_MPI_DATATYPE_NULL) *newtype = DATATYPE_r2a(r_newtype);
        return error_r2a(rc);
    }
    if (newtype) *newtype = DATATYPE_r2a(r_newtype);
    return 0;
}
