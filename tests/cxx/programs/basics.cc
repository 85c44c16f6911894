// The classes of MPI-2.2's C++ bindings: communicators, groups, datatypes,
// statuses, requests, infos.
#include "check.h"
#include <cstring>
#include <complex>

static void environment()
{
    int major, minor, length;
    MPI::Get_version(major, minor);
    CHECK(major >= 3);
    char name[MPI_MAX_PROCESSOR_NAME];
    MPI::Get_processor_name(name, length);
    CHECK((int)strlen(name) == length);
    CHECK(MPI::Is_initialized() && !MPI::Is_finalized());
    CHECK(MPI::Wtime() >= 0 && MPI::Wtick() >= 0);
    int dims[2] = {0, 3};
    MPI::Compute_dims(6, 2, dims);
    CHECK(dims[0] == 2);
    int a[4];
    CHECK(MPI::Get_address(&a[2]) - MPI::Get_address(&a[0]) == 2 * (MPI::Aint)sizeof *a);
    CHECK(MPI::Get_error_class(MPI::ERR_TRUNCATE) == MPI::ERR_TRUNCATE);
}

static void point_to_point(int rank, int size)
{
    const int to = (rank + 1) % size, from = (rank + size - 1) % size;
    double out[3] = {rank + 0.5, 2, 3}, in[4] = {0, 0, 0, 7};
    MPI::Status status;
    MPI::Request requests[2] = {
        MPI::COMM_WORLD.Irecv(in, 4, MPI::DOUBLE, MPI::ANY_SOURCE, MPI::ANY_TAG),
        MPI::COMM_WORLD.Isend(out, 3, MPI::DOUBLE, to, 5),
    };
    MPI::Status statuses[2];
    MPI::Request::Waitall(2, requests, statuses);
    CHECK(statuses[0].Get_source() == from && statuses[0].Get_tag() == 5);
    CHECK(statuses[0].Get_count(MPI::DOUBLE) == 3 && statuses[0].Get_elements(MPI::DOUBLE) == 3);
    CHECK(!statuses[0].Is_cancelled());
    CHECK(in[0] == from + 0.5 && in[3] == 7);
    CHECK(requests[0] == MPI::REQUEST_NULL && requests[1] == MPI::REQUEST_NULL);

    int sent = 10 + rank, got = -1;
    MPI::COMM_WORLD.Sendrecv(&sent, 1, MPI::INT, to, 1, &got, 1, MPI::INT, from, 1, status);
    CHECK(got == 10 + from && status.Get_source() == from);

    MPI::Prequest receive = MPI::COMM_WORLD.Recv_init(&got, 1, MPI::INT, from, 2);
    MPI::Prequest send = MPI::COMM_WORLD.Send_init(&sent, 1, MPI::INT, to, 2);
    for (int i = 0; i < 3; i++) {
        sent = 100 * i + rank;
        receive.Start();
        send.Start();
        send.Wait();
        receive.Wait(status);
        CHECK(got == 100 * i + from && status.Get_tag() == 2);
    }
    receive.Free();
    send.Free();
    CHECK(receive == MPI::REQUEST_NULL);

    if (size > 1) {
        if (rank == 0) {
            MPI::COMM_WORLD.Send(&sent, 1, MPI::INT, 1, 3);
        } else if (rank == 1) {
            MPI::COMM_WORLD.Probe(0, 3, status);
            CHECK(status.Get_count(MPI::INT) == 1);
            MPI::COMM_WORLD.Recv(&got, 1, MPI::INT, 0, 3);
            CHECK(got == 200);
        }
    }
    CHECK(!MPI::COMM_WORLD.Iprobe(MPI::ANY_SOURCE, 77));
    MPI::COMM_WORLD.Recv(&got, 1, MPI::INT, MPI::PROC_NULL, 0, status);
    CHECK(status.Get_source() == MPI::PROC_NULL && status.Get_count(MPI::INT) == 0);
}

