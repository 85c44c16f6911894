# Functions of tests/projects.sh for MPICH's test suite on the embedded MPI. docs/embedded-ledger.md has the tables of its ledger.

# wrappers FAMILY: writes the commands of a family's wrappers, as the suite's configure looks for them.
wrappers() {
    mkdir -p "wrappers-$1/bin"
    for tool in mpicc mpif77 mpifort mpicxx mpiexec; do
        case $1-$tool in
        mpiabi-mpif77) command=$root/build/bin/mpifort ;;
        mpiabi-*) command=$root/build/bin/$tool ;;
        *) command=$tool.$1 ;;
        esac
        printf '#!/bin/sh\nexec %s "$@"\n' "$command" >"wrappers-$1/bin/$tool"
        chmod +x "wrappers-$1/bin/$tool"
    done
}

# configure_whole FAMILY: prepares the programs in C, C++ and Fortran. The standard ABI has no C++ bindings.
configure_whole() {
    rm -rf "$1"
    wrappers "$1"
    cp -a "$work/mpich/test/mpi" "$1"
    cd "$1"
    # make would generate configure again, with the tools of its authors, if another file were newer.
    find . -type f -exec touch -r README {} +
    # It builds mpi_f08 only with MPICH itself.
    sed -i 's/test "$enable_f08" = "yes" -a "$FROM_MPICH" = "yes"/test "$enable_f08" = "yes"/' configure
    options=
    if [ "$1" != mpich ]; then
        options=--enable-strictmpi
        [ "$1" != mpiabi ] || options="$options --disable-cxx"
        sed -i 's/MPI_Type_\(hvector\|hindexed\|struct\)\>/MPI_Type_create_\1/g' dtpools/src/*.c
    fi
    # Open MPI 4.1 has persistent collective operations as extensions, and MPI::Win without NULL_COPY_FN and NULL_DELETE_FN.
    [ "$1" != openmpi ] || sed -i 's/MPI::Win::NULL_\(COPY\|DELETE\)_FN/(MPI::Win::\L\u\1\E_attr_function *) 0/g' util/mtest_cxx.cxx
    [ "$1" != openmpi ] || sed -i 's/\<MPI_\([A-Z][a-z_]*\)_init\>/MPIX_\1_init/g; s/^#include "mpi.h"/&\n#include <mpi-ext.h>/' coll/p_*.c
    CFLAGS="-std=gnu99 -O1 -w" FFLAGS="-O1 -w -fallow-argument-mismatch" FCFLAGS="-O1 -w -fallow-argument-mismatch" quietly "embedded-$1-configure.log" \
        ./configure --with-mpi="$PWD/../wrappers-$1" --enable-fortran=all --enable-threads=multiple $options
    touch configured
    cd ..
}

# build_whole FAMILY: builds the programs, without the chapters that known.json leaves out.
build_whole() {
    [ -e "$1/configured" ] || configure_whole "$1"
    cd "$1"
    for part in util dtpools/src; do
        quietly "embedded-$1-library.log" make -j2 -C $part
    done
    # Some programs are not for every MPI. A program that uses a module may be compiled before it, so in parallel a second
    # run may be needed.
    chapters=$(SUITE=embedded python3 "$root/tests/projects/suite.py" directories .)
    for part in $chapters $chapters; do
        [ -e built ] || make -k -j2 -C $part SUBDIRS=. >>"$work/embedded-$1-make.log" 2>&1 </dev/null || true
    done
    touch built
    cd ..
}

# both_limits RANKS BUILD FILE LAUNCHER…: runs the programs for up to so many ranks, and the ones that did not end once more,
# with more time.
both_limits() {
    ranks=$1
    shift
    for step in run again; do
        [ $step = run ] && limit=60 || limit=900
        SUITE=embedded SUITE_LIMIT=$limit SUITE_RANKS=$ranks python3 "$root/tests/projects/suite.py" $step "$@"
    done
}

# ledger FAMILY…: builds the programs with each family, runs MPICH's natively and all on the embedded MPI, and prints the
# ledger. What an interrupted run has built and found stays.
ledger() {
    build_whole mpich
    both_limits 4 "$build/mpich" "$work/embedded-native.verdicts" $patient mpiexec.mpich
    verdicts=
    for family; do
        build_whole "$family"
        SUITE=embedded python3 "$root/tests/projects/suite.py" unbuilt "$build/$family" "$work/embedded-$family.verdicts.unbuilt"
        both_limits 10 "$build/$family" "$work/embedded-$family.verdicts" wi4go run --to embedded
        verdicts="$verdicts $family=$work/embedded-$family.verdicts"
    done
    SUITE=embedded python3 "$root/tests/projects/ledger.py" "$build/mpich" "$work/embedded-native.verdicts" $verdicts
}
