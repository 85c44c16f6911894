package embedded_test

import (
	"bytes"
	"context"
	"errors"
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

// programLimit bounds the run of one program.
const programLimit = 60 * time.Second

// launched is what a job printed, and its exit code.
type launched struct {
	stdout, stderr string
	code           int
}

// launch runs `wi4go ranks` with the words. input is its stdin.
func launch(t *testing.T, input string, words ...string) launched {
	return launchWithin(t, programLimit, input, words...)
}

func launchWithin(t *testing.T, limit time.Duration, input string, words ...string) launched {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, filepath.Join(prefix, "bin/wi4go"), append([]string{"ranks"}, words...)...)
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &stdout, &stderr
	err = c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return launched{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
}

// program compiles a program of this directory for the embedded MPI.
func program(t *testing.T, name string) string { return compiled(t, "programs/"+name+".c") }

// compiled compiles a C program for the embedded MPI.
func compiled(t *testing.T, source string) string {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	library := filepath.Join(prefix, "lib/wi4go/runtimes/embedded/lib")
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), ".c"))
	c := exec.Command("gcc", "-O2", "-Wall", "-I"+filepath.Join(prefix, "lib/wi4go/mpi/include"), "-o", out,
		source, filepath.Join(library, "libwi4go-embedded.so.1"), "-Wl,-rpath,"+library, "-pthread", "-lm")
	output, err := c.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return out
}

func TestStreams(t *testing.T) {
	got := launch(t, "one\ntwo\n", "-l", "-n", "2", "sh", "-c", "echo $ADI_RANK of $OMPI_COMM_WORLD_SIZE $PMI_RANK; cat; echo err >&2", ":", "-env", "A", "b", "sh", "-c", "printf $A")
	assert.Equal(t, 0, got.code)
	for _, line := range []string{"[0] 0 of 3 0\n", "[1] 1 of 3 1\n", "[0] one\n[0] two\n", "[2] b\n"} {
		assert.Contains(t, got.stdout, line)
	}
	assert.NotContains(t, got.stdout, "[1] one")
	assert.Contains(t, got.stderr, "[1] err\n")
}

// Bytes pass unchanged, and long lines with labels stay whole.
func TestBytes(t *testing.T) {
	input := "a\x00b\xff\n" + strings.Repeat("x", 5<<20) // no newline at the end
	assert.Equal(t, launched{input, "", 0}, launch(t, input, "-n", "2", "cat"))
	assert.Equal(t, launched{"[0] a\x00b\xff\n[0] " + strings.Repeat("x", 5<<20) + "\n", "", 0}, launch(t, input, "-l", "-n", "2", "cat"))
	got := launch(t, "", "-l", "-n", "2", "sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do printf A; sleep 0.01; printf 'B\\n'; done")
	assert.Equal(t, 9, strings.Count(got.stdout, "[0] AB\n"), got.stdout)
	assert.Equal(t, 9, strings.Count(got.stdout, "[1] AB\n"), got.stdout)
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
		c.Dir, c.WaitDelay = t.TempDir(), programLimit
		output, err := c.Output()
		assert.NoError(t, err, line)
		assert.Equal(t, want, string(output), line)
	}
}

func TestExitCodes(t *testing.T) {
	assert.Equal(t, 3, launch(t, "", "-n", "2", "sh", "-c", "exit 3").code)
	assert.Equal(t, 128+9, launch(t, "", "sh", "-c", "kill -9 $$").code)
	got := launch(t, "", "-n", "2", "/nowhere/app")
	assert.Equal(t, 127, got.code)
	assert.Contains(t, got.stderr, "/nowhere/app")
	got = launch(t, "", "-n", "2", "sh", "-c", "test $ADI_RANK = 0 && exit 3; sleep 100")
	assert.Equal(t, 3, got.code)
	assert.Equal(t, "wi4go: rank 0 has ended with exit code 3; the ranks that still run are ended\n", got.stderr)
	script := filepath.Join(t.TempDir(), "script") // without "#!"
	require.NoError(t, os.WriteFile(script, []byte("echo $ADI_RANK $1\n"), 0o755))
	got = launch(t, "", "-n", "2", script, "a b")
	assert.Equal(t, 0, got.code, got.stderr)
	assert.Contains(t, got.stdout, "1 a b\n")
	got = launch(t, "", "-wdir", "/nowhere", "true")
	assert.Equal(t, 126, got.code)
	assert.Equal(t, "wi4go: -wdir /nowhere: there is no such directory\n", got.stderr)
	got = launch(t, "", "-timeout", "0.2", "sleep", "100")
	assert.Equal(t, 124, got.code)
	assert.Contains(t, got.stderr, "its time limit; raise it with --timeout")
}

// A rank that is ended inside MPI ends the job, also if the others wait for it.
func TestDeath(t *testing.T) {
	death := program(t, "death")
	start := time.Now()
	got := launch(t, "", "-n", "3", death, "kill")
	assert.Equal(t, 128+9, got.code)
	assert.Contains(t, got.stderr, "rank 1 was ended by signal 9")
	got = launch(t, "", "-n", "3", death, "exit")
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.stderr, "rank 1 has ended with exit code 0 and without MPI_Finalize")
	assert.NotContains(t, got.stderr, "MPID_")
	got = launch(t, "", "-n", "3", death, "abort")
	assert.Equal(t, 7, got.code)
	got = launch(t, "", "-n", "3", death, "abort", "return")
	assert.Equal(t, 7, got.code)
	assert.Equal(t, "rank 1: MPI_Abort: the program has aborted the job\n", got.stderr)
	assert.Less(t, time.Since(start), programLimit)
}

