// Package imports runs programs that import more from their MPI library than MPI: functions that wi4go answers, the
// library's own functions and data, and the symbols by which programs recognize a library.
package imports

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

const limit = 2 * time.Minute

type world struct {
	*testing.T
	prefix, wi4go, dir string
	// environ is what a command gets before its own variables.
	environ []string
}

func TestMain(m *testing.M) { harness.Main(m) }

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	w := &world{t, prefix, filepath.Join(prefix, "bin", "wi4go"), t.TempDir(), harness.Environ()}
	if _, err := os.Stat(w.wi4go); err != nil {
		harness.Missing(t, fmt.Errorf("%s: %w; run make first", w.wi4go, harness.ErrMissing))
	}
	return w
}

// of returns the world with another test.
func (w *world) of(t *testing.T) *world { return &world{t, w.prefix, w.wi4go, w.dir, w.environ} }

func (w *world) tools(name string) harness.Toolchain {
	w.Helper()
	tools, err := harness.FindIn(w.prefix, name)
	if err != nil {
		harness.Missing(w.T, err)
	}
	return tools
}

// compile compiles a source by the compiler wrapper of a library.
func (w *world) compile(by, source, out string, flags ...string) string {
	w.Helper()
	out = filepath.Join(w.dir, out)
	require.NoError(w, w.tools(by).Compile(filepath.Join("programs", source), out, flags...))
	return out
}

type result struct {
	stdout, stderr string
	code           int
}

func (r result) String() string {
	return fmt.Sprintf("exit code %d\nstdout: %s\nstderr: %s", r.code, r.stdout, r.stderr)
}

// ranks returns the lines of the ranks, sorted.
func (r result) ranks() []string {
	lines := slices.DeleteFunc(strings.Split(r.stdout, "\n"), func(line string) bool { return !strings.HasPrefix(line, "rank") })
	slices.Sort(lines)
	return lines
}

