// Package facts tests the assumptions of the design: the behavior of a front in a process with Go, forks, signals,
// traps, limits, other libraries and the dynamic linker. Each fact is a small program, compiled by one family's mpicc
// and run through its front on the other family's library or its own.
package facts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

const runTimeout = 3 * time.Minute

// direction is a pair of libraries: programs of app's family run on runtime.
type direction struct {
	app, runtime harness.Toolchain
	through      harness.Through
}

// identity reports whether the front runs over its own family.
func (d direction) identity() bool { return d.app.Name == d.runtime.Name }

// directions returns both directions, or an error if a library is missing.
var directions = sync.OnceValues(func() ([]direction, error) {
	prefix, err := harness.Prefix()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "facts")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	tools := map[string]harness.Toolchain{}
	for _, name := range harness.Names {
		if tools[name], err = harness.Find(name); err != nil {
			return nil, err
		}
		if err := tools[name].Compile("programs/hello.c", filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	var all []direction
	for _, app := range harness.Names {
		for _, runtime := range harness.Names {
			through, err := harness.NewThrough(prefix, filepath.Join(dir, app), app, filepath.Join(dir, runtime))
			if err != nil {
				return nil, err
			}
			all = append(all, direction{tools[app], tools[runtime], through})
		}
	}
	return all, nil
})

// each runs a test in all directions, including those within a family.
func each(t *testing.T, test func(t *testing.T, d direction)) {
	t.Helper()
	in(t, test, func(direction) bool { return true })
}

// both runs a test in both directions from one family to the other.
func both(t *testing.T, test func(t *testing.T, d direction)) {
	t.Helper()
	in(t, test, func(d direction) bool { return !d.identity() })
}

func in(t *testing.T, test func(t *testing.T, d direction), chosen func(direction) bool) {
	t.Helper()
	all, err := directions()
	if err != nil {
		harness.Missing(t, err)
	}
	for _, d := range all {
		if chosen(d) {
			t.Run(d.app.Name+"_on_"+d.runtime.Name, func(t *testing.T) { test(t, d) })
		}
	}
}

// compile compiles a program of the given family from a source in programs. flags follow the source.
func compile(t *testing.T, tools harness.Toolchain, source string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(source, filepath.Ext(source)))
	args := []string{"-O2", "-g", "-Wall", "-Wextra", "-Wno-stringop-overflow", "-Wno-stringop-overread",
		"-o", out, filepath.Join("programs", source)}
	text, err := exec.Command(tools.MPICC, append(args, flags...)...).CombinedOutput()
	require.NoError(t, err, string(text))
	assert.Empty(t, string(text), "warnings")
	return out
}

// result is the output and the exit code of a run.
type result struct {
	stdout, stderr string
	code           int // exit code; 128 and more for a signal
}

func (r result) String() string {
	return fmt.Sprintf("exit code %d\nstdout: %sstderr: %s", r.code, r.stdout, r.stderr)
}

// ok requires that the program's checks all passed.
func (r result) ok(t *testing.T) {
	t.Helper()
	require.Zero(t, r.code, r)
	assert.True(t, strings.HasSuffix(r.stdout, "ok\n"), r)
	assert.NotContains(t, r.stderr, "has different size in shared object", "the dynamic linker on a data symbol")
	assert.NotContains(t, r.stderr, "wi4go: ")
}

// refused requires exactly one message of wi4go, with these words, and a failure.
func (r result) refused(t *testing.T, words ...string) {
	t.Helper()
	assert.Equal(t, 1, r.code, r)
	assert.Equal(t, 1, strings.Count("\n"+r.stderr, "\nwi4go: "), r)
	assert.NotContains(t, r.stdout, "ok\n")
	for _, word := range words {
		assert.Contains(t, r.stderr, word)
	}
}

// environment returns the variables that a front needs, followed by more.
func (d direction) environment(more ...string) []string {
	return append(harness.Environ(), append([]string{
		harness.Preload(d.through.Front), "WI4GO_TO=" + d.through.Library,
		"OMPI_MCA_ess_singleton_isolated=1", // one process needs no daemon
	}, more...)...)
}

// start runs a command alone, not under a launcher.
func start(t *testing.T, environment []string, command ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	return finish(t, exec.CommandContext(ctx, command[0], command[1:]...), environment)
}

func finish(t *testing.T, cmd *exec.Cmd, environment []string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = environment, &stdout, &stderr
	err := cmd.Run()
	r := result{stdout: stdout.String(), stderr: stderr.String()}
	exit := (*exec.ExitError)(nil)
	if errors.As(err, &exit) {
		r.code = exit.ExitCode()
		if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
			r.code = 128 + int(status.Signal())
		}
		return r
	}
	require.NoError(t, err, strings.Join(cmd.Args, " "))
	return r
}

