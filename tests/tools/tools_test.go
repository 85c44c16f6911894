// Package tools runs a program under tools that developers use, natively and through wi4go: the program ends as it does
// natively, and the tool reports the same.
package tools

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
	"wi4go/tests/memcheck/report"
)

const (
	limit = 3 * time.Minute // ends a run that hangs; the longest takes ten seconds
	ranks = 2
)

func TestMain(m *testing.M) { harness.Main(m) }

// job is a way to run a program: natively (from is to), on another library, on its own one, and on the embedded MPI.
type job struct {
	from, to harness.Toolchain
	prefix   string // the installation of wi4go; "": natively
	plain    bool   // without a preload of the tests, which AddressSanitizer refuses
}

// each runs a test in every direction of programs in C: of both families on the other one, on their own, and embedded.
func each(t *testing.T, test func(t *testing.T, native, through job)) {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, from := range harness.Names {
		for _, to := range append(slices.Clone(harness.Names), harness.Embedded) {
			t.Run(from+"_on_"+to, func(t *testing.T) {
				t.Parallel()
				j := job{prefix: prefix}
				var err error
				if j.from, err = harness.Find(from); err != nil {
					harness.Missing(t, err)
				}
				if j.to, err = harness.FindIn(prefix, to); err != nil {
					harness.Missing(t, err)
				}
				test(t, job{from: j.from, to: j.from}, j)
			})
		}
	}
}

// need returns the path of a tool, and ends the test if it is not installed.
func need(t *testing.T, tool string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		harness.Missing(t, fmt.Errorf("%s: %w; install it", tool, harness.ErrMissing))
	}
	return path
}

// compile compiles a source in programs.
func (j job) compile(t *testing.T, source string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(source, filepath.Ext(source)))
	require.NoError(t, j.from.Compile(filepath.Join("programs", source), out, append([]string{"-g"}, flags...)...))
	return out
}

// result is the end of a run.
type result struct {
	text string // stdout and stderr
	code int
	dir  string // the directory in which it ran
}

// run runs a command on two ranks, in a new directory.
func (j job) run(t *testing.T, command ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	tools := j.to
	if j.prefix != "" {
		tools.MPIExec = filepath.Join(j.prefix, "bin", "wi4go")
	}
	c := tools.Launch(ctx, ranks, command...)
	if j.plain {
		c.Env = append(harness.PlainEnviron(), "LSAN_OPTIONS=exitcode=0") // else Open MPI's launcher ends the other rank before its report
	}
	if j.prefix != "" {
		to := j.to.MPIExec
		if j.to.Name == harness.Embedded {
			to = harness.Embedded
		}
		c.Args = slices.Concat(c.Args[:1], []string{"run", "--to", to}, c.Args[1:])
	}
	dir := t.TempDir()
	c.Dir = dir
	text, err := c.CombinedOutput()
	require.NoError(t, ctx.Err(), "%s\n%s", c, text)
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		require.NoError(t, err)
	}
	return result{string(text), c.ProcessState.ExitCode(), dir}
}

// finished asserts that each rank has come to the end.
func (r result) finished(t *testing.T) {
	t.Helper()
	require.Zero(t, r.code, r.text)
	for rank := range ranks {
		require.Contains(t, r.text, fmt.Sprintf("rank %d is done\n", rank))
	}
}

// isOften reports whether CI runs the tools that are slow in this direction. Open MPI takes ten seconds under valgrind, and on
// its own library a program is not translated.
func (j job) isOften() bool {
	return j.to.Name == harness.Embedded || j.to.Name == "mpich" && j.from.Name != j.to.Name
}

// reports returns the files that a tool has written, one for each rank.
func (r result) reports(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.dir, pattern))
	require.NoError(t, err)
	require.Len(t, files, ranks, r.text)
	return files
}

// The tools of valgrind that look for errors report none of wi4go's. On the embedded MPI there are no others, so
// --error-exitcode shows that.
func TestErrors(t *testing.T) {
	harness.All.From(t, "valgrind takes long")
	valgrind := need(t, "valgrind")
	each(t, func(t *testing.T, _, through job) {
		if !through.isOften() {
			harness.Nightly.From(t, "valgrind takes long on this library")
		}
		program := through.compile(t, "app.c")
		for tool, option := range map[string]string{"memcheck": "--leak-check=full", "helgrind": "--history-level=approx", "drd": "--check-stack-var=no"} {
			t.Run(tool, func(t *testing.T) {
				r := through.run(t, valgrind, "--tool="+tool, option, "--error-exitcode=9", "--xml=yes", "--xml-file=%p.xml", program)
				for _, file := range r.reports(t, "*.xml") {
					found, err := report.Read(file, tool)
					require.NoError(t, err)
					for _, f := range found {
						require.False(t, f.IsCausedBy(through.prefix), "%s", f)
					}
				}
				if through.to.Name == harness.Embedded {
					r.finished(t)
				}
			})
		}
	})
}

