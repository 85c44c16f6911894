# Opens libraries as an interpreter does: a scope (RTLD_LOCAL, RTLD_GLOBAL), then names. It calls plugin_run of a
# plugin, and MPI_Init of an MPI library, or MPI_Comm_size if MPI is initialized. Prints the results.
import ctypes
import sys

mode = getattr(ctypes, sys.argv[1])
begun = False
for i, name in enumerate(sys.argv[2:]):
    last = i == len(sys.argv) - 3
    library = ctypes.CDLL(name, mode=mode)
    if name.endswith("plugin.so"):
        assert library.plugin_run(int(not begun), int(last)) == 0
        begun = True
        continue
    flag = ctypes.c_int(-1)
    assert library.MPI_Initialized(ctypes.byref(flag)) == 0 and flag.value == int(begun)
    if not begun:
        assert library.MPI_Init(None, None) == 0
        begun = True
    try:
        world = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(library, "ompi_mpi_comm_world")))
    except ValueError:
        # MPICH's number; the standard ABI's (MPI-5.0, 20).
        world = ctypes.c_void_p(257) if "abi" in name else ctypes.c_int(0x44000000)
    size, rank = ctypes.c_int(-1), ctypes.c_int(-1)
    assert library.MPI_Comm_size(world, ctypes.byref(size)) == 0
    assert library.MPI_Comm_rank(world, ctypes.byref(rank)) == 0
    if last:
        assert library.MPI_Finalize() == 0
        sys.stdout.write(f"rank {rank.value} of {size.value}: ok\n")  # in one piece
