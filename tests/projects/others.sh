# Functions of tests/projects.sh for suites that it runs from sources given by path. A suite has a list of its programs,
# tests/projects/NAME.testlist, in the format that suite.py reads, and its known failures in known.json.

# given NAME REPOSITORY [stay]: copies the suite's sources from WI4GO_SOURCES into a directory for each library in $libraries,
# and its list of programs into them. With stay the directories are empty. A continued run keeps the copies that are built,
# and the verdicts.
given() {
    [ -n "${WI4GO_SOURCES:-}" ] && [ -d "$WI4GO_SOURCES/$1" ] ||
        { echo "tests/projects.sh: no sources of $1: set WI4GO_SOURCES to a directory with a copy of github.com/$2 named $1" >&2; exit 1; }
    [ -n "${WI4GO_OPENMPI_5_0_BIN:-}" ] && [ -n "${WI4GO_MPICH_5_0_BIN:-}" ] ||
        { echo "tests/projects.sh: $1 needs Open MPI 5.0 and MPICH 5.0: set WI4GO_OPENMPI_5_0_BIN and WI4GO_MPICH_5_0_BIN (build/deps.env)" >&2; exit 1; }
    [ "$continued" ] || rm -f "$work/$1"-*.verdicts*
    for library in $libraries; do
        [ ! -e "$build/$library.built" ] || continue
        rm -rf "${build:?}/$library"
        mkdir "$build/$library"
        [ "${3:-}" = stay ] || cp -a "$WI4GO_SOURCES/$1/." "$build/$library"
        [ ! -f "$root/tests/projects/$1.testlist" ] || cp "$root/tests/projects/$1.testlist" "$build/$library/testlist"
    done
}

# tool NAME LIBRARY: prints the path of the library's own mpicc, mpicxx or mpiexec.
tool() {
    case $2 in
    openmpi-5.0) echo "$WI4GO_OPENMPI_5_0_BIN/$1" ;;
    mpich-5.0) echo "$WI4GO_MPICH_5_0_BIN/$1" ;;
    abi) echo "$WI4GO_MPICH_5_0_BIN/$1" ;;
    mpiabi) echo "$root/build/bin/$1" ;;
    *) echo "$1.$2" ;;
    esac
}

# destination LIBRARY: prints the value of --to.
destination() {
    case $1 in
    *-5.0) tool mpiexec "$1" ;;
    abi) echo "${WI4GO_MPICH_5_0_BIN%/bin}/lib/libmpi_abi.so.1" ;;
    *) echo "$1" ;;
    esac
}

# judged SUITE FAMILY:LIBRARY…: runs, for each pair, the suite's programs built with LIBRARY natively, and the ones built with
# FAMILY through wi4go on LIBRARY, and prints the verdicts. Programs whose native verdicts vary from run to run get more runs
# if they are worse. Launchers of Open MPI get $options.
judged() {
    name=$1
    shift
    suite="env SUITE=$name python3 $root/tests/projects/suite.py"
    for pair; do
        family=${pair%:*} library=${pair#*:}
        native=$work/$name-$library.verdicts ours=$work/$name-$family-on-$library.verdicts
        $suite run "$build/$library" "$native" $patient "$(tool mpiexec "$library")" $(options_of "$library")
        $suite run "$build/$family" "$ours" $patient wi4go run --to "$(destination "$library")" $(options_of "$library")
        $suite varying "$library" "$native" "$build/$library" $patient "$(tool mpiexec "$library")" $(options_of "$library") -- \
            "$ours" "$build/$family" $patient wi4go run --to "$(destination "$library")" $(options_of "$library")
        printf '%s for %s on %s: ' "$name" "$family" "$library"
        $suite table "$family" "$library" "$native" "$ours" || worse=1
    done
}

options_of() {
    case $1 in
    openmpi*) echo "${options:-}" ;;
    esac
}

