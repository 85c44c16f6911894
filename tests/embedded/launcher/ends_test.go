package launcher

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// marked runs `wi4go ranks` with a variable, and requires that no process with it is left.
func marked(t *testing.T, words ...string) harness.Job {
	t.Helper()
	mark := "ENDS_OF_TEST=" + t.TempDir()
	got := harness.Ranks(t, "", append([]string{"-genv", mark}, words...)...)
	for _, pid := range processes(t, mark) {
		if state(pid) != "Z" && state(pid) != "" {
			assert.Fail(t, "left", "process %d of %q", pid, words)
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return got
}

// The first process of a rank may end while another one continues and calls MPI_Init. The exit code of that one is the rank's.
func TestDaemons(t *testing.T) {
	daemon := harness.EmbeddedProgram(t, "daemon")
	world := []string{"rank 0 of 3\n", "rank 1 of 3\n", "rank 2 of 3\n"}
	for _, how := range []string{daemon + " fork", daemon + " double", daemon + " double child",
		"sh -c '" + daemon + " fork &'", "sh -c 'nohup setsid " + daemon + " fork'", "sh -c '" + daemon + " fork child & sleep 1000 &'"} {
		words := []string{"sh", "-c", "eval \"exec $0\"", how}
		got := marked(t, append([]string{"-n", "3"}, words...)...)
		assert.Equal(t, 0, got.Code, "%s: %s", how, got.Stderr)
		for _, line := range world {
			assert.Contains(t, got.Stdout, line, how)
		}
		assert.Empty(t, strings.ReplaceAll(got.Stderr, "nohup: ignoring input\n", ""), how)
	}
	for _, c := range []struct {
		end, message string
		code         int
	}{
		{"die early", "wi4go: rank 1 was ended by signal 11 (segmentation fault", 139},
		{"die inside", "wi4go: rank 1 was ended by signal 11 (segmentation fault", 139},
		{"die late", "wi4go: rank 1 was ended by signal 11 (segmentation fault", 139},
		{"code early", "wi4go: rank 1 has ended with exit code 3", 3},
		{"code inside", "wi4go: rank 1 has ended with exit code 3 and without MPI_Finalize\n", 3},
		{"code late", "wi4go: rank 1 has ended with exit code 3 after MPI_Finalize\n", 3},
	} {
		for _, how := range []string{"fork", "double"} {
			got := marked(t, append([]string{"-n", "3", daemon, how}, strings.Fields(c.end)...)...)
			assert.Equal(t, c.code, got.Code, "%s %s: %s", how, c.end, got.Stderr)
			assert.Equal(t, 1, strings.Count(got.Stderr, c.message), "%s %s: %s", how, c.end, got.Stderr)
		}
	}
}

// A rank without MPI is over when none of its processes can call MPI_Init any more: none has the memory of the job.
func TestLeftWithoutMPI(t *testing.T) {
	got := marked(t, "-n", "2", "sh", "-c", "(sleep 0.5; echo late) & echo early")
	assert.Equal(t, harness.Job{Stdout: "early\nearly\nlate\nlate\n"}, got)
	got = marked(t, "-n", "2", "sh", "-c", "sleep 1000 3>&- & echo early")
	assert.Equal(t, harness.Job{Stdout: "early\nearly\n"}, got)
	got = marked(t, "-n", "2", "sh", "-c", "(sleep 0.5; exit 3) & exit 0")
	assert.Equal(t, harness.Job{Stderr: "wi4go: ranks 0, 1 have ended with exit code 3\n", Code: 3}, got)
	// A script may end its helpers.
	got = marked(t, "-n", "2", "sh", "-c", "sleep 1000 & kill $!; false & exit 0")
	assert.Equal(t, harness.Job{}, got)
	// The first process has failed: the job ends.
	got = marked(t, "-n", "2", "sh", "-c", "sleep 1000 & exit 4")
	assert.Equal(t, harness.Job{Stderr: "wi4go: ranks 0, 1 have ended with exit code 4\n", Code: 4}, got)
}

// The launcher names each rank that a signal has ended before MPI_Init or after MPI_Finalize, in one line.
func TestSilentDeath(t *testing.T) {
	death := harness.EmbeddedProgram(t, "silent")
	for _, c := range []struct {
		args, stderr string
		code         int
	}{
		{"early all kill", "wi4go: ranks 0, 1, 2 were ended by signal 11 (segmentation fault%s)\n", 139},
		{"early 1 kill", "wi4go: rank 1 was ended by signal 11 (segmentation fault%s) before MPI_Init had returned; the ranks that still run are ended\n", 139},
		{"late all kill", "wi4go: ranks 0, 1, 2 were ended by signal 11 (segmentation fault%s) after MPI_Finalize\n", 139},
		{"late 1 kill", "wi4go: rank 1 was ended by signal 11 (segmentation fault%s) after MPI_Finalize\n", 139},
		{"early 1 exit", "wi4go: rank 1 has ended with exit code 3 before MPI_Init had returned; the ranks that still run are ended\n", 3},
		{"early all exit", "wi4go: ranks 0, 1, 2 have ended with exit code 3\n", 3},
		{"late 1 exit", "wi4go: rank 1 has ended with exit code 3 after MPI_Finalize\n", 3},
		{"late all exit", "wi4go: ranks 0, 1, 2 have ended with exit code 3 after MPI_Finalize\n", 3},
	} {
		for _, core := range []string{"0", "unlimited"} {
			got := marked(t, append([]string{"-wdir", t.TempDir(), "-n", "3", "sh", "-c", "ulimit -c " + core + "; exec $0 $*", death}, strings.Fields(c.args)...)...)
			assert.Equal(t, c.code, got.Code, c.args)
			want := c.stderr
			if strings.Contains(want, "%s") {
				dumped := ""
				if strings.Contains(got.Stderr, "core dumped") { // the kernel writes one if its pattern has a place for it
					dumped = ", core dumped"
				}
				want = fmt.Sprintf(want, dumped)
			}
			assert.Equal(t, want, got.Stderr, c.args)
		}
	}
	got := harness.Ranks(t, "", "-n", "40", "sh", "-c", "kill -ABRT $$")
	assert.Equal(t, harness.Job{Stderr: "wi4go: ranks 0, 1, 2, 3, 4, 5, 6, 7 and 32 more were ended by signal 6 (aborted)\n", Code: 134}, got)
	got = harness.Ranks(t, "", "-n", "2", "sh", "-c", death+" early 1 kill 2>/dev/null; exit $?") // bash and dash print a line
	assert.Contains(t, got.Stderr, "wi4go: rank 1 has ended with exit code 139, as by signal 11 (segmentation fault)")
	assert.Equal(t, 139, got.Code)
}

// A job whose time is over names the ranks that have not come.
func TestAbsent(t *testing.T) {
	got := harness.Ranks(t, "", "-n", "3", "-timeout", "3", "sh", "-c", "if [ $ADI_RANK = 1 ]; then exit 0; fi; exec "+harness.EmbeddedProgram(t, "silent")+" sleep")
	assert.Equal(t, harness.Job{Stderr: "wi4go: the job has run for 3s, its time limit; raise it with --timeout\nwi4go: rank 1 has ended with exit code 0 and without MPI_Init\n", Code: 124}, got)
}

// Ranks that end for the same reason print it once.
func TestToldOnce(t *testing.T) {
	got := harness.Ranks(t, "", "-n", "20", harness.EmbeddedProgram(t, "death"), "kill")
	assert.Equal(t, 137, got.Code)
	assert.Regexp(t, `^wi4go: rank 1 was ended by signal 9 \(killed\)\nrank \d+: rank 1 was ended by signal 9 \(Killed\); MPI_Recv cannot complete\n$`, got.Stderr)
}

// When a rank has died and the others have ended by themselves, their children end too.
func TestChildrenOfOthers(t *testing.T) {
	got := marked(t, "-n", "3", "sh", "-c", "sleep 1000 & setsid sleep 1000 & exec "+harness.EmbeddedProgram(t, "death")+" kill")
	assert.Equal(t, 137, got.Code)
	assert.Contains(t, got.Stderr, "wi4go: rank 1 was ended by signal 9 (killed)\n")
	got = marked(t, "-n", "3", "sh", "-c", "setsid sh -c 'trap \"\" TERM; sleep 1000' & exec "+harness.EmbeddedProgram(t, "death")+" none")
	assert.Equal(t, 0, got.Code, got.Stderr)
}

// The children of a shell that has executed the launcher are not of the job.
func TestOtherChildren(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "pid")
	out, err := exec.Command("sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $! > "+file+"; exec "+prefix+"/bin/wi4go ranks -n 2 sh -c 'setsid sleep 1000 & exit 3'").CombinedOutput()
	assert.ErrorContains(t, err, "exit status 3")
	assert.Equal(t, "wi4go: ranks 0, 1 have ended with exit code 3\n", string(out))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	assert.Equal(t, "S", state(pid))
	syscall.Kill(pid, syscall.SIGKILL)
}

// If the launcher is killed, the processes that ranks have started end, also those that never call MPI.
func TestLauncherKilledAlone(t *testing.T) {
	mark := "ENDS_OF_TEST=" + t.TempDir()
	for _, command := range []string{"sleep 1000 & sleep 1000; true", "sleep 1000 & exec " + harness.EmbeddedProgram(t, "traffic"), "sleep 1000 & exec " + harness.EmbeddedProgram(t, "silent") + " sleep"} {
		s := begin(t, "echo ready; "+command, "env", mark)
		s.out.has(t, "ready", 2)
		require.Eventually(t, func() bool { return len(processes(t, mark)) >= 5 }, harness.JobLimit, 5*time.Millisecond)
		require.NoError(t, s.Process.Kill())
		s.Wait()
		assert.Eventually(t, func() bool { return len(processes(t, mark)) == 0 }, harness.JobLimit, 5*time.Millisecond, command)
		for _, pid := range processes(t, mark) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}
