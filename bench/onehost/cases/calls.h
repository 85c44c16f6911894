/*
 * Gives the cases one set of names for their calls: calls of MPI, or of the abstract device if ADI is
 * defined. An error ends the job.
 *
 * Gives: self, ranks, begin, finish, send, receive, start_send, start_receive, end_sends,
 * end_receives, RUN; of MPI also barrier, broadcast, reduce, allreduce, exchange_all.
 * Needs: mpi.h, or adi.h and adi_launch.h.
 */
#ifndef WI4GO_BENCH_CALLS_H
#define WI4GO_BENCH_CALLS_H

#ifdef ADI
#include "adi.h"
#include "adi_launch.h"
#define CALL static inline __attribute__((unused)) void
#define self MPID_MyWorldRank
#define ranks MPID_MyWorldSize
typedef MPIR_SHANDLE outgoing;
typedef MPIR_RHANDLE incoming;
static int err; /* every call stores its error here */

CALL check(void)
{
    if (__builtin_expect(err, 0))
        MPID_Abort(NULL, 1, "cases", "a call has failed");
}
CALL begin(int *argc, char ***argv) { MPID_Init(argc, argv, NULL, &err), check(); }
CALL finish(void) { MPID_End(); }
CALL send(const void *data, long bytes, int to) { MPID_SendContig(NULL, data, bytes, self, 1, 0, to, MPID_MSGFORM_OK, &err), check(); }
CALL receive(void *data, long bytes, int from) { MPID_RecvContig(NULL, data, bytes, from, 1, 0, NULL, &err), check(); }
CALL start_send(const void *data, long bytes, int to, outgoing *request) { MPID_IsendContig(NULL, data, bytes, self, 1, 0, to, MPID_MSGFORM_OK, request, &err); }
CALL start_receive(void *data, long bytes, int from, incoming *request) { MPID_IrecvContig(NULL, data, bytes, from, 1, 0, request, &err); }
CALL end_sends(int n, outgoing *requests)
{
    for (int i = 0; i < n; i++)
        MPID_SendComplete(&requests[i], &err);
    check();
}
CALL end_receives(int n, incoming *requests)
{
    for (int i = 0; i < n; i++)
        MPID_RecvComplete(&requests[i], NULL, &err);
    check();
}
#define RUN(argc, argv, body) adi_main(argc, argv, 2, body)

#else
#include <mpi.h>
#define CALL static inline __attribute__((unused)) void
typedef MPI_Request outgoing, incoming;
static int self, ranks;

CALL begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}
CALL finish(void) { MPI_Finalize(); }
CALL send(const void *data, long bytes, int to) { MPI_Send(data, (int)bytes, MPI_BYTE, to, 1, MPI_COMM_WORLD); }
CALL receive(void *data, long bytes, int from) { MPI_Recv(data, (int)bytes, MPI_BYTE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
CALL start_send(const void *data, long bytes, int to, outgoing *request) { MPI_Isend(data, (int)bytes, MPI_BYTE, to, 1, MPI_COMM_WORLD, request); }
CALL start_receive(void *data, long bytes, int from, incoming *request) { MPI_Irecv(data, (int)bytes, MPI_BYTE, from, 1, MPI_COMM_WORLD, request); }
CALL end_sends(int n, outgoing *requests) { MPI_Waitall(n, requests, MPI_STATUSES_IGNORE); }
CALL end_receives(int n, incoming *requests) { MPI_Waitall(n, requests, MPI_STATUSES_IGNORE); }
CALL barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
CALL broadcast(void *data, long bytes, int root) { MPI_Bcast(data, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD); }
CALL reduce(const void *data, void *result, long bytes, int root) { MPI_Reduce(data, result, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD); }
CALL allreduce(const void *data, void *result, long bytes) { MPI_Allreduce(data, result, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
CALL exchange_all(const void *data, void *result, long bytes) { MPI_Alltoall(data, (int)bytes, MPI_BYTE, result, (int)bytes, MPI_BYTE, MPI_COMM_WORLD); }
#define RUN(argc, argv, body) body(argc, argv)
#endif

#endif
