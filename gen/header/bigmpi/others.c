int BigMPI_Type_contiguous(MPI_Aint offset, MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    MPI_Count displacement = offset;
    return MPI_Type_create_hindexed_c(1, &count, &displacement, oldtype, newtype);
}

int BigMPI_Decode_contiguous_x(MPI_Datatype intype, MPI_Count *count, MPI_Datatype *basetype)
{
    MPI_Count integers, addresses, larges, types;
    int combiner, integer = 0;
    int error = MPI_Type_get_envelope_c(intype, &integers, &addresses, &larges, &types, &combiner);
    if (error != MPI_SUCCESS)
        return error;
    if (combiner != MPI_COMBINER_CONTIGUOUS) {
        MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TYPE);
        return MPI_ERR_TYPE;
    }
    error = MPI_Type_get_contents_c(intype, integers, addresses, larges, types, &integer, 0, count, basetype);
    if (error == MPI_SUCCESS && integers) /* it was created with an int count */
        *count = integer;
    return error;
}

int MPIX_Type_create_hvector_x(int n, MPI_Count array_of_blocklengths[], MPI_Aint array_of_displacements[],
                               MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return MPI_Type_create_hindexed_c(n, array_of_blocklengths, array_of_displacements, oldtype, newtype);
}

MPI_Count BigMPI_Get_max_int(void)
{
    return INT_MAX;
}

int BigMPI_Create_graph_comm(MPI_Comm comm_old, int root, MPI_Comm *comm_dist_graph)
{
    int rank, size, error;
    if ((error = MPI_Comm_rank(comm_old, &rank)) != MPI_SUCCESS || (error = MPI_Comm_size(comm_old, &size)) != MPI_SUCCESS)
        return error;
    int *all = malloc((size_t)size * sizeof *all);
    if (!all) {
        MPI_Comm_call_errhandler(comm_old, MPI_ERR_NO_MEM);
        return MPI_ERR_NO_MEM;
    }
    for (int i = 0; i < size; i++)
        all[i] = i;
    const int sources = root == -1 || root == rank ? size : 0;
    error = MPI_Dist_graph_create_adjacent(comm_old, sources, all, MPI_UNWEIGHTED, root == -1 ? size : 1,
                                           root == -1 ? all : &root, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, comm_dist_graph);
    free(all);
    return error;
}
