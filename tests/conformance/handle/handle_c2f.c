/* Conversion of handles of every class and of statuses to Fortran integers and back (MPI-3.1, 17.2.4, 17.2.5). */
#include "check.h"

#define ROUND_TRIP(class, handle) CHECK(MPI_##class##_f2c(MPI_##class##_c2f(handle)) == (handle))

static void sum(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Request request;
    MPI_Errhandler handler;
    MPI_Info info;
    MPI_Win win;
    MPI_File file;
    MPI_Message message;
    int in = -1, out = 5, number = -1;

    /* Predefined handles, including null handles. */
    ROUND_TRIP(Comm, MPI_COMM_WORLD);
    ROUND_TRIP(Comm, MPI_COMM_SELF);
    ROUND_TRIP(Comm, MPI_COMM_NULL);
    ROUND_TRIP(Group, MPI_GROUP_EMPTY);
    ROUND_TRIP(Group, MPI_GROUP_NULL);
    ROUND_TRIP(Request, MPI_REQUEST_NULL);
    ROUND_TRIP(Message, MPI_MESSAGE_NULL);
    ROUND_TRIP(Message, MPI_MESSAGE_NO_PROC);
    ROUND_TRIP(Errhandler, MPI_ERRORS_RETURN);
    ROUND_TRIP(Errhandler, MPI_ERRORS_ARE_FATAL);
    ROUND_TRIP(Errhandler, MPI_ERRHANDLER_NULL);
    ROUND_TRIP(Info, MPI_INFO_NULL);
    ROUND_TRIP(Info, MPI_INFO_ENV);
    ROUND_TRIP(Win, MPI_WIN_NULL);
    ROUND_TRIP(File, MPI_FILE_NULL);
#ifndef MPI_ABI_VERSION
    CHECK_INT(MPI_File_c2f(MPI_FILE_NULL), 0); /* the value in mpif.h of both families */
#endif
    const MPI_Op ops[] = {MPI_OP_NULL, MPI_MAX,  MPI_MIN,  MPI_SUM,    MPI_PROD,   MPI_LAND,    MPI_BAND, MPI_LOR,
                          MPI_BOR,     MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
        ROUND_TRIP(Op, ops[i]);
        for (unsigned j = 0; j < i; j++)
            CHECK(MPI_Op_c2f(ops[i]) != MPI_Op_c2f(ops[j]));
    }
    const MPI_Datatype types[] = {MPI_DATATYPE_NULL, MPI_CHAR, MPI_INT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_BYTE,
                                  MPI_PACKED, MPI_2INT, MPI_FLOAT_INT, MPI_LONG_DOUBLE_INT, MPI_INT64_T, MPI_C_BOOL,
                                  MPI_C_DOUBLE_COMPLEX, MPI_AINT, MPI_COUNT, MPI_OFFSET};
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        ROUND_TRIP(Type, types[i]);
        for (unsigned j = 0; j < i; j++)
            CHECK(MPI_Type_c2f(types[i]) != MPI_Type_c2f(types[j]));
    }

    /* Dynamic handles: the converted handle is the same and works. */
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    ROUND_TRIP(Comm, comm);
    MPI_Comm back = MPI_Comm_f2c(MPI_Comm_c2f(comm));
    MUST(MPI_Comm_size(back, &number));
    CHECK_INT(number, size);
    CHECK(MPI_Comm_c2f(comm) != MPI_Comm_c2f(MPI_COMM_WORLD));
    MUST(MPI_Comm_group(comm, &group));
    ROUND_TRIP(Group, group);
    MUST(MPI_Group_size(MPI_Group_f2c(MPI_Group_c2f(group)), &number));
    CHECK_INT(number, size);
    MUST(MPI_Group_free(&group));

    MUST(MPI_Type_contiguous(3, MPI_INT, &type));
    MUST(MPI_Type_commit(&type));
    ROUND_TRIP(Type, type);
    MUST(MPI_Type_size(MPI_Type_f2c(MPI_Type_c2f(type)), &number));
    CHECK_INT(number, 3 * (int)sizeof(int));
    MUST(MPI_Type_free(&type));

    MUST(MPI_Op_create(sum, 1, &op));
    ROUND_TRIP(Op, op);
    int a = 2, b = 3;
    MUST(MPI_Reduce_local(&a, &b, 1, MPI_INT, MPI_Op_f2c(MPI_Op_c2f(op))));
    CHECK_INT(b, 5);
    MUST(MPI_Op_free(&op));

    MUST(MPI_Irecv(&in, 1, MPI_INT, rank, 1, comm, &request));
    ROUND_TRIP(Request, request);
    MPI_Request same = MPI_Request_f2c(MPI_Request_c2f(request));
    MUST(MPI_Send(&out, 1, MPI_INT, rank, 1, comm));
    MUST(MPI_Wait(&same, MPI_STATUS_IGNORE));
    CHECK(same == MPI_REQUEST_NULL);
    CHECK_INT(in, 5);

    /* Requests that a translation tracks: of functions with arrays, and of a new communicator. */
    int *numbers = calloc((size_t)size * 4, sizeof *numbers), *ones = numbers + size, *places = numbers + 2 * size, *arrived = numbers + 3 * size;
    MPI_Datatype *ints = calloc((size_t)size, sizeof *ints);
    for (int i = 0; i < size; i++) {
        numbers[i] = 10 * rank + i;
        ones[i] = 1;
        places[i] = 4 * i;
        ints[i] = MPI_INT;
    }
    MUST(MPI_Ialltoallw(numbers, ones, places, ints, arrived, ones, places, ints, comm, &request));
    ROUND_TRIP(Request, request);
    same = MPI_Request_f2c(MPI_Request_c2f(request));
    MUST(MPI_Wait(&same, MPI_STATUS_IGNORE));
    CHECK_INT(arrived[size - 1], 10 * (size - 1) + rank);
    free(numbers);
    free(ints);
    MPI_Comm later = MPI_COMM_NULL;
    MUST(MPI_Comm_idup(comm, &later, &request));
    ROUND_TRIP(Request, request);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(later != MPI_COMM_NULL);
    MUST(MPI_Comm_free(&later));

    MUST(MPI_Recv_init(&in, 1, MPI_INT, rank, 1, comm, &request));
    ROUND_TRIP(Request, request);
    MPI_Fint f = MPI_Request_c2f(request);
    for (int i = 0; i < 10; i++) {
        MUST(MPI_Start(&request));
        CHECK_INT(MPI_Request_c2f(request), f);
        MUST(MPI_Send(&out, 1, MPI_INT, rank, 1, comm));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_INT(MPI_Request_c2f(request), f);
    }
    MUST(MPI_Request_free(&request));

    MUST(MPI_Isend(&out, 1, MPI_INT, rank, 2, comm, &request));
    MUST(MPI_Mprobe(rank, 2, comm, &message, MPI_STATUS_IGNORE));
    message = MPI_Message_f2c(MPI_Message_c2f(message));
    in = -1;
    MUST(MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
    CHECK_INT(in, 5);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));

    MUST(MPI_Comm_create_errhandler(on_error, &handler));
    ROUND_TRIP(Errhandler, handler);
    MUST(MPI_Errhandler_free(&handler));
    MUST(MPI_Info_create(&info));
    ROUND_TRIP(Info, info);
    MUST(MPI_Info_set(info, "key", "value"));
    MUST(MPI_Info_get_nkeys(MPI_Info_f2c(MPI_Info_c2f(info)), &number));
    CHECK_INT(number, 1);
    MUST(MPI_Info_free(&info));

    int *base = NULL;
    MUST(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &base, &win));
    ROUND_TRIP(Win, win);
    MUST(MPI_Win_free(&win));

    char path[64];
    snprintf(path, sizeof path, "handle_c2f.%d.%ld.tmp", rank, (long)MPI_Wtime());
    MUST(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                       &file));
    ROUND_TRIP(File, file);
    MPI_File same_file = MPI_File_f2c(MPI_File_c2f(file));
    MPI_Offset bytes = -1;
    MUST(MPI_File_get_size(same_file, &bytes));
    CHECK_INT(bytes, 0);
    MUST(MPI_File_close(&file));