// run runs a command with more variables. It has its own directory for temporary files, because jobs of Open MPI that
// share one interfere with each other.
func (w *world) run(env []string, command ...string) result {
	w.Helper()
	dir, err := os.MkdirTemp("", "i")
	require.NoError(w, err)
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(append(slices.Clone(w.environ), "TMPDIR="+dir, "XDG_CACHE_HOME="+filepath.Join(w.dir, "cache")), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	require.NotNil(w, cmd.ProcessState, err)
	assert.NoError(w, ctx.Err(), "%s took too long", command)
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// on runs a program on ranks of a library.
func (w *world) on(to string, ranks int, command ...string) result {
	w.Helper()
	return w.run(nil, append([]string{w.wi4go, "run", "--to", w.tools(to).MPIExec, "-n", fmt.Sprint(ranks)}, command...)...)
}

// A direction runs a family's programs on a library of another family. It has a function and a data symbol that only
// the first family's own library defines.
type direction struct{ from, to, title, function, data, soname string }

var directions = []direction{
	{"openmpi", "mpich", "Open MPI", "ompi_proc_all", "ompi_mpi_thread_multiple", "libmpi.so.40"},
	{"openmpi", "mpich-5.0", "Open MPI", "ompi_proc_all", "ompi_mpi_thread_multiple", "libmpi.so.40"},
	{"mpich", "openmpi", "MPICH", "MPIR_Err_return_win", "MPII_Version_device", "libmpich.so.12"},
	{"mpich", "openmpi-5.0", "MPICH", "MPIR_Err_return_win", "MPII_Version_device", "libmpich.so.12"},
	// A library that also has the function, and calls it itself.
	{"mpich", "mpich-5.0-abi", "MPICH", "MPIR_Err_return_win", "MPII_Version_device", "libmpich.so.12"},
	{"mpich-5.0-abi", "openmpi", "MPI standard ABI", "MPIR_Err_return_win", "MPIR_fortran_true", "libmpi_abi.so.1"},
}

func each(t *testing.T, test func(w *world, d direction)) {
	for _, d := range directions {
		t.Run(d.from+"_on_"+d.to, func(t *testing.T) { test(newWorld(t), d) })
	}
}

// library returns the path of the library itself: mpiexec would lead to another library next to it.
func (w *world) library(to string) string {
	w.Helper()
	program := w.compile(to, "user.c", "probe-"+to, "-Wl,--unresolved-symbols=ignore-all")
	library, err := harness.Library(program)
	require.NoError(w, err)
	return library
}

// start runs a program on one rank under the launcher, or alone if the library shares its launcher with another
// library.
func (w *world) start(d direction, command ...string) result {
	w.Helper()
	if strings.HasSuffix(d.to, "-abi") {
		return w.run(nil, append([]string{w.wi4go, "exec", "--to", w.library(d.to), "--"}, command...)...)
	}
	return w.on(d.to, 1, command...)
}

// Importing one of the library's own functions does no harm if it is never called, whether it is bound at the start or
// later, and whether the program or a library imports it. A call ends the program at that point, with the function's
// name.
func TestOwnFunctions(t *testing.T) {
	each(t, func(w *world, d direction) {
		define := "-DFUNCTION=" + d.function
		for _, binding := range []string{"lazy", "now"} {
			flags := []string{define, "-Wl,-z," + binding}
			program := w.compile(d.from, "own.c", "own-"+binding, flags...)
			library := w.compile(d.from, "library.c", binding+"/liblibrary.so", append(flags, "-shared", "-fPIC")...)
			user := w.compile(d.from, "user.c", "user-"+binding, library, "-Wl,-rpath,"+filepath.Dir(library), "-Wl,-z,"+binding)
			for by, command := range map[string]string{program: program, library: user} {
				warning := fmt.Sprintf("warning: %s imports %s, which wi4go's front for %s programs does not have", by, d.function, d.title)
				r := w.start(d, command)
				assert.Zero(w, r.code, r)
				assert.Len(w, r.ranks(), 1, r)
				assert.Contains(w, r.stderr, warning)

				r = w.start(d, command, "call")
				assert.NotZero(w, r.code, r)
				assert.Len(w, r.ranks(), 1, r)
				assert.Contains(w, r.stderr, "wi4go: "+d.function+" was called: it is not an MPI function but a function of the program's own "+
					"MPI library ("+d.title+")")
				assert.NotContains(w, r.stderr, "symbol lookup error", r)

				r = w.run(nil, w.wi4go, "doctor", "--to", w.library(d.to), command)
				assert.Contains(w, r.stdout, "(own-function)", r)
				assert.Contains(w, r.stdout, "imports "+d.function)
				assert.NotContains(w, r.stdout, "verdict  will not work")

				r = w.run(nil, w.wi4go, "inspect", "--to", w.library(d.to), command)
				assert.Contains(w, r.stdout, "\nlibrary's own    1\n  "+d.function+"\n", r)
				assert.Contains(w, r.stdout, "\nfatal calls      1\n  "+d.function+"\n", r)

				r = w.run([]string{"WI4GO_STRICT=1"}, w.wi4go, "exec", "--to", w.library(d.to), command)
				assert.NotZero(w, r.code, r)
				assert.Empty(w, r.ranks(), r)
			}
		}
	})
}

// A library that shares names with the program's own library calls its own function, not the stub before it.
func TestSharedNames(t *testing.T) {
	w := newWorld(t)
	for _, binding := range []string{"lazy", "now"} {
		program := w.compile("mpich", "errors.c", "errors-"+binding, "-Wl,-z,"+binding)
		for _, to := range []string{"mpich", "mpich-5.0-abi", "intelmpi-2021.18-abi", "openmpi-5.0"} {
			r := w.run(nil, w.wi4go, "exec", "--to", w.library(to), "--", program)
			assert.Zero(w, r.code, "%s\n%s", to, r)
			assert.Equal(w, []string{"rank: MPI_ERR_RANK"}, r.ranks(), "%s\n%s", to, r)
		}
	}
}

// A profiling tool of the program does not work with a preload. Then only calls that are bound later have a stub, and a
// function that ld.so looks for at the start is refused.
func TestBoundAtTheStart(t *testing.T) {
	for _, d := range directions[:1] {
		w := newWorld(t)
		w.environ = harness.PlainEnviron() // AddressSanitizer bears no preload before it
		flags := []string{"-DFUNCTION=" + d.function, "-fsanitize=address"}
		lazy := w.compile(d.from, "own.c", "lazy", append(flags, "-Wl,-z,lazy", "-fplt")...)
		now := w.compile(d.from, "own.c", "now", append(flags, "-Wl,-z,now")...)
		quiet := []string{"ASAN_OPTIONS=detect_leaks=0"}
		command := []string{w.wi4go, "run", "--to", w.tools(d.to).MPIExec, "-n", "1"}

		r := w.run(quiet, append(command, lazy)...)
		assert.Zero(w, r.code, r)
		assert.Len(w, r.ranks(), 1, r)
		r = w.run(quiet, append(command, lazy, "call")...)
		assert.NotZero(w, r.code, r)
		assert.Contains(w, r.stderr, "wi4go: "+d.function+" was called")

		refusal := fmt.Sprintf("wi4go: %s imports %s, which wi4go's front for %s programs does not have: run it on the MPI library that it "+
			"was built with", now, d.function, d.title)
		r = w.run(quiet, append(command, now)...)
		assert.Equal(w, 1, r.code, r)
		assert.Contains(w, r.stderr, refusal)
		r = w.run(append(quiet, "LD_BIND_NOW=1"), append(command, lazy)...)
		assert.Equal(w, 1, r.code, r)
		assert.Contains(w, r.stderr, strings.Replace(refusal, now, lazy, 1))
	}
}

// Data of the library is looked up at the start: the program does not begin, however it is started.
func TestOwnData(t *testing.T) {
	each(t, func(w *world, d direction) {
		program := w.compile(d.from, "data.c", "data", "-DDATA="+d.data)
		said := fmt.Sprintf("%s imports %s, which wi4go's front for %s programs does not have", program, d.data, d.title)
		library := w.library(d.to)
		for _, command := range [][]string{{"run", "--to", library, "-n", "2"}, {"exec", "--to", library}} {
			r := w.run(nil, append(append([]string{w.wi4go}, command...), program)...)
			if strings.Contains(r.stderr, "no mpiexec of ") {
				continue
			}
			assert.Equal(w, 1, r.code, r)
			assert.Empty(w, r.ranks(), r)
			assert.Contains(w, r.stderr, said)
		}
		r := w.run(nil, w.wi4go, "doctor", "--to", library, program)
		assert.Equal(w, 2, r.code, r)
		assert.Contains(w, r.stdout, said)
		assert.Contains(w, r.stdout, "(symbol-unknown)")
		r = w.run(nil, w.wi4go, "inspect", "--to", library, program)
		assert.Contains(w, r.stdout, "will not run     "+said, r)
	})
}

// Within the family the library itself has the function, whether or not the front precedes it.
func TestOwnFunctionsWithinTheFamily(t *testing.T) {
	w := newWorld(t)
	program := w.compile("openmpi", "own.c", "own", "-DFUNCTION=ompi_proc_all", "-Wl,-z,lazy", "-fplt")
	for _, more := range [][]string{nil, {"--identity"}} {
		r := w.run(nil, append(append([]string{w.wi4go, "run", "--to", w.tools("openmpi").MPIExec}, more...), "-n", "1", program, "call")...)
		assert.Zero(w, r.code, r)
		assert.Len(w, r.ranks(), 1, r)
		assert.Empty(w, r.stderr)
	}
}

// Programs recognize the library that they were built with on every other one.
func TestRecognized(t *testing.T) {
	each(t, func(w *world, d direction) {
		if strings.HasSuffix(d.from, "-abi") {
			return // its libraries have no such symbol in common
		}
		program := w.compile(d.from, "which.c", "which", fmt.Sprintf("-DSONAME=%q", d.soname), "-ldl")
		native := w.run(nil, w.tools(d.from).MPIExec, "-n", "1", program)
		require.Zero(w, native.code, native)
		r := w.start(d, program)
		assert.Zero(w, r.code, r)
		assert.Equal(w, native.stdout, r.stdout)
		assert.Contains(w, r.stdout, map[string]string{"openmpi": "ompi_mpi_init there", "mpich": "MPIR_Err_create_code there"}[d.from])
	})
}

// OMPI_Affinity_str returns the same text as on Open MPI, wherever the process may run.
func TestAffinity(t *testing.T) {
	w := newWorld(t)
	program := w.compile("openmpi", "affinity.c", "affinity")
	for _, bind := range [][]string{nil, {"taskset", "-c", "0"}, {"taskset", "-c", "1"}} {
		native := w.run(nil, append(slices.Clone(bind), program)...)
		require.Zero(w, native.code, native)
		for _, to := range []string{"mpich", "mpich-3.4", "mpich-5.0", "intelmpi-2021.18"} {
			w.Run(fmt.Sprint(to, bind), func(t *testing.T) {
				w := w.of(t)
				r := w.run(nil, append(slices.Clone(bind), w.wi4go, "exec", "--to", w.library(to), "--", program)...)
				assert.Zero(w, r.code, r)
				assert.Equal(w, native.stdout, r.stdout)
				assert.Empty(w, r.stderr)
			})
		}
	}
	unbound := w.run(nil, w.tools("openmpi").MPIExec, "--bind-to", "none", "-n", "2", program, "applied")
	r := w.on("mpich", 2, program, "applied")
	assert.Equal(w, unbound.ranks(), r.ranks(), r)

	r = w.run(nil, w.wi4go, "inspect", "--to", w.library("mpich"), program)
	assert.Contains(w, r.stdout, "\nlibrary's own    1\n  OMPI_Affinity_str\n", r)
	assert.Contains(w, r.stdout, "\nwi4go emulates   1\n  OMPI_Affinity_str\n", r)
	r = w.run(nil, w.wi4go, "doctor", "--to", w.library("mpich"), program)
	assert.NotContains(w, r.stdout, "OMPI_Affinity_str", r)
}

// Other hosts: for a topology below /sys, the front returns the same text as Open MPI.
func TestAffinityOfOtherHosts(t *testing.T) {
	w := newWorld(t)
	program := w.compile("openmpi", "affinity.c", "affinity")
	for i, host := range []struct {
		synthetic               string
		sockets, cores, threads int
	}{
		{"pack:2 core:2 pu:2", 2, 2, 2}, {"pack:1 core:2 pu:3", 1, 2, 3}, {"pack:2 core:1 pu:1", 2, 1, 1}, {"pack:1 core:1 pu:2", 1, 1, 2},
		{"pack:3 core:4 pu:1", 3, 4, 1}, {"pack:8 core:16 pu:4", 8, 16, 4},
	} {
		sys := filepath.Join(w.dir, fmt.Sprint("sys", i))
		cpu := 0
		for socket := range host.sockets {
			for core := range host.cores {
				for range host.threads {
					dir := filepath.Join(sys, fmt.Sprintf("cpu%d/topology", cpu))
					require.NoError(w, os.MkdirAll(dir, 0o755))
					require.NoError(w, os.WriteFile(filepath.Join(dir, "physical_package_id"), fmt.Appendln(nil, socket), 0o644))
					require.NoError(w, os.WriteFile(filepath.Join(dir, "core_id"), fmt.Appendln(nil, core), 0o644))
					cpu++
				}
			}
		}
		require.NoError(w, os.WriteFile(filepath.Join(sys, "online"), fmt.Appendf(nil, "0-%d\n", cpu-1), 0o644))
		front := w.compile("openmpi", "topology.c", fmt.Sprint("topology", i), "-I../../shim/front", fmt.Sprintf("-DSYS_CPU=%q", sys))
		for _, processors := range []string{"0", "1", "0,1"} {
			bind := []string{"taskset", "-c", processors}
			native := w.run([]string{"HWLOC_THISSYSTEM=1", "HWLOC_SYNTHETIC=" + host.synthetic}, append(slices.Clone(bind), program)...)
			r := w.run(nil, append(slices.Clone(bind), front)...)
			assert.Zero(w, r.code)
			require.GreaterOrEqual(w, len(native.ranks()), 2, native)
			assert.Equal(w, native.ranks()[:2], r.ranks(), "%s on %s", host.synthetic, processors)
		}
	}
}

// Other topologies that a kernel may have: processors that are off, numbers with gaps, cores of different kinds, and
// none at all.
func TestAffinityOfOddHosts(t *testing.T) {
	w := newWorld(t)
	for name, host := range map[string]struct {
		online string
		cpus   map[int][2]int // socket and core
		want   string         // bound to 0 and 1
	}{
		"gaps": {"0-1,4,6-7\n", map[int][2]int{0: {3, 0}, 1: {3, 9}, 4: {3, 9}, 6: {5, 2}, 7: {5, 8}},
			"socket 0[core 0[hwt 0]], socket 0[core 1[hwt 0]]; socket 3 has 2 cores with (1, 2) hwts; socket 5 has 2 cores, each with 1 hwt\n[B/B.][./.]; [./..][./.]"},
		"no topology": {"0-3\n", nil, "socket 0[core 0[hwt 0-1]]; socket 0 has 1 core with 4 hwts\n[BB..]; [....]"},
		"one":         {"0\n", map[int][2]int{0: {0, 0}}, "Not bound (i.e., bound to all processors); socket 0 has 1 core with 1 hwt\nNot bound (i.e., bound to all processors); [.]"},
		"hwts apart":  {"0-2\n", map[int][2]int{0: {0, 0}, 1: {0, 0}, 2: {0, 0}}, "socket 0[core 0[hwt 0-1]]; socket 0 has 1 core with 3 hwts\n[BB.]; [...]"},
		"no list":     {"none\n", nil, "Not supported; Not supported\nNot supported; Not supported"},
	} {
		sys := filepath.Join(w.dir, strings.ReplaceAll(name, " ", "-"))
		require.NoError(w, os.MkdirAll(sys, 0o755))
		require.NoError(w, os.WriteFile(filepath.Join(sys, "online"), []byte(host.online), 0o644))
		for cpu, place := range host.cpus {
			dir := filepath.Join(sys, fmt.Sprintf("cpu%d/topology", cpu))
			require.NoError(w, os.MkdirAll(dir, 0o755))
			require.NoError(w, os.WriteFile(filepath.Join(dir, "physical_package_id"), fmt.Appendln(nil, place[0]), 0o644))
			require.NoError(w, os.WriteFile(filepath.Join(dir, "core_id"), fmt.Appendln(nil, place[1]), 0o644))
		}
		front := w.compile("openmpi", "topology.c", sys+".out", "-I../../shim/front", fmt.Sprintf("-DSYS_CPU=%q", sys))
		r := w.run(nil, "taskset", "-c", "0,1", front)
		first, second, _ := strings.Cut(host.want, "\n")
		assert.Equal(w, []string{"rank 0, format 0: right; " + first, "rank 0, format 1: right; " + second}, r.ranks(), name)
	}
}

// Intel MPI's allocator works on libraries of every family, in programs of MPICH's family and of the standard ABI.
func TestIntelAllocator(t *testing.T) {
	w := newWorld(t)
	want := []string{"rank 0 of 2: zeros, right", "rank 1 of 2: zeros, right"}
	// To link with, if the compiler's own library lacks it.
	linked := filepath.Join(w.dir, "liblinked.so")
	text, err := exec.Command("gcc", "-shared", "-fPIC", "-Wl,-soname,libmpi.so.12", "-o", linked, filepath.Join("programs", "linked.c")).CombinedOutput()
	require.NoError(w, err, string(text))
	flags := map[string][]string{"mpich": {linked}}
	for _, from := range []string{"mpich", "intelmpi-2021.18", harness.Interface} {
		w.Run(from, func(t *testing.T) {
			w := w.of(t)
			program := w.compile(from, "allocator.c", "allocator-"+from, flags[from]...)
			for _, to := range []string{"openmpi", "openmpi-5.0", "mpich", "mpich-3.4", "mpich-5.0", "intelmpi-2021.18"} {
				r := w.on(to, 2, program)
				assert.Zero(w, r.code, "%s\n%s", to, r)
				assert.Equal(w, want, r.ranks(), "%s\n%s", to, r)
				assert.NotContains(w, r.stderr, "impi_", to)
			}
		})
	}
}

// A Fortran program and a C++ program import their library's own symbols through its Fortran and C++ libraries. These
// are not reported.
func TestOtherLanguages(t *testing.T) {
	w := newWorld(t)
	for _, from := range harness.Names {
		program := filepath.Join(w.dir, from+"-fortran")
		if err := w.tools(from).CompileFortran("../fortran/programs/classic.F90", program); err != nil {
			harness.Missing(t, err)
		}
		r := w.on(harness.Other(from), 2, program)
		assert.Zero(w, r.code, r)
		assert.NotContains(w, r.stderr, "imports", from)
		r = w.run(nil, w.wi4go, "doctor", "--to", w.library(harness.Other(from)), program)
		assert.NotContains(w, r.stdout, "own-function", from)
		assert.NotContains(w, r.stdout, "symbol-unknown", from)
	}
}
