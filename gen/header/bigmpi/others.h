/* As MPI_Type_contiguous_c, with elements that begin at offset bytes. */
int BigMPI_Type_contiguous(MPI_Aint offset, MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype);
/* Returns the arguments of MPIX_Type_contiguous_x, or MPI_ERR_TYPE for another datatype. */
int BigMPI_Decode_contiguous_x(MPI_Datatype intype, MPI_Count *count, MPI_Datatype *basetype);
/* The same as MPI_Type_create_hindexed_c, in spite of its name. */
int MPIX_Type_create_hvector_x(int n, MPI_Count array_of_blocklengths[], MPI_Aint array_of_displacements[],
                               MPI_Datatype oldtype, MPI_Datatype *newtype);
/* Returns the greatest count of one MPI call: INT_MAX. May be called before MPI_Init. */
MPI_Count BigMPI_Get_max_int(void);
/* Creates a distributed graph of comm_old's processes, in which each sends to root, including root itself, or to
   all if root is -1: ordered by rank, without weights, not reordered. Collective. */
int BigMPI_Create_graph_comm(MPI_Comm comm_old, int root, MPI_Comm *comm_dist_graph);