// run runs a program of the direction's family, alone.
func (d direction) run(t *testing.T, program ...string) result {
	t.Helper()
	return start(t, d.environment(), program...)
}

// native runs a program of the runtime's family on its own library.
func native(t *testing.T, program ...string) result {
	t.Helper()
	return start(t, append(harness.Environ(), "OMPI_MCA_ess_singleton_isolated=1"), program...)
}

// launched runs a program on some ranks under the runtime's launcher.
func (d direction) launched(t *testing.T, ranks int, program string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	command := append(d.through.Env(), program)
	cmd := d.runtime.Launch(ctx, ranks, append(command, args...)...)
	return finish(t, cmd, cmd.Env)
}

// simple are the facts whose program only has to be run.
var simple = []struct {
	source string
	args   []string
	native bool // also holds on the runtime's own library, which is tested first
	flags  []string
}{
	{source: "hello.c", native: true},
	{source: "initialized.c"},
	{source: "shared_handles.c", native: true},
	{source: "after_free.c", native: true},
	{source: "blocked.c"},
	{source: "unwind.cc", native: true, flags: []string{"-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-lstdc++"}},
}

func TestSimple(t *testing.T) {
	for _, fact := range simple {
		t.Run(fact.source, func(t *testing.T) {
			each(t, func(t *testing.T, d direction) {
				if fact.native {
					native(t, append([]string{compile(t, d.runtime, fact.source, fact.flags...)}, fact.args...)...).ok(t)
				}
				d.run(t, append([]string{compile(t, d.app, fact.source, fact.flags...)}, fact.args...)...).ok(t)
			})
		})
	}
}

// The launcher passes on the library that the program was built with.
func TestLevel(t *testing.T) {
	both(t, func(t *testing.T, d direction) {
		t.Setenv("WI4GO_FROM_VERSION", map[string]string{"openmpi": "openmpi@4.1.4", "mpich": "mpich@4.0.2"}[d.app.Name])
		d.run(t, compile(t, d.app, "level.c")).ok(t)
	})
}

// Numbers that the library allocates do not collide with values predefined in the program's mpi.h. Codes from callbacks
// are returned as far as they are natively (Open MPI returns MPI_ERR_OTHER for every error of a delete function).
func TestNumbers(t *testing.T) {
	each(t, func(t *testing.T, d direction) {
		expected := native(t, compile(t, d.runtime, "numbers.c"))
		expected.ok(t)
		got := d.run(t, compile(t, d.app, "numbers.c"))
		got.ok(t)
		assert.Equal(t, expected.stdout, got.stdout)
	})
}

// On two ranks, objects are still in use when they are freed.
func TestAfterFreeOnTwoRanks(t *testing.T) {
	both(t, func(t *testing.T, d direction) {
		d.launched(t, 2, compile(t, d.app, "after_free.c")).ok(t)
	})
}

// 200 forks before MPI_Init, each child initializes; and forks by a parent in which Go runs.
func TestFork(t *testing.T) {
	each(t, func(t *testing.T, d direction) {
		program := compile(t, d.app, "fork.c")
		environment := d.environment("TMPDIR=" + t.TempDir())
		before, after := "200", "50"
		if d.identity() { // the same code a second time
			before, after = "20", "10"
		}
		start(t, environment, program, before).ok(t)
		start(t, environment, program, after, "loaded").ok(t)
	})
}

// Another library's constructor calls MPI, before main.
func TestConstructor(t *testing.T) {
	each(t, func(t *testing.T, d direction) {
		for _, define := range []string{"-DNOTHING", "-DEARLY_INIT"} {
			library := compile(t, d.app, "constructor_library.c", define, "-shared", "-fPIC")
			d.run(t, compile(t, d.app, "constructor.c", define, library)).ok(t)
		}
	})
}

// A process that inherits the preload and is no MPI program has almost no overhead: no thread, no core, no signal
// handler.
func TestInheritedByShells(t *testing.T) {
	both(t, func(t *testing.T, d direction) {
		for _, command := range [][]string{
			{"cat", "/proc/self/status", "/proc/self/maps"},
			{"sh", "-c", "cat /proc/$$/status /proc/$$/maps"},
			{"sh", "-c", "/bin/true && exec cat /proc/self/status /proc/self/maps"},
		} {
			r := d.run(t, command...)
			require.Zero(t, r.code, r)
			assert.Empty(t, r.stderr)
			assert.Contains(t, r.stdout, "Threads:\t1\n")
			assert.Contains(t, r.stdout, d.through.Front)
			assert.NotContains(t, r.stdout, "libwi4go.so")
			assert.NotContains(t, r.stdout, d.through.Library)
		}
		caught := []string{"grep", "SigCgt", "/proc/self/status"}
		assert.Equal(t, start(t, os.Environ(), caught...).stdout, d.run(t, caught...).stdout)
	})
}

