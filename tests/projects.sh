#!/bin/sh
# Builds real projects from Debian's sources with the wrappers of build/bin, once each, and runs their own tests on Open
# MPI and on MPICH: PT-Scotch (C, CMake), libsc of p4est (C, autotools), dune-common (C++, CMake). Then it builds projects
# for one family, which must pass their own tests on the other family's library as natively there: PnetCDF and parallel
# HDF5 (C), Boost.MPI (C++), all with Debian's compiler wrappers, and mpi4py (its wheel). It runs as root, and takes twenty
# to fifty minutes on two cores.
#
# The following run only if they are named:
#   mpich      MPICH's own test programs, as long again
#   mpich-abi  the same with the standard ABI as a third family, compiled by wi4go's wrapper, and MPICH 5.0's library of it
#              (at WI4GO_MPICH_5_0_BIN), four times as long
#   fortran    MPICH's test programs in Fortran, in its three bindings, with Open MPI 5.0 as a third library (at
#              WI4GO_OPENMPI_5_0_BIN), a quarter of an hour
#   embedded   MPICH's test programs in C, C++ and Fortran on the embedded MPI, built with MPICH, Open MPI and for the standard
#              ABI. It prints the ledger tests/projects/testdata/embedded-ledger.txt, and takes an hour
#   mpi4py-embedded  mpi4py's tests on the embedded MPI only, with the builds for Open MPI and MPICH, on one to four ranks
#   scalapack  the tester of ScaLAPACK's BLACS, compiled by mpicc and mpifort of build/bin and natively, some minutes
#   elpa       programs of ELPA's tests over ScaLAPACK, compiled in the same way, some minutes
#   mpif       the test programs of mpif, Fortran bindings over any standard ABI (github.com/eschnett/mpif, at
#              WI4GO_SOURCES), with wi4go's modules
#   imb        Intel's MPI benchmarks beyond MPI1 and P2P (github.com/intel/mpi-benchmarks, at WI4GO_SOURCES); this suite and
#              the following ones run natively and in both directions, on Debian's libraries, and on Open MPI 5.0 and MPICH
#              5.0 (at WI4GO_OPENMPI_5_0_BIN and WI4GO_MPICH_5_0_BIN), some minutes each
#   prk        the parallel research kernels in C (github.com/ParRes/Kernels)
#   armci      the tests of ARMCI-MPI (github.com/pmodels/armci-mpi)
#   ulfm       the tests of ULFM (github.com/ICLDisco/ulfm-testing)
#   ompi-tests Open MPI's public tests (github.com/open-mpi/ompi-tests-public)
#   mpi-abi    Open MPI's tests of the standard ABI (github.com/open-mpi/ompi, as mpi-abi), on all libraries
#   arm64      Fortran for arm64 under emulation, on Debian's MPICH for that processor, and built with MPICH on Open MPI and
#              the reverse
#
# A run of embedded, imb, prk, armci, ulfm, ompi-tests or mpi-abi that was interrupted continues if -continue is added to the
# name, as in imb-continue.
#
#   tests/projects.sh [scotch] [libsc] [dune] [pnetcdf] [mpi4py|mpi4py-embedded] [boost] [hdf5] [mpich|mpich-abi] [fortran] [embedded] [scalapack] [elpa] [mpif] [imb] [prk] [armci] [ulfm] [ompi-tests] [mpi-abi] [arm64]
set -eu
cd "$(dirname "$0")/.."
root=$PWD work=$PWD/build/projects
[ -x build/bin/mpicc ] || { echo "tests/projects.sh: build/bin/mpicc is missing: run make first" >&2; exit 1; }
mkdir -p "$work/lists/partial"
[ $# -gt 0 ] || set -- scotch libsc dune pnetcdf mpi4py boost hdf5

needed="g++ gfortran dpkg-dev python3 openmpi-bin libopenmpi-dev mpich libmpich-dev ca-certificates"
# MPICH's test suite needs no other tools.
case "$*" in embedded | embedded-continue) ;; *) needed="$needed cmake bison flex zlib1g-dev autoconf automake libtool python3-venv" ;; esac
case " $* " in *" boost "*) needed="$needed libboost-serialization-dev libboost-test-dev" ;; esac
case " $* " in *" elpa "*) needed="$needed liblapack-dev libscalapack-openmpi-dev libscalapack-mpich-dev" ;; esac
case " $* " in *" arm64 "*) needed="$needed gcc-aarch64-linux-gnu gfortran-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user" ;; esac
absent=
for p in $needed; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q "install ok installed" || absent="$absent $p"
done
if [ -n "$absent" ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $absent >"$work/apt.log" 2>&1 ||
        { tail "$work/apt.log" >&2; echo "tests/projects.sh: could not install$absent" >&2; exit 1; }
fi

# debian: prints the line for Debian's sources, from the mirror that packages come from.
debian() { echo "deb-src $(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Label: Debian' | head -n 1)"; }

# sources PACKAGE DIRECTORY [PART]: unpacks Debian's source package, or a part of it, with separate lists of sources,
# because a machine may have none. A directory with that name in WI4GO_SOURCES is used if it exists.
sources() {
    [ -d "$work/$2" ] && return
    if [ -n "${WI4GO_SOURCES:-}" ] && [ -d "$WI4GO_SOURCES/$2" ]; then
        cp -a "$WI4GO_SOURCES/$2" "$work/$2"
        return
    fi
    debian >"$work/sources.list"
    own="-o Dir::Etc::SourceList=$work/sources.list -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$work/lists -o APT::Sandbox::User=root"
    (cd "$work" && apt-get $own update -qq && apt-get $own source -qq --download-only "$1") >"$work/apt.log" 2>&1 ||
        { tail "$work/apt.log" >&2; echo "tests/projects.sh: could not get the sources of $1" >&2; exit 1; }
    mkdir "$work/$2.new"
    tar -xf "$work/$1"_*.orig.tar.* -C "$work/$2.new" --strip-components=1 ${3:+--wildcards "*/$3"}
    mv "$work/$2.new" "$work/$2"
}

# quietly LOG COMMAND…: prints the end of the log if the command fails.
quietly() {
    log=$work/$1
    shift
    "$@" >"$log" 2>&1 </dev/null || { tail -n 40 "$log" >&2; echo "tests/projects.sh: failed: $* (the whole log is $log)" >&2; exit 1; }
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export PATH=$root/build/bin:$PATH

# The preload and variables for more ranks than processors: waiting ranks of MPICH use a whole processor each. Open MPI
# 4.1 creates windows of one rank only without ucx.
gcc -O1 -shared -fPIC -o "$work/yield.so" tests/conformance/yield/yield.c
patient="env LD_PRELOAD=$work/yield.so OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_osc=^ucx"
patient="$patient PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none"

# on_both NAME DIRECTORY COMMAND…: runs the project's tests on both libraries.
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

# crossed NAME FUNCTION: calls FUNCTION with a family, a name for its output, the name of the native run's output on
# the same library, and a launcher: natively for each family, then through wi4go for each on the other. FUNCTION prints
# its results.
crossed() {
    for family in openmpi mpich; do
        "$2" $family "$1-$family" "" "mpiexec.$family"
    done
    for family in openmpi mpich; do
        [ $family = openmpi ] && runtime=mpich || runtime=openmpi
        line=$("$2" $family "$1-$family-on-$runtime" "$1-$runtime" "wi4go run --to $runtime") || worse=1
        echo "$1 for $family on $runtime: $line"
    done
}

# both_builds NAME FUNCTION: calls FUNCTION as crossed does, for each library: for its native build, then through wi4go for
# the build of the wrappers in build/bin.
both_builds() {
    for runtime in openmpi mpich; do
        "$2" $runtime "$1-$runtime" "" "$patient mpiexec.$runtime"
        line=$("$2" wi4go "$1-on-$runtime" "$1-$runtime" "$patient wi4go run --to $runtime") || worse=1
        echo "$1 on $runtime: $line"
    done
}

# Prints the results of PnetCDF's tests on two ranks: a line for each that has passed.
pnetcdf() {
    out=$work/files-$2
    rm -rf "$out"
    mkdir "$out"
    for part in testcases nonblocking; do
        timeout 900 make -k -C "$work/build-pnetcdf/$1/test/$part" ptest2 TESTMPIRUN="$4 -n NP" TESTOUTDIR="$out" || true
    done >"$work/$2.log" 2>&1 </dev/null
    grep -E -- '-- (pass|skip)' "$work/$2.log" >"$work/$2.verdicts" || true
    if [ -n "$3" ]; then
        echo "$(wc -l <"$work/$2.verdicts") tests passed, natively $(wc -l <"$work/$3.verdicts")"
        diff "$work/$3.verdicts" "$work/$2.verdicts" >&2
    fi
}

# Prints the programs that end successfully, each run in its own directory. The file programs has the ranks, the name
# and the arguments of each.
programs() {
    rm -rf "$work/files-$2" "$work/$2.log"
    mkdir "$work/files-$2"
    (cd "$work/files-$2" && while read -r ranks program arguments; do
        echo "== $program, $ranks ranks" >>"$work/$2.log"
        timeout "$seconds" $4 -n "$ranks" "$build/$1/$program" $arguments >>"$work/$2.log" 2>&1 </dev/null || continue
        echo "$program, $ranks ranks"
    done <"$build/programs") >"$work/$2.verdicts"
    if [ -n "$3" ]; then
        echo "$(wc -l <"$work/$2.verdicts") of $(wc -l <"$build/programs") runs went well, natively $(wc -l <"$work/$3.verdicts")"
        ! grep -vxFf "$work/$2.verdicts" "$work/$3.verdicts" >&2
    fi
}

# scalapack DIRECTORY SUFFIX PART: builds ScaLAPACK, or a part, with the wrappers that have the suffix. Its own rule
# adds each object to the library at once, which does not work in parallel.
scalapack() {
    cp -a "$work/scalapack" "$1"
    cp "$1/SLmake.inc.example" "$1/SLmake.inc"
    quietly "scalapack-make$2.log" scalapack_make "$1" "$2" -j2 "$3" ARCH=: RANLIB=:
    find "$1" -name '*.o' -o -name '*.oo' | xargs ar cq "$1/libscalapack.a"
}

scalapack_make() {
    dir=$1 suffix=$2
    shift 2
    make -C "$dir" CC="mpicc$suffix" FC="mpifort$suffix" CCFLAGS="-O1 -w" FCFLAGS="-O1 -w -std=legacy" NOOPT="-O0 -w -std=legacy" "$@"
}

# Prints the results of the tester of the BLACS, on four ranks: groups of tests, and their numbers. It ends by an
# abort. One test is skipped if sums in different orders happen to be the same.
blacs() {
    (cd "$build/$1/BLACS/TESTING" && timeout 900 $4 -n 4 ./xFbtest) >"$work/$2.log" 2>&1 </dev/null || true
    sed -n 's/SKIPPED REPEATABLE/PASSED  REPEATABLE/; /TESTS;/p; /PASSED  /p; /DONE /p' "$work/$2.log" >"$work/$2.verdicts"
    if [ -n "$3" ]; then
        echo "$(grep -c PASSED "$work/$2.verdicts") groups of tests passed, natively $(grep -c PASSED "$work/$3.verdicts")"
        grep -q 'DONE BLACS_GRIDEXIT' "$work/$3.verdicts" && diff "$work/$3.verdicts" "$work/$2.verdicts" >&2
    fi
}

# mpich FAMILY RUNTIME: prints the verdicts of MPICH's test programs; see suite.py. Only programs that do not pass run
# natively.
mpich() {
    suite="python3 $root/tests/projects/suite.py" ours=$work/mpich-$1-on-$2.verdicts native=$work/mpich-$2.verdicts
    to=$2 launcher=mpiexec.$2
    if [ "$2" = mpiabi ]; then
        to=$(dirname "$WI4GO_MPICH_5_0_BIN")/lib/libmpi_abi.so.1
        launcher="$WI4GO_MPICH_5_0_BIN/mpiexec -genv LD_PRELOAD $to"
    fi
    $suite run "$work/build-mpich/$1" "$ours" wi4go run --to "$to"
    $suite failed "$ours" "$work/build-mpich/$2" "$native" $launcher
    $suite compare "$native" "$ours"
}

# fortran BINDING FAMILY RUNTIME [JUDGE]: prints the verdicts of MPICH's test programs of a binding through wi4go and
# natively, on the same runtime, or on JUDGE if the runtime has no Fortran.
fortran() {
    suite="python3 $root/tests/projects/suite.py" ours=$work/fortran-$1-$2-on-$3.verdicts native=$work/fortran-$1-${4:-$3}.verdicts
    to=$3
    [ "$3" != openmpi-5.0 ] || to=$WI4GO_OPENMPI_5_0_BIN/mpiexec
    [ -n "${4:-}" ] || $suite run "$work/build-fortran/$3/$1" "$native" $patient "mpiexec.$3"
    $suite run "$work/build-fortran/$2/$1" "$ours" $patient wi4go run --to "$to"
    printf '%s for %s on %s: ' "$1" "$2" "$3"
    $suite table "$2" "${4:-$3}" "$native" "$ours"
}

# Prints the verdicts of mpi4py's tests on one, two and three ranks; see verdicts.py. Without a family only wi4go
# chooses the wheel's module.
mpi4py() {
    python="$work/mpi4py/bin/python3 $root/tests/projects/verdicts.py" worse_here=0
    for ranks in 1 2 3; do
        rm -f "$work/$2-$ranks".[0-9]* "$work/$2-$ranks.log"
        mpi4py_run "$1" "$2-$ranks" "${3:+$3-$ranks}" "$4"
        if [ -n "$3" ]; then
            $python again "$work/$3-$ranks" "$work/$2-$ranks"
            mpi4py_run "$1" "$2-$ranks" "$3-$ranks" "$4"
            printf '%s ranks: ' $ranks
            $python compare "$work/$3-$ranks" "$work/$2-$ranks" || worse_here=1
        fi
    done
    return $worse_here
}

# Prints the verdicts of mpi4py's tests for a family on the embedded MPI, on one to four ranks, without the chapters that
# it lacks. All must pass.
mpi4py_embedded() {
    python="$work/mpi4py/bin/python3 $root/tests/projects/verdicts.py" worse_here=0
    for ranks in 1 2 3 4; do
        rm -f "$work/$2-$ranks".[0-9]* "$work/$2-$ranks.log"
        mpi4py_run "$1" "$2-$ranks" none "wi4go run --to embedded"
        printf '%s ranks: ' $ranks
        $python passed "$work/$2-$ranks" || worse_here=1
    done
    return $worse_here
}

# Installs mpi4py and NumPy, of which some tests send arrays, and unpacks mpi4py's sources in the current directory.
mpi4py_sources() {
    [ -x "$work/mpi4py/bin/python3" ] || quietly mpi4py-venv.log python3 -m venv "$work/mpi4py"
    quietly mpi4py-pip.log "$work/mpi4py/bin/pip" install mpi4py==4.1.2 numpy
    quietly mpi4py-pip.log "$work/mpi4py/bin/pip" download --no-deps --no-binary mpi4py mpi4py==4.1.2
    tar -xf mpi4py-4.1.2.tar.gz --strip-components=1
    mkdir lib
    ln -s "$(ldconfig -p | sed -n 's/.*libmpich\.so\.12 .*=> //p' | head -n 1)" lib/libmpi.so.12
}

# Prints the results of each build on the embedded MPI.
mpi4py_on_embedded() {
    for family in openmpi mpich; do
        line=$(mpi4py_embedded $family mpi4py-$family-on-embedded) || worse=1
        echo "mpi4py for $family on embedded: $line"
    done
}

mpi4py_run() {
    tries=0 launcher=$4
    # The wheel needs MPICH's library by upstream's name.
    [ -n "$3" ] || launcher="env LD_LIBRARY_PATH=$build/lib $4"
    until grep -qsx done "$work/$2.0"; do
        tries=$((tries + 1))
        [ $tries -le 50 ] || { echo "tests/projects.sh: $2 does not finish: see $work/$2.log" >&2; exit 1; }
        env ${1:+MPI4PY_MPIABI=$1} LD_PRELOAD="$work/yield.so" OMPI_MCA_mpi_yield_when_idle=1 timeout 900 $launcher -n "$ranks" \
            $python run "$build/test" "$work/$2" ${3:+"$work/$3"} >>"$work/$2.log" 2>&1 </dev/null || true
    done
}

. tests/projects/others.sh
. tests/projects/embedded.sh

for project; do
    continued=
    case $project in
    embedded-continue | imb-continue | prk-continue | armci-continue | ulfm-continue | ompi-tests-continue | mpi-abi-continue)
        continued=yes project=${project%-continue}
        ;;
    esac
    build=$work/build-$project
    [ $project != mpich-abi ] || build=$work/build-mpich
    [ "$continued" ] || rm -rf "$build"
    mkdir -p "$build"
    cd "$build"
    case $project in
    scotch)
        sources scotch scotch
        # The library that it finds now determines the launcher's options.
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
    pnetcdf)
        sources pnetcdf pnetcdf
        (cd ../pnetcdf && { [ -x configure ] || quietly pnetcdf-autoreconf.log autoreconf -i; })
        for family in openmpi mpich; do
            mkdir $family
            cd $family
            quietly pnetcdf-$family-configure.log "$work/pnetcdf/configure" --disable-fortran --disable-cxx MPICC="$(command -v mpicc.$family)"
            quietly pnetcdf-$family-make.log make -j2 tests
            cd ..
        done
        crossed pnetcdf pnetcdf
        ;;
    boost)
        sources boost1.74 boost libs/mpi
        cp -a ../boost/libs/mpi/. .
        # Boost.Test as a shared library, which also exists, not compiled into each program.
        sed -i 's,test/included/,test/,' test/*.cpp
        sed -n 's/.*\[ mpi-test \([^]]*[^] ]\) *\].*/\1/p' test/Jamfile.v2 >tests
        # On the requested number of ranks, but at most four.
        awk -F ' *: *' '{
            n = split($4 ? $4 : "1 2 3 4", ranks, " ")
            for (i = 1; i <= n && ranks[i - 1] < 4; i++) print (ranks[i] < 4 ? ranks[i] : 4), $1
        }' tests >programs
        for family in openmpi mpich; do
            mkdir $family
            cd $family
            ls ../src/*.cpp ../test/debugger.cpp >sources
            quietly boost-$family-library.log xargs -a sources -P 2 -n 1 mpicxx.$family -w -c
            rest="$(echo *.o) -lboost_serialization -lboost_unit_test_framework"
            awk -F ' *: *' -v rest="$rest" '{ print "../test/" ($2 ? $2 : $1 ".cpp"), "-o", $1, rest }' ../tests >links
            quietly boost-$family-make.log xargs -a links -P 2 -L 1 mpicxx.$family -w -DBOOST_TEST_DYN_LINK
            cd ..
        done
        seconds=120
        crossed boost programs
        ;;
    hdf5)
        sources hdf5 hdf5
        # Without t_cache and t_cache_image, which take minutes each, and t_bigio, which needs gigabytes. t_prestart
        # reads the file of t_pshutdown. t_pflush2 reads the file of t_pflush1, which ends without MPI_Finalize and so
        # never successfully.
        quick="t_mpi t_pread t_pshutdown t_prestart t_pflush1 t_pflush2 t_init_term t_filters_parallel" slow="testphdf5 t_shapesame"
        for family in openmpi mpich; do
            mkdir $family
            cd $family
            CFLAGS=-w quietly hdf5-$family-configure.log ../../hdf5/configure --enable-parallel --disable-shared --disable-hl --disable-tools --enable-build-mode=production --enable-optimization=none CC=mpicc.$family
            quietly hdf5-$family-library.log make -j2 -C src
            quietly hdf5-$family-library.log make -C test libh5test.la
            quietly hdf5-$family-make.log make -j2 -C testpar $quick $slow
            cd ..
        done
        printf '2 testpar/%s\n' $quick $slow >programs
        printf '4 testpar/%s\n' $quick >>programs
        seconds=300
        HDF5TestExpress=3 crossed hdf5 programs
        ;;
    mpi4py)
        mpi4py_sources
        crossed mpi4py mpi4py
        for runtime in openmpi mpich; do
            line=$(mpi4py "" mpi4py-chosen-on-$runtime mpi4py-$runtime "wi4go run --to $runtime") || worse=1
            echo "mpi4py on $runtime, its module chosen by wi4go: $line"
        done
        mpi4py_on_embedded
        ;;
    mpi4py-embedded)
        mpi4py_sources
        mpi4py_on_embedded
        ;;
    mpich | mpich-abi)
        sources mpich mpich
        rm -f "$work"/mpich-*.verdicts*
        families="openmpi mpich"
        [ $project = mpich ] || families="$families mpiabi"
        for family in $families; do
            mkdir -p $family wrappers-$family/bin
            for tool in mpicc mpiexec; do
                [ $family = mpiabi ] && command=$root/build/bin/$tool || command=$tool.$family
                printf '#!/bin/sh\nexec %s "$@"\n' "$command" >wrappers-$family/bin/$tool
                chmod +x wrappers-$family/bin/$tool
            done
            cp -a ../mpich/test/mpi/. $family
            cd $family
            strict=
            if [ $family != mpich ]; then
                strict=--enable-strictmpi
                # Functions that MPI-3.0 removed, and all libraries except MPICH, too.
                sed -i 's/MPI_Type_\(hvector\|hindexed\|struct\)\>/MPI_Type_create_\1/g' dtpools/src/*.c
            fi
            CFLAGS="-std=gnu99 -O1 -w" quietly mpich-$family-configure.log ./configure --with-mpi="$PWD/../wrappers-$family" --disable-fortran --disable-cxx --enable-threads=multiple $strict
            make -k -j2 >"$work/mpich-$family-make.log" 2>&1 </dev/null || true # some programs are not for every MPI
            cd ..
        done
        for family in $families; do
            for runtime in $families; do
                [ $family = $runtime ] || line=$(mpich $family $runtime) || worse=1
                [ $family = $runtime ] || echo "mpich for $family on $runtime: $line"
            done
        done
        ;;
    fortran)
        sources mpich mpich
        rm -f "$work"/fortran-*.verdicts*
        for family in openmpi mpich; do
            mkdir -p $family wrappers-$family/bin
            for tool in mpicc mpif77 mpifort mpiexec; do
                printf '#!/bin/sh\nexec %s "$@"\n' $tool.$family >wrappers-$family/bin/$tool
                chmod +x wrappers-$family/bin/$tool
            done
            cp -a ../mpich/test/mpi/. $family
            cd $family
            # It builds mpi_f08 only with MPICH itself.
            sed -i 's/test "$enable_f08" = "yes" -a "$FROM_MPICH" = "yes"/test "$enable_f08" = "yes"/' configure
            strict=
            [ $family = mpich ] || strict=--enable-strictmpi
            CFLAGS="-std=gnu99 -O1 -w" FFLAGS="-O1 -w -fallow-argument-mismatch" FCFLAGS="-O1 -w -fallow-argument-mismatch" quietly fortran-$family-configure.log \
                ./configure --with-mpi="$PWD/../wrappers-$family" --enable-fortran=all --disable-cxx $strict
            # Some programs are not for every MPI. A program that uses a module may be compiled before it, so in
            # parallel a second run may be needed.
            for part in util f77 f90 f08 f77 f90 f08; do
                make -k -j2 -C $part >>"$work/fortran-$family-make.log" 2>&1 </dev/null || true
            done
            cd ..
        done
        for binding in f77 f90 f08; do
            fortran $binding mpich openmpi || worse=1
            fortran $binding openmpi mpich || worse=1
            [ -z "${WI4GO_OPENMPI_5_0_BIN:-}" ] || fortran $binding mpich openmpi-5.0 openmpi || worse=1
        done
        ;;
    embedded)
        sources mpich mpich
        [ "$continued" ] || rm -f "$work"/embedded-*.verdicts* "$work"/embedded-*.log
        ledger mpich openmpi mpiabi || worse=1
        ;;
    scalapack)
        sources scalapack scalapack
        for mpi in openmpi mpich wi4go; do
            suffix=.$mpi
            [ $mpi != wi4go ] || suffix=
            scalapack $mpi "$suffix" blacslib
            quietly scalapack-tester.log scalapack_make $mpi "$suffix" blacsexe
        done
        both_builds scalapack blacs
        ;;
    mpif)
        sources mpif mpif
        own="datarep_c sentinel_addresses_c check_f check_f90 check_f08 check_c check_version_fail_f90" # these use symbols of MPICH other than MPI's
        targets=$(sed -n 's/^add_mpi_test(\([a-z0-9_]*\).*/\1/p' "$work/mpif/test/CMakeLists.txt" | grep -vxF "$(echo $own | tr ' ' '\n')")
        quietly mpif-cmake.log cmake -S "$work/mpif/test" -B . -DMPI_C_COMPILER="$root/build/bin/mpicc" \
            -DMPI_Fortran_COMPILER="$root/build/bin/mpifort" -DMPIEXEC_EXECUTABLE="$root/build/bin/mpiexec"
        quietly mpif-make.log make -j2 $targets
        for runtime in openmpi mpich; do
            other="($(echo $own | tr ' ' '|')|check_env.*|mpif_info.*"
            [ $runtime = mpich ] || other="$other|datarep_f08" # Open MPI registers no data representation
            WI4GO_TO=$runtime quietly mpif-$runtime.log $patient ctest --timeout 300 -E "^$other)\$" &&
                echo "mpif on $runtime: $(grep 'tests passed' "$work/mpif-$runtime.log")" || worse=1
        done
        ;;
    elpa)
        sources scalapack scalapack
        sources elpa elpa
        scalapack scalapack-wi4go "" lib
        for mpi in openmpi mpich; do
            mkdir scalapack-$mpi
            ln -s "$(gcc -print-file-name=libscalapack-$mpi.so)" scalapack-$mpi/libscalapack.so # under the name that the linker looks for
        done
        # Each method of the library and each other part that calls MPI, with small matrices.
        for program in autotune_complex_double complex_double_cholesky_1stage_random complex_double_eigenvectors_1stage_analytic \
            complex_double_eigenvectors_2stage_default_kernel_random complex_double_generalized_1stage_random \
            complex_double_hermitian_multiply_1stage_random complex_double_invert_triangular multiple_objs_real_double \
            real_double_eigenvalues_1stage_toeplitz real_double_eigenvectors_1stage_random_split_comm_myself \
            real_double_eigenvectors_2stage_default_kernel_analytic real_double_solve_tridiagonal_1stage_toeplitz \
            skewsymmetric_real_double split_comm_real_double; do
            printf '%s validate_%s 120 40 16\n' 2 $program 4 $program
        done >programs
        for mpi in openmpi mpich wi4go; do
            suffix=.$mpi
            [ $mpi != wi4go ] || suffix=
            mkdir $mpi
            cd $mpi
            quietly elpa-$mpi-configure.log ../../elpa/configure --disable-shared --disable-c-tests --disable-cpp-tests --disable-sse --disable-sse-assembly \
                --disable-avx --disable-avx2 --disable-avx512 CC="mpicc$suffix" CXX="mpicxx$suffix" FC="mpifort$suffix" \
                CFLAGS="-O1 -w" FCFLAGS="-O1 -w -fallow-argument-mismatch" LIBS="-L$build/scalapack-$mpi -lscalapack -llapack -lblas"
            for part in libelpa.la libelpatest.la "$(awk '{ print $2 }' ../programs | uniq)"; do
                quietly elpa-$mpi-make.log make -j2 $part
            done
            cd ..
        done
        seconds=120
        both_builds elpa programs
        ;;
    imb)
        libraries="openmpi mpich openmpi-5.0 mpich-5.0"
        given imb intel/mpi-benchmarks
        build_suite imb
        judged imb openmpi:mpich mpich:openmpi mpich-5.0:openmpi-5.0 openmpi-5.0:mpich-5.0
        ;;
    prk)
        libraries="openmpi mpich mpiabi"
        given prk ParRes/Kernels
        build_suite prk
        judged prk openmpi:mpich mpich:openmpi mpiabi:openmpi mpiabi:mpich
        ;;
    armci)
        libraries="openmpi mpich openmpi-5.0 mpich-5.0"
        given armci pmodels/armci-mpi
        build_suite armci
        judged armci openmpi:mpich mpich:openmpi mpich-5.0:openmpi-5.0 openmpi-5.0:mpich-5.0
        ;;
    ulfm)
        libraries="openmpi-5.0 mpich-5.0"
        given ulfm ICLDisco/ulfm-testing
        build_suite ulfm
        options="--with-ft mpi --mca btl self,tcp"
        judged ulfm mpich-5.0:openmpi-5.0 openmpi-5.0:mpich-5.0
        options=
        ;;
    ompi-tests)
        libraries="mpich openmpi-5.0 mpich-5.0 mpiabi"
        given ompi-tests open-mpi/ompi-tests-public
        build_suite ompi-tests
        judged ompi-tests openmpi-5.0:mpich openmpi-5.0:mpich-5.0 mpich-5.0:openmpi-5.0 mpiabi:mpich mpiabi:mpich-5.0 mpiabi:openmpi-5.0
        ;;
    mpi-abi)
        libraries="mpiabi abi openmpi mpich openmpi-5.0"
        given mpi-abi open-mpi/ompi stay
        build_suite mpi-abi
        judged mpi-abi mpiabi:abi mpiabi:openmpi mpiabi:mpich mpiabi:openmpi-5.0
        ;;
    arm64)
        # The packages for that processor are unpacked, not installed.
        mkdir -p lists/partial debs root
        debian | sed 's/^deb-src/deb [arch=arm64]/' >sources.list
        : >status
        own="-o Dir::Etc::SourceList=$build/sources.list -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$build/lists -o Dir::State::status=$build/status"
        own="$own -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root -o APT::Architecture=arm64 -o APT::Architectures::=arm64"
        quietly arm64-lists.log apt-get $own update -qq
        cd debs
        for p in libmpich12 libmpich-dev libopenmpi3 libopenmpi-dev openmpi-common libucx0 libhwloc15 libibverbs1 librdmacm1 libnl-3-200 libnl-route-3-200 \
            libnuma1 libudev1 libgfortran5 libgcc-s1 libstdc++6 libevent-core-2.1-7 libevent-pthreads-2.1-7 libpmix2 libfabric1 zlib1g; do
            quietly arm64-packages.log apt-get $own download "$p:arm64"
        done
        for deb in *.deb; do
            dpkg -x "$deb" ../root
        done
        cd "$root"
        WI4GO_ARM64_ROOT=$build/root quietly arm64.log go test -count=1 -timeout 60m -v -run TestFortran ./tests/arm64
        echo "arm64: $(grep -c '^    --- PASS' "$log") of 9 programs passed"
        ;;
    *)
        echo "tests/projects.sh: unknown project $project: scotch, libsc, dune, pnetcdf, mpi4py, mpi4py-embedded, boost, hdf5, mpich, mpich-abi, fortran, embedded, scalapack, elpa, mpif, imb, prk, armci, ulfm, ompi-tests, mpi-abi or arm64" >&2
        exit 2
        ;;
    esac
    cd "$root"
done
[ -z "${worse:-}" ] || { echo "tests/projects.sh: some results are worse than natively: see above" >&2; exit 1; }
