package launcher

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// Lines of several ranks in one file or pipe stay whole, and none is lost.
func TestWholeLines(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	program := harness.EmbeddedProgram(t, "lines")
	whole := regexp.MustCompile(`^(\d) (\d+) \.* (\d)$`)
	for _, c := range []struct {
		lines, longest int
		how            string
	}{{4000, 200, "stdio"}, {100, 60000, "stdio"}, {30, 300000, "stdio"}, {2000, 100, "write"}, {20, 50, "parts"}} {
		for _, to := range []string{"> out", ">> out", "| cat > out", "> out 2>&1"} {
			c, to := c, to
			t.Run(fmt.Sprint(c, to), func(t *testing.T) {
				t.Parallel()
				cmd := exec.Command("sh", "-c", fmt.Sprintf("%s/bin/wi4go ranks -n 4 %s %d %d %s %s", prefix, program, c.lines, c.longest, c.how, to))
				cmd.Dir = t.TempDir()
				message, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s", message)
				text, err := os.ReadFile(filepath.Join(cmd.Dir, "out"))
				require.NoError(t, err)
				next := [4]int{}
				for line := range strings.Lines(string(text)) {
					m := whole.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
					if !assert.NotNil(t, m, "%.80q", line) {
						return
					}
					rank := m[1][0] - '0'
					assert.Equal(t, m[1], m[3])
					assert.Equal(t, fmt.Sprint(next[rank]), m[2])
					next[rank]++
				}
				assert.Equal(t, [4]int{c.lines, c.lines, c.lines, c.lines}, next)
			})
		}
	}
}

// A prompt without a newline appears in a pipe, also if another rank writes all the time.
func TestPrompt(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, labels := range []string{"", "-l"} {
		c := exec.Command("sh", "-c", "exec "+prefix+`/bin/wi4go ranks `+labels+` -n 2 sh -c 'if [ $ADI_RANK = 0 ]; then printf "name? "; read x; echo hello $x; else while sleep 0.01; do echo line; done; fi'`)
		c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		var out output
		c.Stdout, c.Stderr = &out, &out
		input, err := c.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		out.has(t, "name? ", 1)
		out.has(t, "line\n", 3)
		_, err = io.WriteString(input, "you\n")
		require.NoError(t, err)
		out.has(t, "hello you\n", 1)
		require.NoError(t, c.Process.Kill())
		c.Wait()
	}
}

// With -l, a progress bar appears while it grows, and a line without an end needs no memory.
func TestLabeledPieces(t *testing.T) {
	s := begin(t, "printf '50%%\\r'; until [ -e $FILE ]; do sleep 0.02; done; echo done", "env", "FILE="+filepath.Join(t.TempDir(), "file"), "sh", "-c", `exec "$0" ranks -l -n 2 sh -c "$6"`)
	s.out.has(t, "[0] 50%\r", 1)
	s.out.has(t, "[1] 50%\r", 1)
	s.send(t, syscall.SIGTERM)
	s.code()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	c := exec.Command(filepath.Join(prefix, "bin/wi4go"), "ranks", "-l", "-n", "2", "sh", "-c", "head -c 600000000 /dev/zero")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	require.NoError(t, c.Run(), "%s", &stderr)
	assert.Less(t, c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss, int64(300<<10), "KB")
}

// Standard output and standard error in one file keep their order in each rank.
func TestOrder(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	out, err := exec.Command("sh", "-c", prefix+"/bin/wi4go ranks -n 2 sh -c 'for i in 1 2 3 4 5 6 7 8 9; do echo $ADI_RANK out $i; echo $ADI_RANK err $i >&2; done' 2>&1").Output()
	require.NoError(t, err)
	for rank := range 2 {
		var want, got string
		for i := 1; i < 10; i++ {
			want += fmt.Sprintf("%d out %d\n%d err %d\n", rank, i, rank, i)
		}
		for line := range strings.Lines(string(out)) {
			if strings.HasPrefix(line, fmt.Sprint(rank)) {
				got += line
			}
		}
		assert.Equal(t, want, got)
	}
}

// If the output cannot be written, the ranks get the signal of a broken pipe, and the job ends; a full disk is reported.
func TestOutputLost(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	out, err := exec.Command("sh", "-c", "exec 2>&1; "+prefix+"/bin/wi4go ranks -n 2 yes line | head -n 2").Output()
	require.NoError(t, err)
	assert.Equal(t, "line\nline\n", string(out))
	out, err = exec.Command("sh", "-c", "exec 2>&1; "+prefix+"/bin/wi4go ranks -l -n 2 yes line > /dev/full").Output()
	assert.Error(t, err)
	assert.Equal(t, 1, strings.Count(string(out), "wi4go: the output of the ranks cannot be written: no space left on device\n"), "%s", out)
}

// A limit on descriptors that is too low for labels is refused; other jobs run.
func TestFewDescriptors(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	run := func(limit, options string) (string, error) {
		out, err := exec.Command("sh", "-c", "ulimit -n "+limit+"; "+prefix+"/bin/wi4go ranks "+options+" -n 90 echo x").CombinedOutput()
		return string(out), err
	}
	out, err := run("100", "")
	assert.NoError(t, err)
	assert.Equal(t, strings.Repeat("x\n", 90), out)
	out, err = run("10", "")
	assert.Error(t, err)
	assert.Regexp(t, `^wi4go: .*too many open files; raise the limit on descriptors \(ulimit -n\)\n$`, out)
	out, err = run("100", "-l")
	assert.Error(t, err)
	assert.Equal(t, "wi4go: -l needs 122 descriptors for the output of 90 ranks, and the limit is 100; raise the limit (ulimit -n), or leave out -l\n", out)
}
