"""wi4go for Spack, built from the git repository that this recipe is in."""
import os

from spack.package import *

try:  # where the build systems are from Spack 1.0 on
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:
    pass


class Wi4go(MakefilePackage):
    """Runs an MPI program on an MPI library other than the one it was compiled for.
    Its own MPI to compile with has the ABI of the MPI-5 standard."""

    git = "file://" + os.path.realpath(os.path.join(os.path.dirname(__file__), "../../../.."))

    license("BSD-3-Clause")
    version("main", branch="main")
    variant("wrappers", default=False, description="put mpicc, mpiexec and the like into bin")

    provides("mpi-abi")

    depends_on("c", type="build")
    depends_on("go@1.26:", type="build")
    depends_on("gmake", type="build")

    def edit(self, spec, prefix):
        pass

    def build(self, spec, prefix):
        make("tree")

    def install(self, spec, prefix):
        make("install", "PREFIX=" + prefix, "WRAPPERS=" + ("yes" if "+wrappers" in spec else "no"))

    def setup_run_environment(self, env):
        env.prepend_path("PATH", self.prefix.bin)

    def setup_dependent_build_environment(self, env, dependent_spec):
        mpi = os.path.join(self.prefix, "lib", "wi4go", "mpi")
        env.prepend_path("PATH", os.path.join(mpi, "bin"))
        env.prepend_path("PKG_CONFIG_PATH", os.path.join(mpi, "lib", "pkgconfig"))
        env.set("MPI_HOME", mpi)
        env.set("MPICC", os.path.join(mpi, "bin", "mpicc"))
        env.set("MPICXX", os.path.join(mpi, "bin", "mpicxx"))
