package launcher

import (
	"bytes"
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
	"golang.org/x/sys/unix"

	"wi4go/tests/harness"
)

// A terminal is a pseudo terminal with processes that have it as their controlling terminal and its mark in their environment.
type terminal struct {
	t      *testing.T
	window *os.File // the side of the user
	out    output   // the text on the screen
	mark   string
	leader *exec.Cmd // the first process of the session
	ended  chan struct{}
}

// openTerminal starts a command at a new terminal. The variable $wi4go has the path of wi4go.
func openTerminal(t *testing.T, command ...string) *terminal {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0) // so that Close interrupts Read
	require.NoError(t, err)
	window := os.NewFile(uintptr(fd), "terminal")
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	inside, err := os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	defer inside.Close()
	leader := exec.Command("env", append([]string{"--default-signal"}, command...)...) // as in a terminal, also if the tests run under nohup
	w := &terminal{t: t, window: window, mark: "TERMINAL_OF_TEST=" + t.TempDir(), leader: leader, ended: make(chan struct{})}
	w.leader.Stdin, w.leader.Stdout, w.leader.Stderr = inside, inside, inside
	w.leader.Env = append(os.Environ(), w.mark, "wi4go="+filepath.Join(prefix, "bin/wi4go"), "PS1=prompt ", "HISTFILE=")
	w.leader.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0, Pdeathsig: syscall.SIGKILL}
	require.NoError(t, w.leader.Start())
	go func() {
		w.leader.Wait() // its error is in the state
		close(w.ended)
	}()
	go func() {
		for buffer := make([]byte, 4096); ; {
			n, err := window.Read(buffer)
			if err != nil { // the session has ended, or the test has closed the window
				return
			}
			w.out.Write(buffer[:n])
		}
	}()
	t.Cleanup(func() {
		window.Close()
		for _, pid := range processes(t, w.mark) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return w
}

// openShell starts an interactive shell, which does not print what the user types.
func openShell(t *testing.T) *terminal {
	w := openTerminal(t, "bash", "--norc", "--noprofile", "--noediting", "-i")
	w.has("prompt ", 1)
	w.enter("stty -echo -onlcr; echo qui''et")
	w.has("quiet\nprompt ", 1)
	return w
}

// press presses keys, and enter writes a line.
func (w *terminal) press(keys string) {
	_, err := w.window.WriteString(keys)
	require.NoError(w.t, err)
}

func (w *terminal) enter(line string) { w.press(line + "\n") }

func (w *terminal) has(text string, n int) {
	w.t.Helper()
	w.out.has(w.t, text, n)
}

// isGone requires that the session has ended and that nothing of it is left.
func (w *terminal) isGone() {
	w.t.Helper()
	if !assert.Eventually(w.t, func() bool { return len(processes(w.t, w.mark)) == 0 }, harness.JobLimit, 5*time.Millisecond, "%q", &w.out) {
		for _, pid := range processes(w.t, w.mark) {
			w.t.Log("left:", pid, words(pid), state(pid))
		}
		w.t.FailNow()
	}
	<-w.ended
}

// states returns the states of the processes whose command line contains a word, without the shells'.
func (w *terminal) states(word string) (all string) {
	for _, pid := range processes(w.t, w.mark) {
		if line := words(pid); pid != w.leader.Process.Pid && slices.ContainsFunc(line, func(s string) bool { return strings.Contains(s, word) }) {
			all += state(pid)
		}
	}
	return all
}

// jobInForeground reports whether another process group than the shell's is in the foreground.
func (w *terminal) jobInForeground() bool {
	var group, session, device, foreground int
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.leader.Process.Pid))
	require.NoError(w.t, err)
	_, err = fmt.Sscanf(string(text[bytes.LastIndexByte(text, ')')+1:]), " %c %d %d %d %d %d", new(rune), new(int), &group, &session, &device, &foreground)
	return err == nil && foreground != group
}

// ranksOf is a line for the shell that runs a script in two ranks and prints the job's exit code.
func ranksOf(script string) string {
	return "$wi4go ranks -n 2 sh -c '" + script + "'; echo code $?."
}

