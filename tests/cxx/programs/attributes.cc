// Keyvals with C++ callbacks on communicators of each class, datatypes and
// windows (MPI-2.2, 6.7 and 16.1.5).
#include "check.h"
#include <cstdint>

static int copies, deletes;
static int extra = 17;
static const char *expected; // the class that the callback must get

static const char *class_of(const MPI::Comm &comm)
{
    return dynamic_cast<const MPI::Cartcomm *>(&comm) ? "cart"
        : dynamic_cast<const MPI::Graphcomm *>(&comm) ? "graph"
        : dynamic_cast<const MPI::Intercomm *>(&comm) ? "inter"
        : dynamic_cast<const MPI::Intracomm *>(&comm) ? "intra" : "none";
}

static int key;

static int copy(const MPI::Comm &comm, int keyval, void *state, void *in, void *out, bool &flag)
{
    copies++;
    CHECK(state == &extra && keyval == key);
    CHECK(class_of(comm) == expected);
    CHECK(comm.Get_size() > 0);
    *(void **)out = (void *)((intptr_t)in + 1);
    flag = true;
    return MPI::SUCCESS;
}

static int remove(MPI::Comm &comm, int keyval, void *value, void *state)
{
    deletes++;
    CHECK(state == &extra && keyval == key && (intptr_t)value >= 100);
    CHECK(class_of(comm) == expected);
    return MPI::SUCCESS;
}

static int copy_not(const MPI::Comm &, int, void *, void *, void *, bool &flag)
{
    copies++;
    flag = false;
    return MPI::SUCCESS;
}

template <class C> static void attached(C &comm, const char *name)
{
    void *value = NULL;
    expected = name;
    copies = deletes = 0;
    key = MPI::Comm::Create_keyval(copy, remove, &extra);
    CHECK(!comm.Get_attr(key, &value));
    comm.Set_attr(key, (void *)100);
    CHECK(comm.Get_attr(key, &value) && value == (void *)100);
    C dup = comm.Dup();
    CHECK(copies == 1 && dup.Get_attr(key, &value) && value == (void *)101);
    dup.Free();
    CHECK(deletes == 1);
    comm.Delete_attr(key);
    CHECK(deletes == 2 && !comm.Get_attr(key, &value));

    // Attributes outlive their keyval.
    int keyval = key;
    comm.Set_attr(keyval, (void *)200);
    MPI::Comm::Free_keyval(keyval);
    CHECK(keyval == MPI::KEYVAL_INVALID);
    C second = comm.Dup();
    CHECK(copies == 2);
    second.Free();
    CHECK(deletes == 3);
    comm.Free();
    CHECK(deletes == 4);
}

static MPI::Datatype seen;

#ifdef OPEN_MPI
typedef const void *attribute_in;
#else
typedef void *attribute_in;
#endif

static int type_copy(const MPI::Datatype &type, int keyval, void *state, attribute_in in, void *out, bool &flag)
{
    copies++;
    CHECK(type == seen && keyval == key && state == &extra);
    *(attribute_in *)out = in;
    flag = true;
    return MPI::SUCCESS;
}

static int type_remove(MPI::Datatype &type, int keyval, void *, void *state)
{
    deletes++;
    CHECK(keyval == key && state == &extra && type.Get_size() == 12);
    return MPI::SUCCESS;
}

static int win_remove(MPI::Win &win, int keyval, void *value, void *state)
{
    deletes++;
    CHECK(win != MPI::WIN_NULL && keyval == key && value == &extra && state == NULL);
    return MPI::SUCCESS;
}

static int win_copy(const MPI::Win &, int, void *, void *, void *, bool &)
{
    copies++;
    return MPI::SUCCESS;
}

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    const int size = MPI::COMM_WORLD.Get_size(), rank = MPI::COMM_WORLD.Get_rank();
    void *value = NULL;
    CHECK(MPI::COMM_WORLD.Get_attr(MPI::TAG_UB, &value) && *(int *)value >= 32767);

    MPI::Intracomm intra = MPI::COMM_WORLD.Dup();
    attached(intra, "intra");
    int dims[1] = {size};
    bool periods[1] = {false};
    MPI::Cartcomm cart = MPI::COMM_WORLD.Create_cart(1, dims, periods, false);
    attached(cart, "cart");
    int index[8], edges[8];
    for (int i = 0; i < size; i++)
        index[i] = i + 1, edges[i] = (i + 1) % size;
    MPI::Graphcomm graph = MPI::COMM_WORLD.Create_graph(size, index, edges, false);
    attached(graph, "graph");
    if (size > 1) {
        MPI::Intracomm side = MPI::COMM_WORLD.Split(rank % 2, rank);
        MPI::Intercomm across = side.Create_intercomm(0, MPI::COMM_WORLD, 1 - rank % 2, 4);
        attached(across, "inter");
        side.Free();
    }

    // The bindings' own callbacks, and two keyvals at once.
    copies = 0;
    int kept = MPI::Comm::Create_keyval(MPI::Comm::DUP_FN, MPI::Comm::NULL_DELETE_FN, NULL);
    int lost = MPI::Comm::Create_keyval(MPI::Comm::NULL_COPY_FN, MPI::Comm::NULL_DELETE_FN, NULL);
    int refused = MPI::Comm::Create_keyval(copy_not, MPI::Comm::NULL_DELETE_FN, NULL);
    MPI::Intracomm one = MPI::COMM_WORLD.Dup();
    one.Set_attr(kept, &extra);
    one.Set_attr(lost, &extra);
    one.Set_attr(refused, &extra);
    MPI::Intracomm two = one.Dup();
    CHECK(copies == 1 && two.Get_attr(kept, &value) && value == &extra);
    CHECK(!two.Get_attr(lost, &value) && !two.Get_attr(refused, &value));
    two.Free();
    one.Free();
    MPI::Comm::Free_keyval(kept);
    MPI::Comm::Free_keyval(lost);
    MPI::Comm::Free_keyval(refused);

    copies = deletes = 0;
    key = MPI::Datatype::Create_keyval(type_copy, type_remove, &extra);
    MPI::Datatype type = seen = MPI::INT.Create_contiguous(3);
    type.Set_attr(key, &extra);
    MPI::Datatype again = type.Dup();
    CHECK(copies == 1 && again.Get_attr(key, &value) && value == &extra);
    again.Free();
    type.Free();
    CHECK(deletes == 2);
    MPI::Datatype::Free_keyval(key);

    copies = deletes = 0;
    key = MPI::Win::Create_keyval(win_copy, win_remove, NULL);
    int memory[4] = {0};
    MPI::Win win = MPI::Win::Create(memory, sizeof memory, sizeof *memory, MPI::INFO_NULL, MPI::COMM_WORLD);
    win.Set_attr(key, &extra);
    CHECK(win.Get_attr(key, &value) && value == &extra);
    win.Free();
    CHECK(deletes == 1 && copies == 0);
    MPI::Win::Free_keyval(key);

    // Repeated creation and deletion.
    expected = "intra";
    for (int i = 0; i < 20000; i++) {
        int keyval = key = MPI::Comm::Create_keyval(copy, remove, &extra);
        if (i % 16 == 0) {
            MPI::COMM_SELF.Set_attr(keyval, (void *)300);
            MPI::COMM_SELF.Delete_attr(keyval);
        }
        MPI::Comm::Free_keyval(keyval);
    }
    CHECK(deletes == 1 + 1250);
    int result = report();
    MPI::Finalize();
    return result;
}
