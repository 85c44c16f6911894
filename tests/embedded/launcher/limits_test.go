package launcher

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// limits returns arguments of ulimit: too few descriptors, too little memory (KB), and too small files (512 bytes).
func limits() (list []string) {
	add := func(flag string, first, last, step, nightly int) {
		if harness.Nightly.Runs() {
			step = nightly
		}
		for n := first; n <= last; n += step {
			list = append(list, fmt.Sprintf("%s %d", flag, n))
		}
	}
	add("-n", 3, 11, 1, 1)
	add("-v", 6000, 30000, 4000, 500)
	add("-f", 0, 4000, 1000, 50)
	return list
}

// A job that lacks descriptors or memory does its work, or ends with a message: it neither crashes nor hangs.
func TestLimits(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	traffic := harness.EmbeddedProgram(t, "traffic") + " 20"
	ends := func(t *testing.T, code int, stderr string) {
		if code != 0 {
			assert.True(t, code > 0 && code != 124 && code < 128, "code %d\n%s", code, stderr)
			assert.NotEmpty(t, stderr)
		}
	}
	for _, limit := range limits() {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			command := "ulimit " + limit + "; exec "
			got := harness.Ranks(t, "", "-n", "2", "sh", "-c", command+traffic)
			ends(t, got.Code, got.Stderr)
			got = harness.Ranks(t, "", "-n", "2", "sh", "-c", "test $ADI_RANK = 0 && "+command+traffic+"; exec "+traffic) // only one rank
			ends(t, got.Code, got.Stderr)
			if limit[:2] == "-n" { // the core, in Go, needs more memory
				got = harness.Ranks(t, "", "-n", "2", "sh", "-c", command+filepath.Join(prefix, "bin/wi4go")+" exec --to embedded "+traffic)
				ends(t, got.Code, got.Stderr)
			}
			for _, file := range []string{"0", "1"} {
				environ := func(int) []string {
					return []string{"ADI_JOIN_TIMEOUT=2", "ADI_SEGMENT_FILE=" + file, "TMPDIR=" + t.TempDir()}
				}
				all := ""
				ranks := tasks(t, 2, 2, environ, "sh", "-c", command+traffic)
				for _, r := range ranks {
					all += r.stderr.String() // one rank prints the error of all
				}
				for _, r := range ranks {
					ends(t, r.code, all)
				}
			}
		})
	}
}

// A rank keeps unexpected messages, of several senders and tags, as long as there is memory. Then senders wait, and a report
// names the reason: the kernel does not end the rank.
func TestUnexpected(t *testing.T) {
	unexpected := harness.EmbeddedProgram(t, "unexpected")
	right := harness.Job{Stdout: "0 wrong\n"}
	assert.Equal(t, right, harness.Ranks(t, "", "-n", "2", unexpected, "100000", "1024", "1"))
	assert.Equal(t, right, harness.Ranks(t, "", "-n", "5", unexpected, "20000", "1000", "7", "self"))
	assert.Equal(t, right, harness.Ranks(t, "", "-n", "3", unexpected, "100000", "8", "3"))
	assert.Equal(t, right, harness.Ranks(t, "", "-n", "1", unexpected, "20000", "4000", "3", "self"))
	got := harness.Ranks(t, "", "-n", "2", "sh", "-c", "ulimit -v 300000; exec "+unexpected+" 400000 1024 1")
	assert.Equal(t, 124, got.Code)
	assert.Regexp(t, `rank 1: MPI_Send waits for rank 0 \(tag 0\) on MPI_COMM_WORLD\n +blocked because \d\d\d MB are unexpected at rank 0`, got.Stderr)
}

