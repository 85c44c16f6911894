package ranks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runs reports whether the process whose number is in a file still runs.
func runs(t *testing.T, file string) bool {
	pid, err := os.ReadFile(file)
	require.NoError(t, err)
	state, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", strings.TrimSpace(string(pid))))
	return err == nil && !strings.Contains(string(state), ") Z ")
}

func TestJob(t *testing.T) {
	var out bytes.Buffer
	j, err := Start(Command{Argv: []string{"sh", "-c", "read line; echo $A $line; exit 3"}, Environ: []string{"A=a"}, Stdin: strings.NewReader("for rank 0\n"), Out: &out})
	require.NoError(t, err)
	assert.True(t, j.EndsWithin(time.Minute))
	<-j.Done()
	var exit *exec.ExitError
	require.ErrorAs(t, j.End(0), &exit)
	assert.Equal(t, 3, exit.ExitCode())
	assert.Equal(t, "a for rank 0\n", out.String())
	_, err = Start(Command{Argv: []string{"/gone"}})
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

// Without a reader, stdin is empty: a rank that reads does not wait for the terminal.
func TestEmptyStdin(t *testing.T) {
	timedOut, err := Run(Command{Argv: []string{"cat"}}, time.Minute)
	assert.NoError(t, err)
	assert.False(t, timedOut)
}

// soon bounds the wait for a state that other processes reach, on a machine with any load.
const soon = time.Minute

// Processes that a command has started end with it, even if they ignore SIGTERM, and also if the
// command ends normally.
func TestNothingLeft(t *testing.T) {
	t.Run("at the limit", func(t *testing.T) {
		// Under load, the script may not have started the other process within the limit.
		for limit := 300 * time.Millisecond; ; limit *= 2 {
			file := filepath.Join(t.TempDir(), "pid")
			timedOut, _ := Run(Command{Argv: []string{"sh", "-c", "trap '' TERM; sleep 1000 & echo $! > $FILE.new; mv $FILE.new $FILE; wait; wait"}, Environ: append(os.Environ(), "FILE="+file)}, limit)
			assert.True(t, timedOut)
			if _, err := os.Stat(file); err == nil || limit > soon {
				assert.Eventually(t, func() bool { return !runs(t, file) }, soon, 20*time.Millisecond)
				return
			}
		}
	})
	t.Run("after a good end", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "pid")
		timedOut, _ := Run(Command{Argv: []string{"sh", "-c", "sleep 1000 & echo $! > $FILE"}, Environ: append(os.Environ(), "FILE="+file)}, 10*soon)
		assert.False(t, timedOut)
		assert.Eventually(t, func() bool { return !runs(t, file) }, soon, 20*time.Millisecond)
	})
}

// A signal that ends the process that has started a job also ends the job.
func TestSignal(t *testing.T) {
	const variable = "RANKS_TEST_FILE"
	if file := os.Getenv(variable); file != "" {
		Run(Command{Argv: []string{"sh", "-c", "echo $$ > " + file + ".new; mv " + file + ".new " + file + "; exec sleep 1000"}, Environ: os.Environ()}, 10*soon)
		return
	}
	file := filepath.Join(t.TempDir(), "pid")
	c := exec.Command(os.Args[0], "-test.run=^TestSignal$")
	c.Env = append(os.Environ(), variable+"="+file)
	require.NoError(t, c.Start())
	require.Eventually(t, func() bool { _, err := os.Stat(file); return err == nil }, soon, 10*time.Millisecond)
	require.True(t, runs(t, file))
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	var exit *exec.ExitError
	require.ErrorAs(t, c.Wait(), &exit)
	assert.Equal(t, syscall.SIGTERM, exit.Sys().(syscall.WaitStatus).Signal())
	assert.Eventually(t, func() bool { return !runs(t, file) }, soon, 20*time.Millisecond)
}

func TestKillProgram(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	require.NoError(t, err)
	sleep, err = filepath.EvalSymlinks(sleep)
	require.NoError(t, err)
	j, err := Start(Command{Argv: []string{"sleep", "1000"}})
	require.NoError(t, err)
	KillProgram(j.command.Process.Pid, "/another/program")
	assert.False(t, j.EndsWithin(100*time.Millisecond))
	assert.Eventually(t, func() bool { // before its exec, the process still runs this test
		KillProgram(j.command.Process.Pid, sleep)
		return j.EndsWithin(20 * time.Millisecond)
	}, soon, 20*time.Millisecond)
	assert.Error(t, j.End(0))
}

func TestStartCode(t *testing.T) {
	assert.Equal(t, 127, StartCode(Become("/gone", []string{"gone"}, nil)))
	assert.Equal(t, 126, StartCode(Become(t.TempDir(), []string{"directory"}, nil)))
	assert.Equal(t, 127, StartCode(&exec.Error{Name: "gone", Err: exec.ErrNotFound}))
	assert.Equal(t, 126, StartCode(errors.New("another")))
}

func TestLimited(t *testing.T) {
	var out bytes.Buffer
	l := &Limited{To: &out, Remaining: 5}
	for _, text := range []string{"abc", "def", "ghi"} {
		n, err := l.Write([]byte(text))
		assert.NoError(t, err)
		assert.Equal(t, 3, n)
	}
	assert.Equal(t, "abcde", out.String())
}
