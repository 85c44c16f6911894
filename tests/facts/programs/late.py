# Opens a front late, as a Python module does. Arguments: the front, then files to open before it, "-", and files to
# open after it. LATE_SCOPE: RTLD_GLOBAL or RTLD_LOCAL for the front.
import ctypes
import os
import sys

front, files = sys.argv[1], sys.argv[2:]
between = files.index("-")
before = [ctypes.CDLL(f) for f in files[:between]]
mpi = ctypes.CDLL(front, mode=getattr(ctypes, os.environ.get("LATE_SCOPE", "RTLD_GLOBAL")))
after = []
for f in files[between + 1:]:
    try:
        after.append(ctypes.CDLL(f))
    except OSError:
        pass  # the thread-local storage is full
flag = ctypes.c_int(-1)
assert mpi.MPI_Initialized(ctypes.byref(flag)) == 0 and flag.value == 0
assert mpi.MPI_Init(None, None) == 0
assert mpi.MPI_Initialized(ctypes.byref(flag)) == 0 and flag.value == 1
try:
    world = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_world")))
except ValueError:
    world = ctypes.c_int(0x44000000)  # MPICH's
size = ctypes.c_int(-1)
assert mpi.MPI_Comm_size(world, ctypes.byref(size)) == 0 and size.value == 1
assert mpi.MPI_Finalize() == 0
print("ok")
