/* A profiling layer inside the program sees every call of the program once, and never a call of the library itself. */
#include "check.h"

#include "files.h"

static int inits, finalizes, sends, recvs, allreduces, barriers, opens, writes, closes, dups, commits, waits, sizes, frees;

int MPI_Init(int *argc, char ***argv)
{
    inits++;
    return PMPI_Init(argc, argv);
}

int MPI_Finalize(void)
{
    finalizes++;
    return PMPI_Finalize();
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    recvs++;
    return PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    waits++;
    return PMPI_Wait(request, status);
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    allreduces++;
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    barriers++;
    return PMPI_Barrier(comm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *dup)
{
    dups++;
    return PMPI_Comm_dup(comm, dup);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    frees++;
    return PMPI_Comm_free(comm);
}

int MPI_Type_commit(MPI_Datatype *type)
{
    commits++;
    return PMPI_Type_commit(type);
}

int MPI_Type_size(MPI_Datatype type, int *bytes)
{
    sizes++;
    return PMPI_Type_size(type, bytes);
}

int MPI_File_open(MPI_Comm comm, const char *name, int amode, MPI_Info info, MPI_File *file)
{
    opens++;
    return PMPI_File_open(comm, name, amode, info, file);
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void *data, int count, MPI_Datatype type,
                          MPI_Status *status)
{
    writes++;
    return PMPI_File_write_at_all(file, at, data, count, type, status);
}

int MPI_File_close(MPI_File *file)
{
    closes++;
    return PMPI_File_close(file);
}

static void add_up(void *in, void *out, int *count, MPI_Datatype *type)
{
    int bytes = 0;
    MPI_Type_size(*type, &bytes);
    for (int i = 0; i < *count; i++)
        ((int *)out)[i] += ((int *)in)[i] * (bytes == sizeof(int));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_INT(inits, 1);
    int value = -1, sum = -1, left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Comm dup;
    MPI_Request request;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    for (int i = 0; i < 3; i++) {
        MUST(MPI_Isend(&rank, 1, MPI_INT, right, i, dup, &request));
        MUST(MPI_Recv(&value, 1, MPI_INT, left, i, dup, MPI_STATUS_IGNORE));
        CHECK_INT(value, left);
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    MUST(MPI_Irecv(&value, 1, MPI_INT, left, 9, dup, &request));
    MUST(MPI_Send(&right, 1, MPI_INT, right, 9, dup));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(value, rank);
    MUST(MPI_Barrier(dup));
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, dup));
    CHECK_INT(sum, size * (size - 1) / 2);
    MPI_Datatype three;
    MUST(MPI_Type_contiguous(3, MPI_INT, &three));
    MUST(MPI_Type_commit(&three));
    MUST(MPI_Type_free(&three));

    MPI_File file;
    char *path = file_path("init_profile.dat");
    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                       &file));
    MUST(MPI_File_write_at_all(file, 4 * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&file));
    CHECK_INT(opens, 1);
    CHECK_INT(writes, 1);
    CHECK_INT(closes, 1);
    CHECK_INT(dups, 1);
    CHECK_INT(sends, 1);
    CHECK_INT(recvs, 3);
    CHECK_INT(waits, 4);
    CHECK_INT(barriers, 1);
    CHECK_INT(allreduces, 1);
    CHECK_INT(commits, 1);
    CHECK_INT(sizes, 0);

    /* A call from inside a callback is also the program's. */
    MPI_Op op;
    MUST(MPI_Op_create(add_up, 1, &op));
    MUST(MPI_Reduce_local(&rank, &sum, 1, MPI_INT, op));
    CHECK_INT(sum, size * (size - 1) / 2 + rank);
    CHECK_INT(sizes, 1);
    MUST(MPI_Op_free(&op));
    MUST(MPI_Comm_free(&dup));
    CHECK_INT(frees, 1);
    int bad = check_done("init_profile");
    return bad || finalizes != 1;
}
