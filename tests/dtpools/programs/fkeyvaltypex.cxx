// Attributes of datatypes in the C++ bindings of MPI-2.2: a key that is freed while datatypes have the attribute. Its functions must
// still be called: the copy function when a datatype is duplicated, the delete function when one is freed. For each layout of a pool
// of SIGNATURE, COUNT times.
#include "pool.h"

static int copies, deletions, extra;
static char value;

// Open MPI's type of the attribute that the copy function gets differs from the standard's (MPI-2.2, 6.7.4).
#ifdef OPEN_MPI
typedef const void *attribute_in;
#else
typedef void *attribute_in;
#endif

static int copy_value(const MPI::Datatype &, int, void *state, attribute_in in, void *out, bool &flag)
{
    if (state != &extra || in != &value)
        fail("the copy function gets other values");
    copies++;
    *static_cast<void **>(out) = &value;
    flag = true;
    return MPI::SUCCESS;
}

static int delete_value(MPI::Datatype &, int, void *in, void *state)
{
    if (state != &extra || in != &value)
        fail("the delete function gets other values");
    deletions++;
    return MPI::SUCCESS;
}

static void expect(const char *calls, int got, int want)
{
    if (got != want)
        fail("%s were made %d times, expected %d", calls, got, want);
}

static void test(DTP_t, int, const DTP_obj_t *o)
{
    MPI::Datatype type = MPI::Datatype(o->DTP_obj_type).Dup(); // because a predefined type cannot be freed
    copies = deletions = 0;
    int key = MPI::Datatype::Create_keyval(copy_value, delete_value, &extra);
    type.Set_attr(key, &value);
    int freed = key;
    MPI::Datatype::Free_keyval(freed);
    if (freed != MPI::KEYVAL_INVALID)
        fail("a freed key is not MPI::KEYVAL_INVALID");
    MPI::Datatype copy = type.Dup();
    expect("calls of the copy function", copies, 1);
    void *got = NULL;
    if (!copy.Get_attr(key, &got) || got != &value)
        fail("the copy lacks the attribute");
    copy.Free();
    expect("calls of the delete function after the copy was freed", deletions, 1);
    type.Free();
    expect("calls of the delete function after both were freed", deletions, 2);
}

int main(int argc, char **argv) { return run(argc, argv, test); }
