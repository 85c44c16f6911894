#%Module1.0
# The command wi4go, from the tree that this file is in.
set prefix [file normalize $ModulesCurrentModulefile/../../../../..]
module-whatis "wi4go: runs an MPI program on an MPI library other than the one it was compiled for"
proc ModulesHelp {} {
    puts stderr "wi4go run --to mpich -n 4 ./app runs a program on another MPI library, and `wi4go list` shows the MPI libraries of this machine."
}
prepend-path PATH $prefix/bin
