/* Handles that are null or of another kind: each call returns the error class of the kind (MPI-5.0, 9.4), and MPI works
   afterwards. */
#include "check.h"

/* Open MPI's own handles are pointers, and some of its calls dereference them unchecked. */
#ifdef OPEN_MPI
#define CHECK_UNSURE(call, class)
#else
#define CHECK_UNSURE CHECK_CLASS
#endif
/* Or MPI_ERR_ARG, which older versions return. */
#define CHECK_REFUSED(call, want) \
    do { \
        int class_ = check_class(call); \
        if (class_ != MPI_ERR_ARG) \
            CHECK_INT(class_, want); \
    } while (0)

static MPI_Comm comm;
static int data[64], more[64], flag;
static MPI_Status status;

/* A handle variable of one kind with the bits of another kind's handle. */
#define OF_BITS(Type, other) (__extension__({ Type v_; memset(&v_, 0, sizeof v_); memcpy(&v_, &(other), sizeof v_ < sizeof(other) ? sizeof v_ : sizeof(other)); v_; }))

static void communicators(MPI_Comm none)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Message message;
    MPI_Group group;
    int n;
    CHECK_CLASS(MPI_Comm_size(none, &n), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Comm_group(none, &group), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Send(data, 1, MPI_INT, 0, 0, none), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Irecv(data, 1, MPI_INT, 0, 0, none, &request), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Barrier(none), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, none), MPI_ERR_COMM);
    CHECK_UNSURE(MPI_Allgather(data, 1, MPI_INT, more, 1, MPI_INT, none), MPI_ERR_COMM);
    CHECK_UNSURE(MPI_Iallgather(data, 1, MPI_INT, more, 1, MPI_INT, none, &request), MPI_ERR_COMM);
    CHECK_UNSURE(MPI_Neighbor_allgather(data, 1, MPI_INT, more, 1, MPI_INT, none), MPI_ERR_COMM);
    CHECK_UNSURE(MPI_Ineighbor_allgather(data, 1, MPI_INT, more, 1, MPI_INT, none, &request), MPI_ERR_COMM);
    CHECK_UNSURE(MPI_Probe(0, 0, none, &status), MPI_ERR_COMM);
    CHECK_UNSURE(MPI_Iprobe(0, 0, none, &flag, &status), MPI_ERR_COMM);
    CHECK_UNSURE(MPI_Mprobe(0, 0, none, &message, &status), MPI_ERR_COMM);
    CHECK_UNSURE(MPI_Improbe(0, 0, none, &flag, &message, &status), MPI_ERR_COMM);
    CHECK(request == MPI_REQUEST_NULL);
}

static void groups(MPI_Group none)
{
    MPI_Group group, world;
    MPI_Comm new;
    MPI_Win win;
    int n, zero[1] = {0}, range[1][3] = {{0, 0, 1}};
    MUST(MPI_Comm_group(comm, &world));
    CHECK_CLASS(MPI_Group_size(none, &n), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_incl(none, 1, zero, &group), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_excl(none, 1, zero, &group), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_range_incl(none, 1, range, &group), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_range_excl(none, 1, range, &group), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_union(none, world, &group), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_union(world, none, &group), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_intersection(world, none, &group), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_difference(none, world, &group), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_compare(world, none, &n), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_translate_ranks(none, 1, zero, world, &n), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Comm_create(comm, none, &new), MPI_ERR_GROUP);
    CHECK_UNSURE(MPI_Comm_create_group(comm, none, 0, &new), MPI_ERR_GROUP);
    MUST(MPI_Win_create(data, sizeof data, 1, MPI_INFO_NULL, comm, &win));
    MUST(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CHECK_UNSURE(MPI_Win_post(none, 0, win), MPI_ERR_GROUP);
    CHECK_UNSURE(MPI_Win_start(none, 0, win), MPI_ERR_GROUP);
    MUST(MPI_Win_free(&win));
    MUST(MPI_Group_free(&world));
}

static void datatypes(MPI_Datatype none)
{
    MPI_Datatype type;
    MPI_Request request = MPI_REQUEST_NULL;
    int n;
    CHECK_CLASS(MPI_Type_size(none, &n), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Type_contiguous(1, none, &type), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Send(data, 1, none, 0, 0, comm), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Bcast(data, 1, none, 0, comm), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Get_count(&status, none, &n), MPI_ERR_TYPE);
    if (rank == 0) { /* this rank is the root, and only its datatype is significant */
        CHECK_UNSURE(MPI_Scatter(data, 1, none, more, 1, MPI_INT, 0, MPI_COMM_SELF), MPI_ERR_TYPE);
        CHECK_UNSURE(MPI_Iscatter(data, 1, none, more, 1, MPI_INT, 0, MPI_COMM_SELF, &request), MPI_ERR_TYPE);
    }
    more[0] = -1;
    for (int i = 0; i < 64; i++)
        data[i] = i;
    MUST(MPI_Scatter(rank ? NULL : data, 1, rank ? none : MPI_INT, more, 1, MPI_INT, 0, comm));
    CHECK_INT(more[0], rank);
}

static void messages(MPI_Message none)
{
    MPI_Request request;
    MPI_Message message = none;
#ifndef OPEN_MPI
    CHECK_REFUSED(MPI_Mrecv(data, 1, MPI_INT, &message, &status), MPI_ERR_REQUEST);
    message = none;
    CHECK_REFUSED(MPI_Imrecv(data, 1, MPI_INT, &message, &request), MPI_ERR_REQUEST);
#endif
    (void)message, (void)request;
}

static void operations(MPI_Op none)
{
    CHECK_CLASS(MPI_Allreduce(data, more, 1, MPI_INT, none, comm), MPI_ERR_OP);
    CHECK_CLASS(MPI_Reduce_local(data, more, 1, MPI_INT, none), MPI_ERR_OP);
}

#ifndef OPEN_MPI
static void of_another_kind(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Datatype type = MPI_INT;
    communicators(OF_BITS(MPI_Comm, type));
    groups(OF_BITS(MPI_Group, world));
    datatypes(OF_BITS(MPI_Datatype, world));
    messages(OF_BITS(MPI_Message, world));
    operations(OF_BITS(MPI_Op, world));

    /* Null handles of these two kinds are valid arguments. */
    MPI_Request request = OF_BITS(MPI_Request, world);
    MPI_Info info = OF_BITS(MPI_Info, world);
    MPI_Comm graph;
    char *memory;
    int n, none[1] = {rank};
    CHECK_CLASS(MPI_Wait(&request, &status), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Test(&request, &flag, &status), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Request_free(&request), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Start(&request), MPI_ERR_REQUEST);
    CHECK_REFUSED(MPI_Alloc_mem(8, info, &memory), MPI_ERR_INFO);
    CHECK_REFUSED(MPI_Info_get_nkeys(info, &n), MPI_ERR_INFO);
    CHECK_REFUSED(MPI_Info_free(&info), MPI_ERR_INFO);
    CHECK_REFUSED(MPI_Dist_graph_create_adjacent(comm, 1, none, MPI_UNWEIGHTED, 1, none, MPI_UNWEIGHTED, info, 0, &graph), MPI_ERR_INFO);
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    communicators(MPI_COMM_NULL);
    messages(MPI_MESSAGE_NULL);
    operations(MPI_OP_NULL);
#ifndef OPEN_MPI
    of_another_kind();
#endif
    int sum = 0, one = 1;
    MUST(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_INT(sum, size);
    MUST(MPI_Comm_free(&comm));
    return check_done("error_wrong_handles");
}
