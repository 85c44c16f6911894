/*
 * Communicators, topologies, messages, collective operations and the rest while memory is lacking:
 * each allocation fails once, the call returns MPI_ERR_NO_MEM, and nothing is lost. The program has
 * one rank, so that every call can be repeated by itself.
 */
#include "exhaust.h"

static void free_comm(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        MUST(MPI_Comm_free(comm));
}

/* Waits for a request that a call has started. */
static bool completed(int code, MPI_Request *request) { return done(code) && done(MPI_Wait(request, MPI_STATUS_IGNORE)); }

static void communicators(void)
{
    MPI_Comm comms[8];
    MPI_Group world, none;
    MPI_Request request;
    int one = 1, zero = 0, n = 0;
    for (int i = 0; i < 8; i++)
        comms[i] = MPI_COMM_NULL;
    done(MPI_Comm_dup(MPI_COMM_SELF, &comms[0]));
    done(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comms[1]));
    if (completed(MPI_Comm_idup(MPI_COMM_WORLD, &comms[2], &request), &request) && comms[2] != MPI_COMM_NULL)
        MUST(MPI_Comm_size(comms[2], &n));
    done(MPI_Cart_create(MPI_COMM_WORLD, 1, &one, &zero, 0, &comms[3]));
    done(MPI_Graph_create(MPI_COMM_WORLD, 1, &one, &zero, 0, &comms[4]));
    done(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &zero, &one, &zero, &one, MPI_INFO_NULL, 0, &comms[5]));
    done(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &zero, &one, 1, &zero, &one, MPI_INFO_NULL, 0, &comms[6]));
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    done(MPI_Comm_create(MPI_COMM_WORLD, world, &comms[7]));
    if (done(MPI_Group_incl(world, 1, &zero, &none)))
        MUST(MPI_Group_free(&none));
    if (done(MPI_Group_excl(world, 0, NULL, &none)))
        MUST(MPI_Group_free(&none));
    MUST(MPI_Group_free(&world));
    for (int i = 0; i < 8; i++)
        free_comm(&comms[i]);
}

static void messages(void)
{
    enum { LONG = 100000 };
    static int out[LONG], in[LONG];
    static char buffer[sizeof out + MPI_BSEND_OVERHEAD];
    MPI_Request requests[3];
    void *detached;
    int size;
    for (int k = 0, count = 1; k < 2; k++, count = LONG) {
        in[count - 1] = 0;
        out[count - 1] = count;
        bool sent = done(MPI_Isend(out, count, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0])); /* not expected */
        if (sent) {
            while (!done(MPI_Recv(in, count, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE)))
                ;
            EQUAL(count, in[count - 1]);
            done(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        }
        done(MPI_Sendrecv(out, count, MPI_INT, 0, 2, in, count, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE));
        done(MPI_Sendrecv_replace(in, count, MPI_INT, 0, 2, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    }
    if (done(MPI_Buffer_attach(buffer, sizeof buffer))) {
        if (done(MPI_Bsend(out, LONG, MPI_INT, 0, 3, MPI_COMM_SELF)))
            while (!done(MPI_Recv(in, LONG, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE)))
                ;
        while (!done(MPI_Buffer_detach(&detached, &size)))
            ;
    }
    if (done(MPI_Send_init(out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &requests[0]))) {
        if (done(MPI_Start(&requests[0])))
            done(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        MUST(MPI_Request_free(&requests[0]));
    }
}

static void keep_first(void *in, void *inout, int *n, MPI_Datatype *type) { (void)in, (void)inout, (void)n, (void)type; }

static void collectives(void)
{
    int a[4] = {1, 2, 3, 4}, b[4], one = 1, zero = 0;
    MPI_Datatype pair = MPI_INT;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Request request;
    MPI_Op op = MPI_OP_NULL;
    done(MPI_Barrier(comm));
    done(MPI_Bcast(a, 4, MPI_INT, 0, comm));
    done(MPI_Allreduce(a, b, 4, MPI_INT, MPI_SUM, comm));
    done(MPI_Alltoallw(a, &one, &zero, &pair, b, &one, &zero, &pair, comm));
    completed(MPI_Ibarrier(comm, &request), &request);
    completed(MPI_Iallreduce(a, b, 4, MPI_INT, MPI_MAX, comm, &request), &request);
    completed(MPI_Iallgather(a, 1, MPI_INT, b, 1, MPI_INT, comm, &request), &request);
    completed(MPI_Iscan(a, b, 4, MPI_INT, MPI_SUM, comm, &request), &request);
    completed(MPI_Ireduce_scatter_block(a, b, 4, MPI_INT, MPI_SUM, comm, &request), &request);
    completed(MPI_Ialltoallw(a, &one, &zero, &pair, b, &one, &zero, &pair, comm, &request), &request);
    if (done(MPI_Op_create(keep_first, 0, &op))) {
        done(MPI_Reduce(a, b, 4, MPI_INT, op, 0, comm));
        MUST(MPI_Op_free(&op));
    }
}

static int query(void *state, MPI_Status *status) { return (void)state, MPI_Status_set_elements(status, MPI_INT, 0); }
static int release(void *state) { return (void)state, MPI_SUCCESS; }
static int cancel(void *state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }
static void handler(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

static void objects(void)
{
    MPI_Request request;
    MPI_Errhandler made;
    MPI_Info info = MPI_INFO_NULL, copy = MPI_INFO_NULL;
    int keyval, class, code;
    if (done(MPI_Grequest_start(query, release, cancel, NULL, &request))) {
        MUST(MPI_Grequest_complete(request));
        done(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    if (done(MPI_Comm_create_errhandler(handler, &made)))
        MUST(MPI_Errhandler_free(&made));
    if (done(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL))) {
        if (done(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &keyval)))
            MUST(MPI_Comm_delete_attr(MPI_COMM_SELF, keyval));
        MUST(MPI_Comm_free_keyval(&keyval));
    }
    if (done(MPI_Info_create(&info))) {
        done(MPI_Info_set(info, "key", "value"));
        done(MPI_Comm_set_info(MPI_COMM_SELF, info));
        MUST(MPI_Info_free(&info));
    }
    if (done(MPI_Comm_get_info(MPI_COMM_SELF, &copy)))
        MUST(MPI_Info_free(&copy));
    if (done(MPI_Add_error_class(&class)))
        done(MPI_Add_error_code(class, &code));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(exhaust(communicators) > 10);
    CHECK(exhaust(messages) > 0);
    exhaust(collectives); /* memory for operations is kept for the next one */
    CHECK(exhaust(objects) > 3);
    return right("exhausted");
}
