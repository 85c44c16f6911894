int via_int_MPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, A_MPI_Datatype datatype, A_MPI_Op op, A_MPI_Comm comm)
{
    if (unlikely(!(FITS(count)))) {
        struct piece piece = {0, 0, 0};
        MPI_Aint extent = 0;
        int rc = 0, wrong = out_of_range(count, datatype, &extent);
        if (wrong)
            return wi4go_raise(WI4GO_COMM, comm, wrong);
        while (!rc && next_piece(&piece, count, extent))
            rc = MPI_Allreduce(PIECE_OF(sendbuf, piece), PIECE_OF(recvbuf, piece), piece.n, datatype, op, comm);
        return rc;
    }
    return MPI_Allreduce(sendbuf, recvbuf, (int)count, datatype, op, comm);
}
int via_int_MPI_Gather_c(const void *sendbuf, MPI_Count sendcount, A_MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, A_MPI_Datatype recvtype, int root, A_MPI_Comm comm)
{
    if (unlikely(!(FITS(sendcount) && FITS(recvcount)))) {
        LARGE(large_sendcount, sendcount, sendtype, sendbuf != MPI_IN_PLACE);
        LARGE(large_recvcount, recvcount, recvtype, recvbuf != MPI_IN_PLACE && wi4go_at_root(root, comm));
        if (large_sendcount.wrong | large_recvcount.wrong)
            return wi4go_raise(WI4GO_COMM, comm, large_sendcount.wrong ? large_sendcount.wrong : large_recvcount.wrong);
        return MPI_Gather(sendbuf, large_sendcount.count, large_sendcount.type, recvbuf, large_recvcount.count, large_recvcount.type, root, comm);
    }
    return MPI_Gather(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root, comm);
}
int via_int_MPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, A_MPI_Datatype sendtype, void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *displs, A_MPI_Datatype recvtype, int root, A_MPI_Comm comm)
{
    EXCHANGE x = {0};
    const int wrong = exchange_gatherv(&x, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
    if (unlikely(wrong))
        return wi4go_raise(WI4GO_COMM, comm, wrong);
    return MPI_Alltoallw(x.send.buffer, x.send.counts, x.send.displs, x.send.types, (void *)x.recv.buffer, x.recv.counts, x.recv.displs, x.recv.types, comm);
}
int via_int_MPI_Isend_c(const void *buf, MPI_Count count, A_MPI_Datatype datatype, int dest, int tag, A_MPI_Comm comm, A_MPI_Request *request)
{
    if (unlikely(!(FITS(count)))) {
        LARGE(large_count, count, datatype, 1);
        if (large_count.wrong)
            return wi4go_raise(WI4GO_COMM, comm, large_count.wrong);
        return MPI_Isend(buf, large_count.count, large_count.type, dest, tag, comm, request);
    }
    return MPI_Isend(buf, (int)count, datatype, dest, tag, comm, request);
}
int via_int_MPI_Type_size_c(A_MPI_Datatype datatype, MPI_Count *size)
{
    return MPI_Type_size_x(datatype, size);
}
int via_int_MPI_Win_create_c(void *base, MPI_Aint size, MPI_Aint disp_unit, A_MPI_Info info, A_MPI_Comm comm, A_MPI_Win *win)
{
    if (unlikely(!(FITS_INT(disp_unit)))) {
        return REFUSE(MPI_Win_create_c)(base, size, disp_unit, info, comm, win);
    }
    return MPI_Win_create(base, size, (int)disp_unit, info, comm, win);
}