#ifndef MPI_ABI_VERSION
    /* Statuses: a status converted to Fortran and back means the same. */
    MPI_Status status, returned;
    MPI_Fint words[64];
    int data[3] = {1, 2, 3}, got[4], count = -1, flag = -1;
    MUST(MPI_Sendrecv(data, 3, MPI_INT, rank, 7, got, 4, MPI_INT, rank, 7, comm, &status));
    memset(words, 0x55, sizeof words);
    memset(&returned, 0x66, sizeof returned);
    MUST(MPI_Status_c2f(&status, words));
    MUST(MPI_Status_f2c(words, &returned));
    CHECK_INT(returned.MPI_SOURCE, rank);
    CHECK_INT(returned.MPI_TAG, 7);
    MUST(MPI_Get_count(&returned, MPI_INT, &count));
    CHECK_INT(count, 3);
    MUST(MPI_Test_cancelled(&returned, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Status_set_cancelled(&status, 1));
    MUST(MPI_Status_c2f(&status, words));
    MUST(MPI_Status_f2c(words, &returned));
    MUST(MPI_Test_cancelled(&returned, &flag));
    CHECK_INT(flag, 1);
    MUST(MPI_Get_count(&returned, MPI_INT, &count));
    CHECK_INT(count, 3);
#endif
    MUST(MPI_Comm_free(&comm));
    return check_done("handle_c2f");
}
