// Package net runs conformance programs in the safety net (shim/front/thunk.h): if the references of the MPI library
// cannot be bound to its own functions, all calls go through thunks, and a thread-local flag distinguishes the
// program's calls from the library's.
package net

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/conformance/suite"
	"wi4go/tests/harness"
)

const (
	top   = "../.."
	mseal = 462 // the number of the system call
)

// programs are those in which calls come from inside the library: file access, because Open MPI's ROMIO calls MPI for
// it, and callbacks of each kind.
var programs = []string{"inside_*", "io_*", "greq_*", "attr_*", "error_*", "coll_ops", "coll_userop*", "tool_*", "session_errhandler"}

// refusing compiles the library that makes mprotect fail, and returns its path.
func refusing(t *testing.T, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "refuse.so")
	text, err := exec.Command("cc", append([]string{"-O2", "-Wall", "-shared", "-fPIC", "-o", out, "testdata/refuse.c", "-ldl"}, flags...)...).CombinedOutput()
	require.NoError(t, err, "%s", text)
	return out
}

// indistinguishable returns the programs of the list, with the reason for each: in these, the program itself makes
// calls from inside a call, as the library does.
func indistinguishable(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open("testdata/indistinguishable.txt")
	require.NoError(t, err)
	defer f.Close()
	reasons := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, reason, ok := strings.Cut(lines.Text(), " "); ok && !strings.HasPrefix(name, "#") {
			_, err := os.Stat(suite.Source(filepath.Join(top, "tests", "conformance"), name))
			cc := strings.TrimSuffix(suite.Source(filepath.Join(top, "tests", "conformance"), name), ".c") + ".cc"
			if err != nil {
				_, err = os.Stat(cc)
			}
			require.NoError(t, err, "indistinguishable.txt names %s", name)
			reasons[name] = strings.TrimSpace(reason)
		}
	}
	return reasons
}

// run runs programs in both directions between Debian's libraries.
func run(t *testing.T, preload string, only []string, ranks ...int) {
	t.Helper()
	s := suite.Suite{
		Programs: filepath.Join(top, "tests", "conformance"), Prefix: filepath.Join(top, "build"), Cache: filepath.Join(top, "build", "conformance"),
		Directions: harness.Across(harness.Names, harness.Names, false), Ranks: ranks, Jobs: 2, Timeout: time.Minute,
		Only: only, Preload: preload,
	}
	if dir := os.Getenv("WI4GO_PREFIX"); dir != "" {
		s.Prefix = dir
	}
	if err := s.Open(); err != nil {
		harness.Missing(t, err)
	}
	known := indistinguishable(t)
	passed := map[harness.Direction]int{}
	s.Run(t.Context(), func(r suite.Result) {
		if r.Through == suite.Pass {
			passed[r.Direction]++
		}
		if _, listed := known[r.Program]; !listed {
			assert.True(t, r.Good(), "%s %s %d: natively %s, in the safety net %s: %s", r.Program, r.Direction, r.Ranks, r.Native, r.Through, r.Detail)
		}
	})
	for _, d := range s.Directions {
		assert.NotZero(t, passed[d], "passed by %s", d)
	}
}

// mprotect fails, as under a filter of system calls.
func TestRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a hundred MPI programs")
	}
	run(t, refusing(t), programs, 2)
}

// The pages are sealed.
func TestSealed(t *testing.T) {
	if _, _, err := syscall.Syscall(mseal, 0, 0, 0); err != 0 {
		t.Skipf("this kernel has no mseal: %v", err)
	}
	run(t, refusing(t, "-DSEAL"), []string{"io_view", "error_*"}, 2)
}

// `wi4go run --verbose` and `wi4go doctor` report it, for a program of each family.
func TestReported(t *testing.T) {
	prefix, err := filepath.Abs(filepath.Join(top, "build"))
	require.NoError(t, err)
	refuse := refusing(t)
	for _, d := range harness.Across(harness.Names, harness.Names, false) {
		t.Run(d.String(), func(t *testing.T) {
			to, err := harness.Find(d.To)
			if err != nil {
				harness.Missing(t, err)
			}
			wi4go := filepath.Join(prefix, "bin", "wi4go")
			probe := filepath.Join(prefix, "lib", "wi4go", "probe", d.From)
			for command, reports := range map[string]string{
				"run --verbose --to " + to.MPIExec + " -n 1 " + probe:    "wi4go: safety net: every MPI call goes through a thunk",
				"doctor --from " + d.From + " --to " + to.MPIExec:        "(safety-net)",
				"doctor --json --from " + d.From + " --to " + to.MPIExec: `"id": "safety-net"`,
			} {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				cmd := exec.CommandContext(ctx, wi4go, strings.Fields(command)...)
				cmd.Env = append(harness.Environ(), harness.Preload(refuse))
				out, _ := cmd.CombinedOutput()
				assert.Contains(t, string(out), reports, command)
			}
			cmd := exec.Command(wi4go, "run", "--verbose", "--to", to.MPIExec, "-n", "1", probe)
			cmd.Env = harness.Environ()
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			assert.NotContains(t, string(out), "safety net:")
		})
	}
}