// The tools of valgrind that measure come to the end, and have recorded the program's function. For callgrind the handlers
// of signals in the core's threads matter, for massif the memory that the C library frees.
func TestProfiles(t *testing.T) {
	harness.All.From(t, "valgrind takes long")
	valgrind := need(t, "valgrind")
	each(t, func(t *testing.T, _, through job) {
		if !through.isOften() {
			harness.Nightly.From(t, "valgrind takes long on this library")
		}
		program := through.compile(t, "app.c")
		for tool, shows := range map[string]string{"callgrind": ") exchange\n", "massif": "heap_tree=peak", "cachegrind": "fn=exchange\n"} {
			t.Run(tool, func(t *testing.T) {
				r := through.run(t, valgrind, "-q", "--tool="+tool, "--"+tool+"-out-file=out.%p", program)
				r.finished(t)
				for _, file := range r.reports(t, "out.*") {
					text, err := os.ReadFile(file)
					require.NoError(t, err)
					require.Contains(t, string(text), shows, file)
				}
			})
		}
	})
}

// A script may start valgrind, and its processes are audited.
func TestScript(t *testing.T) {
	harness.All.From(t, "valgrind takes long")
	valgrind := need(t, "valgrind")
	each(t, func(t *testing.T, _, through job) {
		if through.to.Name != harness.Embedded {
			t.Skip("the other libraries have errors natively")
		}
		program := through.compile(t, "app.c")
		for tool, options := range map[string]string{"memcheck": "--leak-check=full --error-exitcode=9", "massif": "--massif-out-file=out.%p"} {
			t.Run(tool, func(t *testing.T) {
				script := filepath.Join(t.TempDir(), "script.sh")
				text := fmt.Sprintf("%s -q --tool=%s %s %s\n", valgrind, tool, options, program)
				require.NoError(t, os.WriteFile(script, []byte(text), 0o644))
				r := through.run(t, "sh", script)
				r.finished(t)
				require.NotContains(t, r.text, "==", "an error of memcheck")
			})
		}
	})
}

// A program that was linked with -static-mpi has the core in its file, and the tools find no other errors there.
func TestStaticProgram(t *testing.T) {
	harness.All.From(t, "valgrind takes long")
	valgrind := need(t, "valgrind")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	j := job{prefix: prefix}
	j.to, err = harness.FindIn(prefix, harness.Embedded)
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "app")
	out, err := exec.Command(filepath.Join(prefix, "bin", "mpicc"), "-static-mpi", "-g", "-o", program, "programs/app.c").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for tool, options := range map[string][]string{"memcheck": {"--leak-check=full"}, "callgrind": {"--callgrind-out-file=out.%p"}} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			r := j.run(t, slices.Concat([]string{valgrind, "-q", "--tool=" + tool, "--error-exitcode=9"}, options, []string{program})...)
			r.finished(t)
			require.NotContains(t, r.text, "==", "an error of "+tool)
		})
	}
}

// A debugger stops in a function of the program, shows how it was called, and runs to the end.
func TestDebugger(t *testing.T) {
	harness.All.From(t, "gdb reads the symbols of all libraries")
	gdb := need(t, "gdb")
	each(t, func(t *testing.T, _, through job) {
		r := through.run(t, "sh", "-c", `exec "$@" >gdb.$$ 2>&1`, "sh", gdb, "-q", "-batch", "-ex", "break exchange", "-ex", "run", "-ex", "bt", "-ex", "continue",
			through.compile(t, "app.c"))
		all := ""
		for _, file := range r.reports(t, "gdb.*") { // the lines of two debuggers in one output may be torn
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Contains(t, string(text), "in main (", file)
			require.Contains(t, string(text), "exited normally", file)
			all += string(text)
		}
		for rank := range ranks {
			require.Contains(t, all, fmt.Sprintf("#0  exchange (rank=%d, size=%d)", rank, ranks))
			require.Contains(t, all, fmt.Sprintf("rank %d is done\n", rank))
		}
		require.Zero(t, r.code, r.text)
	})
}

// Without -f, ltrace ends a rank only where it also ends a program without MPI in which threads get signals.
func TestTracerWithoutThreads(t *testing.T) {
	ltrace := need(t, "ltrace")
	dir := t.TempDir()
	program := filepath.Join(dir, "signalled")
	text, err := exec.CommandContext(t.Context(), "gcc", "-O1", "-o", program, "programs/signalled.c", "-pthread").CombinedOutput()
	require.NoError(t, err, "%s", text)
	trace := filepath.Join(dir, "trace")
	text, err = exec.CommandContext(t.Context(), ltrace, "-o", trace, program).CombinedOutput()
	require.NoError(t, err, "%s", text)
	natively, err := os.ReadFile(trace)
	require.NoError(t, err)
	if strings.Contains(string(natively), "+++ killed by") {
		return
	}
	each(t, func(t *testing.T, _, through job) {
		r := through.run(t, ltrace, "-o", filepath.Join(t.TempDir(), "trace"), through.compile(t, "app.c"))
		r.finished(t)
	})
}

