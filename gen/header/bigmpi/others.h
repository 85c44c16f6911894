/* MPI_Type_contiguous_c, but for elements that begin offset bytes in. */
int BigMPI_Type_contiguous(MPI_Aint offset, MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype);
/* What MPIX_Type_contiguous_x was given. MPI_ERR_TYPE for another datatype. */
int BigMPI_Decode_contiguous_x(MPI_Datatype intype, MPI_Count *count, MPI_Datatype *basetype);
/* MPI_Type_create_hindexed_c, in spite of its name. */
int MPIX_Type_create_hvector_x(int n, MPI_Count array_of_blocklengths[], MPI_Aint array_of_displacements[],
                               MPI_Datatype oldtype, MPI_Datatype *newtype);
/* What one call of MPI is given at most: INT_MAX. Works before MPI_Init. */
MPI_Count BigMPI_Get_max_int(void);
/* A distributed graph of comm_old's processes in which each sends to root, itself included, or for root -1 to
   all: by rank, without weights, not reordered. Collective. */
int BigMPI_Create_graph_comm(MPI_Comm comm_old, int root, MPI_Comm *comm_dist_graph);