# each DIRECTORY COMPILER FLAG…: compiles each C program in the directory, four at a time. Some programs are not for every
# library.
each() {
    directory=$1
    shift
    printf '%s\n' "$directory"/*.c | xargs -P 4 -I '{}' sh -c 'source=$1
        shift
        "$@" -w -o "${source%.c}" "$source" -lm || echo "not compiled: $source"' each '{}' "$@" >>"$work/${build##*/}-$library.log" 2>&1
}

# Builds the benchmarks with checks of their data.
build_imb() {
    for part in EXT IO RMA NBC MPI4 MT; do
        openmp=
        [ $part != MT ] || openmp=-fopenmp
        make -C "$1/src_cpp" -j2 TARGET=$part CC="$(tool mpicc "$library")" CXX="$(tool mpicxx "$library")" CPPFLAGS="-DCHECK -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX" \
            CFLAGS="-w $openmp" CXXFLAGS="-w $openmp" >>"$work/imb-$library.log" 2>&1 || true # MPI4 is not for every library
        rm -f "$1"/src_cpp/*.o
    done
}

build_prk() {
    for program in $(awk '!/^#/ { print $1 }' "$1/testlist" | sort -u); do
        printf 'MPICC=%s\nDEFAULT_OPT_FLAGS=-O1 -w\n' "$(tool mpicc "$library")" >"$1/common/make.defs"
        quietly "prk-$library.log" make -C "$1/${program%/*}" "${program##*/}"
    done
}

build_armci() {
    (cd "$1" && [ -x configure ] || quietly "armci-$library-autogen.log" ./autogen.sh)
    (cd "$1" && quietly "armci-$library-configure.log" ./configure --disable-shared CC="$(tool mpicc "$library")" CFLAGS="-O1 -w")
    quietly "armci-$library.log" make -C "$1" -j2 checkprogs
}

# Builds the tests of partitioned communication, sessions, big counts (here of 64 MB) and events, and some others.
build_ompi_tests() {
    cc=$(tool mpicc "$library")
    each "$1/partitioned-communication" "$cc" -fopenmp
    each "$1/sessions" "$cc"
    each "$1/collective-big-count" "$cc" -DTEST_PAYLOAD_SIZE=67108864
    each "$1/comm_split_type" "$cc"
    each "$1/singleton" "$cc"
    for source in "$1"/events/events_*.c; do
        common=$1/events/events_common.c
        case $source in
        "$common") continue ;;
        *_example.c) common= ;;
        esac
        "$cc" -w -o "${source%.c}" "$source" $common || echo "not compiled: $source"
    done >>"$work/ompi-tests-$library.log" 2>&1
}

# MPICH declares the functions in mpi.h and has no mpi-ext.h.
build_ulfm() {
    mkdir "$1/include"
    case $library in
    mpich*) : >"$1/include/mpi-ext.h" ;;
    esac
    each "$1/api" "$(tool mpicc "$library")" -I"$1/include"
}

# Writes the probes of Open MPI's tests of the standard ABI, and compiles them by wi4go's wrapper, by MPICH 5.0's for its own
# standard ABI (library abi), and natively. A probe that converts handles to integers does not compile natively.
build_mpi_abi() {
    python3 -B "$root/tests/projects/probes.py" "$WI4GO_SOURCES/mpi-abi" "$root/build/gen/mpiabi/mpi.h" "$1"
    case $library in
    mpiabi) each "$1" "$root/build/bin/mpicc" ;;
    abi) each "$1" "$WI4GO_MPICH_5_0_BIN/mpicc_abi" ;;
    *) each "$1" "$(tool mpicc "$library")" -DMPI_H_ABI ;;
    esac
}

# build_suite NAME: builds a suite's copies for all libraries at the same time, and leaves the file LIBRARY.built for each.
build_suite() {
    for library in $libraries; do
        [ ! -e "$build/$library.built" ] || continue
        (
            "build_$(echo "$1" | tr - _)" "$build/$library"
            : >"$build/$library.built"
        ) &
    done
    wait
    for library in $libraries; do
        [ -e "$build/$library.built" ] || exit 1
    done
}
