// MPI::File, data representations and generalized requests with C++ callbacks
// (MPI-2.2, 13, 12.2 and 16.1).
#include "check.h"
#include <cstring>
#include <unistd.h>

static int queries, frees;

static int query(void *extra, MPI::Status &status)
{
    queries++;
    status.Set_elements(MPI::INT, *(int *)extra);
    status.Set_cancelled(false);
    return MPI::SUCCESS;
}
static int free_request(void *) { frees++; return MPI::SUCCESS; }
static int cancel(void *, bool) { return MPI::SUCCESS; }

static void requests()
{
    int elements = 3;
#ifdef OPEN_MPI
    MPI::Grequest request = MPI::Grequest::Start(query, free_request, cancel, &elements);
#else
    MPI::Grequest request; // in MPICH it is no static function
    request = request.Start(query, free_request, cancel, &elements);
#endif
    CHECK(!request.Test());
    request.Complete();
    MPI::Status status;
    request.Wait(status);
    CHECK(status.Get_elements(MPI::INT) == 3 && queries >= 1 && frees == 1);
}

#ifdef OPEN_MPI // MPICH's bindings have no Register_datarep
static int extents;

static void extent(const MPI::Datatype &type, MPI::Aint &bytes, void *extra)
{
    extents++;
    CHECK(extra == &extents);
    bytes = type.Get_size();
}
static void convert(void *user, MPI::Datatype &type, int count, void *file, MPI::Offset position, void *)
{
    memcpy(user, (char *)file + position * type.Get_size(), count * type.Get_size());
}
static void convert_back(void *user, MPI::Datatype &type, int count, void *file, MPI::Offset position, void *)
{
    memcpy((char *)file + position * type.Get_size(), user, count * type.Get_size());
}

static void representations()
{
    // Registering a name twice is an error, which shows that the first registration succeeded.
    MPI::FILE_NULL.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    MPI::Register_datarep("ours", convert, convert_back, extent, &extents);
    CHECK(THROWN(MPI::Register_datarep("ours", convert, convert_back, extent, &extents)) != MPI::SUCCESS);
}
#endif

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();
    requests();

    const char *name = "cxx-files.data";
    MPI::File file = MPI::File::Open(MPI::COMM_WORLD, name, MPI::MODE_CREATE | MPI::MODE_RDWR | MPI::MODE_DELETE_ON_CLOSE, MPI::INFO_NULL);
    CHECK(file.Get_amode() == (MPI::MODE_CREATE | MPI::MODE_RDWR | MPI::MODE_DELETE_ON_CLOSE));
    int out[4] = {rank, rank + 1, rank + 2, rank + 3}, in[4] = {-1, -1, -1, -1};
    MPI::Status status;
    file.Set_view(16 * rank, MPI::INT, MPI::INT, "native", MPI::INFO_NULL);
    file.Write_at_all(0, out, 4, MPI::INT, status);
    CHECK(status.Get_count(MPI::INT) == 4);
    file.Sync();
    file.Seek(1, MPI_SEEK_SET);
    file.Read(in, 3, MPI::INT, status);
    CHECK(status.Get_count(MPI::INT) == 3 && in[0] == rank + 1 && in[2] == rank + 3);
    MPI::COMM_WORLD.Barrier();
    CHECK(file.Get_size() == 16 * size);
#ifndef OPEN_MPI // MPICH's bindings take the results by value
    MPI::Offset offset = 0;
    MPI::Datatype etype, filetype;
    char representation[MPI_MAX_DATAREP_STRING];
    file.Get_view(offset, etype, filetype, representation);
    CHECK(offset == 16 * rank && etype.Get_size() == 4 && filetype.Get_size() == 4 && !strcmp(representation, "native"));
#endif
    file.Close();
    CHECK(file == MPI::FILE_NULL);

    // The default error handler of files remains when the file is closed.
    MPI::FILE_NULL.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    for (int i = 0; i < 3; i++) {
        file = MPI::File::Open(MPI::COMM_WORLD, name, MPI::MODE_CREATE | MPI::MODE_RDWR | MPI::MODE_DELETE_ON_CLOSE, MPI::INFO_NULL);
        CHECK(THROWN(file.Seek(-1, MPI_SEEK_SET)) != MPI::SUCCESS);
        file.Close();
    }
    MPI::FILE_NULL.Set_errhandler(MPI::ERRORS_RETURN);

#ifdef OPEN_MPI
    representations();
#endif
    int result = report();
    MPI::Finalize();
    return result;
}
