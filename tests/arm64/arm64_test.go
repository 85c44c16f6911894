// Package arm64 builds everything that runs inside a program for arm64 with a
// cross compiler, and runs a program of the Open MPI family on a small library
// of the MPICH family under qemu: chooser, first call, the Go core, translation
// and callbacks of that architecture, without any MPI for it.
package arm64

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
)

const (
	compiler = "aarch64-linux-gnu-gcc"
	emulator = "qemu-aarch64"
	sysroot  = "/usr/aarch64-linux-gnu"
)

// run runs a command at the top of the repository.
func run(t *testing.T, environment []string, command ...string) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", strings.Join(command, " "), out)
}

// build makes the core and the fronts for arm64 and gives where they are.
func build(t *testing.T) string {
	t.Helper()
	for _, command := range []string{compiler, emulator, "make", "go"} {
		fakempi.Need(t, command)
	}
	dir := t.TempDir()
	run(t, nil, "make", "fronts", "B="+dir, "CC="+compiler)
	run(t, []string{"GOARCH=arm64", "CGO_ENABLED=1", "CC=" + compiler}, "make", "core", "B="+dir)
	return filepath.Join(dir, "lib", "wi4go")
}

// WI4GO_ARM64_ROOT is a directory with Debian's MPICH for arm64, unpacked: programs of
// wi4go's own mpif.h and modules run on that, on one rank (tests/projects.sh arm64).
func TestFortran(t *testing.T) {
	root := os.Getenv("WI4GO_ARM64_ROOT")
	if root == "" {
		t.Skip("WI4GO_ARM64_ROOT is not set")
	}
	const gfortran = "aarch64-linux-gnu-gfortran"
	for _, command := range []string{gfortran, emulator, "make", "go"} {
		fakempi.Need(t, command)
	}
	installed := t.TempDir()
	run(t, []string{"GOARCH=arm64", "CGO_ENABLED=1", "CC=" + compiler}, "make", "interface", "B="+installed, "CC="+compiler)
	mpi, libraries := filepath.Join(installed, "lib", "wi4go", "mpi"), filepath.Join(root, "usr", "lib", "aarch64-linux-gnu")
	sources, err := filepath.Abs(filepath.Join("..", "fortran", "programs"))
	require.NoError(t, err)
	dir := t.TempDir()
	for _, module := range []string{"wi4go_mpi_types.f90", "mpi.f90", "mpi_f08.F90"} {
		run(t, nil, gfortran, "-fsyntax-only", "-J", dir, filepath.Join(mpi, "include", "modules", module))
	}
	for _, binding := range []string{"MPIF", "MOD", "F08"} {
		t.Run(binding, func(t *testing.T) {
			program := filepath.Join(dir, binding)
			run(t, nil, gfortran, "-cpp", "-D"+binding, "-DMPIABI", "-DTRANSLATED", "-I"+sources, "-I"+filepath.Join(mpi, "include"), "-J", dir, "-O1", "-w",
				"-ffree-line-length-none", "-fallow-argument-mismatch", "-o", program, filepath.Join(sources, "procedures.F90"),
				"-L"+filepath.Join(mpi, "lib"), "-lwi4go_fortran", "-lmpi_abi")
			cmd := exec.Command(emulator, "-L", sysroot, "-E", "LD_LIBRARY_PATH="+filepath.Join(mpi, "lib")+":"+libraries,
				"-E", "WI4GO_TO="+filepath.Join(libraries, "libmpich.so.12"), program)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			assert.Regexp(t, `^[1-9]\d* checks passed\n$`, string(out))
		})
	}
}

func TestProgram(t *testing.T) {
	installed := build(t)
	fronts, err := filepath.Glob(filepath.Join(installed, "*", "*.so.*"))
	require.NoError(t, err)
	require.NotEmpty(t, fronts)
	for _, file := range append(fronts, filepath.Join(installed, "libwi4go.so")) {
		f, err := elf.Open(file)
		require.NoError(t, err)
		assert.Equal(t, elf.EM_AARCH64, f.Machine, file)
		require.NoError(t, f.Close())
	}

	dir := t.TempDir()
	library, program := filepath.Join(dir, "libmpi.so.12"), filepath.Join(dir, "program")
	source := filepath.Join("tests", "arm64", "programs")
	front := filepath.Join(installed, "openmpi", "libmpi.so.40")
	run(t, nil, compiler, "-Wall", "-Wextra", "-shared", "-fPIC", "-o", library, filepath.Join(source, "runtime.c"))
	run(t, nil, compiler, "-Wall", "-Wextra", "-o", program, filepath.Join(source, "program.c"), front)
	out, err := exec.Command(emulator, "-L", sysroot,
		"-E", "LD_LIBRARY_PATH="+filepath.Dir(front), "-E", "WI4GO_TO="+library, program).CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, "arm64 ok\n", string(out))
}
