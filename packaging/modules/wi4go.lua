-- The command wi4go, from the tree that this file is in.
local prefix = myFileName():match("^(.*)/share/wi4go/modulefiles/[^/]+/[^/]+$")
whatis("wi4go: runs an MPI program on an MPI library other than the one it was compiled for")
help("wi4go run --to mpich -n 4 ./app runs a program on another MPI library, and `wi4go list` shows the MPI libraries of this machine.")
prepend_path("PATH", pathJoin(prefix, "bin"))