const (
	ctrlC         = "\x03"
	ctrlD         = "\x04"
	ctrlZ         = "\x1a"
	ctrlBackslash = "\x1c"
)

// Each rank gets the signal of a key once.
func TestTerminalKeys(t *testing.T) {
	for _, key := range []struct{ press, signal, code string }{{ctrlC, "INT", "130"}, {ctrlBackslash, "QUIT", "131"}} {
		w := openShell(t)
		w.enter(ranksOf(`n=0; trap "n=\$((n+1))" ` + key.signal + `; echo rea""dy; i=0; while [ $i -lt 40 ]; do i=$((i+1)); sleep 0.02; done; echo count $n.`))
		w.has("ready", 2)
		w.press(key.press)
		w.has("code "+key.code+".", 1)
		w.has("count 1.", 2)
		assert.NotContains(t, w.out.String(), "goroutine")
		w.enter(ranksOf(loop)) // ranks without a handler
		w.has("ready", 4)
		w.press(key.press)
		w.has("code "+key.code+".", 2)
		w.enter("exit")
		w.isGone()
	}
}

// A second Ctrl+C ends ranks that ignore the first one.
func TestTerminalTwice(t *testing.T) {
	w := openShell(t)
	w.enter(ranksOf(`trap "echo got" INT; ` + loop))
	w.has("ready", 2)
	w.press(ctrlC)
	w.has("got", 2)
	time.Sleep(400 * time.Millisecond) // later than internal/embedded's again
	begin := time.Now()
	w.press(ctrlC)
	w.has("code 130.", 1)
	assert.Empty(t, w.states("sh"), "after %v", time.Since(begin))
	w.enter("exit")
	w.isGone()
}

// Ctrl+Z stops the launcher and the ranks, also inside MPI, fg and bg continue them, and a job that was stopped is not
// reported to hang.
func TestTerminalStop(t *testing.T) {
	w := openShell(t)
	program := harness.EmbeddedProgram(t, "traffic")
	w.enter("$wi4go ranks -n 2 " + program + "; echo code $?.")
	reaches := func(foreground bool, stopped int) {
		t.Helper()
		require.Eventually(t, func() bool {
			states := w.states("traffic")
			return len(states) == 3 && strings.Count(states, "T") == stopped && foreground == w.jobInForeground()
		}, harness.JobLimit, 5*time.Millisecond, "%q", &w.out)
	}
	for round := range 3 {
		reaches(true, 0)
		w.press(ctrlZ)
		reaches(false, 3)
		w.has("Stopped", round+1)
		time.Sleep(100 * time.Millisecond) // three looks of the launcher, if it looked
		if round == 1 {
			w.enter("bg")
			reaches(false, 0)
		}
		w.enter("fg")
	}
	reaches(true, 0)
	w.press(ctrlC)
	require.Eventually(t, func() bool { return w.states("traffic") == "" }, harness.JobLimit, 5*time.Millisecond)
	assert.NotContains(t, w.out.String(), "can proceed")
	w.enter("exit")
	w.isGone()
}

// Ctrl+Z stops a job whose ranks are being started, and fg starts the rest.
func TestTerminalStopAtStart(t *testing.T) {
	w := openShell(t)
	w.enter("stty noflsh") // Ctrl+Z keeps the output that was not read yet
	for round := range 20 {
		end := filepath.Join(t.TempDir(), "end")
		w.enter("$wi4go ranks -n 32 sh -c 'echo be$((0))gin; until [ -e " + end + " ]; do sleep 0.1; done'")
		w.has("be0gin", 32*round+1)
		time.Sleep(time.Duration(round) * time.Millisecond / 2)
		w.press(ctrlZ)
		w.has("Stopped", round+1)
		require.NoError(t, os.WriteFile(end, nil, 0o600))
		w.enter("fg")
		w.enter("echo code $?.")
		w.has("code 0.", round+1)
		assert.Equal(t, 32*(round+1), strings.Count(w.out.String(), "be0gin"))
	}
	w.enter("exit")
	w.isGone()
}