// A program without a launcher is a job of one rank.
func TestSingleton(t *testing.T) {
	output, err := exec.Command(program(t, "death"), "none").CombinedOutput()
	require.NoError(t, err, "%s", output)
	assert.Equal(t, "0 of 1\n", string(output))
}

// Neither a copy of a rank nor a program that a rank starts disturbs the job; each gets an error.
func TestChildren(t *testing.T) {
	death := program(t, "death")
	got := launch(t, "", "-n", "2", death, "copy")
	assert.Equal(t, launched{"child 1\nchild 1\n", strings.Repeat("wi4go: MPI_Barrier is called in a process that a rank has forked, "+
		"where only local functions of MPI work: call it in the rank itself\n", 2), 0}, got)
	assert.Equal(t, launched{"child 0\nchild 0\n", "", 0}, launch(t, "", "-n", "2", death, "query"))
	got = launch(t, "", "-n", "2", death, "mistake")
	assert.Equal(t, "child 1\nchild 1\n", got.stdout)
	assert.Equal(t, 0, got.code)
	assert.Contains(t, got.stderr, "rank 1: MPI_Type_size: MPI_ERR_TYPE")
	got = launch(t, "", "-n", "2", death, "child")
	assert.Equal(t, "child 1\nchild 1\n", got.stdout)
	assert.Equal(t, 0, got.code)
	assert.Contains(t, got.stderr, "descriptor 3 (ADI_FD) is not the memory of a job: rank 1 has started this program")
	got = launch(t, "", "-n", "2", "sh", "-c", death+" none; "+death+" none")
	assert.Contains(t, got.stderr, "rank 0 of the job has called MPI_Init already, in another program; start it by its own `wi4go run`")
	assert.Contains(t, got.stdout, "0 of 2\n")
	// A file of the program's at the descriptor stays as it is.
	file := filepath.Join(t.TempDir(), "file")
	got = launch(t, "", "sh", "-c", "exec 3>"+file+"; "+death+" none")
	assert.Contains(t, got.stderr, "descriptor 3 (ADI_FD) is not the memory of a job")
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
	program, n := program(t, "cores"), 2*len(cores) // more ranks than cores, which must not stay on one
	for bind, on := range map[string]func(rank int) string{
		"none": func(int) string { return strings.Join(cores, " ") },
		"core": func(rank int) string { return cores[rank%len(cores)] },
	} {
		got := launch(t, "", "-bind", bind, "-n", fmt.Sprint(n), program)
		assert.Zero(t, got.code, got.stderr)
		for rank := range n {
			assert.Contains(t, got.stdout, fmt.Sprintf("%d on %s\n", rank, on(rank)))
		}
		got = launch(t, "", "-bind", bind, "-n", "2", "sh", "-c", "echo of $ADI_CORES") // else a rank would count its own ones
		assert.Equal(t, strings.Repeat(fmt.Sprintf("of %d\n", len(cores)), 2), got.stdout, got.stderr)
	}
}

func TestPrograms(t *testing.T) {
	appnum := program(t, "appnum")
	got := launch(t, "", "-n", "2", appnum, ":", "-n", "1", appnum)
	assert.Equal(t, 0, got.code, got.stderr)
	for _, line := range []string{"rank 0 program 0\n", "rank 1 program 0\n", "rank 2 program 1\n"} {
		assert.Contains(t, got.stdout, line)
	}
}

// An invalid error handler has the class that the standard gives it, in programs of every family.
func TestErrhandlerClass(t *testing.T) {
	for _, p := range inFamilies(t, "errhandler") {
		assert.Equal(t, launched{"right\n", "", 0}, launch(t, "", "-n", "1", p), p)
	}
}

// The launcher reads the shared memory by offsets.
func TestSegmentOffsets(t *testing.T) {
	out := filepath.Join(t.TempDir(), "offsets")
	output, err := exec.Command("gcc", "-I../..", "-o", out, "programs/offsets.c").CombinedOutput()
	require.NoError(t, err, "%s", output)
	text, err := exec.Command(out).Output()
	require.NoError(t, err)
	source, err := os.ReadFile("../../internal/embedded/offsets.go")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	assert.Len(t, lines, 30)
	for _, line := range lines {
		name, value, _ := strings.Cut(line, " ")
		assert.Regexp(t, name+` += `+value+`\n`, string(source))
	}
}

// A call needs no buffer for a type without data, whatever its extent is.
func TestEmptyTypes(t *testing.T) {
	empty := program(t, "empty")
	for _, ranks := range []string{"1", "2", "3", "5"} {
		got := launch(t, "", "-n", ranks, empty)
		assert.Equal(t, "", got.stderr)
		assert.Equal(t, 0, got.code)
	}
}

// The bits of a NaN in a result depend neither on the number of elements nor on the function.
func TestNaNs(t *testing.T) {
	nans := program(t, "nans")
	for _, ranks := range []string{"1", "2", "3", "5"} {
		assert.Equal(t, launched{}, launch(t, "", "-n", ranks, nans))
	}
}
