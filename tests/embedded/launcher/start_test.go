package launcher

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// A rank registers for membarrier while it has one thread. The kernel takes 10 ms to register a process with the threads
// of the core.
func TestRegistersEarly(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		harness.Missing(t, fmt.Errorf("strace: %w", harness.ErrMissing))
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	app, trace := filepath.Join(t.TempDir(), "app"), filepath.Join(t.TempDir(), "trace")
	out, err := exec.Command(filepath.Join(prefix, "bin/mpicc"), "-o", app, "../programs/death.c").CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command("strace", "-f", "-o", trace, "-e", "trace=membarrier,clone,clone3", filepath.Join(prefix, "bin/wi4go"), "run", "--to", "embedded", "-n", "2", app, "none").CombinedOutput()
	require.NoError(t, err, "%s", out)
	text, err := os.ReadFile(trace)
	require.NoError(t, err)
	threads, registered := map[string]bool{}, map[string]bool{} // by process
	for line := range strings.Lines(string(text)) {
		process, call, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch call = strings.TrimSpace(call); {
		case strings.HasPrefix(call, "clone"):
			threads[process] = true
		case strings.HasPrefix(call, "membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED") && !registered[process]:
			assert.False(t, threads[process], "process %s has created a thread before", process)
			registered[process] = true
		}
	}
	assert.Len(t, registered, 2, "the ranks")
}

// As many ranks as the launcher accepts start, and all pairs exchange messages, which go in one line or through the byte rings. A rank
// takes at most 4 MB, with its requests.
func TestManyRanks(t *testing.T) {
	pairs := harness.EmbeddedProgram(t, "pairs")
	numbers := map[int]string{65: "5000", 100: "600", 700: "8"}
	if harness.Nightly.Runs() {
		numbers[1024] = "8"
	}
	for ranks, bytes := range numbers {
		got := harness.Ranks(t, "", "-n", fmt.Sprint(ranks), pairs, bytes)
		assert.Equal(t, 0, got.Code, got.Stderr)
		var kb int
		_, err := fmt.Sscanf(got.Stdout, fmt.Sprintf("%d ranks, 0 wrong, %%d KB", ranks), &kb)
		require.NoError(t, err, got.Stdout)
		t.Logf("%d ranks, %s bytes: at most %d KB", ranks, bytes, kb)
		assert.LessOrEqual(t, kb, 4096, "%d ranks", ranks)
	}
}

// If no rank can use the memory of the job, one of them prints it. If one rank cannot, the message has its number.
func TestMemoryOfJobRefused(t *testing.T) {
	world := harness.EmbeddedProgram(t, "world")
	got := harness.Ranks(t, "", "-n", "20", "sh", "-c", "ulimit -v 10000; exec "+world)
	assert.NotZero(t, got.Code)
	assert.Equal(t, 1, strings.Count(got.Stderr, "the memory of the job cannot be used (Cannot allocate memory); raise the limits"), got.Stderr)
	got = harness.Ranks(t, "", "-n", "20", "sh", "-c", "test $ADI_RANK = 13 && ulimit -v 10000; exec "+world)
	assert.NotZero(t, got.Code)
	assert.Equal(t, 1, strings.Count(got.Stderr, "rank 13: MPI_Init: "), got.Stderr)
	assert.Contains(t, got.Stderr, "the memory of the job cannot be used")
}
