// Pack_size, Pack and Unpack of datatypes in the C++ bindings of MPI-2.2: the packed data fit into the size, and have the values again
// after they are unpacked. For each layout of a pool of SIGNATURE, COUNT times.
#include "pool.h"

#include <vector>

static void test(DTP_t pool, int index, const DTP_obj_t *o)
{
    char text[512];
    MPI::Datatype type(o->DTP_obj_type);
    int elements = DTP_pool_elements(pool), out = 0, in = 0;
    int bytes = type.Get_size() * o->DTP_obj_count, room = type.Pack_size(o->DTP_obj_count, MPI::COMM_WORLD);
    if (room < bytes)
        fail("Pack_size is %d for %d bytes of data", room, bytes);
    std::vector<char> packed(static_cast<size_t>(room));
    type.Pack(o->DTP_obj_buf, o->DTP_obj_count, &packed[0], room, out, MPI::COMM_WORLD);
    if (out < bytes || out > room)
        fail("the position after Pack is %d, with %d bytes of data and a size of %d", out, bytes, room);
    if (DTP_obj_free(pool, index) != DTP_SUCCESS || DTP_obj_create(pool, index, 0, 0, 0) != DTP_SUCCESS)
        fail("the object cannot be created again");
    MPI::Datatype(o->DTP_obj_type).Unpack(&packed[0], out, o->DTP_obj_buf, o->DTP_obj_count, in, MPI::COMM_WORLD);
    if (in != out)
        fail("the position after Unpack is %d, expected %d", in, out);
    if (DTP_obj_buf_check_report(pool, index, 3, 1, elements, text, sizeof text) != DTP_SUCCESS)
        fail("%s", text);
}

int main(int argc, char **argv) { return run(argc, argv, test); }