// A program of the runtime's own family inherits the preload of a front.
func TestInheritedByOtherFamily(t *testing.T) {
	both(t, func(t *testing.T, d direction) {
		program := compile(t, d.runtime, "hello.c")
		soname, err := harness.Soname(program)
		require.NoError(t, err)
		start(t, d.environment("LD_PRELOAD="+d.through.File()), program).refused(t, "needs "+soname, "wi4go run")
	})
}

// Floating-point exceptions are trapped when MPI is called for the first time.
func TestTraps(t *testing.T) {
	each(t, func(t *testing.T, d direction) {
		program := compile(t, d.app, "traps.c", "-lm")
		d.run(t, program).ok(t)
		r := d.run(t, program, "divide")
		assert.Equal(t, 128+int(syscall.SIGFPE), r.code, r)
	})
}

// An address space that is too small for Go is reported, and a sufficient one works.
func TestAddressSpace(t *testing.T) {
	both(t, func(t *testing.T, d direction) {
		program := compile(t, d.app, "hello.c")
		d.run(t, "sh", "-c", "ulimit -v 500000; exec "+program).refused(t, "address space", "ulimit -v")
		d.run(t, "sh", "-c", "ulimit -v 2400000; exec "+program).ok(t)
	})
}

// MPI_Init changes the signal handlers as it does natively. hwloc leaves OpenCL alone, because its drivers set handlers too,
// each time that they are loaded.
func TestSignals(t *testing.T) {
	each(t, func(t *testing.T, d direction) {
		for _, args := range [][]string{{}, {"default"}} {
			for _, hangup := range []string{"default", "ignore"} { // the disposition that the program inherits
				under := []string{"env", "--" + hangup + "-signal=HUP", "HWLOC_COMPONENTS=-opencl"}
				expected := native(t, slices.Concat(under, []string{compile(t, d.runtime, "signals.c")}, args)...)
				expected.ok(t)
				got := d.run(t, slices.Concat(under, []string{compile(t, d.app, "signals.c")}, args)...)
				got.ok(t)
				assert.Equal(t, expected.stdout, got.stdout, under)
			}
		}
	})
}

// Copies of data symbols in a program are the ones that are initialized, with their sizes.
func TestCopyRelocations(t *testing.T) {
	each(t, func(t *testing.T, d direction) {
		library := compile(t, d.app, "copies_library.c", "-shared", "-fPIC")
		for _, flags := range [][]string{{"-no-pie", "-fno-pie"}, {"-pie", "-fpie"}} {
			r := d.run(t, compile(t, d.app, "copies.c", append(flags, library)...))
			r.ok(t)
			assert.Empty(t, r.stderr)
		}
	})
}

// A million messages of each class: no allocation, no lock, no call into Go.
func TestSteadyState(t *testing.T) {
	both(t, func(t *testing.T, d direction) {
		r := d.run(t, compile(t, d.app, "steady.c", "-rdynamic", "-ldl"), "1000000")
		r.ok(t)
		t.Log("\n" + r.stdout)
	})
}

// A process that is no MPI program opens a front late.
func TestLateOpen(t *testing.T) {
	python(t)
	each(t, func(t *testing.T, d direction) {
		for _, scope := range []string{"RTLD_GLOBAL", "RTLD_LOCAL"} {
			start(t, d.environment("LD_PRELOAD=", "LATE_SCOPE="+scope), "python3", "programs/late.py", d.through.Front, "-").ok(t)
		}
	})
}

// The thread-local storage for libraries that are opened late is exhausted. A library that cannot be opened gives a
// message with the cure, and the cure works.
func TestStaticTLS(t *testing.T) {
	python(t)
	both(t, func(t *testing.T, d direction) {
		var fillers []string
		for size := 2048; size >= 8; size /= 2 {
			for range 2 {
				fillers = append(fillers, compile(t, d.app, "filler.c", fmt.Sprintf("-DBYTES=%d", size), "-shared", "-fPIC"))
			}
		}
		command := append([]string{"python3", "programs/late.py", d.through.Front, "-"}, fillers...)
		start(t, d.environment("LD_PRELOAD="), command...).
			refused(t, "static TLS", "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=")
		start(t, d.environment("LD_PRELOAD=", "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384"), command...).ok(t)
		start(t, d.environment(), command...).refused(t, "static TLS")
	})
}