// Rank 0 reads what the user types, up to Ctrl+D; in the background it waits until the job is in the foreground.
func TestTerminalInput(t *testing.T) {
	w := openShell(t)
	read := ranksOf(`while read line; do echo $ADI_RANK: $line.; done; echo end $ADI_RANK`)
	w.enter(read)
	w.has("end 1", 1)
	w.enter("first")
	w.has("0: first.", 1)
	w.press(ctrlD)
	w.has("end 0", 1)
	w.has("code 0.", 1)
	w.enter("{ " + read + "; } &")
	// The launcher and rank 0 are stopped, perhaps before rank 1 starts.
	require.Eventually(t, func() bool { return strings.Count(w.states("while"), "T") == 2 }, harness.JobLimit, 5*time.Millisecond)
	w.enter("fg")
	w.has("end 1", 2)
	w.enter("second")
	w.has("0: second.", 1)
	w.press(ctrlD)
	w.has("end 0", 2)
	w.has("code 0.", 2)
	w.enter("exit")
	w.isGone()
}

// All ranks may write, also if the terminal stops writers in the background.
func TestTerminalOutput(t *testing.T) {
	w := openShell(t)
	w.enter("stty tostop; " + ranksOf("echo out $ADI_RANK; echo err $ADI_RANK >&2"))
	for _, text := range []string{"out 0", "out 1", "err 0", "err 1", "code 0."} {
		w.has(text, 1)
	}
	w.enter("exit")
	w.isGone()
}

// All bytes arrive unchanged at a terminal that changes none.
func TestTerminalBytes(t *testing.T) {
	w := openShell(t)
	var every bytes.Buffer
	for range 300 {
		for b := range 256 {
			every.WriteByte(byte(b))
		}
	}
	file := filepath.Join(t.TempDir(), "bytes")
	require.NoError(t, os.WriteFile(file, every.Bytes(), 0o600))
	w.enter("stty -opost; echo beg''in; $wi4go ranks -n 1 cat " + file + "; echo code $?.")
	w.has("code 0.", 1)
	_, printed, _ := strings.Cut(w.out.String(), "begin\n")
	assert.True(t, strings.HasPrefix(printed, every.String()), "%d bytes, %q …", len(printed), printed[:min(300, len(printed))])
	w.enter("exit")
	w.isGone()
}

// If the window is closed, the job ends with all its processes: under a shell in the foreground and in the background,
// without one, and if a rank ignores the signal.
func TestTerminalClosed(t *testing.T) {
	program := harness.EmbeddedProgram(t, "traffic")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, job := range []string{program, "sh -c '" + program + "; true'", `sh -c 'trap "" HUP; ` + program + "'"} {
		for _, end := range []string{"", " &"} {
			w := openShell(t)
			w.enter("$wi4go ranks -n 2 " + job + end)
			w.closes()
		}
		w := openTerminal(t, "sh", "-c", "exec "+prefix+"/bin/wi4go ranks -n 2 "+job)
		w.closes()
	}
}

// closes closes the window when two ranks run.
func (w *terminal) closes() {
	w.t.Helper()
	require.Eventually(w.t, func() bool {
		n := 0
		for _, pid := range processes(w.t, w.mark) {
			if strings.HasSuffix(words(pid)[0], "/traffic") && len(memories(pid)) > 0 {
				n++
			}
		}
		return n == 2
	}, harness.JobLimit, 5*time.Millisecond, "%q", &w.out)
	require.NoError(w.t, w.window.Close())
	w.isGone()
}

// A job needs no directory in which it may write.
func TestNothingWritable(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil {
		harness.Missing(t, fmt.Errorf("bwrap: %w", harness.ErrMissing))
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	program, directory := harness.EmbeddedProgram(t, "traffic"), t.TempDir()
	for _, command := range []string{"ranks -n 2 ", "run --to embedded -n 2 ", "exec --to embedded "} {
		line := fmt.Sprintf("! touch file 2>/dev/null && %s/bin/wi4go %s%s 5 && echo done", prefix, command, program)
		out, err := exec.Command("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--remount-ro", "/dev", "--proc", "/proc", "--chdir", directory, "sh", "-c", line).CombinedOutput()
		assert.NoError(t, err, "%s%s", command, out)
		assert.Equal(t, "done\n", string(out), command)
	}
}
