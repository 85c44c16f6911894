/* Reductions between two groups, at whose root there is nothing to send, over a library that refuses a null send buffer
   there as well (MPI-5.0, 6.9.1), and one that is the other buffer: it is given something that it leaves alone. */
#include "emulate.h"

static const void *sent(const void *sendbuf, int root)
{
    static const char nothing;
    return unlikely(!sendbuf) && root == MPI_ROOT ? &nothing : sendbuf;
}

int roots_MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    return BELOW(roots, MPI_Reduce)(sent(sendbuf, root), recvbuf, count, datatype, op, root, comm);
}

int roots_MPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    return BELOW(roots, MPI_Reduce_c)(sent(sendbuf, root), recvbuf, count, datatype, op, root, comm);
}

int roots_MPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                      MPI_Request *request)
{
    return BELOW(roots, MPI_Ireduce)(sent(sendbuf, root), recvbuf, count, datatype, op, root, comm, request);
}

int roots_MPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                        MPI_Request *request)
{
    return BELOW(roots, MPI_Ireduce_c)(sent(sendbuf, root), recvbuf, count, datatype, op, root, comm, request);
}

int roots_MPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                          MPI_Info info, MPI_Request *request)
{
    return BELOW(roots, MPI_Reduce_init)(sent(sendbuf, root), recvbuf, count, datatype, op, root, comm, info, request);
}

int roots_MPI_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                            MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return BELOW(roots, MPI_Reduce_init_c)(sent(sendbuf, root), recvbuf, count, datatype, op, root, comm, info, request);
}
