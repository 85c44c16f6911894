// Package memcheck runs programs under valgrind, natively and through wi4go. A user who looks for errors of a program
// must not find wi4go's among them.
package memcheck

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wi4go/tests/conformance/suite"
	"wi4go/tests/harness"
	"wi4go/tests/memcheck/report"
)

const (
	runTimeout = 3 * time.Minute // ends a run that hangs; the longest takes a quarter of a minute
	ranks      = 2
)

// programs are conformance programs: one with messages and statuses, one with dynamic objects and callbacks.
var programs = []string{"p2p_status", "coll_userop"}

// The errors through wi4go are those that the library has natively, at the same places in its own functions. None is in
// the front or in the core, and valgrind gets the list of suppressions by itself.
func TestErrors(t *testing.T) {
	harness.All.From(t, "valgrind takes long")
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		harness.Missing(t, fmt.Errorf("valgrind: %w; install it", harness.ErrMissing))
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	const leaks = "--leak-check=full" // only wi4go's own are errors
	for _, name := range programs {
		native := map[string]map[string]bool{} // library → places
		for _, d := range harness.Across(append(slices.Clone(harness.Names), harness.Interface), harness.Names, false) {
			t.Run(name+"/"+d.String(), func(t *testing.T) {
				from, err := harness.FindIn(prefix, d.From)
				if err != nil {
					harness.Missing(t, err)
				}
				to, err := harness.Find(d.To)
				if err != nil {
					harness.Missing(t, err)
				}
				if native[d.To] == nil {
					places := map[string]bool{}
					program := compile(t, to, name)
					for _, f := range memcheck(t, to, to.MPIExec, valgrind, leaks, program) {
						places[f.Place(program, prefix)] = true
					}
					native[d.To] = places
				}
				program := compile(t, from, name)
				for _, f := range memcheck(t, to, filepath.Join(prefix, "bin", "wi4go"), "run", "--to", to.MPIExec, valgrind, leaks, program) {
					if f.IsLeak() {
						require.False(t, f.IsCausedBy(prefix), "lost in wi4go: %s", f)
					} else {
						require.True(t, f.InLinker() || native[d.To][f.Place(program, prefix)], "an error that does not occur natively: %s", f)
					}
				}
			})
		}
	}
}

func compile(t *testing.T, tools harness.Toolchain, name string) string {
	t.Helper()
	dir := filepath.Join("..", "conformance")
	out := filepath.Join(t.TempDir(), name)
	require.NoError(t, tools.Compile(suite.Source(dir, name), out, "-I"+dir, "-lm"))
	return out
}

// memcheck runs a program on some ranks and returns the findings of all of them. The last three words are valgrind, an
// option for it and the program; the others are for the launcher. The run itself must succeed.
func memcheck(t *testing.T, tools harness.Toolchain, launcher string, words ...string) []report.Finding {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	reports := t.TempDir()
	tools.MPIExec = launcher
	own, words := words[:len(words)-3], words[len(words)-3:]
	xml := "--xml-file=" + filepath.Join(reports, "%p.xml")
	cmd := tools.Launch(ctx, ranks, words[0], words[1], "--xml=yes", xml, "--num-callers=30", words[2])
	cmd.Args = slices.Concat(cmd.Args[:1], own, cmd.Args[1:])
	cmd.Dir = reports
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), "%s\n%s%s", strings.Join(cmd.Args, " "), &stdout, &stderr)
	require.Contains(t, stdout.String(), "PASS ", "%s", &stderr)
	files, err := filepath.Glob(filepath.Join(reports, "*.xml"))
	require.NoError(t, err)
	require.Len(t, files, ranks)
	var all []report.Finding
	for _, file := range files {
		errors, err := report.Read(file, "memcheck")
		require.NoError(t, err)
		all = append(all, errors...)
	}
	return all
}
