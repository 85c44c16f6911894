"""What mpi4py makes of MPI: objects by pickle, arrays, datatypes, operations, attributes, windows, files, errors."""
import array
import os
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
right, left = (rank + 1) % size, (rank - 1) % size

# Objects: pickled, probed and of unknown length.
got = world.sendrecv({"from": rank, "text": "x" * 1000 * rank}, right, 5, source=MPI.ANY_SOURCE, recvtag=5)
assert got == {"from": left, "text": "x" * 1000 * left}, got
assert world.bcast([1, "two", 3.0] if rank == 0 else None) == [1, "two", 3.0]
assert world.gather(rank * rank) == ([i * i for i in range(size)] if rank == 0 else None)
assert world.allreduce(rank + 1) == size * (size + 1) // 2
assert world.alltoall([(rank, i) for i in range(size)]) == [(i, rank) for i in range(size)]

# Arrays, statuses, a persistent and a nonblocking call.
status = MPI.Status()
data, room = array.array("d", [rank + 0.5] * 7), array.array("d", [0] * 9)
request = world.Irecv(room, left, 6)
world.Send(data, right, 6)
request.Wait(status)
assert status.Get_source() == left and status.Get_tag() == 6 and status.Get_count(MPI.DOUBLE) == 7
assert list(room) == [left + 0.5] * 7 + [0, 0]
requests = [world.Send_init(data, right, 7), world.Recv_init(room, left, 7)]
for _ in range(3):
    MPI.Prequest.Startall(requests)
    MPI.Request.Waitall(requests)
for request in requests:
    request.Free()

# An operation, a datatype and a keyval in Python.
longest = MPI.Op.Create(lambda a, b, t: memoryview(b).cast("i").__setitem__(0, max(memoryview(a).cast("i")[0], memoryview(b).cast("i")[0])))
number, most = array.array("i", [10 * rank]), array.array("i", [-1])
world.Allreduce([number, MPI.INT], [most, MPI.INT], longest)
assert most[0] == 10 * (size - 1), most
longest.Free()
kind = MPI.INT.Create_vector(3, 1, 2).Commit()
source, target = array.array("i", range(6)), array.array("i", [-1] * 6)
world.Sendrecv([source, 1, kind], right, 8, [target, 1, kind], left, 8)
assert list(target) == [0, -1, 2, -1, 4, -1], target
assert kind.combiner == MPI.COMBINER_VECTOR
kind.Free()
deleted = []
keyval = MPI.Comm.Create_keyval(copy_fn=lambda comm, key, value: value + 1, delete_fn=lambda comm, key, value: deleted.append(value))
world.Set_attr(keyval, 41)
copy = world.Dup()
assert copy.Get_attr(keyval) == 42
copy.Free()
assert deleted == [42]
world.Delete_attr(keyval)
MPI.Comm.Free_keyval(keyval)
assert world.Get_attr(MPI.TAG_UB) >= 32767

# A communicator with another order; a window and a file, unless the MPI is the embedded one.
back = world.Split(0, -rank)
assert back.rank == size - 1 - rank
assert MPI.Comm.Compare(back, world) == (MPI.SIMILAR if size > 1 else MPI.CONGRUENT)
back.Free()
if "embedded" not in sys.argv:
    memory = array.array("i", [0] * size)
    window = MPI.Win.Create(memory, 4, comm=world)
    window.Fence()
    window.Put([array.array("i", [rank + 100]), MPI.INT], right, left)
    window.Fence()
    assert memory[(left - 1) % size] == left + 100, memory
    window.Free()
    name = world.bcast(os.path.abspath("objects.out"))
    file = MPI.File.Open(world, name, MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE)
    file.Write_at_all(8 * rank, array.array("i", [rank, -rank]))
    file.Sync()
    world.Barrier()
    read = array.array("i", [0] * 2)
    file.Read_at_all(8 * left, read, status)
    assert list(read) == [left, -left] and status.Get_count(MPI.INT) == 2
    file.Close()

# An error is an exception with its class.
request = world.Isend(data, right, 9)
try:
    world.Recv([room, 2, MPI.DOUBLE], left, 9)
except MPI.Exception as error:
    assert error.Get_error_class() == MPI.ERR_TRUNCATE, error
else:
    assert False, "a message was cut without a word"
request.Wait()

if world.allreduce(1) == size and rank == 0:
    print("PASS", size, flush=True)
