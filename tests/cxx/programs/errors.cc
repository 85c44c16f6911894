// Errors as exceptions and error handlers written in C++ (MPI-2.2, 16.1.8), on communicators, windows and files. MPI
// works after each error.
#include "check.h"

static int calls, last_code, last_size;

static void on_comm(MPI::Comm &comm, int *code, ...)
{
    calls++;
    last_code = MPI::Get_error_class(*code);
    last_size = comm.Get_size(); // MPI from inside
}

static void on_comm_too(MPI::Comm &, int *, ...) { calls += 1000; }

// Leaves through the MPI library, which still works afterwards.
static void on_comm_throws(MPI::Comm &, int *code, ...) { throw *code; }

static void on_win(MPI::Win &win, int *code, ...)
{
    calls++;
    last_code = MPI::Get_error_class(*code);
    CHECK(win != MPI::WIN_NULL);
}
static void on_file(MPI::File &, int *code, ...)
{
    calls++;
    last_code = MPI::Get_error_class(*code);
}

// Returns the class of the error that an invalid rank throws on the communicator.
static int thrown(const MPI::Comm &comm)
{
    int x = 0;
    return THROWN(comm.Send(&x, 1, MPI::INT, 9999, 0));
}

// Checks that two processes (or one with itself) can still exchange a number.
static void works(int rank, int size)
{
    int out = rank, in = -1;
    MPI::COMM_WORLD.Sendrecv(&out, 1, MPI::INT, (rank + 1) % size, 0, &in, 1, MPI::INT, (rank + size - 1) % size, 0);
    CHECK(in == (rank + size - 1) % size);
}

static void exceptions(int rank, int size)
{
    CHECK(MPI::COMM_WORLD.Get_errhandler() == MPI::ERRORS_ARE_FATAL);
    MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    CHECK(MPI::COMM_WORLD.Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);
    for (int i = 0; i < 1000; i++)
        if (thrown(MPI::COMM_WORLD) != MPI::ERR_RANK)
            CHECK(!"ERR_RANK");
    works(rank, size);
    MPI::Intracomm dup = MPI::COMM_WORLD.Dup();
    CHECK(dup.Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);
    CHECK(thrown(dup) == MPI::ERR_RANK);
    dup.Set_errhandler(MPI::ERRORS_RETURN);
    CHECK(thrown(dup) == 0 && dup.Get_errhandler() == MPI::ERRORS_RETURN);
    dup.Free();

    CHECK(THROWN(MPI::COMM_WORLD.Recv(&rank, -1, MPI::INT, 0, 0)) == MPI::ERR_COUNT);
    CHECK(THROWN(MPI::COMM_WORLD.Call_errhandler(MPI::ERR_OTHER)) == MPI::ERR_OTHER);
    works(rank, size);
    MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_ARE_FATAL);
}

static void communicators(int rank, int size)
{
    MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
    MPI::Errhandler mine = MPI::Comm::Create_errhandler(on_comm), other = MPI::Comm::Create_errhandler(on_comm_too);
    CHECK(mine != other);
    calls = last_size = 0;
    comm.Set_errhandler(mine);
    CHECK(comm.Get_errhandler() == mine);
    CHECK(thrown(comm) == 0);
    CHECK(calls == 1 && last_code == MPI::ERR_RANK && last_size == size);
    for (int i = 0; i < 10; i++)
        thrown(comm);
    CHECK(calls == 11);
    // A message that is too long for the receive, and an explicit call of the handler.
    int out[2] = {1, 2}, in;
    MPI::Request sent = comm.Isend(out, 2, MPI::INT, rank, 7);
    calls = 0;
    comm.Recv(&in, 1, MPI::INT, rank, 7);
    CHECK(calls == 1 && last_code == MPI::ERR_TRUNCATE);
    sent.Wait();
    comm.Call_errhandler(MPI::ERR_TRUNCATE);
    comm.Call_errhandler(MPI::ERR_TRUNCATE);
    CHECK(calls == 3);
    // The call has no communicator, so the error goes to MPI_COMM_WORLD or MPI_COMM_SELF.
    MPI::COMM_WORLD.Set_errhandler(mine);
    MPI::COMM_SELF.Set_errhandler(mine);
    calls = 0;
    MPI::INT.Create_contiguous(-1);
    CHECK(calls == 1);
    MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_ARE_FATAL);
    MPI::COMM_SELF.Set_errhandler(MPI::ERRORS_ARE_FATAL);
    calls = 0;
    comm.Call_errhandler(MPI::ERR_TAG);
    CHECK(calls == 1 && last_code == MPI::ERR_TAG);
    comm.Set_errhandler(other);
    calls = 0;
    comm.Call_errhandler(MPI::ERR_TAG);
    CHECK(calls == 1000);
    other.Free();
    CHECK(other == MPI::ERRHANDLER_NULL);
    comm.Call_errhandler(MPI::ERR_TAG);
    CHECK(calls == 2000);
    comm.Set_errhandler(mine);
    mine.Free();
    calls = 0;
    comm.Call_errhandler(MPI::ERR_COMM);
    CHECK(calls == 1 && last_code == MPI::ERR_COMM);

    MPI::Errhandler throws = MPI::Comm::Create_errhandler(on_comm_throws);
    comm.Set_errhandler(throws);
    struct guard { int &n; ~guard() { n++; } };
    int unwound = 0;
    for (int i = 0; i < 1000; i++) {
        int x = 0, caught = MPI::SUCCESS;
        try {
            guard g = {unwound};
            comm.Send(&x, 1, MPI::INT, 9999, 0);
        } catch (int code) {
            caught = MPI::Get_error_class(code);
        }
        if (caught != MPI::ERR_RANK)
            CHECK(!"the handler's exception");
        if (i % 100 == 0)
            works(rank, size);
    }
    CHECK(unwound == 1000);
    throws.Free();
    comm.Free();
    for (int i = 0; i < 20000; i++) {
        MPI::Errhandler e = MPI::Comm::Create_errhandler(i % 2 ? on_comm : on_comm_too);
        if (i % 256 == 0) {
            MPI::Intracomm self = MPI::COMM_SELF.Dup();
            self.Set_errhandler(e);
            calls = 0;
            self.Call_errhandler(MPI::ERR_TAG);
            CHECK(calls == 1000);
            self.Free();
        }
        e.Free();
    }
    works(rank, size);
}

