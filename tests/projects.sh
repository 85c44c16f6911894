#!/bin/sh
# Builds real projects from Debian's sources with the wrappers of build/bin, once
# each, and has each pass its own tests on Open MPI and on MPICH: PT-Scotch (C,
# CMake), libsc of p4est (C, autotools), dune-common (C++, CMake). As root; takes
# five to fifteen minutes on two cores.
#   tests/projects.sh [scotch] [libsc] [dune]
set -eu
cd "$(dirname "$0")/.."
root=$PWD work=$PWD/build/projects
[ -x build/bin/mpicc ] || { echo "tests/projects.sh: build/bin/mpicc is missing: run make first" >&2; exit 1; }
mkdir -p "$work/lists/partial"
[ $# -gt 0 ] || set -- scotch libsc dune

needed="cmake g++ gfortran bison flex zlib1g-dev autoconf automake libtool dpkg-dev openmpi-bin mpich ca-certificates"
absent=
for p in $needed; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q "install ok installed" || absent="$absent $p"
done
if [ -n "$absent" ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $absent >"$work/apt.log" 2>&1 ||
        { tail "$work/apt.log" >&2; echo "tests/projects.sh: could not install$absent" >&2; exit 1; }
fi

# sources PACKAGE DIRECTORY: unpacks Debian's source package, by lists of sources
# of our own, since a machine need not have any.
sources() {
    [ -d "$work/$2" ] && return
    echo "deb-src $(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Label: Debian' | head -n 1)" >"$work/sources.list"
    own="-o Dir::Etc::SourceList=$work/sources.list -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$work/lists -o APT::Sandbox::User=root"
    (cd "$work" && apt-get $own update -qq && apt-get $own source -qq --download-only "$1") >"$work/apt.log" 2>&1 ||
        { tail "$work/apt.log" >&2; echo "tests/projects.sh: could not get the sources of $1" >&2; exit 1; }
    mkdir "$work/$2.new"
    tar -xf "$work/$1"_*.orig.tar.* -C "$work/$2.new" --strip-components=1
    mv "$work/$2.new" "$work/$2"
}

# quietly LOG COMMAND…: shows the log's end where it fails.
quietly() {
    log=$work/$1
    shift
    "$@" >"$log" 2>&1 </dev/null || { tail -n 40 "$log" >&2; echo "tests/projects.sh: failed: $* (the whole log is $log)" >&2; exit 1; }
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export PATH=$root/build/bin:$PATH

# on_both NAME DIRECTORY COMMAND…: the project's tests on both libraries.
on_both() {
    name=$1 dir=$2
    shift 2
    cd "$dir"
    for runtime in openmpi mpich; do
        WI4GO_TO=$runtime quietly "$name-$runtime.log" timeout 900 "$@"
        echo "$name on $runtime: $(grep -E '^# PASS|tests passed' "$log" | tail -n 1)"
    done
    cd "$root"
}

for project; do
    rm -rf "$work/build-$project"
    mkdir "$work/build-$project"
    cd "$work/build-$project"
    case $project in
    scotch)
        sources scotch scotch
        # What it finds at this time it takes options of the launcher from.
        WI4GO_TO=mpich quietly scotch-configure.log cmake ../scotch -DCMAKE_BUILD_TYPE=Release -DBUILD_LIBESMUMPS=OFF -DBUILD_LIBSCOTCHMETIS=OFF -DINSTALL_METIS_HEADERS=OFF
        quietly scotch-make.log make -j2
        on_both scotch "$PWD" ctest -R 'dg|dgraph' --timeout 120 --output-on-failure
        ;;
    libsc)
        sources p4est p4est
        (cd ../p4est/sc && [ -x configure ] || { echo 2.2 >.tarball-version && quietly libsc-bootstrap.log ./bootstrap; })
        WI4GO_TO=mpich quietly libsc-configure.log ../p4est/sc/configure --enable-mpi --without-blas CC=mpicc F77=gfortran FC=gfortran
        quietly libsc-make.log make -j2 V=0
        on_both libsc "$PWD" make check
        ;;
    dune)
        sources dune-common dune
        tests="communicationtest indexsettest mpidatatest mpifuturetest mpigatherscattertest mpipacktest remoteindicestest selectiontest syncertest variablesizecommunicatortest"
        WI4GO_TO=mpich quietly dune-configure.log cmake ../dune -DDUNE_ENABLE_PYTHONBINDINGS=OFF
        quietly dune-make.log make -j2 $tests
        on_both dune "$PWD" ctest -R "^($(echo "$tests" | tr ' ' '|'))" --timeout 120 --output-on-failure
        ;;
    *)
        echo "tests/projects.sh: unknown project $project: scotch, libsc or dune" >&2
        exit 2
        ;;
    esac
    cd "$root"
done
