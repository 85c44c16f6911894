#!/bin/sh
# Unpacks Open MPI 6 from Debian's unstable release, with the gfortran for its modules, into a directory
# (build/mpi/openmpi-6.0). It downloads 200 MB and unpacks 800 MB; nothing is installed. mpicc, mpif90 and mpiexec in
# its bin/ run there by bubblewrap, because the C library is newer than this machine's, and so does any command after
# enter. The programs that they compile run here as well, through wi4go.
#
#   tests/openmpi6.sh && WI4GO_OPENMPI_6_0_BIN=$PWD/build/mpi/openmpi-6.0/bin go test ./tests/fortran ./tests/launch -run OpenMPI6
set -eu
cd "$(dirname "$0")/.."
repository=$PWD
dir=${1:-$repository/build/mpi/openmpi-6.0}
[ -e "$dir/whole" ] || {
    for command in apt-get dpkg bwrap; do
        command -v $command >/dev/null || {
            echo "cannot install Open MPI 6 from Debian's packages: $command is missing: install it" >&2
            exit 1
        }
    done
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
    [ -n "$mirror" ] || {
        echo "no mirror of Debian found: run apt-get update" >&2
        exit 1
    }

    rm -rf "$dir"
    mkdir -p "$dir/apt/lists/partial" "$dir/apt/archives/partial" "$dir/root" "$dir/bin"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" >"$dir/apt/sources.list"
    : >"$dir/apt/status"
    sid() {
        apt-get -qq -o Dir::State::lists="$dir/apt/lists" -o Dir::State::status="$dir/apt/status" -o Dir::Cache::archives="$dir/apt/archives" \
            -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Dir::Etc::sourcelist="$dir/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
            -o Dir::Etc::preferencesparts=/dev/null -o APT::Sandbox::User=root "$@"
    }
    sid update
    sid install --download-only -y --no-install-recommends libopenmpi-dev openmpi-bin gfortran >"$dir/apt/log"
    for name in bin sbin lib lib64; do
        mkdir -p "$dir/root/usr/$name"
        ln -sfn usr/$name "$dir/root/$name"
    done
    mkdir -p "$dir/root/dev" "$dir/root/proc" "$dir/root/sys" "$dir/root/tmp"
    for package in "$dir"/apt/archives/*.deb; do
        dpkg -x "$package" "$dir/root"
    done
}

# Each of these commands runs there; enter is for any other command.
mkdir -p "$dir/bin"
for name in mpicc mpif90 mpiexec enter; do
    command=$name.openmpi
    [ $name = enter ] && command=
    cat >"$dir/bin/$name" <<END
#!/bin/sh
exec bwrap --bind $dir/root / --dev /dev --proc /proc --ro-bind /sys /sys --bind /tmp /tmp --ro-bind $repository $repository \\
    --chdir "\$PWD" $command "\$@"
END
    chmod +x "$dir/bin/$name"
done
rm -rf "$dir/apt"
touch "$dir/whole"