// Tracers and profilers run the program to its end. Each has recorded it.
func TestTracers(t *testing.T) {
	harness.All.From(t, "some of these tools stop the program at each call")
	tools := []struct {
		name    string
		words   []string
		file    string // a pattern for the files that the tool writes, one for each rank
		shows   string // text in each file
		counter bool   // it needs the processor's counters, which virtual machines may lack
	}{
		{name: "strace", words: []string{"sh", "-c", `exec strace -f -o strace.$$ "$@"`, "strace"}, file: "strace.*", shows: "exited with 0"},
		{name: "ltrace", words: []string{"sh", "-c", `exec ltrace -f -e MPI_Sendrecv+MPI_Finalize -o ltrace.$$ "$@"`, "ltrace"}, file: "ltrace.*", shows: "->MPI_Sendrecv("},
		{name: "perf", words: []string{"sh", "-c", `exec perf stat -e task-clock -o perf.$$ "$@"`, "perf"}, file: "perf.*", shows: "task-clock"},
		{name: "rr", words: []string{"env", "_RR_TRACE_DIR=trace", "rr", "record"}, counter: true},
		{name: "heaptrack", words: []string{"heaptrack"}, file: "heaptrack.app.*"},
	}
	for _, tool := range tools {
		t.Run(tool.name, func(t *testing.T) {
			path := need(t, tool.name)
			if tool.counter && exec.Command(path, "record", "true").Run() != nil {
				t.Skip("this machine has no performance counters for " + tool.name)
			}
			each(t, func(t *testing.T, _, through job) {
				r := through.run(t, append(slices.Clone(tool.words), through.compile(t, "app.c"))...)
				r.finished(t)
				if tool.file == "" {
					return
				}
				for _, file := range r.reports(t, tool.file) {
					text, err := os.ReadFile(file)
					require.NoError(t, err)
					require.Contains(t, string(text), tool.shows)
				}
			})
		})
	}
}

// EZTrace, a tool on top of MPI, records the calls of each rank.
func TestEZTrace(t *testing.T) {
	harness.All.From(t, "the tool itself has few users")
	eztrace := need(t, "eztrace")
	each(t, func(t *testing.T, native, through job) {
		program := through.compile(t, "app.c")
		if n := native.run(t, eztrace, "-t", through.from.Name, program); n.code != 0 {
			t.Skip("eztrace does not work natively with this library")
		}
		r := through.run(t, eztrace, "-t", through.from.Name, program)
		r.finished(t)
		_, err := os.Stat(filepath.Join(r.dir, "app_trace"))
		require.NoError(t, err)
	})
}

// summary matches the last line of a sanitizer's report, and number the totals in it: the names of the job's files, whose lengths vary,
// are among the leaks of the libraries.
var (
	summary = regexp.MustCompile(`(?m)^SUMMARY: .*$`)
	number  = regexp.MustCompile(`\d+`)
)

// frame matches the position of a stack frame in a report: a file, and an offset in its memory.
var frame = regexp.MustCompile(`\((/[^()\s]+)\+0x([0-9a-f]+)\)`)

// framesIn returns the frames in files below a directory. For a plugin that was closed, a sanitizer may name the file
// in front of it, with an offset after the file's code: such a frame does not count.
func framesIn(t *testing.T, directory, text string) (frames []string) {
	t.Helper()
	for _, m := range frame.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[1], directory) {
			continue
		}
		offset, err := strconv.ParseUint(m[2], 16, 64)
		require.NoError(t, err)
		file, err := elf.Open(m[1])
		require.NoError(t, err)
		for _, p := range file.Progs {
			if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && p.Vaddr <= offset && offset < p.Vaddr+p.Memsz {
				frames = append(frames, m[0])
				break
			}
		}
		require.NoError(t, file.Close())
	}
	return frames
}

// The sanitizers report the same as natively on the library that does the work, and nothing of wi4go's.
func TestSanitizers(t *testing.T) {
	harness.All.From(t, "programs with sanitizers take long")
	for _, sanitizer := range []string{"address", "leak", "thread", "undefined"} {
		t.Run(sanitizer, func(t *testing.T) {
			flag := "-fsanitize=" + sanitizer
			each(t, func(t *testing.T, _, through job) {
				through.plain = true
				r := through.run(t, through.compile(t, "app.c", flag))
				require.Equal(t, ranks, strings.Count(r.text, "is done"), r.text)
				require.Empty(t, framesIn(t, filepath.Join(through.prefix, "lib")+"/", r.text))
				if through.to.Name == harness.Embedded {
					r.finished(t)
					require.Empty(t, summary.FindString(r.text))
					return
				}
				there := job{from: through.to, to: through.to, plain: true}
				native := there.run(t, there.compile(t, "app.c", flag))
				require.Equal(t, native.code, r.code, "natively:\n%s\nthrough wi4go:\n%s", native.text, r.text)
				kinds := func(text string) []string {
					found := summary.FindAllString(number.ReplaceAllString(text, "N"), -1)
					slices.Sort(found)
					return found
				}
				require.Equal(t, kinds(native.text), kinds(r.text))
			})
		})
	}
}
