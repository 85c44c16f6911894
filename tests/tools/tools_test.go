// Package tools runs a program under tools that developers use, natively and through wi4go: the program ends as it does
// natively, and the tool reports the same.
package tools

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
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

// Callgrind counts the program's functions and calls: it follows the signals and the threads of the core.
func TestCallgrind(t *testing.T) {
	harness.All.From(t, "valgrind takes long")
	valgrind := need(t, "valgrind")
	each(t, func(t *testing.T, _, through job) {
		r := through.run(t, valgrind, "-q", "--tool=callgrind", "--callgrind-out-file=out.%p", through.compile(t, "app.c"))
		r.finished(t)
		files, err := filepath.Glob(filepath.Join(r.dir, "out.*"))
		require.NoError(t, err)
		require.Len(t, files, ranks)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Contains(t, string(text), ") exchange\n", file)
			require.Contains(t, string(text), "\ntotals: ", file)
		}
	})
}