#ifdef OPEN_MPI
// The function by which the bindings report their own errors.
extern "C" int ompi_cxx_errhandler_invoke_comm(MPI_Comm comm, int code, const char *message);
extern "C" int ompi_cxx_errhandler_invoke_file(MPI_File file, int code, const char *message);

static void own_errors(int size)
{
    MPI::Errhandler mine = MPI::Comm::Create_errhandler(on_comm), files = MPI::File::Create_errhandler(on_file);
    MPI::COMM_WORLD.Set_errhandler(mine);
    MPI::FILE_NULL.Set_errhandler(files);
    calls = 0;
    CHECK(ompi_cxx_errhandler_invoke_comm(MPI_COMM_WORLD, MPI_ERR_INTERN, "test") != MPI_SUCCESS);
    CHECK(calls == 1 && last_code == MPI::ERR_INTERN && last_size == size);
    CHECK(ompi_cxx_errhandler_invoke_file(MPI_FILE_NULL, MPI_ERR_IO, "test") != MPI_SUCCESS);
    CHECK(calls == 2 && last_code == MPI::ERR_IO);
    MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_ARE_FATAL);
    MPI::FILE_NULL.Set_errhandler(MPI::ERRORS_RETURN);
    mine.Free();
    files.Free();
}
#endif

static void windows(int rank, int size)
{
    int memory[2] = {rank, 0}, x = 1;
    MPI::Win win = MPI::Win::Create(memory, sizeof memory, sizeof *memory, MPI::INFO_NULL, MPI::COMM_WORLD);
    win.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    CHECK(win.Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);
    win.Fence(0);
    CHECK(THROWN(win.Put(&x, 1, MPI::INT, 9999, 0, 1, MPI::INT)) == MPI::ERR_RANK);
    MPI::Errhandler mine = MPI::Win::Create_errhandler(on_win);
    win.Set_errhandler(mine);
    CHECK(win.Get_errhandler() == mine);
    calls = 0;
    win.Call_errhandler(MPI::ERR_ARG);
    CHECK(calls == 1 && last_code == MPI::ERR_ARG);
    win.Put(&x, 1, MPI::INT, 9999, 0, 1, MPI::INT);
    CHECK(calls == 2 && last_code == MPI::ERR_RANK);
    int value = 10 + rank;
    win.Put(&value, 1, MPI::INT, (rank + 1) % size, 1, 1, MPI::INT);
    win.Fence(0);
    CHECK(memory[1] == 10 + (rank + size - 1) % size);
    mine.Free();
    win.Free();
}

static void files()
{
    MPI::FILE_NULL.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    CHECK(THROWN(MPI::File::Open(MPI::COMM_SELF, "no/such/file", MPI::MODE_RDONLY, MPI::INFO_NULL)) == MPI::ERR_NO_SUCH_FILE);
    MPI::Errhandler mine = MPI::File::Create_errhandler(on_file);
    MPI::FILE_NULL.Set_errhandler(mine);
    calls = 0;
    MPI::File::Open(MPI::COMM_SELF, "no/such/file", MPI::MODE_RDONLY, MPI::INFO_NULL);
    CHECK(calls == 1 && last_code == MPI::ERR_NO_SUCH_FILE);
    MPI::FILE_NULL.Set_errhandler(MPI::ERRORS_RETURN);
    mine.Free();
}

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();
    exceptions(rank, size);
    communicators(rank, size);
    windows(rank, size);
    files();
#ifdef OPEN_MPI
    own_errors(size);
#endif
    int result = report();
    MPI::Finalize();
    return result;
}
