package interfacemode

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// ring is the program of tests/bare in each language, with the wrapper that compiles it.
var ring = map[string]string{"ring.c": "mpicc", "ring.cc": "mpicxx", "ring.f90": "mpifort"}

// linked compiles the program of tests/bare in a language with an option, and returns its path.
func (m mpi) linked(dir, name, option string) string {
	m.t.Helper()
	file, err := filepath.Abs(filepath.Join("..", "bare", "programs", name))
	require.NoError(m.t, err)
	program := name + option
	m.must(dir, ring[name], "-w", option, "-o", program, file)
	return filepath.Join(dir, program)
}

// isStatic asserts that a program needs no dynamic linker.
func isStatic(t *testing.T, path string) {
	t.Helper()
	f, err := elf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	for _, segment := range f.Progs {
		assert.NotEqual(t, elf.PT_INTERP, segment.Type, path)
	}
	out, _ := exec.Command("ldd", path).CombinedOutput() // it ends with 1
	assert.Regexp(t, "not a dynamic executable|statically linked", string(out))
}

// runsLinked asserts that a program that contains the embedded MPI runs alone, and with ranks, in each of the ways.
func (m mpi) runsLinked(program string) {
	m.t.Helper()
	const alone, three = "1 ranks, ring 0, sum 0\n", "3 ranks, ring 3, sum 3\n"
	assert.Equal(m.t, alone, m.must(".", program), program)
	assert.Equal(m.t, alone, m.must(".", "wi4go", "exec", program), program)
	assert.Equal(m.t, three, m.must(".", "wi4go", "run", "-n", "3", program), program)
	assert.Equal(m.t, three, m.must(".", "wi4go", "run", "--to", "embedded", "-n", "3", program), program)
	assert.Equal(m.t, three, m.must(".", "mpiexec", "-n", "3", program), program)
}

// -static-mpi=embedded and -static: the program contains the embedded MPI and opens no file, in C, C++ and Fortran.
func TestLinked(t *testing.T) {
	fortran(t)
	m, dir := built(t), t.TempDir()
	for name := range ring {
		m.runsLinked(m.linked(dir, name, "-static-mpi=embedded"))
		whole := m.linked(dir, name, "-static")
		isStatic(t, whole)
		m.runsLinked(whole)
	}
	m.must(dir, "mpicc", "-static-pie", "-o", "pie", source(t, "ring.c"))
	isStatic(t, filepath.Join(dir, "pie"))
	opened := m.must(dir, "strace", "-f", "-e", "trace=open,openat", "-o", "/dev/stdout", "./ring.c-static")
	assert.NotContains(t, opened, ".so")
}

// Such programs have all functions of the front, those that it emulates and those of each Fortran binding.
func TestLinkedFunctions(t *testing.T) {
	m, dir := fortranMPI(t), t.TempDir()
	for _, option := range []string{"-static", "-static-mpi=embedded"} {
		m.must(dir, "mpicc", option, "-o", "ring", source(t, "ring.c"))
		assert.Len(t, lines(m.must(dir, "wi4go", "run", "-n", "2", "./ring")), 2)
		m.must(dir, "mpicc", option, "-Wall", "-Wextra", "-Werror", "-o", "emulated", source(t, "emulated.c"))
		assert.Equal(t, "emulated: right\n", m.must(dir, "wi4go", "run", "-n", "2", "./emulated"), option)
	}
	for _, binding := range []string{"MPIF", "MOD", "F08"} {
		program := m.compile(dir, binding, "communication", "-static")
		isStatic(t, filepath.Join(dir, program))
		assert.Regexp(t, passed, m.must(dir, "wi4go", "run", "-n", "2", program), binding)
	}
}

// A program that defines MPI functions and calls them by their profiling names.
func TestLinkedProfiling(t *testing.T) {
	m, dir := built(t), t.TempDir()
	for _, option := range []string{"-static", "-static-mpi=embedded"} {
		m.must(dir, "mpicc", option, "-Wall", "-Wextra", "-Werror", "-o", "profiled", source(t, "profiled.c"))
		assert.Equal(t, "2 sends, 2 sizes\n", m.must(dir, "wi4go", "run", "-n", "2", "./profiled"), option)
	}
}

// Without debugging information and section of symbols the command still recognizes the program.
func TestLinkedStripped(t *testing.T) {
	m, dir := built(t), t.TempDir()
	program := m.linked(dir, "ring.c", "-static")
	m.must(dir, "strip", program)
	m.runsLinked(program)
	assert.Contains(t, m.must(dir, "wi4go", "inspect", program), "contains         embedded ")
}

