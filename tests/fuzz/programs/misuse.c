/*
 * misuse: MPI calls with wrong arguments, each of them once, on one rank, and the error class that each returns.
 *
 *   misuse FIRST
 *
 * A line has a call's number, its text, and its result. A call may end the process, natively too; then the line is
 * incomplete, and `misuse NUMBER+1` continues. Errors are returned.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "misuse.h"

static int data[64], more[64];
static int zero[4], one[4] = {1, 1, 1, 1}, minus[4] = {-1, -1, -1, -1};
static MPI_Aint aints[4];
static MPI_Datatype ints[4], nulls[4];
static MPI_Comm comm = MPI_COMM_NULL;
static MPI_Request request = MPI_REQUEST_NULL;
static MPI_Status status;
static int a, b, c, d;
static MPI_Aint x, y;
static MPI_Datatype raw, made;
static MPI_Win win;
static MPI_File file = MPI_FILE_NULL;
static MPI_Group group, all;
static MPI_Info info;
static MPI_Op op;
static MPI_Errhandler handler;
static char text[8192];

static void done(void)
{
    if (request != MPI_REQUEST_NULL) {
        MPI_Cancel(&request);
        MPI_Request_free(&request);
    }
    request = MPI_REQUEST_NULL;
}

#define SEND(Name, last) \
    TRY(Name(data, 1, MPI_INT, 0, 0, MPI_COMM_NULL last)); \
    TRY(Name(data, -1, MPI_INT, 0, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, raw, 0, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, 1, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, -77, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, MPI_ROOT, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, MPI_UNDEFINED, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, 0, -55, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, MPI_PROC_NULL, -55, MPI_COMM_SELF last)); \
    TRY(Name(NULL, 1, MPI_INT, 0, 0, MPI_COMM_SELF last)); \
    NONE(Name(data, 1, OF_BITS(MPI_Datatype, (MPI_Comm){MPI_COMM_WORLD}), 0, 0, MPI_COMM_SELF last)); \
    NONE(Name(data, 1, MPI_INT, 0, 0, OF_BITS(MPI_Comm, (MPI_Datatype){MPI_INT}) last))
#define RECV(Name, last) \
    TRY(Name(data, 1, MPI_INT, 0, 0, MPI_COMM_NULL last)); \
    TRY(Name(data, -1, MPI_INT, 0, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, raw, 0, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, 1, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, -77, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, MPI_ROOT, 0, MPI_COMM_SELF last)); \
    TRY(Name(data, 1, MPI_INT, 0, -55, MPI_COMM_SELF last)); \
    NONE(Name(data, 1, MPI_INT, 0, 0, OF_BITS(MPI_Comm, (MPI_Datatype){MPI_INT}) last))

#define NOTHING
static void messages(void)
{
#define C ,
    SEND(MPI_Send, NOTHING);
    SEND(MPI_Ssend, NOTHING);
    SEND(MPI_Rsend, NOTHING);
    SEND(MPI_Bsend, NOTHING);
    SEND(MPI_Isend, C &request); done();
    SEND(MPI_Issend, C &request); done();
    SEND(MPI_Irsend, C &request); done();
    SEND(MPI_Ibsend, C &request); done();
    SEND(MPI_Send_init, C &request); done();
    SEND(MPI_Ssend_init, C &request); done();
    SEND(MPI_Rsend_init, C &request); done();
    SEND(MPI_Bsend_init, C &request); done();
    RECV(MPI_Recv, C &status);
    RECV(MPI_Irecv, C &request); done();
    RECV(MPI_Recv_init, C &request); done();
    TRY(MPI_Isend(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, NULL));
    TRY(MPI_Irecv(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, NULL));
    TRY(MPI_Send_init(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, NULL));
    TRY(MPI_Probe(0, 0, MPI_COMM_NULL, &status));
    TRY(MPI_Probe(1, 0, MPI_COMM_SELF, &status));
    TRY(MPI_Probe(0, -55, MPI_COMM_SELF, &status));
    TRY(MPI_Iprobe(0, 0, MPI_COMM_NULL, &a, &status));
    TRY(MPI_Iprobe(1, 0, MPI_COMM_SELF, &a, &status));
    TRY(MPI_Iprobe(0, -55, MPI_COMM_SELF, &a, &status));
    TRY(MPI_Iprobe(0, 0, MPI_COMM_SELF, NULL, &status));
    MPI_Message message = MPI_MESSAGE_NULL;
    TRY(MPI_Mprobe(0, 0, MPI_COMM_NULL, &message, &status));
    TRY(MPI_Mprobe(1, 0, MPI_COMM_SELF, &message, &status));
    TRY(MPI_Mprobe(0, -55, MPI_COMM_SELF, &message, &status));
    TRY(MPI_Improbe(0, 0, MPI_COMM_NULL, &a, &message, &status));
    TRY(MPI_Improbe(1, 0, MPI_COMM_SELF, &a, &message, &status));
    TRY(MPI_Improbe(0, 0, MPI_COMM_SELF, NULL, &message, &status));
    TRY(MPI_Improbe(0, 0, MPI_COMM_SELF, &a, NULL, &status));
    message = MPI_MESSAGE_NULL;
    TRY(MPI_Mrecv(data, 1, MPI_INT, &message, &status));
    TRY(MPI_Imrecv(data, 1, MPI_INT, &message, &request)); done();
    TRY(MPI_Mrecv(data, 1, MPI_INT, NULL, &status));
    TRY(MPI_Imrecv(data, 1, MPI_INT, NULL, &request)); done();
    message = MPI_MESSAGE_NO_PROC;
    TRY(MPI_Mrecv(data, 1, MPI_DATATYPE_NULL, &message, &status));
    message = MPI_MESSAGE_NO_PROC;
    TRY(MPI_Mrecv(data, -1, MPI_INT, &message, &status));
    TRY(MPI_Sendrecv(data, 1, MPI_INT, 1, 0, more, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &status));
    TRY(MPI_Sendrecv(data, 1, MPI_INT, 0, 0, more, 1, MPI_INT, 1, 0, MPI_COMM_SELF, &status));
    TRY(MPI_Sendrecv(data, 1, MPI_INT, 0, 0, more, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &status));
    TRY(MPI_Sendrecv(data, 1, MPI_DATATYPE_NULL, 0, 0, more, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &status));
    TRY(MPI_Sendrecv(data, 1, MPI_INT, 0, 0, more, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF, &status));
    TRY(MPI_Sendrecv(data, 1, MPI_INT, 0, -9, more, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &status));
    TRY(MPI_Sendrecv(data, -1, MPI_INT, 0, 0, more, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &status));
    TRY(MPI_Sendrecv_replace(data, 1, MPI_INT, 1, 0, 0, 0, MPI_COMM_SELF, &status));
    TRY(MPI_Sendrecv_replace(data, -1, MPI_INT, 0, 0, 0, 0, MPI_COMM_SELF, &status));
    TRY(MPI_Sendrecv_replace(data, 1, MPI_DATATYPE_NULL, 0, 0, 0, 0, MPI_COMM_SELF, &status));
    TRY(MPI_Sendrecv_replace(data, 1, MPI_INT, 0, 0, 0, 0, MPI_COMM_NULL, &status));
    TRY(MPI_Get_count(&status, MPI_DATATYPE_NULL, &a));
    TRY(MPI_Get_count(NULL, MPI_INT, &a));
    TRY(MPI_Get_count(&status, MPI_INT, NULL));
    TRY(MPI_Get_elements(&status, MPI_DATATYPE_NULL, &a));
    TRY(MPI_Get_elements(&status, MPI_INT, NULL));
    TRY(MPI_Get_elements(NULL, MPI_INT, &a));
    TRY(MPI_Test_cancelled(NULL, &a));
    TRY(MPI_Test_cancelled(&status, NULL));
    TRY(MPI_Status_set_elements(&status, MPI_DATATYPE_NULL, 1));
    TRY(MPI_Status_set_elements(NULL, MPI_INT, 1));
    TRY(MPI_Status_set_elements(&status, MPI_INT, -1));
    TRY(MPI_Status_set_cancelled(NULL, 1));
    TRY(MPI_Status_set_cancelled(MPI_STATUS_IGNORE, 1));
    TRY(MPI_Buffer_attach(NULL, 100));
    TRY(MPI_Buffer_attach(text, -1));
    TRY(MPI_Buffer_attach(text, 1));
    TRY(MPI_Buffer_detach(&text, &a));
    TRY(MPI_Buffer_detach(&text, &a));
}

static void requests(void)
{
    MPI_Request none = MPI_REQUEST_NULL, array[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL}, stale, bad;
    MPI_Status statuses[3];
    TRY(MPI_Start(&none));
    TRY(MPI_Start(NULL));
    TRY(MPI_Startall(3, array));
    TRY(MPI_Startall(-1, array));
    TRY(MPI_Startall(0, NULL));
    TRY(MPI_Startall(1, NULL));
    TRY(MPI_Cancel(&none));
    TRY(MPI_Cancel(NULL));
    TRY(MPI_Request_free(&none));
    TRY(MPI_Request_free(NULL));
    TRY(MPI_Wait(NULL, &status));
    TRY(MPI_Test(NULL, &a, &status));
    TRY(MPI_Test(&none, NULL, &status));
    TRY(MPI_Waitall(-1, array, statuses));
    TRY(MPI_Waitall(1, NULL, statuses));
    TRY(MPI_Waitall(2, NULL, statuses));
    TRY(MPI_Waitall(3, NULL, MPI_STATUSES_IGNORE));
    TRY(MPI_Testall(-1, array, &a, statuses));
    TRY(MPI_Testall(1, NULL, &a, statuses));
    TRY(MPI_Testall(3, array, NULL, statuses));
    TRY(MPI_Waitany(-1, array, &a, &status));
    TRY(MPI_Waitany(1, NULL, &a, &status));
    TRY(MPI_Waitany(3, array, NULL, &status));
    TRY(MPI_Testany(-1, array, &a, &b, &status));
    TRY(MPI_Testany(1, NULL, &a, &b, &status));
    TRY(MPI_Testany(3, array, NULL, &b, &status));
    TRY(MPI_Testany(3, array, &a, NULL, &status));
    TRY(MPI_Waitsome(-1, array, &a, &b, statuses));
    TRY(MPI_Waitsome(1, NULL, &a, &b, statuses));
    TRY(MPI_Waitsome(3, array, NULL, &b, statuses));
    TRY(MPI_Waitsome(3, array, &a, NULL, statuses));
    TRY(MPI_Testsome(-1, array, &a, &b, statuses));
    TRY(MPI_Testsome(1, NULL, &a, &b, statuses));
    TRY(MPI_Testsome(3, array, NULL, &b, statuses));
    TRY(MPI_Testsome(3, array, &a, NULL, statuses));
    TRY(MPI_Request_get_status(none, &a, &status));
    TRY(MPI_Request_get_status(none, NULL, &status));
    /* Only persistent requests can be started. */
    MPI_Irecv(data, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    TRY(MPI_Start(&request));
    array[0] = request;
    TRY(MPI_Startall(2, array));
    MPI_Send(more, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Wait(&request, &status);
    MPI_Recv_init(data, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    TRY(MPI_Cancel(&request));
    MPI_Start(&request);
    TRY(MPI_Start(&request));
    MPI_Send(more, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Wait(&request, &status);
    TRY(MPI_Grequest_complete(request));
    MPI_Request_free(&request);
    TRY(MPI_Grequest_complete(MPI_REQUEST_NULL));
    MPI_Recv_init(data, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    stale = request;
    MPI_Request_free(&request);
    bad = stale; /* Open MPI's MPI_Wait would wait forever */
    FREED(MPI_Test(&bad, &a, &status)); bad = stale;
    FREED(MPI_Start(&bad)); bad = stale;
    FREED(MPI_Cancel(&bad)); bad = stale;
    FREED(MPI_Request_free(&bad)); bad = stale;
    array[1] = bad;
    array[0] = array[2] = MPI_REQUEST_NULL;
    FREED(MPI_Waitall(3, array, statuses));
    FREED(MPI_Waitall(3, array, MPI_STATUSES_IGNORE));
    FREED(MPI_Testall(3, array, &a, statuses));
    FREED(MPI_Waitany(3, array, &a, &status));
    FREED(MPI_Testany(3, array, &a, &b, &status));
    FREED(MPI_Waitsome(3, array, &a, data, statuses));
    FREED(MPI_Testsome(3, array, &a, data, statuses));
    FREED(MPI_Request_get_status(bad, &a, &status));
    bad = OF_BITS(MPI_Request, (MPI_Datatype){MPI_INT});
    NONE(MPI_Wait(&bad, &status));
    bad = OF_BITS(MPI_Request, (MPI_Datatype){MPI_INT});
    NONE(MPI_Start(&bad));
    bad = OF_BITS(MPI_Request, (MPI_Comm){MPI_COMM_WORLD});
    NONE(MPI_Request_free(&bad));
    array[1] = bad = OF_BITS(MPI_Request, (MPI_Comm){MPI_COMM_WORLD});
    NONE(MPI_Waitall(3, array, statuses));
}

#define COLL(Pre, last) \
    TRY(MPI_##Pre##barrier(MPI_COMM_NULL last)); \
    NONE(MPI_##Pre##barrier(OF_BITS(MPI_Comm, (MPI_Datatype){MPI_INT}) last)); \
    TRY(MPI_##Pre##bcast(data, 1, MPI_INT, 0, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##bcast(data, 1, MPI_INT, 1, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##bcast(data, 1, MPI_INT, -9, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##bcast(data, 1, MPI_INT, MPI_ROOT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##bcast(data, 1, MPI_INT, MPI_PROC_NULL, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##bcast(data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##bcast(data, -1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##bcast(data, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##bcast(data, 1, raw, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##gather(data, 1, MPI_INT, more, 1, MPI_INT, 0, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##gather(data, 1, MPI_INT, more, 1, MPI_INT, 1, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##gather(data, -1, MPI_INT, more, 1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##gather(data, 1, MPI_INT, more, -1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##gather(data, 1, MPI_DATATYPE_NULL, more, 1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##gather(data, 1, MPI_INT, more, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##gather(data, 1, MPI_INT, data, 1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##gather(data, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##gatherv(data, 1, MPI_INT, more, minus, zero, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##gatherv(data, 1, MPI_INT, more, NULL, zero, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##gatherv(data, 1, MPI_INT, more, one, NULL, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##gatherv(data, 1, MPI_INT, more, one, zero, MPI_DATATYPE_NULL, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scatter(data, 1, MPI_INT, more, 1, MPI_INT, 1, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scatter(data, 1, MPI_INT, more, 1, MPI_INT, 0, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##scatter(data, -1, MPI_INT, more, 1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scatter(data, 1, MPI_INT, more, -1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scatter(data, 1, MPI_DATATYPE_NULL, more, 1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scatter(data, 1, MPI_INT, more, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scatterv(data, minus, zero, MPI_INT, more, 1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scatterv(data, NULL, zero, MPI_INT, more, 1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scatterv(data, one, NULL, MPI_INT, more, 1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scatterv(data, one, zero, MPI_DATATYPE_NULL, more, 1, MPI_INT, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allgather(data, 1, MPI_INT, more, 1, MPI_INT, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##allgather(data, -1, MPI_INT, more, 1, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allgather(data, 1, MPI_DATATYPE_NULL, more, 1, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allgather(data, 1, MPI_INT, more, 1, MPI_DATATYPE_NULL, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allgatherv(data, 1, MPI_INT, more, minus, zero, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allgatherv(data, 1, MPI_INT, more, NULL, zero, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allgatherv(data, 1, MPI_INT, more, one, zero, MPI_DATATYPE_NULL, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoall(data, 1, MPI_INT, more, 1, MPI_INT, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##alltoall(data, -1, MPI_INT, more, 1, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoall(data, 1, MPI_INT, more, -1, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoall(data, 1, MPI_DATATYPE_NULL, more, 1, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoall(data, 1, MPI_INT, more, 1, MPI_DATATYPE_NULL, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoallv(data, one, zero, MPI_INT, more, one, zero, MPI_INT, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##alltoallv(data, minus, zero, MPI_INT, more, one, zero, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoallv(data, NULL, zero, MPI_INT, more, one, zero, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoallv(data, one, zero, MPI_DATATYPE_NULL, more, one, zero, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoallv(data, one, zero, MPI_INT, more, one, zero, MPI_DATATYPE_NULL, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoallw(data, one, zero, ints, more, one, zero, ints, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##alltoallw(data, one, zero, nulls, more, one, zero, ints, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoallw(data, one, zero, ints, more, one, zero, nulls, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoallw(data, one, zero, NULL, more, one, zero, ints, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoallw(data, one, zero, ints, more, one, zero, NULL, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoallw(data, NULL, zero, ints, more, one, zero, ints, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##alltoallw(data, minus, zero, ints, more, one, zero, ints, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce(data, more, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##reduce(data, more, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce(data, more, -1, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce(data, more, 1, MPI_DATATYPE_NULL, MPI_SUM, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce(data, more, 1, MPI_INT, MPI_OP_NULL, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce(data, more, 1, MPI_INT, MPI_REPLACE, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce(data, more, 1, MPI_INT, MPI_NO_OP, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce(data, more, 1, MPI_DOUBLE, MPI_BAND, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce(data, more, 1, made, MPI_SUM, 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce(data, more, 1, MPI_INT, MPI_MAXLOC, 0, MPI_COMM_SELF last)); \
    NONE(MPI_##Pre##reduce(data, more, 1, MPI_INT, OF_BITS(MPI_Op, (MPI_Comm){MPI_COMM_WORLD}), 0, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allreduce(data, more, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##allreduce(data, more, -1, MPI_INT, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allreduce(data, more, 1, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allreduce(data, more, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allreduce(data, more, 1, MPI_CHAR, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allreduce(data, more, 1, MPI_WCHAR, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allreduce(data, more, 1, MPI_INT, MPI_REPLACE, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allreduce(data, more, 1, MPI_INT, MPI_NO_OP, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allreduce(data, data, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##allreduce(data, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce_scatter(data, more, one, MPI_INT, MPI_SUM, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##reduce_scatter(data, more, minus, MPI_INT, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce_scatter(data, more, NULL, MPI_INT, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce_scatter(data, more, one, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce_scatter(data, more, one, MPI_INT, MPI_OP_NULL, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce_scatter_block(data, more, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##reduce_scatter_block(data, more, -1, MPI_INT, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce_scatter_block(data, more, 1, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##reduce_scatter_block(data, more, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scan(data, more, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##scan(data, more, -1, MPI_INT, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scan(data, more, 1, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##scan(data, more, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##exscan(data, more, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##exscan(data, more, -1, MPI_INT, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##exscan(data, more, 1, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##exscan(data, more, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##neighbor_allgather(data, 1, MPI_INT, more, 1, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##neighbor_allgather(data, 1, MPI_INT, more, 1, MPI_INT, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##neighbor_allgather(data, -1, MPI_INT, more, 1, MPI_INT, comm last)); \
    TRY(MPI_##Pre##neighbor_allgather(data, 1, MPI_DATATYPE_NULL, more, 1, MPI_INT, comm last)); \
    TRY(MPI_##Pre##neighbor_allgatherv(data, 1, MPI_INT, more, NULL, zero, MPI_INT, comm last)); \
    TRY(MPI_##Pre##neighbor_alltoall(data, 1, MPI_INT, more, 1, MPI_INT, MPI_COMM_SELF last)); \
    TRY(MPI_##Pre##neighbor_alltoall(data, 1, MPI_INT, more, 1, MPI_DATATYPE_NULL, comm last)); \
    TRY(MPI_##Pre##neighbor_alltoallv(data, NULL, zero, MPI_INT, more, one, zero, MPI_INT, comm last)); \
    TRY(MPI_##Pre##neighbor_alltoallw(data, one, aints, ints, more, one, aints, ints, MPI_COMM_NULL last)); \
    TRY(MPI_##Pre##neighbor_alltoallw(data, one, aints, nulls, more, one, aints, ints, comm last)); \
    TRY(MPI_##Pre##neighbor_alltoallw(data, one, aints, NULL, more, one, aints, ints, comm last)); \
    TRY(MPI_##Pre##neighbor_alltoallw(data, one, aints, ints, more, one, aints, NULL, comm last)); \
    TRY(MPI_##Pre##neighbor_alltoallw(data, minus, aints, ints, more, one, aints, ints, comm last))

#define MPI_barrier MPI_Barrier
#define MPI_bcast MPI_Bcast
#define MPI_gather MPI_Gather
#define MPI_gatherv MPI_Gatherv
#define MPI_scatter MPI_Scatter
#define MPI_scatterv MPI_Scatterv
#define MPI_allgather MPI_Allgather
#define MPI_allgatherv MPI_Allgatherv
#define MPI_alltoall MPI_Alltoall
#define MPI_alltoallv MPI_Alltoallv
#define MPI_alltoallw MPI_Alltoallw
#define MPI_reduce MPI_Reduce
#define MPI_allreduce MPI_Allreduce
#define MPI_reduce_scatter MPI_Reduce_scatter
#define MPI_reduce_scatter_block MPI_Reduce_scatter_block
#define MPI_scan MPI_Scan
#define MPI_exscan MPI_Exscan
#define MPI_neighbor_allgather MPI_Neighbor_allgather
#define MPI_neighbor_allgatherv MPI_Neighbor_allgatherv
#define MPI_neighbor_alltoall MPI_Neighbor_alltoall
#define MPI_neighbor_alltoallv MPI_Neighbor_alltoallv
#define MPI_neighbor_alltoallw MPI_Neighbor_alltoallw

static void user(void *in, void *inout, int *n, MPI_Datatype *type) { (void)in, (void)inout, (void)n, (void)type; }

static void collectives(void)
{
    COLL(, NOTHING);
    COLL(I, C &request);
    TRY(MPI_Ibarrier(MPI_COMM_SELF, NULL));
    TRY(MPI_Iallreduce(data, more, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, NULL));
    TRY(MPI_Ialltoallw(data, one, zero, ints, more, one, zero, ints, MPI_COMM_SELF, NULL));
    TRY(MPI_Reduce_local(data, more, -1, MPI_INT, MPI_SUM));
    TRY(MPI_Reduce_local(data, more, 1, MPI_DATATYPE_NULL, MPI_SUM));
    TRY(MPI_Reduce_local(data, more, 1, MPI_INT, MPI_OP_NULL));
    TRY(MPI_Reduce_local(data, data, 1, MPI_INT, MPI_SUM));
    TRY(MPI_Reduce_local(data, more, 1, MPI_INT, MPI_REPLACE));
    TRY(MPI_Reduce_local(data, more, 1, MPI_INT, MPI_NO_OP));
    TRY(MPI_Reduce_local(data, more, 1, MPI_DOUBLE, MPI_BXOR));
    TRY(MPI_Reduce_local(data, more, 1, MPI_INT, MPI_MINLOC));
    TRY(MPI_Op_create(NULL, 1, &op));
    TRY(MPI_Op_create(user, 1, NULL));
    op = MPI_SUM;
    TRY(MPI_Op_free(&op));
    op = MPI_REPLACE;
    TRY(MPI_Op_free(&op));
    op = MPI_OP_NULL;
    TRY(MPI_Op_free(&op));
    TRY(MPI_Op_free(NULL));
    TRY(MPI_Op_commutative(MPI_OP_NULL, &a));
    TRY(MPI_Op_commutative(MPI_SUM, NULL));
    MPI_Op_create(user, 1, &op);
    MPI_Op stale = op;
    MPI_Op_free(&op);
    op = stale;
    FREED(MPI_Op_free(&op));
    FREED(MPI_Allreduce(data, more, 1, MPI_INT, stale, MPI_COMM_SELF));
    FREED(MPI_Op_commutative(stale, &a));
}

static void types(void)
{
    MPI_Datatype t = MPI_DATATYPE_NULL, three[3] = {MPI_INT, MPI_DATATYPE_NULL, MPI_INT};
    int one_three[3] = {1, 1, 1}, e;
    TRY(MPI_Type_contiguous(-1, MPI_INT, &t));
    TRY(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &t));
    TRY(MPI_Type_contiguous(1, MPI_INT, NULL));
    TRY(MPI_Type_vector(-1, 1, 1, MPI_INT, &t));
    TRY(MPI_Type_vector(1, -1, 1, MPI_INT, &t));
    TRY(MPI_Type_vector(1, 1, 1, MPI_DATATYPE_NULL, &t));
    TRY(MPI_Type_vector(1, 1, 1, MPI_INT, NULL));
    TRY(MPI_Type_create_hvector(-1, 1, 1, MPI_INT, &t));
    TRY(MPI_Type_create_hvector(1, -1, 1, MPI_INT, &t));
    TRY(MPI_Type_create_hvector(1, 1, 1, MPI_DATATYPE_NULL, &t));
    TRY(MPI_Type_indexed(-1, one, zero, MPI_INT, &t));
    TRY(MPI_Type_indexed(1, minus, zero, MPI_INT, &t));
    TRY(MPI_Type_indexed(1, NULL, zero, MPI_INT, &t));
    TRY(MPI_Type_indexed(1, one, NULL, MPI_INT, &t));
    TRY(MPI_Type_indexed(1, one, zero, MPI_DATATYPE_NULL, &t));
    TRY(MPI_Type_create_hindexed(-1, one, aints, MPI_INT, &t));
    TRY(MPI_Type_create_hindexed(1, minus, aints, MPI_INT, &t));
    TRY(MPI_Type_create_hindexed(1, NULL, aints, MPI_INT, &t));
    TRY(MPI_Type_create_hindexed(1, one, NULL, MPI_INT, &t));
    TRY(MPI_Type_create_hindexed(1, one, aints, MPI_DATATYPE_NULL, &t));
    TRY(MPI_Type_create_indexed_block(-1, 1, zero, MPI_INT, &t));
    TRY(MPI_Type_create_indexed_block(1, -1, zero, MPI_INT, &t));
    TRY(MPI_Type_create_indexed_block(1, 1, NULL, MPI_INT, &t));
    TRY(MPI_Type_create_indexed_block(1, 1, zero, MPI_DATATYPE_NULL, &t));
    TRY(MPI_Type_create_hindexed_block(-1, 1, aints, MPI_INT, &t));
    TRY(MPI_Type_create_hindexed_block(1, -1, aints, MPI_INT, &t));
    TRY(MPI_Type_create_hindexed_block(1, 1, NULL, MPI_INT, &t));
    TRY(MPI_Type_create_hindexed_block(1, 1, aints, MPI_DATATYPE_NULL, &t));
    TRY(MPI_Type_create_struct(-1, one, aints, ints, &t));
    TRY(MPI_Type_create_struct(1, minus, aints, ints, &t));
    TRY(MPI_Type_create_struct(1, NULL, aints, ints, &t));
    TRY(MPI_Type_create_struct(1, one, NULL, ints, &t));
    TRY(MPI_Type_create_struct(1, one, aints, NULL, &t));
    TRY(MPI_Type_create_struct(0, NULL, NULL, NULL, &t));
    TRY(MPI_Type_create_struct(3, one_three, aints, three, &t));
    TRY(MPI_Type_create_resized(MPI_DATATYPE_NULL, 0, 4, &t));
    TRY(MPI_Type_create_resized(MPI_INT, 0, 4, NULL));
    TRY(MPI_Type_dup(MPI_DATATYPE_NULL, &t));
    TRY(MPI_Type_dup(MPI_INT, NULL));
    int sizes[2] = {4, 4}, subsizes[2] = {2, 2}, starts[2] = {1, 1}, big[2] = {9, 9};
    TRY(MPI_Type_create_subarray(0, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_subarray(-1, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_subarray(2, NULL, subsizes, starts, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_subarray(2, sizes, NULL, starts, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_subarray(2, sizes, subsizes, NULL, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_subarray(2, sizes, big, starts, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_subarray(2, sizes, subsizes, big, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_subarray(2, sizes, subsizes, minus, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_subarray(2, sizes, zero, starts, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_subarray(2, sizes, subsizes, starts, 12345, MPI_INT, &t));
    TRY(MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_DATATYPE_NULL, &t));
    int distribs[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK}, dargs[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, psizes[2] = {1, 1};
    int odd[2] = {12345, 12345};
    TRY(MPI_Type_create_darray(1, 0, 2, sizes, distribs, dargs, psizes, MPI_ORDER_C, MPI_DATATYPE_NULL, &t));
    TRY(MPI_Type_create_darray(0, 0, 2, sizes, distribs, dargs, psizes, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_darray(1, 5, 2, sizes, distribs, dargs, psizes, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_darray(1, -1, 2, sizes, distribs, dargs, psizes, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_darray(1, 0, -1, sizes, distribs, dargs, psizes, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_darray(1, 0, 0, sizes, distribs, dargs, psizes, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_darray(1, 0, 2, NULL, distribs, dargs, psizes, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_darray(1, 0, 2, sizes, NULL, dargs, psizes, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_darray(1, 0, 2, sizes, distribs, NULL, psizes, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_darray(1, 0, 2, sizes, distribs, dargs, NULL, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_darray(1, 0, 2, sizes, odd, dargs, psizes, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_darray(1, 0, 2, sizes, distribs, dargs, big, MPI_ORDER_C, MPI_INT, &t));
    TRY(MPI_Type_create_darray(1, 0, 2, sizes, distribs, dargs, psizes, 12345, MPI_INT, &t));
    t = MPI_INT;
    TRY(MPI_Type_free(&t));
    t = MPI_DATATYPE_NULL;
    TRY(MPI_Type_free(&t));
    TRY(MPI_Type_free(NULL));
    t = MPI_DATATYPE_NULL;
    TRY(MPI_Type_commit(&t));
    t = MPI_INT;
    TRY(MPI_Type_commit(&t));
    TRY(MPI_Type_commit(NULL));
    TRY(MPI_Type_size(MPI_DATATYPE_NULL, &a));
    TRY(MPI_Type_size(MPI_INT, NULL));
    MPI_Count count, count2;
    TRY(MPI_Type_size_x(MPI_DATATYPE_NULL, &count));
    TRY(MPI_Type_size_x(MPI_INT, NULL));
    TRY(MPI_Type_get_extent(MPI_DATATYPE_NULL, &x, &y));
    TRY(MPI_Type_get_extent(MPI_INT, NULL, &y));
    TRY(MPI_Type_get_extent(MPI_INT, &x, NULL));
    TRY(MPI_Type_get_extent_x(MPI_DATATYPE_NULL, &count, &count2));
    TRY(MPI_Type_get_true_extent(MPI_DATATYPE_NULL, &x, &y));
    TRY(MPI_Type_get_true_extent_x(MPI_DATATYPE_NULL, &count, &count2));
    TRY(MPI_Type_get_envelope(MPI_DATATYPE_NULL, &a, &b, &c, &d));
    TRY(MPI_Type_get_envelope(MPI_INT, NULL, &b, &c, &d));
    TRY(MPI_Type_get_contents(MPI_DATATYPE_NULL, 4, 4, 4, data, aints, three));
    TRY(MPI_Type_get_contents(MPI_INT, 0, 0, 0, NULL, NULL, NULL));
    TRY(MPI_Type_get_contents(MPI_INT, 4, 4, 4, data, aints, three));
    TRY(MPI_Type_get_contents(made, 0, 0, 0, data, aints, three));
    TRY(MPI_Type_get_contents(made, 1, 0, 1, NULL, NULL, three));
    TRY(MPI_Type_get_contents(made, 1, 0, 1, data, NULL, NULL));
    TRY(MPI_Type_get_contents(made, 1, 0, 0, data, NULL, three));
    TRY(MPI_Type_get_contents(made, -1, -1, -1, data, aints, three));
    TRY(MPI_Type_set_name(MPI_DATATYPE_NULL, "name"));
    TRY(MPI_Type_set_name(made, NULL));
    TRY(MPI_Type_get_name(made, NULL, &a));
    TRY(MPI_Type_get_name(made, text, NULL));
    TRY(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &t));
    TRY(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 16, &t));
    TRY(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 4, &t));
    TRY(MPI_Type_match_size(12345, 4, &t));
    TRY(MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, NULL));
    TRY(MPI_Type_create_f90_integer(100, &t));
    TRY(MPI_Type_create_f90_integer(-1, &t));
    TRY(MPI_Type_create_f90_real(100, 10, &t));
    TRY(MPI_Type_create_f90_real(10, 100000, &t));
    TRY(MPI_Type_create_f90_complex(100, 10, &t));
    TRY(MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &t));
    TRY(MPI_Get_address(data, NULL));
    TRY(MPI_Get_address(NULL, &x));
    TRY(MPI_Pack(data, -1, MPI_INT, text, 100, &a, MPI_COMM_SELF));
    a = 0;
    TRY(MPI_Pack(data, 1, MPI_DATATYPE_NULL, text, 100, &a, MPI_COMM_SELF));
    TRY(MPI_Pack(data, 1, MPI_INT, text, 100, &a, MPI_COMM_NULL));
    TRY(MPI_Pack(data, 1, MPI_INT, NULL, 100, &a, MPI_COMM_SELF));
    TRY(MPI_Pack(data, 1, MPI_INT, text, -1, &a, MPI_COMM_SELF));
    TRY(MPI_Pack(data, 1, MPI_INT, text, 1, &a, MPI_COMM_SELF));
    TRY(MPI_Pack(data, 1, MPI_INT, text, 100, NULL, MPI_COMM_SELF));
    a = 0;
    TRY(MPI_Unpack(text, 100, &a, data, -1, MPI_INT, MPI_COMM_SELF));
    TRY(MPI_Unpack(text, 100, &a, data, 1, MPI_DATATYPE_NULL, MPI_COMM_SELF));
    TRY(MPI_Unpack(text, 100, &a, data, 1, MPI_INT, MPI_COMM_NULL));
    TRY(MPI_Unpack(text, 1, &a, data, 1, MPI_INT, MPI_COMM_SELF));
    TRY(MPI_Unpack(text, 100, NULL, data, 1, MPI_INT, MPI_COMM_SELF));
    TRY(MPI_Pack_size(-1, MPI_INT, MPI_COMM_SELF, &a));
    TRY(MPI_Pack_size(1, MPI_DATATYPE_NULL, MPI_COMM_SELF, &a));
    TRY(MPI_Pack_size(1, MPI_INT, MPI_COMM_NULL, &a));
    TRY(MPI_Pack_size(1, MPI_INT, MPI_COMM_SELF, NULL));
    x = 0;
    TRY(MPI_Pack_external("external32", data, -1, MPI_INT, text, 100, &x));
    TRY(MPI_Pack_external("external32", data, 1, MPI_DATATYPE_NULL, text, 100, &x));
    TRY(MPI_Pack_external("no such", data, 1, MPI_INT, text, 100, &x));
    TRY(MPI_Pack_external_size("external32", 1, MPI_DATATYPE_NULL, &x));
    TRY(MPI_Pack_external_size("external32", -1, MPI_INT, &x));
    TRY(MPI_Pack_external_size("no such", 1, MPI_INT, &x));
    x = 0;
    TRY(MPI_Unpack_external("external32", text, 100, &x, data, 1, MPI_DATATYPE_NULL));
    TRY(MPI_Unpack_external("external32", text, 100, &x, data, -1, MPI_INT));
    MPI_Type_contiguous(2, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Datatype stale = t, s;
    MPI_Type_free(&t);
    s = stale;
    FREED(MPI_Type_free(&s)); s = stale;
    FREED(MPI_Type_commit(&s));
    FREED(MPI_Type_size(stale, &a));
    FREED(MPI_Send(data, 1, stale, MPI_PROC_NULL, 0, MPI_COMM_SELF));
    FREED(MPI_Type_contiguous(2, stale, &t));
    FREED(MPI_Type_get_extent(stale, &x, &y));
    FREED(MPI_Type_dup(stale, &t));
    FREED(MPI_Type_get_envelope(stale, &a, &b, &c, &e));
    NONE(MPI_Type_size(OF_BITS(MPI_Datatype, (MPI_Op){MPI_SUM}), &a));
    NONE(MPI_Type_dup(OF_BITS(MPI_Datatype, (MPI_Comm){MPI_COMM_SELF}), &t));
}

static int copy_type(MPI_Datatype o, int k, void *e, void *i, void *v, int *f) { (void)o, (void)k, (void)e, (void)i, (void)v; *f = 0; return 0; }
static int copy_comm(MPI_Comm o, int k, void *e, void *i, void *v, int *f) { (void)o, (void)k, (void)e, (void)i, (void)v; *f = 0; return 0; }
static void on_comm(MPI_Comm *o, int *code, ...) { (void)o, (void)code; }
static void on_win(MPI_Win *o, int *code, ...) { (void)o, (void)code; }

static void communicators(void)
{
    MPI_Comm t = MPI_COMM_NULL;
    int dims[2] = {1, 1}, periods[2] = {0, 0}, big[2] = {9, 9}, coords[2] = {0, 0}, key, range[1][3] = {{0, 5, 1}}, step[1][3] = {{0, 0, 0}};
    void *value;
    TRY(MPI_Comm_size(MPI_COMM_NULL, &a));
    TRY(MPI_Comm_size(MPI_COMM_SELF, NULL));
    TRY(MPI_Comm_rank(MPI_COMM_NULL, &a));
    TRY(MPI_Comm_rank(MPI_COMM_SELF, NULL));
    TRY(MPI_Comm_compare(MPI_COMM_NULL, MPI_COMM_SELF, &a));
    TRY(MPI_Comm_compare(MPI_COMM_SELF, MPI_COMM_NULL, &a));
    TRY(MPI_Comm_compare(MPI_COMM_SELF, MPI_COMM_SELF, NULL));
    TRY(MPI_Comm_dup(MPI_COMM_NULL, &t));
    TRY(MPI_Comm_dup(MPI_COMM_SELF, NULL));
    TRY(MPI_Comm_dup_with_info(MPI_COMM_NULL, MPI_INFO_NULL, &t));
    TRY(MPI_Comm_idup(MPI_COMM_NULL, &t, &request));
    TRY(MPI_Comm_idup(MPI_COMM_SELF, NULL, &request));
    TRY(MPI_Comm_idup(MPI_COMM_SELF, &t, NULL));
    TRY(MPI_Comm_create(MPI_COMM_NULL, all, &t));
    TRY(MPI_Comm_create(MPI_COMM_SELF, MPI_GROUP_NULL, &t));
    TRY(MPI_Comm_create(MPI_COMM_SELF, all, NULL));
    TRY(MPI_Comm_create_group(MPI_COMM_NULL, all, 0, &t));
    TRY(MPI_Comm_create_group(MPI_COMM_SELF, MPI_GROUP_NULL, 0, &t));
    TRY(MPI_Comm_create_group(MPI_COMM_SELF, all, -55, &t));
    TRY(MPI_Comm_split(MPI_COMM_NULL, 0, 0, &t));
    TRY(MPI_Comm_split(MPI_COMM_SELF, -5, 0, &t));
    TRY(MPI_Comm_split(MPI_COMM_SELF, 0, 0, NULL));
    TRY(MPI_Comm_split_type(MPI_COMM_NULL, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &t));
    TRY(MPI_Comm_split_type(MPI_COMM_SELF, 12345, 0, MPI_INFO_NULL, &t));
    TRY(MPI_Comm_split_type(MPI_COMM_SELF, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, NULL));
    t = MPI_COMM_NULL;
    TRY(MPI_Comm_free(&t));
    TRY(MPI_Comm_free(NULL));
    t = MPI_COMM_WORLD;
    TRY(MPI_Comm_free(&t));
    t = MPI_COMM_SELF;
    TRY(MPI_Comm_free(&t));
    t = MPI_COMM_NULL;
    TRY(MPI_Comm_disconnect(&t));
    t = MPI_COMM_SELF;
    TRY(MPI_Comm_disconnect(&t));
    TRY(MPI_Comm_test_inter(MPI_COMM_NULL, &a));
    TRY(MPI_Comm_test_inter(MPI_COMM_SELF, NULL));
    TRY(MPI_Comm_remote_size(MPI_COMM_SELF, &a));
    TRY(MPI_Comm_remote_size(MPI_COMM_NULL, &a));
    TRY(MPI_Comm_remote_group(MPI_COMM_SELF, &group));
    TRY(MPI_Comm_remote_group(MPI_COMM_NULL, &group));
    TRY(MPI_Comm_group(MPI_COMM_NULL, &group));
    TRY(MPI_Comm_group(MPI_COMM_SELF, NULL));
    TRY(MPI_Intercomm_create(MPI_COMM_NULL, 0, MPI_COMM_WORLD, 0, 0, &t));
    TRY(MPI_Intercomm_create(MPI_COMM_SELF, 5, MPI_COMM_WORLD, 0, 0, &t));
    TRY(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_NULL, 0, 0, &t));
    TRY(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 5, 0, &t));
    TRY(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 0, -55, &t));
    TRY(MPI_Intercomm_merge(MPI_COMM_NULL, 0, &t));
    TRY(MPI_Intercomm_merge(MPI_COMM_SELF, 0, &t));
    TRY(MPI_Comm_set_name(MPI_COMM_NULL, "name"));
    TRY(MPI_Comm_set_name(comm, NULL));
    TRY(MPI_Comm_get_name(comm, NULL, &a));
    TRY(MPI_Comm_get_name(comm, text, NULL));
    TRY(MPI_Comm_set_info(MPI_COMM_NULL, MPI_INFO_NULL));
    TRY(MPI_Comm_set_info(MPI_COMM_SELF, MPI_INFO_NULL));
    TRY(MPI_Comm_get_info(MPI_COMM_NULL, &info));
    TRY(MPI_Comm_get_info(MPI_COMM_SELF, NULL));
    TRY(MPI_Cart_create(MPI_COMM_NULL, 2, dims, periods, 0, &t));
    TRY(MPI_Cart_create(MPI_COMM_SELF, -1, dims, periods, 0, &t));
    TRY(MPI_Cart_create(MPI_COMM_SELF, 2, NULL, periods, 0, &t));
    TRY(MPI_Cart_create(MPI_COMM_SELF, 2, dims, NULL, 0, &t));
    TRY(MPI_Cart_create(MPI_COMM_SELF, 2, big, periods, 0, &t));
    TRY(MPI_Cart_create(MPI_COMM_SELF, 2, minus, periods, 0, &t));
    TRY(MPI_Cart_create(MPI_COMM_SELF, 2, dims, periods, 0, NULL));
    TRY(MPI_Cart_coords(MPI_COMM_SELF, 0, 2, coords));
    TRY(MPI_Cart_coords(comm, 5, 1, coords));
    TRY(MPI_Cart_coords(comm, 0, 0, coords));
    TRY(MPI_Cart_coords(comm, 0, -1, coords));
    TRY(MPI_Cart_coords(comm, 0, 1, NULL));
    TRY(MPI_Cart_coords(MPI_COMM_NULL, 0, 1, coords));
    TRY(MPI_Cart_rank(MPI_COMM_SELF, coords, &a));
    TRY(MPI_Cart_rank(comm, NULL, &a));
    TRY(MPI_Cart_rank(comm, coords, NULL));
    TRY(MPI_Cart_rank(MPI_COMM_NULL, coords, &a));
    TRY(MPI_Cart_get(MPI_COMM_SELF, 2, dims, periods, coords));
    TRY(MPI_Cart_get(comm, 0, dims, periods, coords));
    TRY(MPI_Cart_get(comm, 1, NULL, periods, coords));
    TRY(MPI_Cartdim_get(MPI_COMM_SELF, &a));
    TRY(MPI_Cartdim_get(MPI_COMM_NULL, &a));
    TRY(MPI_Cart_shift(MPI_COMM_SELF, 0, 1, &a, &b));
    TRY(MPI_Cart_shift(comm, 9, 1, &a, &b));
    TRY(MPI_Cart_shift(comm, -1, 1, &a, &b));
    TRY(MPI_Cart_shift(comm, 0, 1, NULL, &b));
    TRY(MPI_Cart_sub(MPI_COMM_SELF, one, &t));
    TRY(MPI_Cart_sub(comm, NULL, &t));
    TRY(MPI_Cart_map(MPI_COMM_NULL, 1, dims, periods, &a));
    TRY(MPI_Cart_map(MPI_COMM_SELF, 2, big, periods, &a));
    TRY(MPI_Dims_create(-1, 2, dims));
    TRY(MPI_Dims_create(4, -1, dims));
    TRY(MPI_Dims_create(4, 2, NULL));
    dims[0] = 3, dims[1] = 0;
    TRY(MPI_Dims_create(4, 2, dims));
    dims[0] = -3, dims[1] = 0;
    TRY(MPI_Dims_create(4, 2, dims));
    dims[0] = dims[1] = 1;
    TRY(MPI_Graph_create(MPI_COMM_NULL, 1, one, zero, 0, &t));
    TRY(MPI_Graph_create(MPI_COMM_SELF, -1, one, zero, 0, &t));
    TRY(MPI_Graph_create(MPI_COMM_SELF, 2, one, zero, 0, &t));
    TRY(MPI_Graph_create(MPI_COMM_SELF, 1, NULL, zero, 0, &t));
    TRY(MPI_Graph_create(MPI_COMM_SELF, 1, one, big, 0, &t));
    TRY(MPI_Graph_create(MPI_COMM_SELF, 1, minus, zero, 0, &t));
    TRY(MPI_Graphdims_get(MPI_COMM_SELF, &a, &b));
    TRY(MPI_Graph_get(MPI_COMM_SELF, 1, 1, data, more));
    TRY(MPI_Graph_neighbors_count(MPI_COMM_SELF, 0, &a));
    TRY(MPI_Graph_neighbors(MPI_COMM_SELF, 0, 1, data));
    TRY(MPI_Graph_neighbors_count(comm, 0, &a));
    TRY(MPI_Graph_map(MPI_COMM_NULL, 1, one, zero, &a));
    TRY(MPI_Dist_graph_create(MPI_COMM_NULL, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &t));
    TRY(MPI_Dist_graph_create(MPI_COMM_SELF, -1, zero, one, zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &t));
    TRY(MPI_Dist_graph_create(MPI_COMM_SELF, 1, big, one, zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &t));
    TRY(MPI_Dist_graph_create(MPI_COMM_SELF, 1, zero, one, big, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &t));
    TRY(MPI_Dist_graph_create(MPI_COMM_SELF, 1, zero, one, zero, NULL, MPI_INFO_NULL, 0, &t));
    TRY(MPI_Dist_graph_create_adjacent(MPI_COMM_NULL, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &t));
    TRY(MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, -1, zero, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &t));
    TRY(MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, big, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &t));
    TRY(MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, zero, MPI_UNWEIGHTED, 1, zero, one, MPI_INFO_NULL, 0, &t));
    TRY(MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, zero, NULL, 1, zero, NULL, MPI_INFO_NULL, 0, &t));
    TRY(MPI_Dist_graph_neighbors_count(MPI_COMM_SELF, &a, &b, &c));
    TRY(MPI_Dist_graph_neighbors(MPI_COMM_SELF, 1, data, more, 1, data, more));
    TRY(MPI_Topo_test(MPI_COMM_NULL, &a));
    TRY(MPI_Topo_test(MPI_COMM_SELF, NULL));
    TRY(MPI_Group_size(MPI_GROUP_NULL, &a));
    TRY(MPI_Group_size(all, NULL));
    TRY(MPI_Group_rank(MPI_GROUP_NULL, &a));
    TRY(MPI_Group_rank(all, NULL));
    TRY(MPI_Group_compare(MPI_GROUP_NULL, all, &a));
    TRY(MPI_Group_compare(all, MPI_GROUP_NULL, &a));
    TRY(MPI_Group_translate_ranks(MPI_GROUP_NULL, 1, zero, all, data));
    TRY(MPI_Group_translate_ranks(all, -1, zero, all, data));
    /* A rank that the group lacks: Open MPI 4.1 reads after its table, which may crash. */
    TRY(MPI_Group_translate_ranks(all, 1, NULL, all, data));
    TRY(MPI_Group_translate_ranks(all, 1, zero, all, NULL));
    TRY(MPI_Group_translate_ranks(all, 1, zero, MPI_GROUP_NULL, data));
    TRY(MPI_Group_union(MPI_GROUP_NULL, all, &group));
    TRY(MPI_Group_union(all, MPI_GROUP_NULL, &group));
    TRY(MPI_Group_union(all, all, NULL));
    TRY(MPI_Group_intersection(MPI_GROUP_NULL, all, &group));
    TRY(MPI_Group_difference(MPI_GROUP_NULL, all, &group));
    TRY(MPI_Group_incl(MPI_GROUP_NULL, 1, zero, &group));
    TRY(MPI_Group_incl(all, 1, big, &group));
    TRY(MPI_Group_incl(all, -1, zero, &group));
    TRY(MPI_Group_incl(all, 5, zero, &group));
    TRY(MPI_Group_incl(all, 1, NULL, &group));
    TRY(MPI_Group_incl(all, 1, zero, NULL));
    TRY(MPI_Group_excl(MPI_GROUP_NULL, 1, zero, &group));
    TRY(MPI_Group_excl(all, 1, big, &group));
    TRY(MPI_Group_excl(all, 1, NULL, &group));
    TRY(MPI_Group_range_incl(all, 1, range, &group));
    TRY(MPI_Group_range_incl(all, 1, step, &group));
    TRY(MPI_Group_range_incl(all, -1, step, &group));
    TRY(MPI_Group_range_incl(all, 1, NULL, &group));
    TRY(MPI_Group_range_incl(MPI_GROUP_NULL, 1, step, &group));
    TRY(MPI_Group_range_excl(all, 1, range, &group));
    TRY(MPI_Group_range_excl(all, 1, step, &group));
    group = MPI_GROUP_NULL;
    TRY(MPI_Group_free(&group));
    TRY(MPI_Group_free(NULL));
    NONE(MPI_Group_size(OF_BITS(MPI_Group, (MPI_Comm){MPI_COMM_WORLD}), &a));
    /* Attributes. */
    TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, NULL, NULL));
    key = MPI_KEYVAL_INVALID;
    TRY(MPI_Comm_free_keyval(&key));
    TRY(MPI_Comm_free_keyval(NULL));
    key = 0x7654321;
    TRY(MPI_Comm_free_keyval(&key));
    key = MPI_TAG_UB;
    TRY(MPI_Comm_free_keyval(&key));
    TRY(MPI_Comm_set_attr(MPI_COMM_SELF, MPI_TAG_UB, NULL));
    TRY(MPI_Comm_set_attr(MPI_COMM_SELF, MPI_KEYVAL_INVALID, NULL));
    TRY(MPI_Comm_set_attr(MPI_COMM_SELF, 0x7654321, NULL));
    TRY(MPI_Comm_delete_attr(MPI_COMM_SELF, MPI_TAG_UB));
    TRY(MPI_Comm_delete_attr(MPI_COMM_SELF, MPI_KEYVAL_INVALID));
    TRY(MPI_Comm_delete_attr(MPI_COMM_SELF, 0x7654321));
    TRY(MPI_Comm_get_attr(MPI_COMM_SELF, MPI_KEYVAL_INVALID, &value, &a));
    TRY(MPI_Comm_get_attr(MPI_COMM_SELF, 0x7654321, &value, &a));
    TRY(MPI_Comm_get_attr(MPI_COMM_NULL, MPI_TAG_UB, &value, &a));
    TRY(MPI_Comm_get_attr(MPI_COMM_SELF, MPI_TAG_UB, NULL, &a));
    TRY(MPI_Comm_get_attr(MPI_COMM_SELF, MPI_TAG_UB, &value, NULL));
    TRY(MPI_Comm_get_attr(MPI_COMM_SELF, MPI_WIN_BASE, &value, &a));
    MPI_Type_create_keyval(copy_type, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    int type_key = key;
    TRY(MPI_Comm_set_attr(comm, type_key, &a));
    TRY(MPI_Comm_get_attr(comm, type_key, &value, &a));
    TRY(MPI_Comm_delete_attr(comm, type_key));
    key = type_key;
    TRY(MPI_Comm_free_keyval(&key));
    key = type_key;
    TRY(MPI_Win_free_keyval(&key));
    TRY(MPI_Type_set_attr(MPI_DATATYPE_NULL, type_key, &a));
    TRY(MPI_Type_set_attr(made, type_key, &a));
    TRY(MPI_Type_delete_attr(made, type_key));
    TRY(MPI_Type_delete_attr(made, type_key));
    TRY(MPI_Type_get_attr(MPI_DATATYPE_NULL, type_key, &value, &a));
    TRY(MPI_Type_set_attr(made, MPI_KEYVAL_INVALID, &a));
    key = MPI_KEYVAL_INVALID;
    TRY(MPI_Type_free_keyval(&key));
    TRY(MPI_Type_free_keyval(NULL));
    key = MPI_KEYVAL_INVALID;
    TRY(MPI_Win_free_keyval(&key));
    MPI_Comm_create_keyval(copy_comm, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    int comm_key = key;
    TRY(MPI_Type_set_attr(made, comm_key, &a));
    TRY(MPI_Comm_delete_attr(comm, comm_key));
    TRY(MPI_Comm_set_attr(MPI_COMM_NULL, comm_key, &a));
    MPI_Comm_free_keyval(&key);
    key = comm_key;
    NONE(MPI_Comm_free_keyval(&key));
    NONE(MPI_Comm_set_attr(comm, comm_key, &a));
    NONE(MPI_Comm_get_attr(comm, comm_key, &value, &a));
    NONE(MPI_Comm_delete_attr(comm, comm_key));
    /* Error handlers. */
    TRY(MPI_Comm_create_errhandler(NULL, &handler));
    TRY(MPI_Comm_create_errhandler(on_comm, NULL));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_NULL, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(comm, MPI_ERRHANDLER_NULL));
    TRY(MPI_Comm_get_errhandler(MPI_COMM_NULL, &handler));
    TRY(MPI_Comm_get_errhandler(comm, NULL));
    TRY(MPI_Comm_call_errhandler(MPI_COMM_NULL, 1));
    handler = MPI_ERRHANDLER_NULL;
    TRY(MPI_Errhandler_free(&handler));
    TRY(MPI_Errhandler_free(NULL));
    MPI_Win_create_errhandler(on_win, &handler);
    TRY(MPI_Comm_set_errhandler(comm, handler));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    MPI_Comm_create_errhandler(on_comm, &handler);
    TRY(MPI_Win_set_errhandler(win, handler));
    TRY(MPI_File_set_errhandler(file, handler));
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Errhandler stale_handler = handler;
    MPI_Errhandler_free(&handler);
    handler = stale_handler;
    FREED(MPI_Errhandler_free(&handler));
    FREED(MPI_Comm_set_errhandler(comm, stale_handler));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    NONE(MPI_Comm_set_errhandler(comm, OF_BITS(MPI_Errhandler, (MPI_Datatype){MPI_INT})));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    TRY(MPI_Error_class(-1, &a));
    TRY(MPI_Error_class(0x7ffffff0, &a));
    TRY(MPI_Error_class(MPI_ERR_ARG, NULL));
    TRY(MPI_Error_string(-1, text, &a));
    TRY(MPI_Error_string(0x7ffffff0, text, &a));
    TRY(MPI_Error_string(MPI_ERR_ARG, NULL, &a));
    TRY(MPI_Error_string(MPI_ERR_ARG, text, NULL));
    TRY(MPI_Add_error_class(NULL));
    TRY(MPI_Add_error_code(MPI_ERR_ARG, NULL));
    TRY(MPI_Add_error_code(-1, &a));
    TRY(MPI_Add_error_code(0x7ffffff0, &a));
    TRY(MPI_Add_error_string(MPI_ERR_ARG, "text"));
    TRY(MPI_Add_error_string(0x7ffffff0, "text"));
    TRY(MPI_Add_error_string(-1, "text"));
    MPI_Add_error_class(&a);
    TRY(MPI_Add_error_string(a, NULL));
    /* Info. */
    MPI_Info fresh;
    MPI_Info_create(&fresh);
    TRY(MPI_Info_create(NULL));
    TRY(MPI_Info_dup(MPI_INFO_NULL, &info));
    TRY(MPI_Info_dup(fresh, NULL));
    info = MPI_INFO_NULL;
    TRY(MPI_Info_free(&info));
    TRY(MPI_Info_free(NULL));
    TRY(MPI_Info_set(MPI_INFO_NULL, "key", "value"));
    TRY(MPI_Info_set(fresh, NULL, "value"));
    TRY(MPI_Info_set(fresh, "key", NULL));
    TRY(MPI_Info_set(fresh, "", "value"));
    memset(text, 'k', 5000);
    text[5000] = 0;
    TRY(MPI_Info_set(fresh, text, "value"));
    TRY(MPI_Info_set(fresh, "key", text));
    TRY(MPI_Info_get(fresh, text, 10, text, &a));
    TRY(MPI_Info_delete(fresh, text));
    TRY(MPI_Info_get(MPI_INFO_NULL, "key", 10, text, &a));
    TRY(MPI_Info_get(fresh, NULL, 10, text, &a));
    TRY(MPI_Info_get(fresh, "key", -1, text, &a));
    TRY(MPI_Info_get(fresh, "key", 10, NULL, &a));
    TRY(MPI_Info_get(fresh, "key", 10, text, NULL));
    TRY(MPI_Info_get_valuelen(MPI_INFO_NULL, "key", &a, &b));
    TRY(MPI_Info_get_valuelen(fresh, NULL, &a, &b));
    TRY(MPI_Info_get_valuelen(fresh, "key", NULL, &b));
    TRY(MPI_Info_delete(MPI_INFO_NULL, "key"));
    TRY(MPI_Info_delete(fresh, "not there"));
    TRY(MPI_Info_delete(fresh, NULL));
    TRY(MPI_Info_get_nkeys(MPI_INFO_NULL, &a));
    TRY(MPI_Info_get_nkeys(fresh, NULL));
    TRY(MPI_Info_get_nthkey(fresh, 5, text));
    TRY(MPI_Info_get_nthkey(fresh, -1, text));
    TRY(MPI_Info_get_nthkey(fresh, 0, NULL));
    TRY(MPI_Info_get_nthkey(MPI_INFO_NULL, 0, text));
    NONE(MPI_Info_get_nkeys(OF_BITS(MPI_Info, (MPI_Comm){MPI_COMM_WORLD}), &a));
    MPI_Info stale_info = fresh;
    MPI_Info_free(&fresh);
    FREED(MPI_Info_get_nkeys(stale_info, &a));
    FREED(MPI_Info_set(stale_info, "key", "value"));
    info = stale_info;
    FREED(MPI_Info_free(&info));
    /* Freed handles. */
    MPI_Comm stale, s;
    MPI_Comm_dup(MPI_COMM_SELF, &stale);
    s = stale;
    MPI_Comm_free(&s);
    s = stale;
    FREED(MPI_Comm_free(&s));
    FREED(MPI_Comm_size(stale, &a));
    FREED(MPI_Comm_dup(stale, &t));
    FREED(MPI_Barrier(stale));
    FREED(MPI_Send(data, 1, MPI_INT, MPI_PROC_NULL, 0, stale));
    FREED(MPI_Comm_set_errhandler(stale, MPI_ERRORS_RETURN));
    FREED(MPI_Comm_get_attr(stale, MPI_TAG_UB, &value, &a));
    MPI_Group stale_group;
    MPI_Comm_group(MPI_COMM_SELF, &group);
    MPI_Group_incl(group, 1, zero, &stale_group);
    MPI_Group_free(&group);
    group = stale_group;
    MPI_Group_free(&group);
    FREED(MPI_Group_size(stale_group, &a));
    FREED(MPI_Group_union(stale_group, all, &group));
    group = stale_group;
    FREED(MPI_Group_free(&group));
}

#define RMA(Name, last) \
    TRY(Name(data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL last)); \
    TRY(Name(data, -1, MPI_INT, 0, 0, 1, MPI_INT, win last)); \
    TRY(Name(data, 1, MPI_INT, 0, 0, -1, MPI_INT, win last)); \
    TRY(Name(data, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win last)); \
    TRY(Name(data, 1, MPI_INT, 0, 0, 1, MPI_DATATYPE_NULL, win last)); \
    TRY(Name(data, 1, raw, 0, 0, 1, MPI_INT, win last)); \
    TRY(Name(data, 1, MPI_INT, 5, 0, 1, MPI_INT, win last)); \
    TRY(Name(data, 1, MPI_INT, -77, 0, 1, MPI_INT, win last)); \
    TRY(Name(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, 1, MPI_INT, win last)); \
    TRY(Name(data, 1, MPI_INT, 0, -1, 1, MPI_INT, win last)); \
    NONE(Name(data, 1, MPI_INT, 0, 0, 1, MPI_INT, OF_BITS(MPI_Win, (MPI_Comm){MPI_COMM_WORLD}) last))

static void windows(void)
{
    MPI_Win t = MPI_WIN_NULL;
    void *base;
    RMA(MPI_Put, NOTHING);
    RMA(MPI_Get, NOTHING);
    TRY(MPI_Accumulate(data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win));
    TRY(MPI_Accumulate(data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, MPI_WIN_NULL));
    TRY(MPI_Accumulate(data, -1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    TRY(MPI_Accumulate(data, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, MPI_SUM, win));
    TRY(MPI_Accumulate(data, 1, MPI_INT, 5, 0, 1, MPI_INT, MPI_SUM, win));
    MPI_Op mine;
    MPI_Op_create(user, 1, &mine);
    TRY(MPI_Accumulate(data, 1, MPI_INT, 0, 0, 1, MPI_INT, mine, win));
    TRY(MPI_Get_accumulate(data, 1, MPI_INT, more, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win));
    TRY(MPI_Get_accumulate(data, 1, MPI_INT, more, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, MPI_WIN_NULL));
    TRY(MPI_Get_accumulate(data, 1, MPI_INT, more, -1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    TRY(MPI_Get_accumulate(data, 1, MPI_INT, more, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, MPI_SUM, win));
    TRY(MPI_Get_accumulate(data, 1, MPI_INT, more, 1, MPI_INT, 5, 0, 1, MPI_INT, MPI_SUM, win));
    TRY(MPI_Get_accumulate(data, 1, MPI_INT, more, 1, MPI_INT, 0, 0, 1, MPI_INT, mine, win));
    TRY(MPI_Fetch_and_op(data, more, MPI_INT, 0, 0, MPI_OP_NULL, win));
    TRY(MPI_Fetch_and_op(data, more, MPI_INT, 0, 0, MPI_SUM, MPI_WIN_NULL));
    TRY(MPI_Fetch_and_op(data, more, MPI_DATATYPE_NULL, 0, 0, MPI_SUM, win));
    TRY(MPI_Fetch_and_op(data, more, made, 0, 0, MPI_SUM, win));
    TRY(MPI_Fetch_and_op(data, more, MPI_INT, 5, 0, MPI_SUM, win));
    TRY(MPI_Fetch_and_op(data, more, MPI_INT, 0, 0, mine, win));
    TRY(MPI_Compare_and_swap(data, more, data + 5, MPI_INT, 0, 0, MPI_WIN_NULL));
    TRY(MPI_Compare_and_swap(data, more, data + 5, MPI_DOUBLE, 0, 0, win));
    TRY(MPI_Compare_and_swap(data, more, data + 5, MPI_DATATYPE_NULL, 0, 0, win));
    TRY(MPI_Compare_and_swap(data, more, data + 5, made, 0, 0, win));
    TRY(MPI_Compare_and_swap(data, more, data + 5, MPI_INT, 5, 0, win));
    TRY(MPI_Rput(data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL, &request));
    TRY(MPI_Rput(data, 1, MPI_INT, 5, 0, 1, MPI_INT, win, &request));
    TRY(MPI_Rput(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request));
    TRY(MPI_Rget(data, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win, &request));
    TRY(MPI_Raccumulate(data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win, &request));
    TRY(MPI_Rget_accumulate(data, 1, MPI_INT, more, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win, &request));
    TRY(MPI_Win_fence(0, MPI_WIN_NULL));
    TRY(MPI_Win_fence(12345678, win));
    TRY(MPI_Win_start(MPI_GROUP_NULL, 0, win));
    TRY(MPI_Win_start(all, 12345678, win));
    TRY(MPI_Win_start(all, 0, MPI_WIN_NULL));
    TRY(MPI_Win_post(MPI_GROUP_NULL, 0, win));
    TRY(MPI_Win_post(all, 12345678, win));
    TRY(MPI_Win_complete(win));
    TRY(MPI_Win_complete(MPI_WIN_NULL));
    TRY(MPI_Win_wait(win));
    TRY(MPI_Win_wait(MPI_WIN_NULL));
    TRY(MPI_Win_test(win, &a));
    TRY(MPI_Win_test(win, NULL));
    TRY(MPI_Win_test(MPI_WIN_NULL, &a));
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, 5, 0, win));
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, -77, 0, win));
    TRY(MPI_Win_lock(12345, 0, 0, win));
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 12345678, win));
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, MPI_WIN_NULL));
    TRY(MPI_Win_unlock(5, win));
    TRY(MPI_Win_unlock(0, MPI_WIN_NULL));
    TRY(MPI_Win_unlock_all(MPI_WIN_NULL));
    TRY(MPI_Win_lock_all(0, MPI_WIN_NULL));
    TRY(MPI_Win_lock_all(12345678, win));
    TRY(MPI_Win_flush(0, MPI_WIN_NULL));
    TRY(MPI_Win_flush(5, win));
    TRY(MPI_Win_flush(0, win));
    TRY(MPI_Win_flush_all(win));
    TRY(MPI_Win_flush_local(0, win));
    TRY(MPI_Win_flush_local_all(win));
    TRY(MPI_Win_sync(MPI_WIN_NULL));
    TRY(MPI_Win_create(data, -1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &t));
    TRY(MPI_Win_create(data, 8, 0, MPI_INFO_NULL, MPI_COMM_SELF, &t));
    TRY(MPI_Win_create(data, 8, -1, MPI_INFO_NULL, MPI_COMM_SELF, &t));
    TRY(MPI_Win_create(data, 8, 1, MPI_INFO_NULL, MPI_COMM_NULL, &t));
    TRY(MPI_Win_create(data, 8, 1, MPI_INFO_NULL, MPI_COMM_SELF, NULL));
    TRY(MPI_Win_create(NULL, 8, 1, MPI_INFO_NULL, MPI_COMM_SELF, &t));
    TRY(MPI_Win_allocate(-1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &t));
    TRY(MPI_Win_allocate(8, 0, MPI_INFO_NULL, MPI_COMM_SELF, &base, &t));
    TRY(MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_NULL, &base, &t));
    TRY(MPI_Win_allocate_shared(-1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &t));
    TRY(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, MPI_COMM_NULL, &base, &t));
    TRY(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_NULL, &t));
    TRY(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, NULL));
    TRY(MPI_Win_attach(win, data, 8));
    TRY(MPI_Win_attach(MPI_WIN_NULL, data, 8));
    TRY(MPI_Win_detach(MPI_WIN_NULL, data));
    TRY(MPI_Win_detach(win, data));
    TRY(MPI_Win_shared_query(win, 0, &x, &a, &base));
    TRY(MPI_Win_shared_query(MPI_WIN_NULL, 0, &x, &a, &base));
    t = MPI_WIN_NULL;
    TRY(MPI_Win_free(&t));
    TRY(MPI_Win_free(NULL));
    TRY(MPI_Win_get_group(MPI_WIN_NULL, &group));
    TRY(MPI_Win_get_group(win, NULL));
    TRY(MPI_Win_set_name(MPI_WIN_NULL, "name"));
    TRY(MPI_Win_set_name(win, NULL));
    TRY(MPI_Win_get_name(MPI_WIN_NULL, text, &a));
    TRY(MPI_Win_get_name(win, NULL, &a));
    TRY(MPI_Win_get_name(win, text, NULL));
    TRY(MPI_Win_get_info(MPI_WIN_NULL, &info));
    TRY(MPI_Win_get_info(win, NULL));
    TRY(MPI_Win_set_info(MPI_WIN_NULL, MPI_INFO_NULL));
    TRY(MPI_Win_get_attr(MPI_WIN_NULL, MPI_WIN_BASE, &base, &a));
    TRY(MPI_Win_get_attr(win, MPI_KEYVAL_INVALID, &base, &a));
    TRY(MPI_Win_get_attr(win, MPI_TAG_UB, &base, &a));
    TRY(MPI_Win_get_attr(win, MPI_WIN_BASE, NULL, &a));
    TRY(MPI_Win_set_attr(win, MPI_WIN_BASE, NULL));
    TRY(MPI_Win_set_attr(win, MPI_KEYVAL_INVALID, NULL));
    TRY(MPI_Win_delete_attr(win, MPI_WIN_BASE));
    TRY(MPI_Win_delete_attr(MPI_WIN_NULL, MPI_WIN_BASE));
    TRY(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, NULL, NULL));
    TRY(MPI_Win_set_errhandler(MPI_WIN_NULL, MPI_ERRORS_RETURN));
    TRY(MPI_Win_set_errhandler(win, MPI_ERRHANDLER_NULL));
    TRY(MPI_Win_get_errhandler(MPI_WIN_NULL, &handler));
    TRY(MPI_Win_get_errhandler(win, NULL));
    TRY(MPI_Win_call_errhandler(MPI_WIN_NULL, 1));
    TRY(MPI_Win_create_errhandler(NULL, &handler));
    TRY(MPI_Alloc_mem(-1, MPI_INFO_NULL, &base));
    TRY(MPI_Alloc_mem(8, MPI_INFO_NULL, NULL));
    TRY(MPI_Free_mem(NULL));
    MPI_Win_create(data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_SELF, &t);
    MPI_Win_set_errhandler(t, MPI_ERRORS_RETURN);
    MPI_Win stale = t;
    MPI_Win_free(&t);
    FREED(MPI_Win_fence(0, stale));
    FREED(MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, stale));
    FREED(MPI_Win_get_group(stale, &group));
    t = stale;
    FREED(MPI_Win_free(&t));
    MPI_Op_free(&mine);
}

#define FILED(Name, last) \
    TRY(Name(MPI_FILE_NULL, data, 1, MPI_INT, last)); \
    TRY(Name(file, data, -1, MPI_INT, last)); \
    TRY(Name(file, data, 1, MPI_DATATYPE_NULL, last)); \
    TRY(Name(file, data, 1, raw, last))
#define FILED_AT(Name, last) \
    TRY(Name(MPI_FILE_NULL, 0, data, 1, MPI_INT, last)); \
    TRY(Name(file, -1, data, 1, MPI_INT, last)); \
    TRY(Name(file, 0, data, -1, MPI_INT, last)); \
    TRY(Name(file, 0, data, 1, MPI_DATATYPE_NULL, last)); \
    TRY(Name(file, 0, data, 1, raw, last))

static void files(void)
{
    MPI_File t = MPI_FILE_NULL;
    MPI_Offset offset;
    FILED(MPI_File_read, &status);
    FILED(MPI_File_write, &status);
    FILED(MPI_File_read_all, &status);
    FILED(MPI_File_write_all, &status);
    FILED(MPI_File_iread, &request);
    FILED(MPI_File_iwrite, &request);
    FILED(MPI_File_read_shared, &status);
    FILED(MPI_File_write_shared, &status);
    FILED(MPI_File_iread_shared, &request);
    FILED(MPI_File_iwrite_shared, &request);
    FILED(MPI_File_read_ordered, &status);
    FILED(MPI_File_write_ordered, &status);
    FILED(MPI_File_iread_all, &request);
    FILED(MPI_File_iwrite_all, &request);
    FILED_AT(MPI_File_read_at, &status);
    FILED_AT(MPI_File_write_at, &status);
    FILED_AT(MPI_File_read_at_all, &status);
    FILED_AT(MPI_File_write_at_all, &status);
    FILED_AT(MPI_File_iread_at, &request);
    FILED_AT(MPI_File_iwrite_at, &request);
    FILED_AT(MPI_File_iread_at_all, &request);
    FILED_AT(MPI_File_iwrite_at_all, &request);
    TRY(MPI_File_read_all_begin(MPI_FILE_NULL, data, 1, MPI_INT));
    TRY(MPI_File_read_all_begin(file, data, -1, MPI_INT));
    TRY(MPI_File_read_all_end(MPI_FILE_NULL, data, &status));
    TRY(MPI_File_read_all_end(file, data, &status));
    TRY(MPI_File_write_all_end(file, data, &status));
    TRY(MPI_File_read_ordered_end(file, data, &status));
    TRY(MPI_File_write_at_all_begin(file, -1, data, 1, MPI_INT));
    TRY(MPI_File_write_at_all_end(file, data, &status));
    TRY(MPI_File_open(MPI_COMM_NULL, "misuse.none", MPI_MODE_RDONLY, MPI_INFO_NULL, &t));
    TRY(MPI_File_open(MPI_COMM_SELF, "misuse.none", MPI_MODE_RDONLY, MPI_INFO_NULL, &t));
    TRY(MPI_File_open(MPI_COMM_SELF, "misuse.none", MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &t));
    TRY(MPI_File_open(MPI_COMM_SELF, "misuse.none", MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &t));
    TRY(MPI_File_open(MPI_COMM_SELF, "misuse.none", MPI_MODE_RDONLY | MPI_MODE_EXCL, MPI_INFO_NULL, &t));
    TRY(MPI_File_open(MPI_COMM_SELF, "misuse.none", MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &t));
    TRY(MPI_File_open(MPI_COMM_SELF, "misuse.none", 0, MPI_INFO_NULL, &t));
    TRY(MPI_File_open(MPI_COMM_SELF, NULL, MPI_MODE_RDONLY, MPI_INFO_NULL, &t));
    TRY(MPI_File_open(MPI_COMM_SELF, "misuse.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, NULL));
    TRY(MPI_File_open(MPI_COMM_SELF, "misuse.dat", MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_EXCL, MPI_INFO_NULL, &t));
    TRY(MPI_File_open(MPI_COMM_SELF, "misuse.dat/below", MPI_MODE_RDONLY, MPI_INFO_NULL, &t));
    TRY(MPI_File_open(MPI_COMM_SELF, "/", MPI_MODE_WRONLY, MPI_INFO_NULL, &t));
    TRY(MPI_File_delete("misuse.none", MPI_INFO_NULL));
    TRY(MPI_File_delete(NULL, MPI_INFO_NULL));
    t = MPI_FILE_NULL;
    TRY(MPI_File_close(&t));
    TRY(MPI_File_close(NULL));
    TRY(MPI_File_set_size(MPI_FILE_NULL, 8));
    TRY(MPI_File_set_size(file, -1));
    TRY(MPI_File_preallocate(file, -1));
    TRY(MPI_File_preallocate(MPI_FILE_NULL, 1));
    TRY(MPI_File_get_size(MPI_FILE_NULL, &offset));
    TRY(MPI_File_get_size(file, NULL));
    TRY(MPI_File_get_group(MPI_FILE_NULL, &group));
    TRY(MPI_File_get_group(file, NULL));
    TRY(MPI_File_get_amode(MPI_FILE_NULL, &a));
    TRY(MPI_File_get_amode(file, NULL));
    TRY(MPI_File_set_info(MPI_FILE_NULL, MPI_INFO_NULL));
    TRY(MPI_File_get_info(MPI_FILE_NULL, &info));
    TRY(MPI_File_get_info(file, NULL));
    TRY(MPI_File_set_view(MPI_FILE_NULL, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    TRY(MPI_File_set_view(file, -5, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    TRY(MPI_File_set_view(file, 0, MPI_DATATYPE_NULL, MPI_INT, "native", MPI_INFO_NULL));
    TRY(MPI_File_set_view(file, 0, MPI_INT, MPI_DATATYPE_NULL, "native", MPI_INFO_NULL));
    TRY(MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_INT, "native", MPI_INFO_NULL));
    TRY(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "no such", MPI_INFO_NULL));
    TRY(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, NULL, MPI_INFO_NULL));
    TRY(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    TRY(MPI_File_get_view(MPI_FILE_NULL, &offset, &made, &raw, text));
    TRY(MPI_File_get_view(file, NULL, NULL, NULL, NULL));
    TRY(MPI_File_seek(MPI_FILE_NULL, 0, MPI_SEEK_SET));
    TRY(MPI_File_seek(file, -1, MPI_SEEK_SET));
    TRY(MPI_File_seek(file, 0, 12345));
    TRY(MPI_File_seek(file, -100, MPI_SEEK_CUR));
    TRY(MPI_File_seek(file, -100000, MPI_SEEK_END));
    TRY(MPI_File_seek_shared(file, 0, 12345));
    TRY(MPI_File_seek_shared(MPI_FILE_NULL, 0, MPI_SEEK_SET));
    TRY(MPI_File_get_position(MPI_FILE_NULL, &offset));
    TRY(MPI_File_get_position(file, NULL));
    TRY(MPI_File_get_position_shared(MPI_FILE_NULL, &offset));
    TRY(MPI_File_get_byte_offset(MPI_FILE_NULL, 0, &offset));
    TRY(MPI_File_get_byte_offset(file, -1, &offset));
    TRY(MPI_File_get_byte_offset(file, 0, NULL));
    TRY(MPI_File_get_type_extent(MPI_FILE_NULL, MPI_INT, &x));
    TRY(MPI_File_get_type_extent(file, MPI_DATATYPE_NULL, &x));
    TRY(MPI_File_get_type_extent(file, MPI_INT, NULL));
    TRY(MPI_File_set_atomicity(MPI_FILE_NULL, 1));
    TRY(MPI_File_get_atomicity(MPI_FILE_NULL, &a));
    TRY(MPI_File_get_atomicity(file, NULL));
    TRY(MPI_File_sync(MPI_FILE_NULL));
    TRY(MPI_File_set_errhandler(file, MPI_ERRHANDLER_NULL));
    TRY(MPI_File_get_errhandler(file, NULL));
    TRY(MPI_File_create_errhandler(NULL, &handler));
    TRY(MPI_Register_datarep(NULL, MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, NULL, NULL));
    TRY(MPI_Register_datarep("native", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, NULL, NULL));
    TRY(MPI_Register_datarep("mine", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, NULL, NULL));
    TRY(MPI_File_open(MPI_COMM_SELF, "misuse.wr", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &t));
    TRY(MPI_File_read(t, data, 1, MPI_INT, &status));
    TRY(MPI_File_iread(t, data, 1, MPI_INT, &request));
    TRY(MPI_File_read_at(t, 0, data, 1, MPI_INT, &status));
    TRY(MPI_File_read_all(t, data, 1, MPI_INT, &status));
    MPI_File_close(&t);
    TRY(MPI_File_open(MPI_COMM_SELF, "misuse.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &t));
    TRY(MPI_File_write(t, data, 1, MPI_INT, &status));
    TRY(MPI_File_write_at_all(t, 0, data, 1, MPI_INT, &status));
    TRY(MPI_File_write_shared(t, data, 1, MPI_INT, &status));
    TRY(MPI_File_set_size(t, 0));
    MPI_File_close(&t);
}

static const struct { int value; const char *name; } tool_classes[] = {
#define TOOL_CLASS(name) {MPI_T_ERR_##name, #name}
    {MPI_SUCCESS, "ok"}, TOOL_CLASS(MEMORY), TOOL_CLASS(NOT_INITIALIZED), TOOL_CLASS(CANNOT_INIT), TOOL_CLASS(INVALID_INDEX),
    TOOL_CLASS(INVALID_HANDLE), TOOL_CLASS(OUT_OF_HANDLES), TOOL_CLASS(OUT_OF_SESSIONS), TOOL_CLASS(INVALID_SESSION),
    TOOL_CLASS(CVAR_SET_NOT_NOW), TOOL_CLASS(CVAR_SET_NEVER), TOOL_CLASS(PVAR_NO_STARTSTOP), TOOL_CLASS(PVAR_NO_WRITE),
    TOOL_CLASS(PVAR_NO_ATOMIC), TOOL_CLASS(INVALID), TOOL_CLASS(INVALID_NAME), TOOL_CLASS(INVALID_ITEM),
};
static const char *tool_name(int code)
{
    static char other[32];
    for (size_t i = 0; i < sizeof tool_classes / sizeof *tool_classes; i++)
        if (tool_classes[i].value == code)
            return tool_classes[i].name;
    snprintf(other, sizeof other, "other: %s", class_name(code));
    return other;
}

static void environment(void)
{
    char **none = NULL;
    MPI_Comm t;
    int codes[1];
    (void)none, (void)t, (void)codes;
    TRY(MPI_Get_processor_name(NULL, &a));
    TRY(MPI_Get_processor_name(text, NULL));
    TRY(MPI_Get_version(NULL, &a));
    TRY(MPI_Get_version(&a, NULL));
    TRY(MPI_Get_library_version(NULL, &a));
    TRY(MPI_Get_library_version(text, NULL));
    TRY(MPI_Initialized(NULL));
    TRY(MPI_Finalized(NULL));
    TRY(MPI_Query_thread(NULL));
    TRY(MPI_Is_thread_main(NULL));
    TRY(MPI_Init(NULL, NULL));
    TRY(MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &a));
    TRY(MPI_Grequest_start(NULL, NULL, NULL, NULL, NULL));
    TRY(MPI_Lookup_name(NULL, MPI_INFO_NULL, text));
    TRY(MPI_Close_port(NULL));
    TRY(MPI_Open_port(MPI_INFO_NULL, NULL));
    TRY(MPI_Comm_get_parent(NULL));
    TRY(MPI_Comm_spawn(NULL, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &t, codes));
    TRY(MPI_Comm_spawn("true", MPI_ARGV_NULL, -1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &t, codes));
    TRY(MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 5, MPI_COMM_SELF, &t, codes));
    TRY(MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_NULL, &t, codes));
    TRY(MPI_Comm_accept(NULL, MPI_INFO_NULL, 0, MPI_COMM_SELF, &t));
    TRY(MPI_Comm_connect(NULL, MPI_INFO_NULL, 0, MPI_COMM_SELF, &t));
    TRY(MPI_Comm_connect("", MPI_INFO_NULL, 0, MPI_COMM_NULL, &t));
    MPI_T_cvar_handle cvar = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_pvar_handle pvar = MPI_T_PVAR_HANDLE_NULL;
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    MPI_Datatype type;
    int n = sizeof text, m = sizeof text, e, f, g;
    TOOL(MPI_T_cvar_get_num(&a));
    TOOL(MPI_T_init_thread(MPI_THREAD_SINGLE, &a));
    TOOL(MPI_T_init_thread(MPI_THREAD_SINGLE, NULL));
    TOOL(MPI_T_cvar_get_num(NULL));
    TOOL(MPI_T_pvar_get_num(NULL));
    TOOL(MPI_T_category_get_num(NULL));
    TOOL(MPI_T_cvar_get_info(1000000, text, &n, &a, &type, &enumeration, text, &m, &b, &c));
    TOOL(MPI_T_cvar_get_info(-1, text, &n, &a, &type, &enumeration, text, &m, &b, &c));
    TOOL(MPI_T_pvar_get_info(1000000, text, &n, &a, &b, &type, &enumeration, text, &m, &c, &e, &f, &g));
    TOOL(MPI_T_pvar_get_info(-1, text, &n, &a, &b, &type, &enumeration, text, &m, &c, &e, &f, &g));
    TOOL(MPI_T_category_get_info(1000000, text, &n, text, &m, &a, &b, &c));
    TOOL(MPI_T_category_get_info(-1, text, &n, text, &m, &a, &b, &c));
    TOOL(MPI_T_category_get_cvars(1000000, 1, data));
    TOOL(MPI_T_category_get_pvars(1000000, 1, data));
    TOOL(MPI_T_category_get_categories(1000000, 1, data));
    TOOL(MPI_T_category_changed(NULL));
    TOOL(MPI_T_cvar_get_index("no such variable", &a));
    TOOL(MPI_T_cvar_get_index(NULL, &a));
    TOOL(MPI_T_pvar_get_index("no such variable", MPI_T_PVAR_CLASS_LEVEL, &a));
    TOOL(MPI_T_pvar_get_index("no such variable", 12345, &a));
    TOOL(MPI_T_category_get_index("no such category", &a));
    TOOL(MPI_T_category_get_index(NULL, &a));
    TOOL(MPI_T_cvar_handle_alloc(1000000, NULL, &cvar, &a));
    TOOL(MPI_T_cvar_handle_alloc(-1, NULL, &cvar, &a));
    cvar = MPI_T_CVAR_HANDLE_NULL;
    TOOL(MPI_T_cvar_handle_free(&cvar));
    TOOL(MPI_T_cvar_handle_free(NULL));
    TOOL(MPI_T_cvar_read(MPI_T_CVAR_HANDLE_NULL, text));
    TOOL(MPI_T_cvar_write(MPI_T_CVAR_HANDLE_NULL, text));
    TOOL(MPI_T_pvar_session_free(&session));
    TOOL(MPI_T_pvar_session_create(NULL));
    TOOL(MPI_T_pvar_handle_alloc(MPI_T_PVAR_SESSION_NULL, 0, NULL, &pvar, &a));
    TOOL(MPI_T_pvar_session_create(&session));
    TOOL(MPI_T_pvar_handle_alloc(session, 1000000, NULL, &pvar, &a));
    TOOL(MPI_T_pvar_handle_alloc(session, -1, NULL, &pvar, &a));
    pvar = MPI_T_PVAR_HANDLE_NULL;
    TOOL(MPI_T_pvar_handle_free(session, &pvar));
    TOOL(MPI_T_pvar_start(session, MPI_T_PVAR_HANDLE_NULL));
    TOOL(MPI_T_pvar_stop(session, MPI_T_PVAR_HANDLE_NULL));
    TOOL(MPI_T_pvar_read(session, MPI_T_PVAR_HANDLE_NULL, text));
    TOOL(MPI_T_pvar_write(session, MPI_T_PVAR_HANDLE_NULL, text));
    TOOL(MPI_T_pvar_reset(session, MPI_T_PVAR_HANDLE_NULL));
    TOOL(MPI_T_pvar_readreset(session, MPI_T_PVAR_HANDLE_NULL, text));
    TOOL(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    TOOL(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES));
    TOOL(MPI_T_pvar_read(session, MPI_T_PVAR_ALL_HANDLES, text));
    TOOL(MPI_T_enum_get_info(MPI_T_ENUM_NULL, &a, text, &n));
    TOOL(MPI_T_enum_get_item(MPI_T_ENUM_NULL, 0, &a, text, &n));
    TOOL(MPI_T_pvar_session_free(&session));
    TOOL(MPI_T_finalize());
    TOOL(MPI_T_finalize());
    TOOL(MPI_T_cvar_get_num(&a));
}

int main(int argc, char **argv)
{
    int period = 0, dim = 1;
    first = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_SELF, &all);
    MPI_Cart_create(MPI_COMM_SELF, 1, &dim, &period, 0, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < 4; i++) {
        ints[i] = MPI_INT;
        nulls[i] = MPI_DATATYPE_NULL;
    }
    MPI_Type_contiguous(2, MPI_INT, &raw);
    MPI_Type_contiguous(2, MPI_INT, &made);
    MPI_Type_commit(&made);
    MPI_Win_create(more, sizeof more, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_File_open(MPI_COMM_SELF, "misuse.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    messages();
    requests();
    collectives();
    types();
    communicators();
    windows();
    environment();
    files();
    printf("done\n");
    fflush(stdout);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
