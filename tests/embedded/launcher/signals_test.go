package launcher

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// An output collects what a job prints, while it runs.
type output struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.text.String()
}

// has waits until the output contains a text n times.
func (o *output) has(t *testing.T, text string, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Count(o.String(), text) >= n }, harness.JobLimit, 5*time.Millisecond, "%q", o)
}

// A signaled job is one that the test sends signals to.
type signaled struct {
	*exec.Cmd
	out output
}

// begin starts `before wi4go ranks -n 2 sh -c script` in a process group of its own. Signals that the tests were started to
// ignore (nohup) have their default action.
func begin(t *testing.T, script string, before ...string) *signaled {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	words := append([]string{"env", "--default-signal"}, before...)
	words = append(words, filepath.Join(prefix, "bin/wi4go"), "ranks", "-n", "2", "sh", "-c", script)
	s := &signaled{Cmd: exec.Command(words[0], words[1:]...)}
	s.Stdout, s.Stderr = &s.out, &s.out
	s.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	s.WaitDelay = harness.JobLimit
	require.NoError(t, s.Start())
	t.Cleanup(func() { s.Process.Kill() })
	return s
}

func (s *signaled) send(t *testing.T, number syscall.Signal) {
	require.NoError(t, s.Process.Signal(number))
}

// code returns the job's exit code.
func (s *signaled) code() int {
	s.Wait() // the state has its error
	return s.ProcessState.ExitCode()
}

// loop makes a shell wait without a child that outlives it.
const loop = "echo ready; while :; do sleep 0.02; done"

// Signals that end a job, and those that a program may handle.
func TestSignals(t *testing.T) {
	for _, number := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2} {
		t.Run(number.String(), func(t *testing.T) {
			t.Parallel()
			s := begin(t, loop)
			s.out.has(t, "ready", 2)
			s.send(t, number)
			assert.Equal(t, 128+int(number), s.code(), &s.out)
			assert.NotContains(t, s.out.String(), "goroutine")

			s = begin(t, "trap 'echo got; exit 0' "+strconv.Itoa(int(number))+"; "+loop)
			s.out.has(t, "ready", 2)
			s.send(t, number)
			want := 128 + int(number)
			if number == syscall.SIGUSR1 || number == syscall.SIGUSR2 {
				want = 0
			}
			assert.Equal(t, want, s.code(), &s.out)
			assert.Equal(t, 2, strings.Count(s.out.String(), "got"), &s.out)
		})
	}
}

// The whole process group of the launcher gets a signal, as by the terminal: each rank gets it once.
func TestSignalOfGroup(t *testing.T) {
	s := begin(t, "n=0; trap 'n=$((n+1))' INT; echo ready; i=0; while [ $i -lt 30 ]; do i=$((i+1)); sleep 0.02; done; echo count $n.")
	s.out.has(t, "ready", 2)
	require.NoError(t, syscall.Kill(-s.Process.Pid, syscall.SIGINT))
	assert.Equal(t, 128+int(syscall.SIGINT), s.code())
	assert.Equal(t, 2, strings.Count(s.out.String(), "count 1."), &s.out)
}

// A second Ctrl+C ends ranks that ignore the first one, without waiting for the grace period.
func TestSignalTwice(t *testing.T) {
	s := begin(t, "trap 'echo got' INT; "+loop)
	s.out.has(t, "ready", 2)
	s.send(t, syscall.SIGINT)
	s.out.has(t, "got", 2)
	time.Sleep(400 * time.Millisecond) // later than internal/embedded's again
	s.send(t, syscall.SIGINT)
	assert.Equal(t, 128+int(syscall.SIGINT), s.code())
	assert.Equal(t, 2, strings.Count(s.out.String(), "got"), "the second one is SIGKILL")
}

// nohup: a signal that the launcher was started to ignore ends neither it nor its ranks.
func TestIgnoredSignal(t *testing.T) {
	s := begin(t, "echo ready; i=0; while [ $i -lt 20 ]; do i=$((i+1)); sleep 0.02; done; echo end", "env", "--ignore-signal=HUP")
	s.out.has(t, "ready", 2)
	require.NoError(t, syscall.Kill(-s.Process.Pid, syscall.SIGHUP))
	assert.Equal(t, 0, s.code(), &s.out)
	assert.Equal(t, 2, strings.Count(s.out.String(), "end"))
}

// state returns the letter of a process's state in /proc.
func state(pid int) string {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat") // an ended process has no state
	_, rest, _ := strings.Cut(string(text), ") ")
	return rest[:min(1, len(rest))]
}

// SIGTSTP stops the launcher and the ranks, SIGCONT lets them go on.
func TestStop(t *testing.T) {
	s := begin(t, "echo pid $$.; while :; do :; done")
	s.out.has(t, ".\n", 2)
	pids := []int{s.Process.Pid}
	for _, line := range strings.Split(strings.TrimSpace(s.out.String()), "\n") {
		pid, err := strconv.Atoi(strings.Trim(line, "pid ."))
		require.NoError(t, err)
		pids = append(pids, pid)
	}
	all := func(stopped bool) func() bool {
		return func() bool {
			for _, pid := range pids {
				if (state(pid) == "T") != stopped {
					return false
				}
			}
			return true
		}
	}
	s.send(t, syscall.SIGTSTP)
	require.Eventually(t, all(true), harness.JobLimit, 5*time.Millisecond)
	s.send(t, syscall.SIGCONT)
	require.Eventually(t, all(false), harness.JobLimit, 5*time.Millisecond)
	s.send(t, syscall.SIGTERM)
	assert.Equal(t, 128+int(syscall.SIGTERM), s.code())
}

// When the launcher ends the job, the processes that a rank has started end too.
func TestProcessesOfRank(t *testing.T) {
	mark := "77" + strconv.Itoa(os.Getpid()) // seconds that no other process sleeps
	start := time.Now()
	got := harness.Ranks(t, "", "-n", "2", "-timeout", "0.5", "sh", "-c", "sleep "+mark+"; true")
	assert.Equal(t, 124, got.Code)
	assert.Less(t, time.Since(start), harness.JobLimit)
	require.Eventually(t, func() bool { return len(processes(t, "sleep\x00"+mark)) == 0 }, harness.JobLimit, 10*time.Millisecond)
}

// A rank has the descriptors of the job once, and no others of the launcher's.
func TestDescriptors(t *testing.T) {
	got := harness.Ranks(t, "", "-n", "2", "sh", "-c", "ls -l /proc/self/fd | grep -c memfd:wi4go")
	assert.Equal(t, "1\n1\n", got.Stdout)
}
