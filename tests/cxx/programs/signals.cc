// A signal handler that calls MPI through the C++ bindings while the process waits inside MPI. The call then comes from
// the family's C++ library.
#include <csignal>
#include <unistd.h>
#include "check.h"

static MPI::Intracomm twin;
static volatile std::sig_atomic_t asked, wrong, my_rank, my_size;

extern "C" void on_signal(int)
{
    asked = asked + 1;
    if (MPI::COMM_WORLD.Get_rank() != my_rank || twin.Get_rank() != my_rank || twin.Get_size() != my_size ||
        MPI::INT.Get_size() != int(sizeof(int)) || MPI::Comm::Compare(MPI::COMM_WORLD, twin) != MPI::CONGRUENT)
        wrong = wrong + 1;
}

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    my_rank = MPI::COMM_WORLD.Get_rank();
    my_size = MPI::COMM_WORLD.Get_size();
    twin = MPI::COMM_WORLD.Dup();
    std::signal(SIGUSR1, on_signal);
    int pid = int(getpid()), word = 0, signals = 20;
    const int peer = my_rank ^ 1;
    if (peer < my_size && my_rank & 1) {
        twin.Recv(&pid, 1, MPI::INT, peer, 1);
        for (int i = 0; i < signals; i++) {
            usleep(5000);
            CHECK(!kill(pid_t(pid), SIGUSR1));
        }
        usleep(5000);
        twin.Send(&signals, 1, MPI::INT, peer, 2);
    } else if (peer < my_size) {
        twin.Send(&pid, 1, MPI::INT, peer, 1);
        twin.Recv(&word, 1, MPI::INT, peer, 2);
        CHECK(word == signals);
        CHECK(asked > 0);
    } else {
        std::raise(SIGUSR1);
        CHECK(asked == 1);
    }
    CHECK(wrong == 0);
    twin.Barrier();
    twin.Free();
    const int code = report();
    MPI::Finalize();
    return code;
}
