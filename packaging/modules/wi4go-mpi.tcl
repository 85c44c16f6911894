#%Module1.0
# wi4go's MPI to compile with, and the command wi4go, from the tree that this file is in.
set prefix [file normalize $ModulesCurrentModulefile/../../../../..]
set mpi $prefix/lib/wi4go/mpi
module-whatis "wi4go-mpi: an MPI to compile with, whose programs run on every MPI library"
proc ModulesHelp {} {
    puts stderr "mpicc compiles programs for the MPI-5 standard's ABI, and mpiexec --to openmpi -n 4 ./app runs them on any MPI library."
}
# Only one MPI to compile with can be loaded at a time.
if {[llength [info commands family]]} {
    family mpi
}
conflict openmpi mpich mvapich mvapich2 intelmpi impi intel-mpi cray-mpich
prepend-path PATH $prefix/bin
prepend-path PATH $mpi/bin
# The variables that CMake, autoconf's macros, Meson and pkg-config read.
setenv MPI_HOME $mpi
setenv MPI_ROOT $mpi
# configure scripts split the name of a compiler at spaces, so a path with a space is left to PATH.
set bin $mpi/bin/
if {[string first " " $bin] >= 0} {
    set bin ""
}
setenv MPICC ${bin}mpicc
setenv MPICXX ${bin}mpicxx
setenv MPIFC ${bin}mpifort
setenv MPIF90 ${bin}mpif90
setenv MPIF77 ${bin}mpif77
prepend-path PKG_CONFIG_PATH $mpi/lib/pkgconfig
