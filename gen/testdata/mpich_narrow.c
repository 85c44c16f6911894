static int N_MPI_Alltoallv_c(const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *sdispls, A_MPI_Datatype sendtype, void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *rdispls, A_MPI_Datatype recvtype, A_MPI_Comm comm)
{
    NARROWED(sendcounts, sendbuf == A_MPI_IN_PLACE ? 0 : peers(comm));
    NARROWED(sdispls, sendbuf == A_MPI_IN_PLACE ? 0 : peers(comm));
    NARROWED(recvcounts, peers(comm));
    NARROWED(rdispls, peers(comm));
    if (unlikely(!(narrow_sendcounts.fits && narrow_sdispls.fits && narrow_recvcounts.fits && narrow_rdispls.fits)))
        return REFUSE(MPI_Alltoallv_c)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    return CALL(int(const void *, const int *, const int *, A_MPI_Datatype, void *, const int *, const int *, A_MPI_Datatype, A_MPI_Comm), MPI_Alltoallv)(sendbuf, narrow_sendcounts.array, narrow_sdispls.array, sendtype, recvbuf, narrow_recvcounts.array, narrow_rdispls.array, recvtype, comm);
}
static int N_MPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, A_MPI_Datatype sendtype, void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *displs, A_MPI_Datatype recvtype, int root, A_MPI_Comm comm)
{
    NARROWED(recvcounts, at_root(root, comm) ? peers(comm) : 0);
    NARROWED(displs, at_root(root, comm) ? peers(comm) : 0);
    if (unlikely(!(FITS(sendcount) && narrow_recvcounts.fits && narrow_displs.fits)))
        return REFUSE(MPI_Gatherv_c)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
    return CALL(int(const void *, int, A_MPI_Datatype, void *, const int *, const int *, A_MPI_Datatype, int, A_MPI_Comm), MPI_Gatherv)(sendbuf, (int)sendcount, sendtype, recvbuf, narrow_recvcounts.array, narrow_displs.array, recvtype, root, comm);
}
static int N_MPI_Isend_c(const void *buf, MPI_Count count, A_MPI_Datatype datatype, int dest, int tag, A_MPI_Comm comm, A_MPI_Request *request)
{
    if (unlikely(!(FITS(count))))
        return REFUSE(MPI_Isend_c)(buf, count, datatype, dest, tag, comm, request);
    return CALL(int(const void *, int, A_MPI_Datatype, int, int, A_MPI_Comm, A_MPI_Request *), MPI_Isend)(buf, (int)count, datatype, dest, tag, comm, request);
}
static int N_MPI_Pack_c(const void *inbuf, MPI_Count incount, A_MPI_Datatype datatype, void *outbuf, MPI_Count outsize, MPI_Count *position, A_MPI_Comm comm)
{
    int narrow_position = (int)*position;
    if (unlikely(!(FITS(incount) && FITS(outsize) && FITS(*position))))
        return REFUSE(MPI_Pack_c)(inbuf, incount, datatype, outbuf, outsize, position, comm);
    int rc = CALL(int(const void *, int, A_MPI_Datatype, void *, int, int *, A_MPI_Comm), MPI_Pack)(inbuf, (int)incount, datatype, outbuf, (int)outsize, &narrow_position, comm);
    if (!rc)
        *position = narrow_position;
    return rc;
}
static int N_MPI_Type_indexed_c(MPI_Count count, const MPI_Count *array_of_blocklengths, const MPI_Count *array_of_displacements, A_MPI_Datatype oldtype, A_MPI_Datatype *newtype)
{
    NARROWED(array_of_blocklengths, count);
    NARROWED(array_of_displacements, count);
    if (unlikely(!(FITS(count) && narrow_array_of_blocklengths.fits && narrow_array_of_displacements.fits)))
        return REFUSE(MPI_Type_indexed_c)(count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
    return CALL(int(int, const int *, const int *, A_MPI_Datatype, A_MPI_Datatype *), MPI_Type_indexed)((int)count, narrow_array_of_blocklengths.array, narrow_array_of_displacements.array, oldtype, newtype);
}
