/* A profiling tool inside the program whose functions get rank and size before they make the profiled call, during file
   access. Open MPI's ROMIO calls MPI_Type_size_x, MPI_Pack_external and others by these names, and any library may. */
#ifndef NAME
#define NAME "inside_tool"
#endif
#include "check.h"

#include "files.h"

static int seen, wrong;

static void ask(void)
{
    int r = -1, s = -1;
    if (rank < 0)
        return;
    seen++;
    wrong += PMPI_Comm_rank(MPI_COMM_WORLD, &r) || r != rank;
    wrong += PMPI_Comm_size(MPI_COMM_WORLD, &s) || s != size;
}

int MPI_Type_size_x(MPI_Datatype type, MPI_Count *bytes)
{
    ask();
    return PMPI_Type_size_x(type, bytes);
}

int MPI_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types, int *combiner)
{
    ask();
    return PMPI_Type_get_envelope(type, integers, addresses, types, combiner);
}

int MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype type, MPI_Count count)
{
    ask();
    return PMPI_Status_set_elements_x(status, type, count);
}

int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag)
{
    ask();
    return PMPI_Comm_get_attr(comm, keyval, value, flag);
}

int MPI_Pack_external(const char *format, const void *in, int count, MPI_Datatype type, void *out, MPI_Aint bytes, MPI_Aint *position)
{
    ask();
    return PMPI_Pack_external(format, in, count, type, out, bytes, position);
}

int MPI_Pack_external_size(const char *format, int count, MPI_Datatype type, MPI_Aint *bytes)
{
    ask();
    return PMPI_Pack_external_size(format, count, type, bytes);
}

int MPI_Unpack_external(const char *format, const void *in, MPI_Aint bytes, MPI_Aint *position, void *out, int count, MPI_Datatype type)
{
    ask();
    return PMPI_Unpack_external(format, in, bytes, position, out, count, type);
}

int MPI_Barrier(MPI_Comm comm)
{
    ask();
    return PMPI_Barrier(comm);
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    ask();
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

/* Every other integer of a strided view is written by all ranks and read back, in a data representation. */
static void access(const char *representation, MPI_Comm comm)
{
    enum { N = 100 };
    int out[N], in[N], count = -1;
    MPI_File file;
    MPI_Datatype every_other;
    MPI_Status status;
    MPI_Request request;
    MUST(MPI_Type_vector(N, 1, 2, MPI_INT, &every_other));
    MUST(MPI_Type_commit(&every_other));
    MUST(MPI_File_open(comm, file_path(representation), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    for (int i = 0; i < N; i++)
        out[i] = 1000 * rank + i, in[i] = -1;
    MUST(MPI_File_set_view(file, (MPI_Offset)rank * 2 * N * 4, MPI_INT, every_other, representation, MPI_INFO_NULL));
    MUST(MPI_File_write_all(file, out, N, MPI_INT, &status));
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, N);
    MUST(MPI_File_seek(file, 0, MPI_SEEK_SET));
    MUST(MPI_File_read(file, in, N, MPI_INT, &status));
    CHECK(!memcmp(in, out, sizeof in));
    MUST(MPI_File_iread_at(file, 10, in, 5, MPI_INT, &request));
    MUST(MPI_Wait(&request, &status));
    CHECK_INT(in[0], out[10]);
    MUST(MPI_File_close(&file));
    MUST(MPI_Type_free(&every_other));
}

int main(int argc, char **argv)
{
    setenv("OMPI_MCA_io", "^ompio", 1); /* select ROMIO if there is a choice */
    check_init(&argc, &argv);
    MPI_Comm twin;
    MPI_Count bytes;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &twin));
    MUST(MPI_Type_size_x(MPI_INT, &bytes));
    CHECK(bytes == 4 && seen == 1);
    access("native", twin);
    access("native", MPI_COMM_SELF);
    MUST(MPI_Barrier(twin));
    CHECK(seen >= 2);
    CHECK_INT(wrong, 0);
    MUST(MPI_Comm_free(&twin));
    return check_done(NAME);
}
