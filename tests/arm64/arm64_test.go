// Package arm64 builds everything that runs inside a program for arm64 with a cross compiler. Under qemu it runs a
// program of the Open MPI family on a small library of the MPICH family: the chooser, the first call, the Go core,
// translation and callbacks on arm64, without a real MPI. Fortran runs on Debian's libraries for arm64 if they are
// available.
package arm64

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
	"wi4go/tests/harness"
)

const (
	compiler = "aarch64-linux-gnu-gcc"
	emulator = "qemu-aarch64"
	sysroot  = "/usr/aarch64-linux-gnu"
	gfortran = "aarch64-linux-gnu-gfortran"
)

var (
	bindings = []string{"MPIF", "MOD", "F08"} // the names of the bindings in check.h of tests/fortran
	passed   = regexp.MustCompile(`^[1-9]\d* checks passed\n$`)
)

// run runs a command in the repository's top directory.
func run(t *testing.T, environment []string, command ...string) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", strings.Join(command, " "), out)
}

// built is the directory that all tests build in. make finds the results there the next time.
var built string

func TestMain(m *testing.M) {
	var err error
	if built, err = filepath.Abs(filepath.Join("..", "..", "build", "arm64")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// build makes targets of the Makefile for arm64 and returns the directory of their libraries.
func build(t *testing.T, targets ...string) string {
	t.Helper()
	harness.All.From(t, "it compiles everything for arm64")
	for _, command := range []string{compiler, emulator, "make", "go"} {
		fakempi.Need(t, command)
	}
	for _, target := range targets {
		run(t, []string{"GOARCH=arm64", "CGO_ENABLED=1", "CC=" + compiler}, "make", target, "B="+built, "CC="+compiler)
	}
	return filepath.Join(built, "lib", "wi4go")
}

// debian returns the directory of Debian's MPICH and Open MPI for arm64, unpacked below WI4GO_ARM64_ROOT
// (tests/projects.sh arm64).
func debian(t *testing.T) string {
	t.Helper()
	root := os.Getenv("WI4GO_ARM64_ROOT")
	if root == "" {
		t.Skip("WI4GO_ARM64_ROOT is not set")
	}
	fakempi.Need(t, gfortran)
	return filepath.Join(root, "usr", "lib", "aarch64-linux-gnu")
}

// compile builds the program of tests/fortran that calls each procedure of a binding.
func compile(t *testing.T, dir, binding string, more ...string) string {
	t.Helper()
	sources, err := filepath.Abs(filepath.Join("..", "fortran", "programs"))
	require.NoError(t, err)
	program := filepath.Join(dir, "procedures")
	run(t, nil, append([]string{gfortran, "-cpp", "-D" + binding, "-I" + sources, "-J", dir, "-O1", "-w", "-ffree-line-length-none",
		"-fallow-argument-mismatch", "-o", program, filepath.Join(sources, "procedures.F90")}, more...)...)
	return program
}

// emulate runs a program under qemu with more variables.
func emulate(t *testing.T, environment []string, program ...string) string {
	t.Helper()
	args := []string{"-L", sysroot}
	for _, variable := range environment {
		args = append(args, "-E", variable)
	}
	cmd := exec.Command(emulator, append(args, program...)...)
	cmd.Dir = t.TempDir()
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), "%s\n%s%s", strings.Join(cmd.Args, " "), &stdout, &stderr)
	return stdout.String()
}

// Programs with wi4go's own mpif.h and modules run on MPICH, on one rank.
func TestFortran(t *testing.T) {
	libraries := debian(t)
	mpi := filepath.Join(build(t, "interface"), "mpi")
	for _, binding := range bindings {
		t.Run(binding, func(t *testing.T) {
			dir := t.TempDir()
			for _, module := range []string{"wi4go_mpi_types.f90", "mpi.f90", "mpi_f08.F90"} {
				run(t, nil, gfortran, "-fsyntax-only", "-J", dir, filepath.Join(mpi, "include", "modules", module))
			}
			program := compile(t, dir, binding, "-DMPIABI", "-DTRANSLATED", "-I"+filepath.Join(mpi, "include"),
				"-L"+filepath.Join(mpi, "lib"), "-lwi4go_fortran", "-lmpi_abi")
			assert.Regexp(t, passed, emulate(t, []string{"LD_LIBRARY_PATH=" + filepath.Join(mpi, "lib") + ":" + libraries,
				"WI4GO_TO=" + filepath.Join(libraries, "libmpich.so.12")}, program))
		})
	}
}

// Programs built with MPICH run on Open MPI, and the reverse, on one rank, with the environment that `wi4go env` prints
// on that architecture.
func TestFortranTranslated(t *testing.T) {
	libraries := debian(t) // ROOT/usr/lib/aarch64-linux-gnu
	usr := filepath.Dir(filepath.Dir(libraries))
	build(t, "fronts", "core", "command")
	command := filepath.Join(built, "bin", "wi4go")
	// Open MPI 4.1 creates windows of one rank only without ucx.
	t.Setenv("OMPI_MCA_osc", "^ucx")
	t.Setenv("OMPI_MCA_ess_singleton_isolated", "1")
	t.Setenv("OMPI_MCA_mca_base_component_path", filepath.Join(libraries, "openmpi", "lib", "openmpi3"))
	search := "LD_LIBRARY_PATH=" + libraries + ":" + filepath.Join(filepath.Dir(usr), "lib", "aarch64-linux-gnu")
	for _, c := range []struct {
		family, to string
		flags      []string
	}{
		{"mpich", "libmpi.so.40", []string{"-I" + filepath.Join(usr, "include", "aarch64-linux-gnu", "mpich"), "-lmpichfort"}},
		{"openmpi", "libmpich.so.12", []string{"-lmpi_usempif08", "-lmpi_mpifh", "-l:libmpi.so.40"}},
	} {
		for _, binding := range bindings {
			t.Run(c.family+"/"+binding, func(t *testing.T) {
				modules, err := filepath.Glob(filepath.Join(libraries, "fortran", "gfortran-mod-*", c.family))
				require.NoError(t, err)
				require.Len(t, modules, 1)
				program := compile(t, t.TempDir(), binding, append([]string{"-D" + strings.ToUpper(c.family), "-I" + modules[0],
					"-L" + libraries, "-Wl,--allow-shlib-undefined"}, c.flags...)...)
				assert.Regexp(t, passed, emulate(t, []string{search}, program), "natively")
				said := emulate(t, []string{search, "XDG_CACHE_HOME=" + t.TempDir()}, command, "env", "--to", filepath.Join(libraries, c.to), program)
				assert.Contains(t, said, filepath.Join(c.family, "preload"))
				variables := []string{search}
				for line := range strings.Lines(said) {
					variables = append(variables, strings.TrimPrefix(strings.TrimSpace(line), "export "))
				}
				assert.Regexp(t, passed, emulate(t, variables, program))
			})
		}
	}
}

func TestProgram(t *testing.T) {
	installed := build(t, "fronts", "core")
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
	assert.Equal(t, "arm64 ok\n", emulate(t, []string{"LD_LIBRARY_PATH=" + filepath.Dir(front), "WI4GO_TO=" + library}, program))
}