// The same if the launcher lacks descriptors for its ranks.
func TestLauncherLimits(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	wi4go, traffic := filepath.Join(prefix, "bin/wi4go"), harness.EmbeddedProgram(t, "traffic")+" 20"
	launchers := map[string]string{
		"ranks":   wi4go + " ranks -n 16 " + traffic,
		"labels":  wi4go + " ranks -l -n 16 " + traffic,
		"run":     wi4go + " run --to embedded -n 16 " + traffic,
		"mpiexec": filepath.Join(prefix, "lib/wi4go/runtimes/embedded/bin/mpiexec") + " -n 16 " + traffic,
	}
	for _, family := range harness.Names {
		tools, err := harness.Find(family)
		if err != nil {
			harness.Missing(t, err)
		}
		launchers[family] = tools.MPIExec + " -n 3 " + wi4go + " exec --to embedded " + traffic
	}
	step := 16
	if harness.Nightly.Runs() {
		step = 4
	}
	first := map[string]int{"openmpi": 48} // with 36, Open MPI 4's launcher hangs without a program of MPI
	for name, line := range launchers {
		for n := max(16, first[name]); n <= 64; n += step {
			t.Run(fmt.Sprint(name, " ", n), func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithTimeout(t.Context(), harness.JobLimit)
				defer cancel()
				var stderr bytes.Buffer
				c := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf("ulimit -n %d; exec %s", n, line))
				c.Env = append(os.Environ(), "TMPDIR="+t.TempDir(), "ADI_JOIN_TIMEOUT=5")
				c.Stderr, c.WaitDelay = &stderr, harness.JobLimit
				c.Run() // the state has its error
				require.NoError(t, ctx.Err(), "it hangs: %s", &stderr)
				assert.NotContains(t, stderr.String(), "goroutine")
				assert.NotContains(t, stderr.String(), "core dumped")
				if c.ProcessState.ExitCode() != 0 {
					assert.NotEmpty(t, stderr.String())
				}
			})
		}
	}
}

// processGroup creates a control group with a limit on processes and threads, and returns the command of a shell that enters
// it. It makes it only below the root of the controller's groups, where this process must be, too.
func processGroup(t *testing.T, limit int) string {
	base := "/sys/fs/cgroup/pids" // version 1
	if _, err := os.Stat(base); err != nil {
		base = "/sys/fs/cgroup"
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	require.NoError(t, err)
	if !regexp.MustCompile(`(?m)^\d+:(pids)?:/$`).Match(own) {
		harness.Missing(t, fmt.Errorf("the right to make a control group: %w", harness.ErrMissing))
	}
	dir, err := os.MkdirTemp(base, "wi4go-test-")
	if err != nil {
		harness.Missing(t, fmt.Errorf("the right to make a control group (%v): %w", err, harness.ErrMissing))
	}
	t.Cleanup(func() { // fails while a process of the group is left
		assert.Eventually(t, func() bool { return os.Remove(dir) == nil }, harness.JobLimit, 10*time.Millisecond)
	})
	require.NoError(t, os.WriteFile(filepath.Join(dir, "pids.max"), fmt.Append(nil, limit), 0o644))
	return "echo $$ >" + filepath.Join(dir, "cgroup.procs") + " && exec "
}

// The same in a control group with too few processes and threads. The launcher, in Go, starts with 8. A rank whose front gets
// no thread ends with a dump of the Go runtime.
func TestProcessLimits(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	wi4go, traffic := filepath.Join(prefix, "bin/wi4go"), harness.EmbeddedProgram(t, "traffic")+" 20"
	step := 4
	if harness.Nightly.Runs() {
		step = 1
	}
	for name, line := range map[string]string{
		"ranks": wi4go + " ranks -n 4 " + traffic,
		"exec":  wi4go + " ranks -n 4 " + wi4go + " exec --to embedded " + traffic,
	} {
		refused := 0
		for n := 9; n <= 33; n += step {
			ctx, cancel := context.WithTimeout(t.Context(), harness.JobLimit)
			var stderr bytes.Buffer
			c := exec.CommandContext(ctx, "sh", "-c", processGroup(t, n)+line)
			c.Stderr, c.WaitDelay = &stderr, harness.JobLimit
			c.Run() // the state has its error
			assert.NoError(t, ctx.Err(), "%s, %d processes: it hangs: %s", name, n, &stderr)
			cancel()
			if name == "ranks" {
				assert.NotContains(t, stderr.String(), "goroutine", "%d processes", n)
			}
			if c.ProcessState.ExitCode() != 0 {
				refused++
				assert.Contains(t, stderr.String(), "raise the limit", "%s, %d processes", name, n)
			}
		}
		assert.Positive(t, refused, name)
	}
}