// python skips the test if there is no Python.
func python(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		harness.Missing(t, fmt.Errorf("python3: %w", harness.ErrMissing))
	}
}

// Each wrong WI4GO_TO gives one clear error.
func TestWrongRuntime(t *testing.T) {
	both(t, func(t *testing.T, d direction) {
		program := compile(t, d.app, "hello.c")
		dir := t.TempDir()
		text, script, foreign := filepath.Join(dir, "text.so"), filepath.Join(dir, "libmpi.so"), filepath.Join(dir, "foreign.so")
		require.NoError(t, os.WriteFile(text, []byte("libmpi.so.40\n"), 0o644))
		require.NoError(t, os.WriteFile(script, []byte("INPUT(libmpi.so.40)\n"), 0o644))
		data, err := os.ReadFile(d.through.Library)
		require.NoError(t, err)
		const machine, sparc = 18, 43
		data[machine], data[machine+1] = sparc, 0
		require.NoError(t, os.WriteFile(foreign, data, 0o644))
		broken := filepath.Join(dir, "broken.so")
		require.NoError(t, os.WriteFile(broken, data[:4096], 0o644))
		link := filepath.Join(dir, "link.so")
		require.NoError(t, os.Symlink(d.through.Front, link))
		core := filepath.Join(filepath.Dir(filepath.Dir(d.through.Front)), "libwi4go.so")
		pipe := filepath.Join(dir, "pipe.so")
		require.NoError(t, syscall.Mkfifo(pipe, 0o755))
		noMPI := compile(t, d.app, "filler.c", "-DBYTES=8", "-shared", "-fPIC")
		for _, wrong := range []struct {
			to    string
			words []string
		}{
			{"", []string{"WI4GO_TO is empty"}},
			{d.through.Front, []string{d.through.Front, "a front of wi4go"}},
			{link, []string{link, "a front of wi4go"}},
			{core, []string{core, "a front of wi4go"}},
			{filepath.Join(dir, "absent.so"), []string{"absent.so", "no such file", "wi4go list"}},
			{dir, []string{dir, "is a directory"}},
			{text, []string{text, "is not a shared library"}},
			{script, []string{filepath.Join(dir, "libmpi.so.40"), "no such file"}},
			{broken, []string{broken}},
			{foreign, []string{foreign, "sparcv9", "x86-64"}},
			{noMPI, []string{noMPI, "is not an MPI library"}},
			{"/dev/null", []string{"/dev/null", "and not a regular file"}},
			{pipe, []string{pipe, "and not a regular file"}},
			{program, []string{program, "not an MPI library"}},
		} {
			d.run(t, "env", "WI4GO_TO="+wrong.to, program).refused(t, wrong.words...)
		}
	})
}

// WI4GO_TO may be the linker script that leads to the library.
func TestScript(t *testing.T) {
	both(t, func(t *testing.T, d direction) {
		dir := t.TempDir()
		require.NoError(t, os.Symlink(d.through.Library, filepath.Join(dir, "libmpi.so.0")))
		script := filepath.Join(dir, "libmpi.so")
		require.NoError(t, os.WriteFile(script, []byte("/* GNU ld script */\nINPUT(libmpi.so.0)\n"), 0o644))
		d.run(t, "env", "WI4GO_TO="+script, compile(t, d.app, "hello.c")).ok(t)
	})
}

// Predefined handles that are newer than the library, in programs of a newer version of the other family.
func TestOptional(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	both(t, func(t *testing.T, d direction) {
		newer, err := harness.Find(map[string]string{"openmpi": "openmpi-5.0", "mpich": "mpich-5.0"}[d.app.Name])
		if err != nil {
			harness.Missing(t, err)
		}
		program := compile(t, newer, "optional.c")
		d.through, err = harness.NewThrough(prefix, program, d.app.Name, compile(t, d.runtime, "hello.c"))
		require.NoError(t, err)
		r := d.run(t, program)
		r.ok(t)
		assert.Contains(t, r.stdout, "MPI_COMPLEX4 refused\n")
	})
}

// Without WI4GO_TO the front finds a runtime of another family, without effects that the program notices.
func TestNoRuntimeNamed(t *testing.T) {
	both(t, func(t *testing.T, d direction) {
		for _, source := range []string{"hello.c", "unnamed.c"} {
			start(t, d.environment(), "env", "-u", "WI4GO_TO", compile(t, d.app, source)).ok(t)
		}
	})
}
