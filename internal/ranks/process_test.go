package ranks

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shell starts a script in a directory with a variable, with a file as its first further descriptor, and returns the process and a
// reader of its output.
func shell(t *testing.T, dir, script string, ownGroup bool) (Process, *bufio.Reader) {
	extra := filepath.Join(t.TempDir(), "extra")
	require.NoError(t, os.WriteFile(extra, []byte("more\n"), 0o644))
	file, err := os.Open(extra)
	require.NoError(t, err)
	defer file.Close()
	reading, writing, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { reading.Close() })
	defer writing.Close()
	p, err := Program{Path: "/bin/sh", Argv: []string{"sh", "-c", script}, Dir: dir, Environ: []string{"A=a"},
		Stdout: writing, Extra: []*os.File{file}, OwnGroup: ownGroup}.Start()
	require.NoError(t, err)
	return p, bufio.NewReader(reading)
}

// line returns the next line of output.
func line(t *testing.T, from *bufio.Reader) string {
	text, err := from.ReadString('\n')
	require.NoError(t, err)
	return text[:len(text)-1]
}

// end waits for the only child and returns its exit code.
func end(t *testing.T, p Process) int {
	assert.True(t, HasChildren())
	ends, next := make(chan int), make(chan struct{})
	go AwaitEnds(ends, next)
	require.Equal(t, p.ID, <-ends)
	code := ExitCode(Reap(p.ID))
	next <- struct{}{}
	_, another := <-ends
	assert.False(t, another)
	assert.False(t, HasChildren())
	return code
}

// A process has the files, the directory and the environment of its program, and an empty input. Its end is seen once.
func TestProcess(t *testing.T) {
	runtime.LockOSThread() // the process ends with the thread
	defer runtime.UnlockOSThread()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	p, out := shell(t, dir, "read more <&3; read none; echo $A $more $none; pwd -P; exit 3", false)
	assert.Equal(t, "a more", line(t, out))
	assert.Equal(t, dir, line(t, out))
	assert.Equal(t, 3, end(t, p))
	_, err = Program{Path: filepath.Join(dir, "gone")}.Start()
	assert.Equal(t, exitNotFound, StartCode(err))
}

// A signal reaches all processes of a group, or one process.
func TestProcessSignal(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, group := range []bool{true, false} {
		p, out := shell(t, "", "sleep 1000 >&2 & echo $!; wait", group)
		other, err := strconv.Atoi(line(t, out))
		require.NoError(t, err)
		leader, err := syscall.Getpgid(other)
		require.NoError(t, err)
		assert.Equal(t, group, leader == p.ID)
		p.Signal(syscall.SIGTERM)
		assert.Equal(t, 128+int(syscall.SIGTERM), end(t, p))
		if !group {
			assert.NoError(t, syscall.Kill(other, 0), "the signal was for the shell alone")
			Process{ID: other}.Signal(syscall.SIGKILL)
		}
		file := filepath.Join(t.TempDir(), "pid")
		require.NoError(t, os.WriteFile(file, []byte(strconv.Itoa(other)), 0o644))
		assert.Eventually(t, func() bool { return !runs(t, file) }, soon, 20*time.Millisecond)
	}
}