static void collectives(int rank, int size)
{
    int one = rank + 1, sum = 0, all = size * (size + 1) / 2;
    MPI::COMM_WORLD.Allreduce(&one, &sum, 1, MPI::INT, MPI::SUM);
    CHECK(sum == all);
    MPI::COMM_WORLD.Reduce(rank ? (void *)&one : MPI::IN_PLACE, &one, 1, MPI::INT, MPI::SUM, 0);
    CHECK(rank || one == all);
    bool yes = rank == 0, any = false;
    MPI::COMM_WORLD.Allreduce(&yes, &any, 1, MPI::BOOL, MPI::LOR);
    CHECK(any);
    std::complex<double> z(rank, 1), total;
    MPI::COMM_WORLD.Allreduce(&z, &total, 1, MPI::DOUBLE_COMPLEX, MPI::SUM);
    CHECK(total == std::complex<double>(all - size, size));
    int gathered[8] = {0};
    MPI::COMM_WORLD.Allgather(&rank, 1, MPI::INT, gathered, 1, MPI::INT);
    CHECK(gathered[size - 1] == size - 1);
    char text[8] = "";
    if (!rank)
        strcpy(text, "hello");
    MPI::COMM_WORLD.Bcast(text, 8, MPI::CHAR, 0);
    CHECK(!strcmp(text, "hello"));
    MPI::COMM_WORLD.Barrier();
}

static void communicators(int rank, int size)
{
    MPI::Intracomm dup = MPI::COMM_WORLD.Dup();
    CHECK(MPI::Comm::Compare(dup, MPI::COMM_WORLD) == MPI::CONGRUENT);
    CHECK(dup != MPI::COMM_WORLD && !dup.Is_inter());
    dup.Set_name("doubled");
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    dup.Get_name(name, length);
    CHECK(!strcmp(name, "doubled") && length == 7);
    MPI::Group world = MPI::COMM_WORLD.Get_group(), other = dup.Get_group(), first;
    CHECK(world.Get_size() == size && world.Get_rank() == rank);
    CHECK(MPI::Group::Compare(world, other) == MPI::IDENT);
    int zero = 0;
    first = world.Incl(1, &zero);
    MPI::Intracomm alone = MPI::COMM_WORLD.Create(first);
    CHECK((alone == MPI::COMM_NULL) == (rank != 0));
    if (rank == 0)
        alone.Free();
    first.Free();
    other.Free();
    world.Free();
    MPI::Comm &clone = dup.Clone();
    CHECK(clone.Get_size() == size);
    clone.Free();
    delete &clone;
    MPI::Intracomm half = MPI::COMM_WORLD.Split(rank % 2, rank);
    CHECK(half.Get_size() == (size + 1 - rank % 2) / 2);
    half.Free();
    dup.Free();
    CHECK(dup == MPI::COMM_NULL);

    if (size > 1) {
        MPI::Intracomm side = MPI::COMM_WORLD.Split(rank % 2, rank);
        MPI::Intercomm across = side.Create_intercomm(0, MPI::COMM_WORLD, 1 - rank % 2, 4);
        CHECK(across.Is_inter() && across.Get_remote_size() == (size + rank % 2) / 2);
        int value = rank, from = -1;
        if (side.Get_rank() == 0) {
            across.Sendrecv(&value, 1, MPI::INT, 0, 0, &from, 1, MPI::INT, 0, 0);
            CHECK(from == 1 - rank);
        }
        int root = 42 + rank;
        across.Bcast(&root, 1, MPI::INT, rank % 2 ? 0 : side.Get_rank() ? MPI::PROC_NULL : MPI::ROOT);
        CHECK(rank % 2 == 0 || root == 42);
        MPI::Intracomm merged = across.Merge(rank % 2);
        CHECK(merged.Get_size() == size);
        merged.Free();
        across.Free();
        side.Free();
    }

    int dims[1] = {size};
    bool periods[1] = {true}, got_periods[1] = {false};
    MPI::Cartcomm ring = MPI::COMM_WORLD.Create_cart(1, dims, periods, false);
    int source, destination, coords[1], got_dims[1];
    ring.Shift(0, 1, source, destination);
    CHECK(destination == (rank + 1) % size && source == (rank + size - 1) % size);
    ring.Get_topo(1, got_dims, got_periods, coords);
    CHECK(got_dims[0] == size && got_periods[0] && coords[0] == rank);
    CHECK(ring.Get_topology() == MPI::CART);
    ring.Free();

    int index[8], edges[8];
    for (int i = 0; i < size; i++)
        index[i] = i + 1, edges[i] = (i + 1) % size;
    MPI::Graphcomm graph = MPI::COMM_WORLD.Create_graph(size, index, edges, false);
    int neighbour = -1;
    CHECK(graph.Get_neighbors_count(rank) == 1);
    graph.Get_neighbors(rank, 1, &neighbour);
    CHECK(neighbour == (rank + 1) % size);
    CHECK(graph.Get_topology() == MPI::GRAPH);
    graph.Free();
}

