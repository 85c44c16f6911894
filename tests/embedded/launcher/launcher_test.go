// Package launcher tests the launcher of the embedded MPI: its streams, signals and terminals, how jobs start and end, and ranks of other launchers.
package launcher

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"wi4go/tests/harness"
)

func TestStreams(t *testing.T) {
	got := harness.Ranks(t, "one\ntwo\n", "-l", "-n", "2", "sh", "-c", "echo $ADI_RANK of $OMPI_COMM_WORLD_SIZE $PMI_RANK; cat; echo err >&2", ":", "-env", "A", "b", "sh", "-c", "printf $A")
	assert.Equal(t, 0, got.Code)
	for _, line := range []string{"[0] 0 of 3 0\n", "[1] 1 of 3 1\n", "[0] one\n[0] two\n", "[2] b\n"} {
		assert.Contains(t, got.Stdout, line)
	}
	assert.NotContains(t, got.Stdout, "[1] one")
	assert.Contains(t, got.Stderr, "[1] err\n")
}

// Bytes pass unchanged, and long lines with labels stay whole.
func TestBytes(t *testing.T) {
	input := "a\x00b\xff\n" + strings.Repeat("x", 5<<20) // no newline at the end
	assert.Equal(t, harness.Job{Stdout: input}, harness.Ranks(t, input, "-n", "2", "cat"))
	assert.Equal(t, harness.Job{Stdout: "[0] a\x00b\xff\n[0] " + strings.Repeat("x", 5<<20) + "\n"}, harness.Ranks(t, input, "-l", "-n", "2", "cat"))
	got := harness.Ranks(t, "", "-l", "-n", "2", "sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do printf A; sleep 0.01; printf 'B\\n'; done")
	assert.Equal(t, 9, strings.Count(got.Stdout, "[0] AB\n"), got.Stdout)
	assert.Equal(t, 9, strings.Count(got.Stdout, "[1] AB\n"), got.Stdout)
}

// A shell closes streams, or reads only the first line.
func TestClosedStreams(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for line, want := range map[string]string{
		"$0 ranks -n 2 cat <&-; echo $?":                                    "0\n",
		"$0 ranks -n 2 sh -c 'echo x 2>/dev/null; exit 5' >&-; echo $?":     "5\n",
		"$0 ranks -n 2 sh -c 'exit 5' <&- >&- 2>&-; echo $?":                "5\n",
		"$0 ranks -n 2 sh -c 'exec yes line' | head -n 1":                   "line\n",
		"$0 ranks -l -n 1 sh -c 'exec yes line' | head -n 1":                "[0] line\n",
		"mkdir gone; cd gone; rmdir ../gone; $0 ranks -n 1 echo here":       "here\n",
		"A='a\nb' B= $0 ranks -n 1 sh -c 'echo \"$A ${B-unset}.\"'":         "a\nb .\n",
		`$0 ranks -n 2 sh -c '[ "$ADI_LAUNCHER" = "$PPID" ] && echo right'`: "right\nright\n",
		"$0 ranks -n 2 $0 ranks -n 2 sh -c 'echo $ADI_RANKS'":               "2\n2\n2\n2\n",
	} {
		c := exec.Command("sh", "-c", line, filepath.Join(prefix, "bin/wi4go"))
		c.Dir, c.WaitDelay = t.TempDir(), harness.JobLimit
		output, err := c.Output()
		assert.NoError(t, err, line)
		assert.Equal(t, want, string(output), line)
	}
}

func TestExitCodes(t *testing.T) {
	assert.Equal(t, 3, harness.Ranks(t, "", "-n", "2", "sh", "-c", "exit 3").Code)
	assert.Equal(t, 128+9, harness.Ranks(t, "", "sh", "-c", "kill -9 $$").Code)
	got := harness.Ranks(t, "", "-n", "2", "/nowhere/app")
	assert.Equal(t, 127, got.Code)
	assert.Contains(t, got.Stderr, "/nowhere/app")
	got = harness.Ranks(t, "", "-n", "2", "sh", "-c", "test $ADI_RANK = 0 && exit 3; sleep 100")
	assert.Equal(t, 3, got.Code)
	assert.Equal(t, "wi4go: rank 0 has ended with exit code 3; the ranks that still run are ended\n", got.Stderr)
	script := filepath.Join(t.TempDir(), "script") // without "#!"
	require.NoError(t, os.WriteFile(script, []byte("echo $ADI_RANK $1\n"), 0o755))
	got = harness.Ranks(t, "", "-n", "2", script, "a b")
	assert.Equal(t, 0, got.Code, got.Stderr)
	assert.Contains(t, got.Stdout, "1 a b\n")
	got = harness.Ranks(t, "", "-wdir", "/nowhere", "true")
	assert.Equal(t, 126, got.Code)
	assert.Equal(t, "wi4go: -wdir /nowhere: there is no such directory\n", got.Stderr)
	got = harness.Ranks(t, "", "-timeout", "0.2", "sleep", "100")
	assert.Equal(t, 124, got.Code)
	assert.Contains(t, got.Stderr, "its time limit; raise it with --timeout")
}

// A rank that is ended inside MPI ends the job, also if the others wait for it.
func TestDeath(t *testing.T) {
	death := harness.EmbeddedProgram(t, "death")
	start := time.Now()
	got := harness.Ranks(t, "", "-n", "3", death, "kill")
	assert.Equal(t, 128+9, got.Code)
	assert.Contains(t, got.Stderr, "rank 1 was ended by signal 9")
	got = harness.Ranks(t, "", "-n", "3", death, "exit")
	assert.Equal(t, 1, got.Code)
	assert.Contains(t, got.Stderr, "rank 1 has ended with exit code 0 and without MPI_Finalize")
	assert.NotContains(t, got.Stderr, "MPID_")
	got = harness.Ranks(t, "", "-n", "3", death, "abort")
	assert.Equal(t, 7, got.Code)
	got = harness.Ranks(t, "", "-n", "3", death, "abort", "return")
	assert.Equal(t, 7, got.Code)
	assert.Equal(t, "rank 1: MPI_Abort: the program has aborted the job\n", got.Stderr)
	assert.Less(t, time.Since(start), harness.JobLimit)
}

