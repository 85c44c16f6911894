package launch

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

// left returns the processes whose environment contains this text, except for those that have ended.
func left(text string) []string {
	var found []string
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, []byte(text)) {
			name, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "comm"))
			found = append(found, filepath.Base(filepath.Dir(path))+" "+strings.TrimSpace(string(name)))
		}
	}
	return found
}

// ending is the result of a job as seen from outside.
type ending struct {
	code  int
	lines string
}

// job runs a command as a separate job. If there is a signal, it is sent to the launcher after both ranks have begun.
// No process of the job may remain.
func (w world) job(signal syscall.Signal, command ...string) ending {
	w.t.Helper()
	dir, err := os.MkdirTemp("", "f")
	require.NoError(w.t, err)
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(w.t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	mark := "WI4GO_TEST_JOB=" + dir
	// With libhwloc-plugins, MPICH loads the machine's drivers of OpenCL. pocl's handler repeats a SIGSEGV forever.
	cmd.Env = append(slices.Clone(w.environ), "TMPDIR="+dir, "HWLOC_COMPONENTS=-opencl", mark)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	out := filepath.Join(dir, "out")
	file, err := os.Create(out)
	require.NoError(w.t, err)
	defer file.Close()
	cmd.Stdout = file
	begun := func() int {
		text, _ := os.ReadFile(out)
		return strings.Count(string(text), "begins\n")
	}
	require.NoError(w.t, cmd.Start())
	if signal != 0 {
		require.Eventually(w.t, func() bool { return begun() == 2 }, limit, 20*time.Millisecond)
		require.NoError(w.t, cmd.Process.Signal(signal))
	}
	_ = cmd.Wait() // its state has the exit code
	require.NoError(w.t, ctx.Err(), "%s did not end", command)
	assert.Eventually(w.t, func() bool { return len(left(mark)) == 0 }, 30*time.Second, 50*time.Millisecond, "%s left %s", command, left(mark))
	code := cmd.ProcessState.ExitCode()
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		code = 128 + int(status.Signal())
	}
	text, err := os.ReadFile(out)
	require.NoError(w.t, err)
	lines := result{stdout: string(text)}.lines()
	return ending{code, strings.Join(lines, "\n")}
}

// A rank that is killed, aborts or exits, an error that ends the job, a full device, a signal to the launcher: the job
// ends as it does natively, with the same exit code, and no process remains.
func TestFaults(t *testing.T) {
	const tries = 6 // a launcher ends the same job in several ways, natively too
	w := newWorld(t)
	programs := w.programs("faults.c")
	cases := []struct {
		how    string
		signal syscall.Signal
	}{
		{"kill", 0}, {"fault", 0}, {"abort", 0}, {"leave", 0}, {"exit", 0}, {"error", 0}, {"MPI_Abort", 0}, {"full", 0}, {"", 0},
		{"wait", syscall.SIGTERM}, {"wait", syscall.SIGINT},
	}
	for _, runtime := range harness.Names {
		launcher, app := w.tools[runtime].MPIExec, programs[harness.Other(runtime)]
		for _, c := range cases {
			t.Run(fmt.Sprintf("%s on %s %d", c.how, runtime, c.signal), func(t *testing.T) {
				w := w
				w.t = t
				var ours, natively []ending
				for range tries {
					natively = append(natively, w.job(c.signal, launcher, "-n", "2", programs[runtime], c.how))
					ours = append(ours, w.job(c.signal, w.wi4go, "run", "--to", launcher, "-n", "2", app, c.how))
					if slices.ContainsFunc(ours, func(e ending) bool { return slices.Contains(natively, e) }) {
						return
					}
				}
				assert.Fail(t, "never as natively", "through wi4go %v\nnatively %v", ours, natively)
			})
		}
	}
}