static void datatypes(int rank, int size)
{
    struct pair { double d; int i; } pairs[2] = {{rank + 0.25, rank}, {1, 2}}, got[2] = {{0, 0}, {0, 0}};
    int lengths[2] = {1, 1};
    MPI::Aint places[2] = {0, (MPI::Aint)sizeof(double)};
    MPI::Datatype types[2] = {MPI::DOUBLE, MPI::INT};
    MPI::Datatype plain = MPI::Datatype::Create_struct(2, lengths, places, types);
    MPI::Datatype type = plain.Create_resized(0, sizeof(pair));
    type.Commit();
    MPI::Aint low, extent;
    type.Get_extent(low, extent);
    CHECK(low == 0 && extent == (MPI::Aint)sizeof(pair) && type.Get_size() == 12);
    MPI::COMM_WORLD.Sendrecv(pairs, 2, type, rank, 0, got, 2, type, rank, 0);
    CHECK(got[0].d == rank + 0.25 && got[0].i == rank && got[1].d == 1 && got[1].i == 2);
    int integers, addresses, datatypes, combiner;
    plain.Get_envelope(integers, addresses, datatypes, combiner);
    CHECK(combiner == MPI::COMBINER_STRUCT && integers == 3 && addresses == 2 && datatypes == 2);
    int ints[3];
    MPI::Aint offsets[2];
    MPI::Datatype contents[2];
    plain.Get_contents(3, 2, 2, ints, offsets, contents);
    CHECK(ints[0] == 2 && offsets[1] == (MPI::Aint)sizeof(double));
    CHECK(contents[0] == MPI::DOUBLE && contents[1] == MPI::INT);
    char packed[64];
    int position = 0, after = 0, unpacked = 0;
    MPI::INT.Pack(&rank, 1, packed, sizeof packed, position, MPI::COMM_WORLD);
    CHECK(position <= MPI::INT.Pack_size(1, MPI::COMM_WORLD));
    MPI::INT.Unpack(packed, sizeof packed, &unpacked, 1, after, MPI::COMM_WORLD);
    CHECK(unpacked == rank && after == position);
    type.Free();
    plain.Free();
    CHECK(type == MPI::DATATYPE_NULL);
    (void)size;
}

static void infos()
{
    MPI::Info info = MPI::Info::Create();
    info.Set("colour", "green");
    char value[32], key[MPI_MAX_INFO_KEY];
    int length;
    CHECK(info.Get_nkeys() == 1);
    CHECK(info.Get("colour", 31, value) && !strcmp(value, "green"));
    CHECK(info.Get_valuelen("colour", length) && length == 5);
    info.Get_nthkey(0, key);
    CHECK(!strcmp(key, "colour") && !info.Get("size", 31, value));
    info.Delete("colour");
    CHECK(info.Get_nkeys() == 0);
    info.Free();
}

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();
    environment();
    point_to_point(rank, size);
    collectives(rank, size);
    communicators(rank, size);
    datatypes(rank, size);
    infos();
    int result = report();
    MPI::Finalize();
    return result;
}