// inspect and doctor name the library inside, and what the program cannot do is refused before it starts.
func TestLinkedRefused(t *testing.T) {
	m, dir := built(t), t.TempDir()
	program := m.linked(dir, "ring.c", "-static")
	const contains = ": it contains its MPI library and runs on no other: start it with `wi4go run` without --to and WI4GO_TO, or link it without -static " +
		"and -static-mpi=NAME\n"
	refused := func(m mpi, want string, words ...string) {
		t.Helper()
		stdout, stderr, err := m.run(dir, words[0], words[1:]...)
		assert.Error(t, err)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, want)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
	for _, other := range []string{"mpich", "openmpi"} {
		tools, err := harness.Find(other)
		if err != nil {
			harness.Missing(t, err)
		}
		for _, words := range [][]string{{"wi4go", "run", "--to", tools.MPIExec, "-n", "2", program}, {"wi4go", "exec", "--to", tools.MPIExec, program}} {
			refused(m, program+contains, words...)
		}
		refused(m.on(other), program+contains, "wi4go", "run", "-n", "2", program)
		refused(m.on(other), "wi4go: WI4GO_TO is "+tools.MPIExec+", but this program contains its MPI library, embedded 0.1.0, and can open no other: "+
			"unset WI4GO_TO, or link the program without -static and -static-mpi=embedded\n", program)
		fit := m.must(dir, "wi4go", "inspect", "--to", tools.MPIExec, program)
		assert.Regexp(t, "(?m)^contains +embedded 0.1.0, its MPI library$", fit)
		assert.Regexp(t, "(?m)^will not run +cannot run on .*it contains its MPI library", fit)
		assert.Equal(t, m.must(dir, "wi4go", "run", "-n", "2", program), m.configured(other).must(dir, "wi4go", "run", "-n", "2", program))
		// The launcher of another library starts ranks, too, which find each other on this host.
		assert.Equal(t, "2 ranks, ring 1, sum 1\n", m.must(dir, tools.MPIExec, "-n", "2", program), other)
	}
	tool := filepath.Join(dir, "tool.so")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tool.c"), []byte("int MPI_Init(void *a, void *b) { return a == b; }\n"), 0o666))
	m.must(dir, "gcc", "-w", "-shared", "-fPIC", "-o", tool, "tool.c")
	const cure = ", or link the program without -static and -static-mpi=NAME\n"
	for _, program := range []string{program, m.linked(dir, "ring.c", "-static-mpi=embedded")} {
		refused(m.with("LD_PRELOAD="+tool), "wi4go: the tool "+tool+" in LD_PRELOAD gets no call of "+program+", which contains its MPI library: remove it from "+
			"LD_PRELOAD"+cure, "wi4go", "run", "-n", "2", program)
	}
	auditor := filepath.Join(m.prefix, "lib/wi4go/audit.so")
	refused(m.with("LD_AUDIT="+auditor), "wi4go: LD_AUDIT is "+auditor+", but "+program+" is static and loads no library: unset LD_AUDIT"+cure, "wi4go", "run",
		"-n", "2", program)
	var found struct{ Contains string }
	require.NoError(t, json.Unmarshal([]byte(m.must(dir, "wi4go", "inspect", "--json", program)), &found))
	assert.Equal(t, "embedded 0.1.0", found.Contains)
	report, _, _ := m.run(dir, "wi4go", "doctor", program) // it ends with 1, because it warns of the tests' variables
	assert.Regexp(t, "(?m)^program +"+program+", built for MPI standard ABI, contains its MPI library, embedded 0.1.0$", report)
	assert.Regexp(t, "(?m)^verdict +works", report)
	for option, want := range map[string]string{
		"-static-mpi=mpich": `-static-mpi=mpich: there is no MPI library "mpich" to link statically: the libraries are embedded`,
		"-static-mpi=":      `-static-mpi=: there is no MPI library "" to link statically: the libraries are embedded`,
	} {
		refused(m, want, "mpicc", option, "-o", "none", source(t, "ring.c"))
	}
}

// With musl: the program runs in a root with musl's dynamic linker and the installation for musl, and no other file.
func TestLinkedMusl(t *testing.T) {
	m, dir := built(t), t.TempDir()
	for _, command := range []string{"musl-gcc", "bwrap"} {
		if _, err := exec.LookPath(command); err != nil {
			harness.Missing(t, fmt.Errorf("%s: %w; install musl-tools and bubblewrap", command, harness.ErrMissing))
		}
	}
	harness.Make(t, "static-musl")
	for name, option := range map[string]string{"whole": "-static", "inside": "-static-mpi=embedded"} {
		m.must(dir, "mpicc", "-cc=musl-gcc", option, "-o", name, source(t, "../../bare/programs/ring.c"))
		m.must(dir, "mpicc", "-cc=musl-gcc", option, "-o", name+"-emulated", source(t, "emulated.c"))
	}
	isStatic(t, filepath.Join(dir, "whole"))
	interpreter := "/lib/ld-musl-" + map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH] + ".so.1"
	inside := func(line ...string) string {
		t.Helper()
		words := []string{"--ro-bind", dir, "/srv", "--ro-bind", interpreter, interpreter, "--ro-bind", filepath.Join(m.prefix, "variants/musl"), "/opt", "--dev", "/dev", "--proc", "/proc",
			"--tmpfs", "/tmp", "--unshare-pid", "--die-with-parent", "--clearenv", "--setenv", "PATH", "/opt/bin"}
		var errs bytes.Buffer
		command := exec.CommandContext(t.Context(), "bwrap", append(words, line...)...)
		command.Stderr = &errs
		out, err := command.Output()
		assert.NoError(t, err, "%v: %s", line, errs.String())
		assert.Empty(t, errs.String(), line)
		return string(out)
	}
	for _, name := range []string{"whole", "inside"} {
		assert.Equal(t, "1 ranks, ring 0, sum 0\n", inside("/srv/"+name))
		assert.Equal(t, "3 ranks, ring 3, sum 3\n", inside("/opt/bin/wi4go", "run", "-n", "3", "/srv/"+name))
		assert.Equal(t, "emulated: right\n", inside("/opt/bin/wi4go", "run", "-n", "2", "/srv/"+name+"-emulated"))
	}
}