// A program without a launcher is a job of one rank.
func TestSingleton(t *testing.T) {
	output, err := exec.Command(harness.EmbeddedProgram(t, "death"), "none").CombinedOutput()
	require.NoError(t, err, "%s", output)
	assert.Equal(t, "0 of 1\n", string(output))
}

// Neither a copy of a rank nor a program that a rank starts disturbs the job; each gets an error.
func TestChildren(t *testing.T) {
	death := harness.EmbeddedProgram(t, "death")
	got := harness.Ranks(t, "", "-n", "2", death, "copy")
	assert.Equal(t, harness.Job{Stdout: "child 1\nchild 1\n", Stderr: strings.Repeat("wi4go: MPI_Barrier is called in a process that a rank has forked, "+
		"where only local functions of MPI work: call it in the rank itself\n", 2)}, got)
	assert.Equal(t, harness.Job{Stdout: "child 0\nchild 0\n"}, harness.Ranks(t, "", "-n", "2", death, "query"))
	got = harness.Ranks(t, "", "-n", "2", death, "mistake")
	assert.Equal(t, "child 1\nchild 1\n", got.Stdout)
	assert.Equal(t, 0, got.Code)
	assert.Contains(t, got.Stderr, "rank 1: MPI_Type_size: MPI_ERR_TYPE")
	got = harness.Ranks(t, "", "-n", "2", death, "child")
	assert.Equal(t, "child 1\nchild 1\n", got.Stdout)
	assert.Equal(t, 0, got.Code)
	assert.Contains(t, got.Stderr, "descriptor 3 (ADI_FD) is not the memory of a job: rank 1 has started this program")
	got = harness.Ranks(t, "", "-n", "2", "sh", "-c", death+" none; "+death+" none")
	assert.Contains(t, got.Stderr, "rank 0 of the job has called MPI_Init already, in another program; start it by its own `wi4go run`")
	assert.Contains(t, got.Stdout, "0 of 2\n")
	// A file of the program's at the descriptor stays as it is.
	file := filepath.Join(t.TempDir(), "file")
	got = harness.Ranks(t, "", "sh", "-c", "exec 3>"+file+"; "+death+" none")
	assert.Contains(t, got.Stderr, "descriptor 3 (ADI_FD) is not the memory of a job")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Empty(t, text)
}

// Ranks may run on all cores of the launcher, or with -bind core on one each, in turn.
func TestCores(t *testing.T) {
	var set unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(0, &set))
	var cores []string
	for core := 0; len(cores) < set.Count(); core++ {
		if set.IsSet(core) {
			cores = append(cores, fmt.Sprint(core))
		}
	}
	program, n := harness.EmbeddedProgram(t, "cores"), 2*len(cores) // more ranks than cores, which must not stay on one
	for bind, on := range map[string]func(rank int) string{
		"none": func(int) string { return strings.Join(cores, " ") },
		"core": func(rank int) string { return cores[rank%len(cores)] },
	} {
		got := harness.Ranks(t, "", "-bind", bind, "-n", fmt.Sprint(n), program)
		assert.Zero(t, got.Code, got.Stderr)
		for rank := range n {
			assert.Contains(t, got.Stdout, fmt.Sprintf("%d on %s\n", rank, on(rank)))
		}
		got = harness.Ranks(t, "", "-bind", bind, "-n", "2", "sh", "-c", "echo of $ADI_CORES") // else a rank would count its own ones
		assert.Equal(t, strings.Repeat(fmt.Sprintf("of %d\n", len(cores)), 2), got.Stdout, got.Stderr)
	}
}

func TestPrograms(t *testing.T) {
	appnum := harness.EmbeddedProgram(t, "appnum")
	got := harness.Ranks(t, "", "-n", "2", appnum, ":", "-n", "1", appnum)
	assert.Equal(t, 0, got.Code, got.Stderr)
	for _, line := range []string{"rank 0 program 0\n", "rank 1 program 0\n", "rank 2 program 1\n"} {
		assert.Contains(t, got.Stdout, line)
	}
}

// An invalid error handler has the class that the standard gives it, in programs of every family.
func TestErrhandlerClass(t *testing.T) {
	for _, p := range harness.InFamilies(t, "errhandler") {
		assert.Equal(t, harness.Job{Stdout: "right\n"}, harness.Ranks(t, "", "-n", "1", p), p)
	}
}

// A call needs no buffer for a type without data, whatever its extent is.
func TestEmptyTypes(t *testing.T) {
	empty := harness.EmbeddedProgram(t, "empty")
	for _, ranks := range []string{"1", "2", "3", "5"} {
		got := harness.Ranks(t, "", "-n", ranks, empty)
		assert.Equal(t, "", got.Stderr)
		assert.Equal(t, 0, got.Code)
	}
}

// The bits of a NaN in a result depend neither on the number of elements nor on the function.
func TestNaNs(t *testing.T) {
	nans := harness.EmbeddedProgram(t, "nans")
	for _, ranks := range []string{"1", "2", "3", "5"} {
		assert.Equal(t, harness.Job{}, harness.Ranks(t, "", "-n", ranks, nans))
	}
}
